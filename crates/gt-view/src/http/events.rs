//! `/api/events`: tells of logs that grew, as they do.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::BroadcastStream;

use super::params::Params;
use crate::app::App;
use crate::error::{Answer, Refusal};

/// How often a line is sent so that nobody takes the connection for dead.
const ALIVE: Duration = Duration::from_secs(15);

pub(super) async fn stream(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Answer<Response> {
    Params::read(query, &[])?;
    let place = Arc::clone(&app.events).try_acquire_owned();
    let place = place.map_err(|_| Refusal::busy("pages follow these logs"))?;
    let changes = BroadcastStream::new(app.changes.subscribe()).filter_map(move |change| {
        // Held as long as the stream: the client's place is free when its connection is closed.
        let _ = &place;
        // A client that lags behind misses nothing: the next event makes it look again.
        let change = change.ok()?;
        let data = json!({ "log": change.log, "generation": change.generation });
        Some(Ok::<_, Infallible>(Event::default().event("log").data(data.to_string())))
    });
    Ok(Sse::new(changes).keep_alive(KeepAlive::new().interval(ALIVE)).into_response())
}
