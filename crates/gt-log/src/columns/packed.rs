//! Bit-packing with exceptions, 1024 integers (a chunk) at a time.
//!
//! ```text
//! chunk   3 1 0 2 900 1 …    base 0, width 2, one exception: place 4, high bits 900 >> 2
//! packed  11 01 00 10 00 01 …
//! ```
//!
//! A chunk's integers are taken relative to its base: *packed* to its least integer, *centred* to one in the middle, folded so that both
//! sides stay small. Integers that need more bits than the chosen width leave their high bits to a list of exceptions. The last, partial
//! chunk is a plain bit stream.
//!
//! Bytes: a header for each chunk (width, base, exceptions), then each chunk's packed integers and exceptions.
//! [`chunks`](super::chunks) reads them.

use super::bits::put_stream;
use super::extremes::extremes;
use super::integer::Integer;
use super::lane::{Lane, bit_length, lane_number};
use super::marks::mark_rows_in_search;
use super::plan::{CHUNK, MakePlan, PLACE_BITS, Plan, mask};
use super::vectors::{Work, with_vectors};
use crate::wire::{put_signed, put_unsigned};

/// Up to this many integers have a small buffer.
const FEW: usize = 64;

/// What is known about a chunk before its integers are unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkHead {
    pub(super) plan: Plan,
    /// The number that is added to its integers, relative to the base of the run.
    pub(super) base: i64,
}

/// Whether integers are taken from the least one or from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Least,
    Middle,
}

/// Packs integers; each of them minus `base` must fit the lane. `bodies` is working memory.
pub(super) fn encode<T: Integer>(
    out: &mut Vec<u8>,
    values: &[T],
    base: i64,
    lane: u8,
    origin: Origin,
    bodies: &mut Vec<u8>,
) {
    match lane {
        0 => encode_chunks::<T, u8>(out, values, base, origin, bodies),
        1 => encode_chunks::<T, u16>(out, values, base, origin, bodies),
        2 => encode_chunks::<T, u32>(out, values, base, origin, bodies),
        _ => encode_chunks::<T, u64>(out, values, base, origin, bodies),
    }
}

fn encode_chunks<T: Integer, U: Lane>(
    out: &mut Vec<u8>,
    values: &[T],
    base: i64,
    origin: Origin,
    bodies: &mut Vec<u8>,
) {
    bodies.clear();
    let mut previous = base;
    let mut offsets = [U::default(); CHUNK];
    for chunk in values.chunks(CHUNK) {
        let chunk_base = base_of(chunk, origin);
        let offsets = &mut offsets[..chunk.len()];
        with_vectors(Subtract { chunk, base: chunk_base, origin, offsets });
        let plan = with_vectors(MakePlan(offsets));
        out.push(plan.width as u8);
        put_signed(out, chunk_base.wrapping_sub(previous));
        put_unsigned(out, plan.exceptions as u64);
        if plan.exceptions > 0 {
            out.push(plan.high_width as u8);
        }
        previous = chunk_base;
        put_chunk(bodies, offsets, plan);
    }
    out.extend_from_slice(bodies);
}

/// How many bits [`encode`] would take for this chunk.
pub(super) fn cost_bits(chunk: &[i64], origin: Origin) -> u64 {
    let (least, most) = extremes(chunk);
    match lane_of((least, most), origin) {
        0 => cost_in::<u8>(chunk, origin),
        1 => cost_in::<u16>(chunk, origin),
        2 => cost_in::<u32>(chunk, origin),
        _ => cost_in::<u64>(chunk, origin),
    }
}

/// The number of the lane that holds the packed form of integers between these ends.
pub(super) fn lane_of((least, most): (i64, i64), origin: Origin) -> u8 {
    let bits = bit_length(most.wrapping_sub(least) as u64) + u32::from(origin == Origin::Middle);
    lane_number(bits.min(64))
}

fn cost_in<U: Lane>(chunk: &[i64], origin: Origin) -> u64 {
    // Many trees are small, and clearing room for a whole chunk takes longer than handling a few rows.
    let (mut few, mut many);
    let offsets = if chunk.len() <= FEW {
        few = [U::default(); FEW];
        &mut few[..chunk.len()]
    } else {
        many = [U::default(); CHUNK];
        &mut many[..chunk.len()]
    };
    with_vectors(Subtract { chunk, base: base_of(chunk, origin), origin, offsets });
    let plan = with_vectors(MakePlan(offsets));
    let exception_bits = u64::from(PLACE_BITS + plan.high_width) * plan.exceptions as u64;
    chunk.len() as u64 * u64::from(plan.width) + exception_bits + 32
}

fn base_of<T: Integer>(chunk: &[T], origin: Origin) -> i64 {
    match origin {
        Origin::Least => extremes(chunk).0,
        Origin::Middle => {
            let mut sample = [T::default(); CHUNK / 16];
            let mut count = 0;
            for &value in chunk.iter().step_by(16) {
                sample[count] = value;
                count += 1;
            }
            (*sample[..count].select_nth_unstable(count / 2).1).into()
        }
    }
}

