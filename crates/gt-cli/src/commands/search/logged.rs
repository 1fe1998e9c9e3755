//! The log of a search.
//!
//! **Invariant:** trouble with the log never costs the search its result. It is told when it happens, and again, as the
//! reason of the exit code, at the end; a log that lacks something has no index and does not pass for a whole one.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use gt_log::{Error, Header, Kind, LogWriter, Schema};
use gt_play::Algorithm;
use gt_record::Extras;

use super::arguments::Arguments;
use crate::commands::files::refused;
use crate::failure::Failure;
use crate::tell::tell;

pub(super) struct SearchLog<'a> {
    path: &'a Path,
    pub(super) writer: LogWriter,
    /// The first error.
    trouble: Mutex<Option<String>>,
}

impl<'a> SearchLog<'a> {
    /// Begins the log, where one is asked for.
    pub(super) fn create(
        arguments: &'a Arguments,
        game: &str,
        algorithm: Algorithm,
        extras: Extras,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = &arguments.log else { return Ok(None) };
        let existing = arguments.force.existing();
        let writer =
            header(game, algorithm, extras).and_then(|header| LogWriter::create_with(path, header, existing));
        let writer = writer.map_err(|error| refused(path, &error))?;
        Ok(Some(Self { path, writer, trouble: Mutex::default() }))
    }

    /// Names moves by their numbers, where the game has names for them.
    pub(super) fn name_moves(&self, names: &[(i64, String)]) {
        let named = self.writer.name_moves(names.iter().map(|(code, name)| (*code, name.as_str())));
        if let Err(error) = named {
            self.is_in_trouble(&error);
        }
    }

    /// Tells of the first error; those after it follow from it.
    pub(super) fn is_in_trouble(&self, error: &Error) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.is_none() {
            tell(format_args!("{}: {error}; the search goes on without its log", self.path.display()));
            *trouble = Some(error.to_string());
        }
    }

    /// Closes the log.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let finished = self.writer.finish().map_err(|error| error.to_string());
        let trouble = self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner);
        match trouble.or(finished.err()) {
            None => Ok(()),
            Some(error) => {
                let sentence = "the log is not whole, `gt recover` saves what is in it";
                Err(Failure::about(self.path, format_args!("{sentence}: {error}")))
            }
        }
    }
}

/// The header of the log.
pub(super) fn header(game: &str, algorithm: Algorithm, extras: Extras) -> gt_log::Result<Header> {
    match algorithm.simulates() {
        true => uct_schema(extras).map(|schema| Header::new(game, schema)).map_err(Error::from),
        false => gt_record::header_with(game, extras),
    }
}

/// What is logged of the nodes of a Monte Carlo search.
pub(super) fn uct_schema(extras: Extras) -> Result<Schema, gt_log::SchemaError> {
    let key = extras.key.then_some(("key", Kind::U64));
    Schema::new([("visits", Kind::U64), ("value", Kind::F64)].into_iter().chain(key))
}
