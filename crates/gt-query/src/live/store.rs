//! The held nodes: the open path, and those still needed beside it.
//!
//! Held siblings are linked; two linked siblings are neighbours only if their indices are consecutive.

use std::cell::OnceCell;

use crate::accumulator::{Accumulator, Contribution};
use crate::evaluate::{Evaluated, Frame};
use crate::ir::{AggregateId, Anchor, Field, Operand, Program, Scope, Step};
use crate::line::Line;
use crate::live::schedule::Schedule;
use crate::value::{Overflow, Value};
use crate::vocabulary::Structure;

/// An index in the store.
pub(super) type Slot = usize;

/// The state of a query at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Undecided; an overflow in one filter is ignored if another filter is not true.
    Open(Option<Overflow>),
    /// Rejected or delivered.
    Closed,
}

/// A held node.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveNode {
    pub(super) parent: Option<Slot>,
    pub(super) previous: Option<Slot>,
    pub(super) next: Option<Slot>,
    pub(super) first: Option<Slot>,
    pub(super) last: Option<Slot>,
    pub(super) held: bool,
    pub(super) left: bool,
    pub(super) node_id: u64,
    pub(super) ply: u64,
    pub(super) index: u64,
    pub(super) last_move: i64,
    pub(super) size: u64,
    pub(super) height: u64,
    pub(super) children: u64,
    pub(super) unfinished: bool,
    pub(super) left_out: u64,
    /// Nodes left out in the whole subtree.
    pub(super) left_out_below: u64,
    /// The moves that lead to it, computed on demand.
    pub(super) line: OnceCell<Line>,
    /// The attributes that are read.
    pub(super) values: Vec<Option<Value>>,
    /// The derived columns computed so far.
    pub(super) columns: Vec<Option<Evaluated>>,
    /// The aggregates at this node, so far.
    pub(super) counters: Vec<Accumulator>,
    /// The node's contributions to its descendants' aggregates over ancestors; `None` if the filter is not
    /// true.
    pub(super) offers: Vec<Option<Result<Contribution, Overflow>>>,
    /// The aggregates over siblings at this node, if they are computed.
    pub(super) beside: Vec<Option<Evaluated>>,
    /// Whether each item is done.
    pub(super) done: Vec<bool>,
    pub(super) standings: Vec<Standing>,
    /// The number of unfinished items that others need, and of undecided queries.
    pub(super) pending: usize,
    pub(super) queries_open: usize,
}

impl LiveNode {
    /// Whether no work is left for it.
    pub(super) const fn is_settled(&self) -> bool {
        self.left && self.pending == 0
    }
}

/// The held nodes.
#[derive(Default)]
pub(super) struct Store {
    pub(super) nodes: Vec<LiveNode>,
    /// The aggregates over all nodes of the tree, so far.
    pub(super) tree: Vec<Accumulator>,
    free: Vec<Slot>,
}

impl Store {
    pub(super) fn new(program: &Program) -> Self {
        Self { tree: program.aggregates.iter().map(Accumulator::new).collect(), ..Self::default() }
    }

