//! Which tree of a log is meant.

use gt_log::{Column, Log, Tree, TreeEnding, Walker, status};

/// A tree, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TreeChoice {
    Last,
    Largest,
    /// From 0.
    Number(usize),
    /// From 1, counted from the last.
    FromEnd(usize),
}

impl TreeChoice {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        match text {
            "last" => return Ok(Self::Last),
            "largest" => return Ok(Self::Largest),
            _ => {}
        }
        let number = |text: &str| text.parse::<usize>().ok();
        let from_end =
            text.strip_prefix('-').and_then(number).filter(|number| *number > 0).map(Self::FromEnd);
        let choice = number(text).map(Self::Number).or(from_end);
        choice.ok_or_else(|| "a tree is a number from 0, `last`, `largest`, or -1 for the last".to_owned())
    }

    /// The place of the tree; nothing where the log has no such tree.
    pub(super) fn find(self, log: &Log) -> Option<usize> {
        let trees = log.tree_count();
        match self {
            Self::Last => trees.checked_sub(1),
            // Of equal ones, the last.
            Self::Largest => (0..trees).max_by_key(|&tree| log.tree(tree).map_or(0, |tree| tree.nodes())),
            Self::Number(number) => Some(number).filter(|number| *number < trees),
            Self::FromEnd(number) => trees.checked_sub(number),
        }
    }
}

/// The last tree that was searched to its end; where none was, the last.
pub(super) fn last_complete(log: &Log) -> Option<usize> {
    let is_complete = |tree: &usize| {
        log.condition().trees.get(*tree) == Some(&TreeEnding::Finished)
            && log.tree(*tree).is_ok_and(|tree| is_root_finished(tree))
    };
    let trees = log.tree_count();
    (0..trees).rev().find(is_complete).or(trees.checked_sub(1))
}

fn is_root_finished(tree: Tree<'_>) -> bool {
    let mut walker = Walker::new(tree);
    let bits = (tree.nodes() > 0).then(|| walker.integer(tree.nodes() - 1, Column::Status).ok()).flatten();
    bits.is_some_and(|bits| bits & i64::from(status::UNFINISHED) == 0)
}
