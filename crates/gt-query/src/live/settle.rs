//! Entering and leaving a node: values become known, matches are delivered, nodes are released.

use std::sync::Arc;

use super::moment::{Moment, reads_both};
use super::schedule::Work;
use super::store::{LiveFrame, Slot, Standing};
use super::{Live, Marks, Match};
use crate::accumulator::{Accumulator, contribution};
use crate::evaluate::{Evaluated, evaluate, passes};
use crate::ir::{AggregateId, Outcome, Scope};
use crate::value::Value;

impl Live {
    /// Prepares an entered node, and does the work that can be done at once.
    pub(super) fn begin(&mut self, slot: Slot) {
        let shared = self.schedule.items_shared;
        let queries = self.program.queries.len();
        let node = &mut self.store.nodes[slot];
        node.columns.resize(self.program.columns.len(), None);
        node.counters.extend(self.program.aggregates.iter().map(Accumulator::new));
        node.offers.resize(self.program.aggregates.len(), None);
        node.beside.resize(self.program.aggregates.len(), None);
        node.done.resize(self.schedule.items.len(), false);
        node.standings.resize(queries, Standing::Open(None));
        (node.pending, node.queries_open) = (shared + queries, queries);
        for place in 0..self.schedule.items_on_enter.len() {
            self.advance(self.schedule.items_on_enter[place], slot, Moment::ENTER);
        }
    }

