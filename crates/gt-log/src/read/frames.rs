//! Follows frames without an index: reads the frame at a place, and finds where the next one starts after damage.
//!
//! ```text
//! … │ frame │ frame │ damage … GTfr │ frame │ …
//!                     └─ next_after ─▶
//! ```
//!
//! A frame header can be sound and claim a head that is not: then the head was read in vain. A crafted file can have such a header at every
//! 32 bytes, each claiming the rest of the file, so the number of bytes read in vain is limited: beyond that, the rest of the file counts
//! as damage.

use super::limits::Limits;
use super::source::{Source, read_vec};
use crate::error::{Error, Place, Result};
use crate::format::{FRAME_HEADER_BYTES, Frame};

/// How many bytes are searched at a time for the next frame header.
const WINDOW_BYTES: u64 = 1 << 16;
/// How many bytes may be read in vain: this many, plus this many times the file's length.
const VAIN_BYTES: u64 = 1 << 24;
const VAIN_LENGTHS: u64 = 4;

pub(super) struct Frames<'a> {
    source: &'a dyn Source,
    bytes: u64,
    limits: Limits,
    /// The bytes that were searched last, and where they start.
    window: Vec<u8>,
    window_start: u64,
    vain_bytes_left: u64,
}

impl<'a> Frames<'a> {
    pub(super) fn new(source: &'a dyn Source, bytes: u64, limits: Limits) -> Self {
        let vain_bytes_left = bytes.saturating_mul(VAIN_LENGTHS).saturating_add(VAIN_BYTES);
        Self { source, bytes, limits, window: Vec::new(), window_start: 0, vain_bytes_left }
    }

    /// The whole frame at this place, if there is one, with its head, and the place of the next one.
    pub(super) fn at(&mut self, offset: u64) -> Result<Option<(Frame, Vec<u8>, u64)>> {
        if self.bytes - offset < FRAME_HEADER_BYTES as u64 || self.vain_bytes_left == 0 {
            return Ok(None);
        }
        let mut header = [0; FRAME_HEADER_BYTES];
        self.source.read_at(offset, &mut header)?;
        let Ok(frame) = Frame::read(&header) else { return Ok(None) };
        let end = frame.bytes().and_then(|length| offset.checked_add(length));
        let Some(end) = end.filter(|&end| end <= self.bytes) else { return Ok(None) };
        if u64::from(frame.head_bytes) > self.limits.part_bytes_max {
            let (place, bytes) = (Place::Frame { offset }, u64::from(frame.head_bytes));
            return Err(Error::TooLarge { place, bytes });
        }
        let head = read_vec(self.source, offset + FRAME_HEADER_BYTES as u64, frame.head_bytes as usize)?;
        if crc32c::crc32c(&head) != frame.head_checksum {
            self.vain_bytes_left = self.vain_bytes_left.saturating_sub(head.len() as u64);
            return Ok(None);
        }
        Ok(Some((frame, head, end)))
    }

    /// The place of the next sound frame header after this place.
    pub(super) fn next_after(&mut self, offset: u64) -> Result<Option<u64>> {
        if self.vain_bytes_left == 0 {
            return Ok(None);
        }
        let mut offset = offset + 1;
        while self.bytes.saturating_sub(offset) >= FRAME_HEADER_BYTES as u64 {
            let window = self.window_at(offset)?;
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

    /// The bytes from this place on, at least a frame header: those already read, or the next window.
    fn window_at(&mut self, offset: u64) -> Result<&[u8]> {
        let end = self.window_start + self.window.len() as u64;
        let at_hand = offset >= self.window_start && offset + FRAME_HEADER_BYTES as u64 <= end;
        if !at_hand {
            let count = (self.bytes - offset).min(WINDOW_BYTES) as usize;
            self.window.resize(count, 0);
            self.source.read_at(offset, &mut self.window)?;
            self.window_start = offset;
        }
        Ok(&self.window[(offset - self.window_start) as usize..])
    }
}
