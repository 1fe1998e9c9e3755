//! An explanation is made: the line followed, its nodes read, its verdict found.

use gt_log::Log;

use crate::children::{Family, SearchedMove};
use crate::error::Error;
use crate::explanation::{Candidate, Explanation, LeavingPoint, Missing, Step, Visit};
use crate::follow::{Followed, Found, follow};
use crate::iterations::{self, TreeChoice, iterations};
use crate::moves::Move;
use crate::node::{Ending, Node, Place};
use crate::reader::Reader;
use crate::rival::rival;
use crate::verdict::{Facts, judge};

/// So many moves are told that were searched instead of one.
const INSTEAD_MAX: usize = 10;

/// Explains a line of moves from the root of a tree, or, without a line, the move that the tree chose.
///
/// # Errors
/// Where the log cannot be read, or has no such tree.
pub fn explain(log: &Log, tree: TreeChoice, line: &[i64]) -> Result<Explanation, Error> {
    let tree = iterations::tree(log, tree)?;
    let mut reader = Reader::new(log, tree);
    let played = played(&mut reader)?;
    let own_line: Vec<i64>;
    let line = match (&played, line) {
        (Some(played), []) => {
            own_line = vec![played.mv.number];
            &own_line
        }
        (_, line) => line,
    };
    let Followed { found, leaves_at } = follow(&mut reader, line, true)?;
    let nodes = found.iter().map(|found| reader.node(found.last())).collect::<Result<Vec<_>, _>>()?;
    let mut steps = Vec::with_capacity(found.len());
    for (found, node) in found.iter().zip(&nodes) {
        steps.push(step(&mut reader, found, node)?);
    }
    let leaving =
        leaves_at.map(|(place, family)| Ok::<_, Error>((reader.node(place)?, family))).transpose()?;
    let leaves = match (&leaving, line.get(found.len())) {
        (Some((node, family)), Some(&number)) => Some(leaving_point(&mut reader, node, family, number)?),
        _ => None,
    };
    let is_played = played.as_ref().is_some_and(|played| line.first() == Some(&played.mv.number));
    let rival = match &played {
        Some(played) if is_played => rival(&mut reader, played)?,
        _ => None,
    };
    let iterations = iterations(log, tree, line)?;
    let depth = iterations.iter().find(|one| one.trees.contains(&tree.number())).and_then(|one| one.depth);
    let root = reader.root()?;
    let root = reader.node(root)?;
    let parents = found.iter().map(|found| reader.node(found.parent)).collect::<Result<Vec<_>, _>>()?;
    let facts = Facts {
        view: reader.view,
        line,
        root: &root,
        steps: &steps,
        nodes: &nodes,
        parents: &parents,
        leaving: leaving.as_ref().map(|(node, family)| (node, family)),
        rival: rival.as_ref(),
        iterations: &iterations,
        tree: tree.number(),
    };
    let verdict = judge(&facts);
    let table_hit =
        nodes.iter().chain(leaving.iter().map(|(node, _)| node)).any(|node| node.ending == Ending::TableHit);
    Ok(Explanation {
        tree: tree.number(),
        depth,
        view: reader.view,
        asked: line.iter().map(|&number| number.into()).collect(),
        played,
        line: steps,
        leaves,
        verdict,
        rival,
        iterations,
        missing: missing(&reader, table_hit),
    })
}

/// The move that the root chose.
fn played(reader: &mut Reader<'_>) -> Result<Option<Candidate>, Error> {
    let root = reader.root()?;
    let node = reader.node(root)?;
    let family = Family::of(reader, root)?;
    let chosen = family.chosen(reader, &node)?;
    Ok(chosen.map(|rank| candidate(reader, &family.moves[rank], rank)).transpose()?)
}

pub(crate) fn candidate(
    reader: &mut Reader<'_>,
    searched: &SearchedMove,
    rank: usize,
) -> gt_log::Result<Candidate> {
    let node = reader.node(searched.last())?;
    Ok(Candidate {
        mv: searched.number.into(),
        node: node.place.node,
        rank,
        nodes: searched.nodes(),
        value: node.value(reader.view),
        bound: node.told_bound(reader.view),
    })
}

fn step(reader: &mut Reader<'_>, found: &Found, node: &Node) -> gt_log::Result<Step> {
    let visits = found.visits.iter().map(|&place| visit(reader, place)).collect::<gt_log::Result<_>>()?;
    Ok(Step {
        mv: found.number.into(),
        node: node.place.node,
        rank: found.rank,
        siblings: found.siblings,
        nodes: found.nodes(),
        value: node.value(reader.view),
        bound: node.told_bound(reader.view),
        chosen: found.chosen.map(Move::from),
        reply: reply(reader, node)?,
        visits,
    })
}

/// The move that gave the node its value.
fn reply(reader: &mut Reader<'_>, node: &Node) -> gt_log::Result<Option<Candidate>> {
    let family = Family::of(reader, node.place)?;
    let chosen = family.chosen(reader, node)?;
    chosen.map(|rank| candidate(reader, &family.moves[rank], rank)).transpose()
}

fn visit(reader: &mut Reader<'_>, place: Place) -> gt_log::Result<Visit> {
    let node = reader.node(place)?;
    Ok(Visit {
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
    // Best first; what has no value comes last; of equals, what took more nodes.
    order.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(std::cmp::Ordering::Equal).then(b.2.cmp(&a.2)));
    order.truncate(INSTEAD_MAX);
    let instead = order
        .into_iter()
        .map(|(rank, _, _)| candidate(reader, &family.moves[rank], rank))
        .collect::<gt_log::Result<_>>()?;
    Ok(LeavingPoint {
        mv: number.into(),
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
