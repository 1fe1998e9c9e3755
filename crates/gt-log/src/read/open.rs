//! Finding the parts of a file: from its index, or by a scan where there is none.

use std::sync::Arc;

use super::assemble::{Assembly, Part};
use super::log::{Condition, IndexState, Log};
use super::source::{Source, read_vec};
use crate::Header;
use crate::error::{Error, Result};
use crate::format::{
    FIXED_HEADER_BYTES, FRAME_HEADER_BYTES, Frame, FrameKind, TRAILER_BYTES, read_index, read_trailer,
};
use crate::wire::Malformed;

/// How much is looked through at a time for the next whole part after damage.
const RESYNC_BYTES: usize = 1 << 16;

pub(super) fn open(source: Arc<dyn Source>) -> Result<Log> {
    let bytes = source.bytes()?;
    let (header, start) = read_header(&*source, bytes)?;
    let columns = crate::format::Column::FIXED + header.schema.attributes().len();

    let mut index = IndexState::Present;
    match from_index(&*source, bytes, columns) {
        Ok(Some(assembly)) if assembly.is_sound() => {
            let (trees, endings, parts_lost) = assembly.finish(&header.schema);
            let condition = Condition { index, bytes, bytes_lost: 0, parts_lost, trees: endings };
            return Ok(Log { source, start, header, trees, condition });
        }
        Ok(None) => index = IndexState::Missing,
        Ok(Some(_)) | Err(Error::Damaged { .. }) => index = IndexState::Damaged,
        Err(error) => return Err(error),
    }
    let (assembly, bytes_lost) = scan(&*source, start, bytes, columns)?;
    let (trees, endings, parts_lost) = assembly.finish(&header.schema);
    let condition = Condition { index, bytes, bytes_lost, parts_lost, trees: endings };
    Ok(Log { source, start, header, trees, condition })
}

fn read_header(source: &dyn Source, bytes: u64) -> Result<(Header, u64)> {
    let mut fixed = [0; FIXED_HEADER_BYTES];
    let there = bytes.min(FIXED_HEADER_BYTES as u64) as usize;
    source.read_at(0, &mut fixed[..there])?;
    if there < FIXED_HEADER_BYTES {
        let known = there.min(crate::format::MAGIC.len());
        let starts_right = there > 0 && fixed[..known] == crate::format::MAGIC[..known];
        return Err(if starts_right { Error::HeaderCut } else { Error::NotALog });
    }
    let length = Header::payload_bytes(&fixed)?;
    let start = FIXED_HEADER_BYTES as u64 + length;
    if start > bytes {
        return Err(Error::HeaderCut);
    }
    let payload = read_vec(source, FIXED_HEADER_BYTES as u64, length as usize)?;
    Ok((Header::read(&fixed, &payload)?, start))
}

/// The parts as the index lists them; nothing where there is no index.
fn from_index(source: &dyn Source, bytes: u64, columns: usize) -> Result<Option<Assembly>> {
    let Some(trailer_start) = bytes.checked_sub(TRAILER_BYTES as u64) else { return Ok(None) };
    let mut trailer = [0; TRAILER_BYTES];
    source.read_at(trailer_start, &mut trailer)?;
    let Some((offset, checksum)) = read_trailer(&trailer)? else { return Ok(None) };

    let damaged = |what| Error::Damaged { place: crate::Place::Index, what };
    let length = trailer_start
        .checked_sub(offset)
        .and_then(|length| length.checked_sub(FRAME_HEADER_BYTES as u64))
        .ok_or(damaged("it starts after its end"))?;
    let index = read_vec(source, offset + FRAME_HEADER_BYTES as u64, length as usize)?;
    if crc32c::crc32c(&index) != checksum {
        return Err(damaged("its checksum does not fit"));
    }
    let mut assembly = Assembly::new(columns);
    for entry in read_index(&index) {
        let entry = entry.map_err(|Malformed(what)| damaged(what))?;
        let body = FRAME_HEADER_BYTES as u64 + entry.head.len() as u64;
        let body_offset = entry.offset.checked_add(body).ok_or(damaged("a part is beyond the file"))?;
        if body_offset.checked_add(entry.body_bytes).is_none_or(|end| end > offset) {
            return Err(damaged("a part is beyond the file"));
        }
        let part = Part { kind: entry.kind, tree: entry.tree, head: entry.head, body_offset };
        assembly.add(part, entry.body_bytes);
    }
    Ok(Some(assembly))
}

/// The parts as they follow each other in the file, and how many bytes belong to none.
pub(super) fn scan(source: &dyn Source, start: u64, bytes: u64, columns: usize) -> Result<(Assembly, u64)> {
    let mut assembly = Assembly::new(columns);
    let mut offset = start;
    let mut bytes_lost = 0;
    while offset < bytes {
        match frame_at(source, offset, bytes)? {
            Some((frame, head, next)) => {
                if frame.kind == FrameKind::Index {
                    // Only the trailer can follow it.
                    break;
                }
                let body_offset = offset + FRAME_HEADER_BYTES as u64 + head.len() as u64;
                let part = Part { kind: frame.kind, tree: frame.tree, head: &head, body_offset };
                assembly.add(part, frame.body_bytes);
                offset = next;
            }
            None => {
                let next = next_frame(source, offset + 1, bytes)?.unwrap_or(bytes);
                bytes_lost += next - offset;
                offset = next;
            }
        }
    }
    Ok((assembly, bytes_lost))
}

/// The whole frame at this place, if one is there, and where the next one starts.
fn frame_at(source: &dyn Source, offset: u64, bytes: u64) -> Result<Option<(Frame, Vec<u8>, u64)>> {
    if bytes - offset < FRAME_HEADER_BYTES as u64 {
        return Ok(None);
    }
    let mut header = [0; FRAME_HEADER_BYTES];
    source.read_at(offset, &mut header)?;
    let Ok(frame) = Frame::read(&header) else { return Ok(None) };
    let Some(end) = frame.bytes().and_then(|length| offset.checked_add(length)).filter(|&end| end <= bytes)
    else {
        return Ok(None);
    };
    let head = read_vec(source, offset + FRAME_HEADER_BYTES as u64, frame.head_bytes as usize)?;
    if crc32c::crc32c(&head) != frame.head_checksum {
        return Ok(None);
    }
    Ok(Some((frame, head, end)))
}

/// Where the next sound frame header starts.
fn next_frame(source: &dyn Source, mut offset: u64, bytes: u64) -> Result<Option<u64>> {
    while bytes.saturating_sub(offset) >= FRAME_HEADER_BYTES as u64 {
        let window = read_vec(source, offset, (bytes - offset).min(RESYNC_BYTES as u64) as usize)?;
        for (place, header) in window.windows(FRAME_HEADER_BYTES).enumerate() {
            let mut fixed = [0; FRAME_HEADER_BYTES];
            fixed.copy_from_slice(header);
            if Frame::read(&fixed).is_ok() {
                return Ok(Some(offset + place as u64));
            }
        }
        offset += (window.len() - FRAME_HEADER_BYTES + 1) as u64;
    }
    Ok(None)
}
