//! The columns of a block: fetched, checked, decompressed, decoded.

use super::assemble::{Block, Body};
use super::limits::Limits;
use super::plies::plies;
use super::source::Source;
use super::texts::Texts;
use crate::columns::{
    Asked, DECODED_FOR_ONE_MAX, Decoded, Encoding, Memory, Run, RunBytes, RunContext, Scratch, Selected,
    missing,
};
use crate::error::{At, Error, Place, Result};
use crate::format::{Column, status};
use crate::wire::{Malformed, Newer, Reader, TooLarge, Unreadable, Wire};

/// A block and everything that is needed to read it.
#[derive(Clone, Copy)]
pub(super) struct BlockReader<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) block: &'a Block,
    /// Whether the column with a number is a text attribute.
    pub(super) is_text: &'a dyn Fn(usize) -> bool,
    pub(super) tree: u32,
    pub(super) number: usize,
    pub(super) limits: Limits,
}

/// The parts of a column's bytes.
struct ColumnBytes<'b> {
    /// The rows that lack the value, if the column stores them.
    missing: Option<Vec<u64>>,
    /// For a text column its texts, then the run.
    rest: Reader<'b>,
}

impl BlockReader<'_> {
    pub(super) fn decode(&self, column: usize, scratch: &mut Scratch) -> Result<Decoded> {
        self.decode_with(column, scratch, &mut Context::new(self))
    }

    fn decode_with(
        &self,
        column: usize,
        scratch: &mut Scratch,
        context: &mut Context<'_>,
    ) -> Result<Decoded> {
        self.decode_all(column, scratch, context).map(|(_, decoded)| decoded)
    }

    fn decode_all(
        &self,
        column: usize,
        scratch: &mut Scratch,
        context: &mut Context<'_>,
    ) -> Result<(Texts, Decoded)> {
        let bytes = self.run(column, &mut scratch.bytes)?;
        self.decode_run(bytes, column, context, &mut scratch.memory).at(self.place(column))
    }

    /// Sets the bits of the rows that pass, in words that are all zero.
    pub(super) fn select(
        &self,
        column: usize,
        asked: Asked<'_>,
        scratch: &mut Scratch,
        words: &mut [u64],
    ) -> Result<Selected> {
        let head = &self.block.head.columns[column];
        if head.stored_bytes == 0 || (self.is_text)(column) {
            return self.decode(column, scratch).map(Selected::Decoded);
        }
        let bytes = self.run(column, &mut scratch.bytes)?;
        let bytes = self.take_apart(bytes, column).at(self.place(column))?.rest.rest();
        let (place, context) = ((column, self.rows()), &mut Context::new(self));
        Run::select(bytes, place, asked, words, context, &mut scratch.memory).at(self.place(column))
    }

    /// The rows that lack the value, as bits; `None` if all rows have it.
    pub(super) fn missing(&self, column: usize, scratch: &mut Scratch) -> Result<Option<Vec<u64>>> {
        let head = &self.block.head.columns[column];
        if !head.missing {
            return Ok(None);
        }
        if self.block.missing_by_status {
            return self.unfinished(scratch);
        }
        if head.stored_bytes == 0 {
            let mut all = missing::bitmap(self.rows());
            (0..self.rows()).for_each(|row| missing::set(&mut all, row));
            return Ok(Some(all));
        }
        let bytes = self.run(column, &mut scratch.bytes)?;
        Ok(self.take_apart(bytes, column).at(self.place(column))?.missing)
    }

    fn unfinished(&self, scratch: &mut Scratch) -> Result<Option<Vec<u64>>> {
        let bits = self.decode(Column::Status.number(), scratch)?;
        let mut found = None;
        for row in 0..self.rows() {
            if bits.get(row) & i64::from(status::UNFINISHED) != 0 {
                missing::set(found.get_or_insert_with(|| missing::bitmap(self.rows())), row);
            }
        }
        scratch.recycle(bits);
        Ok(found)
    }

    /// The texts of a text column, and the place of each row's text among them.
    pub(super) fn texts(&self, column: usize, scratch: &mut Scratch) -> Result<(Texts, Decoded)> {
        self.decode_all(column, scratch, &mut Context::new(self))
    }

    pub(super) fn plies(&self) -> Result<Vec<i64>> {
        let sizes = self.decode(Column::Size.number(), &mut Scratch::default())?.widened(self.rows());
        plies(&self.block.head, &sizes).at(self.place(Column::Size.number()))
    }

    pub(super) fn encoding(&self, column: usize) -> Result<Encoding> {
        let head = &self.block.head.columns[column];
        if head.stored_bytes == 0 {
            return Ok(Encoding::CONSTANT);
        }
        let mut scratch = Scratch::default();
        let bytes = self.run(column, &mut scratch.bytes)?;
        let mut reader = self.take_apart(bytes, column).at(self.place(column))?.rest;
        if (self.is_text)(column) {
            let _texts = Texts::read(&mut reader, self.rows()).at(self.place(column))?;
        }
        let mut encoding = Run::encoding(reader.rest(), column).at(self.place(column))?;
        encoding.compressed = head.compressed_from.is_some();
        Ok(encoding)
    }

    fn rows(&self) -> usize {
        self.block.head.rows as usize
    }

    fn place(&self, column: usize) -> Place {
        Place::Column { tree: self.tree, block: self.number, column }
    }

    /// Fetches the bytes of a column, checks and decompresses them.
    fn run<'b>(&self, column: usize, bytes: &'b mut RunBytes) -> Result<&'b [u8]> {
        let head = &self.block.head.columns[column];
        let before: u64 = self.block.head.columns[..column].iter().map(|c| c.stored_bytes).sum();
        let length = head.stored_bytes as usize;
        let claimed = head.stored_bytes.max(head.compressed_from.unwrap_or(0));
        if claimed > self.limits.part_bytes_max {
            return Err(TooLarge(claimed)).at(self.place(column));
        }
        let RunBytes { stored, raw } = bytes;
        if stored.len() < length {
            stored.resize(length, 0);
        }
        let stored = &mut stored[..length];
        match &self.block.body {
            Body::File { offset } => self.source.read_at(offset + before, stored)?,
            Body::Memory(body) => {
                let body = body.get(before as usize..before as usize + length);
                stored.copy_from_slice(body.ok_or(Malformed("it ends too early")).at(self.place(column))?);
            }
        }
        if length > 0 && crc32c::crc32c(stored) != head.checksum {
            return Err(Malformed("its checksum does not fit")).at(self.place(column));
        }
        match head.compressed_from {
            None => Ok(stored),
            Some(length) => {
                decompress(stored, length as usize, raw).at(self.place(column))?;
                Ok(raw)
            }
        }
    }

    /// Decodes the values of a column, and its texts if the values are places of texts.
    fn decode_run(
        &self,
        bytes: &[u8],
        column: usize,
        context: &mut Context<'_>,
        memory: &mut Memory,
    ) -> Wire<(Texts, Decoded)> {
        let head = &self.block.head.columns[column];
        if head.stored_bytes == 0 {
            let lacks_all = head.missing && !self.block.missing_by_status;
            return match (self.is_text)(column) {
                true if !lacks_all => Err(Malformed("it has no texts")),
                _ => Ok((Texts::default(), Decoded::Constant(head.min))),
            };
        }
        let mut reader = self.take_apart(bytes, column)?.rest;
        let is_text = (self.is_text)(column);
        let texts = if is_text { Texts::read(&mut reader, self.rows())? } else { Texts::default() };
        let decoded = Run::decode(reader.rest(), column, self.rows(), context, memory)?;
        if is_text && !decoded.is_below(texts.len() as u64) {
            return Err(Malformed("a text's number is not in its dictionary"));
        }
        Ok((texts, decoded))
    }

    fn take_apart<'b>(&self, bytes: &'b [u8], column: usize) -> Wire<ColumnBytes<'b>> {
        let mut rest = Reader::new(bytes);
        let stored = self.block.head.columns[column].missing && !self.block.missing_by_status;
        let missing = if stored { Some(missing::read(&mut rest, self.rows())?) } else { None };
        Ok(ColumnBytes { missing, rest })
    }
}

