//! A column of a block that is being encoded, and the results of transforms of it.

use std::ops::Range;

use super::coding::Transform;
use super::extremes::Extremes;
use super::grouped::{Grouping, Key};
use super::integer::{Integer, Width};
use super::missing;
use super::narrow::Narrow;
use super::needs::Needs;
use super::plan::CHUNK;

/// The block that a column belongs to, and what the column can be encoded against.
#[derive(Clone, Copy)]
pub(crate) struct Siblings<'a> {
    /// The column's own number.
    pub(crate) number: usize,
    /// All columns of the block.
    pub(crate) columns: &'a [Narrow],
    /// The least and the greatest integer of each column.
    pub(crate) extremes: &'a [(i64, i64)],
    /// For each column whether it lacks values: a reader does not find the values here in their place, so nothing may depend on such a
    /// column.
    pub(crate) lacking: &'a [bool],
    /// What the columns with smaller numbers need.
    pub(crate) needs: &'a Needs,
    /// Every row's distance from the root.
    pub(crate) plies: &'a Narrow,
    /// The greatest distance.
    pub(crate) ply_max: i64,
}

impl<'a> Siblings<'a> {
    /// The column with this number, if every row has its value and a reader can decode it first.
    pub(super) fn whole(&self, number: usize) -> Option<&'a Narrow> {
        let lacks = self.lacking.get(number).copied().unwrap_or(false);
        let column = self.columns.get(number).filter(|_| !lacks)?;
        self.needs.allow(self.number, number).then_some(column)
    }
}

/// A column to encode, with what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) column: &'a Narrow,
    /// The least and the greatest of its integers.
    pub(crate) ends: (i64, i64),
    /// The rows that lack a value and may get any value between the ends, as bits; empty if there are none.
    pub(crate) missing: &'a [u64],
    pub(crate) siblings: Siblings<'a>,
}

