//! `/api/children`: a stretch of the children of a node.

use serde::Serialize;

use gt_query::engine::NodeSet;

use super::Subject;
use crate::bound::Bound;
use crate::error::Answer;
use crate::values::Attributes;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ChildrenAnswer {
    generation: u64,
    node: u64,
    count: u64,
    offset: u64,
    children: Vec<Child>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Child {
    node: u64,
    index: u64,
    r#move: i64,
    text: String,
    size: u64,
    children: Option<u64>,
    unfinished: bool,
    bound: Option<Bound>,
    attributes: Attributes,
    /// Matches of the run that was asked for in the subtree, the node itself included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    marks: Option<u64>,
    /// Whether the node itself is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    r#match: Option<bool>,
}

/// How many hops the counting of grandchildren may take in all.
const HOPS_MAX: u64 = 100_000;

pub(crate) fn children(
    subject: &mut Subject<'_>,
    id: u64,
    offset: u64,
    limit: u64,
    matches: Option<&NodeSet>,
) -> Answer<ChildrenAnswer> {
    let located = subject.nodes.locate(id)?;
    let (parent, before) = (located.node, subject.codes_to(&located)?);
    let count = subject.nodes.child_count(parent)?;
    let range = offset.min(count)..offset.saturating_add(limit).min(count);
    let mut children = Vec::new();
    let mut hops_left = HOPS_MAX;
    for (index, node) in range.clone().zip(subject.nodes.children(parent, count, range)?) {
        let code = subject.nodes.last_move(node.row)?;
        let grandchildren = match node.size {
            1 => Some(0),
            _ if hops_left == 0 => None,
            _ => {
                let before = subject.nodes.hops();
                let counted = subject.nodes.child_count_within(node, hops_left)?;
                hops_left = hops_left.saturating_sub(subject.nodes.hops() - before);
                counted
            }
        };
        children.push(Child {
            node: node.id,
            index,
            r#move: code,
            text: subject.name(&before, node, code)?,
            size: node.size,
            children: grandchildren,
            unfinished: subject.nodes.is_unfinished(node.row)?,
            bound: subject.bound(node.row)?,
            attributes: subject.attributes(node.row)?,
            marks: matches.map(|matches| matches.within(node.id..node.id + node.size)),
            r#match: matches.map(|matches| matches.within(node.id..node.id + 1) > 0),
        });
    }
    Ok(ChildrenAnswer { generation: subject.opened.generation, node: id, count, offset, children })
}
