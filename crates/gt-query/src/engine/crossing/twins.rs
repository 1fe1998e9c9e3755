//! Twins: nodes of a tree with equal, known keys.
//!
//! ```text
//! gather   each node ──▶ its key, and what others read of it; equal ones of a key are one entry that counts them
//! tell     each node ──▶ its key ──▶ the aggregate over the entries, but for the node itself
//! ```
//!
//! **Invariant:** memory is proportional to the distinct entries; the cost of a node is that of the entries of its
//! key, or one step if the aggregate reads nothing of the node.

use std::collections::HashMap;

use crate::accumulator::{Accumulator, contribution};
use crate::evaluate::{Evaluated, Frame, evaluate};
use crate::ir::{Aggregate, AggregateId, Anchor, Expr, Field, Operand, Program, Scope, Step};
use crate::value::Value;

/// The number of entries that are searched linearly.
const FEW: usize = 16;

/// A node's role as a twin.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Member {
    pub(in crate::engine) key: Vec<Value>,
    pub(in crate::engine) node_id: u64,
    /// The values that twins read from the node, in the order of [`Twins::others`].
    pub(in crate::engine) read: Vec<Evaluated>,
}

/// The twins of a tree, for one aggregate over them.
pub(in crate::engine) struct Twins {
    keys: Vec<Expr>,
    /// The operands read of a twin, and of the node.
    pub(in crate::engine) others: Vec<Operand>,
    pub(in crate::engine) own: Vec<Operand>,
    groups: HashMap<Vec<Value>, Group>,
}

#[derive(Default)]
struct Group {
    entries: Vec<Entry>,
    /// The entries by the values read, if there are many.
    places: HashMap<Vec<Evaluated>, usize>,
    /// If the aggregate reads nothing of the node: the aggregates of the entries before each one, and from each one on.
    before: Vec<Accumulator>,
    after: Vec<Accumulator>,
}

/// Nodes of one key with the same values read.
struct Entry {
    read: Vec<Evaluated>,
    count: u64,
    /// The two smallest node_ids, and the two largest.
    first: [u64; 2],
    last: [u64; 2],
}

impl Twins {
    /// Makes the twins for an aggregate, if it is over twins.
    pub(super) fn of(program: &Program, aggregate: &Aggregate) -> Option<Self> {
        let Scope::Twin(twin) = aggregate.scope else { return None };
        let (others, own) = Self::operands(aggregate);
        Some(Self { keys: program.twins[twin.0].clone(), others, own, groups: HashMap::new() })
    }