impl Values<'_> {
    pub(super) fn rows(&self) -> usize {
        self.column.len()
    }

    /// The type that holds the result of a transform of the column.
    pub(super) fn width(&self, transform: Transform) -> Width {
        let (least, most) = (i128::from(self.ends.0), i128::from(self.ends.1));
        let ply = i128::from(self.siblings.ply_max);
        Width::of(match transform {
            Transform::Delta => (least.min(least - most), most.max(most - least)),
            Transform::Alternating => {
                let most = 2 * least.abs().max(most.abs());
                (-most, most)
            }
            Transform::PlyDelta => (least.min(least - most - ply), most.max(most - least) + ply),
            Transform::Relative(other) => match self.siblings.extremes.get(other) {
                Some(&(other_least, other_most)) => {
                    (least - i128::from(other_most), most - i128::from(other_least))
                }
                None => return Width::I64,
            },
            Transform::Plain
            | Transform::Dictionary
            | Transform::ListedDictionary
            | Transform::Ply
            | Transform::Constant => (least, most),
        })
    }

    /// Fills a list with the transform of the column, and returns its extremes; `None` if the column has no such transform.
    pub(super) fn transform<T: Integer>(&self, transform: Transform, out: &mut Vec<T>) -> Option<(i64, i64)> {
        out.clear();
        let mut extremes = Extremes::OF_NOTHING;
        for start in (0..self.rows()).step_by(CHUNK) {
            self.put(transform, start..self.rows().min(start + CHUNK), out)?;
            // The integers are in the nearest cache now.
            extremes.look_at(&out[start..]);
        }
        Some(extremes.ends())
    }

    /// The transform of the values of some chunks.
    pub(super) fn sampled(&self, transform: Transform) -> Option<Vec<i64>> {
        let mut integers = Vec::new();
        for rows in sample(self.rows()) {
            self.put(transform, rows, &mut integers)?;
        }
        Some(integers)
    }

    /// Appends the transform of these rows, at most a chunk; `None` if there is no such transform.
    fn put<T: Integer>(&self, transform: Transform, rows: Range<usize>, out: &mut Vec<T>) -> Option<()> {
        // Differences are between a row and the previous one; the first row has none.
        let from_before = rows.start.saturating_sub(1)..rows.end;
        let mut memory = [T::default(); CHUNK + 1];
        let values = self.column.read(from_before.clone(), &mut memory);
        let following = values.get(1..)?;
        match transform {
            Transform::Plain => out.extend_from_slice(&values[rows.start - from_before.start..]),
            Transform::Delta => {
                out.extend(values.first().filter(|_| rows.start == 0));
                out.extend(following.iter().zip(values).map(|(after, &before)| after.minus(before)));
            }
            Transform::Alternating => {
                out.extend(values.first().filter(|_| rows.start == 0));
                let start = out.len();
                out.extend(following.iter().zip(values).map(|(after, &before)| after.plus(before)));
                negate_every_other(&mut out[start..], from_before.start.is_multiple_of(2));
            }
            Transform::PlyDelta if self.has_plies() => {
                let mut memory = [T::default(); CHUNK + 1];
                let plies = self.siblings.plies.read(from_before, &mut memory);
                let sums = |place: usize| values[place].plus(plies[place]);
                if rows.start == 0 {
                    out.push(sums(0));
                }
                let steps = following.iter().zip(values).map(|(after, &before)| after.minus(before));
                let ply_steps = plies[1..].iter().zip(plies).map(|(after, &before)| after.minus(before));
                out.extend(steps.zip(ply_steps).map(|(step, ply_step)| step.plus(ply_step)));
            }
            Transform::Relative(other) if other < self.siblings.number => {
                let mut memory = [T::default(); CHUNK];
                let others = self.siblings.whole(other)?.read(rows.clone(), &mut memory);
                self.put_differences(&values[rows.start - from_before.start..], others, rows, out);
            }
            Transform::PlyDelta
            | Transform::Relative(_)
            | Transform::Dictionary
            | Transform::ListedDictionary
            | Transform::Ply
            | Transform::Constant => {
                return None;
            }
        }
        Some(())
    }

    /// Appends the differences from another column; a row that lacks a value gets the one with the smallest difference.
    fn put_differences<T: Integer>(&self, values: &[T], others: &[T], rows: Range<usize>, out: &mut Vec<T>) {
        let start = out.len();
        out.extend(values.iter().zip(others).map(|(value, &other)| value.minus(other)));
        if self.missing.is_empty() {
            return;
        }
        let (least, most) = self.ends;
        for row in rows.clone().filter(|row| missing::contains(self.missing, *row)) {
            let place = row - rows.start;
            let other: i64 = others[place].into();
            out[start + place] = T::of(other.clamp(least, most).wrapping_sub(other));
        }
    }

    /// The group of each row; `None` if the key cannot be decoded first.
    pub(super) fn groups(&self, grouping: Grouping) -> Option<Vec<u8>> {
        let mut memory = Vec::new();
        match grouping.key {
            Key::PlySteps => {
                self.has_plies().then(|| grouping.groups_of_steps(self.siblings.plies.wide(&mut memory)))
            }
            Key::Column(number) => Some(grouping.groups_of(self.siblings.whole(number)?.wide(&mut memory))),
        }
    }

    /// Whether the plies are known when the column is decoded: they follow from the sizes, which are the first column.
    pub(super) fn has_plies(&self) -> bool {
        self.siblings.number > 0 && self.siblings.plies.len() == self.rows()
    }

    /// Whether every row's integer is its distance from the root.
    pub(super) fn are_plies(&self) -> bool {
        self.has_plies()
            && (0..self.rows()).step_by(CHUNK).all(|start| {
                let rows = start..self.rows().min(start + CHUNK);
                let (mut own, mut plies) = ([0_i64; CHUNK], [0_i64; CHUNK]);
                self.column.read(rows.clone(), &mut own) == self.siblings.plies.read(rows, &mut plies)
            })
    }
}

/// Negates every other integer, starting with the first or the second.
fn negate_every_other<T: Integer>(integers: &mut [T], first: bool) {
    let negated = |integer: T| T::default().minus(integer);
    // In pairs, so that the compiler uses vectors.
    let (pairs, rest) = integers.as_chunks_mut::<2>();
    if first {
        pairs.iter_mut().for_each(|pair| *pair = [negated(pair[0]), pair[1]]);
        rest.iter_mut().for_each(|integer| *integer = negated(*integer));
    } else {
        pairs.iter_mut().for_each(|pair| *pair = [pair[0], negated(pair[1])]);
    }
}

/// The number of chunks of a block on which the candidates are tried.
const SAMPLE_CHUNKS: usize = 4;

/// The rows of some chunks of a column.
pub(super) fn sample(rows: usize) -> impl Iterator<Item = Range<usize>> {
    let chunks = rows.div_ceil(CHUNK);
    let step = chunks.div_ceil(SAMPLE_CHUNKS).max(1);
    (0..chunks).step_by(step).map(move |chunk| chunk * CHUNK..rows.min((chunk + 1) * CHUNK))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Siblings<'static> {
        /// The siblings of a column without a block.
        pub(crate) const fn none() -> Self {
            static NEEDS: Needs = Needs::none();
            static NO_PLIES: Narrow = Narrow::I16(Vec::new());
            Self {
                number: 0,
                columns: &[],
                extremes: &[],
                lacking: &[],
                needs: &NEEDS,
                plies: &NO_PLIES,
                ply_max: 0,
            }
        }
    }
}
