//! For each row of a large group, the number of its rows that satisfy comparisons with it: by sorting, where pairwise
//! comparison would take too long.
//!
//! ```text
//! a < b                   how many of the sorted a are below b
//! a < b and x < y         in the order of a: those passed so far, counted by the rank of x in a tree of partial sums
//! a = b                   a <= b, less a < b
//! ```
//!
//! **Invariant:** a row counts itself if it satisfies the comparisons; the caller subtracts it.

use crate::ir::Comparison;

/// A comparison of the rows' values as twins with their values as nodes.
#[derive(Clone)]
pub(super) struct Compared {
    pub(super) comparison: Comparison,
    pub(super) of_twin: Vec<u64>,
    pub(super) of_node: Vec<u64>,
}

/// For each row the number of rows among `is_twin` that satisfy all comparisons; `None` for more than two
/// comparisons.
pub(super) fn counts(compared: &[Compared], is_twin: &[bool]) -> Option<Vec<u32>> {
    for (place, condition) in compared.iter().enumerate() {
        let with = |comparison: Comparison| {
            let mut compared = compared.to_vec();
            compared[place].comparison = comparison;
            counts(&compared, is_twin)
        };
        match condition.comparison {
            Comparison::Equal => {
                return less(with(Comparison::LessEqual)?, &with(Comparison::Less)?);
            }
            Comparison::NotEqual => {
                let mut others = compared.to_vec();
                others.remove(place);
                return less(counts(&others, is_twin)?, &with(Comparison::Equal)?);
            }
            // Greater is less, counted from the other end.
            Comparison::Greater | Comparison::GreaterEqual => {
                let mut compared = compared.to_vec();
                let condition = &mut compared[place];
                condition.comparison = condition.comparison.mirrored();
                condition.of_twin.iter_mut().chain(&mut condition.of_node).for_each(|lane| *lane = !*lane);
                return counts(&compared, is_twin);
            }
            Comparison::Less | Comparison::LessEqual => {}
        }
    }
    match compared {
        [] => Some(vec![is_twin.iter().filter(|is_twin| **is_twin).count() as u32; is_twin.len()]),
        [condition] => Some(below(condition, is_twin)),
        [first, second] => Some(below_both(first, second, is_twin)),
        _ => None,
    }
}

fn less(mut counts: Vec<u32>, others: &[u32]) -> Option<Vec<u32>> {
    counts.iter_mut().zip(others).for_each(|(count, other)| *count -= other);
    Some(counts)
}

fn below(condition: &Compared, is_twin: &[bool]) -> Vec<u32> {
    let sorted = sorted(&condition.of_twin, is_twin);
    condition.of_node.iter().map(|node| rank(&sorted, condition.comparison, *node)).collect()
}

/// The number of sorted values that are less than one, or not greater.
fn rank(sorted: &[u64], comparison: Comparison, than: u64) -> u32 {
    sorted.partition_point(|number| comparison.holds(number.cmp(&than))) as u32
}

fn sorted(numbers: &[u64], is_twin: &[bool]) -> Vec<u64> {
    let twins = numbers.iter().zip(is_twin).filter(|(_, is_twin)| **is_twin);
    let mut sorted: Vec<u64> = twins.map(|(number, _)| *number).collect();
    sorted.sort_unstable();
    sorted
}

fn below_both(first: &Compared, second: &Compared, is_twin: &[bool]) -> Vec<u32> {
    let order = |numbers: &[u64], rows: &mut dyn Iterator<Item = u32>| {
        let mut order: Vec<(u64, u32)> = rows.map(|row| (numbers[row as usize], row)).collect();
        order.sort_unstable();
        order
    };
    let all = 0..is_twin.len() as u32;
    let twins = order(&first.of_twin, &mut all.clone().filter(|row| is_twin[*row as usize]));
    let nodes = order(&first.of_node, &mut all.clone());
    let of_second = sorted(&second.of_twin, is_twin);
    let mut passed = PartialSums(vec![0; of_second.len()]);
    let mut twins = twins.into_iter().peekable();
    let mut counts = vec![0; is_twin.len()];
    for (node, row) in nodes {
        while let Some((_, twin)) = twins.next_if(|(twin, _)| first.comparison.holds(twin.cmp(&node))) {
            passed.add(rank(&of_second, Comparison::Less, second.of_twin[twin as usize]));
        }
        counts[row as usize] =
            passed.before(rank(&of_second, second.comparison, second.of_node[row as usize]));
    }
    counts
}

/// Counts by index, and the number before an index (a Fenwick tree).
struct PartialSums(Vec<u32>);

impl PartialSums {
    fn add(&mut self, place: u32) {
        let mut place = place as usize;
        while let Some(sum) = self.0.get_mut(place) {
            *sum += 1;
            place |= place + 1;
        }
    }

    fn before(&self, place: u32) -> u32 {
        let (mut place, mut sum) = (place as usize, 0);
        while place > 0 {
            sum += self.0[place - 1];
            place &= place - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn comparison() -> impl Strategy<Value = Comparison> {
        select(Comparison::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn they_are_as_if_each_were_compared_with_each(
            rows in proptest::collection::vec((any::<bool>(), [0..6_u64, 0..6_u64, 0..6_u64, 0..6_u64]), 0..60),
            comparisons in proptest::collection::vec(comparison(), 0..3),
        ) {
            let is_twin: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let lane = |place: usize| rows.iter().map(|row| row.1[place].wrapping_sub(2)).collect::<Vec<u64>>();
            let compared: Vec<Compared> = comparisons.iter().enumerate().map(|(place, comparison)| {
                Compared { comparison: *comparison, of_twin: lane(2 * place), of_node: lane(2 * place + 1) }
            }).collect();
            let holds = |twin: usize, node: usize| {
                is_twin[twin] && compared.iter().all(|condition| condition.comparison.holds(condition.of_twin[twin].cmp(&condition.of_node[node])))
            };
            let plain: Vec<u32> =
                (0..rows.len()).map(|node| (0..rows.len()).filter(|twin| holds(*twin, node)).count() as u32).collect();
            prop_assert_eq!(counts(&compared, &is_twin), Some(plain));
        }
    }
}
