//! A choice of how to encode a column, and the column encoded in that way.

use super::coding::{Coder, Coding, Transform};
use super::dictionary::Dictionary;
use super::grouped::{Key, in_groups};
use super::integer::{Integer, with_width};
use super::narrow::with_list;
use super::run::Run;
use super::values::Values;
use super::workbench::Workbench;

/// One way to encode a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) transform: Transform,
    pub(super) coding: Coding,
}

impl Choice {
    pub(super) const PLAIN: Self = Self { transform: Transform::Plain, coding: Coding::whole(Coder::Packed) };

    /// The columns that must be decoded before a column with this encoding.
    pub(super) fn needs(self) -> Vec<usize> {
        let mut needs = Vec::new();
        if let Transform::Relative(other) = self.transform {
            needs.push(other);
        }
        match self.coding.grouping.map(|grouping| grouping.key) {
            Some(Key::Column(other)) => needs.push(other),
            Some(Key::PlySteps) | None => {}
        }
        needs
    }

    /// Appends the column in this encoding. `None` if the column has no such encoding; the bytes appended by then are of no use.
    pub(super) fn put(self, values: Values<'_>, out: &mut Vec<u8>, bench: &mut Workbench) -> Option<()> {
        let groups = match self.coding.grouping {
            Some(grouping) => Some(values.groups(grouping)?),
            None => None,
        };
        let groups = groups.as_deref();
        Run::put_transform(out, self.transform);
        match self.transform {
            Transform::Dictionary => {
                let dictionary = Dictionary::build(values.column, values.ends, bench)?;
                let ends = Run::put_before_codes(out, &dictionary.values);
                with_list!(dictionary.codes, codes => {
                    self.put_integers(&codes, ends, groups, out, bench);
                    bench.integers.keep(codes);
                });
            }
            Transform::Ply => return values.are_plies().then_some(()),
            Transform::Constant | Transform::ListedDictionary => return None,
            Transform::Plain => {
                with_list!(values.column, list => self.put_integers(list, values.ends, groups, out, bench));
            }
            Transform::Relative(_) | Transform::Delta | Transform::Alternating | Transform::PlyDelta => {
                with_width!(values.width(self.transform), T => self.put_transformed::<T>(values, groups, out, bench))?;
            }
        }
        Some(())
    }

    /// The column alone in this encoding, if it has such an encoding.
    pub(super) fn encoded(self, values: Values<'_>, bench: &mut Workbench) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(values.rows() + 64);
        self.put(values, &mut bytes, bench).map(|()| bytes)
    }

    fn put_transformed<T: Integer>(
        self,
        values: Values<'_>,
        groups: Option<&[u8]>,
        out: &mut Vec<u8>,
        bench: &mut Workbench,
    ) -> Option<()> {
        let mut integers = bench.integers.take::<T>();
        let ends = values.transform(self.transform, &mut integers)?;
        if !matches!(self.transform, Transform::Relative(_)) {
            Run::put_before_deltas(out, values.ends);
        }
        self.put_integers(&integers, ends, groups, out, bench);
        bench.integers.keep(integers);
        Some(())
    }

