//! What is asked: logs, their trees, and the queries bound to each.

use std::path::{Path, PathBuf};

use gt_log::{Log, Tree};
use gt_query::{Environment, ErrorKind, Program, Value, compile, render_all};

use super::notation::Notation;
use crate::commands::files;
use crate::failure::Failure;

/// A log that was opened.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) log: Log,
    /// How its moves are written, where its game is one of ours.
    pub(crate) notation: Option<Notation>,
}

impl Source {
    /// Opens a log; what it lacks is said on standard error.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let log = files::open(path)?;
        let notation = Notation::of_game(log.game());
        Ok(Self { path: path.to_owned(), log, notation })
    }

    /// The trees asked for; all where none is.
    pub(crate) fn trees(&self, numbers: &[usize]) -> Result<Vec<Tree<'_>>, Failure> {
        if numbers.is_empty() {
            return Ok(self.log.trees().collect());
        }
        numbers.iter().map(|&number| files::tree(&self.log, &self.path, number)).collect()
    }

    /// The parameters and their values, of two with one name the one that counts first: what was given by hand, then
    /// what the tree's metadata says, then the log's.
    pub(crate) fn parameters<'p>(
        &'p self,
        tree: Tree<'p>,
        by_hand: &'p [(String, String)],
    ) -> impl Iterator<Item = (&'p str, &'p str)> {
        // The last of two of one name was given later.
        let by_hand = by_hand.iter().rev().map(|(name, value)| (name.as_str(), value.as_str()));
        by_hand.chain(tree.metadata().iter()).chain(self.log.metadata().iter())
    }

    /// What queries of the tree can refer to.
    pub(crate) fn environment<'a>(
        &'a self,
        tree: Tree<'a>,
        parameters: &[(String, String)],
    ) -> Environment<'a> {
        let mut environment = Environment::new(self.log.schema());
        for (name, value) in self.parameters(tree, parameters) {
            environment = environment.with_parameter(name, Value::of_parameter(value));
        }
        match &self.notation {
            Some(notation) => environment.with_moves(notation),
            None => environment,
        }
    }
}

/// A query text and what it is called in errors.
pub(crate) struct QueryText {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl QueryText {
    /// Reads and binds the queries; errors come as drawn for people.
    pub(crate) fn bind(
        &self,
        source: &Source,
        tree: Tree<'_>,
        parameters: &[(String, String)],
    ) -> Result<Program, String> {
        compile(&self.text, &source.environment(tree, parameters)).map_err(|errors| {
            let mut drawn = render_all(&errors, &self.name, &self.text);
            let no_move = errors.iter().any(|error| matches!(error.kind, ErrorKind::UnknownMove(_)));
            if let Some(notation) = source.notation.filter(|_| no_move) {
                drawn += &format!("\n{}\n", notation.form());
            }
            drawn
        })
    }
}
