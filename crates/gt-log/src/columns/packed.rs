//! Bit-packing with exceptions, 1024 integers (a chunk) at a time.
//!
//! ```text
//! chunk   3 1 0 2 900 1 …    base 0, width 2, one exception: place 4, high bits 900 >> 2
//! packed  11 01 00 10 00 01 …
//! ```
//!
//! A chunk's integers are taken relative to its base: *packed* to its least one, *centred* to one in the
//! middle, folded so that both sides stay small. Those that need more bits than the chosen width leave
//! their high bits to a list of exceptions. The last, partial chunk is a plain bit stream.
//!
//! Bytes: a header for each chunk (width, base, exceptions), then each chunk's packed integers and exceptions.
//! [`chunks`](super::chunks) reads them.

use super::bits::put_stream;
use super::lane::{Lane, bit_length, with_lane};
use crate::wire::{fold, put_signed, put_unsigned};

pub(super) const CHUNK: usize = 1024;
pub(super) const PLACE_BITS: u32 = 10;
/// So few integers have room of their own.
const FEW: usize = 64;
/// What an exception costs beside its bits: decoding one takes longer than unpacking many.
const EXCEPTION_PENALTY_BITS: u32 = 2;

/// How a chunk is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub(super) width: u32,
    pub(super) high_width: u32,
    pub(super) exceptions: usize,
}

/// Whether integers are taken from the least or from the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Least,
    Middle,
}

/// Packs integers; all of them minus `base` must fit the lane.
pub(super) fn encode(out: &mut Vec<u8>, values: &[i64], base: i64, lane: u8, origin: Origin) {
    // The same loops, for processors that do more at once and tell the length of an integer in one instruction.
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,lzcnt,bmi2")]
        fn encode_avx512(out: &mut Vec<u8>, values: &[i64], base: i64, lane: u8, origin: Origin) {
            encode_chunks(out, values, base, lane, origin);
        }
        #[target_feature(enable = "avx2,lzcnt,bmi2")]
        fn encode_avx2(out: &mut Vec<u8>, values: &[i64], base: i64, lane: u8, origin: Origin) {
            encode_chunks(out, values, base, lane, origin);
        }
        macro_rules! has {
            ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        if has!("avx512f", "avx512bw", "avx512dq", "avx512vl", "lzcnt", "bmi2") {
            // SAFETY: the processor has just been asked.
            return unsafe { encode_avx512(out, values, base, lane, origin) };
        }
        if has!("avx2", "lzcnt", "bmi2") {
            // SAFETY: the processor has just been asked.
            return unsafe { encode_avx2(out, values, base, lane, origin) };
        }
    }
    encode_chunks(out, values, base, lane, origin);
}

#[inline(always)]
fn encode_chunks(out: &mut Vec<u8>, values: &[i64], base: i64, lane: u8, origin: Origin) {
    let mut bodies = Vec::with_capacity(values.len());
    let mut previous = base;
    let mut offsets = [0; CHUNK];
    for chunk in values.chunks(CHUNK) {
        let chunk_base = base_of(chunk, origin);
        let offsets = &mut offsets[..chunk.len()];
        subtract(chunk, chunk_base, origin, offsets);
        let plan = plan(offsets);
        out.push(plan.width as u8);
        put_signed(out, chunk_base.wrapping_sub(previous));
        put_unsigned(out, plan.exceptions as u64);
        if plan.exceptions > 0 {
            out.push(plan.high_width as u8);
        }
        previous = chunk_base;
        with_lane!(lane, put_chunk(&mut bodies, offsets, plan), ());
    }
    out.extend_from_slice(&bodies);
}

/// How many bits [`encode`] would take for this chunk.
pub(super) fn cost_bits(chunk: &[i64], origin: Origin) -> u64 {
    // Many trees are small, and to clear room for a whole chunk takes longer than to look at a few rows.
    let (mut few, mut many);
    let offsets = if chunk.len() <= FEW {
        few = [0; FEW];
        &mut few[..chunk.len()]
    } else {
        many = [0; CHUNK];
        &mut many[..chunk.len()]
    };
    subtract(chunk, base_of(chunk, origin), origin, offsets);
    let plan = plan(offsets);
    let exception_bits = u64::from(PLACE_BITS + plan.high_width) * plan.exceptions as u64;
    chunk.len() as u64 * u64::from(plan.width) + exception_bits + 32
}

fn base_of(chunk: &[i64], origin: Origin) -> i64 {
    match origin {
        Origin::Least => super::extremes::extremes(chunk).0,
        Origin::Middle => {
            let mut sample = [0; CHUNK / 16];
            let mut count = 0;
            for &value in chunk.iter().step_by(16) {
                sample[count] = value;
                count += 1;
            }
            *sample[..count].select_nth_unstable(count / 2).1
        }
    }
}

#[inline(always)]
fn subtract(chunk: &[i64], base: i64, origin: Origin, offsets: &mut [u64]) {
    match origin {
        Origin::Least => {
            for (offset, &value) in offsets.iter_mut().zip(chunk) {
                *offset = value.wrapping_sub(base) as u64;
            }
        }
        Origin::Middle => {
            for (offset, &value) in offsets.iter_mut().zip(chunk) {
                *offset = fold(value.wrapping_sub(base));
            }
        }
    }
}

