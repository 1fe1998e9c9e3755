//! `/api/board`: the position at a node, the last move, and the moves beside and below it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use gt_games::board::touched_places;
use gt_games::registry::AnyGame;
use gt_search::Outcome;
use serde::Serialize;

use super::Subject;
use super::drawn::{BoardShape, Cell, drawn};
use crate::bound::Bound;
use crate::error::{Answer, Refusal};
use crate::moves::{follow, play};
use crate::nodes::Node;
use crate::values::Scalar;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BoardAnswer {
    generation: u64,
    node: u64,
    ply: u64,
    game: &'static str,
    text: String,
    to_move: usize,
    players: usize,
    over: Option<String>,
    shape: BoardShape,
    cells: Vec<Cell>,
    last: Option<LastMove>,
    siblings: Vec<BoardMove>,
    siblings_count: u64,
    children: Vec<BoardMove>,
    children_count: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LastMove {
    text: String,
    places: Vec<String>,
}

/// A move that leads to a node, weighed by the node's subtree.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BoardMove {
    node: u64,
    text: String,
    size: u64,
    value: Scalar,
    bound: Option<Bound>,
    places: Vec<String>,
}

/// How many moves are given as arrows.
const ARROWS_MAX: usize = 40;

pub(crate) fn board(subject: &mut Subject<'_>, id: u64) -> Answer<BoardAnswer> {
    let located = subject.nodes.locate(id)?;
    let unplayable = |sentence: String| Refusal::missing("node", sentence);
    let root = subject.opened.root_position(subject.tree).map_err(unplayable)?;
    let codes = subject.codes(&located)?;
    let (before, game, last) = match codes.split_last() {
        Some((&last, moves)) => {
            let before = follow(root, moves, subject.cancel).map_err(unplayable)?;
            let mut game = before.clone();
            play(&mut *game, moves.len(), last).map_err(unplayable)?;
            (Some(before), game, Some(last))
        }
        None => (None, root, None),
    };
    let (siblings, siblings_count) = match (located.parent(), &before) {
        (Some(parent), Some(before)) => {
            arrows(subject, parent, &**before, codes.split_last().map_or(&[], |(_, before)| before))?
        }
        _ => (Vec::new(), 1),
    };
    let (children, children_count) = arrows(subject, located.node, &*game, &codes)?;
    let text = subject.name_of(&located)?;
    let last =
        last.zip(before).map(|(code, before)| LastMove { text, places: touched_places(&*before, code) });
    let (shape, cells) = drawn(&*game);
    Ok(BoardAnswer {
        generation: subject.opened.generation,
        node: id,
        ply: located.ply(),
        game: game.kind().name(),
        text: game.position_text(),
        to_move: game.to_move(),
        players: game.players(),
        over: game.outcome().map(|outcome| match outcome {
            Outcome::Draw => "draw".to_owned(),
            Outcome::Win(player) => format!("player {player} wins"),
        }),
        shape,
        cells,
        last,
        siblings,
        siblings_count,
        children,
        children_count,
    })
}

/// The moves to the largest children of a node, which `before` leads to, and how many children there are.
fn arrows(
    subject: &mut Subject<'_>,
    parent: Node,
    game: &dyn AnyGame,
    before: &[i64],
) -> Answer<(Vec<BoardMove>, u64)> {
    let mut largest: BinaryHeap<Reverse<(u64, Reverse<u64>, u64)>> = BinaryHeap::new();
    let mut count = 0;
    subject.nodes.children_backward(parent, |children| {
        count += children.count;
        // Of a run of leaves, the first are as good as any.
        let first = children.last.id + 1 - children.count;
        for id in (first..=children.last.id).take(ARROWS_MAX) {
            let row = children.last.row - (children.last.id - id);
            largest.push(Reverse((children.last.size, Reverse(id), row)));
            if largest.len() > ARROWS_MAX {
                largest.pop();
            }
        }
        ControlFlow::Continue(())
    })?;
    let mut nodes: Vec<(u64, u64, u64)> =
        largest.into_iter().map(|Reverse((size, Reverse(id), row))| (size, id, row)).collect();
    nodes.sort_by_key(|&(size, id, _)| (Reverse(size), id));
    let mut arrows = Vec::new();
    for (size, node, row) in nodes {
        let code = subject.nodes.last_move(row)?;
        arrows.push(BoardMove {
            node,
            text: subject.name(before, Node { row, id: node, size }, code)?,
            size,
            value: subject.value(row)?,
            bound: subject.bound(row)?,
            places: touched_places(game, code),
        });
    }
    Ok((arrows, count))
}
