//! A block's columns: fetched, checked, decompressed, decoded.

use super::assemble::{Block, Body};
use super::plies::plies;
use super::source::Source;
use crate::columns::{Decoded, Encoding, Memory, Question, Run, RunBytes, RunContext, Scratch, Selected};
use crate::error::{At, Place, Result};
use crate::format::Column;
use crate::wire::{Malformed, Reader, Wire};

/// A block with the means to read it.
#[derive(Clone, Copy)]
pub(super) struct BlockReader<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) block: &'a Block,
    /// Which attributes are texts, by column number.
    pub(super) is_text: &'a dyn Fn(usize) -> bool,
    pub(super) tree: u32,
    pub(super) number: usize,
}

impl BlockReader<'_> {
    pub(super) fn decode(&self, column: usize, scratch: &mut Scratch) -> Result<Decoded> {
        let bytes = self.run(column, &mut scratch.bytes)?;
        self.decode_run(bytes, column, &mut scratch.memory).at(self.place(column))
    }

    /// Sets the bits of the rows that pass, in words that are all zero.
    pub(super) fn select(
        &self,
        column: usize,
        question: Question,
        scratch: &mut Scratch,
        words: &mut [u64],
    ) -> Result<Selected> {
        let head = &self.block.head.columns[column];
        if head.stored_bytes == 0 || (self.is_text)(column) {
            return self.decode(column, scratch).map(Selected::Decoded);
        }
        let bytes = self.run(column, &mut scratch.bytes)?;
        let (place, context) = ((column, self.rows()), &mut Context(self));
        Run::select(bytes, place, question, words, context, &mut scratch.memory).at(self.place(column))
    }

    /// The texts of a text column, and each row's place among them.
    pub(super) fn texts(&self, column: usize) -> Result<(Vec<String>, Decoded)> {
        let place = self.place(column);
        if self.rows() == 0 {
            return Ok((Vec::new(), Decoded::Constant(0)));
        }
        let mut scratch = Scratch::default();
        let bytes = self.run(column, &mut scratch.bytes)?;
        let mut reader = Reader::new(bytes);
        let texts = read_texts(&mut reader).at(place)?;
        let codes = self.decode_run(bytes, column, &mut scratch.memory).at(place)?;
        Ok((texts, codes))
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
        let mut reader = Reader::new(self.run(column, &mut scratch.bytes)?);
        if (self.is_text)(column) {
            read_texts(&mut reader).at(self.place(column))?;
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

    /// The bytes of a column, checked and decompressed.
    fn run<'b>(&self, column: usize, bytes: &'b mut RunBytes) -> Result<&'b [u8]> {
        let head = &self.block.head.columns[column];
        let before: u64 = self.block.head.columns[..column].iter().map(|c| c.stored_bytes).sum();
        let length = head.stored_bytes as usize;
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

    fn decode_run(&self, bytes: &[u8], column: usize, memory: &mut Memory) -> Wire<Decoded> {
        let head = &self.block.head.columns[column];
        if head.stored_bytes == 0 {
            return Ok(Decoded::Constant(head.min));
        }
        let mut reader = Reader::new(bytes);
        let mut texts = u64::MAX;
        if (self.is_text)(column) {
            texts = read_texts(&mut reader)?.len() as u64;
        }
        let decoded = Run::decode(reader.rest(), column, self.rows(), &mut Context(self), memory)?;
        if texts != u64::MAX && !all_below(&decoded, texts) {
            return Err(Malformed("a text's number is not in its dictionary"));
        }
        Ok(decoded)
    }
}

struct Context<'a>(&'a BlockReader<'a>);

impl RunContext for Context<'_> {
    fn column(&mut self, number: usize) -> Wire<Vec<i64>> {
        let decoded = self
            .0
            .decode(number, &mut Scratch::default())
            .map_err(|_| Malformed("the column it is relative to is damaged"))?;
        Ok(decoded.widened(self.0.rows()))
    }

    fn plies(&mut self) -> Wire<Vec<i64>> {
        self.0.plies().map_err(|_| Malformed("the sizes that give the plies are damaged"))
    }
}

fn read_texts(reader: &mut Reader<'_>) -> Wire<Vec<String>> {
    let count = reader.count()?;
    (0..count).map(|_| reader.text().map(str::to_owned)).collect()
}

fn decompress(bytes: &[u8], length: usize, raw: &mut Vec<u8>) -> Wire<()> {
    raw.resize(length, 0);
    match zstd::bulk::decompress_to_buffer(bytes, raw.as_mut_slice()) {
        Ok(written) if written == length => Ok(()),
        _ => Err(Malformed("it cannot be decompressed")),
    }
}

fn all_below(decoded: &Decoded, limit: u64) -> bool {
    match decoded {
        Decoded::Constant(code) => (*code as u64) < limit,
        Decoded::Offsets { base, lanes } => {
            (0..lanes.len()).all(|row| (base.wrapping_add(lanes.get(row) as i64) as u64) < limit)
        }
        Decoded::Dictionary { values, .. } | Decoded::Wide(values) => {
            values.iter().all(|&code| (code as u64) < limit)
        }
    }
}
