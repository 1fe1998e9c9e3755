//! Reads packed chunks: unpacks them and puts their exceptions in place.
//!
//! The heads of all chunks come first in a run, so a chunk can be skipped without being unpacked.

use super::bits::{Stream, stream_bytes};
use super::lane::{Lane, Lanes, with_lane};
use super::memory::Memory;
use super::packed::{ChunkHead, Origin, packed_lanes};
use super::plan::{CHUNK, PLACE_BITS, Plan};
use crate::wire::{Malformed, Newer, Reader, Wire};

/// Unpacks `rows` integers relative to `base`, in the lane with this number.
pub(super) fn decode(
    mut reader: Reader<'_>,
    rows: usize,
    base: i64,
    lane: u8,
    origin: Origin,
    memory: &mut Memory,
) -> Wire<Lanes> {
    let mut heads = std::mem::take(&mut memory.heads);
    read_heads(&mut reader, rows, base, &mut heads)?;
    let lanes = with_lane!(
        lane,
        decode_chunks(&mut reader, &heads, rows, origin, memory),
        Err(Newer("a lane that this version does not know"))
    );
    memory.heads = heads;
    lanes
}

/// Reads the heads of all chunks of a run with this base.
pub(super) fn read_heads(
    reader: &mut Reader<'_>,
    rows: usize,
    base: i64,
    heads: &mut Vec<ChunkHead>,
) -> Wire<()> {
    heads.clear();
    let mut chunk_base = base;
    for start in (0..rows).step_by(CHUNK) {
        let width = u32::from(reader.u8()?);
        chunk_base = chunk_base.wrapping_add(reader.signed()?);
        let exceptions = reader.unsigned()?;
        let high_width = if exceptions > 0 { u32::from(reader.u8()?) } else { 0 };
        if exceptions > (rows - start).min(CHUNK) as u64 {
            return Err(Malformed("a chunk has more exceptions than values"));
        }
        let plan = Plan { width, high_width, exceptions: exceptions as usize };
        heads.push(ChunkHead { plan, base: chunk_base.wrapping_sub(base) });
    }
    Ok(())
}

fn decode_chunks<T: Lane>(
    reader: &mut Reader<'_>,
    heads: &[ChunkHead],
    rows: usize,
    origin: Origin,
    memory: &mut Memory,
) -> Wire<Lanes> {
    let mut values = memory.lists.list::<T>(rows);
    for (chunk, head) in values.chunks_mut(CHUNK).zip(heads) {
        read_chunk(reader, head.plan, chunk)?;
        let base = T::narrow(head.base as u64);
        match origin {
            Origin::Least if base == T::default() => {}
            Origin::Least => chunk.iter_mut().for_each(|value| *value = value.plus(base)),
            Origin::Middle => chunk.iter_mut().for_each(|value| *value = value.unfolded().plus(base)),
        }
    }
    if !reader.is_empty() {
        return Err(Malformed("a column is longer than its values"));
    }
    Ok(T::store(values))
}

/// Unpacks a chunk, without adding its base.
#[inline]
pub(super) fn read_chunk<T: Lane>(reader: &mut Reader<'_>, plan: Plan, chunk: &mut [T]) -> Wire<()> {
    check_widths::<T>(plan)?;
    let bytes = reader.bytes(packed_bytes::<T>(plan, chunk.len()))?;
    if plan.width == 0 {
        // Nothing is stored: all integers equal the base.
        chunk.fill(T::default());
    } else if chunk.len() == CHUNK {
        match bytemuck::try_cast_slice(bytes) {
            Ok(packed) => unpack(plan.width, packed, chunk),
            // The address is not a multiple of the lane's size.
            Err(_) => {
                let mut packed = [T::default(); CHUNK];
                let packed = &mut packed[..packed_lanes::<T>(plan.width)];
                bytemuck::cast_slice_mut(packed).copy_from_slice(bytes);
                unpack(plan.width, packed, chunk);
            }
        }
    } else {
        let mut stream = Stream::new(bytes, chunk.len(), plan.width)?;
        chunk.iter_mut().for_each(|value| *value = T::narrow(stream.next()));
    }
    if plan.exceptions > 0 {
        patch(reader, plan, chunk)?;
    }
    Ok(())
}

/// A whole chunk whose integers are unpacked one by one, without their exceptions and without the chunk's base.
pub(super) struct Singles<'a, T> {
    packed: &'a [T],
    width: u32,
}

impl<'a, T: Lane> Singles<'a, T> {
    /// Reads the packed integers of a chunk; `None`, with nothing read, if their address allows only unpacking them together.
    pub(super) fn read(reader: &mut Reader<'a>, plan: Plan) -> Wire<Option<Self>> {
        check_widths::<T>(plan)?;
        let mut onwards = *reader;
        let Ok(packed) = bytemuck::try_cast_slice(onwards.bytes(packed_bytes::<T>(plan, CHUNK))?) else {
            return Ok(None);
        };
        *reader = onwards;
        Ok(Some(Self { packed, width: plan.width }))
    }

    /// The integer at a place, which is below [`CHUNK`].
    #[inline]
    pub(super) fn get(&self, place: usize) -> T {
        assert!(self.width <= T::BITS && self.packed.len() == packed_lanes::<T>(self.width) && place < CHUNK);
        // SAFETY: the length is the one that `unchecked_unpack_single` requires: 1024 * width / T::BITS.
        unsafe { T::unchecked_unpack_single(self.width as usize, self.packed, place) }
    }
}

