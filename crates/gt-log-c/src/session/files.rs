//! What a session does with its files: who shares them, how they start, when they are created.

use std::path::PathBuf;
use std::sync::Arc;

use super::log_file::LogFile;
use super::target::Target;
use super::{Session, Stage, metadata};
use crate::boundary::Fault;
use crate::queries::QuerySettings;

impl Session {
    /// Makes another session that writes its trees into the same file or files, with the same settings.
    pub(crate) fn share(&self) -> Result<Self, Fault> {
        let target = match &self.target {
            Target::Closed => {
                return Err(Fault::order("no file is open that could be shared; gtl_open names one"));
            }
            Target::One(file) => Target::One(file.clone()),
            Target::PerTree(pattern, _) => Target::PerTree(pattern.clone(), None),
        };
        let mut shared = Self::new(self.header.clone(), self.plan.clone());
        (shared.target, shared.settings, shared.trees) = (target, self.settings.clone(), self.trees.clone());
        // Queries and their callback belong to this session alone.
        shared.settings.queries = QuerySettings::default();
        Ok(shared)
    }

    /// Sets metadata of the whole log, before its first tree.
    pub(crate) fn set_log_metadata(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        let is_begun = match &self.target {
            Target::One(file) => !file.is_fresh(),
            Target::PerTree(_, file) => file.is_some(),
            Target::Closed => false,
        };
        if is_begun {
            return Err(Fault::order(
                "what is said about a whole log stands at its start; say it before the first tree and before gtl_share",
            ));
        }
        metadata::set(&mut self.header.metadata, key, value)?;
        // The file contains only a header: it is restarted with the new one.
        if let Target::One(file) = &mut self.target
            && let Some(file) = Arc::get_mut(file)
            && let Err(fault) = file.begin_anew(&self.header)
        {
            self.target = Target::Closed;
            self.stage = Stage::Failed;
            return Err(fault);
        }
        Ok(())
    }

    /// Waits until the trees that have ended are in the file.
    pub(crate) fn flush_ended_trees(&mut self) -> Result<(), Fault> {
        match &self.target {
            Target::One(file) => file.flush().inspect_err(|_| self.stage = Stage::Failed),
            // With a file per tree, the file is closed with its tree.
            Target::Closed | Target::PerTree(..) => Ok(()),
        }
    }

    /// Creates the file for the next tree, unless it exists.
    pub(super) fn make_file(&mut self, tree: u64) -> Result<(), Fault> {
        match &self.target {
            Target::Closed => Ok(()),
            Target::One(file) => {
                let made = file.make(&self.header, self.settings.existing);
                made.inspect_err(|_| self.stage = Stage::Failed)
            }
            Target::PerTree(pattern, _) => {
                let pattern = pattern.clone();
                let file = self.create_file(pattern.path(tree))?;
                self.target = Target::PerTree(pattern, Some(Box::new(file)));
                Ok(())
            }
        }
    }

    fn create_file(&mut self, path: PathBuf) -> Result<LogFile, Fault> {
        let created = LogFile::create(path, &self.header, self.settings.existing);
        created.inspect_err(|_| self.stage = Stage::Failed)
    }
}
