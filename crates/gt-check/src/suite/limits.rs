//! The depth of a search of a position, and the time an engine may take.

use std::time::Duration;

use crate::error::Result;
use crate::keys::{Keys, Placed, SourceFile};

/// The limits of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u64>,
    pub(crate) nodes: Option<u64>,
    /// The time as written, for the engine; and its meaning.
    pub(crate) time: Option<(String, Duration)>,
    pub(crate) timeout: Option<Duration>,
}

/// The default time an engine may run; twice its `time` if that is longer.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Limits {
    pub(super) fn read(keys: &mut Keys<'_>, file: &SourceFile, defaults: &Self) -> Result<Self> {
        let depth = keys.whole("depth")?.map(|depth| depth.value).or(defaults.depth);
        let nodes = keys.whole("nodes")?.map(|nodes| nodes.value).or(defaults.nodes);
        let mut duration = |key| -> Result<Option<(String, Duration)>> {
            let Some(Placed { value, at }) = keys.text_or_whole(key)? else { return Ok(None) };
            let meant = duration(&value).ok_or_else(|| {
                file.error(at, format!("`{key}` is a time such as 10, \"10s\", \"500ms\" or \"2m\""))
            })?;
            Ok(Some((value, meant)))
        };
        let time = duration("time")?.or(defaults.time.clone());
        let timeout = duration("timeout")?.map(|(_, timeout)| timeout).or(defaults.timeout);
        Ok(Self { depth, nodes, time, timeout })
    }

    /// The time after which an engine is ended.
    pub(crate) fn patience(&self) -> Duration {
        let for_search = self.time.as_ref().map_or(Duration::ZERO, |(_, time)| time.saturating_mul(2));
        self.timeout.unwrap_or_else(|| TIMEOUT.max(for_search))
    }
}

/// Parses a time: `10`, `10s`, `500ms`, `2m`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(digits.parse::<f64>().ok()? * seconds).ok()
}
