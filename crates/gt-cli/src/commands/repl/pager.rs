//! Long answers, a screen at a time: through `$PAGER` where that is set, or else by our own means.
//!
//! ```text
//! node_id  best
//!       0     4
//! -- 311 more lines: Space goes on, Enter by a line, q stops --     replaced by the lines that follow
//! ```
//!
//! The screen is measured anew at each key, so that it may change its size at any time.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::terminal::{Key, Keys};
use crate::signals;

/// Prints a text, in pages where it is longer than the screen.
pub(super) fn show(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let pager = || std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty());
    if Screen::now().holds(text) {
        out.write_all(text.as_bytes())?;
    } else if !pager().is_some_and(|pager| through(&pager, text)) {
        match Keys::open() {
            Some(mut keys) => more(text, out, Screen::now, || keys.next())?,
            None => out.write_all(text.as_bytes())?,
        }
    }
    out.flush()
}

/// Whether the pager could be started. That it was left before the end is no error.
fn through(pager: &str, text: &str) -> bool {
    let mut command = Command::new("sh");
    command.args(["-c", pager]).stdin(Stdio::piped());
    let Ok(mut child) = signals::deliverable(|| command.spawn()) else { return false };
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.code() != Some(127))
}

/// Prints as many rows as fit, then those that keys ask for.
fn more(
    text: &str,
    out: &mut dyn Write,
    screen: impl Fn() -> Screen,
    mut key: impl FnMut() -> Key,
) -> io::Result<()> {
    let mut rest = text;
    let mut rows = screen().page();
    loop {
        rest = print(rest, rows, screen().columns, out)?;
        let lines = rest.lines().count();
        if lines == 0 {
            return Ok(());
        }
        let things = if lines == 1 { "line" } else { "lines" };
        let prompt = format!("-- {lines} more {things}: Space goes on, Enter by a line, q stops --");
        write!(out, "{}", prompt.chars().take(screen().columns.saturating_sub(1)).collect::<String>())?;
        out.flush()?;
        let asked = key();
        write!(out, "{CLEAR_LINE}")?;
        rows = match asked {
            Key::Page => screen().page(),
            Key::Line => 1,
            Key::End => usize::MAX,
            Key::Stop => return Ok(()),
        };
    }
}

const CLEAR_LINE: &str = "\r\x1b[K";

#[derive(Clone, Copy, Debug)]
struct Screen {
    columns: usize,
    rows: usize,
}

impl Screen {
    fn now() -> Self {
        let size = terminal_size::terminal_size();
        let (columns, rows) = size.map_or((80, 24), |(columns, rows)| (columns.0.into(), rows.0.into()));
        Self { columns: columns.max(1), rows }
    }

    /// The rows of a page: one is left for the prompt.
    fn page(self) -> usize {
        self.rows.saturating_sub(1).max(1)
    }

    fn holds(self, text: &str) -> bool {
        let rows = text.lines().map(|line| line.width().div_ceil(self.columns).max(1));
        // No need to measure more lines than a screen has.
        rows.take(self.rows + 1).sum::<usize>() < self.rows
    }
}

/// Prints so many rows of the screen, leaves the cursor at the start of a row, and gives what is left.
fn print<'t>(mut text: &'t str, rows: usize, columns: usize, out: &mut dyn Write) -> io::Result<&'t str> {
    for _ in 0..rows {
        if text.is_empty() {
            break;
        }
        let line_end = text.find('\n').unwrap_or(text.len());
        let row_end = row_end(&text[..line_end], columns);
        writeln!(out, "{}", &text[..row_end])?;
        let rest = &text[row_end..];
        text = rest.strip_prefix('\n').unwrap_or(rest);
    }
    Ok(text)
}

/// How many bytes of a line fit into a row.
fn row_end(line: &str, columns: usize) -> usize {
    let mut width = 0;
    for (at, character) in line.char_indices() {
        width += character.width().unwrap_or(0);
        if width > columns && at > 0 {
            return at;
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed when these keys are struck on a screen of four rows of sixty columns; `|` for the clearing of a line.
    fn shown(text: &str, keys: &[Key]) -> String {
        let mut out = Vec::new();
        let mut keys = keys.iter();
        let screen = || Screen { columns: 60, rows: 4 };
        more(text, &mut out, screen, || *keys.next().expect("no more keys are waited for")).unwrap();
        String::from_utf8(out).unwrap().replace(CLEAR_LINE, "|")
    }

    const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n";

    fn prompt(lines: usize) -> String {
        let things = if lines == 1 { "line" } else { "lines" };
        let prompt = format!("-- {lines} more {things}: Space goes on, Enter by a line, q stops --");
        format!("{}|", &prompt[..59.min(prompt.len())])
    }

    #[test]
    fn keys_go_on_and_stop() {
        let (five, four, one) = (prompt(5), prompt(4), prompt(1));
        assert_eq!(
            shown(LINES, &[Key::Line, Key::Page, Key::Page]),
            format!("1\n2\n3\n{five}4\n{four}5\n6\n7\n{one}8\n")
        );
        assert_eq!(shown(LINES, &[Key::Stop]), format!("1\n2\n3\n{five}"));
        assert_eq!(shown(LINES, &[Key::End]), format!("1\n2\n3\n{five}4\n5\n6\n7\n8\n"));
    }

    #[test]
    fn a_long_line_takes_several_rows() {
        let long = "é".repeat(200);
        let row = "é".repeat(60);
        assert_eq!(
            shown(&format!("{long}\nb\n"), &[Key::Page]),
            format!("{row}\n{row}\n{row}\n{}{}\nb\n", prompt(2), "é".repeat(20))
        );
        let screen = Screen { columns: 60, rows: 4 };
        assert!(!screen.holds(&long));
        assert!(screen.holds("1\n2\n3\n") && !screen.holds("1\n2\n3\n4\n"));
        assert_eq!(row_end("日本語", 1), 3, "at least one character, however narrow the screen");
    }
}