    /// The number of held nodes.
    pub(super) fn held(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Adds a node as the last child of `parent`.
    pub(super) fn add(&mut self, parent: Option<Slot>, node_id: u64, last_move: i64) -> Slot {
        let slot = self.free.pop().unwrap_or(self.nodes.len());
        if slot == self.nodes.len() {
            self.nodes.push(LiveNode::default());
        }
        let (mut index, mut ply, mut previous) = (0, 0, None);
        if let Some(parent) = parent {
            let parent = &mut self.nodes[parent];
            (index, ply) = (parent.children, parent.ply + 1);
            parent.children += 1;
            previous = parent.last.replace(slot);
            parent.first = parent.first.or(Some(slot));
        }
        if let Some(previous) = previous {
            self.nodes[previous].next = Some(slot);
        }
        let node = &mut self.nodes[slot];
        // The lists keep the memory of the slot's previous node.
        node.values.clear();
        node.columns.clear();
        node.counters.clear();
        node.offers.clear();
        node.beside.clear();
        node.done.clear();
        node.standings.clear();
        let emptied = std::mem::take(node);
        *node = LiveNode {
            parent,
            previous,
            next: None,
            first: None,
            last: None,
            held: true,
            left: false,
            node_id,
            ply,
            index,
            last_move,
            size: 1,
            height: 0,
            children: 0,
            unfinished: false,
            left_out: 0,
            left_out_below: 0,
            line: OnceCell::new(),
            pending: 0,
            queries_open: 0,
            ..emptied
        };
        slot
    }

    /// Removes a node that has no held children.
    pub(super) fn remove(&mut self, slot: Slot) {
        let LiveNode { parent, previous, next, .. } = self.nodes[slot];
        match previous {
            Some(previous) => self.nodes[previous].next = next,
            None => {
                if let Some(parent) = parent {
                    self.nodes[parent].first = next;
                }
            }
        }
        match next {
            Some(next) => self.nodes[next].previous = previous,
            None => {
                if let Some(parent) = parent {
                    self.nodes[parent].last = previous;
                }
            }
        }
        self.nodes[slot].held = false;
        self.free.push(slot);
    }

    /// The held siblings before a node, nearest first.
    pub(super) fn siblings_before(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        std::iter::successors(self.nodes[slot].previous, |slot| self.nodes[*slot].previous)
    }

    /// The held siblings after a node, nearest first.
    pub(super) fn siblings_after(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        std::iter::successors(self.nodes[slot].next, |slot| self.nodes[*slot].next)
    }

    /// The previous sibling, if it is held.
    pub(super) fn previous(&self, slot: Slot) -> Option<Slot> {
        self.sibling(slot, -1)
    }

    /// The sibling this many places after a node, if it is held.
    fn sibling(&self, slot: Slot, places: i32) -> Option<Slot> {
        self.at_index(slot, self.nodes[slot].index.checked_add_signed(places.into())?)
    }

    /// The child at this index (from the end if negative), if it is held.
    fn child(&self, slot: Slot, place: i32) -> Option<Slot> {
        let node = &self.nodes[slot];
        match u64::try_from(place) {
            Ok(index) => self.at_index(node.first?, index),
            Err(_) => self.at_index(node.last?, node.children.checked_add_signed(place.into())?),
        }
    }

    /// The sibling at this index, if it is held; between two held siblings, some may be missing.
    fn at_index(&self, from: Slot, index: u64) -> Option<Slot> {
        let is_before = |slot: Slot| index < self.nodes[slot].index;
        let backward = is_before(from);
        let mut at = from;
        while self.nodes[at].index != index {
            if is_before(at) != backward {
                return None;
            }
            at = if backward { self.nodes[at].previous? } else { self.nodes[at].next? };
        }
        Some(at)
    }

    /// Visits the held nodes from `top` down to `levels`, including itself, in preorder, with their levels.
    pub(super) fn region(&self, top: Slot, levels: u32, visit: &mut dyn FnMut(Slot, u32)) {
        let (mut at, mut level) = (top, 0);
        loop {
            visit(at, level);
            if let Some(child) = self.nodes[at].first.filter(|_| level < levels) {
                (at, level) = (child, level + 1);
                continue;
            }
            while at != top && self.nodes[at].next.is_none() {
                let Some(parent) = self.nodes[at].parent else { return };
                (at, level) = (parent, level - 1);
            }
            match self.nodes[at].next {
                Some(next) if at != top => at = next,
                _ => return,
            }
        }
    }

    /// The moves to a node. Each node on the way keeps its own line, so that all lines together take one step per node.
    fn line(&self, slot: Slot) -> Line {
        let above = std::iter::successors(Some(slot), |slot| self.nodes[*slot].parent);
        let without: Vec<Slot> = above.take_while(|slot| self.nodes[*slot].line.get().is_none()).collect();
        for &slot in without.iter().rev() {
            let node = &self.nodes[slot];
            // The root's own move, if any, leads to the root and not from it.
            let line = node.parent.map_or_else(Line::default, |parent| {
                let before = self.nodes[parent].line.get().cloned().unwrap_or_default();
                before.then(node.last_move)
            });
            node.line.get_or_init(|| line);
        }
        self.nodes[slot].line.get().cloned().unwrap_or_default()
    }
}

/// A held node, and in an aggregate over children a child of it.
pub(super) struct LiveFrame<'a> {
    pub(super) store: &'a Store,
    pub(super) schedule: &'a Schedule,
    pub(super) program: &'a Program,
    pub(super) node: Slot,
    pub(super) child: Option<Slot>,
}

impl Frame for LiveFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let anchor = match operand.anchor {
            Anchor::Node => Some(self.node),
            Anchor::Other => self.child,
        };
        let slot = anchor.and_then(|slot| self.step(slot, operand.step));
        slot.map_or(Ok(None), |slot| self.field(slot, operand.field))
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let (node, aggregate) = (&self.store.nodes[self.node], &self.program.aggregates[id.0]);
        match aggregate.scope {
            Scope::Child | Scope::Subtree | Scope::Path => node.counters[id.0].value(aggregate.origin.0),
            Scope::Before | Scope::After => node.beside[id.0].clone().unwrap_or(Ok(None)),
            Scope::Tree => self.store.tree[id.0].value(aggregate.origin.0),
            Scope::Twin(_) | Scope::Matches => Ok(None),
        }
    }
}

impl LiveFrame<'_> {
    fn step(&self, slot: Slot, step: Step) -> Option<Slot> {
        let parent = |slot: Slot| self.store.nodes[slot].parent;
        match step {
            Step::Here => Some(slot),
            Step::Parent => parent(slot),
            Step::Grandparent => parent(slot).and_then(parent),
            Step::Sibling(places) => self.store.sibling(slot, places),
            Step::Child(place) => self.store.child(slot, place),
        }
    }

    fn field(&self, slot: Slot, field: Field) -> Evaluated {
        let node = &self.store.nodes[slot];
        let value = match field {
            Field::Attribute(position) => {
                let place = self.schedule.attribute_places.get(position).copied().flatten();
                debug_assert!(node.left, "an attribute was read before its node was left");
                return Ok(place.and_then(|place| node.values.get(place).cloned().flatten()));
            }
            Field::Column(id) => {
                debug_assert!(node.columns[id.0].is_some(), "a column was read before it was computed");
                return node.columns[id.0].clone().unwrap_or(Ok(None));
            }
            Field::LastMove => i128::from(node.last_move),
            Field::NodeId => node.node_id.into(),
            Field::Structure(structure) => match structure {
                Structure::Line => return Ok(Some(Value::Line(self.store.line(slot)))),
                Structure::Unfinished => return Ok(Some(Value::Boolean(node.unfinished))),
                Structure::Parent => {
                    let parent = node.parent.map(|parent| self.store.nodes[parent].node_id);
                    return Ok(parent.map(|id| Value::Integer(id.into())));
                }
                Structure::Ply => node.ply.into(),
                Structure::Size => node.size.into(),
                Structure::Height => node.height.into(),
                Structure::Children => node.children.into(),
                Structure::Index => node.index.into(),
                Structure::LeftOut => node.left_out.into(),
                Structure::Total => i128::from(node.size) + i128::from(node.left_out_below),
            },
        };
        Ok(Some(Value::Integer(value)))
    }
}
