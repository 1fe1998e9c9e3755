//! The moves of a tree's root: what each is worth, and the line that says so.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::Subject;
use crate::bound::{Bound, whole};
use crate::error::Answer;
use crate::nodes::Node;

/// The maximum number of root moves in an answer: those with the largest subtrees.
const MOVES_MAX: usize = 256;
/// The maximum number of moves in a root move's line.
const LINE_MAX: usize = 16;
/// The maximum number of replies that are read to find the one that gives a node its value.
const REPLIES_MAX: u64 = 400;

/// The moves of a root, in the order of the search.
pub(crate) struct RootMoves {
    pub(super) moves: Vec<KnownMove>,
    /// How many there are in all.
    pub(super) count: u64,
    /// Whether a child's value is as its own player sees it, with the other sign.
    pub(super) turned: bool,
}

pub(super) struct KnownMove {
    pub(super) node: Node,
    /// The value in the log, from the view of the player to move there.
    value: Option<i128>,
    bound: Option<Bound>,
    pub(super) alpha: Option<i128>,
    pub(super) beta: Option<i128>,
    /// The nodes of the line that gives the value, this one first, and their moves.
    pub(super) line: Vec<(Node, i64)>,
}

impl KnownMove {
    /// The value and what it is, as the player at the root sees them.
    pub(super) fn seen_from_root(&self, turned: bool) -> (Option<i128>, Option<Bound>) {
        if !turned {
            return (self.value, self.bound);
        }
        let other = |bound| match bound {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        };
        (self.value.map(|value| -value), self.bound.map(other))
    }
}

/// What a node says of itself.
#[derive(Clone, Copy, Default)]
struct NodeValue {
    value: Option<i128>,
    alpha: Option<i128>,
    beta: Option<i128>,
}

impl RootMoves {
    pub(crate) fn of(subject: &mut Subject<'_>) -> Answer<Self> {
        let root = subject.nodes.root()?;
        let (nodes, count) = largest(subject, root)?;
        let own = told(subject, root.row)?;
        let mut turned = true;
        let mut moves = Vec::with_capacity(nodes.len());
        for (place, &node) in nodes.iter().enumerate() {
            let child = told(subject, node.row)?;
            if place == 0 {
                turned = is_turned(own, child);
            }
            moves.push(KnownMove {
                node,
                value: child.value,
                bound: subject.bound(node.row)?,
                alpha: child.alpha,
                beta: child.beta,
                line: Vec::new(),
            });
        }
        for known in &mut moves {
            known.line = line(subject, known.node, turned)?;
        }
        Ok(Self { moves, count, turned })
    }
}

/// Whether windows change sides from ply to ply, as they do unless the first child has its parent's.
fn is_turned(root: NodeValue, child: NodeValue) -> bool {
    let is_same = |a: Option<i128>, b: Option<i128>| a.is_some() && a == b;
    let changes = is_same(child.alpha, root.beta.map(|beta| -beta))
        || is_same(child.beta, root.alpha.map(|alpha| -alpha));
    changes || !(is_same(child.alpha, root.alpha) || is_same(child.beta, root.beta))
}

/// The largest children, in the order of the search, and how many there are.
fn largest(subject: &mut Subject<'_>, root: Node) -> Answer<(Vec<Node>, u64)> {
    let mut kept: BinaryHeap<Reverse<(u64, Reverse<u64>, u64)>> = BinaryHeap::new();
    let mut count = 0;
    subject.nodes.children_backward(root, |children| {
        count += children.count;
        // Of a run of leaves, the first are as good as any.
        for back in children.count.saturating_sub(MOVES_MAX as u64)..children.count {
            let node = children.back(back);
            kept.push(Reverse((node.size, Reverse(node.id), node.row)));
            if kept.len() > MOVES_MAX {
                kept.pop();
            }
        }
        ControlFlow::Continue(())
    })?;
    let mut nodes: Vec<Node> =
        kept.into_iter().map(|Reverse((size, Reverse(id), row))| Node { row, id, size }).collect();
    nodes.sort_by_key(|node| node.id);
    Ok((nodes, count))
}

/// The nodes from one on that give it its value, and their moves.
fn line(subject: &mut Subject<'_>, first: Node, turned: bool) -> Answer<Vec<(Node, i64)>> {
    let mut node = first;
    let mut line = Vec::new();
    loop {
        let code = subject.nodes.last_move(node.row)?;
        line.push((node, code));
        if node.size == 1 || line.len() == LINE_MAX {
            return Ok(line);
        }
        let Some(value) = told(subject, node.row)?.value else { return Ok(line) };
        match reply(subject, node, if turned { -value } else { value })? {
            Some(next) => node = next,
            None => return Ok(line),
        }
    }
}

/// The first child with this value.
fn reply(subject: &mut Subject<'_>, parent: Node, value: i128) -> Answer<Option<Node>> {
    let count = subject.nodes.child_count(parent)?;
    for child in subject.nodes.children(parent, count, 0..count.min(REPLIES_MAX))? {
        if told(subject, child.row)?.value == Some(value) {
            return Ok(Some(child));
        }
    }
    Ok(None)
}

fn told(subject: &mut Subject<'_>, row: u64) -> Answer<NodeValue> {
    let Some(window) = subject.window else { return Ok(NodeValue::default()) };
    let mut read = |place| -> Answer<Option<i128>> { Ok(whole(&subject.nodes.value(row, place)?)) };
    Ok(NodeValue { value: read(window.value)?, alpha: read(window.alpha)?, beta: read(window.beta)? })
}