/// Skips a chunk of this many integers.
pub(super) fn pass_over<T: Lane>(reader: &mut Reader<'_>, plan: Plan, count: usize) -> Wire<()> {
    check_widths::<T>(plan)?;
    let patches = stream_bytes(plan.exceptions, PLACE_BITS) + stream_bytes(plan.exceptions, plan.high_width);
    reader.bytes(packed_bytes::<T>(plan, count) + patches).map(|_| ())
}

fn check_widths<T: Lane>(plan: Plan) -> Wire<()> {
    // An exception has at least one more bit.
    if plan.width + plan.high_width.max(u32::from(plan.exceptions > 0)) > T::BITS {
        return Err(Malformed("a chunk is wider than its lane"));
    }
    Ok(())
}

fn packed_bytes<T: Lane>(plan: Plan, count: usize) -> usize {
    match count {
        CHUNK => packed_lanes::<T>(plan.width) * size_of::<T>(),
        count => stream_bytes(count, plan.width),
    }
}

/// Puts the high bits of exceptions in place.
fn patch<T: Lane>(reader: &mut Reader<'_>, plan: Plan, chunk: &mut [T]) -> Wire<()> {
    let put = |value: &mut T, high: u64| *value = T::narrow(value.widen() | high << plan.width);
    if let Ok(chunk) = <&mut [T; CHUNK]>::try_from(&mut *chunk) {
        return each_exception(reader, plan, |place, high| put(&mut chunk[place % CHUNK], high));
    }
    let mut is_outside = false;
    each_exception(reader, plan, |place, high| match chunk.get_mut(place) {
        Some(value) => put(value, high),
        None => is_outside = true,
    })?;
    if is_outside { Err(Malformed("an exception is outside its chunk")) } else { Ok(()) }
}

/// Reads a chunk's exceptions: calls `put` with the place (below [`CHUNK`]) and the high bits of each.
pub(super) fn each_exception(
    reader: &mut Reader<'_>,
    plan: Plan,
    mut put: impl FnMut(usize, u64),
) -> Wire<()> {
    let onwards = reader.rest();
    let places = reader.bytes(stream_bytes(plan.exceptions, PLACE_BITS))?;
    let highs_onwards = reader.rest();
    let highs = reader.bytes(stream_bytes(plan.exceptions, plan.high_width))?;
    // One word is read for each exception; if other bytes follow, it may extend past the exceptions' own bytes.
    if plan.high_width <= WORD_BITS && reader.rest().len() >= 8 {
        each_by_words(onwards, highs_onwards, plan, put);
        return Ok(());
    }
    let mut places = Stream::new(places, plan.exceptions, PLACE_BITS)?;
    let mut highs = Stream::new(highs, plan.exceptions, plan.high_width)?;
    for _ in 0..plan.exceptions {
        put(places.next() as usize, highs.next());
    }
    Ok(())
}

/// How many bits a word contains from any bit of its first byte on.
const WORD_BITS: u32 = 57;

/// Reads exceptions like [`each_exception`], if the words that contain the last of them can be read.
#[inline]
fn each_by_words(places: &[u8], highs: &[u8], plan: Plan, put: impl FnMut(usize, u64)) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // With these instructions, shifting by a variable number takes one instruction and not several.
        #[target_feature(enable = "bmi2")]
        fn each_bmi2(places: &[u8], highs: &[u8], plan: Plan, put: impl FnMut(usize, u64)) {
            each_in_fours(places, highs, plan, put);
        }
        // SAFETY: the check above says that the processor has these instructions.
        return unsafe { each_bmi2(places, highs, plan, put) };
    }
    each_in_fours(places, highs, plan, put);
}

/// Four places take five bytes; if four high parts fit a word, one word each contains all four.
#[inline(always)]
fn each_in_fours(places: &[u8], highs: &[u8], plan: Plan, mut put: impl FnMut(usize, u64)) {
    let mask = (1 << plan.high_width) - 1;
    let (place_bits, high_bits) = (PLACE_BITS as usize, plan.high_width as usize);
    let fours = if 4 * plan.high_width <= WORD_BITS { plan.exceptions / 4 } else { 0 };
    for four in 0..fours {
        let mut place = word_at(places, four * 4 * place_bits);
        let mut high = word_at(highs, four * 4 * high_bits);
        for _ in 0..4 {
            put(place as usize % CHUNK, high & mask);
            place >>= PLACE_BITS;
            high >>= plan.high_width;
        }
    }
    for exception in 4 * fours..plan.exceptions {
        let place = word_at(places, exception * place_bits) as usize % CHUNK;
        put(place, word_at(highs, exception * high_bits) & mask);
    }
}

/// The bits from this one on, at least [`WORD_BITS`] of them.
#[inline(always)]
fn word_at(bytes: &[u8], bit: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[bit / 8..][..8]);
    u64::from_le_bytes(word) >> (bit % 8)
}

fn unpack<T: Lane>(width: u32, packed: &[T], values: &mut [T]) {
    assert!(width <= T::BITS && packed.len() == packed_lanes::<T>(width) && values.len() == CHUNK);
    // SAFETY: the lengths are those that `unchecked_unpack` requires: 1024 * width / T::BITS, and 1024.
    unsafe { T::unchecked_unpack(width as usize, packed, values) }
}
