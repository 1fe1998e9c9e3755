//! What the reference evaluator answers from a log that was read back.

use gt_log::{Column, Error, Tree, Value, status};
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, RunError, compile, reference, render_all};

/// The answers to a text of queries; `$name` is what the tree's metadata say.
pub(crate) fn answers(tree: Tree<'_>, text: &str) -> Vec<Result<Answer, RunError>> {
    let environment = Environment::new(tree.schema());
    let environment = tree
        .metadata()
        .iter()
        .fold(environment, |environment, (key, value)| environment.with_parameter_text(key, value));
    let program =
        compile(text, &environment).unwrap_or_else(|errors| panic!("{}", render_all(&errors, "", text)));
    reference::answer(&program, &plain_tree(tree))
}

/// The tree in memory.
pub(crate) fn plain_tree(tree: Tree<'_>) -> PlainTree {
    let attributes = tree.schema().attributes();
    let mut columns = vec![Column::LastMove, Column::Status];
    columns.extend((0..attributes.len()).map(Column::Attribute));
    let mut plain = PlainTree::new(tree.schema().clone());
    let visited: Result<(), Error> = tree.preorder(&columns, |batch| {
        for place in 0..batch.len() {
            let values = attributes.iter().zip(&batch.cells[2..]).map(|(attribute, cells)| {
                // What is decoded for a missing value means nothing.
                let value = || of_log(Value::of_integer(attribute.kind, cells.integers[place], &cells.texts));
                if cells.is_missing(place) { None } else { value() }
            });
            let parent = usize::try_from(batch.parents[place]).ok();
            let node = plain.push(parent, batch.cells[0].integers[place], values.collect()).unwrap();
            let is_unfinished = batch.cells[1].integers[place] & i64::from(status::UNFINISHED) != 0;
            plain.node_mut(node).unwrap().unfinished = is_unfinished;
        }
        Ok(())
    });
    visited.unwrap();
    plain
}

fn of_log(value: Value) -> Option<gt_query::Value> {
    Some(match value {
        Value::Int(value) => gt_query::Value::Integer(value.into()),
        Value::UInt(value) => gt_query::Value::Integer(value.into()),
        Value::Float(value) => return gt_query::Value::float(value),
        Value::Bool(value) => gt_query::Value::Boolean(value),
        Value::Text(value) => gt_query::Value::text(&value),
        Value::Missing => return None,
    })
}
