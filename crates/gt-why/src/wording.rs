//! Values in words.
//!
//! ```text
//! 120        120
//! 999995     mate in 3      of the player whose view it is, counted from the root: the same along a line
//! ```

use gt_log::{Log, Tree};
use gt_report::Mates;

use crate::score::{Bound, Score};

/// How the values of a tree are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wording {
    /// How they say that a game is decided, if that is known.
    mates: Option<Mates>,
}

impl Wording {
    pub(crate) fn of(log: &Log, tree: Tree<'_>) -> Self {
        Self { mates: Mates::of(log, tree) }
    }

    /// The value of an immediate win, if that is known: a window that reaches beyond it is open.
    pub(crate) fn open_min(self) -> Option<f64> {
        self.mates.map(|mates| mates.win as f64)
    }

    /// `mate in 3`, if that is what a value says.
    pub(crate) fn mate(self, value: Score) -> Option<String> {
        match value {
            Score::Whole(number) => self.mates?.text(i128::from(number), 0),
            Score::Float(_) => None,
        }
    }

    /// `120`, `mate in 3`.
    pub(crate) fn value(self, value: Score) -> String {
        self.mate(value).unwrap_or_else(|| value.to_string())
    }

    /// A value with what it proves, as `≤ 12`; `-` if unknown.
    pub(crate) fn cell(self, value: Option<Score>, bound: Option<Bound>) -> String {
        let known = |value| format!("{}{}", bound.map_or("", Bound::sign), self.value(value));
        value.map_or_else(|| "-".to_owned(), known)
    }

    /// `at most 12`, `at least 12`, `12`, `a mate in 3`.
    pub(crate) fn worth(self, value: Score, bound: Option<Bound>) -> String {
        let words = match bound {
            Some(Bound::Upper) => "at most ",
            Some(Bound::Lower) => "at least ",
            Some(Bound::Exact) | None => "",
        };
        let noun = match value {
            Score::Whole(number) => self.mates.and_then(|mates| mates.noun(i128::from(number), 0)),
            Score::Float(_) => None,
        };
        format!("{words}{}", noun.unwrap_or_else(|| value.to_string()))
    }
}
