//! `/api/runs/RUN`: how a run stands, and a page of its results.

mod types;

use std::ops::Range;
use std::sync::Arc;

use gt_query::engine::Failure;
use gt_query::{Type, Value};

use super::ordering::{ordered_nodes, sorted};
use super::orders::Sort;
use super::results::{Content, ResultSet, each_node, node_columns, node_rows, type_name};
use super::runs::{Run, RunState, State};
use crate::bound::Bound;
use crate::calls::Subject;
use crate::error::{Answer, Refusal};
use crate::logs::Logs;
use crate::values::{self, Scalar};
use crate::work::Cancel;
pub(crate) use types::RunAnswer;
use types::{ColumnHeading, RunResult};

/// The part of the results that a client asks for.
pub(crate) struct Page {
    /// The number of one result; `None` for all results.
    pub(crate) result: Option<usize>,
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    pub(crate) sort: Option<Sort>,
    /// Whether moves are written down as players do.
    pub(crate) written: bool,
}

impl Page {
    /// The places of the page among so many rows.
    fn range(&self, count: u64) -> Range<usize> {
        let end = self.offset.saturating_add(self.limit).min(count);
        self.offset.min(count) as usize..end as usize
    }
}

/// How a run stands, without results.
pub(crate) fn standing(run: &Run) -> RunAnswer {
    let state = run.state();
    RunAnswer {
        run: run.number,
        log: run.question.log,
        tree: run.question.tree,
        generation: run.opened.generation,
        text: run.question.text.clone(),
        state: state.summary(),
        progress: run.progress(),
        seconds: run.seconds(),
        error: match state {
            State::Failed { sentence, .. } => Some(sentence),
            _ => None,
        },
        results: Vec::new(),
    }
}

/// A run that is done, with a page of its results; `running` again while they are being put in order.
pub(crate) fn with_results(
    logs: &Logs,
    run: &Arc<Run>,
    results: &[ResultSet],
    page: &Page,
    cancel: &Cancel,
) -> Answer<RunAnswer> {
    let wanted = match page.result {
        Some(result) => result..existing(results, result)? + 1,
        None => 0..results.len(),
    };
    let mut answer = standing(run);
    let mut subject = Subject::new(logs, &run.opened, run.question.tree, cancel)?;
    if page.written {
        subject.write_down();
    }
    let mut pages = Vec::new();
    for index in wanted {
        match result_page(&mut subject, run, index, &results[index], page)? {
            Some(page) => pages.push(page),
            None => {
                answer.state = RunState::Running;
                return Ok(answer);
            }
        }
    }
    answer.results = pages;
    Ok(answer)
}

/// The number of a result that is there.
pub(crate) fn existing(results: &[ResultSet], result: usize) -> Answer<usize> {
    if result < results.len() {
        return Ok(result);
    }
    let sentence =
        format!("there is no result {result}: the text has {} queries, numbered from 0", results.len());
    Err(Refusal::missing("result", sentence))
}

/// The rows of a result that a page shows.
struct Shown {
    columns: Vec<ColumnHeading>,
    rows: Vec<Vec<Scalar>>,
    /// The node_id of each row, if rows are nodes.
    nodes: Option<Vec<u64>>,
    count: u64,
    truncated: bool,
}

/// A page of a result; nothing while its order is being made.
fn result_page(
    subject: &mut Subject<'_>,
    run: &Arc<Run>,
    index: usize,
    result: &ResultSet,
    page: &Page,
) -> Answer<Option<RunResult>> {
    let shown = match &result.content {
        Content::Failed(_) => {
            Shown { columns: Vec::new(), rows: Vec::new(), nodes: None, count: 0, truncated: false }
        }
        Content::Rows { columns, rows, nodes } => {
            table_page(subject, columns, rows, nodes.as_deref(), result, page)?
        }
        Content::Nodes | Content::Ordered(_) => match node_page(subject, run, index, result, page)? {
            Some(shown) => shown,
            None => return Ok(None),
        },
    };
    let error = match &result.content {
        Content::Failed(sentence) => Some(sentence.clone()),
        _ => None,
    };
    let bounds = bounds(subject, &shown)?;
    let plies = match &shown.nodes {
        Some(ids) => Some(each_node(subject, ids, |_, located| Ok(located.ply()))?),
        None => None,
    };
    let sort = page.sort.as_ref();
    Ok(Some(RunResult {
        name: result.name.clone(),
        kind: result.kind,
        count: shown.count,
        matches: result.matches.as_ref().map(|matches| matches.count()),
        truncated: shown.truncated,
        offset: page.offset,
        error,
        sort: sort.map(|sort| sort.column.clone()),
        descending: sort.is_some_and(|sort| sort.descending),
        columns: shown.columns,
        rows: shown.rows,
        nodes: shown.nodes,
        bounds,
        plies,
    }))
}

/// Which rows' values are bounds, if rows are nodes and their values are among the columns.
fn bounds(subject: &mut Subject<'_>, shown: &Shown) -> Answer<Option<Vec<Option<Bound>>>> {
    let (Some(window), Some(ids)) = (subject.window, &shown.nodes) else { return Ok(None) };
    let name = &subject.tree.schema().attributes()[window.value].name;
    if !shown.columns.iter().any(|column| column.name == *name) {
        return Ok(None);
    }
    each_node(subject, ids, |subject, located| subject.bound(located.node.row)).map(Some)
}

