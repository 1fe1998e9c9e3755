//! Lines of comma-separated values by RFC 4180: the one way in which GT-Tools writes CSV.
//!
//! ```text
//! 12,e4,"a, b","say ""so""",""," x",,      a number, a word, texts in quotes, no value, no value
//! ```
//!
//! **Invariant:** a missing value and an empty text are different: only the text has quotes.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;

/// Returns a text as a CSV field: in quotes if it contains commas, quotes or control characters, starts or ends with
/// a space, starts with #, or is empty.
///
/// ```
/// use gt_convert::csv_text;
/// assert_eq!(csv_text("e4"), "e4");
/// assert_eq!(csv_text("say \"so\", twice"), "\"say \"\"so\"\", twice\"");
/// assert_eq!(csv_text(""), "\"\"");
/// ```
#[must_use]
pub fn csv_text(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return text.into();
    }
    format!("\"{}\"", text.replace('"', "\"\"")).into()
}

fn is_plain(text: &str) -> bool {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    let special = |c: char| matches!(c, '"' | ',' | BYTE_ORDER_MARK) || c.is_control();
    // At the start of a file, a # begins a comment.
    !text.is_empty() && !text.contains(special) && !text.starts_with('#') && text.trim().len() == text.len()
}

/// A line of CSV, field by field.
///
/// ```
/// let mut line = gt_convert::CsvLine::new();
/// line.text("move").text("value");
/// assert_eq!(line.end(), b"move,value\n");
/// line.text("a, b").bare(-12).missing();
/// assert_eq!(line.end(), b"\"a, b\",-12,\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct CsvLine {
    bytes: Vec<u8>,
    fields: usize,
    /// Whether the line's bytes have been returned.
    ended: bool,
}

impl CsvLine {
    /// An empty line.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a text, in quotes if necessary.
    pub fn text(&mut self, text: &str) -> &mut Self {
        let bytes = self.field();
        if is_plain(text) {
            bytes.extend_from_slice(text.as_bytes());
        } else {
            bytes.extend_from_slice(csv_text(text).as_bytes());
        }
        self
    }

    /// Appends a number or another value that contains no comma, quote or line end.
    pub fn bare(&mut self, value: impl Display) -> &mut Self {
        // Writing to memory cannot fail.
        let _ = write!(self.field(), "{value}");
        self
    }

    /// Appends a missing value.
    pub fn missing(&mut self) -> &mut Self {
        self.field();
        self
    }

    /// Ends the line and returns its bytes; the next field starts a new one.
    pub fn end(&mut self) -> &[u8] {
        // A line of one missing value would be an empty line, which readers skip.
        if self.fields == 1 && self.bytes.is_empty() {
            self.bytes.extend_from_slice(b"\"\"");
        }
        self.bytes.push(b'\n');
        self.ended = true;
        &self.bytes
    }

    /// Starts a field, of a new line if the last one has ended.
    pub(crate) fn field(&mut self) -> &mut Vec<u8> {
        if std::mem::take(&mut self.ended) {
            self.bytes.clear();
            self.fields = 0;
        }
        if self.fields > 0 {
            self.bytes.push(b',');
        }
        self.fields += 1;
        &mut self.bytes
    }
}
