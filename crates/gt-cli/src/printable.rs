//! Text from outside, made harmless for a terminal.
//!
//! ```text
//! "a\x1b]0;owned\x07b"   is shown as   a\u{1b}]0;owned\u{7}b
//! ```
//!
//! A log, a file name or a query file can hold escape sequences that move the cursor, set the window's title or hide what
//! follows. Whatever `gt` prints for people goes through here: [`tell`](mod@crate::tell) does it for standard error, commands
//! do it for standard output. Data for programs (CSV, JSON, exports) stays exact, except that CSV on a terminal is
//! escaped too, and that JSON spells such characters `\u001b`, which means the same.
//!
//! **Invariant:** what these functions give holds no character that steers a terminal.

use std::borrow::Cow;
use std::path::Path;

use gt_report::chart::Places;
use gt_report::document::{Block, Document, Table};

/// A text as one line: line breaks are escaped too.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// A text of several lines.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

/// The name of a file.
pub(crate) fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

/// JSON that was made already: its strings may hold characters that JSON allows and terminals obey.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    // Outside of strings JSON has none of these but line breaks; inside, line breaks are escaped already.
    if !text.contains(|c| c != '\n' && steers(c)) {
        return Cow::Borrowed(text);
    }
    let spelled = |c: char| match c {
        '\n' => c.to_string(),
        c if steers(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    Cow::Owned(text.chars().map(spelled).collect())
}

/// A report for a terminal: every text in it.
pub(crate) fn document(mut document: Document) -> Document {
    make_line(&mut document.title);
    for block in &mut document.blocks {
        match block {
            Block::Heading(words) | Block::Subheading(words) | Block::Paragraph(words) => make_line(words),
            Block::List(items) => items.iter_mut().for_each(make_line),
            Block::Code(code) => *code = lines(code).into_owned(),
            Block::Numbers(numbers) => numbers.iter_mut().for_each(|(value, what)| {
                make_line(value);
                make_line(what);
            }),
            Block::Table(table) => make_table(table),
            Block::Findings(findings) => findings.iter_mut().for_each(|finding| {
                make_line(&mut finding.words);
                make_line(&mut finding.next);
            }),
            Block::Picture(picture) => {
                make_line(&mut picture.caption);
                picture.lines = lines(&picture.lines).into_owned();
            }
            Block::Chart(chart) => {
                for text in [&mut chart.title, &mut chart.meaning, &mut chart.x.name, &mut chart.y.name] {
                    make_line(text);
                }
                chart.query = lines(&chart.query).into_owned();
                if let Places::Names(names) = &mut chart.x.places {
                    names.iter_mut().for_each(make_line);
                }
                chart.series.iter_mut().for_each(|series| make_line(&mut series.name));
            }
        }
    }
    document
}

fn make_table(table: &mut Table) {
    table.columns.iter_mut().for_each(|(heading, _)| make_line(heading));
    table.rows.iter_mut().flatten().for_each(make_line);
    make_line(&mut table.note);
    table.query = lines(&table.query).into_owned();
}

fn make_line(text: &mut String) {
    if let Cow::Owned(escaped) = line(text) {
        *text = escaped;
    }
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_escaped = |c: char| steers(c) && !is_kept(c);
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Whether a terminal obeys the character instead of showing it: the control characters of ASCII and of Latin-1, line
/// separators, and those that turn the direction of the text around.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        let cases = [
            ("plain, größer, 日本", "plain, größer, 日本"),
            ("\x1b[2Jx", "\\u{1b}[2Jx"),
            ("bell\x07 back\x08 delete\x7f", "bell\\u{7} back\\u{8} delete\\u{7f}"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{202e}fdp.exe", "\\u{202e}fdp.exe"),
            ("two\nlines\r\tand a tab", "two\\nlines\\r\\tand a tab"),
        ];
        for (text, shown) in cases {
            assert_eq!(line(text), shown);
        }
        assert_eq!(lines("two\nlines\r\tand a tab"), "two\nlines\\r\tand a tab");
    }

    #[test]
    fn json_says_the_same_after_it() {
        let value = serde_json::json!({"a\u{9b}b": ["\x7f\u{202e}", "line\nbreak"]});
        let text = format!("{value:#}");
        let safe = json(&text);
        assert!(!safe.contains(|c| c != '\n' && steers(c)), "{safe:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }
}
