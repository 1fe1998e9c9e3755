//! The reason why a call failed: a code for the engine, and a text.

use std::ffi::c_int;

use gt_log::Error;

use crate::abi::{
    GTL_ERROR_ARGUMENT, GTL_ERROR_INTERNAL, GTL_ERROR_LIMIT, GTL_ERROR_ORDER, GTL_ERROR_QUERY,
    GTL_ERROR_READ, GTL_ERROR_WRITE,
};

/// The reason why a call failed. Boxed, so that the outcome of a successful call is one register.
#[derive(Clone, Debug)]
pub(crate) struct Fault(Box<Reason>);

#[derive(Clone, Debug)]
struct Reason {
    code: c_int,
    /// `None` if the text of an earlier error should stay.
    text: Option<String>,
}

impl Fault {
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_ARGUMENT, Some(text.into()))
    }

    pub(crate) fn wrong_record(what: &str) -> Self {
        Self::argument(format!("the record of a node is wrong: {what}"))
    }

    pub(crate) fn order(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_ORDER, Some(text.into()))
    }

    pub(crate) fn write(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_WRITE, Some(text.into()))
    }

    /// A log that is read is damaged, or cannot be read.
    pub(crate) fn damaged(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_READ, Some(text.into()))
    }

    pub(crate) fn limit(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_LIMIT, Some(text.into()))
    }

    pub(crate) fn query(text: impl Into<String>) -> Self {
        Self::new(GTL_ERROR_QUERY, Some(text.into()))
    }

    /// An error that was already reported has turned logging off: its text stays.
    pub(crate) fn still_off() -> Self {
        Self::new(GTL_ERROR_WRITE, None)
    }

    /// Drops an error that was already reported, when something is ended before the next begins.
    pub(crate) fn unless_reported(self) -> Result<(), Self> {
        if self.0.text.is_some() { Err(self) } else { Ok(()) }
    }

    /// The error of a call that both the log and the queries took: the log's, unless it was already reported.
    pub(crate) fn first(logged: Result<(), Self>, watched: Result<(), Self>) -> Result<(), Self> {
        match (logged, watched) {
            (Err(fault), Err(news)) if fault.0.text.is_none() => Err(news),
            (logged, watched) => logged.and(watched),
        }
    }

    /// Whether the call did not fit the calls before it.
    pub(crate) fn is_order(&self) -> bool {
        self.0.code == GTL_ERROR_ORDER
    }

    /// An internal error of the library.
    pub(crate) fn internal(text: String) -> Self {
        Self::new(GTL_ERROR_INTERNAL, Some(text))
    }

    /// The code, and the text if it is new.
    pub(crate) fn into_parts(self) -> (c_int, Option<String>) {
        (self.0.code, self.0.text)
    }

    fn new(code: c_int, text: Option<String>) -> Self {
        Self(Box::new(Reason { code, text }))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Io(_) | Error::Closed => GTL_ERROR_WRITE,
            Error::LeaveWithoutEnter { .. }
            | Error::StillOpen { .. }
            | Error::SecondRoot { .. }
            | Error::NoNodes { .. } => GTL_ERROR_ORDER,
            Error::TooDeep | Error::TooManyNodes => GTL_ERROR_LIMIT,
            Error::WrongRecord { .. }
            | Error::Schema(_)
            | Error::NoSuchParent { .. }
            | Error::NoSuchNode { .. } => GTL_ERROR_ARGUMENT,
            _ => GTL_ERROR_INTERNAL,
        };
        Self::new(code, Some(error.to_string()))
    }
}
