//! `/api/moment`: the search as it stood when it had entered so many nodes.
//!
//! ```text
//! node_ids are in the order of entering:   0 … after-1 had been entered, the line to after-1 was open
//! a child of the root is known once it is left; the window that the next child is given says what the root had then
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::Subject;
use super::root_moves::{KnownMove, RootMoves};
use crate::bound::{Bound, whole};
use crate::error::{Answer, Refusal};
use crate::values::{self, Scalar};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MomentAnswer {
    generation: u64,
    nodes: u64,
    after: u64,
    /// The node that was entered last.
    node: u64,
    ply: u64,
    open: Vec<OpenNode>,
    open_omitted: u64,
    root: RootValue,
    moves: Vec<RootMove>,
    moves_count: u64,
}

/// A node that was open.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OpenNode {
    node: u64,
    ply: u64,
    text: String,
    alpha: Scalar,
    beta: Scalar,
}

/// What was known at the root, as the player at the root sees it.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RootValue {
    best: Option<u64>,
    value: Scalar,
    bound: Option<Bound>,
    alpha: Scalar,
    beta: Scalar,
}

/// A move of the root.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RootMove {
    node: u64,
    text: String,
    /// Nodes entered so far.
    nodes: u64,
    open: bool,
    /// As the player at the root sees it, as the bound.
    value: Scalar,
    bound: Option<Bound>,
    line: Vec<String>,
}

/// The maximum number of open nodes in an answer: the deepest ones.
const OPEN_MAX: usize = 100;

/// How the search stood after entering so many nodes; after all of them where no number is given.
pub(crate) fn moment(
    subject: &mut Subject<'_>,
    after: Option<u64>,
    moves: &Arc<RootMoves>,
) -> Answer<MomentAnswer> {
    let nodes = subject.tree.nodes();
    let end = after.unwrap_or(nodes);
    if end < 1 || end > nodes {
        return Err(Refusal::bad("after", format!("`after` is from 1 to {nodes}, not {end}")));
    }
    let located = subject.nodes.locate(end - 1)?;
    let is_over = end == nodes;
    let line: Vec<_> = located.line().zip(0..).collect();
    let first = line.len().saturating_sub(OPEN_MAX);
    let codes = subject.codes_to(&located)?;
    let mut open = Vec::new();
    for &(node, ply) in line[first..].iter().filter(|_| !is_over) {
        let code = subject.nodes.last_move(node.row)?;
        let [alpha, beta] = window_of(subject, node.row)?;
        let before = &codes[..codes.len().min((ply as usize).saturating_sub(1))];
        let text = subject.name_at(ply, before, node, code)?;
        open.push(OpenNode { node: node.id, ply, text, alpha, beta });
    }
    let current = line.get(1).map(|(node, _)| node.id);
    let entered = moves.moves.iter().filter(|known| known.node.id < end);
    let then = entered.map(|known| move_then(subject, known, end, is_over, moves.turned));
    let then = then.collect::<Answer<Vec<_>>>()?;
    let root = root_then(subject, &then, moves, current, is_over)?;
    Ok(MomentAnswer {
        generation: subject.opened.generation,
        nodes,
        after: end,
        node: end - 1,
        ply: located.ply(),
        open,
        open_omitted: if is_over { 0 } else { first as u64 },
        root,
        moves: then,
        moves_count: moves.count,
    })
}

fn move_then(
    subject: &mut Subject<'_>,
    known: &KnownMove,
    after: u64,
    is_over: bool,
    turned: bool,
) -> Answer<RootMove> {
    let end = known.node.id + known.node.size;
    let open = !is_over && end >= after;
    let (value, bound) = if open { (None, None) } else { known.seen_from_root(turned) };
    let shown = if open { &known.line[..known.line.len().min(1)] } else { &known.line };
    let (mut before, mut line) = (Vec::with_capacity(shown.len()), Vec::with_capacity(shown.len()));
    for &(node, code) in shown {
        line.push(subject.name(&before, node, code)?);
        before.push(code);
    }
    Ok(RootMove {
        node: known.node.id,
        text: line.first().cloned().unwrap_or_default(),
        nodes: end.min(after) - known.node.id,
        open,
        value: number(value),
        bound,
        line,
    })
}

/// The best of what had been searched, and the window that the move under search was given.
fn root_then(
    subject: &mut Subject<'_>,
    then: &[RootMove],
    moves: &RootMoves,
    current: Option<u64>,
    is_over: bool,
) -> Answer<RootValue> {
    let root = subject.nodes.root()?;
    let [mut alpha, beta] = window_of(subject, root.row)?;
    let is_reached = |known: &&RootMove| known.bound.is_some_and(|bound| bound != Bound::Upper);
    // Of equal moves the first was kept; one that was searched again, with its exact value.
    let rank = |known: &RootMove| {
        (
            known.value.number().unwrap_or(f64::NEG_INFINITY),
            known.bound.is_some_and(|bound| bound == Bound::Exact),
        )
    };
    let mut best: Option<&RootMove> = None;
    for known in last_known(then).into_iter().filter(is_reached) {
        if best.is_none_or(|best| rank(known) > rank(best)) {
            best = Some(known);
        }
    }
    let window = moves.moves.iter().find(|known| Some(known.node.id) == current);
    if let Some(given) =
        window.and_then(|known| if moves.turned { known.beta.map(|beta| -beta) } else { known.alpha })
        && !is_over
    {
        alpha = number(Some(given));
    }
    let (value, bound) = match best {
        _ if is_over => (subject.value(root.row)?, subject.bound(root.row)?),
        Some(best) => (best.value.clone(), best.bound),
        None => (Scalar::Null, None),
    };
    Ok(RootValue { best: best.map(|best| best.node), value, bound, alpha, beta })
}

/// Of each move the last search that had ended: one at a reduced depth that failed high says nothing any more once the move
/// has been searched again. In a log that does not tell moves apart, each is a move of its own.
fn last_known(then: &[RootMove]) -> Vec<&RootMove> {
    let known = || then.iter().filter(|known| known.value.number().is_some());
    let of_text: HashMap<&str, u64> = known().map(|known| (known.text.as_str(), known.node)).collect();
    known().filter(|known| of_text.len() == 1 || of_text[known.text.as_str()] == known.node).collect()
}

fn window_of(subject: &mut Subject<'_>, row: u64) -> Answer<[Scalar; 2]> {
    let Some(window) = subject.window else { return Ok([Scalar::Null, Scalar::Null]) };
    let mut read = |place| -> Answer<Scalar> { Ok(number(whole(&subject.nodes.value(row, place)?))) };
    Ok([read(window.alpha)?, read(window.beta)?])
}

fn number(value: Option<i128>) -> Scalar {
    value.map_or(Scalar::Null, values::integer)
}
