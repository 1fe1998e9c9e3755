//! Relations and pairs.

use super::*;
use crate::syntax::ast::Comparison;

/// Whether the rows of each segment form trees that fill it.
fn is_forest(sizes: &[u32], regions: &Regions) -> bool {
    regions.segments.iter().all(|region| {
        let mut starts: Vec<usize> = Vec::new();
        (region.first_start..=region.last_row).all(|row| {
            let Some(start) = (row + 1).checked_sub(sizes[row] as usize) else { return false };
            while starts.last().is_some_and(|&other| other > start) {
                starts.pop();
            }
            let fits = start >= region.first_start && start <= row;
            // Below the row there are only whole trees: one of them starts where it does.
            let fits = fits && (start == row || starts.pop() == Some(start));
            starts.push(start);
            fits
        })
    })
}

/// Nodes, in the order of entering.
#[derive(Clone, Debug, Default)]
struct Names(Vec<usize>);

impl State for Names {
    fn join(mut self, later: Self) -> Self {
        self.0.extend(later.0);
        self
    }
}

impl Cut {
    /// Folds the block upward.
    fn folded<S: State>(
        &self,
        of_subtree: bool,
        own: impl Fn(usize) -> S,
        leaves: impl Fn(Range<usize>) -> S,
        found: impl FnMut(usize, &S),
    ) -> Result<(), usize> {
        let mut branches = Bitmap::default();
        branches.pack(&self.block_sizes, |size| u8::from(size > 1));
        let segments = self.regions.segments.iter();
        let segments = segments.map(|region| region.first_start..region.last_row + 1).collect();
        Forest { sizes: &self.block_sizes, branches: &branches, segments }
            .fold(of_subtree, own, leaves, found)
    }
}

/// Whether two numbers compare in this way; NaN never does.
fn holds<T: PartialOrd>(comparison: Comparison, a: T, b: T) -> bool {
    a.partial_cmp(&b).is_some_and(|order| match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
    })
}

