//! A move of the line, and every search of it.

use gt_log::Result;
use serde::Serialize;

use crate::candidate::Candidate;
use crate::children::Family;
use crate::follow::Found;
use crate::moves::Move;
use crate::node::{Node, Place};
use crate::reader::Reader;
use crate::score::{Bound, Score};

/// A move of the line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WhyStep"))]
pub struct Step {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The node_id of its last visit, which is the decisive one.
    pub node: u64,
    /// The number of different moves searched before it at the same node.
    pub rank: usize,
    /// The number of different moves searched there.
    pub siblings: usize,
    /// The nodes of all its visits.
    pub nodes: u64,
    /// Its value.
    pub value: Option<Score>,
    /// What the value proves.
    pub bound: Option<Bound>,
    /// The move that its parent chose.
    pub chosen: Option<Move>,
    /// The best reply to it: the refutation if its node was cut off.
    pub reply: Option<Candidate>,
    /// Every search of it, in order.
    pub visits: Vec<Visit>,
}

impl Step {
    /// The move of the line that was found, and the node of its last visit.
    pub(crate) fn read(reader: &mut Reader<'_>, found: &Found, node: &Node) -> Result<Self> {
        let visits = found.visits.iter().map(|&place| Visit::read(reader, place)).collect::<Result<_>>()?;
        Ok(Self {
            mv: Move::leading_to(node.place, found.number),
            node: node.place.node,
            rank: found.rank,
            siblings: found.siblings,
            nodes: found.nodes(),
            value: node.value(reader.view),
            bound: node.told_bound(reader.view),
            chosen: found.chosen.map(|number| Move::leading_to(node.place, number)),
            reply: reply(reader, node)?,
            visits,
        })
    }
}

/// One search of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WhyVisit"))]
pub struct Visit {
    /// The node_id.
    pub node: u64,
    /// The nodes of its subtree.
    pub nodes: u64,
    /// The remaining depth at entry, reductions and extensions included.
    pub depth: Option<Score>,
    /// Plies removed.
    pub reduction: Option<i64>,
    /// Plies added.
    pub extension: Option<i64>,
    /// The window at entry, the lower end first.
    pub window: Option<[Score; 2]>,
    /// The value returned.
    pub value: Option<Score>,
    /// What the value proves.
    pub bound: Option<Bound>,
    /// The reason why the node ended: the log's name for it, or derived from its value and children.
    pub ended: String,
    /// Whether it was entered again with an open window.
    pub research: bool,
}

impl Visit {
    fn read(reader: &mut Reader<'_>, place: Place) -> Result<Self> {
        let node = reader.node(place)?;
        Ok(Self {
            node: place.node,
            nodes: place.nodes,
            depth: node.depth,
            reduction: node.reduction,
            extension: node.extension,
            window: node.window(reader.view),
            value: node.value(reader.view),
            bound: node.told_bound(reader.view),
            ended: node.ending.name().to_owned(),
            research: node.is_research,
        })
    }
}

/// The move that determined the node's value.
fn reply(reader: &mut Reader<'_>, node: &Node) -> Result<Option<Candidate>> {
    let family = Family::of(reader, node.place)?;
    let chosen = family.chosen(reader, node)?;
    chosen.map(|rank| Candidate::read(reader, &family.moves[rank], rank)).transpose()
}
