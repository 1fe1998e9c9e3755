//! Nodes sorted by what colours them: at most a few dozen classes, each with a value that stands for all of it.
//!
//! ```text
//! few different values    a class each
//! many texts              a class for each of the most frequent, and one for all others
//! many numbers            as many numbers in each class, told apart by their order; the middle one stands for it
//! sizes                   a class for each power of two
//! ```
//!
//! **Invariant:** class 0 is of what has no value; the classes of a tree depend on the tree alone, not on what is drawn.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use gt_log::{Column, Decoded, Kind, Scratch, Tree, Value};

use super::values::{Visit, visit};
use crate::nodes::{Node, Nodes, Result};

/// The most classes of an attribute, the one without a value included.
const CLASSES_MAX: usize = 16;
/// The number of blocks that are read to find out whether an attribute has many different numbers, and their ranges.
const BLOCKS_SEEN: usize = 24;
/// The maximum number of values that are read of each of these blocks.
const SEEN_PER_BLOCK: usize = 4096;

/// Numbers have a table of classes where there are at most so many.
const TABLE_MAX: i64 = 1 << 17;

/// What a node's class is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// All nodes are of one class.
    Nothing,
    /// The number of nodes below it, itself included.
    Size,
    /// An attribute, by its place; the number, if any, that stands for "unknown".
    Attribute(usize, Option<i64>),
}

/// The classes of a tree's nodes.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    pub(super) source: Source,
    kind: Kind,
    sorting: Sorting,
    /// What stands for each class after the first.
    values: Vec<Value>,
    /// The classes of all numbers from the first on, where they are few enough.
    table: Option<(i64, Vec<u8>)>,
}

#[derive(Clone, Debug)]
enum Sorting {
    One,
    Sizes,
    /// Ascending: the key of each class; a key that is none of them belongs to no class.
    Each(Vec<i64>),
    /// Ascending: the greatest key of each class but the last.
    Ranges(Vec<i64>),
    /// The classes of the most frequent texts; all others are of the last class.
    Texts(HashMap<String, u8>),
}

impl Classes {
    pub(super) fn of(tree: Tree<'_>, source: Source) -> Result<Self> {
        match source {
            Source::Nothing => {
                Ok(Self { source, kind: Kind::U64, sorting: Sorting::One, values: vec![], table: None })
            }
            Source::Size => {
                let count = tree.nodes().max(1).ilog2() + 1;
                let middle = |power: u32| (1_u64 << power) + (1_u64 << power) / 2;
                let values = (0..count).map(|power| Value::UInt(middle(power))).collect();
                Ok(Self { source, kind: Kind::U64, sorting: Sorting::Sizes, values, table: None })
            }
            Source::Attribute(place, _) if tree.schema().attributes()[place].kind == Kind::Text => {
                Self::of_texts(tree, source, place)
            }
            Source::Attribute(place, unknown) => Self::of_numbers(tree, source, place, unknown),
        }
    }

