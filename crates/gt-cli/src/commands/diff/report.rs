//! What gt-diff found, with its moves named, for gt-report.

use gt_diff::{Attributes, Diff, RecordPair, Result, Summary};
use gt_report::diff::{Cause, Comparison, First, Grown, Step, WordedValue};

use super::names::Names;
use crate::moves::Moves;

/// The two trees compared, as plain data.
pub(super) fn comparison(diff: &Diff<'_>, moves: Moves) -> Result<Comparison> {
    let summary = diff.summary()?;
    let (a, b) = diff.sides();
    let names = Names::new(a, b, moves);
    let Summary { first, causes, grown, best_line, .. } = summary;
    let first = first.map(|first| First {
        line: names.line(&first.line),
        record: record(&names, diff.attributes(), &first),
        line_b: first.line_b.map(|line| names.line(&line)),
        node_a: first.node_a,
        node_b: first.node_b,
        on_entry: first.on_entry,
    });
    Ok(Comparison {
        label_a: a.label.clone(),
        label_b: b.label.clone(),
        same: summary.same,
        nodes_a: summary.nodes_a,
        nodes_b: summary.nodes_b,
        matched: summary.matched,
        only_a: summary.only_a,
        only_b: summary.only_b,
        changed_nodes: summary.changed_nodes,
        changed: summary.changed,
        transposed: summary.transposed,
        transposed_other_value: summary.transposed_other_value,
        first,
        causes: causes.into_iter().map(|cause| named_cause(&names, cause)).collect(),
        grown: grown.into_iter().map(|grown| named_subtree(&names, grown)).collect(),
        best_line: best_line.into_iter().map(|step| named_step(&names, diff.attributes(), step)).collect(),
        notes: notes(diff.attributes(), summary.same),
    })
}

fn named_cause(names: &Names<'_>, cause: gt_diff::CauseSummary) -> Cause {
    Cause {
        name: cause.cause.name().to_owned(),
        origins: cause.origins,
        nodes: cause.nodes,
        largest: names.line(&cause.largest_line),
        largest_node_a: cause.largest_node_a,
        largest_node_b: cause.largest_node_b,
        largest_nodes: cause.largest_nodes,
    }
}

fn named_subtree(names: &Names<'_>, grown: gt_diff::GrownSubtree) -> Grown {
    let gt_diff::GrownSubtree { line, node_a, node_b, size_a, size_b } = grown;
    Grown { line: names.line(&line), node_a, node_b, size_a, size_b }
}

fn named_step(names: &Names<'_>, attributes: &Attributes, step: gt_diff::Step) -> Step {
    let line = step.line;
    let best = |code: Option<i64>| code.map(|code| names.of_move(&line, code));
    let ply = line.len() as u64;
    let [value_a, value_b] = names.told(attributes.value(), [(step.value_a, ply), (step.value_b, ply)]);
    Step { best_a: best(step.best_a), best_b: best(step.best_b), line: names.line(&line), value_a, value_b }
}

/// The records of the first nodes that differ.
fn record(
    names: &Names<'_>,
    attributes: &Attributes,
    first: &gt_diff::First,
) -> Vec<(String, WordedValue, WordedValue)> {
    let ply_a = first.line.len() as u64;
    let ply_b = first.line_b.as_ref().map_or(ply_a, |line| line.len() as u64);
    let told = |pair: &RecordPair| {
        let attribute = attributes.compared.iter().find(|compared| compared.name == pair.name);
        let [a, b] = names.told(attribute, [(pair.a.clone(), ply_a), (pair.b.clone(), ply_b)]);
        (pair.name.clone(), a, b)
    };
    first.record.iter().map(told).collect()
}

/// What was not compared, and what more attributes would have told.
fn notes(attributes: &Attributes, same: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if attributes.compared.is_empty() {
        notes.push("No attribute is compared: only which nodes there are.".to_owned());
    }
    for (names, side) in [(&attributes.only_a, "A"), (&attributes.only_b, "B")] {
        if !names.is_empty() {
            notes.push(format!("Only {side} has {}: not compared.", names.join(", ")));
        }
    }
    for (name, a, b) in &attributes.unlike {
        notes.push(format!("`{name}` is of type {a} in A and {b} in B: not compared."));
    }
    let missing = &attributes.causes_missing;
    if !same && !missing.is_empty() {
        notes.push(format!("With {} in both logs, causes could be told apart further.", missing.join(", ")));
    }
    notes
}
