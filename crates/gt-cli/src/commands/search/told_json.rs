//! What `--query` is answered, as JSON Lines: an object for each match, and one for each query at the end of a tree.

use std::io::{self, Write};

use gt_fleet::Row;
use gt_query::Answer;

use super::questions::{PLACE_COLUMNS, Telling};
use super::told::{TreeEnd, TreePlace};
use crate::commands::query::about::About;
use crate::commands::query::json;
use crate::commands::query::wording::Cell;

/// A match: its place, and what `select` asks for.
pub(super) fn found(out: &mut dyn Write, place: TreePlace, about: &About<'_>, cells: &Row) -> io::Result<()> {
    head(out, "match", place, about)?;
    for (key, cell) in ["node_id", "ply", "line"].into_iter().zip(about.cells(cells)) {
        write!(out, ",\"{key}\":")?;
        json::cell(out, about, cell)?;
    }
    if about.columns.len() > PLACE_COLUMNS {
        let columns = &about.columns[PLACE_COLUMNS..];
        write!(out, ",\"columns\":")?;
        json::list(out, columns, |out, column| json::text(out, &column.heading))?;
        write!(out, ",\"cells\":")?;
        json::list(out, about.cells(cells).skip(PLACE_COLUMNS), |out, cell| json::cell(out, about, cell))?;
    }
    writeln!(out, "}}")
}

/// The end of a tree: what a query came to.
pub(super) fn end(
    out: &mut dyn Write,
    place: TreePlace,
    about: &About<'_>,
    telling: Telling,
    end: &TreeEnd,
) -> io::Result<()> {
    head(out, "end", place, about)?;
    write!(out, ",\"nodes\":{},\"matches\":{}", end.nodes, end.matches)?;
    match (&end.answer, telling) {
        (Err(error), _) => {
            write!(out, ",\"error\":")?;
            json::text(out, &error.to_string())?;
        }
        (Ok(_), Telling::AsFound | Telling::Arranged) => write!(out, ",\"printed\":{}", end.printed)?,
        (Ok(Answer::Count(count)), Telling::Gathered) => write!(out, ",\"count\":{count}")?,
        (Ok(Answer::Value(value)), Telling::Gathered) => {
            write!(out, ",\"value\":")?;
            match about.columns.first() {
                Some(column) => json::cell(out, about, Cell::alone(value.as_ref(), column))?,
                None => write!(out, "null")?,
            }
        }
        (Ok(Answer::Rows { rows, .. }), Telling::Gathered) => {
            write!(out, ",\"columns\":")?;
            json::list(out, &about.columns, |out, column| json::text(out, &column.heading))?;
            write!(out, ",\"rows\":")?;
            json::list(out, rows, |out, row| {
                json::list(out, about.cells(row), |out, cell| json::cell(out, about, cell))
            })?;
        }
        // A gathered answer is never a list of nodes.
        (Ok(Answer::Nodes(_)), Telling::Gathered) => {}
    }
    writeln!(out, "}}")
}

fn head(out: &mut dyn Write, event: &str, place: TreePlace, about: &About<'_>) -> io::Result<()> {
    write!(out, "{{\"event\":\"{event}\",\"query\":")?;
    json::text(out, about.name.unwrap_or_default())?;
    write!(out, ",\"tree\":{},\"depth\":{}", place.tree, place.labels.depth)?;
    if let Some(line) = place.labels.line {
        write!(out, ",\"multi_pv\":{line}")?;
    }
    if place.labels.window > 1 {
        write!(out, ",\"window\":{}", place.labels.window)?;
    }
    Ok(())
}
