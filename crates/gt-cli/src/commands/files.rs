//! Opening what a command reads, and cleaning up what it could not finish writing.

use std::path::Path;

use gt_log::{Condition, IndexState, Log, Tree, TreeEnding};

use crate::failure::Failure;
use crate::numbers::{counted, grouped};

/// Opens a log; where it was not closed properly, says on standard error what it was found to hold.
pub(crate) fn open(path: &Path) -> Result<Log, Failure> {
    let log = Log::open(path).map_err(|error| Failure::about(path, error))?;
    if let Some(warning) = condition_text(log.condition()) {
        eprintln!("gt: {}: {warning}", path.display());
    }
    Ok(log)
}

/// A tree of a log.
pub(crate) fn tree<'a>(log: &'a Log, path: &Path, tree: usize) -> Result<Tree<'a>, Failure> {
    log.tree(tree).map_err(|error| Failure::about(path, error))
}

/// What is missing from a log, if anything.
pub(crate) fn condition_text(condition: &Condition) -> Option<String> {
    if condition.is_whole() {
        return None;
    }
    let mut text = match condition.index {
        IndexState::Present => "parts of this log are missing".to_owned(),
        IndexState::Missing => "this log was not closed (still being written, or cut off)".to_owned(),
        IndexState::Damaged => "the index of this log is damaged and was rebuilt".to_owned(),
    };
    let completed: u64 = condition
        .trees
        .iter()
        .map(|ending| match ending {
            TreeEnding::Finished => 0,
            TreeEnding::CutOff { nodes_completed } => *nodes_completed,
        })
        .sum();
    if completed > 0 {
        text += &format!("; {} open at its end, marked unfinished", counted(completed, "node"));
    }
    if condition.bytes_lost > 0 {
        text += &format!("; {} of {} bytes lost", grouped(condition.bytes_lost), grouped(condition.bytes));
    }
    if condition.parts_lost > 0 {
        text += &format!("; {} could not be placed", counted(condition.parts_lost as u64, "part"));
    }
    Some(text)
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
