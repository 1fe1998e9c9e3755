//! Whether two answers are the same: the engine's, and DuckDB's as JSON.

use gt_query::{Answer, Value};
use serde_json::Value as Json;

/// Means of floats depend on the order of adding, in their last digits.
const FLOATS_DIFFER_MAX: f64 = 1e-9;

/// What differs, in a sentence; `None` if the answers agree.
pub(crate) fn difference(ours: &Answer, theirs: &[Vec<Json>]) -> Option<String> {
    let ours: Vec<Vec<Option<Value>>> = match ours {
        Answer::Count(count) => vec![vec![Some(Value::Integer(i128::from(*count)))]],
        Answer::Value(value) => vec![vec![value.clone()]],
        Answer::Rows { rows, .. } => rows.clone(),
        Answer::Nodes(nodes) => {
            nodes.iter().map(|node| vec![Some(Value::Integer(i128::from(*node)))]).collect()
        }
    };
    if ours.len() != theirs.len() {
        return Some(format!("{} rows here, {} in DuckDB", ours.len(), theirs.len()));
    }
    let agree = |(ours, theirs): &(&Vec<Option<Value>>, &Vec<Json>)| {
        ours.len() == theirs.len() && ours.iter().zip(theirs.iter()).all(|(ours, theirs)| same(ours, theirs))
    };
    let row = ours.iter().zip(theirs).find(|row| !agree(row))?;
    Some(format!("{:?} here, {:?} in DuckDB", row.0, row.1))
}

fn same(ours: &Option<Value>, theirs: &Json) -> bool {
    match ours {
        None => theirs.is_null(),
        Some(Value::Integer(ours)) => theirs.as_i64().is_some_and(|theirs| i128::from(theirs) == *ours),
        Some(Value::Float(ours)) => theirs.as_f64().is_some_and(|theirs| {
            (ours - theirs).abs() <= FLOATS_DIFFER_MAX * ours.abs().max(theirs.abs()).max(1.0)
        }),
        Some(Value::Boolean(ours)) => theirs.as_bool() == Some(*ours),
        Some(Value::Text(ours)) => theirs.as_str() == Some(ours),
        Some(Value::Line(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use gt_query::Type;
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_agree_exactly() {
        assert_eq!(difference(&Answer::Count(3), &[vec![json!(3)]]), None);
        assert!(difference(&Answer::Count(3), &[vec![json!(4)]]).is_some());
        assert!(difference(&Answer::Count(3), &[]).is_some());
    }

    #[test]
    fn cells_agree_by_type_and_floats_nearly() {
        let cells = vec![None, Some(Value::Float(0.1)), Some(Value::text("A00")), Some(Value::Boolean(true))];
        let columns = vec![(String::new(), Type::Text); cells.len()];
        let answer = Answer::Rows { columns, rows: vec![cells] };
        let with = |float: f64, text: &str| [vec![json!(null), json!(float), json!(text), json!(true)]];
        assert_eq!(difference(&answer, &with(0.1 + 1e-12, "A00")), None);
        assert!(difference(&answer, &with(0.1 + 1e-6, "A00")).is_some());
        assert!(difference(&answer, &with(0.1, "A01")).is_some());
        assert!(difference(&answer, &[vec![json!(0), json!(0.1), json!("A00"), json!(true)]]).is_some());
    }
}
