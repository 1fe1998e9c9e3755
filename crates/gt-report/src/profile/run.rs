//! Answers figures: one query file, one pass over the tree.

use std::collections::HashSet;
use std::fmt;

use gt_log::{Schema, Tree};
use gt_query::engine::{self, Options};
use gt_query::ir::Program;
use gt_query::{Answer, Environment, RunError, compile, render_all};

use super::cell::number;
use super::figure::Figure;
use crate::chart::Chart;

/// A figure and the answer of its query.
#[derive(Clone, Debug)]
pub struct Answered<'a> {
    /// The figure.
    pub figure: &'a Figure,
    /// The answer, or the reason why this query has none.
    pub answer: Result<Answer, RunError>,
}

impl Answered<'_> {
    /// Returns the chart, if the figure is one and was answered.
    #[must_use]
    pub fn chart(&self) -> Option<Chart> {
        self.answer.as_ref().ok().and_then(|answer| self.figure.chart(answer))
    }

    /// Returns the number, if the figure is one and was answered with one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self.answer.as_ref().ok()? {
            Answer::Count(count) => Some(*count as f64),
            Answer::Value(value) => number(value.as_ref()),
            Answer::Nodes(_) | Answer::Rows { .. } => None,
        }
    }
}

/// The reason why figures have no answers.
#[derive(Debug)]
pub enum Error {
    /// The figures were made for another schema; the errors in a form for people.
    Unbound(String),
    /// The log could not be read, or the run was cancelled.
    Engine(engine::Failure),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbound(errors) => {
                write!(f, "the figures are those of logs with other attributes; take this log's:\n{errors}")
            }
            Self::Engine(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<engine::Failure> for Error {
    fn from(failure: engine::Failure) -> Self {
        Self::Engine(failure)
    }
}

/// Returns all figures as a query file for `gt query -f`, each below its meaning.
#[must_use]
pub fn query_file(figures: &[Figure]) -> String {
    let mut text = String::new();
    let mut defined = HashSet::new();
    for figure in figures {
        if !text.is_empty() {
            text += "\n";
        }
        text += &comment(&format!("{}. {}", figure.title, figure.meaning));
        for (name, expression) in &figure.lets {
            if defined.insert(name.as_str()) {
                text += &format!("let {name} = {expression}\n");
            }
        }
        text += &format!("[{}]\n{}\n", figure.name, figure.body);
    }
    text
}

fn comment(words: &str) -> String {
    const WIDTH: usize = 98;
    let wrapped = crate::document::wrapped(words, WIDTH, "");
    wrapped.lines().map(|line| format!("# {line}\n")).collect()
}

/// Answers figures on a tree, all in one pass.
///
/// # Errors
/// Returns an error if the log cannot be read, or the figures belong to another schema.
///
/// ```
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// use gt_report::profile::{figures_for, run};
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let selection = figures_for(log.schema());
/// let answered = run(&selection.figures, log.tree(0)?, &Default::default())?;
/// let nodes = answered.iter().find(|answered| answered.figure.name == "nodes").unwrap();
/// assert_eq!(nodes.number(), Some(121.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<'a>(
    figures: &'a [Figure],
    tree: Tree<'_>,
    options: &Options<'_>,
) -> Result<Vec<Answered<'a>>, Error> {
    Questions::new(figures, tree.schema())?.ask(tree, options)
}

/// Figures bound to a schema, for any tree that has it.
pub(super) struct Questions<'a> {
    figures: &'a [Figure],
    program: Program,
}

impl<'a> Questions<'a> {
    pub(super) fn new(figures: &'a [Figure], schema: &Schema) -> Result<Self, Error> {
        let text = query_file(figures);
        let program = compile(&text, &Environment::new(schema))
            .map_err(|errors| Error::Unbound(render_all(&errors, "figures", &text)))?;
        Ok(Self { figures, program })
    }

    /// Answers the figures on a tree, all in one pass.
    pub(super) fn ask(&self, tree: Tree<'_>, options: &Options<'_>) -> Result<Vec<Answered<'a>>, Error> {
        let outcome = engine::run(&self.program, tree, options)?;
        Ok(self
            .figures
            .iter()
            .zip(outcome.answers)
            .map(|(figure, answer)| Answered { figure, answer })
            .collect())
    }
}

/// Returns the charts among the figures, answered in one pass; a query without an answer gives the reason.
///
/// # Errors
/// Returns the errors of [`run`].
pub fn charts(
    figures: &[Figure],
    tree: Tree<'_>,
    options: &Options<'_>,
) -> Result<Vec<Result<Chart, RunError>>, Error> {
    let wanted: Vec<Figure> = figures.iter().filter(|figure| figure.is_chart()).cloned().collect();
    let charts = run(&wanted, tree, options)?.into_iter().filter_map(|answered| match &answered.answer {
        Ok(answer) => answered.figure.chart(answer).map(Ok),
        Err(error) => Some(Err(error.clone())),
    });
    Ok(charts.collect())
}