/// The width that takes the fewest bits in all. A quarter of a full chunk's offsets tell about where it is.
#[inline(always)]
fn plan(offsets: &[u64]) -> Plan {
    let is_full = offsets.len() == CHUNK;
    let counts = if is_full { count_lengths(&sampled(offsets)) } else { count_lengths(offsets) };
    let share = if is_full { 4 } else { 1 };
    let most = bit_length(offsets.iter().fold(0, |all, offset| all | offset));
    let mut width = most;
    let mut best_bits = offsets.len() as u32 * most;
    let mut exceptions = 0;
    for narrower in (0..most).rev() {
        exceptions += share * counts[narrower as usize + 1];
        let bits = bits_of(offsets.len(), narrower, exceptions, most);
        if bits < best_bits {
            (width, best_bits) = (narrower, bits);
        }
    }
    // What the sample says to within a bit, all offsets say exactly.
    let mut best = Plan { width: most, high_width: 0, exceptions: 0 };
    let mut best_bits = offsets.len() as u32 * most;
    for width in width.saturating_sub(1)..(width + 2).min(most) {
        let exceptions = offsets.iter().map(|offset| u32::from(offset >> width != 0)).sum::<u32>();
        let bits = bits_of(offsets.len(), width, exceptions, most);
        if bits < best_bits {
            best = Plan { width, high_width: most - width, exceptions: exceptions as usize };
            best_bits = bits;
        }
    }
    best
}

/// About how many bits a chunk of so many integers takes at this width, of which so many have more, up to `most`.
#[inline(always)]
fn bits_of(count: usize, width: u32, exceptions: u32, most: u32) -> u32 {
    let exception_bits = PLACE_BITS + most - width + EXCEPTION_PENALTY_BITS;
    count as u32 * width + exceptions * exception_bits + 8
}

/// Four neighbours of every sixteen: one row of several would always be of the same side where sides alternate.
#[inline(always)]
fn sampled(offsets: &[u64]) -> [u64; CHUNK / 4] {
    let mut sample = [0; CHUNK / 4];
    let (sixteens, _) = offsets.as_chunks::<16>();
    for (four, sixteen) in sample.as_chunks_mut::<4>().0.iter_mut().zip(sixteens) {
        four.copy_from_slice(&sixteen[..4]);
    }
    sample
}

/// How many offsets there are of each length in bits.
#[inline(always)]
fn count_lengths(offsets: &[u64]) -> [u32; 65] {
    // Four tables: most offsets of a chunk are of one length, and adding to one place over and over is slow.
    let mut tables = [[0_u32; 65]; 4];
    let (quads, rest) = offsets.as_chunks::<4>();
    for quad in quads {
        for (table, &offset) in tables.iter_mut().zip(quad) {
            table[bit_length(offset) as usize] += 1;
        }
    }
    let [mut counts, others @ ..] = tables;
    for &offset in rest {
        counts[bit_length(offset) as usize] += 1;
    }
    for table in &others {
        counts.iter_mut().zip(table).for_each(|(count, other)| *count += other);
    }
    counts
}

#[inline(always)]
fn put_chunk<T: Lane>(out: &mut Vec<u8>, offsets: &[u64], plan: Plan) {
    let mask = if plan.width == 64 { u64::MAX } else { (1 << plan.width) - 1 };
    if offsets.len() == CHUNK {
        let mut lanes = [T::default(); CHUNK];
        for (lane, &offset) in lanes.iter_mut().zip(offsets) {
            *lane = T::narrow(offset & mask);
        }
        let mut packed = [T::default(); CHUNK];
        let length = packed_lanes::<T>(plan.width);
        pack(plan.width, &lanes, &mut packed[..length]);
        out.extend_from_slice(bytemuck::cast_slice(&packed[..length]));
    } else {
        put_stream(out, offsets.iter().map(|offset| offset & mask), plan.width);
    }
    if plan.exceptions > 0 {
        let mut places = [0_u16; CHUNK];
        let mut count = 0;
        for (place, &offset) in offsets.iter().enumerate() {
            places[count.min(CHUNK - 1)] = place as u16;
            count += usize::from(offset > mask);
        }
        let places = &places[..count];
        put_stream(out, places.iter().map(|&place| u64::from(place)), PLACE_BITS);
        put_stream(
            out,
            places.iter().map(|&place| offsets[usize::from(place)] >> plan.width),
            plan.high_width,
        );
    }
}

pub(super) fn packed_lanes<T: Lane>(width: u32) -> usize {
    CHUNK * width as usize / T::BITS as usize
}

fn pack<T: Lane>(width: u32, values: &[T; CHUNK], packed: &mut [T]) {
    assert!(width <= T::BITS && packed.len() == packed_lanes::<T>(width));
    // SAFETY: the lengths are those that `unchecked_pack` asks for: 1024, and 1024 * width / T::BITS.
    unsafe { T::unchecked_pack(width as usize, values, packed) }
}

#[cfg(target_endian = "big")]
compile_error!("packed columns are little-endian words; big-endian machines need a byte swap here");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::chunks::decode;
    use crate::columns::lane::lane_number;
    use crate::columns::scratch::Memory;
    use crate::wire::Reader;

    fn round_trip(values: &[i64], origin: Origin) -> usize {
        let base = values.iter().copied().min().unwrap_or(0);
        let most = values.iter().copied().max().unwrap_or(0);
        let extra = u32::from(origin == Origin::Middle);
        let lane = lane_number((bit_length(most.wrapping_sub(base) as u64) + extra).min(64));
        let mut bytes = Vec::new();
        encode(&mut bytes, values, base, lane, origin);
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
