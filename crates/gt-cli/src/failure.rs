//! Why a command could not do its work: one sentence that names the thing.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What a command gives back.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// A sentence for the user, and whether it only means that nobody reads any more.
#[derive(Debug)]
pub(crate) struct Failure {
    sentence: String,
    closed_pipe: bool,
}

impl Failure {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), closed_pipe: false }
    }

    /// `error` about the file at `path`.
    pub(crate) fn about(path: &Path, error: impl fmt::Display) -> Self {
        Self::new(format!("{}: {error}", path.display()))
    }

    /// Whether the reader of our output went away, which is nobody's fault.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl From<gt_games::NotationError> for Failure {
    fn from(error: gt_games::NotationError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { sentence: format!("the output cannot be written: {error}"), closed_pipe }
    }
}
