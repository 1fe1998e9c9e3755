//! The records of a CSV file, read strictly by RFC 4180.
//!
//! ```text
//! 1,0,e4          a field ends at a comma or at the line's end: LF, CR LF, or CR where the first line ends in CR
//! 2,0,"a ""b"",   in quotes, commas and line ends are text, and a quote is doubled
//! c"
//! ```
//!
//! A quote anywhere else is rejected with the line where it opens, because any interpretation of it may swallow rows.
//! Empty lines are skipped.
//!
//! **Invariant:** a record takes at most [`super::lexer::RECORD_BYTES_MAX`], for any file.

use std::io::{BufRead, BufReader, Read};

use super::lexer::{Ended, Lexer};
use super::record::Record;
use crate::import::input::Input;
use crate::import::text::{LINE_BYTES_MAX, check_encoding};
use crate::{Error, ErrorKind, Result, RowPlace};

/// A file's records, including the line of names.
pub(super) struct Records {
    source: BufReader<Box<dyn Read>>,
    lexer: Lexer,
    bytes_read: u64,
}

impl Records {
    /// Opens a file and reads the comments at its top; below these, a line that starts with # is a row.
    pub(super) fn open(
        input: &Input,
        comment: &mut dyn FnMut(&[u8], RowPlace) -> Result<()>,
    ) -> Result<Self> {
        let mut source = BufReader::with_capacity(1 << 17, input.open()?);
        let mark_bytes = check_encoding(source.fill_buf()?)?;
        source.consume(mark_bytes);
        let (mut line, mut bytes_read) = (1, mark_bytes as u64);
        let mut text = Vec::new();
        while source.fill_buf()?.first() == Some(&b'#') {
            text.clear();
            bytes_read += source.by_ref().take(LINE_BYTES_MAX as u64).read_until(b'\n', &mut text)? as u64;
            if text.len() == LINE_BYTES_MAX {
                return Err(Error::new(ErrorKind::LineTooLong).at(RowPlace::Line(line)));
            }
            comment(&text[1..], RowPlace::Line(line))?;
            line += 1;
        }
        Ok(Self { source, lexer: Lexer::new(line), bytes_read })
    }

    /// Reads the next record, if there is one.
    pub(super) fn next(&mut self, record: &mut Record) -> Result<bool> {
        self.lexer.begin(record);
        loop {
            let bytes = self.source.fill_buf()?;
            if bytes.is_empty() {
                return self.lexer.end_of_file(record);
            }
            let (taken, ended) = self.lexer.take(bytes, record)?;
            self.source.consume(taken);
            self.bytes_read += taken as u64;
            if ended == Ended::Record {
                return self.end_line().map(|()| true);
            }
        }
    }

    /// Takes the LF of a CR LF.
    fn end_line(&mut self) -> Result<()> {
        if self.lexer.waits_after_cr()
            && let Some(&byte) = self.source.fill_buf()?.first()
        {
            let taken = self.lexer.after_cr(byte)?;
            self.source.consume(taken);
            self.bytes_read += taken as u64;
        }
        Ok(())
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes_read
    }
}
