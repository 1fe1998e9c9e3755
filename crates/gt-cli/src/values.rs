//! The attributes of a node in words: a mate, an alias.

use gt_log::{Log, Schema, Tree, Value};
use gt_query::{alias_text, holds_values};
use gt_report::Mates;

/// The words that a log has for the attributes of a tree's nodes.
pub(crate) struct ValueWords<'a> {
    /// What says which attributes hold values and what their aliases are.
    schema: &'a Schema,
    /// How values say that a game is decided.
    mates: Option<Mates>,
}

impl<'a> ValueWords<'a> {
    pub(crate) fn new(log: &'a Log, tree: Tree<'_>) -> Self {
        Self { schema: log.schema(), mates: Mates::of(log, tree) }
    }

    /// What an attribute of a node at this ply is called: a mate, or its alias; nothing where it has no words.
    pub(crate) fn of(&self, attribute: usize, value: &Value, ply: u64) -> Option<String> {
        let number = match value {
            Value::Int(number) => i128::from(*number),
            Value::UInt(number) => i128::from(*number),
            Value::Float(_) | Value::Bool(_) | Value::Text(_) | Value::Missing => return None,
        };
        let decided = self.mates.filter(|_| holds_values(self.schema, attribute));
        decided
            .and_then(|mates| mates.text(number, ply))
            .or_else(|| alias_text(self.schema, attribute, &gt_query::Value::Integer(number)))
    }
}
