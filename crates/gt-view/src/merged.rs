//! Logs that hold two trees merged into one, as `gt diff` writes them.
//!
//! ```text
//! best, depth …                A's record         other_best, other_depth …   B's record
//! difference, cause            what differs: 0 nothing, 1 values, 2 only in A, 3 only in B; and why
//! node_a, node_b, size_a …     the same node in A and in B
//! ```
//!
//! Such a log is known by its metadata `diff_a` and `diff_b`, which name the two trees, and its attribute `difference`.
//!
//! **Invariant:** a log that only looks like one in part is an ordinary log: nothing here is taken on trust.

use gt_log::{Log, Schema};
use serde::Serialize;

use crate::bound::{Bound, Window, whole};
use crate::calls::Subject;
use crate::error::Answer;
use crate::values::{self, Attributes};

/// What B's attributes are called in the merged tree: this, and their own name.
pub(crate) const OTHER: &str = "other_";

/// Attributes that are of neither record.
const OWN: [&str; 10] =
    ["only_a", "only_b", "matched", "changed", "difference", "cause", "node_a", "node_b", "size_a", "size_b"];

/// Numbers of `difference`.
const ONLY_A: i128 = 2;
const ONLY_B: i128 = 3;

/// The attributes of a merged tree, by their places in the schema.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(crate) cause: Option<usize>,
    /// What the trees have in common, and what only one of them has.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) a: Side,
    pub(crate) b: Side,
    difference: usize,
}

/// An attribute in both records, or in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// What its tree calls it.
    pub(crate) name: String,
    pub(crate) a: Option<usize>,
    pub(crate) b: Option<usize>,
}

/// One of the two trees, and where the merged one tells about it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// What the tree is called.
    pub(crate) label: String,
    node: Option<usize>,
    size: Option<usize>,
    window: Option<Window>,
}

impl Merged {
    /// How to read the nodes of a log, if it holds two trees merged into one.
    pub(crate) fn of(log: &Log) -> Option<Self> {
        let mut trees = log.trees();
        let (Some(tree), None) = (trees.next(), trees.next()) else { return None };
        let named = |key| tree.metadata().get(key).or(log.metadata().get(key)).map(values::cut);
        Self::of_schema(log.schema(), [named("diff_a")?, named("diff_b")?])
    }

    fn of_schema(schema: &Schema, labels: [String; 2]) -> Option<Self> {
        let place = |name: &str| schema.position(name);
        let whole = |name: &str| place(name).filter(|&place| schema.attributes()[place].kind.is_integer());
        let [label_a, label_b] = labels;
        let side = |label: String, letter: &str, prefix: &str| Side {
            label,
            node: whole(&format!("node_{letter}")),
            size: whole(&format!("size_{letter}")),
            window: Window::with_prefix(schema, prefix),
        };
        Some(Self {
            difference: whole("difference")?,
            cause: whole("cause"),
            pairs: pairs(schema),
            a: side(label_a, "a", ""),
            b: side(label_b, "b", OTHER),
        })
    }
}

/// The attributes of both records, A's first, in the order of the schema.
fn pairs(schema: &Schema) -> Vec<Pair> {
    let names = || schema.attributes().iter().map(|attribute| attribute.name.as_str());
    let of_a = |name: &&str| !OWN.contains(name) && !is_other(name, schema);
    let first = names().filter(of_a).map(|name| Pair {
        name: name.to_owned(),
        a: schema.position(name),
        b: schema.position(&format!("{OTHER}{name}")),
    });
    let rest = names().filter(|name| is_other(name, schema)).filter_map(|name| {
        let own = name.strip_prefix(OTHER)?;
        let alone = !names().filter(of_a).any(|of_a| of_a == own);
        alone.then(|| Pair { name: own.to_owned(), a: None, b: schema.position(name) })
    });
    first.chain(rest).collect()
}

