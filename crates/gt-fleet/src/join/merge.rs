//! Merges two partial aggregates.

use std::cmp::Ordering;

use gt_query::Value;

use super::Rule;

/// Merges the cells of an aggregate into the gathered ones; there are [`Rule::cells`] of each.
pub(super) fn merge(rule: Rule, cells: &mut [Option<Value>], new: &[Option<Value>]) {
    let (old, more) = (cells[0].take(), new[0].clone());
    cells[0] = match rule {
        Rule::Add => added(old, more),
        Rule::Least => chosen(old, more, Ordering::Less),
        Rule::Most => chosen(old, more, Ordering::Greater),
        Rule::Any => truth(old, more, |old, more| old || more),
        Rule::All => truth(old, more, |old, more| old && more),
        Rule::Mean => {
            let [old_count, new_count] =
                [&cells[1], &new[1]].map(|cell| cell.as_ref().and_then(Value::as_float));
            let (old_count, new_count) = (old_count.unwrap_or(0.0), new_count.unwrap_or(0.0));
            cells[1] = added(cells[1].take(), new[1].clone());
            match (old.as_ref().and_then(Value::as_float), more.as_ref().and_then(Value::as_float)) {
                (Some(old), Some(new)) => {
                    Value::float((old * old_count + new * new_count) / (old_count + new_count))
                }
                _ => old.or(more),
            }
        }
    };
}

pub(super) fn added(old: Option<Value>, more: Option<Value>) -> Option<Value> {
    match (old, more) {
        (Some(Value::Integer(old)), Some(Value::Integer(more))) => Some(Value::Integer(old + more)),
        (Some(old), Some(more)) => Value::float(old.as_float()? + more.as_float()?),
        (old, more) => old.or(more),
    }
}

fn chosen(old: Option<Value>, more: Option<Value>, order: Ordering) -> Option<Value> {
    match (old, more) {
        (Some(old), Some(more)) => Some(if more.order(&old) == order { more } else { old }),
        (old, more) => old.or(more),
    }
}

fn truth(old: Option<Value>, more: Option<Value>, both: fn(bool, bool) -> bool) -> Option<Value> {
    match (old, more) {
        (Some(Value::Boolean(old)), Some(Value::Boolean(more))) => Some(Value::Boolean(both(old, more))),
        (old, more) => old.or(more),
    }
}
