//! Frames: the parts that follow the header, each with a checksummed head; the index and the trailer.

use crate::error::{At, Error, Place, Result};
use crate::wire::{Malformed, Reader, Wire, put_unsigned};

pub(crate) const FRAME_HEADER_BYTES: usize = 32;
pub(crate) const TRAILER_BYTES: usize = 24;

const FRAME_MAGIC: [u8; 4] = *b"GTfr";
const TRAILER_MAGIC: [u8; 8] = *b"GTF end\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    TreeBegin = 1,
    Block = 2,
    TreeEnd = 3,
    Index = 4,
    Names = 5,
    /// A kind of a newer version; it is skipped.
    Other = 255,
}

impl FrameKind {
    fn of_number(number: u8) -> Wire<Self> {
        match number {
            1 => Ok(Self::TreeBegin),
            2 => Ok(Self::Block),
            3 => Ok(Self::TreeEnd),
            4 => Ok(Self::Index),
            5 => Ok(Self::Names),
            0 => Err(Malformed("it is of no kind")),
            _ => Ok(Self::Other),
        }
    }
}

/// A decoded frame header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) tree: u32,
    pub(crate) head_bytes: u32,
    pub(crate) body_bytes: u64,
    pub(crate) head_checksum: u32,
}

impl Frame {
    pub(crate) fn read(bytes: &[u8; FRAME_HEADER_BYTES]) -> Wire<Self> {
        if bytes[..4] != FRAME_MAGIC {
            return Err(Malformed("no part of a log starts here"));
        }
        if crc32c::crc32c(&bytes[..28]).to_le_bytes() != bytes[28..] {
            return Err(Malformed("its checksum does not fit"));
        }
        let mut reader = Reader::new(&bytes[4..]);
        let kind = FrameKind::of_number(reader.u8()?)?;
        reader.bytes(3)?;
        Ok(Self {
            kind,
            tree: reader.u32()?,
            head_bytes: reader.u32()?,
            body_bytes: reader.u64()?,
            head_checksum: reader.u32()?,
        })
    }

    /// The frame's length in the file; `None` if it exceeds any file.
    pub(crate) fn bytes(&self) -> Option<u64> {
        (FRAME_HEADER_BYTES as u64 + u64::from(self.head_bytes)).checked_add(self.body_bytes)
    }
}

/// Makes a whole frame, ready to be appended.
pub(crate) fn frame_bytes(kind: FrameKind, tree: u32, head: &[u8], body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FRAME_HEADER_BYTES + head.len() + body.len());
    bytes.extend_from_slice(&FRAME_MAGIC);
    bytes.extend_from_slice(&[kind as u8, 0, 0, 0]);
    bytes.extend_from_slice(&tree.to_le_bytes());
    bytes.extend_from_slice(&(head.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(head).to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
    bytes.extend_from_slice(head);
    bytes.extend_from_slice(body);
    bytes
}

/// A frame as the index lists it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexEntry<'a> {
    pub(crate) kind: FrameKind,
    pub(crate) tree: u32,
    pub(crate) offset: u64,
    pub(crate) body_bytes: u64,
    pub(crate) head: &'a [u8],
}

/// Appends a frame to the bytes of an index.
pub(crate) fn put_index_entry(index: &mut Vec<u8>, entry: IndexEntry<'_>) {
    index.push(entry.kind as u8);
    put_unsigned(index, u64::from(entry.tree));
    put_unsigned(index, entry.offset);
    put_unsigned(index, entry.body_bytes);
    put_unsigned(index, entry.head.len() as u64);
    index.extend_from_slice(entry.head);
}

/// What the index says about a frame, before the frame's head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexEntryStart {
    pub(crate) kind: FrameKind,
    pub(crate) tree: u32,
    pub(crate) offset: u64,
    pub(crate) body_bytes: u64,
    pub(crate) head_bytes: u64,
}

/// The maximum number of bytes of an [`IndexEntryStart`].
pub(crate) const INDEX_ENTRY_START_BYTES_MAX: usize = 1 + 4 * 10;

pub(crate) fn read_index_entry_start(reader: &mut Reader<'_>) -> Wire<IndexEntryStart> {
    let kind = FrameKind::of_number(reader.u8()?)?;
    let tree = u32::try_from(reader.unsigned()?).map_err(|_| Malformed("a tree's number is too large"))?;
    let (offset, body_bytes) = (reader.unsigned()?, reader.unsigned()?);
    Ok(IndexEntryStart { kind, tree, offset, body_bytes, head_bytes: reader.unsigned()? })
}

/// The last bytes of the file: where the index is, and the checksum of its body.
pub(crate) fn trailer_bytes(index_offset: u64, index_checksum: u32) -> [u8; TRAILER_BYTES] {
    let mut bytes = [0; TRAILER_BYTES];
    bytes[..8].copy_from_slice(&index_offset.to_le_bytes());
    bytes[8..12].copy_from_slice(&index_checksum.to_le_bytes());
    let checksum = crc32c::crc32c(&bytes[..12]);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes[16..].copy_from_slice(&TRAILER_MAGIC);
    bytes
}

/// The place and the checksum of the index, if these bytes are a trailer.
pub(crate) fn read_trailer(bytes: &[u8; TRAILER_BYTES]) -> Result<Option<(u64, u32)>> {
    if bytes[16..] != TRAILER_MAGIC {
        return Ok(None);
    }
    if crc32c::crc32c(&bytes[..12]).to_le_bytes() != bytes[12..16] {
        return Err(Error::Damaged { place: Place::Index, what: "its checksum does not fit" });
    }
    let mut reader = Reader::new(bytes);
    let offset = reader.u64().at(Place::Index)?;
    Ok(Some((offset, reader.u32().at(Place::Index)?)))
}

const _: () = assert!(FRAME_HEADER_BYTES == 4 + 1 + 3 + 4 + 4 + 8 + 4 + 4);
const _: () = assert!(TRAILER_BYTES == 8 + 4 + 4 + 8);
