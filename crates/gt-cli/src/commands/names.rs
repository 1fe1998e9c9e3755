//! Names of an engine's own: `--map best=value` says which of a log's names stands for one that figures and recipes know.

use std::path::Path;

use super::query::source::Source;
use crate::failure::Failure;

/// The option of every command that asks a log by names.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct OtherNames {
    /// Give the log's attributes and aliases other names: `best=value,type=nodeType,PVNode=pv`
    #[arg(long = "map", value_name = "NAME=OWN,...")]
    pairs: Vec<String>,
}

impl OtherNames {
    /// Whether none are given.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The lists of names, each as it was written.
    pub(crate) fn pairs(&self) -> &[String] {
        &self.pairs
    }

    /// Opens a log, whose attributes and aliases then have these names beside their own.
    pub(crate) fn open(&self, path: &Path) -> Result<Source, Failure> {
        let mut source = Source::open(path)?;
        for pairs in &self.pairs {
            source.log.set_other_names(pairs).map_err(|error| Failure::about(path, error))?;
        }
        Ok(source)
    }
}
