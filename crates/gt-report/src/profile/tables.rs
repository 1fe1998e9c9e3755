//! The figures that are tables: the heaviest parts of the tree, with their lines.

use super::figure::{CellReading, Figure, Offered, Shape, TableColumn};
use super::numbers::with;
use super::offer::Offer;

/// Every table, in the order of a report.
pub(super) fn all(offer: &Offer<'_>) -> Vec<Offered> {
    vec![
        root(offer),
        best_move(offer),
        heaviest_moves(offer),
        heaviest_subtrees(offer),
        largest_quiescence(offer),
    ]
}

/// The name of the figure with the value of the root.
pub(super) const ROOT: &str = "root";
/// The name of the figure with the move chosen at the root.
pub(super) const BEST_MOVE: &str = "best-move";

fn root(offer: &Offer<'_>) -> Offered {
    let value = Value::of_the_node(offer);
    let made = table(
        ROOT,
        "The value of the root",
        "What the search returned, unless it was stopped.",
        &format!("node: @ply = 0 and {}\nselect node_id{}", offer.completed(""), value.selected),
        &[&[plain(">node")], value.columns.as_slice()],
    );
    with(offer, &["best"], made)
}

/// In a window that failed high the last move searched cut the root off, whatever its value. In one that failed low
/// no move is known to be the best. A move is not the best because it is worth *at most* the root's value, nor
/// because of a repeated search.
fn best_move(offer: &Offer<'_>) -> Offered {
    let value = Value::for_the_parent(offer);
    let last = if offer.is_partial() {
        "@index = [^]@children - 1 and [^]@left_out = 0"
    } else {
        "@index = [^]@children - 1"
    };
    let body = format!(
        "node: @ply = 1 and not @unfinished and {root}\n      and ([^]best > [^]alpha and [^]best < [^]beta and -best = [^]best and best < beta\n           \
         and (@index = [^]@children - 1 or last_move != [>]last_move)\n           or [^]best >= [^]beta and {last})\nselect node_id, last_move{}\nlimit 1",
        value.selected,
        root = offer.completed("[^]"),
    );
    let made = table(
        BEST_MOVE,
        "The move chosen at the root",
        "The first of the root's moves that raised its value to what it is, or the move that cut it off; none where the root \
         failed low.",
        &body,
        &[&[plain(">node"), plain("move")], value.columns.as_slice()],
    );
    // Without a window a value need not be that of the player to move.
    with(offer, &["best", "alpha", "beta"], made)
}

fn heaviest_moves(offer: &Offer<'_>) -> Offered {
    let value = Value::for_the_parent(offer);
    let seen = if offer.has_windows() {
        ", and their values as the root sees them: ≤ says that the move is worth at most this (it was refuted), ≥ at least"
    } else {
        ""
    };
    let size = offer.size();
    table(
        "heaviest-moves",
        "The root's moves that took most nodes",
        &format!(
            "Moves at the root with the nodes below them{seen}. A move that was searched again is there again."
        ),
        &format!(
            "node: @ply = 1\nselect node_id, last_move, {size}{}\norder by {size} desc\nlimit 8",
            value.selected
        ),
        &[&[plain(">node"), plain("move"), plain(">nodes")], value.columns.as_slice()],
    )
}

/// A long chain of heavy nodes shows the same thing many times; nodes without a child that has most of their subtree
/// show where the work *spreads*.
fn heaviest_subtrees(offer: &Offer<'_>) -> Offered {
    let (largest, size, value) = (offer.free("largest"), offer.size(), Value::of_the_node(offer));
    let made = table(
        "heaviest-subtrees",
        "Where the work spreads",
        "The largest subtrees below the root's moves of which no single child has half: here the search fans out.",
        &format!(
            "node: @ply > 1 and 2 * {largest} < {size}\nselect node_id, {size}{}, @line\norder by {size} desc\nlimit 8",
            value.selected
        ),
        &[&[plain(">node"), plain(">nodes")], value.columns.as_slice(), &[plain("line")]],
    );
    made.map(|figure| Figure { lets: vec![(largest, format!("child: max([]{size})"))], ..figure })
}

fn largest_quiescence(offer: &Offer<'_>) -> Offered {
    let (size, value) = (offer.size(), Value::of_the_node(offer));
    let made = table(
        "largest-quiescence",
        "The largest quiescence searches",
        "Roots of quiescence searches with most nodes.",
        &format!(
            "node: type & QRootNode\nselect node_id, {size}{}, @line\norder by {size} desc\nlimit 5",
            value.selected
        ),
        &[&[plain(">node"), plain(">nodes")], value.columns.as_slice(), &[plain("line")]],
    );
    with(offer, &["type", "QRootNode"], made)
}

/// A value in a table, if the log has one: the selected expressions, and the column.
struct Value {
    selected: &'static str,
    columns: Vec<TableColumn>,
}

impl Value {
    /// The value from the view of the player to move.
    fn of_the_node(offer: &Offer<'_>) -> Self {
        if offer.has_windows() {
            return Self::new(", best, @bound", CellReading::OwnValue);
        }
        Self::without_bounds(offer)
    }

    /// The value from the view of the player who made the move. Without windows a value need not be that of the
    /// player to move, so it is shown unchanged.
    fn for_the_parent(offer: &Offer<'_>) -> Self {
        if offer.has_windows() {
            return Self::new(", -best, @bound", CellReading::ParentsValue);
        }
        Self::without_bounds(offer)
    }

    fn without_bounds(offer: &Offer<'_>) -> Self {
        if offer.has("best") {
            return Self::new(", best", CellReading::Value);
        }
        Self { selected: "", columns: Vec::new() }
    }

    fn new(selected: &'static str, cell: CellReading) -> Self {
        Self { selected, columns: vec![TableColumn { heading: ">value".to_owned(), cell }] }
    }
}

fn plain(heading: &str) -> TableColumn {
    TableColumn { heading: heading.to_owned(), cell: CellReading::Plain }
}

fn table(name: &str, title: &str, meaning: &str, body: &str, columns: &[&[TableColumn]]) -> Offered {
    Ok(Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        meaning: meaning.to_owned(),
        lets: Vec::new(),
        body: body.to_owned(),
        shape: Shape::Table(columns.concat()),
    })
}