    fn of_texts(tree: Tree<'_>, source: Source, place: usize) -> Result<Self> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for block in seen_blocks(tree) {
            for text in tree.texts(block, place)?.0 {
                *counts.entry(text).or_default() += 1;
            }
        }
        let mut often: Vec<(String, usize)> = counts.into_iter().collect();
        often.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        // One class is for what has no value, and one for the other texts: also those of blocks that were not looked at.
        often.truncate(CLASSES_MAX - 2);
        let values =
            often.iter().map(|(text, _)| Value::Text(text.clone())).chain([Value::Missing]).collect();
        let sorted = often.into_iter().zip(1..).map(|((text, _), class)| (text, class)).collect();
        Ok(Self { source, kind: Kind::Text, sorting: Sorting::Texts(sorted), values, table: None })
    }

    fn of_numbers(tree: Tree<'_>, source: Source, place: usize, unknown: Option<i64>) -> Result<Self> {
        let kind = tree.schema().attributes()[place].kind;
        let (mut seen, mut distinct) = (Vec::new(), Distinct::default());
        for block in seen_blocks(tree) {
            let rows = tree.block(block).rows as usize;
            let numbers = tree.decode(block, Column::Attribute(place))?.widened(rows);
            let missing = tree.missing(block, place)?;
            let known = |row: usize| !is_set(missing.as_deref(), row) && Some(numbers[row]) != unknown;
            (0..rows).filter(|&row| known(row)).for_each(|row| distinct.add(numbers[row]));
            let some = (0..rows).step_by(rows.div_ceil(SEEN_PER_BLOCK).max(1));
            seen.extend(some.filter(|&row| known(row)).map(|row| (key(kind, numbers[row]), numbers[row])));
        }
        distinct.complete(tree, place, unknown)?;
        let value = |number: i64| Value::of_integer(kind, number, &[]);
        if distinct.are_few() {
            let mut each: Vec<(i64, i64)> = distinct.found.iter().map(|&n| (key(kind, n), n)).collect();
            each.sort_unstable();
            let values = each.iter().map(|&(_, number)| value(number)).collect();
            let keys = each.into_iter().map(|(key, _)| key).collect();
            let classes = Self { source, kind, sorting: Sorting::Each(keys), values, table: None };
            return Ok(classes.with_table(tree, place, unknown));
        }
        seen.sort_unstable();
        let count = CLASSES_MAX - 1;
        let at = |part: f64| seen[((seen.len() - 1) as f64 * part / count as f64) as usize];
        let mut ends: Vec<i64> = (1..count).map(|class| at(class as f64).0).collect();
        ends.dedup();
        let values = (0..=ends.len()).map(|class| {
            let start = class.checked_sub(1).map_or(0, |before| after(&seen, ends[before]));
            let end = ends.get(class).map_or(seen.len(), |&end| after(&seen, end));
            value(seen[((start + end) / 2).clamp(start, seen.len() - 1)].1)
        });
        let values = values.collect();
        let classes = Self { source, kind, values, sorting: Sorting::Ranges(ends), table: None };
        Ok(classes.with_table(tree, place, unknown))
    }

    /// With the class of each whole number between the least and the greatest of the tree, where they are few enough.
    fn with_table(mut self, tree: Tree<'_>, place: usize, unknown: Option<i64>) -> Self {
        if !self.kind.is_integer() {
            return self;
        }
        if let Some(range) = small_range(tree, place) {
            let min = *range.start();
            self.table = Some((min, range.map(|number| self.of_number(number, unknown)).collect()));
        }
        self
    }

    pub(super) fn count(&self) -> usize {
        1 + self.values.len()
    }

    /// Whether a class is of texts that have none of their own.
    pub(super) fn is_of_others(&self, class: usize) -> bool {
        matches!(self.sorting, Sorting::Texts(_)) && class == self.values.len()
    }

    /// What stands for a class.
    pub(super) fn value(&self, class: usize) -> Value {
        class.checked_sub(1).and_then(|place| self.values.get(place).cloned()).unwrap_or(Value::Missing)
    }

    /// The classes of a block's rows into `classes`; `sizes` are theirs.
    pub(super) fn of_block(
        &self,
        tree: Tree<'_>,
        block: usize,
        sizes: &Decoded,
        scratch: &mut Scratch,
        classes: &mut Vec<u8>,
    ) -> Result<()> {
        classes.clear();
        let rows = tree.block(block).rows as usize;
        let Source::Attribute(place, unknown) = self.source else {
            visit(sizes, SortedSizes { by: self, rows, classes });
            return Ok(());
        };
        if let Sorting::Texts(_) = self.sorting {
            let (texts, places) = tree.texts(block, place)?;
            let of_text: Vec<u8> = texts.iter().map(|text| self.of_text(text)).collect();
            let class = |row| of_text.get(places.get(row) as usize).copied().unwrap_or(0);
            classes.extend((0..rows).map(class));
        } else {
            let numbers = tree.decode_with(block, Column::Attribute(place), scratch)?;
            visit(&numbers, Sorted { by: self, unknown, rows, classes });
        }
        if let Some(missing) = tree.missing_with(block, place, scratch)? {
            let lacking = classes.iter_mut().enumerate().filter(|(row, _)| is_set(Some(&missing), *row));
            lacking.for_each(|(_, class)| *class = 0);
        }
        Ok(())
    }

    /// The class of one node.
    pub(super) fn of_node(&self, nodes: &mut Nodes<'_>, node: Node) -> Result<u8> {
        let Source::Attribute(place, unknown) = self.source else {
            return Ok(self.of_size(node.size.cast_signed()));
        };
        Ok(match nodes.value(node.row, place)? {
            Value::Missing => 0,
            Value::Text(text) => self.of_text(&text),
            Value::Int(number) => self.of_number(number, unknown),
            Value::UInt(number) => self.of_number(number.cast_signed(), unknown),
            Value::Bool(truth) => self.of_number(i64::from(truth), unknown),
            Value::Float(number) => self.of_key(key_of_float(number)),
        })
    }

    fn of_text(&self, text: &str) -> u8 {
        match &self.sorting {
            Sorting::Texts(known) => known.get(text).copied().unwrap_or(self.values.len() as u8),
            Sorting::One | Sorting::Sizes | Sorting::Each(_) | Sorting::Ranges(_) => 0,
        }
    }

    #[inline]
    fn of_size(&self, size: i64) -> u8 {
        match self.sorting {
            Sorting::Sizes => 1 + size.max(1).ilog2().min(self.values.len() as u32 - 1) as u8,
            Sorting::One | Sorting::Each(_) | Sorting::Ranges(_) | Sorting::Texts(_) => 0,
        }
    }

    #[inline]
    fn of_number(&self, number: i64, unknown: Option<i64>) -> u8 {
        if Some(number) == unknown { 0 } else { self.of_key(key(self.kind, number)) }
    }

    #[inline]
    fn of_key(&self, key: i64) -> u8 {
        match &self.sorting {
            Sorting::Each(keys) => keys.binary_search(&key).map_or(0, |place| place as u8 + 1),
            Sorting::Ranges(ends) => 1 + ends.partition_point(|&end| end < key) as u8,
            Sorting::One | Sorting::Sizes | Sorting::Texts(_) => 0,
        }
    }
}

