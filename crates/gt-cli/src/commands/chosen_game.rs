//! A game as the command line names it: `chess`, or `tree:figure-8.txt` for a tree in a file.

use std::path::Path;
use std::str::FromStr;

use gt_games::Notation;
use gt_games::registry::GameKind;
use gt_games::tree::Tree;

use crate::failure::Failure;

/// The game, and the text of the tree that it is played on, where one was read.
#[derive(Clone, Debug)]
pub(crate) struct ChosenGame {
    pub(crate) kind: GameKind,
    tree: Option<String>,
}

impl ChosenGame {
    /// The position of a setup, where none is given: what was read, or the game's start.
    pub(crate) fn position(&self) -> String {
        self.tree.clone().unwrap_or_default()
    }

    /// The same, or else the position that was given. A tree in a file is a position already.
    pub(crate) fn position_or(&self, given: Option<&String>) -> Result<String, Failure> {
        match (given, &self.tree) {
            (Some(_), Some(_)) => Err(Failure::new(
                "the tree in the file is the position; leave `--position` away, or write `tree` instead of `tree:FILE`",
            )),
            (Some(given), None) => Ok(given.clone()),
            (None, _) => Ok(self.position()),
        }
    }
}

impl From<GameKind> for ChosenGame {
    fn from(kind: GameKind) -> Self {
        Self { kind, tree: None }
    }
}

impl FromStr for ChosenGame {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let Some(path) = name.strip_prefix("tree:") else {
            let kind = name.parse().map_err(|error: gt_games::NotationError| error.to_string())?;
            return Ok(Self { kind, tree: None });
        };
        Ok(Self { kind: GameKind::Tree, tree: Some(read(Path::new(path))?) })
    }
}

/// A tree in a file, as a text that is known to be one.
fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "this is no text in UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Err("the file is empty; a tree is written like `(3 (1 9))`".to_owned());
    }
    let tree = Tree::parse_position(&text).map_err(|error| error.to_string())?;
    Ok(tree.position_text())
}
