//! What is compared: which words of the command line are logs and which is the query, and which trees are meant.

use std::path::{Path, PathBuf};

use gt_diff::Side;
use gt_log::Log;

use super::arguments::Arguments;
use crate::commands::files;
use crate::commands::profile::name_of;
use crate::commands::trees::{TreeChoice, last_complete};
use crate::failure::Failure;

/// The words of the command line.
pub(super) struct Inputs {
    a: PathBuf,
    b: PathBuf,
    pub(super) query: Option<String>,
}

impl Inputs {
    pub(super) fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let words: Vec<PathBuf> = arguments.positional.iter().map(PathBuf::from).collect();
        let has_two_trees = arguments.tree_a.is_some() && arguments.tree_b.is_some();
        let text = |word: &Path| match word.to_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(Failure::new("the query is not in UTF-8")),
        };
        match words.as_slice() {
            [a, b, query] => Ok(Self { a: a.clone(), b: b.clone(), query: Some(text(query)?) }),
            [log, query] if is_query(query) => {
                two_trees(log, has_two_trees)?;
                Ok(Self { a: log.clone(), b: log.clone(), query: Some(text(query)?) })
            }
            [a, b] => Ok(Self { a: a.clone(), b: b.clone(), query: None }),
            [log] => {
                two_trees(log, has_two_trees)?;
                Ok(Self { a: log.clone(), b: log.clone(), query: None })
            }
            _ => Err(Failure::new("two logs are compared; write `gt diff A B`")),
        }
    }

    pub(super) fn paths(&self) -> [&Path; 2] {
        [&self.a, &self.b]
    }

    /// Both names, for errors that concern both.
    pub(super) fn blame(&self, error: &gt_diff::Error) -> Failure {
        let name = match self.a == self.b {
            true => self.a.display().to_string(),
            false => format!("{} and {}", self.a.display(), self.b.display()),
        };
        Failure::new(format!("{name}: {error}"))
    }

    /// What both are called where one name is needed.
    pub(super) fn name(&self) -> PathBuf {
        match self.a == self.b {
            true => self.a.clone(),
            false => PathBuf::from(format!("{}..{}", self.a.display(), self.b.display())),
        }
    }
}

/// Whether a word is meant as a query: there is no such file, and names of files seldom look like this.
fn is_query(word: &Path) -> bool {
    !word.exists() && word.to_string_lossy().contains([':', '(', '<', '>', '&', '=', ' '])
}

fn two_trees(log: &Path, given: bool) -> Result<(), Failure> {
    match given {
        true => Ok(()),
        false => Err(Failure::about(
            log,
            "name a second log, or two trees of this one with `--tree-a` and `--tree-b`",
        )),
    }
}

/// The opened logs.
pub(super) struct Opened<'i> {
    inputs: &'i Inputs,
    a: Log,
    /// None where both are one.
    b: Option<Log>,
}

impl<'i> Opened<'i> {
    pub(super) fn of(inputs: &'i Inputs) -> Result<Self, Failure> {
        let a = files::open(&inputs.a)?;
        let b = if inputs.a == inputs.b { None } else { Some(files::open(&inputs.b)?) };
        Ok(Self { inputs, a, b })
    }

    /// The trees that are meant.
    pub(super) fn sides(&self, arguments: &Arguments) -> Result<(Side<'_>, Side<'_>), Failure> {
        let b = self.b.as_ref().unwrap_or(&self.a);
        let of_a = arguments.tree_a.as_ref().or(arguments.tree.as_ref());
        let of_b = arguments.tree_b.as_ref().or(arguments.tree.as_ref());
        Ok((side(&self.a, &self.inputs.a, of_a)?, side(b, &self.inputs.b, of_b)?))
    }

    /// What is to be said of the trees before they are compared.
    pub(super) fn notes(&self, arguments: &Arguments, a: &Side<'_>, b: &Side<'_>) -> Vec<String> {
        // Who names both trees knows them.
        if arguments.tree.is_some() || arguments.tree_a.is_some() && arguments.tree_b.is_some() {
            return Vec::new();
        }
        let depth = |side: &Side<'_>| side.tree.metadata().get("nominal_depth").map(str::to_owned);
        match (depth(a), depth(b)) {
            (Some(one), Some(other)) if one != other => vec![format!(
                "{} was searched to depth {one}, {} to depth {other}; `--tree-a` and `--tree-b` choose others",
                a.label, b.label
            )],
            _ => Vec::new(),
        }
    }
}

fn side<'a>(log: &'a Log, path: &Path, choice: Option<&TreeChoice>) -> Result<Side<'a>, Failure> {
    let tree = match choice {
        Some(choice) => choice.of(log, path)?,
        None => last_complete(log, path)?,
    };
    Ok(Side::new(log, tree, format!("{} tree {}", name_of(path), tree.number())))
}
