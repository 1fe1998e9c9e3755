//! HTTP: requests in, calls made, answers out. What a call computes is in `calls`, `picture` and `query`.
//!
//! ```text
//! connection ──request──▶ guard: from this machine? ──▶ routes ──▶ a handler: parameters, a lane, the call ──▶ reply
//!  bounded, timed                                        └ else: a file of the page
//! ```
//!
//! Handlers run on the server's two threads and never block: what reads a log goes through a lane of `work`, what waits
//! awaits.

mod bodies;
mod connections;
mod drawing;
mod events;
mod export;
mod guard;
mod messages;
mod nodes;
mod page;
mod params;
mod play;
mod queries;
mod reply;
mod runs;
mod wire;

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use axum::routing::{get, post};

use crate::app::App;
use crate::error::{Answer, Kind, Refusal};
pub(crate) use connections::serve;
pub(crate) use page::compressed_bytes as page_bytes;

/// All calls; docs/api.md describes them in this order.
pub(crate) fn router(app: Arc<App>) -> Router {
    let calls = Router::new()
        .route("/api/logs", get(nodes::logs))
        .route("/api/events", get(events::stream))
        .route("/api/node", get(nodes::node))
        .route("/api/children", get(nodes::children))
        .route("/api/find", get(nodes::find))
        .route("/api/picture", get(nodes::picture))
        .route("/api/moment", get(nodes::moment))
        .route("/api/drawing", get(drawing::drawing))
        .route("/api/board", get(nodes::board))
        .route("/api/evaluation", get(nodes::evaluation))
        .route("/api/why", get(nodes::why))
        .route("/api/check", post(queries::check))
        .route("/api/complete", post(queries::complete))
        .route("/api/runs", post(queries::start))
        .route("/api/runs/{run}", get(runs::page).delete(runs::end))
        .route("/api/runs/{run}/step", get(runs::step))
        .route("/api/runs/{run}/export", get(export::download))
        .route("/api/library", get(queries::library))
        .route("/api/charts", get(queries::charts))
        .route("/api/chart", get(queries::chart))
        .route("/api/diff", get(queries::diff))
        .route("/api/play/state", get(play::state))
        .route("/api/play/position", get(play::position))
        .route("/api/play/evaluation", get(play::evaluation))
        .route("/api/play/games", get(play::games))
        .route("/api/play/move", post(play::make_move))
        .route("/api/play/take-back", post(play::take_back))
        .route("/api/play/hint", post(play::hint))
        .route("/api/play/now", post(play::now))
        .route("/api/play/resign", post(play::resign))
        .route("/api/play/pause", post(play::pause))
        .route("/api/play/resume", post(play::resume))
        .route("/api/play/seat", post(play::seat))
        .route("/api/play/level", post(play::level))
        .route("/api/play/new", post(play::new))
        .route("/api/play/save", get(play::save))
        .route("/api/play/load", post(play::load))
        .fallback(file)
        .with_state(app);
    // Around all routes together: what a route alone answers lacks the methods that it allows.
    Router::new().fallback_service(calls).layer(axum::middleware::from_fn(guard::guarded))
}

/// Everything that is no call: the page.
async fn file(request: Request) -> Answer<Response> {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        let shown: String = path.chars().take(80).collect();
        return Err(Refusal::new(Kind::Missing, format!("there is no call `{}`", shown.escape_debug())));
    }
    page::file(request.method(), path, request.headers())
}
