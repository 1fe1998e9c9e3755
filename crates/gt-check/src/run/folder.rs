//! The folder for the logs of searches.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The folder, kept or temporary.
pub(super) enum Folder {
    Kept(PathBuf),
    Scratch(TempDir),
}

impl Folder {
    pub(super) fn new(keep: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = keep else {
            return Ok(Self::Scratch(tempfile::Builder::new().prefix("gt-check-").tempdir()?));
        };
        std::fs::create_dir_all(folder)?;
        // Engines run in the suite's folder, so the path must be absolute.
        let folder = std::path::absolute(folder)?;
        if std::fs::read_dir(&folder)?.next().is_some() {
            return Err(io::Error::other("it is not empty; logs are kept in a folder of their own"));
        }
        Ok(Self::Kept(folder))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Kept(folder) => folder,
            Self::Scratch(folder) => folder.path(),
        }
    }

    /// Returns where the logs are afterwards; a scratch folder is kept only if `stays` is set.
    pub(super) fn finish(self, stays: bool) -> Option<PathBuf> {
        match self {
            Self::Kept(folder) => Some(folder),
            Self::Scratch(folder) => stays.then(|| folder.keep()),
        }
    }
}
