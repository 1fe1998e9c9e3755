//! Which rows have a value in a range, or with some bit, told from the packed integers: a chunk at a time is unpacked
//! and tested while it is in the nearest cache, and one whose width already tells is passed over.
//!
//! ```text
//! size > 301, chunk of base 1, width 2, three exceptions    the 1024 are from 1 to 4, so only exceptions can pass
//! ```
//!
//! Codes of a dictionary are tested as the ranges of codes whose values pass. What is not packed in chunks is decoded.

use super::RunContext;
use super::chunks::{pass_over, read_chunk, read_heads};
use super::coding::{Coder, Transform};
use super::decode::{Coded, read_dictionary, read_transform};
use super::decoded::Decoded;
use super::lane::{Lane, with_lane};
use super::marks::mark_rows;
use super::memory::Memory;
use super::packed::{ChunkHead, Origin};
use super::plan::CHUNK;
use super::run::Run;
use super::sparse::Sparse;
use crate::wire::{Malformed, Newer, Reader, Wire};

/// What is asked of each value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it is one of these or between them.
    Within(i64, i64),
    /// Whether it has a bit in common with this.
    AnyBit(i64),
}

impl Question {
    /// The answer for a value.
    #[must_use]
    pub const fn of(self, value: i64) -> bool {
        match self {
            Self::Within(low, high) => low <= value && value <= high,
            Self::AnyBit(mask) => value & mask != 0,
        }
    }
}

/// What a column was asked gives.
#[derive(Debug)]
pub enum Selected {
    /// The bits of the rows were set.
    Marked,
    /// The question is open: this encoding has to be decoded first, which has been done.
    Decoded(Decoded),
}

/// Up to so many ranges of codes, each is tested for itself.
const RANGES_MAX: usize = 4;

/// Integers, each relative to the base of its run.
struct Packed<'a> {
    reader: Reader<'a>,
    rows: usize,
    base: i64,
    origin: Origin,
}

impl Run {
    /// Sets the bits of the rows that pass, in words that are all zero, one for each 64 rows.
    pub(crate) fn select(
        bytes: &[u8],
        (column, rows): (usize, usize),
        question: Question,
        words: &mut [u64],
        context: &mut dyn RunContext,
        memory: &mut Memory,
    ) -> Wire<Selected> {
        let mut reader = Reader::new(bytes);
        let transform = read_transform(&mut reader, column)?;
        let whole = reader;
        let decoded = |memory: &mut Memory, context: &mut dyn RunContext| {
            Run::decode_rest(transform, whole, rows, context, memory).map(Selected::Decoded)
        };
        let mut ranges = Vec::new();
        let mut codes_max = None;
        match transform {
            Transform::Plain => {}
            Transform::Dictionary | Transform::ListedDictionary => {
                let values = read_dictionary(&mut reader, transform)?;
                ranges_of(&values, question, &mut ranges);
                codes_max = Some(values.len() as u64);
            }
            _ => return decoded(memory, context),
        }
        let Coded { coder, is_sparse, grouping } = Coded::read(&mut reader)?;
        let origin = match (coder, grouping) {
            (Coder::Packed, None) => Origin::Least,
            (Coder::Centred, None) => Origin::Middle,
            _ => return decoded(memory, context),
        };
        let lane = reader.u8()?;
        let base = reader.signed()?;
        match (transform, question) {
            (Transform::Plain, Question::Within(low, high)) => ranges.push((low, high)),
            (Transform::Plain, _) => return decoded(memory, context),
            _ if ranges.len() > RANGES_MAX || base != 0 => return decoded(memory, context),
            _ => {}
        }
        let unknown = Err(Newer("a lane that this version does not know"));
        if !is_sparse {
            let packed = Packed { reader, rows, base, origin };
            with_lane!(lane, select_packed(packed, &ranges, codes_max, words, memory), unknown)?;
            return Ok(Selected::Marked);
        }
        let sparse = Sparse::read(&mut reader, rows)?;
        if codes_max.is_some_and(|codes| sparse.usual < 0 || sparse.usual as u64 >= codes) {
            return Err(Malformed("a code is not in its dictionary"));
        }
        let packed = Packed { reader, rows: sparse.others, base, origin };
        let mut others = vec![0; sparse.others.div_ceil(64)];
        with_lane!(lane, select_packed(packed, &ranges, codes_max, &mut others, memory), unknown)?;
        let usual_passes = ranges.iter().any(|(low, high)| (*low..=*high).contains(&sparse.usual));
        sparse.spread(&others, usual_passes, words);
        Ok(Selected::Marked)
    }
}

/// The ranges of codes whose values pass.
fn ranges_of(values: &[i64], question: Question, ranges: &mut Vec<(i64, i64)>) {
    for (code, _) in values.iter().enumerate().filter(|(_, value)| question.of(**value)) {
        let code = code as i64;
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => ranges.push((code, code)),
        }
    }
}

