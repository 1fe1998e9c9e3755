//! HTTP: requests in, calls made, answers out. What a call computes is in `calls`, `picture` and `query`.
//!
//! ```text
//! request ──guard──▶ from this machine? ──▶ page | events | route ──▶ a call, on the reader's thread where it is quick,
//!                                                                      else on one that may block
//! ```

mod bodies;
mod events;
mod guard;
mod page;
mod params;
mod queries;
mod reply;
mod route;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::Response;

use crate::app::App;
use crate::error::{Kind, Refusal};
pub(crate) use page::compressed_bytes as page_bytes;
use reply::refused;
use route::Asked;

/// The largest body of a request.
const BODY_BYTES_MAX: usize = 1 << 20;

/// Answers all requests.
pub(crate) fn router(app: Arc<App>) -> axum::Router {
    axum::Router::new().fallback(handle).with_state(app)
}

async fn handle(State(app): State<Arc<App>>, request: Request) -> Response {
    answer(app, request).await.unwrap_or_else(|refusal| refused(&refusal))
}

async fn answer(app: Arc<App>, request: Request) -> Result<Response, Refusal> {
    guard::check(request.method(), request.headers())?;
    let path = request.uri().path().to_owned();
    if !path.starts_with("/api/") && path != "/api" {
        return page::file(request.method(), &path, request.headers());
    }
    if path == "/api/events" {
        route::only(request.method(), Method::GET)?;
        return Ok(events::stream(&app));
    }
    let asked = read(request).await?;
    let call_app = Arc::clone(&app);
    let answered = if asked.is_quick() {
        app.reader.run(move || route::route(&call_app, &asked)).await
    } else {
        tokio::task::spawn_blocking(move || route::route(&call_app, &asked)).await.ok()
    };
    // A panic is ours, whatever was asked; the server goes on.
    answered
        .unwrap_or_else(|| Err(Refusal::new(Kind::Log, "the viewer failed to answer this; please report it")))
}

async fn read(request: Request) -> Result<Asked, Refusal> {
    let (parts, body) = request.into_parts();
    let query = parts.uri.query().unwrap_or("").to_owned();
    let has_body = parts.method == Method::POST;
    if has_body && !is_json(parts.headers.get(header::CONTENT_TYPE)) {
        return Err(Refusal::new(
            Kind::NotJson,
            "the body must be JSON, and say so: `Content-Type: application/json`",
        ));
    }
    let body = if has_body { read_body(body).await? } else { Vec::new() };
    Ok(Asked { method: parts.method, path: parts.uri.path().to_owned(), query, body })
}

async fn read_body(body: Body) -> Result<Vec<u8>, Refusal> {
    let too_large =
        |_| Refusal::new(Kind::TooLarge, format!("the body has more than {BODY_BYTES_MAX} bytes"));
    Ok(to_bytes(body, BODY_BYTES_MAX).await.map_err(too_large)?.to_vec())
}

fn is_json(value: Option<&header::HeaderValue>) -> bool {
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    text.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("application/json")
}
