//! The report for scripts.

use serde_json::{Value, json};

use super::text::{address, query_command};
use super::{Blessing, CheckReport, Example, Report, SubjectReport, SubjectStatus};
use crate::verdict::Status;

impl Report {
    /// Returns the report for scripts; `docs/check.md` describes every key.
    #[must_use]
    pub fn json(&self) -> Value {
        let engine = self.engine.as_ref().map(
            |engine| json!({ "name": engine.name, "command": engine.command, "version": engine.version }),
        );
        let baseline = match &self.blessing {
            Some(Blessing::Written(path)) => json!(path.display().to_string()),
            Some(Blessing::Refused(_)) | None => Value::Null,
        };
        json!({
            "suite": self.suite.display().to_string(),
            "holds": self.holds(),
            "exit_code": self.exit_code(),
            "stopped": self.is_stopped,
            "engine": engine,
            "subjects": self.subjects.iter().map(subject).collect::<Vec<_>>(),
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
            "baseline_written": baseline,
            "logs": self.logs.as_ref().map(|path| path.display().to_string()),
            "seconds": self.seconds,
        })
    }
}

fn subject(subject: &SubjectReport) -> Value {
    let (status, sentence) = match &subject.status {
        SubjectStatus::Done => ("done", None),
        SubjectStatus::Failed(sentence) => ("failed", Some(sentence)),
        SubjectStatus::Wrong(sentence) => ("wrong", Some(sentence)),
        SubjectStatus::Stopped => ("stopped", None),
    };
    json!({
        "name": subject.name,
        "status": status,
        "sentence": sentence,
        "log": subject.log.as_ref().map(|path| path.display().to_string()),
        "trees": subject.trees,
        "nodes": subject.nodes,
        "seconds": subject.seconds,
    })
}

fn check(check: &CheckReport) -> Value {
    let measured = check.measured.iter().map(|measured| {
        json!({
            "name": measured.label,
            "number": number(measured.number),
            "baseline": measured.baseline.map(number),
            "holds": measured.holds,
        })
    });
    json!({
        "name": check.name,
        "status": status(check.status),
        "expect": check.expect,
        "over": check.over,
        "percentage": check.is_percentage,
        "number": check.measured.first().map(|worst| number(worst.number)),
        "query": check.query,
        "of": check.of,
        "why": check.why,
        "sentence": check.sentence,
        "measured": measured.collect::<Vec<_>>(),
        "examples": check.examples.iter().map(example).collect::<Vec<_>>(),
    })
}

pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Holds => "holds",
        Status::Fails => "fails",
        Status::Skipped => "skipped",
        Status::Wrong => "wrong",
    }
}

fn example(example: &Example) -> Value {
    let nodes = example
        .nodes
        .iter()
        .map(|node| json!({ "node": node.node, "size": node.size, "value": node.value.map(number), "line": node.line }));
    json!({
        "subject": example.subject,
        "log": example.log.display().to_string(),
        "tree": example.tree,
        "query": example.query,
        "command": query_command(example),
        "address": address(example),
        "nodes": nodes.collect::<Vec<_>>(),
    })
}

/// A whole number without a point.
fn number(number: f64) -> Value {
    const EXACT_MAX: f64 = (1u64 << 53) as f64;
    if number.fract() == 0.0 && number.abs() <= EXACT_MAX { json!(number as i64) } else { json!(number) }
}
