//! The figures that are tables: the heaviest parts of the tree, with their lines.

use super::figure::{Figure, LeftOut, Shape};
use super::numbers::with;
use super::offer::Offer;

type Made = Result<Figure, LeftOut>;

/// Every table, in the order of a report.
pub(super) fn all(offer: &Offer<'_>) -> Vec<Made> {
    vec![best_move(offer), heaviest_moves(offer), heaviest_subtrees(offer), largest_quiescence(offer)]
}

/// The name of the figure that tells the move chosen at the root.
pub(super) const BEST_MOVE: &str = "best-move";

fn best_move(offer: &Offer<'_>) -> Made {
    let made = table(
        BEST_MOVE,
        "The move chosen at the root",
        "The first of the root's moves whose value, seen from the other side, is the root's.",
        "node: @ply = 1 and -best = [^]best and not @unfinished and not [^]@unfinished\nselect node_id, last_move, -best\nlimit 1",
        vec![">node", "move", ">value"],
    );
    // Without a window a value need not be that of the player to move.
    with(offer, &["best", "alpha", "beta"], made)
}

fn heaviest_moves(offer: &Offer<'_>) -> Made {
    let has_window = offer.missing(&["best", "alpha", "beta"]).is_empty();
    let (column, heading): (&str, &[&str]) = if has_window { (", -best", &[">value"]) } else { value(offer) };
    let seen = if has_window { ", and their values as the root sees them" } else { "" };
    table(
        "heaviest-moves",
        "The root's moves that took most nodes",
        &format!(
            "Moves at the root with the nodes below them{seen}; a move that was searched again is there again."
        ),
        &format!("node: @ply = 1\nselect node_id, last_move, @size{column}\norder by @size desc\nlimit 8"),
        [&[">node", "move", ">nodes"], heading].concat(),
    )
}

/// A long chain of heavy nodes tells one thing many times; where the work *spreads* is told by the nodes that no
/// single child has most of.
fn heaviest_subtrees(offer: &Offer<'_>) -> Made {
    let largest = offer.free("largest");
    let (column, heading) = value(offer);
    let made = table(
        "heaviest-subtrees",
        "Where the work spreads",
        "The largest subtrees below the root's moves of which no single child has half: here the search fans out.",
        &format!(
            "node: @ply > 1 and 2 * {largest} < @size\nselect node_id, @size{column}, @line\norder by @size desc\nlimit 8"
        ),
        [&[">node", ">nodes"], heading, &["line"]].concat(),
    );
    made.map(|figure| Figure { lets: vec![(largest, "child: max([]@size)".to_owned())], ..figure })
}

fn largest_quiescence(offer: &Offer<'_>) -> Made {
    let (column, heading) = value(offer);
    let made = table(
        "largest-quiescence",
        "The largest quiescence searches",
        "Roots of quiescence searches with most nodes.",
        &format!(
            "node: type & QRootNode\nselect node_id, @size{column}, @line\norder by @size desc\nlimit 5"
        ),
        [&[">node", ">nodes"], heading, &["line"]].concat(),
    );
    with(offer, &["type", "QRootNode"], made)
}

/// The node's value, where there is one.
fn value(offer: &Offer<'_>) -> (&'static str, &'static [&'static str]) {
    if offer.has("best") { (", best", &[">value"]) } else { ("", &[]) }
}

fn table(name: &str, title: &str, meaning: &str, body: &str, headings: Vec<&str>) -> Made {
    Ok(Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        meaning: meaning.to_owned(),
        lets: Vec::new(),
        body: body.to_owned(),
        shape: Shape::Table(headings.into_iter().map(str::to_owned).collect()),
    })
}
