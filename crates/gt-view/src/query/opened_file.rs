//! A result file (`.gti`) as a run that is done: its nodes are marked and listed as if its query had been run here.
//!
//! ```text
//! 11:27 13.6.2007
//! run.gtf, tree 3        which of the logs, which of its trees: a result of another log is refused
//! node: best > 5         the text in the editor
//! 15.157
//! nodes:2
//! 17                     every node is one of the tree's
//! 4711
//! ```

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use gt_query::gti::{self, Content as Written, ResultFile};
use gt_query::{Type, Value};

use super::binding::Binding;
use super::results::{Content, ResultKind, ResultSet};
use super::run::Run;
use super::runs::{Origin, Question};
use crate::logs::{Logs, Opened, Shown};

/// Reads a result of one of the logs; the sentence says why it is none.
pub(crate) fn open(path: &Path, logs: &Logs) -> Result<Run, String> {
    let source = File::open(path).map_err(|error| error.to_string())?;
    let file = gti::read(BufReader::new(source)).map_err(|error| error.to_string())?;
    let (log, tree, shown) = place(&file.log_name, &logs.all())?;
    let opened = shown.opened();
    let result = result_set(&file, &opened, tree)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let origin = Origin::File { name, log_name: file.log_name };
    let question = Question { log, tree, text: file.query, parameters: Vec::new() };
    Ok(Run::of_file(opened, question, origin, (file.stamp, file.time), result))
}

/// The log and the tree that a result file names.
fn place(log_name: &str, logs: &[(usize, Arc<Shown>)]) -> Result<(usize, usize, Arc<Shown>), String> {
    let (name, tree) = match log_name.rsplit_once(", tree ") {
        Some((name, number)) => match number.parse::<usize>() {
            Ok(number) => (name, Some(number)),
            Err(_) => (log_name, None),
        },
        None => (log_name, None),
    };
    let file_name = |name: &str| Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let exact = logs.iter().find(|(_, shown)| shown.path.display().to_string() == name);
    let same_name = || logs.iter().find(|(_, shown)| Some(shown.name()) == file_name(name));
    let Some((log, shown)) = exact.or_else(same_name) else {
        let given: Vec<String> = logs.iter().map(|(_, shown)| format!("`{}`", shown.name())).collect();
        return Err(format!(
            "it is a result of the log `{}`, and not of {}",
            name.escape_debug(),
            given.join(" or ")
        ));
    };
    let count = shown.opened().log.tree_count();
    let found = |tree| Ok((*log, tree, Arc::clone(shown)));
    let name = shown.name();
    match tree {
        Some(tree) if tree < count => found(tree),
        Some(tree) => {
            Err(format!("it is a result of tree {tree}, and `{name}` has {count}, numbered from 0"))
        }
        None if count == 1 => found(0),
        None => Err(format!("it does not say of which tree it is a result, and `{name}` has {count}")),
    }
}

fn result_set(file: &ResultFile, opened: &Opened, tree: usize) -> Result<ResultSet, String> {
    let tree = opened.tree(tree).map_err(|refusal| refusal.message)?;
    let ids = file.node_ids().ok();
    if let Some(odd) = ids.iter().flatten().find(|id| **id >= tree.nodes()) {
        return Err(format!(
            "it names node {odd}, and tree {} has {} nodes, numbered from 0: it is a result of another log",
            tree.number(),
            tree.nodes()
        ));
    }
    let program = Binding::new(opened, tree).compile(&file.query).ok();
    let asked = program.as_ref().and_then(|program| program.queries.first());
    let asked = asked.map(|query| ResultKind::of(&query.outcome));
    let (kind, content) = match &file.content {
        Written::Nodes(ids) if ids.is_sorted_by(|one, two| one < two) => (ResultKind::Nodes, Content::Nodes),
        Written::Nodes(ids) => (ResultKind::Nodes, Content::Ordered(ids.clone())),
        Written::Rows { headings, rows } => {
            let kind = asked.filter(|kind| *kind == ResultKind::Groups).unwrap_or(ResultKind::Rows);
            (kind, table(headings, rows, ids.clone()))
        }
        Written::Stat(text) => {
            let (kind, heading) = match asked {
                Some(ResultKind::Count) => (ResultKind::Count, "count"),
                _ => (ResultKind::Value, "value"),
            };
            (kind, table(&[heading.to_owned()], &[vec![text.clone()]], None))
        }
    };
    Ok(ResultSet::of_file(file.query.clone(), kind, content, ids.as_deref(), tree.nodes()))
}

/// The rows of a table. The cells of a column are numbers if all of its texts are.
fn table(headings: &[String], rows: &[Vec<String>], ids: Option<Vec<u64>>) -> Content {
    let columns: Vec<(String, Type)> = headings
        .iter()
        .enumerate()
        .map(|(place, heading)| (heading.clone(), type_of(rows.iter().filter_map(|row| row.get(place)))))
        .collect();
    let cells = |row: &Vec<String>| {
        let typed = row.iter().zip(&columns);
        typed.map(|(cell, (_, value_type))| value(cell, *value_type)).collect()
    };
    Content::Rows { rows: rows.iter().map(cells).collect(), columns, nodes: ids }
}

fn type_of<'c>(cells: impl Iterator<Item = &'c String> + Clone) -> Type {
    let mut known = cells.filter(|cell| !cell.is_empty());
    let all = |is: fn(&String) -> bool| known.clone().all(is);
    if all(|cell| cell.parse::<i128>().is_ok()) {
        Type::Integer
    } else if known.all(|cell| cell.parse::<f64>().is_ok()) {
        Type::Float
    } else {
        Type::Text
    }
}

/// A cell as a value; an empty one is unknown.
fn value(cell: &str, value_type: Type) -> Option<Value> {
    match value_type {
        _ if cell.is_empty() => None,
        Type::Integer => cell.parse().ok().map(Value::Integer),
        Type::Float => cell.parse().ok().and_then(Value::float),
        Type::Boolean | Type::Text | Type::Move | Type::Line | Type::Bits => Some(Value::Text(cell.into())),
    }
}