/// Takes a chunk's integers relative to its base.
struct Subtract<'a, T, U> {
    chunk: &'a [T],
    base: i64,
    origin: Origin,
    offsets: &'a mut [U],
}

impl<T: Integer, U: Lane> Work for Subtract<'_, T, U> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // The difference fits the lane, so the lane's arithmetic is enough.
        let base = U::narrow(self.base as u64);
        match self.origin {
            Origin::Least => {
                for (offset, &value) in self.offsets.iter_mut().zip(self.chunk) {
                    *offset = U::narrow(value.into() as u64).minus(base);
                }
            }
            Origin::Middle => {
                for (offset, &value) in self.offsets.iter_mut().zip(self.chunk) {
                    *offset = U::narrow(value.into() as u64).minus(base).folded();
                }
            }
        }
    }
}

fn put_chunk<U: Lane>(out: &mut Vec<u8>, offsets: &[U], plan: Plan) {
    match <&[U; CHUNK]>::try_from(offsets) {
        Ok(chunk) => {
            let mut packed = [U::default(); CHUNK];
            let packed = &mut packed[..packed_lanes::<U>(plan.width)];
            // Packs the low bits of each integer.
            pack(plan.width, chunk, packed);
            out.extend_from_slice(bytemuck::cast_slice(packed));
        }
        Err(_) => {
            let low = offsets.iter().map(|offset| offset.widen() & mask(plan.width));
            put_stream(out, low, plan.width);
        }
    }
    if plan.exceptions > 0 {
        put_exceptions(out, offsets, plan);
    }
}

/// Appends the places and the high bits of a chunk's exceptions.
fn put_exceptions<U: Lane>(out: &mut Vec<u8>, offsets: &[U], plan: Plan) {
    let most = U::narrow(mask(plan.width));
    let mut words = [0; CHUNK / 64];
    mark_rows_in_search(offsets, &mut words, |offset| u8::from(offset > most));
    let mut places = [0_u16; CHUNK];
    let mut count = 0;
    for (first, &word) in (0..).step_by(64).zip(&words) {
        let mut left = word;
        while left != 0 {
            places[count] = first + left.trailing_zeros() as u16;
            count += 1;
            left &= left - 1;
        }
    }
    let places = &places[..count];
    put_stream(out, places.iter().map(|&place| u64::from(place)), PLACE_BITS);
    let highs = places.iter().map(|&place| offsets[usize::from(place)].widen() >> plan.width);
    put_stream(out, highs, plan.high_width);
}

pub(super) fn packed_lanes<T: Lane>(width: u32) -> usize {
    CHUNK * width as usize / T::BITS as usize
}

fn pack<T: Lane>(width: u32, values: &[T; CHUNK], packed: &mut [T]) {
    assert!(width <= T::BITS && packed.len() == packed_lanes::<T>(width));
    // SAFETY: the lengths are those that `unchecked_pack` requires: 1024, and 1024 * width / T::BITS.
    unsafe { T::unchecked_pack(width as usize, values, packed) }
}

#[cfg(target_endian = "big")]
compile_error!("packed columns are little-endian words; big-endian machines need a byte swap here");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::chunks::decode;
    use crate::columns::memory::Memory;
    use crate::wire::Reader;

    fn round_trip(values: &[i64], origin: Origin) -> usize {
        let base = values.iter().copied().min().unwrap_or(0);
        let most = values.iter().copied().max().unwrap_or(0);
        let extra = u32::from(origin == Origin::Middle);
        let lane = lane_number((bit_length(most.wrapping_sub(base) as u64) + extra).min(64));
        let mut bytes = Vec::new();
        encode(&mut bytes, values, base, lane, origin, &mut Vec::new());
        let mut memory = Memory::default();
        let lanes = decode(Reader::new(&bytes), values.len(), base, lane, origin, &mut memory).unwrap();
        for (i, &value) in values.iter().enumerate() {
            assert_eq!(base.wrapping_add(lanes.get(i) as i64), value, "{origin:?} at {i}");
        }
        bytes.len()
    }

    fn both(values: &[i64]) {
        round_trip(values, Origin::Least);
        round_trip(values, Origin::Middle);
    }

    #[test]
    fn all_widths_and_tails() {
        for bits in 0..63 {
            for rows in [1, 5, 1023, 1024, 1025, 2500] {
                let values: Vec<i64> = (0..rows as u64)
                    .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (63 - bits)) as i64 - 7)
                    .collect();
                both(&values);
            }
        }
        both(&[i64::MIN, i64::MAX, 0, -1, 1]);
        both(&[]);
    }

    #[test]
    fn a_few_large_values_cost_little() {
        let mut values = vec![1; 4096];
        values[100] = 1_000_000;
        values[4000] = 70_000;
        assert!(round_trip(&values, Origin::Least) < 40);
    }
}
