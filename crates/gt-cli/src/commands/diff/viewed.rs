//! The merged tree for `gt view --diff`: what `gt diff -o` writes, for as long as it is looked at.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::arguments::{Arguments, Format};
use super::run;
use crate::commands::files::Force;
use crate::commands::trees::TreeChoice;
use crate::failure::Failure;

/// Which two trees, and which of their attributes are compared.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// Which tree of A: a number from 0, `last`, `largest`, or -1 for the last (default: the last complete one)
    #[arg(long, value_name = "K", requires = "diff", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree_a: Option<TreeChoice>,
    /// Which tree of B
    #[arg(long, value_name = "K", requires = "diff", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    tree_b: Option<TreeChoice>,
    /// Attributes that are not compared
    #[arg(long, value_name = "ATTR", requires = "diff", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The only attributes that are compared
    #[arg(long, value_name = "ATTR", requires = "diff", value_delimiter = ',')]
    only: Vec<String>,
    /// An attribute that names positions: nodes in one tree only are also matched by it
    #[arg(long, value_name = "ATTR", requires = "diff")]
    key: Option<String>,
}

/// A log of the merged tree, in a folder of its own that goes with it.
pub(crate) struct MergedLog {
    path: PathBuf,
    _folder: TempDir,
}

impl MergedLog {
    /// Compares two logs, or two trees of one.
    pub(crate) fn of(logs: &[PathBuf], choice: &Choice) -> Result<Self, Failure> {
        if logs.len() > 2 {
            let sentence = format!("`--diff` shows two logs as one, and {} are given", logs.len());
            return Err(Failure::new(sentence));
        }
        let folder = tempfile::tempdir().map_err(|error| Failure::about(&std::env::temp_dir(), error))?;
        let path = folder.path().join("diff.gtf");
        let arguments = Arguments {
            positional: logs.iter().map(|log| log.as_os_str().to_owned()).collect(),
            tree: None,
            tree_a: choice.tree_a.clone(),
            tree_b: choice.tree_b.clone(),
            ignore: choice.ignore.clone(),
            only: choice.only.clone(),
            key: choice.key.clone(),
            moves: None,
            format: Some(Format::Gtf),
            parameters: Vec::new(),
            output: Some(path.clone()),
            force: Force::default(),
            threads: 0,
        };
        run(&arguments, &mut io::sink())?;
        Ok(Self { path, _folder: folder })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
