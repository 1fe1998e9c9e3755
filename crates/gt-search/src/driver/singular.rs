//! Singular extensions: is the table's move the only good one, or do others serve as well?
//!
//! ```text
//! node, depth 9    the table's move is worth at least 40
//!   other moves    depth 4, null window below 40 - 22
//!                  all stay below: the table's move is alone, and gets depth 9 instead of 8
//!                  one does not:   if 40 - 22 is beta or more, two moves refute the position: it is not searched on
//! ```
//!
//! The test enters the other moves as children of the node, flagged [`NodeType::EXCLUDED`], and reports how much shallower it searches them
//! as their reduction. The node enters them again in earnest if it has to.

use std::ops::Range;

use super::Driver;
use super::node::Known;
use super::selectivity::Selection;
use crate::game::{Evaluate, Game};
use crate::node::Node;
use crate::observer::{NodeType, Observer};
use crate::table::Bound;
use crate::value::{INFINITE, from_root, tells_winner};

const DEPTH_MIN: i16 = 7;
/// How many plies shallower than the node the table's entry may be.
const ENTRY_PLIES: i16 = 3;
/// How far below the table's move the others must stay, per two plies of depth.
const MARGIN: i32 = 5;

/// The result of comparing the table's move with the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// The others were not tried, or one of them comes near.
    Unknown,
    /// All others are much worse.
    Alone,
    /// Another move reaches this value, which is beta or more.
    AlsoRefuted(i32),
}

impl<G: Game, E: Evaluate<G>, O: Observer<G::Move>> Driver<'_, G, E, O> {
    /// Compares the table's move with the others by a shallow search, if that is worth it.
    pub(super) fn company(&mut self, node: Node, known: &Known, moves: &Range<usize>) -> Company {
        let Some((table_place, value)) = self.table_move_to_test(node, known, moves.len()) else {
            return Company::Unknown;
        };
        let target = value - MARGIN * i32::from(node.depth) / 2;
        let depth = (node.depth - 1) / 2;
        let test = Node { depth, alpha: target - 1, beta: target, node_type: NodeType::ALL, ..node };
        let selection = self.selection(test, known).of_test(node.depth - depth);
        let open_ends = self.walk.open_ends;
        let highest = self.highest_of_others(test, &selection, (moves, table_place));
        // The node's value comes from its search in earnest.
        self.walk.open_ends = open_ends;
        if self.walk.stopped() {
            Company::Unknown
        } else if highest < target {
            Company::Alone
        } else if target >= node.beta && !node.is_open() && !tells_winner(highest) {
            Company::AlsoRefuted(target)
        } else {
            Company::Unknown
        }
    }

    /// The value of the best move other than the table's.
    fn highest_of_others(
        &mut self,
        test: Node,
        selection: &Selection,
        (moves, table_place): (&Range<usize>, u32),
    ) -> i32 {
        let mut order = self.order(moves.clone(), test, None);
        let mut highest = -INFINITE;
        let mut index = 0;
        while let Some((mv, place)) = self.next_move(&mut order) {
            if place == table_place || self.is_left_out(test, (mv, index), test.alpha, highest, selection) {
                continue;
            }
            highest = highest.max(self.try_move(test, mv, index, test.alpha, selection).value);
            if highest >= test.beta || self.walk.stopped() {
                break;
            }
            index += 1;
        }
        self.forget(&order);
        highest
    }

    /// The place and the value of the table's move, if it is worth a test. An entry of another position with the same
    /// hash may have a place that is not among the node's `moves`.
    fn table_move_to_test(&self, node: Node, known: &Known, moves: usize) -> Option<(u32, i32)> {
        let entry = known.entry?;
        let may_extend =
            self.options.singular_extensions && node.depth >= DEPTH_MIN && node.ply < 2 * self.depth_nominal;
        let is_reliable = entry.bound != Bound::Upper && entry.depth >= node.depth - ENTRY_PLIES;
        let value = from_root(entry.value, node.ply);
        let is_worth_it = may_extend && is_reliable && !tells_winner(value);
        let place = entry.move_index.filter(|&place| is_worth_it && usize::from(place) < moves)?;
        Some((place.into(), value))
    }
}