    /// Fills in the values that are known when a node is left.
    pub(super) fn complete<'v>(
        &mut self,
        slot: Slot,
        values: impl Iterator<Item = Option<&'v Value>>,
        marks: Marks,
    ) {
        let node = &mut self.store.nodes[slot];
        node.values.resize(self.schedule.attributes_kept, None);
        for (value, place) in values.zip(&self.schedule.attribute_places) {
            if let Some(place) = place {
                node.values[*place] = match value {
                    Some(Value::Float(float)) => Value::float(*float),
                    other => other.cloned(),
                };
            }
        }
        node.left = true;
        node.unfinished = marks.unfinished;
        node.left_out = marks.left_out;
        node.left_out_below = node.left_out_below.saturating_add(marks.left_out);
        let (size, height, left_out) = (node.size, node.height, node.left_out_below);
        if let Some(parent) = node.parent {
            let parent = &mut self.store.nodes[parent];
            parent.size += size;
            parent.height = parent.height.max(height + 1);
            parent.left_out_below = parent.left_out_below.saturating_add(left_out);
        }
    }

    /// Does all work that leaving a node makes possible.
    pub(super) fn settle(&mut self, left: Slot) {
        let mut affected = std::mem::take(&mut self.affected);
        self.find_affected(left, &mut affected);
        for item in 0..self.schedule.items.len() {
            // Contributions to a parent or to earlier siblings go backward, everything else forward.
            let is_backward = match self.schedule.items[item].work {
                Work::Contribute(_) => true,
                Work::Beside(id) => self.program.aggregates[id.0].scope == Scope::After,
                Work::Offer(_) | Work::Path(_) | Work::Column(_) | Work::Hold(_) => false,
                Work::Check { .. } | Work::Deliver { .. } => false,
            };
            if is_backward {
                affected.iter().rev().for_each(|(slot, now)| self.advance(item, *slot, *now));
            } else {
                affected.iter().for_each(|(slot, now)| self.advance(item, *slot, *now));
            }
        }
        self.let_go(&affected);
        affected.clear();
        self.affected = affected;
    }

    /// The held nodes for which something can become known, in preorder, with the moment for each.
    fn find_affected(&self, left: Slot, affected: &mut Vec<(Slot, Moment)>) {
        if self.path.is_empty() {
            return self.store.region(left, u32::MAX, &mut |slot, _| affected.push((slot, Moment::END)));
        }
        let levels = self.schedule.levels;
        let previous = self.store.previous(left).filter(|_| self.schedule.waits_for_next);
        if let Some(previous) = previous {
            let moment = Moment::leave_after_ancestor;
            self.store.region(previous, levels, &mut |slot, level| affected.push((slot, moment(level))));
        }
        let moment = Moment::leave_of_ancestor;
        self.store.region(left, levels, &mut |slot, level| affected.push((slot, moment(level))));
    }

    /// Does an item for a node, if it is due and not done.
    fn advance(&mut self, index: usize, slot: Slot, now: Moment) {
        let item = self.schedule.items[index];
        if item.moment > now || self.store.nodes[slot].done[index] {
            return;
        }
        match item.work {
            Work::Contribute(id) => self.contribute(id, slot),
            Work::Offer(id) => {
                let offer = contribution(&self.program.aggregates[id.0], &self.frame(slot, None));
                self.store.nodes[slot].offers[id.0] = offer;
            }
            Work::Path(id) => self.extend_path(id, slot),
            Work::Beside(id) => self.look_beside(id, slot),
            Work::Hold(_) => {}
            Work::Column(id) => {
                if item.shared || self.store.nodes[slot].queries_open > 0 {
                    let value = evaluate(&self.program.columns[id.0].expr, &self.frame(slot, None));
                    self.store.nodes[slot].columns[id.0] = Some(value);
                }
            }
            Work::Check { query, filter } => self.check(query, filter, slot),
            Work::Deliver { query } => self.deliver(query, slot),
        }
        let node = &mut self.store.nodes[slot];
        node.done[index] = true;
        node.pending -= usize::from(item.shared);
    }

    fn frame(&self, node: Slot, child: Option<Slot>) -> LiveFrame<'_> {
        LiveFrame { store: &self.store, schedule: &self.schedule, program: &self.program, node, child }
    }

    /// Computes an aggregate over the siblings before or after a node.
    fn look_beside(&mut self, id: AggregateId, slot: Slot) {
        let (program, parent) = (Arc::clone(&self.program), self.store.nodes[slot].parent);
        let aggregate = &program.aggregates[id.0];
        let mut gathered = Accumulator::new(aggregate);
        let value = match parent {
            Some(_) if reads_both(aggregate) => {
                let is_before = aggregate.scope == Scope::Before;
                let beside = |slot: &Slot| {
                    let node = &self.store.nodes[*slot];
                    if is_before { node.previous } else { node.next }
                };
                let siblings = std::iter::successors(beside(&slot), beside);
                siblings.for_each(|sibling| gathered.take(aggregate, &self.frame(slot, Some(sibling))));
                gathered.value(aggregate.origin.0)
            }
            Some(parent) => {
                let contribution = contribution(aggregate, &self.frame(slot, Some(slot)));
                let gathered = &mut self.store.nodes[parent].counters[id.0];
                let value = gathered.value(aggregate.origin.0);
                contribution.into_iter().for_each(|contribution| gathered.add(contribution));
                value
            }
            None => gathered.value(aggregate.origin.0),
        };
        self.store.nodes[slot].beside[id.0] = Some(value);
    }

    /// Counts a node in its parent's aggregate, or in the tree's; the root has no parent.
    fn contribute(&mut self, id: AggregateId, slot: Slot) {
        let aggregate = &self.program.aggregates[id.0];
        if aggregate.scope == Scope::Tree {
            let contribution = contribution(aggregate, &self.frame(slot, None));
            contribution.into_iter().for_each(|contribution| self.store.tree[id.0].add(contribution));
            return;
        }
        let Some(parent) = self.store.nodes[slot].parent else { return };
        let of_child = aggregate.scope == Scope::Child;
        let frame = if of_child { self.frame(parent, Some(slot)) } else { self.frame(slot, None) };
        let contribution = contribution(aggregate, &frame);
        if !of_child && let Ok([node, parent]) = self.store.nodes.get_disjoint_mut([slot, parent]) {
            parent.counters[id.0].merge(&node.counters[id.0]);
        }
        if let Some(contribution) = contribution {
            self.store.nodes[parent].counters[id.0].add(contribution);
        }
    }

    /// Makes a node's aggregate over ancestors from its parent's; the root's is empty.
    fn extend_path(&mut self, id: AggregateId, slot: Slot) {
        let Some(parent) = self.store.nodes[slot].parent else { return };
        let mut counter = self.store.nodes[parent].counters[id.0].clone();
        if let Some(offer) = self.store.nodes[parent].offers[id.0].clone() {
            counter.add(offer);
        }
        self.store.nodes[slot].counters[id.0] = counter;
    }

    fn check(&mut self, query: usize, filter: usize, slot: Slot) {
        let Standing::Open(before) = self.store.nodes[slot].standings[query] else { return };
        match passes(&self.program.queries[query].filters[filter].1, &self.frame(slot, None)) {
            Ok(true) => {}
            Ok(false) => self.close(query, slot),
            Err(overflow) => {
                let overflow = before.map_or(overflow, |before| before.min(overflow));
                self.store.nodes[slot].standings[query] = Standing::Open(Some(overflow));
            }
        }
    }

    fn close(&mut self, query: usize, slot: Slot) {
        let node = &mut self.store.nodes[slot];
        node.standings[query] = Standing::Closed;
        node.pending -= 1;
        node.queries_open -= 1;
    }

    fn deliver(&mut self, query: usize, slot: Slot) {
        let Standing::Open(overflow) = self.store.nodes[slot].standings[query] else { return };
        self.close(query, slot);
        let node_id = self.store.nodes[slot].node_id;
        if let Some(overflow) = overflow {
            return self.collectors[query].fail(overflow.at(node_id));
        }
        self.matches[query] += 1;
        // Field by field, so that the frame and the collector can be borrowed at the same time.
        let (store, schedule, program) = (&self.store, &self.schedule, &*self.program);
        let frame = LiveFrame { store, schedule, program, node: slot, child: None };
        self.collectors[query].add(program, node_id, &frame);
        if self.callback.is_some() {
            let found = Match { query, node_id, cells: self.cells(query, slot) };
            self.callback.iter_mut().for_each(|callback| callback(&found));
        }
    }

    fn cells(&self, query: usize, slot: Slot) -> Vec<Evaluated> {
        let Outcome::Rows { columns, .. } = &self.program.queries[query].outcome else { return Vec::new() };
        let frame = self.frame(slot, None);
        columns.iter().map(|column| evaluate(&column.expr, &frame)).collect()
    }

    /// Releases nodes that nothing will read again.
    fn let_go(&mut self, affected: &[(Slot, Moment)]) {
        let mut candidates = std::mem::take(&mut self.candidates);
        for (slot, _) in affected {
            let node = &self.store.nodes[*slot];
            candidates.extend([node.first, node.last, node.previous, node.next].into_iter().flatten());
            candidates.push(*slot);
            // A node that comes or goes can release siblings as far away as relatives are read.
            let far = self.schedule.reads.previous.max(self.schedule.reads.last_children) as usize;
            candidates.extend(self.store.siblings_before(*slot).take(far));
        }
        while let Some(slot) = candidates.pop() {
            if self.is_done_with(slot) {
                let node = &self.store.nodes[slot];
                candidates.extend([node.parent, node.previous, node.next].into_iter().flatten());
                self.store.remove(slot);
            }
        }
        self.candidates = candidates;
    }

    /// Whether neither the node itself nor a relative has work left that reads it.
    fn is_done_with(&self, slot: Slot) -> bool {
        let node = &self.store.nodes[slot];
        let reads = self.schedule.reads;
        if !node.held || !node.is_settled() || node.first.is_some() {
            return false;
        }
        let is_settled = |slot: Slot| self.store.nodes[slot].is_settled();
        let index_of = |slot: &Slot| self.store.nodes[*slot].index;
        let (mut more_may_come, mut kept_for_parent) = (false, false);
        if let Some(parent) = node.parent.map(|parent| &self.store.nodes[parent]) {
            more_may_come = !parent.left && parent.children <= node.index.saturating_add(reads.previous);
            let at_end = node.index < reads.first_children
                || node.index.saturating_add(reads.last_children) >= parent.children;
            kept_for_parent = at_end && !parent.is_settled();
        }
        let after = self.store.siblings_after(slot);
        let mut readers_after = after.take_while(|next| index_of(next) - node.index <= reads.previous);
        let before = self.store.siblings_before(slot);
        let mut readers_before = before.take_while(|previous| node.index - index_of(previous) <= reads.next);
        let kept_for_next = (reads.previous > 0 && more_may_come) || !readers_after.all(is_settled);
        !(kept_for_next || kept_for_parent || !readers_before.all(is_settled))
    }
}