/// Whether an attribute is B's. Where A has one whose own name begins with `other_`, the merged tree has both that and
/// B's `other_other_…`.
fn is_other(name: &str, schema: &Schema) -> bool {
    name.starts_with(OTHER) && schema.position(&format!("{OTHER}{name}")).is_none()
}

/// What two merged trees say of a node; nothing where one of them has no such node.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Sides {
    a: Option<SideRecord>,
    b: Option<SideRecord>,
    /// The attributes whose values differ.
    differ: Vec<String>,
}

/// What one of the two trees says of a node.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct SideRecord {
    /// Its node_id there.
    node: Option<u64>,
    size: Option<u64>,
    bound: Option<Bound>,
    attributes: Attributes,
}

/// The two records at a row of a merged tree; nothing in any other tree.
pub(crate) fn sides(subject: &mut Subject<'_>, row: u64) -> Answer<Option<Sides>> {
    let Some(merged) = Merged::of(&subject.opened.log) else { return Ok(None) };
    let difference = whole(&subject.nodes.value(row, merged.difference)?);
    let a = match difference {
        Some(ONLY_B) => None,
        _ => Some(record(subject, row, &merged, &merged.a, |pair| pair.a)?),
    };
    let b = match difference {
        Some(ONLY_A) => None,
        _ => Some(record(subject, row, &merged, &merged.b, |pair| pair.b)?),
    };
    let differ = match (&a, &b) {
        (Some(a), Some(b)) => {
            let both = merged.pairs.iter().filter(|pair| pair.a.is_some() && pair.b.is_some());
            both.filter(|pair| a.attributes.get(&pair.name) != b.attributes.get(&pair.name))
                .map(|pair| pair.name.clone())
                .collect()
        }
        _ => Vec::new(),
    };
    Ok(Some(Sides { a, b, differ }))
}

fn record(
    subject: &mut Subject<'_>,
    row: u64,
    merged: &Merged,
    side: &Side,
    place_of: fn(&Pair) -> Option<usize>,
) -> Answer<SideRecord> {
    let mut attributes = Vec::new();
    for pair in &merged.pairs {
        if let Some(place) = place_of(pair) {
            let value = subject.nodes.value(row, place)?;
            attributes.push((pair.name.clone(), values::shown_attribute(&value)));
        }
    }
    let mut number = |place: Option<usize>| -> Answer<Option<u64>> {
        let Some(place) = place else { return Ok(None) };
        Ok(whole(&subject.nodes.value(row, place)?).and_then(|number| u64::try_from(number).ok()))
    };
    let (node, size) = (number(side.node)?, number(side.size)?);
    let bound = subject.bound_in(side.window, row)?;
    Ok(SideRecord { node, size, bound, attributes: Attributes(attributes) })
}

#[cfg(test)]
mod tests {
    use gt_log::Kind;

    use super::*;

    fn merged(names: &[(&str, Kind)]) -> Option<Merged> {
        let schema = Schema::new(names.iter().copied()).unwrap();
        Merged::of_schema(&schema, ["A".to_owned(), "B".to_owned()])
    }

    #[test]
    fn attributes_are_told_apart_by_their_names() {
        let merged = merged(&[
            ("best", Kind::I32),
            ("other_x", Kind::I8),
            ("difference", Kind::U8),
            ("cause", Kind::U8),
            ("other_best", Kind::I32),
            ("other_other_x", Kind::I8),
            ("other_new", Kind::I8),
        ])
        .unwrap();
        let pair = |name: &str, a, b| Pair { name: name.to_owned(), a, b };
        assert_eq!(
            merged.pairs,
            [pair("best", Some(0), Some(4)), pair("other_x", Some(1), Some(5)), pair("new", None, Some(6))]
        );
        assert_eq!((merged.difference, merged.cause), (2, Some(3)));
    }

    #[test]
    fn what_has_no_differences_is_no_merged_tree() {
        assert!(merged(&[("best", Kind::I32)]).is_none());
        assert!(merged(&[("difference", Kind::Text)]).is_none());
        assert!(merged(&[("difference", Kind::F32)]).is_none());
    }
}
