//! Answers as HTTP responses.

use axum::body::Body;
use axum::http::{StatusCode, header, response};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::wire::Sent;
use crate::error::{Answer, Kind, QueryError, Refusal};

/// Nothing but the server's own files may be loaded, run or asked; styles may be set by the page's scripts.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A response with the headers that every one has.
pub(super) fn protected() -> response::Builder {
    Response::builder()
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header("cross-origin-resource-policy", "same-origin")
        .header("cross-origin-opener-policy", "same-origin")
}

pub(super) fn with_type(content_type: &str, body: Body) -> Response {
    let built = protected()
        .header(header::CONTENT_TYPE, content_type)
        .header(header::CACHE_CONTROL, "no-store")
        .body(body);
    built.unwrap_or_else(|_| Response::new(Body::empty()))
}

/// A file that the browser saves under a name.
pub(super) fn download(content_type: &str, name: &str, body: Body) -> Response {
    let mut response = with_type(content_type, body);
    if let Ok(value) = header::HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// An answer as JSON.
pub(super) fn json(answer: &impl Sent) -> Answer<Response> {
    let bytes = serde_json::to_vec(answer).map_err(|error| Refusal::new(Kind::Log, error.to_string()))?;
    Ok(with_type("application/json", Body::from(bytes)))
}

/// JSON on one line, for an event.
pub(super) fn text(event: &impl Sent) -> Answer<String> {
    serde_json::to_string(event).map_err(|error| Refusal::new(Kind::Log, error.to_string()))
}

/// What is sent where a call has no answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ErrorAnswer {
    error: ErrorInfo,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ErrorInfo {
    message: String,
    /// The parameter or field to blame.
    place: Option<String>,
    /// What is wrong with a query text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    errors: Option<Vec<QueryError>>,
}

/// A refusal is its status and its sentence.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let error = ErrorInfo { message: self.message, place: self.place, errors: self.errors };
        let mut response = json(&ErrorAnswer { error }).unwrap_or_else(|_| Response::new(Body::empty()));
        *response.status_mut() = status(self.kind);
        if self.kind == Kind::Busy {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

fn status(kind: Kind) -> StatusCode {
    match kind {
        Kind::Bad => StatusCode::BAD_REQUEST,
        Kind::Foreign => StatusCode::FORBIDDEN,
        Kind::Missing => StatusCode::NOT_FOUND,
        Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Gone => StatusCode::GONE,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Log => StatusCode::INTERNAL_SERVER_ERROR,
        Kind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Late => StatusCode::GATEWAY_TIMEOUT,
        Kind::Slow => StatusCode::REQUEST_TIMEOUT,
    }
}
