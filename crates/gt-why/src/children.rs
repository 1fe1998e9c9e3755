//! The moves that a node searched, in order, and the one it chose.
//!
//! ```text
//! children     null  e2e4  d2d4  d2d4  c2c4       a null move is no move of the order,
//! rank                0     1     1     2         a move searched again keeps its rank
//! ```

use std::collections::HashMap;

use gt_log::Result;

use crate::node::{Ending, Node, Place};
use crate::reader::Reader;
use crate::score::{Bound, View};

/// A move of a node, and every search of it.
#[derive(Clone, Debug)]
pub(crate) struct SearchedMove {
    pub(crate) number: i64,
    /// Its visits, in the order of the search; at least one.
    pub(crate) visits: Vec<Place>,
}

impl SearchedMove {
    /// The decisive visit, which is the last.
    pub(crate) fn last(&self) -> Place {
        self.visits[self.visits.len() - 1]
    }

    /// The nodes of all visits.
    pub(crate) fn nodes(&self) -> u64 {
        self.visits.iter().map(|visit| visit.nodes).sum()
    }
}

/// The children of a node, by move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Family {
    /// The moves by rank.
    pub(crate) moves: Vec<SearchedMove>,
    ranks: HashMap<i64, usize>,
    /// A null move, with the number of its move.
    null: Option<(i64, SearchedMove)>,
    /// The rank of the move searched last.
    last: Option<usize>,
}

impl Family {
    pub(crate) fn of(reader: &mut Reader<'_>, parent: Place) -> Result<Self> {
        let mut family = Self::default();
        let mut node = parent.node + 1;
        let (null, excluded) = (reader.attributes.null_move, reader.attributes.excluded);
        for row in reader.walker.children(parent.row)? {
            let place = Place { row, node, ply: parent.ply + 1, nodes: reader.walker.size(row)? };
            node += place.nodes;
            let number = reader.walker.last_move(row)?;
            let flags = reader.whole(row, reader.attributes.node_type)?.unwrap_or(0);
            if flags & excluded != 0 {
                // The same position again, without one of its moves: no move leads there.
            } else if flags & null != 0 {
                family.add_null(number, place);
            } else {
                family.add(number, place);
            }
        }
        Ok(family)
    }

    fn add(&mut self, number: i64, place: Place) {
        let rank = *self.ranks.entry(number).or_insert_with(|| {
            self.moves.push(SearchedMove { number, visits: Vec::new() });
            self.moves.len() - 1
        });
        self.moves[rank].visits.push(place);
        self.last = Some(rank);
    }

    fn add_null(&mut self, number: i64, place: Place) {
        let (_, null) =
            self.null.get_or_insert_with(|| (number, SearchedMove { number, visits: Vec::new() }));
        null.visits.push(place);
    }

    /// The move with this number, and its rank.
    pub(crate) fn find(&self, number: i64) -> Option<(usize, &SearchedMove)> {
        let null = self.null.as_ref().filter(|(code, _)| *code == number).map(|(_, null)| (0, null));
        self.ranks.get(&number).map(|&rank| (rank, &self.moves[rank])).or(null)
    }

    /// The move searched last.
    pub(crate) fn last_move(&self) -> Option<i64> {
        self.last.map(|rank| self.moves[rank].number)
    }

    /// The rank of the move that determined the node's value: the one that cut it off, otherwise the first of the
    /// best.
    pub(crate) fn chosen(&self, reader: &mut Reader<'_>, node: &Node) -> Result<Option<usize>> {
        if reader.view == View::EachPlayer {
            return Ok(None);
        }
        if reader.attributes.best.is_none() {
            return self.most_visited(reader);
        }
        if node.ending == Ending::Cutoff {
            return Ok(self.last);
        }
        // A root that failed low has no move: its moves are only known to be no better than alpha.
        if node.place.ply == 0 && node.bound() == Some(Bound::Upper) {
            return Ok(None);
        }
        let mut chosen = None;
        let roots_turn = reader.view.is_roots_turn(node.place.ply);
        // Standing pat is a choice as well: a move with a lower value was not chosen.
        let mut highest = if node.is_quiescence { node.best } else { None };
        for (rank, searched) in self.moves.iter().enumerate() {
            let Some(value) = reader.value(searched.last())? else { continue };
            let value = if roots_turn { value } else { value.negated() };
            let is_first = chosen.is_none() && highest.is_none_or(|highest| value >= highest);
            if is_first || highest.is_some_and(|highest| value > highest) {
                (chosen, highest) = (Some(rank), Some(value));
            }
        }
        Ok(chosen)
    }

    fn most_visited(&self, reader: &mut Reader<'_>) -> Result<Option<usize>> {
        let mut chosen: Option<(usize, i64)> = None;
        for (rank, searched) in self.moves.iter().enumerate() {
            let Some(visits) = reader.whole(searched.last().row, reader.attributes.visits)? else { continue };
            if chosen.is_none_or(|(_, most)| visits > most) {
                chosen = Some((rank, visits));
            }
        }
        Ok(chosen.map(|(rank, _)| rank))
    }
}
