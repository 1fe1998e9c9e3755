//! The capabilities of a terminal, and texts adapted to it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::palette::{LOOKS, MARKS, MARKS_ASCII, SHADES, SHADES_ASCII, TERMINAL};
use crate::chart::ChartKind;

/// The capabilities of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The columns of the terminal.
    pub width: usize,
    /// Whether it shows more than ASCII.
    pub unicode: bool,
    /// Whether it shows colours.
    pub color: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 80, unicode: true, color: false }
    }
}

impl Style {
    pub(super) fn glyph(self, kind: ChartKind, number: usize) -> char {
        let table = match (kind, self.unicode) {
            (ChartKind::Lines, true) => MARKS,
            (ChartKind::Lines, false) => MARKS_ASCII,
            (_, true) => SHADES,
            (_, false) => SHADES_ASCII,
        };
        table[number % LOOKS]
    }

    /// Text without control characters, in characters that the terminal has.
    pub(crate) fn shown(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '\n' | '\t' => out.push(' '),
                c if c.is_control() => out.push(if self.unicode { '\u{fffd}' } else { '?' }),
                c if self.unicode || c.is_ascii() => out.push(c),
                '≥' => out += ">=",
                '≤' => out += "<=",
                '×' => out.push('x'),
                'µ' => out.push('u'),
                '·' => out.push('*'),
                '–' => out.push('-'),
                '…' => out += "...",
                _ => out.push('?'),
            }
        }
        out
    }

    /// The text, or as much of it as fits, with an ellipsis.
    pub(crate) fn cut(self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_owned();
        }
        let mut out = String::new();
        for character in text.chars() {
            if out.width() + 1 + character.width().unwrap_or(0) > width {
                break;
            }
            out.push(character);
        }
        out.push(if self.unicode { '…' } else { '~' });
        out
    }

    pub(crate) fn bold(self, text: &str) -> String {
        if self.color { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(crate) fn faint(self, text: &str) -> String {
        if self.color && !text.is_empty() { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }

    pub(super) fn paint(self, text: &str, number: usize) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[38;5;{}m{text}\x1b[0m", TERMINAL[number % LOOKS])
    }
}
