//! The bodies of `POST` requests: JSON, of a limited size, and there in time.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::wire::Received;
use crate::app::App;
use crate::error::{Answer, Kind, Refusal};

/// The largest body of a request.
const BODY_BYTES_MAX: usize = 1 << 20;

/// A body, read.
pub(super) struct JsonBody<B>(pub(super) B);

impl<B: Received> FromRequest<Arc<App>> for JsonBody<B> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Answer<Self> {
        if !is_json(request.headers().get(header::CONTENT_TYPE)) {
            let sentence = "the body must be JSON, and say so: `Content-Type: application/json`";
            return Err(Refusal::new(Kind::NotJson, sentence));
        }
        let time_max = app.limits.body_time_max;
        match tokio::time::timeout(time_max, to_bytes(request.into_body(), BODY_BYTES_MAX)).await {
            Ok(Ok(bytes)) => read(&bytes).map(Self),
            Ok(Err(error)) if is_too_large(&error) => {
                let sentence = format!("the body has more than {BODY_BYTES_MAX} bytes");
                Err(Refusal::new(Kind::TooLarge, sentence))
            }
            Ok(Err(_)) => Err(Refusal::bad("body", "the body breaks off, or is not sent as its head says")),
            Err(_) => {
                let sentence = format!("the body did not arrive within {} s", time_max.as_secs_f64());
                Err(Refusal::new(Kind::Slow, sentence).at("body"))
            }
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn is_json(value: Option<&header::HeaderValue>) -> bool {
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    text.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("application/json")
}

/// What `/api/check` and `/api/runs` take.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct QueryBody {
    #[serde(default)]
    pub(super) log: u64,
    #[serde(default)]
    pub(super) tree: u64,
    pub(super) text: String,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<BTreeMap<String, crate::values::Scalar>>"))]
    parameters: BTreeMap<String, Json>,
}

/// What `/api/complete` takes.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteBody {
    #[serde(default)]
    pub(super) log: u64,
    #[serde(default)]
    pub(super) tree: u64,
    pub(super) text: String,
    pub(super) position: u64,
}

fn read<B: DeserializeOwned>(body: &[u8]) -> Answer<B> {
    serde_json::from_slice(body).map_err(|error| {
        let what = if error.is_data() { "the body does not fit this call" } else { "the body is not JSON" };
        Refusal::new(Kind::Bad, format!("{what}: {error}")).at("body")
    })
}

impl QueryBody {
    /// The parameters as texts.
    pub(super) fn parameters(&self) -> Answer<Vec<(String, String)>> {
        let text = |(name, value): (&String, &Json)| match value {
            Json::String(text) => Ok((name.clone(), text.clone())),
            Json::Number(_) | Json::Bool(_) => Ok((name.clone(), value.to_string())),
            _ => {
                let shown: String = name.chars().take(40).collect();
                let sentence =
                    format!("the parameter `{}` is a text, a number, true or false", shown.escape_debug());
                Err(Refusal::bad("parameters", sentence))
            }
        };
        self.parameters.iter().map(text).collect()
    }
}
