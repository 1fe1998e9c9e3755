//! Reads nodes from a tree, one at a time.

use std::rc::Rc;

use gt_log::{Column, Log, Result, Tree, Value, Walker, status};

use crate::attributes::Attributes;
use crate::node::{Ending, Node, Place};
use crate::score::{Score, View};
use crate::wording::Wording;

/// A tree with its log's names for attributes.
pub(crate) struct Reader<'a> {
    pub(crate) walker: Walker<'a>,
    pub(crate) attributes: Rc<Attributes>,
    pub(crate) view: View,
    pub(crate) words: Wording,
}

impl<'a> Reader<'a> {
    /// Makes a reader of a tree that has nodes.
    pub(crate) fn new(log: &'a Log, tree: Tree<'a>) -> Self {
        Self {
            walker: Walker::new(tree),
            attributes: Rc::new(Attributes::of(log.schema())),
            view: view(log, tree),
            words: Wording::of(log, tree),
        }
    }

    pub(crate) fn root(&mut self) -> Result<Place> {
        let row = self.walker.root();
        Ok(Place { row, node: 0, ply: 0, nodes: self.walker.size(row)? })
    }

    /// All logged values of a node.
    pub(crate) fn node(&mut self, place: Place) -> Result<Node> {
        let row = place.row;
        let attributes = Rc::clone(&self.attributes);
        let best = self.score(row, attributes.best)?;
        let alpha = self.score(row, attributes.alpha)?;
        let beta = self.score(row, attributes.beta)?;
        let flags = self.whole(row, attributes.node_type)?.unwrap_or(0);
        Ok(Node {
            place,
            best,
            alpha,
            beta,
            depth: self.score(row, attributes.depth)?,
            reduction: self.whole(row, attributes.reduction)?,
            extension: self.whole(row, attributes.extension)?,
            table_depth: self.score(row, attributes.table_depth)?,
            ending: self.ending(place, best, beta)?,
            is_research: flags & attributes.research != 0,
            is_quiescence: flags & attributes.quiescence != 0,
            left_out: self.walker.integer(row, Column::LeftOut)?.max(0) as u64,
        })
    }

    /// The reason why the node ended: as logged, or derived from its value and children.
    fn ending(&mut self, place: Place, best: Option<Score>, beta: Option<Score>) -> Result<Ending> {
        let bits = self.walker.integer(place.row, Column::Status)?;
        if bits & i64::from(status::UNFINISHED) != 0 {
            return Ok(Ending::Stopped);
        }
        if let Some(logged) = self.logged_ending(place.row)? {
            return Ok(logged);
        }
        if place.nodes == 1 {
            return Ok(Ending::Leaf);
        }
        match (best, beta) {
            (Some(best), Some(beta)) if best >= beta => {
                let last_child = place.row - 1;
                let flags = self.whole(last_child, self.attributes.node_type)?.unwrap_or(0);
                let is_null = flags & self.attributes.null_move != 0;
                Ok(if is_null { Ending::NullMove } else { Ending::Cutoff })
            }
            _ => Ok(Ending::Searched),
        }
    }

    fn logged_ending(&mut self, row: u64) -> Result<Option<Ending>> {
        let Some(attribute) = self.attributes.ended else { return Ok(None) };
        let name = match self.walker.value(row, attribute)? {
            Value::Text(name) => name,
            value => {
                let Some(number) = whole(&value) else { return Ok(None) };
                let named = self.attributes.endings.iter().find(|(value, _)| *value == number);
                named.map_or_else(|| number.to_string(), |(_, name)| name.clone())
            }
        };
        Ok(Some(Ending::by_name(&name)))
    }

    /// A node's value in the reader's view.
    pub(crate) fn value(&mut self, place: Place) -> Result<Option<Score>> {
        let best = self.score(place.row, self.attributes.best)?;
        Ok(best.map(|best| self.view.told(best, place.ply)))
    }

    pub(crate) fn score(&mut self, row: u64, attribute: Option<usize>) -> Result<Option<Score>> {
        let Some(attribute) = attribute else { return Ok(None) };
        Ok(match self.walker.value(row, attribute)? {
            Value::Float(value) if !value.is_nan() => Some(Score::Float(value)),
            value => whole(&value).map(Score::Whole),
        })
    }

    pub(crate) fn whole(&mut self, row: u64, attribute: Option<usize>) -> Result<Option<i64>> {
        let Some(attribute) = attribute else { return Ok(None) };
        Ok(whole(&self.walker.value(row, attribute)?))
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        Value::UInt(value) => Some(i64::try_from(*value).unwrap_or(i64::MAX)),
        Value::Float(_) | Value::Bool(_) | Value::Text(_) | Value::Missing => None,
    }
}

/// The metadata of the tree, or else of the log, under this key.
pub(crate) fn metadata<'a>(log: &'a Log, tree: Tree<'a>, key: &str) -> Option<&'a str> {
    tree.metadata().get(key).or(log.metadata().get(key))
}

fn view(log: &Log, tree: Tree<'_>) -> View {
    let players = metadata(log, tree, "players").and_then(|count| count.trim().parse::<u64>().ok());
    let players = players.unwrap_or(2).max(2);
    match metadata(log, tree, "algorithm") {
        Some("max-n") if players > 2 => View::EachPlayer,
        _ => View::Root { players },
    }
}