/// Sorts a block's nodes by their sizes.
struct SortedSizes<'c> {
    by: &'c Classes,
    rows: usize,
    classes: &'c mut Vec<u8>,
}

impl Visit for SortedSizes<'_> {
    type Output = ();

    fn visit(self, get: impl Fn(usize) -> i64) {
        self.classes.extend((0..self.rows).map(|row| self.by.of_size(get(row))));
    }
}

/// Sorts a block's numbers.
struct Sorted<'c> {
    by: &'c Classes,
    unknown: Option<i64>,
    rows: usize,
    classes: &'c mut Vec<u8>,
}

impl Visit for Sorted<'_> {
    type Output = ();

    fn visit(self, get: impl Fn(usize) -> i64) {
        let Self { by, unknown, rows, classes } = self;
        match &by.table {
            // A number outside of the table is one of a row without a value, which the heads do not count.
            Some((min, table)) => classes.extend((0..rows).map(|row| {
                let place = get(row).wrapping_sub(*min).cast_unsigned() as usize;
                table.get(place).copied().unwrap_or(0)
            })),
            None => classes.extend((0..rows).map(|row| by.of_number(get(row), unknown))),
        }
    }
}

/// Different numbers, until they are too many to have a class each.
#[derive(Default)]
struct Distinct {
    found: Vec<i64>,
    last: Option<i64>,
}

impl Distinct {
    /// Whether each of them can have a class.
    fn are_few(&self) -> bool {
        self.found.len() < CLASSES_MAX
    }

    #[inline]
    fn add(&mut self, number: i64) {
        if self.last == Some(number) || !self.are_few() {
            return;
        }
        self.last = Some(number);
        if !self.found.contains(&number) {
            self.found.push(number);
        }
    }

    /// Adds the numbers of all blocks, as long as they are few: one that is rare must not count as no value.
    fn complete(&mut self, tree: Tree<'_>, place: usize, unknown: Option<i64>) -> Result<()> {
        let is_integer = tree.schema().attributes()[place].kind.is_integer();
        let column = Column::Attribute(place);
        // Which numbers need no second look, from the least on.
        let range = if is_integer { small_range(tree, place) } else { None };
        let min = range.as_ref().map_or(0, |range| *range.start());
        let mut known: Vec<bool> =
            range.into_iter().flatten().map(|number| self.is_known(number, unknown)).collect();
        for block in 0..tree.block_count() {
            if !self.are_few() {
                break;
            }
            let head = &tree.block(block).columns[column.number()];
            let few = head.max.checked_sub(head.min).is_some_and(|range| range < CLASSES_MAX as i64);
            if is_integer && few && (head.min..=head.max).all(|number| self.is_known(number, unknown)) {
                continue;
            }
            let rows = tree.block(block).rows as usize;
            let numbers = tree.decode(block, column)?.widened(rows);
            let missing = tree.missing(block, place)?;
            for (row, &number) in numbers.iter().enumerate() {
                let at = number.wrapping_sub(min).cast_unsigned() as usize;
                if known.get(at) == Some(&true) || Some(number) == unknown || is_set(missing.as_deref(), row)
                {
                    continue;
                }
                self.add(number);
                known.get_mut(at).into_iter().for_each(|known| *known = true);
            }
        }
        Ok(())
    }

    fn is_known(&self, number: i64, unknown: Option<i64>) -> bool {
        Some(number) == unknown || self.found.contains(&number)
    }
}

/// The whole numbers from an attribute's least to its greatest, where they are few enough for a table.
fn small_range(tree: Tree<'_>, place: usize) -> Option<RangeInclusive<i64>> {
    let column = Column::Attribute(place).number();
    let heads = || tree.blocks().map(|head| &head.columns[column]);
    let (min, max) = (heads().map(|head| head.min).min()?, heads().map(|head| head.max).max()?);
    max.checked_sub(min).is_some_and(|range| range < TABLE_MAX).then_some(min..=max)
}

/// How many of the seen numbers have at most this key.
fn after(seen: &[(i64, i64)], end: i64) -> usize {
    seen.partition_point(|&(key, _)| key <= end)
}

/// Some blocks of a tree, evenly apart.
fn seen_blocks(tree: Tree<'_>) -> impl Iterator<Item = usize> {
    let count = tree.block_count();
    (0..count).step_by(count.div_ceil(BLOCKS_SEEN).max(1))
}

fn is_set(words: Option<&[u64]>, row: usize) -> bool {
    words.and_then(|words| words.get(row / 64)).is_some_and(|word| word >> (row % 64) & 1 == 1)
}

/// A number that orders an attribute's values as they are ordered.
#[inline]
fn key(kind: Kind, number: i64) -> i64 {
    match kind {
        Kind::F32 | Kind::F64 => match Value::of_integer(kind, number, &[]) {
            Value::Float(value) => key_of_float(value),
            Value::Int(_) | Value::UInt(_) | Value::Bool(_) | Value::Text(_) | Value::Missing => 0,
        },
        Kind::U64 => (number.cast_unsigned() ^ (1 << 63)).cast_signed(),
        _ => number,
    }
}

fn key_of_float(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}
