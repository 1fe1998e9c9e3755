//! A file that is being written, by one handle only.

use std::path::{Path, PathBuf};

use gt_log::{Error, Existing, Header, LogWriter};

use crate::boundary::Fault;

pub(super) struct LogFile {
    pub(super) log: LogWriter,
    /// No tree yet: the header can still be made anew.
    pub(super) is_fresh: bool,
    path: PathBuf,
}

impl LogFile {
    pub(super) fn create(path: PathBuf, header: &Header, existing: Existing) -> Result<Self, Fault> {
        match LogWriter::create_with(&path, header.clone(), existing) {
            Ok(log) => Ok(Self { log, is_fresh: true, path }),
            Err(error) => Err(cannot_be_made(&path, &error)),
        }
    }

    /// Begins the file anew, which holds nothing but a header.
    pub(super) fn begun_anew(self, header: &Header) -> Result<Self, Fault> {
        let path = self.path;
        // Closed before it is replaced: it is locked while it is open.
        drop(self.log);
        Self::create(path, header, Existing::Replace)
    }

    /// Writes the index.
    pub(super) fn finish(self) -> Result<(), Fault> {
        match self.log.finish() {
            Ok(_) => Ok(()),
            Err(error) => Err(ended_early(&self.path, &error)),
        }
    }

    /// The system has refused to write.
    pub(super) fn ended_early(&self, error: &Error) -> Fault {
        ended_early(&self.path, error)
    }
}

fn cannot_be_made(path: &Path, error: &Error) -> Fault {
    let mend = match error {
        Error::Exists { .. } => "; gtl_setReplace(h, 1) before gtl_open replaces it",
        Error::BeingWritten { .. } => "; give each handle a file of its own",
        _ => "",
    };
    Fault::write(format!("the log `{}` cannot be made: {error}{mend}", path.display()))
}

fn ended_early(path: &Path, error: &Error) -> Fault {
    let path = path.display();
    Fault::write(format!("logging to `{path}` ended early: {error}; what was written before is readable"))
}
