//! The best line from the root: values and best moves of both trees, along the moves that A considers best.
//!
//! A node's best move is the first child whose value, from the other player's view, is the node's own and lies inside
//! the child's window; otherwise the first with that value; otherwise the first with the node's own value.

use gt_log::{Tree, Value, Walker};

use crate::diff::Diff;
use crate::error::Result;

/// The maximum length of the line.
const STEPS_MAX: usize = 12;

/// A pair of nodes on the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The moves that lead to it.
    pub line: Vec<i64>,
    /// Its value in A.
    pub value_a: Value,
    /// Its value in B.
    pub value_b: Value,
    /// The best move in A.
    pub best_a: Option<i64>,
    /// The best move in B.
    pub best_b: Option<i64>,
}

/// The pairs from the root, down to the first from which nothing differs or the best moves diverge.
pub(crate) fn best_line(diff: &Diff<'_>) -> Result<Vec<Step>> {
    let Some(value) = diff.attributes.value().filter(|_| !diff.is_same()) else { return Ok(Vec::new()) };
    let mut a = Tracker::of(diff.side(false).tree, value.place_a);
    let mut b = Tracker::of(diff.side(true).tree, value.place_b);
    let (mut row_a, mut row_b) = (a.walker.root(), b.walker.root());
    let (mut steps, mut line) = (Vec::new(), Vec::new());
    while steps.len() < STEPS_MAX {
        let (child_a, child_b) = (a.best_child(row_a)?, b.best_child(row_b)?);
        let best_a = child_a.map(|row| a.walker.last_move(row)).transpose()?;
        let best_b = child_b.map(|row| b.walker.last_move(row)).transpose()?;
        let (value_a, value_b) = (a.value(row_a)?, b.value(row_b)?);
        steps.push(Step { line: line.clone(), value_a, value_b, best_a, best_b });
        let (Some(child_a), Some(last_move)) = (child_a, best_a) else { break };
        let Some(partner) = diff.matching.runs.to_b(child_a as u32) else { break };
        if best_a != best_b || diff.is_same_subtree(child_a as u32, partner) {
            break;
        }
        line.push(last_move);
        (row_a, row_b) = (child_a, u64::from(partner));
    }
    Ok(steps)
}

/// A walker that reads values.
struct Tracker<'a> {
    walker: Walker<'a>,
    value: usize,
    /// Alpha and beta, if the log has both.
    window: Option<(usize, usize)>,
}

impl<'a> Tracker<'a> {
    fn of(tree: Tree<'a>, value: usize) -> Self {
        let schema = tree.schema();
        Self {
            walker: Walker::new(tree),
            value,
            window: schema.position("alpha").zip(schema.position("beta")),
        }
    }

    fn value(&mut self, row: u64) -> Result<Value> {
        Ok(self.walker.value(row, self.value)?)
    }

    fn best_child(&mut self, row: u64) -> Result<Option<u64>> {
        let value = self.value(row)?;
        let negated = match &value {
            Value::Int(number) => number.checked_neg().map(Value::Int),
            Value::Float(number) => Some(Value::Float(-number)),
            Value::UInt(_) | Value::Bool(_) | Value::Text(_) | Value::Missing => None,
        };
        let (mut first_negated, mut first_same) = (None, None);
        for child in self.walker.children(row)? {
            let of_child = self.value(child)?;
            if Some(&of_child) == negated.as_ref() {
                if self.is_exact(child, &of_child)? {
                    return Ok(Some(child));
                }
                first_negated = first_negated.or(Some(child));
            }
            if of_child == value && of_child != Value::Missing {
                first_same = first_same.or(Some(child));
            }
        }
        Ok(first_negated.or(first_same))
    }

    /// Whether a whole number is inside the node's window.
    fn is_exact(&mut self, row: u64, value: &Value) -> Result<bool> {
        let Some((alpha, beta)) = self.window else { return Ok(false) };
        let bounds = (self.walker.value(row, alpha)?, self.walker.value(row, beta)?);
        Ok(match (bounds, value) {
            ((Value::Int(alpha), Value::Int(beta)), Value::Int(value)) => alpha < *value && *value < beta,
            _ => false,
        })
    }
}
