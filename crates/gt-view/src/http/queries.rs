//! The calls about queries: check, complete, runs, library, charts.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, header};
use axum::response::Response;
use serde_json::json;
use tokio_stream::wrappers::ReceiverStream;

use gt_query::engine::NodeSet;

use super::bodies::{self, CompleteBody, QueryBody};
use super::params::Params;
use super::reply;
use super::route::{Asked, index, only, subject};
use crate::app::App;
use crate::error::{Answer, Kind, Refusal};
use crate::query::answer::{Page, answer, existing};
use crate::query::binding::Binding;
use crate::query::export::{Format, export};
use crate::query::order::Sort;
use crate::query::runs::{Question, Run};
use crate::query::{check, complete, library};

pub(super) fn check(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::POST)?;
    let body: QueryBody = bodies::read(&asked.body)?;
    let opened = app.logs.get(index(body.log))?.opened();
    let tree = opened.tree(index(body.tree))?;
    let binding = Binding::new(&opened, tree).with_parameters(body.parameters()?);
    reply::json(&check::check(&opened, &binding, &body.text)?)
}

pub(super) fn complete(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::POST)?;
    let body: CompleteBody = bodies::read(&asked.body)?;
    let opened = app.logs.get(index(body.log))?.opened();
    let tree = opened.tree(index(body.tree))?;
    reply::json(&complete::complete(&opened, tree, &body.text, body.position)?)
}

pub(super) fn library(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::GET)?;
    let params = Params::read(&asked.query, &["log", "tree"])?;
    let (opened, tree) = subject(app, &params)?;
    reply::json(&library::library(&opened, opened.tree(tree)?))
}

pub(super) fn charts(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::GET)?;
    let params = Params::read(&asked.query, &["log", "tree"])?;
    let (opened, tree) = subject(app, &params)?;
    reply::json(&crate::query::charts::charts(&opened, opened.tree(tree)?))
}

pub(super) fn chart(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::GET)?;
    let params = Params::read(&asked.query, &["log", "tree", "name", "attribute"])?;
    let (opened, tree) = subject(app, &params)?;
    let name = params.text("name").ok_or_else(|| Refusal::bad("name", "which chart? `name` says"))?;
    reply::json(&app.charts.chart(&opened, opened.tree(tree)?, name, params.text("attribute"))?)
}

pub(super) fn start(app: &App, asked: &Asked) -> Answer<Response> {
    only(&asked.method, Method::POST)?;
    let body: QueryBody = bodies::read(&asked.body)?;
    let (log, tree) = (index(body.log), index(body.tree));
    let opened = app.logs.get(log)?.opened();
    let parameters = body.parameters()?;
    let run = app.runs.start(opened, Question { log, tree, text: body.text, parameters })?;
    reply::json(&json!({ "run": run.number }))
}

/// `runs/RUN`, `runs/RUN/step`, `runs/RUN/export`.
pub(super) fn run(app: &Arc<App>, asked: &Asked, rest: &str) -> Answer<Response> {
    let (number, what) = rest.split_once('/').unwrap_or((rest, ""));
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|_| is_plain);
    let number: u64 =
        number.ok_or_else(|| Refusal::missing("run", "a run has a number, as POST /api/runs gives it"))?;
    match what {
        "" if asked.method == Method::DELETE => {
            Params::read(&asked.query, &[])?;
            reply::json(&json!({ "run": number, "state": app.runs.end(number)? }))
        }
        "" => only(&asked.method, Method::GET).map_err(also_delete).and_then(|()| page(app, asked, number)),
        "step" => only(&asked.method, Method::GET).and_then(|()| step(app, asked, number)),
        "export" => only(&asked.method, Method::GET).and_then(|()| download(app, asked, number)),
        _ => Err(Refusal::new(Kind::Missing, "of a run there are `step` and `export`")),
    }
}

fn also_delete(mut refusal: Refusal) -> Refusal {
    refusal.kind = Kind::Method("GET, DELETE");
    refusal
}

/// The longest wait for an answer.
const WAIT_MS_MAX: u64 = 30_000;

