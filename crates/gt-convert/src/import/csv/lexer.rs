//! Splits bytes into fields, one record at a time, for any buffering of the bytes.
//!
//! ```text
//!             ┌──────── , ────────┐
//!             ▼                   │
//!  ──▶ FieldStart ─ other ─▶ Plain┤
//!         │ "                     ├─ line end ─▶ the record is whole
//!         ▼       "               │
//!       Quoted ◀─────▶ QuoteSeen ─┘
//! ```

use super::record::{FieldEnd, Record};
use crate::{Error, ErrorKind, Result, RowPlace};

/// The maximum length of a record: twice that of 256 texts of the maximum length.
pub(super) const RECORD_BYTES_MAX: usize = 1 << 25;
/// The number of fields above which reading stops: no table has more.
const FIELDS_MAX: usize = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: the closing one, or the first of two.
    QuoteSeen,
}

/// Whether the bytes taken ended a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Record,
    Nothing,
}

pub(super) struct Lexer {
    state: State,
    /// The line of the next byte.
    line: u64,
    /// The line in which the last quote opened.
    quote_line: u64,
    /// Whether the last line ended in a CR, which an LF may follow.
    cr_seen: bool,
    /// Whether lines end in a lone CR; unknown before the end of the first line.
    lone_cr: Option<bool>,
}

impl Lexer {
    pub(super) fn new(line: u64) -> Self {
        Self { state: State::FieldStart, line, quote_line: line, cr_seen: false, lone_cr: None }
    }

    /// Begins a record.
    pub(super) fn begin(&mut self, record: &mut Record) {
        record.bytes.clear();
        record.ends.clear();
        record.line = self.line;
        self.state = State::FieldStart;
    }

    /// Takes bytes up to the record's end, and returns their number.
    pub(super) fn take(&mut self, bytes: &[u8], record: &mut Record) -> Result<(usize, Ended)> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.cr_seen {
                at += self.after_cr(byte)?;
                continue;
            }
            match (self.state, byte) {
                (State::Quoted, _) => {
                    at += self.take_quoted(&bytes[at..], record);
                }
                (State::FieldStart, b'"') => {
                    (self.state, self.quote_line) = (State::Quoted, self.line);
                    at += 1;
                }
                (State::QuoteSeen, b'"') => {
                    record.bytes.push(b'"');
                    self.state = State::Quoted;
                    at += 1;
                }
                (_, b',') => {
                    self.end_field(record)?;
                    at += 1;
                }
                (_, b'\n' | b'\r') => {
                    at += 1;
                    let is_blank = self.state == State::FieldStart && record.ends.is_empty();
                    self.end_line(byte);
                    if !is_blank {
                        self.end_field(record)?;
                        return Ok((at, Ended::Record));
                    }
                    record.line = self.line;
                }
                (State::QuoteSeen, _) => return Err(self.after_quote()),
                (State::FieldStart | State::Plain, _) => at += self.take_plain(&bytes[at..], record)?,
            }
            if record.bytes.len() > RECORD_BYTES_MAX {
                return Err(self.too_long());
            }
        }
        Ok((at, Ended::Nothing))
    }

    /// Ends the last record of a file whose last line has no end; returns whether there is one.
    pub(super) fn end_of_file(&mut self, record: &mut Record) -> Result<bool> {
        match self.state {
            State::Quoted => Err(broken(
                "a quote opens here and never closes; close it, or double it if it is part of a text",
                self.quote_line,
            )),
            State::FieldStart if record.ends.is_empty() => Ok(false),
            State::FieldStart | State::Plain | State::QuoteSeen => self.end_field(record).map(|()| true),
        }
    }

    /// Takes text up to the next quote.
    fn take_quoted(&mut self, bytes: &[u8], record: &mut Record) -> usize {
        let text = bytes.iter().position(|&byte| byte == b'"').unwrap_or(bytes.len());
        record.bytes.extend_from_slice(&bytes[..text]);
        let line_end = if self.lone_cr == Some(true) { b'\r' } else { b'\n' };
        self.line += bytes[..text].iter().filter(|&&byte| byte == line_end).count() as u64;
        if text == bytes.len() {
            return text;
        }
        self.state = State::QuoteSeen;
        text + 1
    }

    /// Takes text up to the next special byte.
    fn take_plain(&mut self, bytes: &[u8], record: &mut Record) -> Result<usize> {
        let has_meaning = |&byte: &u8| matches!(byte, b',' | b'\n' | b'\r' | b'"' | 0);
        let text = bytes.iter().position(has_meaning).unwrap_or(bytes.len());
        let start = record.ends.last().map_or(0, |field| field.end);
        record.bytes.extend_from_slice(&bytes[..text]);
        self.state = State::Plain;
        match bytes.get(text) {
            Some(0) => Err(broken(
                "there is a NUL byte outside of quotes; if this is UTF-16 text, save it as UTF-8",
                self.line,
            )),
            Some(b'"') if record.bytes[start..].iter().all(u8::is_ascii_whitespace) => {
                Err(broken("there is a space before a quote; take it out", self.line))
            }
            Some(b'"') => Err(broken(
                "there is a quote in a field without quotes; put the field in quotes, and the quote in it twice",
                self.line,
            )),
            _ => Ok(text),
        }
    }

    fn end_field(&mut self, record: &mut Record) -> Result<()> {
        if record.ends.len() == FIELDS_MAX {
            return Err(broken("the line has more than 65536 fields", record.line));
        }
        record.ends.push(FieldEnd { end: record.bytes.len(), quoted: self.state == State::QuoteSeen });
        self.state = State::FieldStart;
        Ok(())
    }

    fn end_line(&mut self, byte: u8) {
        self.line += 1;
        match byte {
            b'\r' => self.cr_seen = true,
            _ => drop(self.lone_cr.get_or_insert(false)),
        }
    }

    /// Whether the next byte decides the role of the last CR.
    pub(super) fn waits_after_cr(&self) -> bool {
        self.cr_seen
    }

    /// After a CR that ended a line: takes the LF that belongs to it, or finds that the CR is alone.
    pub(super) fn after_cr(&mut self, byte: u8) -> Result<usize> {
        self.cr_seen = false;
        let stands_alone = byte != b'\n';
        if stands_alone && !*self.lone_cr.get_or_insert(true) {
            return Err(broken(
                "there is a carriage return in a field without quotes; put the field in quotes",
                self.line - 1,
            ));
        }
        self.lone_cr.get_or_insert(stands_alone);
        Ok(usize::from(!stands_alone))
    }

    fn after_quote(&self) -> Error {
        broken(
            "a quote opens here, and text follows the quote that closes it; inside of quotes, a quote is doubled",
            self.quote_line,
        )
    }

    fn too_long(&self) -> Error {
        if self.state == State::Quoted {
            let what = "a quote opens here and does not close within 32 MiB; close it, or double it if it is part of a text";
            return broken(what, self.quote_line);
        }
        broken("the line has more than 32 MiB", self.line)
    }
}

fn broken(what: &str, line: u64) -> Error {
    Error::new(ErrorKind::Broken { format: "CSV", what: what.to_owned() }).at(RowPlace::Line(line))
}
