//! A query and its parameters, bound to one tree after the other.

use std::fmt;

use gt_log::{Log, Tree};
use gt_query::engine::Failure;
use gt_query::{Environment, MoveCodec, Program, Value, compile, render_all, render_run};

use crate::notation::Notation;

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A value of its type.
    Value(Value),
    /// A value as text: a number or a truth value if it looks like one.
    Written(String),
}

/// A query text with its parameters. By default a parameter is taken from the tree's or the log's metadata.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The name of the text in errors.
    pub name: String,
    /// The text.
    pub text: String,
    /// Explicit parameters; the last of two with the same name counts.
    pub parameters: Vec<(String, Given)>,
    /// The only trees of a log to query, by number; all if empty.
    pub trees: Vec<usize>,
}

/// The reason why a tree has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The query does not fit the log; its errors, in a form for people.
    Query(String),
    /// The log cannot be read, or is damaged.
    Log(String),
    /// An overflow, in a form for people.
    Overflow(String),
    /// The run was stopped.
    Stopped,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Query(text) | Self::Log(text) | Self::Overflow(text) => f.write_str(text.trim_end()),
            Self::Stopped => f.write_str("the query was stopped"),
        }
    }
}

impl std::error::Error for Unanswered {}

impl From<gt_log::Error> for Unanswered {
    fn from(error: gt_log::Error) -> Self {
        Self::Log(error.to_string())
    }
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Cancelled => Self::Stopped,
            Failure::Log(error) => error.into(),
            other @ (Failure::OtherSchema | Failure::TooLarge { .. } | Failure::TooManyTwins { .. }) => {
                Self::Query(other.to_string())
            }
        }
    }
}

impl Question {
    /// Makes a question without parameters.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { name: "query".to_owned(), text: text.into(), ..Self::default() }
    }

    /// Binds the text to a tree.
    ///
    /// # Errors
    /// Returns an error if the text is wrong, or uses names that the log does not have.
    pub fn bind(&self, log: &Log, tree: Tree<'_>) -> Result<Program, Unanswered> {
        let notation = Notation::of(log);
        let mut environment = Environment::new(log.schema());
        for (name, given) in self.parameters.iter().rev() {
            environment = match given {
                Given::Value(value) => environment.with_parameter(name, value.clone()),
                Given::Written(text) => environment.with_parameter_text(name, text),
            };
        }
        for (name, text) in tree.metadata().iter().chain(log.metadata().iter()) {
            environment = environment.with_metadata(name, text);
        }
        if let Some(notation) = &notation {
            environment = environment.with_moves(notation as &dyn MoveCodec);
        }
        compile(&self.text, &environment)
            .map_err(|errors| Unanswered::Query(render_all(&errors, &self.name, &self.text)))
    }

    /// Returns the error for an overflow in a query of this text.
    #[must_use]
    pub fn overflow(&self, error: &gt_query::RunError) -> Unanswered {
        Unanswered::Overflow(render_run(error, &self.name, &self.text))
    }

    /// Returns the trees of a log to query.
    ///
    /// # Errors
    /// Returns an error if the log has no tree of a requested number.
    pub fn trees_of<'l>(&self, log: &'l Log) -> Result<Vec<Tree<'l>>, Unanswered> {
        if self.trees.is_empty() {
            return Ok(log.trees().collect());
        }
        self.trees.iter().map(|&number| Ok(log.tree(number)?)).collect()
    }
}
