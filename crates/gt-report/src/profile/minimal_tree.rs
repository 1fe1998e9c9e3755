//! The minimal tree: the nodes that alpha-beta must search (Knuth and Moore, 1975).
//!
//! If the best move comes first at every node, alpha-beta still has to search this tree. With b(k) moves at ply k,
//! its ply p has
//!
//! ```text
//! b(0)·b(2)·b(4)·…  +  b(1)·b(3)·b(5)·…  -  1         over the plies before p
//! ```
//!
//! nodes: one side tries everything and the other its best move, and vice versa; the principal variation is in both.
//! For a constant b that is b^ceil(p/2) + b^floor(p/2) - 1.

use gt_query::Value;

use super::cell::number;
use crate::chart::{Series, X};

/// A ply of a tree, compared with that of its minimal tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimalPly {
    /// The distance from the root.
    pub ply: u64,
    /// The nodes of the main search there.
    pub nodes: u64,
    /// The mean number of moves of the fully searched nodes there; `None` if there are none.
    pub moves: Option<f64>,
    /// The nodes of the minimal tree there; `None` below a ply with an unknown number of moves.
    pub minimal: Option<f64>,
}

/// Returns the minimal tree of plies given from 0 on as (nodes, moves).
///
/// ```
/// use gt_report::profile::minimal_tree;
/// let three_plies_of_two_moves = minimal_tree([(1, Some(2.0)), (2, Some(2.0)), (4, Some(2.0)), (6, None)]);
/// let nodes: Vec<_> = three_plies_of_two_moves.iter().map(|ply| ply.minimal.unwrap()).collect();
/// assert_eq!(nodes, [1.0, 2.0, 3.0, 5.0]);
/// ```
pub fn minimal_tree(plies: impl IntoIterator<Item = (u64, Option<f64>)>) -> Vec<MinimalPly> {
    // The products over the even and the odd plies so far.
    let mut products = Some([1.0, 1.0]);
    let mut out = Vec::new();
    for (ply, (nodes, moves)) in plies.into_iter().enumerate() {
        let minimal = products.map(|[even, odd]: [f64; 2]| even + odd - 1.0);
        out.push(MinimalPly { ply: ply as u64, nodes, moves, minimal });
        products = products.zip(moves).map(|(mut products, moves)| {
            products[ply % 2] *= moves;
            products
        });
    }
    out
}

/// The plies of a tree from the rows of the figure `minimal-tree`: ply, nodes, moves.
pub(super) fn plies_of(rows: &[Vec<Option<Value>>]) -> Vec<MinimalPly> {
    let cell = |row: &Vec<Option<Value>>, place: usize| number(row.get(place).and_then(Option::as_ref));
    // Plies have no gaps, because a node has a parent. But the main search may end above a quiescence that continues.
    minimal_tree(rows.iter().map(|row| (cell(row, 1).unwrap_or(0.0) as u64, cell(row, 2))))
}

pub(super) fn minimal_chart(x: &str, rows: &[Vec<Option<Value>>]) -> (X, Vec<Series>) {
    let depth = rows.first().and_then(|root| number(root.get(3)?.as_ref())).filter(|depth| *depth > 0.0);
    let mut plies = plies_of(rows);
    plies.retain(|ply| depth.is_none_or(|depth| ply.ply as f64 <= depth));
    let searched = plies.iter().map(|ply| Some(ply.nodes as f64)).collect();
    let minimal = plies.iter().map(|ply| ply.minimal).collect();
    let places = plies.iter().map(|ply| ply.ply as f64).collect();
    (X::numbers(x, places), vec![Series::new("searched", searched), Series::new("minimal tree", minimal)])
}
