//! Files being written: one tree's own file, or one for all trees of the handles that share it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gt_log::{Dynamic, Error, Existing, Header, LogWriter, Metadata, Options, TreeWriter};

use super::settings::IfThere;
use crate::boundary::Fault;

/// Names of moves, by their numbers.
pub(super) type MoveNames = BTreeMap<i64, String>;

pub(super) struct LogFile {
    log: LogWriter,
    /// Whether there is no tree yet: the header can still be replaced.
    is_fresh: bool,
    path: PathBuf,
}

impl LogFile {
    pub(super) fn create(path: PathBuf, header: &Header, if_there: IfThere) -> Result<Self, Fault> {
        let header = header.clone();
        let log = match if_there {
            IfThere::Refuse => LogWriter::create_with(&path, header, Existing::Keep),
            IfThere::Replace => LogWriter::create_with(&path, header, Existing::Replace),
            IfThere::Append => LogWriter::append(&path, header),
        };
        match log {
            // A file that is appended to may contain trees.
            Ok(log) => Ok(Self { log, is_fresh: if_there != IfThere::Append, path }),
            Err(error) => Err(cannot_be_made(&path, &error)),
        }
    }

    /// Begins a tree in the file.
    pub(super) fn tree(
        &mut self,
        metadata: &Metadata,
        options: Options,
    ) -> Result<TreeWriter<Dynamic>, Error> {
        self.is_fresh = false;
        self.log.dynamic_tree(metadata, options)
    }

    /// Names moves in the file.
    pub(super) fn name_moves(&mut self, names: &MoveNames) -> Result<(), Error> {
        self.is_fresh &= names.is_empty();
        self.log.name_moves(names.iter().map(|(number, name)| (*number, name.as_str())))
    }

    /// Restarts the file, which contains only a header.
    fn begun_anew(self, header: &Header) -> Result<Self, Fault> {
        let path = self.path;
        // Closed before it is replaced, because it is locked while open.
        drop(self.log);
        Self::create(path, header, IfThere::Replace)
    }

    /// Writes the index.
    pub(super) fn finish(self) -> Result<(), Fault> {
        match self.log.finish() {
            Ok(_) => Ok(()),
            Err(error) => Err(ended_early(&self.path, &error)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A file for all trees of all handles that share it. The last of these handles finishes it.
pub(super) struct SharedFile {
    path: PathBuf,
    /// Created on first use.
    file: Mutex<Option<LogFile>>,
}

impl SharedFile {
    /// A file that is created when it is needed.
    pub(super) fn named(path: PathBuf) -> Arc<Self> {
        Arc::new(Self { path, file: Mutex::new(None) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the file, unless it exists.
    pub(super) fn make(&self, header: &Header, if_there: IfThere) -> Result<(), Fault> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = Some(LogFile::create(self.path.clone(), header, if_there)?);
        }
        Ok(())
    }

    /// Begins a tree; `None` if the file was not created.
    pub(super) fn tree(
        &self,
        metadata: &Metadata,
        options: Options,
    ) -> Option<Result<TreeWriter<Dynamic>, Error>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_mut().map(|file| file.tree(metadata, options))
    }

    /// Names moves in the file; `false` if the file was not created.
    pub(super) fn name_moves(&self, names: &MoveNames) -> Result<bool, Error> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_mut().map_or(Ok(false), |file| file.name_moves(names).map(|()| true))
    }

    /// Waits until the trees that have ended are in the file.
    pub(super) fn flush(&self) -> Result<(), Fault> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let flushed = file.as_ref().map_or(Ok(()), |file| file.log.flush());
        flushed.map_err(|error| ended_early(&self.path, &error))
    }

    /// Whether the header may still change: no other handle shares the file, and it has no tree.
    pub(super) fn is_fresh(self: &Arc<Self>) -> bool {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::strong_count(self) == 1 && file.as_ref().is_none_or(|file| file.is_fresh)
    }

    /// Restarts the file, if it exists, contains only a header, and no other handle shares it.
    pub(super) fn begin_anew(&mut self, header: &Header) -> Result<(), Fault> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = file.take() {
            *file = Some(begun.begun_anew(header)?);
        }
        Ok(())
    }

    /// Writes the index, if this is the last handle of the file.
    pub(super) fn finish(self: Arc<Self>) -> Result<(), Fault> {
        let Some(shared) = Arc::into_inner(self) else { return Ok(()) };
        let file = shared.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        file.map_or(Ok(()), LogFile::finish)
    }
}

fn cannot_be_made(path: &Path, error: &Error) -> Fault {
    let mend = match error {
        Error::Exists { .. } => {
            "; before gtl_open, gtl_setReplace(h, 1) replaces it and gtl_setAppend(h, 1) adds to it"
        }
        Error::BeingWritten { .. } => "; give each handle a file of its own",
        _ => "",
    };
    Fault::write(format!("the log `{}` cannot be made: {error}{mend}", path.display()))
}

/// The fault if the system has refused to write.
pub(super) fn ended_early(path: &Path, error: &Error) -> Fault {
    let path = path.display();
    Fault::write(format!("logging to `{path}` ended early: {error}; what was written before is readable"))
}