fn page(app: &App, asked: &Asked, number: u64) -> Answer<Response> {
    let names = ["wait", "result", "offset", "limit", "sort", "descending"];
    let params = Params::read(&asked.query, &names)?;
    let descending = params.truth("descending")?;
    let page = Page {
        wait: Duration::from_millis(params.within("wait", 0, 0..=WAIT_MS_MAX)?),
        result: params.maybe_number("result")?.map(index),
        offset: params.number("offset", 0)?,
        limit: params.within("limit", 100, 0..=1000)?,
        sort: params.text("sort").map(|column| Sort { column: column.to_owned(), descending }),
    };
    reply::json(&answer(&app.logs, &app.runs.get(number)?, &page)?)
}

/// Calls `with` with the matches of a result of a run.
pub(super) fn with_matches<T>(run: &Run, result: u64, with: impl FnOnce(&NodeSet) -> T) -> Answer<T> {
    let results = run.results()?;
    let result = &results[existing(&results, index(result))?];
    match &result.matches {
        Some(matches) => Ok(with(matches)),
        None => {
            Err(Refusal::new(Kind::Conflict, "this result has no nodes behind it: it is one number")
                .at("result"))
        }
    }
}

fn step(app: &App, asked: &Asked, number: u64) -> Answer<Response> {
    let params = Params::read(&asked.query, &["result", "from", "direction"])?;
    let is_next = params.one_of("direction", &["next", "previous"])? == "next";
    let from = params.maybe_number("from")?;
    let run = app.runs.get(number)?;
    let answer = with_matches(&run, params.number("result", 0)?, |matches| {
        let place = match (is_next, from) {
            (true, None) => Some(0),
            (true, Some(from)) => Some(matches.rank(from.saturating_add(1))),
            (false, None) => matches.count().checked_sub(1),
            (false, Some(from)) => matches.rank(from).checked_sub(1),
        };
        let found = place.and_then(|place| Some((place, matches.get(place)?)));
        let (place, node) = found.unzip();
        json!({ "node": node, "index": place, "count": matches.count() })
    })?;
    reply::json(&answer)
}

/// Pieces of an export that wait for a slow reader.
const PIECES_MAX: usize = 4;
const PIECE_BYTES: usize = 64 << 10;

fn download(app: &Arc<App>, asked: &Asked, number: u64) -> Answer<Response> {
    let params = Params::read(&asked.query, &["result", "format"])?;
    let (format, kind, ending) = match params.one_of("format", &["csv", "json"])? {
        "json" => (Format::Json, "application/json", "json"),
        _ => (Format::Csv, "text/csv; charset=utf-8", "csv"),
    };
    let run = app.runs.get(number)?;
    let results = run.results()?;
    let result = existing(&results, index(params.number("result", 0)?))?;
    let (sender, receiver) = tokio::sync::mpsc::channel(PIECES_MAX);
    let app = Arc::clone(app);
    let spawned = std::thread::Builder::new().name("export".to_owned()).spawn(move || {
        let mut out = std::io::BufWriter::with_capacity(PIECE_BYTES, Pieces(sender.clone()));
        let written = export(&app.logs, &run, &results[result], format, &mut out);
        if let Err(refusal) = written {
            // The head is long sent: break off, so that nobody takes the part for the whole.
            let _ = sender.blocking_send(Err(std::io::Error::other(refusal.message)));
        }
    });
    spawned.map_err(|error| {
        Refusal::new(Kind::Conflict, format!("the export's thread cannot be started: {error}"))
    })?;
    let mut response = reply::with_type(kind, Body::from_stream(ReceiverStream::new(receiver)));
    let name = format!("attachment; filename=\"run-{number}-{result}.{ending}\"");
    if let Ok(value) = header::HeaderValue::from_str(&name) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Hands what is written to the response, piece by piece.
struct Pieces(tokio::sync::mpsc::Sender<Result<Vec<u8>, std::io::Error>>);

impl std::io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let sent = self.0.blocking_send(Ok(bytes.to_vec()));
        sent.map(|()| bytes.len()).map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