    fn put_integers<T: Integer>(
        self,
        integers: &[T],
        ends: (i64, i64),
        groups: Option<&[u8]>,
        out: &mut Vec<u8>,
        bench: &mut Workbench,
    ) {
        match groups {
            Some(groups) => Run::put_integers(out, &in_groups(integers, groups), ends, self.coding, bench),
            None => Run::put_integers(out, integers, ends, self.coding, bench),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::grouped::Grouping;
    use crate::columns::memory::Memory;
    use crate::columns::narrow::Narrow;
    use crate::columns::values::Siblings;
    use crate::columns::{Decoded, Question, RunContext, Selected, extremes, missing};
    use crate::wire::Wire;

    struct Beside {
        column: Vec<i64>,
        plies: Vec<i64>,
    }

    impl RunContext for Beside {
        fn column(&mut self, _: usize) -> Wire<Vec<i64>> {
            Ok(self.column.clone())
        }
        fn plies(&mut self) -> Wire<Vec<i64>> {
            Ok(self.plies.clone())
        }
    }

    /// Integers of any width, up to the limits of narrower lists.
    fn integers() -> impl Strategy<Value = Vec<i64>> {
        let values = |large: BoxedStrategy<i64>| {
            let value = prop_oneof![20 => Just(3_i64), 8 => -4..4_i64, 2 => -900..900_i64, 1 => large];
            proptest::collection::vec(value, 1..2500)
        };
        prop_oneof![
            values((-4..4_i64).boxed()),
            values(any::<i16>().prop_map(i64::from).boxed()),
            values(any::<i32>().prop_map(i64::from).boxed()),
            values(any::<i64>().boxed()),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
        #[test]
        fn every_choice_comes_back(values in integers(), others in integers(), other in any::<i64>(), low in -10..10_i64, span in 0..900_i64, last in any::<u8>()) {
            let rows = values.len();
            let beside = Beside {
                column: others.iter().copied().cycle().take(rows).collect(),
                plies: others.iter().map(|other| other & 31).cycle().take(rows).collect(),
            };
            let narrow = |values: &[i64]| {
                let mut narrow = Narrow::default();
                narrow.append(values, extremes(values));
                narrow
            };
            let (columns, plies) = ([narrow(&beside.column)], narrow(&beside.plies));
            let ends = [extremes(&beside.column)];
            let siblings = Siblings { number: 1, columns: &columns, extremes: &ends, plies: &plies, ply_max: 31, ..Siblings::none() };
            let own = narrow(&values);
            let column = Values { column: &own, ends: extremes(&values), missing: &[], siblings };
            let (mut context, mut bench) = (beside, Workbench::default());
            let transforms = [Transform::Plain, Transform::Dictionary, Transform::Delta, Transform::Alternating, Transform::PlyDelta, Transform::Relative(0)];
            for transform in transforms {
                for coder in [Coder::Packed, Coder::Centred, Coder::Raw, Coder::Planes] {
                    for (usual, key) in [(None, None), (Some(0), Some(Key::PlySteps)), (Some(3), None), (Some(other), Some(Key::Column(0))), (None, Some(Key::Column(0)))] {
                        // A code is a place in its dictionary.
                        let usual = usual.filter(|usual| transform != Transform::Dictionary || *usual == 0);
                        let grouping = key.map(|key| Grouping { key, least: low, last });
                        let choice = Choice { transform, coding: Coding { coder, usual, grouping } };
                        let Some(bytes) = choice.encoded(column, &mut bench) else { continue };
                        let decoded = Run::decode(&bytes, 1, rows, &mut context, &mut Memory::default()).unwrap();
                        prop_assert_eq!(&decoded.widened(rows), &values, "{:?}", choice);
                        for question in [Question::Within(low, low + span), Question::Within(i64::MIN, low), Question::AnyBit(6)] {
                            let mut words = vec![0; rows.div_ceil(64)];
                            let selected = Run::select(&bytes, (1, rows), (question, None), &mut words, &mut context, &mut Memory::default()).unwrap();
                            let passes = |row: usize| match &selected {
                                Selected::Marked => words[row / 64] >> (row % 64) & 1 == 1,
                                Selected::Decoded(decoded) => question.of(decoded.get(row)),
                            };
                            prop_assert!((0..rows).all(|row| passes(row) == question.of(values[row])), "{:?} {:?}", choice, question);
                        }
                    }
                }
            }
        }

        #[test]
        fn rows_that_lack_a_value_change_no_other(values in integers(), others in integers(), missing in any::<u64>()) {
            let rows = values.len();
            let others = others.iter().copied().cycle().take(rows).collect::<Vec<i64>>();
            let columns = [Narrow::from(others.clone())];
            let words = vec![missing; rows.div_ceil(64)];
            let mut filled = values.clone();
            missing::fill(&mut filled, &words);
            let ends = extremes(&filled);
            let other_ends = [extremes(&others)];
            let siblings = Siblings { number: 1, columns: &columns, extremes: &other_ends, ..Siblings::none() };
            let own = Narrow::from(filled);
            let column = Values { column: &own, ends, missing: &words, siblings };
            let choice = Choice { transform: Transform::Relative(0), coding: Coding { usual: Some(0), ..Coding::whole(Coder::Centred) } };
            let mut bench = Workbench::default();
            let mut context = Beside { column: others, plies: Vec::new() };
            let bytes = choice.encoded(column, &mut bench).unwrap();
            let decoded: Decoded = Run::decode(&bytes, 1, rows, &mut context, &mut Memory::default()).unwrap();
            for (row, expected) in values.into_iter().enumerate() {
                let value = decoded.get(row);
                prop_assert!(missing::contains(&words, row) || value == expected);
                prop_assert!(ends.0 <= value && value <= ends.1);
            }
        }
    }
}
