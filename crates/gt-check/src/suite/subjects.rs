//! What a suite looks at: logs that exist (`[[log]]`), and positions whose searches write one.

use std::path::{Path, PathBuf};

use super::limits::Limits;
use crate::error::Result;
use crate::keys::{Keys, Placed, SourceFile};

/// A log for checks.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) trees: TreeChoice,
}

/// The source of a subject's log.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Log(PathBuf),
    Search(Position),
}

/// A position to search.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) text: Option<String>,
    pub(crate) moves: Option<String>,
    pub(crate) limits: Limits,
}

/// The trees of a log to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeChoice {
    All,
    Last,
    Largest,
    Number(usize),
}

impl TreeChoice {
    pub(super) fn read(keys: &mut Keys<'_>, file: &SourceFile) -> Result<Self> {
        let Some(Placed { value, at }) = keys.text_or_whole("tree")? else { return Ok(Self::All) };
        Ok(match value.as_str() {
            "all" => Self::All,
            "last" => Self::Last,
            "largest" => Self::Largest,
            number => Self::Number(number.parse().map_err(|_| {
                file.error(
                    at,
                    format!("`tree` is \"all\", \"last\", \"largest\" or a number, not \"{number}\""),
                )
            })?),
        })
    }
}

/// Reads a `[[log]]`.
pub(super) fn log(mut keys: Keys<'_>, file: &SourceFile, folder: &Path) -> Result<Subject> {
    let written = keys.needed("file")?;
    let path = folder.join(&written.value);
    if !path.is_file() {
        return Err(file.error(written.at, format!("there is no log {}", path.display())));
    }
    let name = keys.text("name")?.map_or_else(|| written.value.clone(), |name| name.value);
    let trees = TreeChoice::read(&mut keys, file)?;
    keys.finish()?;
    Ok(Subject { name, source: Source::Log(path), trees })
}
