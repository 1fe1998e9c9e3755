//! `/api/runs/RUN`: how a run stands, and a page of its results.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::order::{Sort, sorted};
use super::results::{Content, NodeRows, ResultSet, node_columns, type_name};
use super::runs::{Run, State};
use crate::calls::Subject;
use crate::error::{Answer, Refusal};
use crate::logs::Logs;
use crate::values;

/// Which part of which results.
pub(crate) struct Page {
    pub(crate) wait: Duration,
    /// One of them, or all.
    pub(crate) result: Option<usize>,
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    pub(crate) sort: Option<Sort>,
}

pub(crate) fn answer(logs: &Logs, run: &Arc<Run>, page: &Page) -> Answer<Json> {
    let state = run.wait(page.wait);
    let mut object = json!({
        "run": run.number, "log": run.question.log, "tree": run.question.tree, "generation": run.opened.generation,
        "text": run.question.text, "state": state.name(), "progress": null, "seconds": run.seconds(),
        "error": null, "results": [],
    });
    match state {
        State::Done { results, .. } => {
            let wanted = match page.result {
                Some(result) => result..existing(&results, result)? + 1,
                None => 0..results.len(),
            };
            match pages(logs, run, &results, wanted, page)? {
                Some(pages) => object["results"] = Json::Array(pages),
                None => object["state"] = json!("running"),
            }
        }
        State::Failed { sentence, .. } => object["error"] = json!(sentence),
        State::Running | State::Cancelled { .. } => {}
    }
    Ok(object)
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

/// The pages of some results; nothing while an order is being made.
fn pages(
    logs: &Logs,
    run: &Arc<Run>,
    results: &[ResultSet],
    wanted: Range<usize>,
    page: &Page,
) -> Answer<Option<Vec<Json>>> {
    let mut subject = Subject::new(logs, &run.opened, run.question.tree)?;
    let mut pages = Vec::new();
    for index in wanted {
        match one(&mut subject, run, index, &results[index], page)? {
            Some(page) => pages.push(page),
            None => return Ok(None),
        }
    }
    Ok(Some(pages))
}

fn one(
    subject: &mut Subject<'_>,
    run: &Arc<Run>,
    index: usize,
    result: &ResultSet,
    page: &Page,
) -> Answer<Option<Json>> {
    let mut count = result.count();
    let mut truncated = result.truncated;
    let end = page.offset.saturating_add(page.limit);
    let shown = |count: u64| page.offset.min(count)..end.min(count);
    let sort = page.sort.as_ref();
    let (columns, rows, nodes) = match &result.content {
        Content::Failed(_) => (Vec::new(), Vec::new(), Json::Null),
        Content::Rows { columns, rows, nodes } => {
            let places = match sort {
                Some(sort) => {
                    sorted(rows, column(columns.iter().map(|(name, _)| name), sort)?, sort.descending)
                }
                None => (0..rows.len()).collect(),
            };
            let range = shown(count);
            let places = &places[range.start as usize..range.end as usize];
            let cells = |row: &Vec<Option<gt_query::Value>>| -> Json {
                let typed = row.iter().zip(columns);
                typed
                    .map(|(cell, (_, kind))| values::answer(cell.as_ref(), *kind, subject.notation))
                    .collect()
            };
            let shown_rows = places.iter().map(|&place| cells(&rows[place])).collect();
            let nodes =
                nodes.as_ref().map(|nodes| places.iter().map(|&place| nodes[place]).collect::<Vec<u64>>());
            let columns =
                columns.iter().map(|(name, kind)| json!({"name": name, "type": type_name(*kind)})).collect();
            (columns, shown_rows, json!(nodes))
        }
        Content::Nodes | Content::Ordered(_) => {
            let columns = node_columns(subject);
            let ids = match (sort, &result.content) {
                (Some(sort), _) => {
                    let field = columns[column(columns.iter().map(|(name, ..)| name), sort)?].2;
                    let ordered = run.orders.nodes(run, index, sort, field, page.wait)?;
                    let Some(ordered) = ordered else { return Ok(None) };
                    let there = ordered.len() as u64;
                    truncated |= there < count;
                    count = count.max(there);
                    let range = shown(there);
                    ordered[range.start as usize..range.end as usize].to_vec()
                }
                (None, Content::Ordered(ids)) => {
                    let range = shown(count);
                    ids[range.start as usize..range.end as usize].to_vec()
                }
                (None, _) => {
                    result.matches.as_ref().map(|matches| matches.slice(shown(count))).unwrap_or_default()
                }
            };
            let mut reader = NodeRows::new(subject);
            let rows = ids.iter().map(|&id| reader.row(id).map(Json::from)).collect::<Answer<Vec<_>>>()?;
            let columns = columns
                .iter()
                .map(|(name, kind, _)| json!({"name": name, "type": type_name(*kind)}))
                .collect();
            (columns, rows, json!(ids))
        }
    };
    let error = match &result.content {
        Content::Failed(sentence) => json!(sentence),
        _ => Json::Null,
    };
    Ok(Some(json!({
        "name": result.name, "kind": result.kind, "count": count,
        "matches": result.matches.as_ref().map(|matches| matches.count()),
        "truncated": truncated, "offset": page.offset, "error": error,
        "sort": sort.map(|sort| sort.column.clone()), "descending": sort.is_some_and(|sort| sort.descending),
        "columns": Json::Array(columns), "rows": rows, "nodes": nodes,
    })))
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
