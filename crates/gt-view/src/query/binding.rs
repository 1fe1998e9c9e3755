//! What queries of a tree can refer to, and their errors in the command line's words.

use gt_log::Tree;
use gt_query::{Environment, Error, Program, compile};
use gt_report::attribute_ranges;

use crate::logs::Opened;
use crate::moves::Notation;

/// A tree and the parameters given beside its metadata.
pub(crate) struct Binding<'a> {
    opened: &'a Opened,
    tree: Tree<'a>,
    notation: Notation<'a>,
    by_hand: Vec<(String, String)>,
}

impl<'a> Binding<'a> {
    pub(crate) fn new(opened: &'a Opened, tree: Tree<'a>) -> Self {
        Self { opened, tree, notation: opened.notation(), by_hand: Vec::new() }
    }

    /// Adds parameters given by the caller, which take precedence over those of the metadata.
    pub(crate) fn with_parameters(mut self, parameters: Vec<(String, String)>) -> Self {
        self.by_hand = parameters;
        self
    }

    /// Reads and binds queries.
    pub(crate) fn compile(&self, text: &str) -> Result<Program, Vec<Error>> {
        let ranges = attribute_ranges(&self.opened.log);
        let mut environment = Environment::new(self.opened.log.schema()).with_ranges(ranges);
        for (name, value) in &self.by_hand {
            environment = environment.with_parameter_text(name, value);
        }
        for (name, value) in self.tree.metadata().iter().chain(self.opened.log.metadata().iter()) {
            environment = environment.with_metadata(name, value);
        }
        if self.notation.has_texts() {
            environment = environment.with_moves(&self.notation);
        }
        compile(text, &environment)
    }
}

/// An error and its mend in one sentence.
pub(crate) fn message(error: &Error) -> String {
    match error.label() {
        Some(label) => format!("{error}; {label}"),
        None => error.to_string(),
    }
}
