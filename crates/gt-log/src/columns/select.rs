//! Finds rows with a value in a range, or with some bit, from the packed integers: a chunk at a time is unpacked and tested while it is in
//! the nearest cache, and a chunk whose width already decides is skipped.
//!
//! ```text
//! size > 301, chunk of base 1, width 2, three exceptions    the 1024 are from 1 to 4, so only exceptions can pass
//! best = 0, among five rows of a chunk                      these five are unpacked one by one
//! ```
//!
//! Codes of a dictionary are tested as the ranges of codes whose values pass. A column that is not packed in chunks is decoded.

use super::RunContext;
use super::chunks::{Singles, each_exception, pass_over, read_chunk, read_heads};
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

/// A question about each value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether it is between these two values, or equal to one of them.
    Within(i64, i64),
    /// Whether it has a bit in common with this number.
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

/// A question, and the rows about which it is asked, as bits; all rows if `None`.
pub(crate) type Asked<'a> = (Question, Option<&'a [u64]>);

/// The answer to a question about a column.
#[derive(Debug)]
pub enum Selected {
    /// The bits of the rows were set.
    Marked,
    /// The question is open: this encoding had to be decoded first, and was.
    Decoded(Decoded),
}

/// Up to this many ranges of codes, each range is tested separately.
const RANGES_MAX: usize = 4;

/// Integers, each relative to the base of its run.
struct Packed<'a> {
    reader: Reader<'a>,
    rows: usize,
    base: i64,
    origin: Origin,
    /// If they are codes of a dictionary, the dictionary's length.
    codes_max: Option<u64>,
}

impl Packed<'_> {
    /// Whether the widths alone tell that all codes of a chunk are in the dictionary, including its exceptions or not; true if the integers
    /// are not codes.
    fn fits(&self, head: &ChunkHead, with_exceptions: bool) -> bool {
        let Some(codes) = self.codes_max else { return true };
        let has_high = with_exceptions && head.plan.exceptions > 0;
        let width = head.plan.width + if has_high { head.plan.high_width } else { 0 };
        let most = 1_u64.checked_shl(width).and_then(|count| (count - 1).checked_add_signed(head.base));
        most.is_some_and(|most| most < codes)
    }
}

