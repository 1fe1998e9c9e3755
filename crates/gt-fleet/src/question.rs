//! A query and what it may refer to, bound to one tree after the other.

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
    /// As a person writes it: a number or a truth value where it looks like one.
    Written(String),
}

/// A query text with its parameters. A parameter that is not given is what the tree's or the log's metadata say.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What the text is called in errors.
    pub name: String,
    /// The text.
    pub text: String,
    /// Parameters given by hand; of two with one name the last counts.
    pub parameters: Vec<(String, Given)>,
    /// Only these trees of a log, by number; all where there are none.
    pub trees: Vec<usize>,
}

/// Why a tree has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The query does not fit the log; its errors, drawn.
    Query(String),
    /// The log cannot be read, or is damaged.
    Log(String),
    /// An overflow, drawn.
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
    /// A question without parameters.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { name: "query".to_owned(), text: text.into(), ..Self::default() }
    }

    /// Binds the text to a tree.
    ///
    /// # Errors
    /// The text is wrong, or names what the log does not have.
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

    /// An overflow that a query of this text ran into.
    #[must_use]
    pub fn overflow(&self, error: &gt_query::RunError) -> Unanswered {
        Unanswered::Overflow(render_run(error, &self.name, &self.text))
    }

    /// The trees of a log that are asked.
    ///
    /// # Errors
    /// The log has no tree of a number that is asked for.
    pub fn trees_of<'l>(&self, log: &'l Log) -> Result<Vec<Tree<'l>>, Unanswered> {
        if self.trees.is_empty() {
            return Ok(log.trees().collect());
        }
        self.trees.iter().map(|&number| Ok(log.tree(number)?)).collect()
    }
}
