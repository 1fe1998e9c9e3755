//! The lines of a JSON Lines file, and the fields of a line as written.

use std::fmt;
use std::io::{BufRead, BufReader, Read};

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::import::input::Input;
use crate::import::table::{CHUNK_ROWS, Step};
use crate::import::text::{LINE_BYTES_MAX, check_encoding};
use crate::{Error, ErrorKind, Result, RowPlace};

/// Passes on the fields of a line's object, names and raw values.
pub(super) fn fields(
    line: &[u8],
    place: RowPlace,
    take: &mut dyn FnMut(&str, &str) -> Result<()>,
) -> Result<()> {
    let mut fault = None;
    let mut take = |name: &str, value: &str| match take(name, value) {
        Ok(()) => true,
        Err(error) => {
            fault = Some(error.in_column(name));
            false
        }
    };
    let mut reader = serde_json::Deserializer::from_slice(line);
    let read = reader.deserialize_map(Fields { take: &mut take }).and_then(|()| reader.end());
    match (fault, read) {
        (Some(error), _) => Err(error.at(place)),
        (None, Err(error)) => Err(not_json(line, &error).unwrap_or_else(|| broken(&error)).at(place)),
        (None, Ok(())) => Ok(()),
    }
}

/// The error for a line with a non-JSON number of Python or JavaScript, where the parser stopped.
fn not_json(line: &[u8], error: &serde_json::Error) -> Option<Error> {
    const WORDS: [&str; 5] = ["NaN", "Infinity", "nan", "inf", "Inf"];
    // The parser stops at the word's first letter, or at its second if `null` begins the same way.
    let stops_at = |word: &&str| {
        [1, 2]
            .into_iter()
            .filter_map(|back| line.get(error.column().checked_sub(back)?..))
            .any(|rest| rest.starts_with(word.as_bytes()))
    };
    let word = WORDS.into_iter().find(stops_at)?;
    let what = format!("{word} is no JSON; write \"NaN\", \"inf\" or \"-inf\" in quotes, or null");
    Some(ErrorKind::Broken { format: "JSON Lines", what }.into())
}

pub(super) fn broken(error: &serde_json::Error) -> Error {
    let text = error.to_string();
    // The line number is known better here.
    let what = match text.rsplit_once(" at line ") {
        Some((what, _)) if error.column() > 0 => format!("{what} at character {}", error.column()),
        Some((what, _)) => what.to_owned(),
        None => text,
    };
    ErrorKind::Broken { format: "JSON Lines", what }.into()
}

struct Fields<'a> {
    take: &'a mut dyn FnMut(&str, &str) -> bool,
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a node's fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
            if !(self.take)(&name, value.get()) {
                return Err(A::Error::custom("a field cannot be used"));
            }
        }
        Ok(())
    }
}

/// A field's name, borrowed if it has no escapes.
struct Name<'a>(std::borrow::Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct NameVisitor;
        impl<'de> Visitor<'de> for NameVisitor {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field's name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> std::result::Result<Self::Value, E> {
                Ok(Name(text.into()))
            }
            fn visit_str<E>(self, text: &str) -> std::result::Result<Self::Value, E> {
                Ok(Name(text.to_owned().into()))
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

/// The lines of a file that are not blank.
pub(super) struct Lines {
    source: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    number: u64,
    bytes_read: u64,
    bytes: u64,
}

impl Lines {
    pub(super) fn open(input: &Input, bytes: u64) -> Result<Self> {
        let source = BufReader::new(input.open()?);
        Ok(Self { source, line: Vec::new(), number: 0, bytes_read: 0, bytes })
    }

    pub(super) fn next(&mut self, step: Step<'_>) -> Result<Option<(&[u8], RowPlace)>> {
        loop {
            self.line.clear();
            let limited = &mut self.source.by_ref().take(LINE_BYTES_MAX as u64);
            let read = limited.read_until(b'\n', &mut self.line)?;
            if read == 0 {
                return Ok(None);
            }
            self.bytes_read += read as u64;
            self.number += 1;
            if read == LINE_BYTES_MAX {
                return Err(Error::new(ErrorKind::LineTooLong).at(RowPlace::Line(self.number)));
            }
            if self.number.is_multiple_of(CHUNK_ROWS as u64) {
                step(self.bytes_read, self.bytes)?;
            }
            self.line.truncate(self.line.trim_ascii_end().len());
            let start = if self.number == 1 { check_encoding(&self.line)? } else { 0 };
            if self.line.len() > start {
                return Ok(Some((&self.line[start..], RowPlace::Line(self.number))));
            }
        }
    }
}
