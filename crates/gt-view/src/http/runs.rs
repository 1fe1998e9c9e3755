//! The calls about a run: how it stands, steps through its matches, its end.
//!
//! How a run stands is answered at once, or awaited; only the rows of one that is done are read on a lane.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, RawPathParams, RawQuery, State};
use axum::http::request::Parts;
use axum::response::Response;
use gt_query::engine::NodeSet;
use serde::Serialize;
use tokio::time::{Instant, timeout_at};

use super::params::{Params, index};
use super::reply;
use crate::app::App;
use crate::error::{Answer, Kind, Refusal};
use crate::query::answer::{Page, existing, standing, with_results};
use crate::query::orders::Sort;
use crate::query::runs::{Run, RunState, State as Standing};

type Shared = State<Arc<App>>;

/// The number of a run in a request's path.
pub(super) struct RunNumber(pub(super) u64);

impl<S: Send + Sync> FromRequestParts<S> for RunNumber {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Answer<Self> {
        let odd = || Refusal::missing("run", "a run has a number, as POST /api/runs gives it");
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| odd())?;
        let text = params.iter().find(|(name, _)| *name == "run").map(|(_, text)| text).unwrap_or("");
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_plain).map(Self).ok_or_else(odd)
    }
}

/// The longest wait for an answer.
const WAIT_MS_MAX: u64 = 30_000;

pub(super) async fn page(
    State(app): Shared,
    RunNumber(number): RunNumber,
    RawQuery(query): RawQuery,
) -> Answer<Response> {
    let params = Params::read(query, &["wait", "result", "offset", "limit", "sort", "descending", "moves"])?;
    let descending = params.truth("descending")?;
    let wait = Duration::from_millis(params.within("wait", 0, 0..=WAIT_MS_MAX)?);
    let page = Arc::new(Page {
        result: params.maybe_number("result")?.map(index),
        offset: params.number("offset", 0)?,
        limit: params.within("limit", 100, 0..=1000)?,
        written: params.wants_san()?,
        sort: params.text("sort").map(|column| Sort { column: column.to_owned(), descending }),
    });
    let run = app.runs.get(number)?;
    let until = Instant::now() + wait;
    let _place = match run.state() {
        Standing::Running if !wait.is_zero() => {
            let place = app.waiting.try_acquire().map_err(|_| Refusal::busy("requests wait for queries"))?;
            run.ended_until(until).await;
            Some(place)
        }
        _ => None,
    };
    loop {
        let Standing::Done { results, .. } = run.state() else { return reply::json(&standing(&run)) };
        let mut orders = run.orders.changes();
        let work = {
            let (app, run, page) = (Arc::clone(&app), Arc::clone(&run), Arc::clone(&page));
            move |cancel: &_| with_results(&app.logs, &run, &results, &page, cancel)
        };
        let answer = app.lanes.nodes.run(work).await?;
        let is_settled = answer.state != RunState::Running;
        if is_settled || timeout_at(until, orders.changed()).await.is_err() {
            return reply::json(&answer);
        }
    }
}

pub(super) async fn end(
    State(app): Shared,
    RunNumber(number): RunNumber,
    RawQuery(query): RawQuery,
) -> Answer<Response> {
    Params::read(query, &[])?;
    reply::json(&EndedRun { run: number, state: app.runs.end(number)? })
}

/// How a run stands that was cancelled or forgotten.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct EndedRun {
    run: u64,
    state: RunState,
}

/// The next or previous match of a result.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct StepAnswer {
    /// Nothing where there is no further match.
    node: Option<u64>,
    /// The match's place among all.
    index: Option<u64>,
    /// How many matches there are.
    count: u64,
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

pub(super) async fn step(
    State(app): Shared,
    RunNumber(number): RunNumber,
    RawQuery(query): RawQuery,
) -> Answer<Response> {
    let params = Params::read(query, &["result", "from", "direction"])?;
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
        StepAnswer { node, index: place, count: matches.count() }
    })?;
    reply::json(&answer)
}
