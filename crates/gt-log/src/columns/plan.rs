//! The width in which a chunk's integers are packed: if a few need more bits than the rest, they become exceptions.

use super::lane::{Lane, bit_length};
use super::vectors::Work;

/// The number of integers that are packed together.
pub(super) const CHUNK: usize = 1024;
/// The number of bits of a place in a chunk.
pub(super) const PLACE_BITS: u32 = 10;
/// What an exception costs in addition to its bits: decoding one takes longer than unpacking many integers.
const EXCEPTION_PENALTY_BITS: u32 = 2;
/// The number of integers that are counted side by side.
const SIDE_BY_SIDE: usize = 64;

/// How a chunk is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    pub(super) width: u32,
    pub(super) high_width: u32,
    pub(super) exceptions: usize,
}

/// Finds the width that takes the fewest bits in all. For a full chunk, a quarter of the offsets shows about where it is.
pub(super) struct MakePlan<'a, U>(pub(super) &'a [U]);

impl<U: Lane> Work for MakePlan<'_, U> {
    type Output = Plan;

    #[inline(always)]
    fn run(self) -> Plan {
        let offsets = self.0;
        let mut all = U::default();
        for &offset in offsets {
            all = all.or(offset);
        }
        let most = bit_length(all.widen());
        let width = match <&[U; CHUNK]>::try_from(offsets) {
            Ok(chunk) => about_best(&sampled(chunk), 4, most),
            Err(_) => about_best(offsets, 1, most),
        };
        // The sample finds the width to within a bit; all offsets together decide.
        let mut best = Plan { width: most, high_width: 0, exceptions: 0 };
        let mut best_bits = offsets.len() as u32 * most;
        for width in width.saturating_sub(1)..(width + 2).min(most) {
            let exceptions = count_longer(offsets, width);
            let bits = bits_of(offsets.len(), width, exceptions, most);
            if bits < best_bits {
                best = Plan { width, high_width: most - width, exceptions: exceptions as usize };
                best_bits = bits;
            }
        }
        best
    }
}

/// The best width by a sample: each of its offsets stands for `share` offsets, and the longest has `most` bits.
#[inline(always)]
fn about_best<U: Lane>(sample: &[U], share: u32, most: u32) -> u32 {
    let count = sample.len() * share as usize;
    let mut best = (count as u32 * most, most);
    // If there are few widths, and many offsets in a vector, the longer offsets are counted for each width.
    let is_narrow = U::BITS <= 16;
    let lengths = if is_narrow { [0; 65] } else { count_lengths(sample) };
    let mut longer = 0;
    for width in (0..most).rev() {
        longer = if is_narrow { count_longer(sample, width) } else { longer + lengths[width as usize + 1] };
        let bits = bits_of(count, width, share * longer, most);
        if bits < best.0 {
            best = (bits, width);
        }
    }
    best.1
}

/// About how many bits a chunk of `count` integers takes at this width, if `exceptions` of them have more, up to `most`.
#[inline(always)]
fn bits_of(count: usize, width: u32, exceptions: u32, most: u32) -> u32 {
    let exception_bits = PLACE_BITS + most - width + EXCEPTION_PENALTY_BITS;
    count as u32 * width + exceptions * exception_bits + 8
}

/// Samples four neighbours of every sixteen offsets: if sides alternate, single rows would all be of the same side.
#[inline(always)]
fn sampled<U: Lane>(offsets: &[U; CHUNK]) -> [U; CHUNK / 4] {
    let mut sample = [U::default(); CHUNK / 4];
    let (sixteens, _) = offsets.as_chunks::<16>();
    for (four, sixteen) in sample.as_chunks_mut::<4>().0.iter_mut().zip(sixteens) {
        four.copy_from_slice(&sixteen[..4]);
    }
    sample
}

/// The greatest integer with this many bits.
#[inline(always)]
pub(super) fn mask(width: u32) -> u64 {
    if width == 64 { u64::MAX } else { (1 << width) - 1 }
}

/// How many offsets, at most a chunk, have more than this many bits.
#[inline(always)]
fn count_longer<U: Lane>(offsets: &[U], width: u32) -> u32 {
    let most = U::narrow(mask(width));
    // As many counts as a vector has places. Each fits a byte: it counts 16 offsets.
    let mut counts = [U::default(); SIDE_BY_SIDE];
    let (parts, rest) = offsets.as_chunks::<SIDE_BY_SIDE>();
    for part in parts {
        for (count, &offset) in counts.iter_mut().zip(part) {
            *count = count.plus(U::narrow(u64::from(offset > most)));
        }
    }
    let mut sum = 0;
    for count in counts {
        sum += count.widen() as u32;
    }
    for &offset in rest {
        sum += u32::from(offset > most);
    }
    sum
}

/// The number of offsets of each length in bits.
#[inline(always)]
fn count_lengths<U: Lane>(offsets: &[U]) -> [u32; 65] {
    // Four tables: most offsets of a chunk have the same length, and incrementing the same place repeatedly is slow.
    let mut tables = [[0_u32; 65]; 4];
    let (quads, rest) = offsets.as_chunks::<4>();
    for quad in quads {
        for (table, &offset) in tables.iter_mut().zip(quad) {
            table[bit_length(offset.widen()) as usize] += 1;
        }
    }
    let [mut counts, others @ ..] = tables;
    for &offset in rest {
        counts[bit_length(offset.widen()) as usize] += 1;
    }
    for table in &others {
        for (count, other) in counts.iter_mut().zip(table) {
            *count += other;
        }
    }
    counts
}
