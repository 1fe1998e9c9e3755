//! A move beside the line.

use gt_log::Result;
use serde::Serialize;

use crate::children::SearchedMove;
use crate::moves::Move;
use crate::reader::Reader;
use crate::score::{Bound, Score};

/// A move beside the line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WhyMove"))]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The node_id of its last visit.
    pub node: u64,
    /// The number of different moves searched before it.
    pub rank: usize,
    /// The nodes of all its visits.
    pub nodes: u64,
    /// Its value.
    pub value: Option<Score>,
    /// What the value proves.
    pub bound: Option<Bound>,
}

impl Candidate {
    /// A move of a node, with its place in the order.
    pub(crate) fn read(reader: &mut Reader<'_>, searched: &SearchedMove, rank: usize) -> Result<Self> {
        let node = reader.node(searched.last())?;
        Ok(Self {
            mv: Move::leading_to(node.place, searched.number),
            node: node.place.node,
            rank,
            nodes: searched.nodes(),
            value: node.value(reader.view),
            bound: node.told_bound(reader.view),
        })
    }
}
