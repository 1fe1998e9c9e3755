//! `/api/node`: all that is known of one node, and the line to it.

use serde::Serialize;

use super::Subject;
use crate::bound::Bound;
use crate::error::Answer;
use crate::merged::{Sides, sides};
use crate::moves::follow;
use crate::nodes::Located;
use crate::values::Attributes;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NodeAnswer {
    generation: u64,
    node: u64,
    ply: u64,
    parent: Option<u64>,
    index: u64,
    siblings: u64,
    r#move: i64,
    text: String,
    size: u64,
    children: u64,
    unfinished: bool,
    left_out: u64,
    /// Whether the node's value is exact or a bound; nothing where that is not known.
    bound: Option<Bound>,
    attributes: Attributes,
    /// Both records, where two trees are merged.
    sides: Option<Sides>,
    line: Vec<LineEntry>,
    line_omitted: u64,
    position: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LineEntry {
    node: u64,
    ply: u64,
    text: String,
    index: u64,
}

/// Entries of a line at each of its ends; what is between them is left out.
const LINE_ENDS: usize = 200;

pub(crate) fn node(subject: &mut Subject<'_>, id: u64) -> Answer<NodeAnswer> {
    let located = subject.nodes.locate(id)?;
    let node = located.node;
    let (index, siblings) = match located.parent() {
        Some(parent) => subject.nodes.index(parent, node)?,
        None => (0, 1),
    };
    let code = subject.nodes.last_move(node.row)?;
    let (line, line_omitted) = line(subject, &located)?;
    Ok(NodeAnswer {
        generation: subject.opened.generation,
        node: id,
        ply: located.ply(),
        parent: located.parent().map(|parent| parent.id),
        index,
        siblings,
        r#move: code,
        text: subject.name_of(&located)?,
        size: node.size,
        children: subject.nodes.child_count(node)?,
        unfinished: subject.nodes.is_unfinished(node.row)?,
        left_out: subject.nodes.left_out(node.row)?,
        bound: subject.bound(node.row)?,
        attributes: subject.attributes(node.row)?,
        sides: sides(subject, node.row)?,
        line,
        line_omitted,
        position: position(subject, &located)?,
    })
}

fn line(subject: &mut Subject<'_>, located: &Located) -> Answer<(Vec<LineEntry>, u64)> {
    let length = located.line().len();
    let is_shown = |ply: usize| length <= 2 * LINE_ENDS || ply < LINE_ENDS || ply >= length - LINE_ENDS;
    let codes = subject.codes_to(located)?;
    let mut entries = Vec::new();
    for (ply, node) in located.line().enumerate().filter(|(ply, _)| is_shown(*ply)) {
        let ply = ply as u64;
        let code = subject.nodes.last_move(node.row)?;
        let before = &codes[..codes.len().min(ply.saturating_sub(1) as usize)];
        let text = subject.name_at(ply, before, node, code)?;
        let parent = ply.checked_sub(1).and_then(|above| located.ancestors.get(above as usize));
        let index = match parent {
            Some(&parent) => subject.nodes.index(parent, node)?.0,
            None => 0,
        };
        entries.push(LineEntry { node: node.id, ply, text, index });
    }
    let omitted = (length - entries.len()) as u64;
    Ok((entries, omitted))
}

fn position(subject: &mut Subject<'_>, located: &Located) -> Answer<Option<String>> {
    let Ok(root) = subject.opened.root_position(subject.tree) else { return Ok(None) };
    let codes = subject.codes(located)?;
    Ok(follow(root, &codes, subject.cancel).ok().map(|game| game.position_text()))
}
