//! Which file trees go to, and when it is made.

use std::path::PathBuf;

use super::log_file::LogFile;
use super::{Session, Stage, metadata};
use crate::boundary::Fault;
use crate::file_name::Pattern;

/// Where trees go.
pub(super) enum Target {
    Closed,
    /// Named while logging was switched off: made when it is needed.
    Named(PathBuf),
    File(LogFile),
    PerTree(Pattern, Option<LogFile>),
}

impl Session {
    /// Says something about the whole log, before its first tree.
    pub(crate) fn set_log_metadata(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        let is_begun = match &self.target {
            Target::File(file) => !file.is_fresh,
            Target::PerTree(_, file) => file.is_some(),
            Target::Closed | Target::Named(_) => false,
        };
        if is_begun {
            return Err(Fault::order(
                "what is said about a whole log stands at its start; say it before the first tree",
            ));
        }
        metadata::set(&mut self.header.metadata, key, value)?;
        // The file has a header and nothing else: it begins anew with the new one.
        match std::mem::replace(&mut self.target, Target::Closed) {
            Target::File(file) => {
                let anew = file.begun_anew(&self.header).inspect_err(|_| self.stage = Stage::Failed)?;
                self.target = Target::File(anew);
            }
            other => self.target = other,
        }
        Ok(())
    }

    /// Makes the file that the next tree goes to, where it is not there yet.
    pub(super) fn make_file(&mut self) -> Result<(), Fault> {
        match &self.target {
            Target::Named(path) => self.target = Target::File(self.create_file(path.clone())?),
            Target::PerTree(pattern, _) => {
                let pattern = pattern.clone();
                let file = self.create_file(pattern.path(self.trees))?;
                self.target = Target::PerTree(pattern, Some(file));
            }
            Target::Closed | Target::File(_) => {}
        }
        Ok(())
    }

    pub(super) fn create_file(&mut self, path: PathBuf) -> Result<LogFile, Fault> {
        let created = LogFile::create(path, &self.header, self.settings.existing);
        created.inspect_err(|_| self.stage = Stage::Failed)
    }
}
