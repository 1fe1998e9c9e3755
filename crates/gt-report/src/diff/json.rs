//! The contract of `gt diff --format json`; its keys are in the manual.

use gt_log::Value;
use serde_json::{Map, Value as Json, json};

use super::{Cause, Comparison, First, Grown, Line, Move, Step};
use crate::chart::number_json;

impl Comparison {
    /// The comparison as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let changed = self.changed.iter().map(|(name, count)| (name.clone(), json!(count)));
        let causes = self.causes.iter().map(|cause| (cause.name.clone(), cause_json(cause)));
        json!({
            "a": self.label_a, "b": self.label_b,
            "same": self.same,
            "nodes": {"a": self.nodes_a, "b": self.nodes_b},
            "matched": self.matched, "only_a": self.only_a, "only_b": self.only_b,
            "transposed": self.transposed, "transposed_other_value": self.transposed_other_value,
            "changed_nodes": self.changed_nodes,
            "changed": changed.collect::<Map<_, _>>(),
            "first": self.first.as_ref().map(first_json),
            "causes": causes.collect::<Map<_, _>>(),
            "grown": self.grown.iter().map(grown_json).collect::<Vec<_>>(),
            "way": self.best_line.iter().map(step_json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

fn first_json(first: &First) -> Json {
    let record = first
        .record
        .iter()
        .map(|(name, a, b)| (name.clone(), json!({"a": value_json(&a.value), "b": value_json(&b.value)})));
    json!({
        "line": line_json(&first.line), "line_b": first.line_b.as_ref().map(line_json),
        "node_a": first.node_a, "node_b": first.node_b,
        "event": if first.on_entry { "enter" } else { "leave" },
        "attributes": record.collect::<Map<_, _>>(),
    })
}

fn cause_json(cause: &Cause) -> Json {
    json!({
        "origins": cause.origins, "nodes": cause.nodes,
        "largest": {"line": line_json(&cause.largest), "node_a": cause.largest_node_a, "node_b": cause.largest_node_b,
                    "nodes": cause.largest_nodes},
    })
}

fn grown_json(grown: &Grown) -> Json {
    json!({"line": line_json(&grown.line), "node_a": grown.node_a, "node_b": grown.node_b,
           "size_a": grown.size_a, "size_b": grown.size_b})
}

fn step_json(step: &Step) -> Json {
    json!({"line": line_json(&step.line), "value_a": value_json(&step.value_a.value), "value_b": value_json(&step.value_b.value),
           "best_a": step.best_a.as_ref().map(move_json), "best_b": step.best_b.as_ref().map(move_json)})
}

fn line_json(line: &Line) -> Json {
    line.iter().map(move_json).collect()
}

fn move_json(mv: &Move) -> Json {
    match mv {
        Move::Named(name) => json!(name),
        Move::Number(number) => json!(number),
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Int(number) => json!(number),
        Value::UInt(number) => json!(number),
        Value::Float(number) => number_json(*number),
        Value::Bool(truth) => json!(truth),
        Value::Text(text) => json!(text),
        Value::Missing => Json::Null,
    }
}
