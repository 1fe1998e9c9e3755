//! The calls about query texts: check, complete, start a run, library, charts; and the totals of a diff.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use serde::Serialize;

use super::bodies::{CompleteBody, JsonBody, QueryBody};
use super::nodes::opened;
use super::params::{Params, index};
use super::reply;
use crate::app::App;
use crate::error::{Answer, Refusal};
use crate::query::binding::Binding;
use crate::query::runs::Question;
use crate::query::{check, complete, library};
use crate::work::Cancel;

type Shared = State<Arc<App>>;

/// The number of a run that was started.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct StartedRun {
    run: u64,
}

pub(super) async fn check(State(app): Shared, JsonBody(body): JsonBody<QueryBody>) -> Answer<Response> {
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let opened = app.logs.get(index(body.log))?.opened();
        let tree = opened.tree(index(body.tree))?;
        let binding = Binding::new(&opened, tree).with_parameters(body.parameters()?);
        reply::json(&check::check(&opened, &binding, &body.text)?)
    };
    lane.lanes.texts.run(work).await
}

pub(super) async fn complete(State(app): Shared, JsonBody(body): JsonBody<CompleteBody>) -> Answer<Response> {
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let opened = app.logs.get(index(body.log))?.opened();
        let tree = opened.tree(index(body.tree))?;
        reply::json(&complete::complete(&opened, tree, &body.text, body.position)?)
    };
    lane.lanes.texts.run(work).await
}

pub(super) async fn start(State(app): Shared, JsonBody(body): JsonBody<QueryBody>) -> Answer<Response> {
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let (log, tree) = (index(body.log), index(body.tree));
        let opened = app.logs.get(log)?.opened();
        let parameters = body.parameters()?;
        let run = app.runs.start(opened, Question { log, tree, text: body.text, parameters })?;
        reply::json(&StartedRun { run: run.number })
    };
    lane.lanes.texts.run(work).await
}

pub(super) async fn library(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree"])?;
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let (opened, tree) = opened(&app, &params)?;
        reply::json(&library::library(&opened, opened.tree(tree)?))
    };
    lane.lanes.texts.run(work).await
}

pub(super) async fn charts(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree"])?;
    let lane = Arc::clone(&app);
    let work = move |_: &Cancel| {
        let (opened, tree) = opened(&app, &params)?;
        reply::json(&crate::query::charts::charts(&opened, opened.tree(tree)?))
    };
    lane.lanes.texts.run(work).await
}

pub(super) async fn chart(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree", "name", "attribute"])?;
    let lane = Arc::clone(&app);
    let work = move |cancel: &Cancel| {
        let (opened, tree) = opened(&app, &params)?;
        let name = params.text("name").ok_or_else(|| Refusal::bad("name", "which chart? `name` says"))?;
        let attribute = params.text("attribute");
        reply::json(&*app.charts.chart(&opened, opened.tree(tree)?, name, attribute, cancel)?)
    };
    lane.lanes.scans.run(work).await
}

pub(super) async fn diff(State(app): Shared, RawQuery(query): RawQuery) -> Answer<Response> {
    let params = Params::read(query, &["log", "tree"])?;
    let lane = Arc::clone(&app);
    let work = move |cancel: &Cancel| {
        let (opened, tree) = opened(&app, &params)?;
        reply::json(&*app.differences(&opened, tree, cancel)?)
    };
    lane.lanes.scans.run(work).await
}