impl Run {
    /// Sets the bits of the rows that pass, in words that are all zero, one word for each 64 rows.
    pub(crate) fn select(
        bytes: &[u8],
        (column, rows): (usize, usize),
        (question, among): Asked<'_>,
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
            let packed = Packed { reader, rows, base, origin, codes_max };
            with_lane!(lane, select_packed(packed, &ranges, among, words, memory), unknown)?;
            return Ok(Selected::Marked);
        }
        let sparse = Sparse::read(&mut reader, rows)?;
        if codes_max.is_some_and(|codes| sparse.usual < 0 || sparse.usual as u64 >= codes) {
            return Err(Malformed("a code is not in its dictionary"));
        }
        let packed = Packed { reader, rows: sparse.others, base, origin, codes_max };
        let mut others = vec![0; sparse.others.div_ceil(64)];
        with_lane!(lane, select_packed(packed, &ranges, None, &mut others, memory), unknown)?;
        let usual_passes = ranges.iter().any(|(low, high)| (*low..=*high).contains(&sparse.usual));
        sparse.spread(&others, usual_passes, words);
        among.into_iter().for_each(|among| keep(among, words));
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

/// In a chunk with at most this many rows to test, or exceptions, each is unpacked separately.
const SINGLE_MAX: usize = 24;
const CHUNK_WORDS: usize = CHUNK / 64;

fn select_packed<T: Lane>(
    mut packed: Packed<'_>,
    ranges: &[(i64, i64)],
    among: Option<&[u64]>,
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
    let mut among = among.map(|among| among.chunks(CHUNK_WORDS));
    for (head, words) in heads.iter().zip(words.chunks_mut(CHUNK_WORDS)) {
        let chunk = &mut values[..rows_left.min(CHUNK)];
        rows_left -= chunk.len();
        let among = among.as_mut().and_then(Iterator::next);
        if let Some(among) = among
            && ask_few(&mut packed, head, (among, chunk.len()), &ranges, words)?
        {
            continue;
        }
        if packed.origin == Origin::Least
            && let Some(all) = LaneRange::decided(&ranges, head)
            && ask_exceptions(&mut packed, head, (all, chunk.len()), &ranges, words)?
        {
            among.into_iter().for_each(|among| keep(among, words));
            continue;
        }
        read_chunk(&mut packed.reader, head.plan, chunk)?;
        let mut base = T::narrow(head.base as u64);
        if packed.origin == Origin::Middle {
            chunk.iter_mut().for_each(|value| *value = value.unfolded().plus(base));
            base = T::default();
        }
        if !packed.fits(head, true) {
            most = chunk.iter().copied().max().map_or(0, |code| code.plus(base).widen()).max(most);
        }
        mark(chunk, base, &ranges, words);
        among.into_iter().for_each(|among| keep(among, words));
    }
    if !packed.reader.is_empty() {
        return Err(Malformed("a column is longer than its values"));
    }
    if packed.codes_max.is_some_and(|codes| packed.rows > 0 && most >= codes) {
        return Err(Malformed("a code is not in its dictionary"));
    }
    Ok(())
}

/// Tests the rows of a chunk that have a bit in `among` one by one, if they are few, and returns `true`; returns `false`, with nothing
/// read, if the chunk must be unpacked.
fn ask_few<T: Lane>(
    packed: &mut Packed<'_>,
    head: &ChunkHead,
    (among, rows): (&[u64], usize),
    ranges: &[LaneRange<T>],
    words: &mut [u64],
) -> Wire<bool> {
    let mut asked = [0_u16; SINGLE_MAX];
    let Some(asked) = few_rows(among, &mut asked) else { return Ok(false) };
    if asked.is_empty() {
        pass_over::<T>(&mut packed.reader, head.plan, rows)?;
        return Ok(true);
    }
    if rows < CHUNK || head.plan.exceptions > 0 {
        return Ok(false);
    }
    let Some(singles) = Singles::<T>::read(&mut packed.reader, head.plan)? else { return Ok(false) };
    let base = T::narrow(head.base as u64);
    let mut most = 0;
    for row in asked.iter().map(|&row| usize::from(row)) {
        let value = singles.get(row);
        let value = if packed.origin == Origin::Middle { value.unfolded() } else { value }.plus(base);
        most = value.widen().max(most);
        let passes = ranges.iter().any(|range| range.contains(value));
        words[row / 64] |= u64::from(passes) << (row % 64);
    }
    if packed.codes_max.is_some_and(|codes| most >= codes) {
        return Err(Malformed("a code is not in its dictionary"));
    }
    Ok(true)
}

/// The rows that have a bit, if there is room for all of them.
fn few_rows<'a>(words: &[u64], room: &'a mut [u16]) -> Option<&'a [u16]> {
    let mut count = 0;
    for (first, &word) in (0..).step_by(64).zip(words) {
        let mut left = word;
        while left != 0 {
            *room.get_mut(count)? = first + left.trailing_zeros() as u16;
            count += 1;
            left &= left - 1;
        }
    }
    room.get(..count)
}

/// Marks a chunk whose width tells that all its integers pass, or none, except for its exceptions, which are tested one by one if they are
/// few; returns `false`, with nothing read, if the chunk must be unpacked.
fn ask_exceptions<T: Lane>(
    packed: &mut Packed<'_>,
    head: &ChunkHead,
    (all, rows): (bool, usize),
    ranges: &[LaneRange<T>],
    words: &mut [u64],
) -> Wire<bool> {
    let plan = head.plan;
    // If nothing is packed, no integer must be unpacked for the exceptions.
    let is_dear = plan.exceptions > SINGLE_MAX && plan.width > 0;
    if !packed.fits(head, false) || (plan.exceptions > 0 && (rows < CHUNK || is_dear)) {
        return Ok(false);
    }
    let singles = if plan.exceptions == 0 {
        pass_over::<T>(&mut packed.reader, plan, rows)?;
        None
    } else {
        let Some(singles) = Singles::<T>::read(&mut packed.reader, plan)? else { return Ok(false) };
        Some(singles)
    };
    if all {
        let ones = |place: usize| {
            let rows = rows.saturating_sub(64 * place).min(64) as u32;
            u64::MAX.checked_shr(64 - rows).unwrap_or(0)
        };
        words.iter_mut().enumerate().for_each(|(place, word)| *word = ones(place));
    }
    let (Some(singles), Ok(words)) = (singles, <&mut [u64; CHUNK_WORDS]>::try_from(words)) else {
        return Ok(true);
    };
    let base = T::narrow(head.base as u64);
    // A width decides only if there is at most one range.
    let range = ranges.first().copied();
    let mut most = 0;
    let mut ask = |row: usize, packed: u64| {
        let value = T::narrow(packed).plus(base);
        most = value.widen().max(most);
        // Few differ, and a write for each integer would wait for the previous word.
        if range.is_some_and(|range| range.contains(value)) != all {
            words[row / 64 % CHUNK_WORDS] ^= 1 << (row % 64);
        }
    };
    if plan.width == 0 {
        each_exception(&mut packed.reader, plan, ask)?;
    } else {
        let low = |row| singles.get(row).widen();
        each_exception(&mut packed.reader, plan, |row, high| ask(row, low(row) | high << plan.width))?;
    }
    if packed.codes_max.is_some_and(|codes| most >= codes) {
        return Err(Malformed("a code is not in its dictionary"));
    }
    Ok(true)
}

