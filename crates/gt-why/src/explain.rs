//! Makes an explanation: follows the line, reads its nodes, finds its verdict.

use gt_log::Log;

use crate::candidate::Candidate;
use crate::children::Family;
use crate::error::Error;
use crate::explanation::{Explanation, LeavingPoint, Missing};
use crate::follow::{Followed, follow};
use crate::iterations::{self, TreeChoice, iterations};
use crate::judge::{Facts, judge};
use crate::moves::Move;
use crate::node::{Ending, Node};
use crate::reader::Reader;
use crate::rival::rival;
use crate::step::Step;

/// The maximum number of moves listed that were searched instead of one.
const INSTEAD_MAX: usize = 10;

/// Explains a line of moves from the root of a tree, or, without a line, the move that the tree chose.
///
/// # Errors
/// Returns an error if the log cannot be read, or has no such tree.
pub fn explain(log: &Log, tree: TreeChoice, line: &[i64]) -> Result<Explanation, Error> {
    let tree = iterations::tree(log, tree)?;
    let mut reader = Reader::new(log, tree);
    let played = played(&mut reader)?;
    let line = match line {
        [] => played.iter().map(|played| played.mv.number).collect(),
        line => line.to_vec(),
    };
    let survey = Survey::of(&mut reader, &line)?;
    let leaves = survey.leaving_point(&mut reader, &line)?;
    let rival = match &played {
        Some(played) if line.first() == Some(&played.mv.number) => rival(&mut reader, played)?,
        _ => None,
    };
    let iterations = iterations(log, tree, &line)?;
    let asked = Move::line(&line);
    let verdict = judge(&Facts {
        view: reader.view,
        words: reader.words,
        line: &asked,
        root: &survey.root,
        steps: &survey.steps,
        nodes: &survey.nodes,
        parents: &survey.parents,
        leaving: survey.leaving.as_ref().map(|(node, family)| (node, family)),
        rival: rival.as_ref(),
        iterations: &iterations,
        tree: tree.number(),
    });
    Ok(Explanation {
        tree: tree.number(),
        depth: iterations
            .iter()
            .find(|iteration| iteration.trees.contains(&tree.number()))
            .and_then(|iteration| iteration.depth),
        view: reader.view,
        words: reader.words,
        asked,
        played,
        leaves,
        verdict,
        rival,
        iterations,
        missing: missing(&reader, survey.has_table_hit()),
        line: survey.steps,
    })
}

/// The nodes along a line.
struct Survey {
    root: Node,
    /// The moves of the line that are in the tree,
    steps: Vec<Step>,
    /// their last visits,
    nodes: Vec<Node>,
    /// and the parents of these.
    parents: Vec<Node>,
    /// The node without the next move of the line, and the moves it searched.
    leaving: Option<(Node, Family)>,
}

impl Survey {
    fn of(reader: &mut Reader<'_>, line: &[i64]) -> gt_log::Result<Self> {
        let root = reader.root()?;
        let root = reader.node(root)?;
        let Followed { found, leaves_at } = follow(reader, line, true)?;
        let (mut steps, mut nodes, mut parents) = (Vec::new(), Vec::new(), Vec::new());
        for found in &found {
            let node = reader.node(found.last())?;
            steps.push(Step::read(reader, found, &node)?);
            nodes.push(node);
            parents.push(reader.node(found.parent)?);
        }
        let leaving = match leaves_at {
            Some((place, family)) => Some((reader.node(place)?, family)),
            None => None,
        };
        Ok(Self { root, steps, nodes, parents, leaving })
    }

    fn leaving_point(&self, reader: &mut Reader<'_>, line: &[i64]) -> Result<Option<LeavingPoint>, Error> {
        match (&self.leaving, line.get(self.steps.len())) {
            (Some((node, family)), Some(&number)) => Ok(Some(leaving_point(reader, node, family, number)?)),
            _ => Ok(None),
        }
    }

    fn has_table_hit(&self) -> bool {
        let last = self.leaving.iter().map(|(node, _)| node);
        self.nodes.iter().chain(last).any(|node| node.ending == Ending::TableHit)
    }
}

/// The move that the root chose.
fn played(reader: &mut Reader<'_>) -> Result<Option<Candidate>, Error> {
    let root = reader.root()?;
    let node = reader.node(root)?;
    let family = Family::of(reader, root)?;
    let chosen = family.chosen(reader, &node)?;
    Ok(chosen.map(|rank| Candidate::read(reader, &family.moves[rank], rank)).transpose()?)
}

fn leaving_point(
    reader: &mut Reader<'_>,
    node: &Node,
    family: &Family,
    number: i64,
) -> Result<LeavingPoint, Error> {
    let roots_turn = reader.view.is_roots_turn(node.place.ply);
    let mut order = Vec::with_capacity(family.moves.len());
    for (rank, searched) in family.moves.iter().enumerate() {
        let value = reader.value(searched.last())?;
        let value = value.map(|value| if roots_turn { value } else { value.negated() });
        order.push((rank, value, searched.nodes()));
    }
    // Best first; moves without a value come last; of equals, the one with more nodes.
    order.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal).then(b.2.cmp(&a.2)));
    order.truncate(INSTEAD_MAX);
    let instead = order
        .into_iter()
        .map(|(rank, _, _)| Candidate::read(reader, &family.moves[rank], rank))
        .collect::<gt_log::Result<_>>()?;
    Ok(LeavingPoint {
        mv: Move::made_at(node.place, number),
        node: node.place.node,
        ended: node.ending.name().to_owned(),
        siblings: family.moves.len(),
        instead,
    })
}

fn missing(reader: &Reader<'_>, table_hit: bool) -> Vec<Missing> {
    let has = &reader.attributes;
    let windows = has.alpha.and(has.beta);
    let all = [
        ("best", has.best, "what moves were worth"),
        ("alpha", windows, "whether values are exact, and with which windows moves were searched"),
        ("depth", has.depth, "how deep moves were searched"),
        ("reduction", has.reduction, "whether a move was searched less deep than others"),
        ("extension", has.extension, "whether a move was searched deeper than others"),
        ("ended", has.ended, "what ended a node: here, its value and its children show it"),
        ("type", has.node_type, "which nodes are null moves and re-searches"),
        ("table_depth", has.table_depth.or((!table_hit).then_some(0)), "how deep the table's answer was"),
    ];
    let lacks = |(attribute, place, tells): (&'static str, Option<usize>, &'static str)| {
        place.is_none().then_some(Missing { attribute, tells })
    };
    all.into_iter().filter_map(lacks).collect()
}