    /// The operands that an aggregate reads of a twin, and of the node.
    pub(in crate::engine) fn operands(aggregate: &Aggregate) -> (Vec<Operand>, Vec<Operand>) {
        let (mut others, mut own) = (Vec::new(), Vec::new());
        for expr in aggregate.each() {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(operand) = leaf {
                    let list = if operand.anchor == Anchor::Other { &mut others } else { &mut own };
                    if !list.contains(operand) {
                        list.push(*operand);
                    }
                }
            });
        }
        (others, own)
    }

    /// The role of the frame's node as a twin; `None` if a key is unknown.
    pub(super) fn member(&self, node_id: u64, frame: &dyn Frame) -> Option<Member> {
        let key = self.key(frame)?;
        let here = |operand: &Operand| frame.read(Operand { anchor: Anchor::Node, ..*operand });
        Some(Member { key, node_id, read: self.others.iter().map(here).collect() })
    }

    fn key(&self, frame: &dyn Frame) -> Option<Vec<Value>> {
        self.keys.iter().map(|key| evaluate(key, frame).ok().flatten()).collect()
    }

    pub(super) fn add(&mut self, member: Member) {
        let group = self.groups.entry(member.key).or_default();
        let place = group.place(&member.read).unwrap_or_else(|| {
            let (first, last) = ([u64::MAX; 2], [0; 2]);
            group.entries.push(Entry { read: member.read, count: 0, first, last });
            group.entries.len() - 1
        });
        if group.entries.len() > FEW && group.places.len() < group.entries.len() {
            for (place, entry) in group.entries.iter().enumerate().skip(group.places.len()) {
                group.places.insert(entry.read.clone(), place);
            }
        }
        let (entry, id) = (&mut group.entries[place], member.node_id);
        entry.count += 1;
        match id {
            id if id < entry.first[0] => entry.first = [id, entry.first[0]],
            id if id < entry.first[1] => entry.first[1] = id,
            _ => {}
        }
        match id {
            id if entry.count == 1 => entry.last = [id, id],
            id if id > entry.last[0] => entry.last = [id, entry.last[0]],
            id if entry.count == 2 || id > entry.last[1] => entry.last[1] = id,
            _ => {}
        }
    }

    /// Finishes after all nodes have been added.
    pub(super) fn finish(&mut self, program: &Program, id: AggregateId) {
        if !self.own.is_empty() {
            return;
        }
        let aggregate = &program.aggregates[id.0];
        for group in self.groups.values_mut() {
            let entries = &group.entries;
            let others = self.others.as_slice();
            // The aggregates before each entry, in some order.
            let running = |entries: &mut dyn Iterator<Item = &Entry>| {
                let mut sum = Accumulator::new(aggregate);
                let each = entries.map(|entry| {
                    let before = sum.clone();
                    sum.merge(&entry.gathered(aggregate, others, &NoOwn, None));
                    before
                });
                each.collect::<Vec<_>>()
            };
            group.before = running(&mut entries.iter());
            group.after = running(&mut entries.iter().rev());
            group.after.reverse();
        }
    }

    /// The aggregate at the frame's node.
    pub(super) fn value(
        &self,
        program: &Program,
        id: AggregateId,
        node_id: u64,
        frame: &dyn Frame,
    ) -> Evaluated {
        // A key that overflows at this node leaves no answer; another node at which a key overflows is no twin.
        self.keys.iter().try_for_each(|key| evaluate(key, frame).map(drop))?;
        self.tell(program, id, self.member(node_id, frame), frame)
    }

    /// The aggregate at a node that was added as this member; `own` gives the values that the aggregate reads from it.
    pub(in crate::engine) fn tell(
        &self,
        program: &Program,
        id: AggregateId,
        member: Option<Member>,
        own: &dyn Frame,
    ) -> Evaluated {
        let aggregate = &program.aggregates[id.0];
        let mut sum = Accumulator::new(aggregate);
        let Some(member) = member else { return sum.value(aggregate.origin.0) };
        let Some(group) = self.groups.get(&member.key) else { return sum.value(aggregate.origin.0) };
        let place = group.place(&member.read).unwrap_or(usize::MAX);
        let add = |sum: &mut Accumulator, place_of: usize, entry: &Entry| {
            let without = (place_of == place).then_some(member.node_id);
            sum.merge(&entry.gathered(aggregate, &self.others, own, without));
        };
        if let (Some(before), Some(after)) = (group.before.get(place), group.after.get(place)) {
            sum.merge(before);
            sum.merge(after);
            add(&mut sum, place, &group.entries[place]);
        } else {
            group.entries.iter().enumerate().for_each(|(place_of, entry)| add(&mut sum, place_of, entry));
        }
        sum.value(aggregate.origin.0)
    }
}

impl Group {
    /// The index of the entry with these values.
    fn place(&self, read: &[Evaluated]) -> Option<usize> {
        if self.places.is_empty() {
            return self.entries.iter().position(|entry| entry.read == read);
        }
        self.places.get(read).copied()
    }
}

impl Entry {
    /// The contribution of the nodes of an entry to an aggregate, except one of them.
    fn gathered(
        &self,
        aggregate: &Aggregate,
        others: &[Operand],
        own: &dyn Frame,
        without: Option<u64>,
    ) -> Accumulator {
        let is_without = |id: u64| Some(id) == without;
        let first = if is_without(self.first[0]) { self.first[1] } else { self.first[0] };
        let last = if is_without(self.last[0]) { self.last[1] } else { self.last[0] };
        let mut sum = Accumulator::new(aggregate);
        let left = self.count - u64::from(without.is_some());
        if left == 0 {
            return sum;
        }
        let frame = |node_id: u64| EntryFrame { entry: self, others, own, node_id };
        let Some(given) = contribution(aggregate, &frame(first)) else { return sum };
        let mut of_last = Accumulator::new(aggregate);
        of_last.add(given);
        sum.merge_times(&of_last, left - 1);
        // The first node stands for all but one of them, and the last for that one, because `last` needs it.
        contribution(aggregate, &frame(last)).into_iter().for_each(|given| sum.add(given));
        sum
    }
}

/// The frame of a node from which nothing is read.
struct NoOwn;

impl Frame for NoOwn {
    fn read(&self, _: Operand) -> Evaluated {
        Ok(None)
    }
    fn aggregate(&self, _: AggregateId) -> Evaluated {
        Ok(None)
    }
}

/// A node, and one of its twins.
struct EntryFrame<'a> {
    entry: &'a Entry,
    others: &'a [Operand],
    own: &'a dyn Frame,
    node_id: u64,
}

impl Frame for EntryFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        if operand.anchor == Anchor::Node {
            return self.own.read(operand);
        }
        if let Some(place) = self.others.iter().position(|other| *other == operand) {
            return self.entry.read[place].clone();
        }
        // First and last are decided by the aggregate, not by the query.
        match operand {
            Operand { step: Step::Here, field: Field::NodeId, .. } => {
                Ok(Some(Value::Integer(self.node_id.into())))
            }
            _ => Ok(None),
        }
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        self.own.aggregate(id)
    }
}
