//! The condition of a log, in words.

use gt_log::{Condition, IndexState, TreeEnding};

use crate::number::{counted, grouped};

/// Returns what is missing from a log, if anything, as the end of a sentence that names it.
#[must_use]
pub fn missing_text(condition: &Condition) -> Option<String> {
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
