//! Opening what a command reads, and cleaning up what it could not finish writing.

use std::path::Path;

use gt_log::{Log, Tree};
use gt_report::missing_text;

use crate::failure::Failure;

/// Opens a log; where it was not closed properly, says on standard error what it was found to hold.
pub(crate) fn open(path: &Path) -> Result<Log, Failure> {
    let log = Log::open(path).map_err(|error| Failure::about(path, error))?;
    if let Some(warning) = missing_text(log.condition()) {
        eprintln!("gt: {}: {warning}", path.display());
    }
    Ok(log)
}

/// A tree of a log.
pub(crate) fn tree<'a>(log: &'a Log, path: &Path, tree: usize) -> Result<Tree<'a>, Failure> {
    log.tree(tree).map_err(|error| Failure::about(path, error))
}

/// Writes a file through `write`, and removes what is there of it when that fails.
pub(crate) fn write_new<T>(
    target: &Path,
    sources: &[&Path],
    write: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let same = |source: &&&Path| match (source.canonicalize(), target.canonicalize()) {
        (Ok(source), Ok(target)) => source == target,
        _ => false,
    };
    if sources.iter().find(same).is_some() {
        return Err(Failure::about(
            target,
            "the output would replace the input; choose another name for `-o`",
        ));
    }
    let written = write(target);
    if written.is_err() && target.is_file() {
        let _ = std::fs::remove_file(target);
    }
    written
}