fn select_packed<T: Lane>(
    mut packed: Packed<'_>,
    ranges: &[(i64, i64)],
    codes_max: Option<u64>,
    words: &mut [u64],
    memory: &mut Memory,
) -> Wire<()> {
    let heads = &mut memory.heads;
    read_heads(&mut packed.reader, packed.rows, packed.base, heads)?;
    let ranges: Vec<LaneRange<T>> =
        ranges.iter().filter_map(|range| LaneRange::of(packed.base, *range)).collect();
    let mut values = [T::default(); CHUNK];
    let mut most = 0;
    let mut rows_left = packed.rows;
    for (head, words) in heads.iter().zip(words.chunks_mut(CHUNK / 64)) {
        let chunk = &mut values[..rows_left.min(CHUNK)];
        rows_left -= chunk.len();
        if codes_max.is_none()
            && packed.origin == Origin::Least
            && head.plan.exceptions == 0
            && let Some(all) = LaneRange::decided(&ranges, head)
        {
            pass_over::<T>(&mut packed.reader, head.plan, chunk.len())?;
            if all {
                mark_rows(chunk, words, |_| 1);
            }
            continue;
        }
        read_chunk(&mut packed.reader, head.plan, chunk)?;
        let mut base = T::narrow(head.base as u64);
        if packed.origin == Origin::Middle {
            chunk.iter_mut().for_each(|value| *value = value.unfolded().plus(base));
            base = T::default();
        }
        if codes_max.is_some() {
            most = chunk.iter().copied().max().map_or(0, |code| code.plus(base).widen()).max(most);
        }
        mark(chunk, base, &ranges, words);
    }
    if !packed.reader.is_empty() {
        return Err(Malformed("a column is longer than its values"));
    }
    if codes_max.is_some_and(|codes| packed.rows > 0 && most >= codes) {
        return Err(Malformed("a code is not in its dictionary"));
    }
    Ok(())
}

fn mark<T: Lane>(chunk: &[T], base: T, ranges: &[LaneRange<T>], words: &mut [u64]) {
    let mut others = [0; CHUNK / 64];
    for (place, range) in ranges.iter().enumerate() {
        let (low, span) = (range.low.minus(base), range.span);
        let test = |value: T| u8::from(value.minus(low) <= span);
        if place == 0 {
            mark_rows(chunk, words, test);
        } else {
            mark_rows(chunk, &mut others, test);
            words.iter_mut().zip(&others).for_each(|(word, other)| *word |= other);
        }
    }
}

/// A range of lanes.
#[derive(Clone, Copy, Debug)]
struct LaneRange<T> {
    low: T,
    /// How far the last is from the first.
    span: T,
}

impl<T: Lane> LaneRange<T> {
    /// The lanes of values in a range, relative to a base; none where no lane is.
    fn of(base: i64, (low, high): (i64, i64)) -> Option<Self> {
        let most = i128::from(u64::MAX >> (64 - T::BITS));
        let (low, high) = (i128::from(low) - i128::from(base), i128::from(high) - i128::from(base));
        if low > high || high < 0 || low > most {
            return None;
        }
        let (low, high) = (low.max(0) as u64, high.min(most) as u64);
        Some(Self { low: T::narrow(low), span: T::narrow(high - low) })
    }

    /// Whether all integers of a chunk without exceptions pass, or none does, where its width tells.
    fn decided(ranges: &[Self], head: &ChunkHead) -> Option<bool> {
        let width = head.plan.width.min(64);
        let least = i128::from(head.base);
        let most = least + i128::from(if width == 0 { 0 } else { u64::MAX >> (64 - width) });
        if least < 0 || most > i128::from(u64::MAX >> (64 - T::BITS)) {
            return None;
        }
        let ends = |range: &Self| {
            let low = i128::from(range.low.widen());
            (low, low + i128::from(range.span.widen()))
        };
        match ranges {
            [] => Some(false),
            [range] => {
                let (low, high) = ends(range);
                match () {
                    () if low <= least && most <= high => Some(true),
                    () if high < least || most < low => Some(false),
                    () => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::{Chooser, Effort, Narrow, Siblings, Values, Workbench, extremes};
    use crate::wire::Wire;

    struct Alone;

    impl RunContext for Alone {
        fn column(&mut self, _: usize) -> Wire<Vec<i64>> {
            Err(Malformed("there is no other"))
        }
        fn plies(&mut self) -> Wire<Vec<i64>> {
            Err(Malformed("there are none"))
        }
    }

    /// Mostly small, with a few that are not: what makes exceptions.
    fn values() -> impl Strategy<Value = Vec<i64>> {
        let value =
            prop_oneof![8 => 0..4_i64, 2 => 0..40_i64, 1 => -70_000..70_000_i64, 1 => Just(1_i64 << 40)];
        let start = prop_oneof![Just(0_i64), -9..9_i64, Just(i64::MIN / 2)];
        (start, proptest::collection::vec(value, 1..3000))
            .prop_map(|(start, values)| values.iter().map(|value| value + start).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
        #[test]
        fn rows_are_those_whose_values_pass(values in values(), low in -5..60_i64, span in -1..300_i64, few in 1..40_i64, mask in 0..9_i64) {
            let few: Vec<i64> = values.iter().map(|value| value.rem_euclid(few) * 7).collect();
            for values in [values, few] {
                let siblings = Siblings::none();
                let own = Narrow::from(values.clone());
                let column = Values { column: &own, ends: extremes(&values), missing: &[], siblings };
                let mut bytes = Vec::new();
                Chooser::default().put(&[], column, Effort::Light, &mut bytes, &mut Workbench::default());
                let low = values[0].saturating_add(low - 5);
                for question in [Question::Within(low, low + span), Question::Within(i64::MIN, low), Question::AnyBit(mask)] {
                    let mut words = vec![0; values.len().div_ceil(64)];
                    let place = (0, values.len());
                    let selected = Run::select(&bytes, place, question, &mut words, &mut Alone, &mut Memory::default()).unwrap();
                    for (row, &value) in values.iter().enumerate() {
                        let passes = match &selected {
                            Selected::Marked => words[row / 64] >> (row % 64) & 1 == 1,
                            Selected::Decoded(decoded) => question.of(decoded.get(row)),
                        };
                        prop_assert_eq!(passes, question.of(value), "{:?} of {} at {}", question, value, row);
                    }
                    prop_assert_eq!(words.last().map_or(0, |word| word.checked_shr(values.len() as u32 % 64).unwrap_or(0)) * u64::from(values.len() % 64 != 0), 0);
                }
            }
        }
    }
}
