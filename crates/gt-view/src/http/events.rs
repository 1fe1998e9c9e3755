//! `/api/events`: logs that grew, as they do.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio_stream::wrappers::ReceiverStream;

use crate::app::App;

/// How often a line is sent so that nobody takes the connection for dead.
const ALIVE: Duration = Duration::from_secs(15);
/// Events that wait for a slow reader.
const WAITING_MAX: usize = 16;

pub(super) fn stream(app: &App) -> Response {
    let mut changes = app.changes.subscribe();
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Event, Infallible>>(WAITING_MAX);
    tokio::spawn(async move {
        loop {
            let change = match changes.recv().await {
                Ok(change) => change,
                // The next one tells the same: look again.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            };
            let data = json!({ "log": change.log, "generation": change.generation });
            let event = Event::default().event("log").data(data.to_string());
            if sender.send(Ok(event)).await.is_err() {
                return;
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}
