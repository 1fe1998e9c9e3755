//! The notes of a table: names and values, one line each.

use crate::error::{Result, damaged};
use std::fmt::Display;

/// Names and values, in the order in which they were set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes(Vec<(String, String)>);

impl Notes {
    /// Adds a note; neither part may contain a line end, and no name an equals sign.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push((name.to_owned(), value.to_string()));
        self
    }

    pub(crate) fn text(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name}={value}\n")).collect()
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let line = |line: &str| {
            let (name, value) = line.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        let notes: Option<Vec<_>> = text.lines().map(line).collect();
        notes.map(Self).ok_or_else(|| damaged("the notes of this table cannot be read"))
    }

    pub(crate) fn get(&self, name: &str) -> Result<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| damaged(format!("this table does not say its {name}")))
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T> {
        let text = self.get(name)?;
        text.parse().map_err(|_| damaged(format!("the {name} of this table, `{text}`, is no number")))
    }
}
