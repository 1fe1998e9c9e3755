//! `/api/why`: why the line to a node was played or not, as gt-why explains it.

use std::cell::RefCell;

use gt_query::MoveCodec as _;
use gt_report::NodeNames;
use gt_why::TreeChoice;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Subject;
use crate::error::{Answer, Kind, Refusal};
use crate::nodes::Located;
use crate::values;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WhyAnswer {
    generation: u64,
    node: u64,
    /// All of the explanation in words.
    text: String,
    #[cfg_attr(test, ts(as = "gt_why::Explanation"))]
    explanation: Json,
}

/// No longer line is explained, and none along which more moves were searched.
const PLIES_MAX: usize = 400;
const MOVES_MAX: u64 = 1_000_000;

pub(crate) fn why(subject: &mut Subject<'_>, id: u64) -> Answer<WhyAnswer> {
    let located = subject.nodes.locate(id)?;
    check_length(subject, &located)?;
    let codes = subject.codes(&located)?;
    let choice = TreeChoice::Number(subject.tree.number());
    let explained = gt_why::explain(&subject.opened.log, choice, &codes).map_err(|error| match error {
        gt_why::Error::Log(error) => Refusal::from(error),
        other => Refusal::missing("tree", other.to_string()),
    })?;
    let of_nodes = subject.names.attribute.and_then(|_| NodeNames::of(subject.tree));
    let (notation, of_nodes) = (subject.notation, RefCell::new(of_nodes));
    let scribe = RefCell::new(subject.names.scribe.as_mut());
    let names = |before: &[i64], number: i64| {
        let written = scribe.borrow_mut().as_mut().and_then(|scribe| scribe.after(before, number));
        // A name that cannot be read is left to the notation.
        let called = || of_nodes.borrow_mut().as_mut()?.after(before, number).ok().flatten();
        written.or_else(|| called().map(|name| values::cut(&name))).or_else(|| notation.text(number))
    };
    let text = explained.text(&names);
    let explanation = serde_json::to_value(explained.with_names(&names));
    let explanation = explanation.map_err(|error| Refusal::new(Kind::Log, error.to_string()))?;
    Ok(WhyAnswer { generation: subject.opened.generation, node: id, text, explanation: exact(explanation) })
}

/// An explanation takes time in proportion to the moves along the line, and cannot be stopped: how many they are is
/// counted before, by a walk that can.
fn check_length(subject: &mut Subject<'_>, located: &Located) -> Answer<()> {
    let plies = located.ancestors.len();
    if plies > PLIES_MAX {
        let sentence =
            format!("the line to this node has {plies} moves; lines of at most {PLIES_MAX} are explained");
        return Err(Refusal::bad("node", sentence));
    }
    let mut moves = 0;
    for node in located.line() {
        moves += subject.nodes.child_count(node)?;
        if moves > MOVES_MAX {
            let sentence = format!(
                "more than {MOVES_MAX} moves were searched along the line to this node: it takes too long to explain"
            );
            return Err(Refusal::bad("node", sentence));
        }
    }
    Ok(())
}

/// Replaces whole numbers that JavaScript's numbers cannot hold by texts.
fn exact(json: Json) -> Json {
    match json {
        Json::Number(number) => match number.as_i128() {
            Some(whole) => json!(values::integer(whole)),
            None => Json::Number(number),
        },
        Json::Array(items) => items.into_iter().map(exact).collect(),
        Json::Object(fields) => fields.into_iter().map(|(name, value)| (name, exact(value))).collect(),
        other @ (Json::Null | Json::Bool(_) | Json::String(_)) => other,
    }
}
