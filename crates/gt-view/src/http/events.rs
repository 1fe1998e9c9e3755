//! `/api/events`: tells of logs that grew, and of the game that is played, as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::BroadcastStream;

use super::params::Params;
use super::reply;
use crate::app::App;
use crate::changes::Change;
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
        let (name, data) = told(change.ok()?);
        Some(Ok::<_, Infallible>(Event::default().event(name).data(data.ok()?)))
    });
    Ok(Sse::new(changes).keep_alive(KeepAlive::new().interval(ALIVE)).into_response())
}

/// The name of an event, and what it says.
fn told(change: Change) -> (&'static str, Answer<String>) {
    match change {
        Change::Log(event) => ("log", reply::text(&event)),
        Change::Game(event) => ("game", reply::text(&event)),
        Change::Trouble(event) => ("trouble", reply::text(&event)),
    }
}
