//! The bodies of `POST` requests.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::error::{Answer, Kind, Refusal};

/// What `/api/check` and `/api/runs` take.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QueryBody {
    #[serde(default)]
    pub(super) log: u64,
    #[serde(default)]
    pub(super) tree: u64,
    pub(super) text: String,
    #[serde(default)]
    parameters: BTreeMap<String, Json>,
}

/// What `/api/complete` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteBody {
    #[serde(default)]
    pub(super) log: u64,
    #[serde(default)]
    pub(super) tree: u64,
    pub(super) text: String,
    pub(super) position: u64,
}

pub(super) fn read<B: DeserializeOwned>(body: &[u8]) -> Answer<B> {
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
