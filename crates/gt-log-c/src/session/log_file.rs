//! A file that is being written, by one handle only.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use gt_log::{Error, Header, LogWriter};

use crate::boundary::Fault;

pub(super) struct LogFile {
    pub(super) log: LogWriter,
    /// No tree yet: the header can still be made anew.
    pub(super) is_fresh: bool,
    path: PathBuf,
}

impl LogFile {
    pub(super) fn create(path: PathBuf, header: &Header) -> Result<Self, Fault> {
        let log =
            claim(&path).map_err(Error::from).and_then(|file| LogWriter::to_writer(file, header.clone()));
        match log {
            Ok(log) => Ok(Self { log, is_fresh: true, path }),
            Err(error) => Err(Fault::write(format!("the log `{}` cannot be made: {error}", path.display()))),
        }
    }

    /// Writes the index.
    pub(super) fn finish(self) -> Result<(), Fault> {
        match self.log.finish() {
            Ok(_) => Ok(()),
            Err(error) => Err(ended_early(&self.path, &error)),
        }
    }

    /// Closes the file and gives its name.
    pub(super) fn into_path(self) -> PathBuf {
        self.path
    }

    /// The system has refused to write.
    pub(super) fn ended_early(&self, error: &Error) -> Fault {
        ended_early(&self.path, error)
    }
}

fn ended_early(path: &Path, error: &Error) -> Fault {
    let path = path.display();
    Fault::write(format!("logging to `{path}` ended early: {error}; what was written before is readable"))
}

/// Opens a file and empties it, unless another handle or program is writing it: threads that were given the
/// same name would write across each other.
fn claim(path: &Path) -> io::Result<File> {
    // Emptied only once it is ours.
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            return Err(io::Error::new(
                io::ErrorKind::WouldBlock,
                "another handle or program is writing it; give each handle a file of its own",
            ));
        }
        // Some file systems have no locks; then there is nothing to find out.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(file)
}
