//! Finds the parts of a file: from its index, or by following its frames if there is none.

use std::collections::HashMap;
use std::sync::Arc;

use super::assemble::{Assembly, Part, TreeParts};
use super::condition::{Condition, IndexState};
use super::frames::Frames;
use super::index::IndexReader;
use super::limits::Limits;
use super::source::{Source, read_vec};
use crate::error::{Error, Place, Result};
use crate::format::{FIXED_HEADER_BYTES, FRAME_HEADER_BYTES, FrameKind, MAGIC, TRAILER_BYTES, read_trailer};
use crate::{Header, Schema};

/// A log's source, and what its heads say.
pub(crate) struct Opened {
    pub(super) source: Arc<dyn Source>,
    /// The offset of the first part, in bytes.
    pub(super) start: u64,
    /// The minor version of its format.
    pub(super) minor: u16,
    pub(super) limits: Limits,
    pub(super) header: Header,
    pub(super) trees: Vec<TreeParts>,
    pub(super) names: HashMap<i64, String>,
    pub(super) condition: Condition,
}

pub(super) fn open(source: Arc<dyn Source>, limits: Limits) -> Result<Opened> {
    let bytes = source.bytes()?;
    let (header, minor, start) = read_header(&*source, bytes)?;
    let mut index = IndexState::Present;
    match from_index(&*source, bytes, Assembly::new(&header.schema, minor), limits) {
        Ok(Some(assembly)) if assembly.is_sound() => {
            let parts = assembly.finish();
            let condition = Condition { index, bytes, bytes_lost: 0, parts_lost: 0, trees: parts.endings };
            let (trees, names) = (parts.trees, parts.names);
            return Ok(Opened { source, start, minor, limits, header, trees, names, condition });
        }
        Ok(None) => index = IndexState::Missing,
        Ok(Some(_)) | Err(Error::Damaged { .. }) => index = IndexState::Damaged,
        Err(error) => return Err(error),
    }
    let (assembly, bytes_lost) = scan(&*source, (start, bytes), &header.schema, minor, limits)?;
    let parts = assembly.finish();
    let condition = Condition { index, bytes, bytes_lost, parts_lost: parts.lost, trees: parts.endings };
    let (trees, names) = (parts.trees, parts.names);
    Ok(Opened { source, start, minor, limits, header, trees, names, condition })
}

/// Reads the header; returns it with its minor version and the place of the first part.
fn read_header(source: &dyn Source, bytes: u64) -> Result<(Header, u16, u64)> {
    let mut fixed = [0; FIXED_HEADER_BYTES];
    let there = bytes.min(FIXED_HEADER_BYTES as u64) as usize;
    source.read_at(0, &mut fixed[..there])?;
    if there < FIXED_HEADER_BYTES {
        let known = there.min(MAGIC.len());
        let starts_right = there > 0 && fixed[..known] == MAGIC[..known];
        return Err(if starts_right { Error::HeaderCut } else { Error::NotALog });
    }
    let (minor, length) = Header::read_fixed(&fixed)?;
    let start = FIXED_HEADER_BYTES as u64 + length;
    if start > bytes {
        return Err(Error::HeaderCut);
    }
    let payload = read_vec(source, FIXED_HEADER_BYTES as u64, length as usize)?;
    Ok((Header::read(&fixed, &payload)?, minor, start))
}

/// The parts as the index lists them; `None` if there is no index.
fn from_index<'s>(
    source: &dyn Source,
    bytes: u64,
    mut assembly: Assembly<'s>,
    limits: Limits,
) -> Result<Option<Assembly<'s>>> {
    let Some(trailer_start) = bytes.checked_sub(TRAILER_BYTES as u64) else { return Ok(None) };
    let mut trailer = [0; TRAILER_BYTES];
    source.read_at(trailer_start, &mut trailer)?;
    let Some((offset, checksum)) = read_trailer(&trailer)? else { return Ok(None) };

    let damaged = |what| Error::Damaged { place: Place::Index, what };
    let length = trailer_start
        .checked_sub(offset)
        .and_then(|length| length.checked_sub(FRAME_HEADER_BYTES as u64))
        .ok_or(damaged("it starts after its end"))?;
    let mut index = IndexReader::new(source, offset + FRAME_HEADER_BYTES as u64, length, limits);
    while let Some((entry, head)) = index.next()? {
        let body = FRAME_HEADER_BYTES as u64 + entry.head_bytes;
        let body_offset = entry.offset.checked_add(body).ok_or(damaged("a part is beyond the file"))?;
        if body_offset.checked_add(entry.body_bytes).is_none_or(|end| end > offset) {
            return Err(damaged("a part is beyond the file"));
        }
        assembly.add(Part { kind: entry.kind, tree: entry.tree, head, body_offset }, entry.body_bytes);
    }
    if index.checksum() != checksum {
        return Err(damaged("its checksum does not fit"));
    }
    Ok(Some(assembly))
}

/// The parts as they follow each other in the file, and the number of bytes that belong to none.
pub(super) fn scan<'s>(
    source: &dyn Source,
    (start, bytes): (u64, u64),
    schema: &'s Schema,
    minor: u16,
    limits: Limits,
) -> Result<(Assembly<'s>, u64)> {
    let mut assembly = Assembly::new(schema, minor);
    let mut frames = Frames::new(source, bytes, limits);
    let mut offset = start;
    let mut bytes_lost = 0;
    while offset < bytes {
        match frames.at(offset)? {
            Some((frame, head, next)) => {
                if frame.kind == FrameKind::Index {
                    // Only the trailer can follow the index.
                    break;
                }
                let body_offset = offset + FRAME_HEADER_BYTES as u64 + head.len() as u64;
                let part = Part { kind: frame.kind, tree: frame.tree, head: &head, body_offset };
                assembly.add(part, frame.body_bytes);
                offset = next;
            }
            None => {
                let next = frames.next_after(offset)?.unwrap_or(bytes);
                bytes_lost += next - offset;
                offset = next;
            }
        }
    }
    Ok((assembly, bytes_lost))
}
