//! Why a call got no answer: a kind, one sentence, and the parameter to blame. Rendering is `http`'s.

use gt_query::engine::Failure;
use serde::Serialize;

/// What sort of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A parameter, a body or a query text is wrong.
    Bad,
    /// The request does not come from this machine.
    Foreign,
    /// There is no such thing.
    Missing,
    /// The call takes another method.
    Method,
    /// It cannot be done in this state.
    Conflict,
    /// It was there, and was dropped.
    Gone,
    /// The body is too large.
    TooLarge,
    /// The body is not JSON.
    NotJson,
    /// The log cannot be read, or is damaged.
    Log,
    /// Too many requests are being answered.
    Busy,
    /// The answer took too long.
    Late,
    /// The client did not send the whole request in time.
    Slow,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) place: Option<String>,
    /// What is wrong with a query text, in the form of `/api/check`.
    pub(crate) errors: Option<Vec<QueryError>>,
}

/// An error of a query text, or a note on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct QueryError {
    /// Where it begins in the text, in UTF-16 code units.
    pub(crate) start: u32,
    /// Where it ends.
    pub(crate) end: u32,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) note: Option<String>,
}

/// What a call gives.
pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, errors: None }
    }

    /// A parameter or field is wrong.
    pub(crate) fn bad(place: &str, message: impl Into<String>) -> Self {
        Self::new(Kind::Bad, message).at(place)
    }

    /// What a parameter or field names is not there.
    pub(crate) fn missing(place: &str, message: impl Into<String>) -> Self {
        Self::new(Kind::Missing, message).at(place)
    }

    /// Too many of something are under way; the client may ask again soon.
    pub(crate) fn busy(what: &str) -> Self {
        Self::new(Kind::Busy, format!("too many {what} already; ask again in a second"))
    }

    /// A write failed: the client has closed its connection.
    pub(crate) fn closed(error: std::io::Error) -> Self {
        Self::new(Kind::Gone, error.to_string())
    }

    /// Blames the refusal on this parameter or field.
    pub(crate) fn at(mut self, place: &str) -> Self {
        self.place = Some(place.to_owned());
        self
    }
}

impl From<gt_log::Error> for Refusal {
    fn from(error: gt_log::Error) -> Self {
        match &error {
            gt_log::Error::NoSuchTree { .. } => Self::missing("tree", error.to_string()),
            gt_log::Error::NoSuchNode { .. } => Self::missing("node", error.to_string()),
            _ => Self::new(Kind::Log, error.to_string()),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Log(error) => error.into(),
            Failure::Cancelled => Self::new(Kind::Gone, failure.to_string()),
            Failure::OtherSchema | Failure::TooLarge { .. } | Failure::TooManyTwins { .. } => {
                Self::new(Kind::Conflict, failure.to_string())
            }
        }
    }
}
