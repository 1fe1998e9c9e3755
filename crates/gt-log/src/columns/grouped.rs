//! Integers in the order of groups that another column forms: rows that are equal there are often equal here.
//!
//! ```text
//! key        1 2 1 2 2 1      rows 0 2 5 are one group, rows 1 3 4 the next
//! integers   7 0 7 3 0 7      written as 7 7 7 0 3 0
//! ```
//!
//! The groups themselves take no bytes: a reader forms them from the same column.

use super::context::Context;
use super::integer::Integer;
use super::lane::{Lane, Lanes};
use super::memory::Memory;
use crate::wire::{Malformed, Reader, Wire, put_signed, put_unsigned};

/// The key by which groups are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Each row's distance from the root minus that of the previous row; 0 for the first row.
    PlySteps,
    /// The values of the column with this number.
    Column(usize),
}

/// A key and its groups: one group for each value from `least` on, and the last one for all greater values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) key: Key,
    /// This value and all smaller ones are in group 0.
    pub(super) least: i64,
    /// The number of the last group.
    pub(super) last: u8,
}

impl Grouping {
    pub(super) fn put(self, out: &mut Vec<u8>) {
        put_unsigned(out, if let Key::Column(number) = self.key { number as u64 + 1 } else { 0 });
        put_signed(out, self.least);
        out.push(self.last);
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Wire<Self> {
        let key = match reader.unsigned()? {
            0 => Key::PlySteps,
            number => Key::Column((number - 1) as usize),
        };
        Ok(Self { key, least: reader.signed()?, last: reader.u8()? })
    }

    /// The group of each row of a block.
    pub(super) fn groups(self, rows: usize, context: &mut dyn Context) -> Wire<Vec<u8>> {
        let groups = match self.key {
            Key::PlySteps => self.groups_of_steps(&context.plies()?),
            Key::Column(number) => self.groups_of(&context.column(number)?),
        };
        if groups.len() != rows {
            return Err(Malformed("it is grouped by a column of another length"));
        }
        Ok(groups)
    }

    /// The group of each row, from the key's values.
    pub(super) fn groups_of(self, values: &[i64]) -> Vec<u8> {
        values.iter().map(|value| self.group(*value)).collect()
    }

    /// The group of each row, from the steps between plies.
    pub(super) fn groups_of_steps(self, plies: &[i64]) -> Vec<u8> {
        let mut before = plies.first().copied().unwrap_or(0);
        let step = |&ply: &i64| self.group(ply.wrapping_sub(std::mem::replace(&mut before, ply)));
        plies.iter().map(step).collect()
    }

    #[inline]
    fn group(self, value: i64) -> u8 {
        value.saturating_sub(self.least).clamp(0, i64::from(self.last)) as u8
    }
}

/// Where each group starts when the rows are ordered by their groups.
fn starts(groups: &[u8]) -> [usize; 256] {
    let mut starts = [0; 256];
    groups.iter().for_each(|group| starts[usize::from(*group)] += 1);
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    starts
}

/// Orders integers by their rows' groups.
pub(super) fn in_groups<T: Integer>(integers: &[T], groups: &[u8]) -> Vec<T> {
    let mut next = starts(groups);
    let mut grouped = vec![T::default(); integers.len()];
    for (&integer, &group) in integers.iter().zip(groups) {
        let place = &mut next[usize::from(group)];
        grouped[*place] = integer;
        *place += 1;
    }
    grouped
}

/// Puts integers that are in the order of their groups back into the order of the rows.
pub(super) fn in_rows<T: Lane>(grouped: Vec<T>, groups: &[u8], memory: &mut Memory) -> Lanes {
    let mut next = starts(groups);
    let mut rows = memory.lists.list::<T>(groups.len());
    for (row, &group) in rows.iter_mut().zip(groups) {
        let place = &mut next[usize::from(group)];
        *row = grouped[*place];
        *place += 1;
    }
    memory.lists.keep(grouped);
    T::store(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_formed_by_values_and_by_steps() {
        let grouping = Grouping { key: Key::Column(3), least: -1, last: 2 };
        assert_eq!(grouping.groups_of(&[i64::MIN, -1, 0, 1, 2, i64::MAX]), [0, 0, 1, 2, 2, 2]);
        assert_eq!(grouping.groups_of_steps(&[7, 6, 6, 9]), [1, 0, 1, 2]);
        let mut bytes = Vec::new();
        grouping.put(&mut bytes);
        assert_eq!(bytes, [4, 1, 2]);
        assert_eq!(Grouping::read(&mut Reader::new(&bytes)).unwrap(), grouping);
    }

    #[test]
    fn rows_come_back_from_their_groups() {
        let groups = [1, 2, 1, 2, 2, 1];
        let grouped = in_groups(&[7_i64, 0, 7, 3, 1, 8], &groups);
        assert_eq!(grouped, [7, 7, 8, 0, 3, 1]);
        let grouped = grouped.iter().map(|&value| value as u8).collect();
        let rows = in_rows::<u8>(grouped, &groups, &mut Memory::default());
        assert_eq!(rows, Lanes::U8(vec![7, 0, 7, 3, 1, 8]));
    }
}
