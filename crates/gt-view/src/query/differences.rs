//! `/api/diff`: how much of two merged trees differs, in what, and why. Every number is the answer of a query.

use std::collections::BTreeMap;

use gt_log::Tree;
use gt_query::engine::{self, Options};
use gt_query::{Answer as Found, Program, Value};
use serde::Serialize;

use super::binding::Binding;
use crate::calls::logs::labels;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Opened;
use crate::merged::{Merged, OTHER};
use crate::work::Cancel;

/// How much of two merged trees differs, in nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DiffTotals {
    generation: u64,
    a: TreeTotal,
    b: TreeTotal,
    same: u64,
    changed: u64,
    only_a: u64,
    only_b: u64,
    attributes: Vec<AttributeTotal>,
    causes: Vec<CauseTotal>,
}

/// One of the two trees.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TreeTotal {
    label: String,
    nodes: u64,
}

/// How many of the changed nodes have another value of an attribute.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AttributeTotal {
    name: String,
    nodes: u64,
}

/// How many differences have one cause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CauseTotal {
    /// What the log calls it, if it does.
    name: Option<String>,
    /// The value of `cause`; nothing where it is missing.
    value: Option<i64>,
    nodes: u64,
}

/// Ready queries of merged trees: title, text, meaning.
pub(super) const READY: [(&str, &str, &str); 4] = [
    (
        "Subtrees that grew or shrank most",
        "node: difference < 2 and size_a != size_b\nselect node_id, size_a, size_b, size_b - size_a as growth, @line\n\
         order by abs(size_b - size_a) desc\nlimit 100",
        "Where the second search took more nodes than the first, or fewer.",
    ),
    (
        "The largest subtrees only in A",
        "node: difference = 2 and [^]difference != 2\nselect node_id, @size, cause, @line\norder by @size desc\nlimit 100",
        "What the first search looked at, and the second did not.",
    ),
    (
        "The largest subtrees only in B",
        "node: difference = 3 and [^]difference != 3\nselect node_id, @size, cause, @line\norder by @size desc\nlimit 100",
        "What the second search looked at, and the first did not.",
    ),
    (
        "Values that changed most",
        "node: best != other_best\nselect node_id, best, other_best, cause, @line\n\
         order by abs(other_best - best) desc\nlimit 100",
        "Nodes that both searches have, with the values they gave them.",
    ),
];

const BY_DIFFERENCE: &str = "group by difference select difference, count(*)";
const BY_CAUSE: &str =
    "node: difference != 0 group by cause select cause, count(*) as nodes order by nodes desc";

/// Counts the differences of a merged tree.
pub(crate) fn totals(opened: &Opened, tree: Tree<'_>, cancel: &Cancel) -> Answer<DiffTotals> {
    let Some(merged) = Merged::of(&opened.log) else {
        let sentence = "this log is not two trees merged into one: make one with `gt diff`, or view two logs with `--diff`";
        return Err(Refusal::missing("log", sentence));
    };
    let binding = Binding::new(opened, tree);
    let compared = compared(&merged, &binding);
    let mut texts = vec![BY_DIFFERENCE.to_owned()];
    texts.extend(compared.iter().map(|(_, text)| text.clone()));
    texts.extend(merged.cause.map(|_| BY_CAUSE.to_owned()));
    let mut answers = answers(&binding, tree, &texts.join("\n\n"), cancel)?.into_iter();
    let by_difference = groups(answers.next());
    let of = |difference: i64| by_difference.get(&Some(difference)).copied().unwrap_or(0);
    let (same, changed, only_a, only_b) = (of(0), of(1), of(2), of(3));
    let attributes = compared.into_iter().map(|(name, _)| {
        let nodes = match answers.next() {
            Some(Found::Count(nodes)) => nodes,
            _ => 0,
        };
        AttributeTotal { name, nodes }
    });
    let attributes: Vec<AttributeTotal> = attributes.filter(|total| total.nodes > 0).collect();
    let names = merged.cause.and_then(|place| labels(opened, place));
    let named = |value: i64| {
        let name = names.as_ref()?.of.iter().find(|named| named.value == value)?;
        Some(name.name.clone())
    };
    let cause = |(value, nodes): (Option<i64>, u64)| CauseTotal { name: value.and_then(named), value, nodes };
    let mut causes: Vec<CauseTotal> = groups(answers.next()).into_iter().map(cause).collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.nodes));
    Ok(DiffTotals {
        generation: opened.generation,
        a: TreeTotal { label: merged.a.label, nodes: same + changed + only_a },
        b: TreeTotal { label: merged.b.label, nodes: same + changed + only_b },
        same,
        changed,
        only_a,
        only_b,
        attributes,
        causes,
    })
}

/// The attributes whose values can be compared, each with the query that counts where they differ.
fn compared(merged: &Merged, binding: &Binding<'_>) -> Vec<(String, String)> {
    let both = merged.pairs.iter().filter(|pair| pair.a.is_some() && pair.b.is_some());
    let counted = both.map(|pair| {
        let (a, b) = (pair.name.as_str(), format!("{OTHER}{}", pair.name));
        let one_lacks_it = format!("{a} is known and {b} is unknown or {a} is unknown and {b} is known");
        (pair.name.clone(), format!("node: count(difference = 1 and ({a} != {b} or {one_lacks_it}))"))
    });
    counted.filter(|(_, text)| binding.compile(text).is_ok()).collect()
}

/// What queries of our own are answered with.
fn answers(binding: &Binding<'_>, tree: Tree<'_>, text: &str, cancel: &Cancel) -> Answer<Vec<Found>> {
    let odd = |_| Refusal::new(Kind::Conflict, "the attributes of this merged tree cannot be counted");
    let program: Program = binding.compile(text).map_err(odd)?;
    let options = Options { cancel: Some(cancel.flag()), ..Options::default() };
    let answered = engine::run(&program, tree, &options)?.answers;
    let overflow = |error: gt_query::RunError| Refusal::new(Kind::Conflict, error.to_string());
    answered.into_iter().map(|answer| answer.map_err(overflow)).collect()
}

/// The rows of a query with a key and a count.
fn groups(found: Option<Found>) -> BTreeMap<Option<i64>, u64> {
    let Some(Found::Rows { rows, .. }) = found else { return BTreeMap::new() };
    let integer = |cell: Option<&Option<Value>>| match cell {
        Some(Some(Value::Integer(number))) => i64::try_from(*number).ok(),
        _ => None,
    };
    let count = |row: &[Option<Value>]| integer(row.get(1)).and_then(|count| u64::try_from(count).ok());
    rows.iter().map(|row| (integer(row.first()), count(row).unwrap_or(0))).collect()
}