proptest! {
    #[test]
    fn relations_are_those_of_the_tree(cut in cuts(300)) {
        let relations = cut.relations().expect("a sound block");
        let (heights, of_parents) = relations.heights();
        let (indexes, last) = (relations.indexes(), relations.last_children());
        let height = |row: usize| {
            let depth = |row: usize| cut.relatives(row, Scope::Path).len();
            cut.relatives(row, Scope::Subtree).into_iter().map(|other| depth(other) - depth(row)).max().unwrap_or(0)
        };
        for (row, at) in cut.inner() {
            let (before, after) = (cut.relatives(row, Scope::Before), cut.relatives(row, Scope::After));
            prop_assert_eq!(cut.row(relations.parents()[at]), cut.parents[row]);
            prop_assert_eq!(cut.row(relations.previous()[at]), before.last().copied());
            prop_assert_eq!(cut.row(relations.next()[at]), after.first().copied());
            prop_assert_eq!(cut.row(relations.first_children()[at]), cut.children[row].first().copied());
            prop_assert_eq!(cut.row(last[at]), cut.children[row].last().copied());
            prop_assert_eq!(indexes[at], before.len() as i64);
            prop_assert_eq!(heights[at] as usize, height(row));
        }
        for &at in &cut.regions.closed {
            for relative in [relations.parents(), relations.previous(), relations.next(), relations.first_children(), &last] {
                prop_assert_eq!(relative[at], NOBODY);
            }
        }
        for (tops, found) in cut.tops.iter().zip(of_parents) {
            prop_assert_eq!(tops.iter().map(|&top| height(top) + 1).max(), Some(found as usize));
        }
    }

    #[test]
    fn sizes_that_make_no_forest_are_found(
        cut in cuts(60),
        place in any::<prop::sample::Index>(),
        size in prop_oneof![0..9_u32, any::<u32>(), Just(u32::MAX)],
        is_near in any::<bool>(),
    ) {
        prop_assume!(!cut.block.is_empty());
        let mut broken = cut.clone();
        let place = place.index(cut.block.len());
        let near = broken.block_sizes[place].wrapping_add(size % 5).wrapping_sub(2);
        broken.block_sizes[place] = if is_near { near } else { size };
        let is_forest = is_forest(&broken.block_sizes, &broken.regions);
        prop_assert_eq!(broken.relations().is_ok(), is_forest);
        let none = |_| Names::default();
        prop_assert_eq!(broken.folded(false, none, |_| Names::default(), |_, _| ()).is_ok(), is_forest);
    }

    #[test]
    fn what_is_folded_upward_is_in_the_order_of_entering(cut in cuts(300), of_subtree in any::<bool>()) {
        let scope = if of_subtree { Scope::Subtree } else { Scope::Child };
        let mut found = vec![Vec::new(); cut.block.len()];
        let own = |row: usize| Names(vec![cut.block.start + row]);
        let leaves = |rows: Range<usize>| Names(rows.map(|row| cut.block.start + row).collect());
        cut.folded(of_subtree, own, leaves, |row, names| found[row] = names.0.clone()).expect("a sound block");
        for (row, at) in cut.inner() {
            prop_assert_eq!(&found[at], &cut.relatives(row, scope));
        }
    }

    #[test]
    fn siblings_are_counted_by_comparison(
        cut in cuts(300),
        numbers in values(prop::sample::select(vec![f64::NAN, -0.0, 0.0, 1.0, 2.5, 3.0, -7.0, f64::INFINITY])),
        is_before in any::<bool>(),
        comparison in prop::sample::select(Comparison::ALL.to_vec()),
    ) {
        let relations = cut.relations().expect("a sound block");
        let scope = if is_before { Scope::Before } else { Scope::After };
        // The nodes by place, and where those of each segment's siblings in other blocks are.
        let mut nodes: Vec<usize> = cut.block.clone().collect();
        let mut elsewhere = Vec::new();
        for segment in 0..cut.tops.len() {
            let start = nodes.len();
            nodes.extend(cut.start_of(segment, scope));
            elsewhere.push(start..nodes.len());
        }
        let mut taken = Bitmap::default();
        taken.pack(&nodes, |node| u8::from(numbers.is_taken(node)));
        let siblings = Siblings { relations: &relations, is_before, elsewhere: &elsewhere, taken: &taken };
        // The numbers read of the sibling and of the node need not be the same.
        let of_siblings: Vec<f64> = nodes.iter().map(|&node| numbers.value(node)).collect();
        let of_rows: Vec<f64> = cut.block.clone().map(|node| numbers.value(node + 1)).collect();
        let compared = siblings.count_compared(comparison, &of_siblings, &of_rows);
        let whole = |numbers: &[f64]| numbers.iter().map(|number| *number as i64).collect::<Vec<_>>();
        let of_integers = siblings.count_compared(comparison, &whole(&of_siblings), &whole(&of_rows));
        let all = siblings.count();
        for (row, at) in cut.inner() {
            let others = numbers.of(&cut.relatives(row, scope));
            let count = |to: f64| others.iter().filter(|other| holds(comparison, **other, to)).count() as i64;
            prop_assert_eq!(compared[at], count(of_rows[at]));
            let to = of_rows[at] as i64;
            let holding = others.iter().filter(|other| holds(comparison, **other as i64, to)).count();
            prop_assert_eq!(of_integers[at], holding as i64);
            prop_assert_eq!(all[at], others.len() as i64);
        }
    }

    #[test]
    fn pairs_are_those_of_the_families(cut in cuts(300), is_before in any::<bool>()) {
        let relations = cut.relations().expect("a sound block");
        let scope = if is_before { Scope::Before } else { Scope::After };
        let ghost = |row: usize| (cut.block.len() + row) as u32;
        let ghosts = |segment| cut.start_of(segment, scope).into_iter().map(ghost).collect();
        let ghosts: Vec<Vec<u32>> = (0..cut.tops.len()).map(ghosts).collect();
        let mut pairs = Pairs::new(&relations, is_before, &ghosts);
        let (mut nodes, mut siblings) = (Vec::new(), Vec::new());
        let mut found = vec![Vec::new(); cut.block.len()];
        while pairs.next_batch(&mut nodes, &mut siblings) {
            prop_assert!(nodes.len() == siblings.len() && nodes.len() <= 4096);
            for (&node, &sibling) in nodes.iter().zip(&siblings) {
                found[node as usize].extend(cut.row(sibling));
            }
        }
        for (row, at) in cut.inner() {
            found[at].sort_unstable();
            prop_assert_eq!(&found[at], &cut.relatives(row, scope));
        }
    }
}
