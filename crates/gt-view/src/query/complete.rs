//! `/api/complete`: what can be written at the cursor.

use gt_log::{Schema, Tree};
use gt_query::tools::vocabulary::{self, Meaning};
use serde::Serialize;

use super::text::{Utf16, check_length};
use crate::error::Answer;
use crate::logs::Opened;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CompleteAnswer {
    start: u32,
    end: u32,
    proposals: Vec<Proposal>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Proposal {
    text: String,
    kind: &'static str,
    detail: String,
}

/// What can be written at a place (in UTF-16 code units) of a text.
pub(crate) fn complete(opened: &Opened, tree: Tree<'_>, text: &str, position: u64) -> Answer<CompleteAnswer> {
    check_length(text)?;
    let places = Utf16::new(text);
    let cursor = places.to_byte(position);
    let schema = opened.log.schema();
    let found = gt_query::tools::complete(text, cursor, schema);
    let word = text.get(found.start..cursor).unwrap_or("");
    let mut proposals: Vec<Proposal> = found
        .candidates
        .into_iter()
        .map(|candidate| Proposal {
            kind: kind(&candidate.text, schema),
            text: candidate.text,
            detail: candidate.doc,
        })
        .collect();
    if let Some(written) = word.strip_prefix('$') {
        proposals.extend(parameters(opened, tree, written));
    }
    let (start, end) = (places.of_byte(found.start), places.of_byte(cursor));
    Ok(CompleteAnswer { start, end, proposals })
}

/// Parameters that the metadata gives a value.
fn parameters(opened: &Opened, tree: Tree<'_>, written: &str) -> Vec<Proposal> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut proposals: Vec<Proposal> = Vec::new();
    for (name, value) in tree.metadata().iter().chain(opened.log.metadata().iter()) {
        let text = format!("${name}");
        let is_new = proposals.iter().all(|other| other.text != text);
        if is_new && is_name(name) && name.starts_with(written) {
            proposals.push(Proposal { text, kind: "parameter", detail: value.chars().take(80).collect() });
        }
    }
    proposals
}

fn kind(text: &str, schema: &Schema) -> &'static str {
    let word = text.trim_end_matches([':', '(', ')', '*', ' ']);
    if schema.position(word).is_some() {
        return "attribute";
    }
    if schema.alias(word).is_some() {
        return "alias";
    }
    match vocabulary::find(word).map(|word| word.meaning) {
        Some(Meaning::Structure(_)) => "structure",
        Some(Meaning::Relative(_)) => "relative",
        Some(Meaning::Aggregate(_) | Meaning::Operation(_)) => "function",
        Some(Meaning::Attribute) => "attribute",
        Some(_) => "keyword",
        None => "column",
    }
}
