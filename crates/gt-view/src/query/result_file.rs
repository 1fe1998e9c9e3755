//! Results as result files (`.gti`), byte for byte what `gt query` writes.

use std::io::{self, Write};
use std::time::Duration;

use gt_query::gti::{self, Heading};
use gt_query::{Type, Value, alias_text};

use super::results::{Content, ResultKind, ResultSet};
use super::runs::{Origin, Run};
use crate::calls::Subject;
use crate::error::{Answer, Kind, Refusal};
use crate::logs::Logs;

/// The number of node_ids that are written at a time.
const IDS_AT_ONCE: u64 = 4096;

/// Whether a result can be written: a file that holds a part of it would be taken for the whole.
pub(crate) fn check(result: &ResultSet) -> Answer<()> {
    match &result.content {
        Content::Failed(sentence) => Err(Refusal::new(Kind::Conflict, sentence.clone()).at("result")),
        _ if result.truncated => {
            let sentence = format!(
                "only the first {} rows of this result are kept, and a result file has all of them: `gt query` writes it",
                result.count()
            );
            Err(Refusal::new(Kind::Conflict, sentence).at("result"))
        }
        Content::Nodes | Content::Ordered(_) | Content::Rows { .. } => Ok(()),
    }
}

/// The name of the file: `chess-tree3-1.gti`, as `gt query` calls it.
pub(crate) fn file_name(logs: &Logs, run: &Run, result: usize, named: Option<&str>) -> Answer<String> {
    let log = logs.get(run.question.log)?;
    let stem = log.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let tree =
        if run.opened.log.tree_count() > 1 { format!("-tree{}", run.question.tree) } else { String::new() };
    let query = named.map_or_else(|| (result + 1).to_string(), str::to_owned);
    Ok(format!("{}{tree}-{}.gti", plain(&stem), plain(&query)))
}

/// What every file system takes, and every header of HTTP.
fn plain(text: &str) -> String {
    const CHARACTERS_MAX: usize = 100;
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    text.chars().take(CHARACTERS_MAX).map(kept).collect()
}

/// Writes a result.
pub(crate) fn write(
    logs: &Logs,
    subject: &Subject<'_>,
    run: &Run,
    result: &ResultSet,
    out: &mut dyn Write,
) -> Answer<()> {
    let log_name = match &run.origin {
        Origin::Asked => {
            let path = logs.get(run.question.log)?.path.display().to_string();
            let several = subject.opened.log.tree_count() > 1;
            if several { format!("{path}, tree {}", run.question.tree) } else { path }
        }
        Origin::File { log_name, .. } => log_name.clone(),
    };
    let time = Duration::from_secs_f64(run.seconds().max(0.0));
    let heading = Heading { stamp: run.stamp, log_name: &log_name, query: &result.text, time };
    gti::write_heading(out, &heading).map_err(Refusal::closed)?;
    match &result.content {
        Content::Failed(_) => check(result),
        Content::Nodes => {
            let matches = result.matches.as_ref();
            let count = result.count();
            writeln!(out, "nodes:{count}").map_err(Refusal::closed)?;
            for start in (0..count).step_by(IDS_AT_ONCE as usize) {
                let ids = matches.map(|matches| matches.slice(start..(start + IDS_AT_ONCE).min(count)));
                list(out, &ids.unwrap_or_default()).map_err(Refusal::closed)?;
            }
            Ok(())
        }
        Content::Ordered(ids) => {
            writeln!(out, "nodes:{}", ids.len()).map_err(Refusal::closed)?;
            list(out, ids).map_err(Refusal::closed)
        }
        Content::Rows { columns, rows, .. } => {
            let is_single = matches!(result.kind, ResultKind::Count | ResultKind::Value);
            let begun = if is_single {
                writeln!(out, "stat")
            } else {
                writeln!(out, "rows:{}", rows.len())
                    .and_then(|()| gti::write_row(out, columns.iter().map(|(heading, _)| Some(heading))))
            };
            begun.map_err(Refusal::closed)?;
            let text = |(place, cell): (usize, &Option<Value>)| {
                let names = result.names.get(place).copied().flatten();
                let value_type = columns.get(place).map_or(Type::Text, |(_, value_type)| *value_type);
                cell.as_ref().map(|cell| words(subject, cell, value_type, names))
            };
            let mut row =
                |cells: &Vec<Option<Value>>| gti::write_row(out, cells.iter().enumerate().map(text));
            rows.iter().try_for_each(&mut row).map_err(Refusal::closed)
        }
    }
}

fn list(out: &mut dyn Write, ids: &[u64]) -> io::Result<()> {
    ids.iter().try_for_each(|id| writeln!(out, "{id}"))
}

/// A value as result files have it: moves in the log's notation, attributes by their aliases.
fn words(subject: &Subject<'_>, value: &Value, value_type: Type, names: Option<usize>) -> String {
    let of_move = |number: i64| subject.notation.write(number);
    match value {
        Value::Integer(number) if value_type == Type::Move => {
            i64::try_from(*number).map_or_else(|_| number.to_string(), of_move)
        }
        Value::Line(line) => line.moves().iter().map(|code| of_move(*code)).collect::<Vec<_>>().join(" "),
        other => {
            let named = names.and_then(|attribute| alias_text(subject.tree.schema(), attribute, other));
            named.unwrap_or_else(|| other.to_string())
        }
    }
}
