//! Aggregates over siblings that read both the node and the sibling, pair by pair.

use std::ops::Range;

use super::Scanner;
use crate::accumulator::{Accumulator, Many};
use crate::engine::Failure;
use crate::engine::bits::Bitmap;
use crate::engine::crossing::JointId;
use crate::engine::folds::{Pairs, Siblings};
use crate::engine::scan::graph::{Conditions, Fold, Number, NumberId, Part, TakenPairs, Test, TestId};
use crate::engine::vector::Vector;
use crate::ir::Scope;
use crate::syntax::ast::Comparison;
use crate::vocabulary::Function;

impl Scanner<'_> {
    /// Computes an aggregate over siblings that reads both the node and the sibling, pair by pair if necessary.
    pub(super) fn fold_of_pairs(
        &mut self,
        id: NumberId,
        fold: &Fold,
        out: &mut Vector,
    ) -> Result<(), Failure> {
        self.relations()?;
        self.load_for_pairs(fold)?;
        let ghosts = self.sibling_ghosts(fold.scope);
        let rows = self.rows();
        let taken = self.compiled.taken_pairs[id].as_ref();
        if let Some(taken) = taken
            && !self.known_relations().has_few_pairs()
        {
            return self.fold_of_taken(id, fold, taken, &ghosts, out);
        }
        // A few pairs are looked at one by one, until they turn out to be many.
        let mut pairs_left = if taken.is_some() { 2 * rows } else { usize::MAX };
        let mut pairs = Pairs::new(self.known_relations(), fold.scope == Scope::Before, &ghosts);
        let mut counts = vec![0_i64; rows];
        let mut states: Vec<Option<Accumulator>> =
            vec![None; if fold.function == Function::Count { 0 } else { rows }];
        // The sums and extremes of integers, in place of a state for each row.
        let mut sums: Vec<Many> = Vec::new();
        let ids = self.ids_for(fold)?;
        let [mut nodes, mut siblings] = std::mem::take(&mut self.pairs);
        nodes.clear();
        siblings.clear();
        while pairs.next_batch(&mut nodes, &mut siblings) {
            if let Some(taken) = taken
                && nodes.len() > pairs_left
            {
                return self.fold_of_taken(id, fold, taken, &ghosts, out);
            }
            pairs_left -= nodes.len();
            self.pairs = [nodes, siblings];
            self.forget_pairs();
            self.test(fold.take)?;
            for number in [fold.argument, fold.second].into_iter().flatten() {
                self.operand(number)?;
            }
            fold.second_known.map_or(Ok(()), |known| self.test(known))?;
            let take = &self.buffers.tests[fold.take];
            // A test that holds for all pairs, or for none, has no lane per pair.
            let all = self.holds_always(fold.take);
            let is_taken = |pair: usize| all || (self.compiled.test_of_pairs[fold.take] && take.get(pair));
            if fold.function == Function::Count {
                for (pair, &node) in self.pairs[0].iter().enumerate() {
                    counts[node as usize] += i64::from(is_taken(pair));
                }
                [nodes, siblings] = std::mem::take(&mut self.pairs);
                continue;
            }
            if let Some(lanes) = self.integers_to_add(fold) {
                sums.resize(rows, Many::default());
                let added = self.pairs[0].iter().zip(lanes).enumerate().filter(|(pair, _)| is_taken(*pair));
                added.for_each(|(_, (&node, &value))| sums[node as usize].add_integer(value, 1));
                [nodes, siblings] = std::mem::take(&mut self.pairs);
                continue;
            }
            for (pair, &node) in self.pairs[0].iter().enumerate().filter(|(pair, _)| is_taken(*pair)) {
                let sibling = self.pairs[1][pair] as usize;
                let contribution = self.contribution(fold, pair, self.sibling_id(&ids, sibling));
                if let Some(aggregate) = fold.id.map(|id| &self.program.aggregates[id.0]) {
                    states[node as usize]
                        .get_or_insert_with(|| Accumulator::new(aggregate))
                        .add(Ok(contribution));
                }
            }
            [nodes, siblings] = std::mem::take(&mut self.pairs);
        }
        self.pairs = [nodes, siblings];
        if fold.function == Function::Count {
            *out = Vector::Integer(counts);
        } else if let Some(aggregate) = fold.id {
            for (state, sum) in states.iter_mut().zip(sums) {
                *state = Some(Accumulator::new(&self.program.aggregates[aggregate.0]));
                state.iter_mut().for_each(|state| state.add_many(sum));
            }
            let mut known = std::mem::take(&mut self.buffers.has_value[id]);
            self.read_states(id, aggregate, states.into_iter(), out, &mut known);
            self.buffers.has_value[id] = known;
        }
        Ok(())
    }

    /// The integers of the pairs, if a fold only sums them or takes their minimum or maximum.
    fn integers_to_add(&self, fold: &Fold) -> Option<&[i64]> {
        let adds = matches!(fold.function, Function::Sum | Function::Avg | Function::Min | Function::Max);
        let argument = fold.argument.filter(|number| adds && self.compiled.number_of_pairs[*number])?;
        match self.vector(argument) {
            Vector::Integer(lanes) => Some(lanes),
            Vector::Wide(_) | Vector::Float(_) | Vector::Text(_) => None,
        }
    }

    /// The ids of all rows, if the fold distinguishes nodes.
    fn ids_for(&mut self, fold: &Fold) -> Result<Vec<u64>, Failure> {
        let needs_ids = fold.function.tells_nodes_apart();
        if needs_ids { self.ids_of(&(0..self.rows() as u32).collect::<Vec<_>>()) } else { Ok(Vec::new()) }
    }

    /// The id of a sibling in this block or in another one.
    fn sibling_id(&self, ids: &[u64], sibling: usize) -> u64 {
        let elsewhere =
            || self.ghosts.get(sibling.wrapping_sub(self.rows())).map_or(0, |joint| self.ghost_id(*joint));
        ids.get(sibling).copied().unwrap_or_else(elsewhere)
    }

    /// Computes an aggregate over siblings without looking at each pair.
    fn fold_of_taken(
        &mut self,
        id: NumberId,
        fold: &Fold,
        taken: &TakenPairs,
        ghosts: &[Vec<u32>],
        out: &mut Vector,
    ) -> Result<(), Failure> {
        let elsewhere = self.pair_with_themselves(ghosts);
        if fold.function != Function::Count {
            return self.gather_taken(id, fold, &taken.all, &elsewhere, out);
        }
        let mut counts = self.count_taken(fold.scope, &taken.all, None, &elsewhere)?;
        if let Some(except) = &taken.except {
            let fulfilled = self.count_taken(fold.scope, &taken.all, Some(except), &elsewhere)?;
            counts.iter_mut().zip(fulfilled).for_each(|(count, fulfilled)| *count -= fulfilled);
        }
        *out = Vector::Integer(counts);
        Ok(())
    }

    /// Pairs each node with itself, to compute what reads only one node of a pair. Returns, by segment, the places of
    /// the siblings in other blocks.
    fn pair_with_themselves(&mut self, ghosts: &[Vec<u32>]) -> Vec<Range<usize>> {
        let rows = self.rows();
        let mut places = (0..rows as u32).collect::<Vec<_>>();
        let mut elsewhere = Vec::with_capacity(ghosts.len());
        for ghosts in ghosts {
            elsewhere.push(places.len()..places.len() + ghosts.len());
            places.extend(ghosts);
        }
        let mut nodes = places.clone();
        nodes[rows..].fill(0);
        self.pairs = [nodes, places];
        self.forget_pairs();
        elsewhere
    }

    /// Counts each row's pairs that fulfil `conditions` and, if given, `more`; at most one of the two has a comparison.
    fn count_taken(
        &mut self,
        scope: Scope,
        conditions: &Conditions,
        more: Option<&Conditions>,
        elsewhere: &[Range<usize>],
    ) -> Result<Vec<i64>, Failure> {
        let both: Vec<&Conditions> = [Some(conditions), more].into_iter().flatten().collect();
        let compared = self.load_conditions(&both)?;
        let taken = self.holding(&both, |conditions| &conditions.of_sibling);
        let siblings = self.siblings(scope, elsewhere, &taken);
        let numbers = compared.map(|(by, sibling, node)| (by, self.vector(sibling), self.vector(node)));
        let mut counts = match numbers {
            None => siblings.count(),
            Some((comparison, Vector::Integer(of_siblings), Vector::Integer(of_rows))) => {
                siblings.count_compared(comparison, of_siblings, of_rows)
            }
            Some((comparison, Vector::Float(of_siblings), Vector::Float(of_rows))) => {
                siblings.count_compared(comparison, of_siblings, of_rows)
            }
            Some((_, a, b)) => unreachable!("{:?} and {:?} are not compared by ranks", a.kind(), b.kind()),
        };
        if both.iter().any(|conditions| !conditions.of_node.is_empty()) {
            let nodes = self.holding(&both, |conditions| &conditions.of_node);
            counts.iter_mut().enumerate().for_each(|(row, count)| *count *= i64::from(nodes.get(row)));
        }
        Ok(counts)
    }

    /// Aggregates, for each row, the siblings that fulfil some conditions.
    fn gather_taken(
        &mut self,
        id: NumberId,
        fold: &Fold,
        conditions: &Conditions,
        elsewhere: &[Range<usize>],
        out: &mut Vector,
    ) -> Result<(), Failure> {
        let Some(aggregate) = fold.id else { return Ok(()) };
        let compared = self.load_conditions(&[conditions])?;
        for number in [fold.argument, fold.second].into_iter().flatten() {
            self.operand(number)?;
        }
        fold.second_known.map_or(Ok(()), |known| self.test(known))?;
        let ids = self.ids_for(fold)?;
        let taken = self.holding(&[conditions], |conditions| &conditions.of_sibling);
        let own = |(place, &sibling): (usize, &u32)| {
            taken.get(place).then(|| {
                let mut own = Accumulator::new(&self.program.aggregates[aggregate.0]);
                own.add(Ok(self.contribution(fold, place, self.sibling_id(&ids, sibling as usize))));
                own
            })
        };
        let own: Vec<Option<Accumulator>> = self.pairs[1].iter().enumerate().map(own).collect();
        let siblings = self.siblings(fold.scope, elsewhere, &taken);
        let numbers = compared.map(|(by, sibling, node)| (by, self.vector(sibling), self.vector(node)));
        let mut found = match numbers {
            None => siblings.gather(&own),
            Some((comparison, Vector::Integer(of_siblings), Vector::Integer(of_rows))) => {
                siblings.gather_compared(comparison, (of_siblings, of_rows), &own)
            }
            Some((comparison, Vector::Float(of_siblings), Vector::Float(of_rows))) => {
                siblings.gather_compared(comparison, (of_siblings, of_rows), &own)
            }
            Some((_, a, b)) => unreachable!("{:?} and {:?} are not compared by ranks", a.kind(), b.kind()),
        };
        if !conditions.of_node.is_empty() {
            let nodes = self.holding(&[conditions], |conditions| &conditions.of_node);
            let others = found.iter_mut().enumerate().filter(|(row, _)| !nodes.get(*row));
            others.for_each(|(_, found)| *found = None);
        }
        let mut known = std::mem::take(&mut self.buffers.has_value[id]);
        self.read_states(id, aggregate, found.into_iter(), out, &mut known);
        self.buffers.has_value[id] = known;
        Ok(())
    }

    /// Computes conditions, and returns the comparison that one of them may have.
    fn load_conditions(
        &mut self,
        all: &[&Conditions],
    ) -> Result<Option<(Comparison, NumberId, NumberId)>, Failure> {
        for test in all.iter().flat_map(|conditions| conditions.of_sibling.iter().chain(&conditions.of_node))
        {
            self.test(*test)?;
        }
        let compared = all.iter().find_map(|conditions| conditions.compared);
        if let Some((_, of_sibling, of_node)) = compared {
            self.number(of_sibling)?;
            self.number(of_node)?;
        }
        Ok(compared)
    }

    /// The places at which all tests of a list hold.
    fn holding(&self, all: &[&Conditions], list: fn(&Conditions) -> &Vec<TestId>) -> Bitmap {
        let mut holding = Bitmap::default();
        holding.fill(self.pairs[0].len(), true);
        let tests = all.iter().flat_map(|conditions| list(conditions));
        tests.for_each(|test| holding.and(&self.buffers.tests[*test]));
        holding
    }

    fn siblings<'a>(
        &'a self,
        scope: Scope,
        elsewhere: &'a [Range<usize>],
        taken: &'a Bitmap,
    ) -> Siblings<'a> {
        Siblings { relations: self.known_relations(), is_before: scope == Scope::Before, elsewhere, taken }
    }

    /// Computes the values that pairs read from rows. This comes first, since such values may need pairs themselves,
    /// and only some pairs are loaded at a time.
    fn load_for_pairs(&mut self, fold: &Fold) -> Result<(), Failure> {
        let compiled = self.compiled;
        let roots = |visit: &mut dyn FnMut(Part)| Number::Fold(fold.clone()).each(visit);
        let mut needed = Vec::new();
        compiled.each_below(roots, &mut |part| match part {
            Part::Number(number) if compiled.number_of_pairs[number] => {
                if let Number::Of(_, inner, _) = compiled.numbers[number] {
                    needed.push(Part::Number(inner));
                }
            }
            Part::Test(test) if compiled.test_of_pairs[test] => {
                if let Test::Of(_, inner, ..) = compiled.tests[test] {
                    needed.push(Part::Test(inner));
                }
            }
            Part::Number(_) | Part::Test(_) => {}
        });
        needed.into_iter().try_for_each(|part| match part {
            Part::Number(number) => self.number(number),
            Part::Test(test) => self.test(test),
        })
    }

    fn ghost_id(&self, joint: JointId) -> u64 {
        self.elsewhere.details.joint(joint).node_id()
    }

    /// Drops the values of the previous pairs.
    fn forget_pairs(&mut self) {
        let (compiled, done) = (self.compiled, &mut self.buffers.done);
        let numbers = done.numbers.iter_mut().zip(&compiled.number_of_pairs);
        let tests = done.tests.iter_mut().zip(&compiled.test_of_pairs);
        numbers.chain(tests).for_each(|(done, of_pairs)| *done &= !of_pairs);
    }

    /// The siblings of each segment's nodes in other blocks, before or after them.
    fn sibling_ghosts(&mut self, scope: Scope) -> Vec<Vec<u32>> {
        let (block, details) = (self.shape.block, self.elsewhere.details);
        let segments = self.shape.regions.segments.clone();
        let mut ghosts = Vec::with_capacity(segments.len());
        for (place, region) in segments.iter().enumerate() {
            let first = details.segments(block).get(place).map(|segment| segment.first_index as usize);
            let children = region.parent.map(|parent| details.children(parent));
            let beside = match (first, children, scope) {
                (Some(first), Some(children), Scope::Before) => children.get(..first),
                (Some(first), Some(children), _) => children.get(first + region.count..),
                _ => None,
            };
            ghosts
                .push(beside.unwrap_or_default().iter().map(|joint| self.ghost(*joint as JointId)).collect());
        }
        ghosts
    }
}