/// A page of rows as they were answered.
fn table_page(
    subject: &mut Subject<'_>,
    columns: &[(String, Type)],
    rows: &[Vec<Option<Value>>],
    nodes: Option<&[u64]>,
    result: &ResultSet,
    page: &Page,
) -> Answer<Shown> {
    let places = match &page.sort {
        Some(sort) => sorted(rows, column(columns.iter().map(|(name, _)| name), sort)?, sort.descending),
        None => (0..rows.len()).collect(),
    };
    let places = &places[page.range(rows.len() as u64)];
    let named = row_names(subject, columns, places, nodes)?;
    let cells = |(index, place): (usize, &usize)| -> Answer<Vec<Scalar>> {
        // A row of lines can take long.
        if subject.cancel.is_set() {
            return Err(Failure::Cancelled.into());
        }
        let typed = rows[*place].iter().zip(columns);
        let named = named.get(index);
        let cell = |(cell, (_, kind)): (&Option<Value>, &(String, Type))| {
            let name = cell.as_ref().zip(named).and_then(|(value, named)| named.name(value, *kind));
            name.unwrap_or_else(|| values::shown(cell.as_ref(), *kind, subject.notation))
        };
        Ok(typed.map(cell).collect())
    };
    let attributes = subject.tree.schema().attributes();
    let column_heading = |(place, (name, kind)): (usize, &(String, Type))| {
        let names = result.names.get(place).copied().flatten();
        heading(name, *kind, names.map(|attribute| attributes[attribute].name.as_str()))
    };
    Ok(Shown {
        columns: columns.iter().enumerate().map(column_heading).collect(),
        rows: places.iter().enumerate().map(cells).collect::<Answer<_>>()?,
        nodes: nodes.map(|nodes| places.iter().map(|&place| nodes[place]).collect()),
        count: result.count(),
        truncated: result.truncated,
    })
}

/// What the moves to a row's node are called.
struct RowNames {
    code: i64,
    name: String,
    /// If lines are shown.
    line: Vec<String>,
}

impl RowNames {
    /// A value that is the node's own move, or its own line.
    fn name(&self, value: &Value, kind: Type) -> Option<Scalar> {
        match value {
            Value::Integer(number) if kind == Type::Move && *number == i128::from(self.code) => {
                Some(Scalar::Text(self.name.clone()))
            }
            Value::Line(line) if line.len() == self.line.len() => {
                Some(Scalar::Text(values::cut_line(&self.line)))
            }
            _ => None,
        }
    }
}

/// The names of the moves to the nodes of a page's rows, by place on the page; none where numbers alone tell them.
fn row_names(
    subject: &mut Subject<'_>,
    columns: &[(String, Type)],
    places: &[usize],
    nodes: Option<&[u64]>,
) -> Answer<Vec<RowNames>> {
    let has = |wanted: Type| columns.iter().any(|(_, kind)| *kind == wanted);
    let (has_lines, has_moves) = (has(Type::Line), has(Type::Move));
    let Some(nodes) = nodes.filter(|_| subject.names.need_nodes() && (has_lines || has_moves)) else {
        return Ok(Vec::new());
    };
    let ids: Vec<u64> = places.iter().map(|&place| nodes[place]).collect();
    each_node(subject, &ids, |subject, located| {
        let line = if has_lines { subject.line_names(located)? } else { Vec::new() };
        let code = subject.nodes.last_move(located.node.row)?;
        Ok(RowNames { code, name: subject.name_of(located)?, line })
    })
}

/// A page of nodes, read from the log; nothing while their order is being made.
fn node_page(
    subject: &mut Subject<'_>,
    run: &Arc<Run>,
    index: usize,
    result: &ResultSet,
    page: &Page,
) -> Answer<Option<Shown>> {
    let columns = node_columns(subject);
    let (mut count, mut truncated) = (result.count(), result.truncated);
    let ids = match (&page.sort, &result.content) {
        (Some(sort), _) => {
            let field = columns[column(columns.iter().map(|(name, ..)| name), sort)?].2;
            let Some(ordered) = ordered_nodes(run, index, sort, field)? else { return Ok(None) };
            let there = ordered.len() as u64;
            truncated |= there < count;
            count = count.max(there);
            ordered[page.range(there)].to_vec()
        }
        (None, Content::Ordered(ids)) => ids[page.range(count)].to_vec(),
        (None, _) => {
            let range = page.range(count);
            let range = range.start as u64..range.end as u64;
            result.matches.as_ref().map(|matches| matches.slice(range)).unwrap_or_default()
        }
    };
    let rows = node_rows(subject, &ids, values::shown_attribute)?;
    Ok(Some(Shown {
        columns: columns.iter().map(|(name, kind, _)| heading(name, *kind, None)).collect(),
        rows,
        nodes: Some(ids),
        count,
        truncated,
    }))
}

/// A column; `names` is the attribute whose aliases name its values.
fn heading(name: &str, kind: Type, names: Option<&str>) -> ColumnHeading {
    ColumnHeading { name: name.to_owned(), r#type: type_name(kind), names: names.map(str::to_owned) }
}

/// The place of the column to sort by.
fn column<'n>(mut names: impl Iterator<Item = &'n String> + Clone, sort: &Sort) -> Answer<usize> {
    let all = names.clone();
    names.position(|name| *name == sort.column).ok_or_else(|| {
        let shown = sort.column.chars().take(60).collect::<String>();
        let names: Vec<&str> = all.map(String::as_str).collect();
        let sentence =
            format!("there is no column `{}`; there are: {}", shown.escape_debug(), names.join(", "));
        Refusal::bad("sort", sentence)
    })
}