/// A block, for decoding a column that needs other columns.
struct Context<'a> {
    block: &'a BlockReader<'a>,
    /// How many more columns may be decoded for this column.
    left: usize,
}

impl<'a> Context<'a> {
    fn new(block: &'a BlockReader<'a>) -> Self {
        Self { block, left: DECODED_FOR_ONE_MAX }
    }
}

impl RunContext for Context<'_> {
    fn column(&mut self, number: usize) -> Wire<Vec<i64>> {
        let block = self.block;
        if number >= block.block.head.columns.len() {
            return Err(Malformed("it needs a column that there is not"));
        }
        let left = self.left.checked_sub(1);
        self.left = left.ok_or(Malformed("its columns need each other"))?;
        let decoded = block
            .decode_with(number, &mut Scratch::default(), self)
            .map_err(|error| because(&error, "a column that it needs is damaged"))?;
        Ok(decoded.widened(block.rows()))
    }

    fn plies(&mut self) -> Wire<Vec<i64>> {
        self.block.plies().map_err(|error| because(&error, "the sizes that give the plies are damaged"))
    }
}

/// The reason why a column cannot be read if a column that it depends on gave this error.
fn because(error: &Error, damaged: &'static str) -> Unreadable {
    match error {
        Error::NewerPart { what, .. } => Newer(what),
        Error::TooLarge { bytes, .. } => TooLarge(*bytes),
        _ => Malformed(damaged),
    }
}

fn decompress(bytes: &[u8], length: usize, raw: &mut Vec<u8>) -> Wire<()> {
    raw.resize(length, 0);
    match zstd::bulk::decompress_to_buffer(bytes, raw.as_mut_slice()) {
        Ok(written) if written == length => Ok(()),
        _ => Err(Malformed("it cannot be decompressed")),
    }
}
