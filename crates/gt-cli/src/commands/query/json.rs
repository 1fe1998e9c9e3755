//! Answers as JSON: an object on a line for each query and tree.
//!
//! Written piece by piece, so that a collection of millions is not held twice; what is known only after the last row
//! stands after the rows. Integers are written in full, all 64 bits of them; what is unknown is `null`, and a float beyond
//! all numbers a text, as JSON has none. Moves are numbers, unless texts were asked for. The count is that of all nodes
//! or rows, also where a limit leaves some out.

use std::io::{self, Write};

use gt_query::{Type, Value};

use super::about::{About, Totals};
use super::content::{Content, Streamed};
use super::table::Limit;
use super::wording::Cell;
use crate::printable;
use gt_fleet::Row;

/// Prints an answer that is no table.
pub(crate) fn print(
    out: &mut dyn Write,
    about: &About<'_>,
    content: &Content,
    totals: Totals,
    limit: Limit,
) -> io::Result<()> {
    head(out, about)?;
    let count = match content {
        Content::Count(count) => *count,
        Content::Value(_) => totals.matches,
        Content::Nodes(_) | Content::Rows(_) | Content::Streamed(_) => totals.listed,
    };
    write!(out, ",\"count\":{count},\"seconds\":{:.6}", totals.seconds)?;
    match content {
        Content::Value(value) => {
            write!(out, ",\"value\":")?;
            about
                .columns
                .iter()
                .try_for_each(|column| cell(out, about, Cell::alone(value.as_ref(), column)))?;
        }
        Content::Nodes(nodes) => {
            write!(out, ",\"nodes\":")?;
            list(out, nodes.iter().take(limit.rows_max), |out, node| write!(out, "{node}"))?;
        }
        Content::Count(_) | Content::Rows(_) | Content::Streamed(_) => {}
    }
    writeln!(out, "}}")
}

/// What stands before rows.
pub(crate) fn begin_rows(out: &mut dyn Write, about: &About<'_>) -> io::Result<()> {
    head(out, about)?;
    write!(out, ",\"columns\":")?;
    list(out, &about.columns, |out, column| text(out, &column.heading))?;
    write!(out, ",\"rows\":[")
}

/// More rows; what is written depends on whether there were rows before.
pub(crate) fn rows(
    out: &mut dyn Write,
    about: &About<'_>,
    streamed: &Streamed,
    rows: &[Row],
) -> io::Result<()> {
    for (place, row) in rows.iter().enumerate() {
        if place > 0 || streamed.rows > 0 {
            write!(out, ",")?;
        }
        list(out, about.cells(row), |out, of| cell(out, about, of))?;
    }
    Ok(())
}

/// What stands after rows.
pub(crate) fn end_rows(out: &mut dyn Write, totals: Totals) -> io::Result<()> {
    writeln!(out, "],\"count\":{},\"seconds\":{:.6}}}", totals.listed, totals.seconds)
}

/// The object of a query that has no answer; or the end of it, if rows of it are written.
pub(crate) fn error(out: &mut dyn Write, about: &About<'_>, has_begun: bool, error: &str) -> io::Result<()> {
    if has_begun {
        write!(out, "]")?;
    } else {
        head(out, about)?;
    }
    write!(out, ",\"error\":")?;
    text(out, error)?;
    writeln!(out, "}}")
}

fn head(out: &mut dyn Write, about: &About<'_>) -> io::Result<()> {
    write!(out, "{{\"log\":")?;
    text(out, about.log)?;
    write!(out, ",\"tree\":{},\"name\":", about.tree)?;
    match about.name {
        Some(name) => text(out, name)?,
        None => write!(out, "null")?,
    }
    write!(out, ",\"query\":")?;
    text(out, about.query)
}

pub(crate) fn list<T>(
    out: &mut dyn Write,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    for (place, value) in items.into_iter().enumerate() {
        if place > 0 {
            write!(out, ",")?;
        }
        item(out, value)?;
    }
    write!(out, "]")
}

pub(crate) fn cell(out: &mut dyn Write, about: &About<'_>, cell: Cell<'_>) -> io::Result<()> {
    let one_move = |out: &mut dyn Write, (number, words): (i64, Option<String>)| match words {
        Some(words) => text(out, &words),
        None => write!(out, "{number}"),
    };
    match cell.value {
        None => write!(out, "null"),
        Some(Value::Integer(number)) if cell.column.value_type == Type::Move => {
            match i64::try_from(*number) {
                Ok(number) => one_move(out, (number, about.wording.move_text(number, cell.near))),
                Err(_) => write!(out, "{number}"),
            }
        }
        Some(Value::Integer(number)) => write!(out, "{number}"),
        Some(Value::Float(number)) if number.is_finite() => write!(out, "{number:?}"),
        Some(Value::Float(number)) => text(out, if *number > 0.0 { "Infinity" } else { "-Infinity" }),
        Some(Value::Boolean(truth)) => write!(out, "{truth}"),
        Some(Value::Text(words)) => text(out, words),
        Some(Value::Line(line)) => list(out, about.wording.line_texts(line, cell.near), one_move),
    }
}

pub(crate) fn text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let spelled = serde_json::to_string(text).map_err(io::Error::from)?;
    out.write_all(printable::json(&spelled).as_bytes())
}

/// An overflow that is met after rows were printed still leaves a whole object.
#[test]
fn an_error_after_rows_ends_the_object() {
    use gt_fleet::{Beside, Column};
    use gt_query::gti::Stamp;

    use super::wording::Wording;

    let column = |heading: &str| Column {
        heading: heading.to_owned(),
        value_type: Type::Integer,
        names: None,
        is_unsigned: false,
    };
    let about = About {
        log: "t.gtf",
        tree: 0,
        with_tree: false,
        name: None,
        number: 1,
        query: "select best",
        columns: vec![column("best")],
        beside: Beside::default(),
        wording: Wording { notation: None, namers: None, aliases: None, mates: None },
        stamp: Stamp::of_unix_seconds(0),
    };
    let (mut out, mut streamed) = (Vec::new(), Streamed::default());
    begin_rows(&mut out, &about).unwrap();
    for number in [7, -8] {
        rows(&mut out, &about, &streamed, &[vec![Some(Value::Integer(number))], vec![None]]).unwrap();
        streamed.rows += 2;
    }
    error(&mut out, &about, true, "too large").unwrap();
    let object: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(object["rows"].to_string(), "[[7],[null],[-8],[null]]");
    assert_eq!(object["error"], "too large");
}
