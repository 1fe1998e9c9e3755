//! What gt-diff found, with its moves named, for gt-report.

use gt_diff::{Attributes, Diff, Result, Summary};
use gt_fleet::Notation;
use gt_query::MoveCodec;
use gt_report::diff::{Cause, Comparison, First, Grown, Line, Move, Step};

/// The two trees compared, as plain data.
pub(super) fn comparison(diff: &Diff<'_>) -> Result<Comparison> {
    let summary = diff.summary()?;
    let (a, b) = diff.sides();
    let names = Names(Notation::of(a.log));
    let Summary { first, causes, grown, best_line, .. } = summary;
    let first = first.map(|first| First {
        line: names.line(&first.line),
        line_b: first.line_b.map(|line| names.line(&line)),
        node_a: first.node_a,
        node_b: first.node_b,
        on_entry: first.on_entry,
        record: first.record.into_iter().map(|pair| (pair.name, pair.a, pair.b)).collect(),
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
        best_line: best_line.into_iter().map(|step| named_step(&names, step)).collect(),
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

fn named_step(names: &Names<'_>, step: gt_diff::Step) -> Step {
    let [best_a, best_b] = [step.best_a, step.best_b].map(|code| code.map(|code| names.one(code)));
    Step { line: names.line(&step.line), value_a: step.value_a, value_b: step.value_b, best_a, best_b }
}

/// Names of moves.
struct Names<'a>(Option<Notation<'a>>);

impl Names<'_> {
    fn one(&self, code: i64) -> Move {
        self.0.and_then(|notation| notation.text(code)).map_or(Move::Number(code), Move::Named)
    }

    fn line(&self, codes: &[i64]) -> Line {
        codes.iter().map(|&code| self.one(code)).collect()
    }
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
