//! Answers as JSON: an object on a line for each query and tree.
//!
//! Written piece by piece, so that a collection of millions is not held twice. Integers are written in full, all 64
//! bits of them; what is unknown is `null`, and a float beyond all numbers a text, as JSON has none. Moves are numbers,
//! unless texts were asked for. The count is that of all nodes or rows, also where a limit leaves some out.

use std::io::{self, Write};

use gt_query::{Answer, MoveCodec, Type, Value};

use super::answered::Answered;
use super::notation::Notation;
use super::table::Limit;
use crate::printable;

pub(crate) fn print(out: &mut dyn Write, answered: &Answered<'_>, limit: Limit) -> io::Result<()> {
    head(out, answered.log, answered.tree, answered.name, answered.query)?;
    write!(out, ",\"count\":{},\"seconds\":{:.6}", answered.count(), answered.seconds)?;
    match answered.answer {
        Answer::Count(_) => {}
        Answer::Value(value) => {
            write!(out, ",\"value\":")?;
            cell(out, value.as_ref(), Type::Integer, None)?;
        }
        Answer::Nodes(nodes) => {
            write!(out, ",\"nodes\":")?;
            list(out, limit.of(nodes), |out, node| write!(out, "{node}"))?;
        }
        Answer::Rows { columns, rows } => {
            write!(out, ",\"columns\":")?;
            list(out, columns, |out, (heading, _)| text(out, heading))?;
            write!(out, ",\"rows\":")?;
            list(out, limit.of(rows), |out, row| {
                list(out, row.iter().zip(columns), |out, (value, (_, kind))| {
                    cell(out, value.as_ref(), *kind, answered.notation)
                })
            })?;
        }
    }
    writeln!(out, "}}")
}

/// The object of a query that has no answer.
pub(crate) fn print_error(
    out: &mut dyn Write,
    (log, tree): (&str, usize),
    (name, query): (Option<&str>, &str),
    error: &str,
) -> io::Result<()> {
    head(out, log, tree, name, query)?;
    write!(out, ",\"error\":")?;
    text(out, error)?;
    writeln!(out, "}}")
}

fn head(out: &mut dyn Write, log: &str, tree: usize, name: Option<&str>, query: &str) -> io::Result<()> {
    write!(out, "{{\"log\":")?;
    text(out, log)?;
    write!(out, ",\"tree\":{tree},\"name\":")?;
    match name {
        Some(name) => text(out, name)?,
        None => write!(out, "null")?,
    }
    write!(out, ",\"query\":")?;
    text(out, query)
}

fn list<T>(
    out: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    for (place, one) in items.into_iter().enumerate() {
        if place > 0 {
            write!(out, ",")?;
        }
        item(out, one)?;
    }
    write!(out, "]")
}

fn cell(
    out: &mut dyn Write,
    value: Option<&Value>,
    kind: Type,
    notation: Option<Notation>,
) -> io::Result<()> {
    let one_move = |out: &mut dyn Write, number: i64| match notation.and_then(|known| known.text(number)) {
        Some(words) => text(out, &words),
        None => write!(out, "{number}"),
    };
    match value {
        None => write!(out, "null"),
        Some(Value::Integer(number)) if kind == Type::Move => match i64::try_from(*number) {
            Ok(number) => one_move(out, number),
            Err(_) => write!(out, "{number}"),
        },
        Some(Value::Integer(number)) => write!(out, "{number}"),
        Some(Value::Float(number)) if number.is_finite() => write!(out, "{number:?}"),
        Some(Value::Float(number)) => text(out, if *number > 0.0 { "Infinity" } else { "-Infinity" }),
        Some(Value::Boolean(truth)) => write!(out, "{truth}"),
        Some(Value::Text(words)) => text(out, words),
        Some(Value::Line(line)) => list(out, line.moves().iter(), |out, number| one_move(out, *number)),
    }
}

fn text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let spelled = serde_json::to_string(text).map_err(io::Error::from)?;
    out.write_all(printable::json(&spelled).as_bytes())
}