/// Clears the bits that are not in `among`.
fn keep(among: &[u64], words: &mut [u64]) {
    words.iter_mut().zip(among).for_each(|(word, among)| *word &= among);
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
    /// The distance from the first lane to the last.
    span: T,
}

impl<T: Lane> LaneRange<T> {
    fn contains(&self, value: T) -> bool {
        value.minus(self.low) <= self.span
    }

    /// The lanes of values in a range, relative to a base; `None` if there are none.
    fn of(base: i64, (low, high): (i64, i64)) -> Option<Self> {
        let most = i128::from(u64::MAX >> (64 - T::BITS));
        let (low, high) = (i128::from(low) - i128::from(base), i128::from(high) - i128::from(base));
        if low > high || high < 0 || low > most {
            return None;
        }
        let (low, high) = (low.max(0) as u64, high.min(most) as u64);
        Some(Self { low: T::narrow(low), span: T::narrow(high - low) })
    }

    /// Whether all integers of a chunk without exceptions pass, or none does, if its width decides.
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

    /// Mostly small values, with a few large ones, which become exceptions.
    fn values() -> impl Strategy<Value = Vec<i64>> {
        let value =
            prop_oneof![8 => 0..4_i64, 2 => 0..40_i64, 1 => -70_000..70_000_i64, 1 => Just(1_i64 << 40)];
        let start = prop_oneof![Just(0_i64), -9..9_i64, Just(i64::MIN / 2)];
        (start, proptest::collection::vec(value, 1..3000))
            .prop_map(|(start, values)| values.iter().map(|value| value + start).collect())
    }

    /// Bits of more rows than there are values: in some chunks many, in some a few, in some none.
    fn some_rows() -> impl Strategy<Value = Vec<u64>> {
        let word =
            prop_oneof![20 => Just(0_u64), 1 => (0..64_u32).prop_map(|bit| 1 << bit), 1 => any::<u64>()];
        (any::<bool>(), proptest::collection::vec(word, 48)).prop_map(|(is_dense, mut words)| {
            words[16..32].iter_mut().filter(|_| is_dense).for_each(|word| *word |= 0x8421_0842_1084_2108);
            words
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
        #[test]
        fn rows_are_those_whose_values_pass(values in values(), low in -5..60_i64, span in -1..300_i64, few in 1..40_i64, mask in 0..9_i64, some in some_rows()) {
            let few: Vec<i64> = values.iter().map(|value| value.rem_euclid(few) * 7).collect();
            for values in [values, few] {
                let siblings = Siblings::none();
                let own = Narrow::from(values.clone());
                let column = Values { column: &own, ends: extremes(&values), missing: &[], siblings };
                let mut bytes = Vec::new();
                Chooser::default().put(&[], column, Effort::Light, &mut bytes, &mut Workbench::default());
                let low = values[0].saturating_add(low - 5);
                for question in [Question::Within(low, low + span), Question::Within(i64::MIN, low), Question::AnyBit(mask)] {
                    let place = (0, values.len());
                    for among in [None, Some(&some[..])] {
                        let mut words = vec![0; values.len().div_ceil(64)];
                        let asked = (question, among.map(|among| &among[..words.len()]));
                        let selected = Run::select(&bytes, place, asked, &mut words, &mut Alone, &mut Memory::default()).unwrap();
                        for (row, &value) in values.iter().enumerate() {
                            let is_asked = among.is_none_or(|among| among[row / 64] >> (row % 64) & 1 == 1);
                            let passes = match &selected {
                                Selected::Marked => words[row / 64] >> (row % 64) & 1 == 1,
                                Selected::Decoded(decoded) => is_asked && question.of(decoded.get(row)),
                            };
                            prop_assert_eq!(passes, is_asked && question.of(value), "{:?} of {} at {}", question, value, row);
                        }
                        let beyond = words.last().map_or(0, |word| word.checked_shr(values.len() as u32 % 64).unwrap_or(0));
                        prop_assert_eq!(beyond * u64::from(values.len() % 64 != 0), 0);
                    }
                }
            }
        }
    }
}
