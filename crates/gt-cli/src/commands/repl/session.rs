//! What a session knows between two queries, and what it makes of them.

use std::sync::atomic::AtomicBool;

use gt_log::Tree;
use gt_query::engine::Options;
use gt_report::counted;

use super::input::Piece;
use super::lets::Lets;
use crate::commands::query::format::{Format, Moves};
use crate::commands::query::parameter::Parameter;
use crate::commands::query::printer::{PrintOptions, Printer, Target, on_terminal};
use crate::commands::query::run::TreeQuery;
use crate::commands::query::source::{QueryText, Source};
use crate::commands::query::table::Limit;
use crate::commands::trees::{self, TreeChoice};
use crate::failure::Failure;
use crate::printable;

/// What a text is called that a person types.
const TYPED: &str = "query";

/// How many rows of a table are printed unless `.limit` says otherwise.
const ROWS_MAX: usize = 1000;

/// What became of something typed.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) out: String,
    pub(super) err: String,
    pub(super) failed: bool,
    pub(super) next: Next,
}

/// What comes then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    #[default]
    Go,
    Quit,
}

/// A log, the tree that is asked, and how answers are printed.
pub(super) struct Session<'a> {
    pub(super) source: &'a Source,
    /// What the text is called in errors.
    pub(super) input_name: &'static str,
    pub(super) parameters: Vec<Parameter>,
    pub(super) lets: Lets,
    pub(super) threads: usize,
    pub(super) tree: Tree<'a>,
    pub(super) moves: Option<Moves>,
    /// Whether numbers stay numbers that have a name.
    pub(super) raw: bool,
    pub(super) format: Format,
    /// What `.limit` said; 0 is all.
    pub(super) rows_max: Option<usize>,
    pub(super) stats: bool,
    pub(super) last: Option<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        source: &'a Source,
        tree: Option<&TreeChoice>,
        format: Format,
    ) -> Result<Self, Failure> {
        let tree = trees::chosen(&source.log, &source.path, tree)?;
        let mut session = Self {
            source,
            input_name: TYPED,
            parameters: Vec::new(),
            lets: Lets::default(),
            threads: 0,
            tree,
            format: Format::Table,
            moves: None,
            raw: false,
            rows_max: None,
            stats: false,
            last: None,
        };
        session.set_format(format)?;
        Ok(session)
    }

    pub(super) fn prompt(&self) -> String {
        if self.source.log.tree_count() > 1 {
            format!("gt {}> ", self.tree.number())
        } else {
            "gt> ".to_owned()
        }
    }

    /// What is asked, in one line.
    pub(super) fn greeting(&self) -> String {
        let game = self.source.log.game();
        let game = if game.is_empty() { String::new() } else { format!("{game}, ") };
        let trees = counted(self.source.log.tree_count() as u64, "tree");
        let path = self.source.path.display();
        let nodes = counted(self.tree.nodes(), "node");
        let greeting = format!("{path}: {game}{trees}; tree {}: {nodes}", self.tree.number());
        printable::line(&greeting).into_owned()
    }

    /// Does what was typed or piped: a command, or queries. `stop` ends them early.
    pub(super) fn take(&mut self, piece: &Piece, stop: &AtomicBool) -> Output {
        let mut told = Output::default();
        let done = match piece.text.trim() {
            "" => Ok(()),
            line if line.starts_with('.') => self.command(line, &mut told),
            // No query is a word alone, and everybody tries these.
            "quit" | "exit" => self.command(".quit", &mut told),
            "help" | "?" => self.command(".help", &mut told),
            _ => self.query(piece, stop, &mut told),
        };
        if let Err(failure) = done {
            told.err += &format!("gt: {failure}\n");
            told.failed = true;
        }
        told
    }

    /// A text below the `let`s that it needs.
    pub(super) fn query_text(&self, text: &str) -> Result<QueryText, Failure> {
        let text = text.trim_end();
        Ok(QueryText { above: self.lets.above(text)?, ..QueryText::new(TYPED, text) })
    }

    fn query(&mut self, piece: &Piece, stop: &AtomicBool, told: &mut Output) -> Result<(), Failure> {
        let text = QueryText {
            name: self.input_name.to_owned(),
            line_first: piece.line_first,
            ..self.query_text(&piece.text)?
        };
        let program = match text.bind(self.source, self.tree, &self.parameters) {
            Ok(program) => program,
            Err(drawn) => {
                told.err += &drawn;
                told.failed = true;
                return Ok(());
            }
        };
        self.lets.keep(&text.text);
        // Parameters are given for the session: that one query does not use them all is no news.
        let of_text = program.notes.iter().filter(|note| note.span.is_some());
        told.err += &text.draw_notes(of_text).concat();
        if program.queries.is_empty() {
            return Ok(());
        }
        self.last = Some(text.text.clone());
        self.format.check(false, &program)?;
        if self.input_name == TYPED {
            told.err += &text.note().map(|note| format!("gt: {note}\n")).unwrap_or_default();
        }
        let limit = Limit { rows_max: self.rows_max(), mend: "`.limit 0`" };
        let labelled = program.queries.len() > 1 || program.queries.iter().any(|query| query.name.is_some());
        let (format, moves) = (self.format, self.moves);
        let print = PrintOptions { format, moves, raw: self.raw, several: labelled, limit };
        let mut printer = Printer::new(print, Target::Text, on_terminal());
        let options = Options { threads: self.threads, cancel: Some(stop), ..Options::default() };
        let query = TreeQuery {
            source: self.source,
            tree: self.tree,
            text: &text,
            program: &program,
            with_tree: false,
        };
        let mut out = Vec::new();
        let answered = query.run(&options, &mut printer, &mut out)?;
        told.out = String::from_utf8_lossy(&out).into_owned();
        told.failed = !answered.errors.is_empty();
        told.err += &answered.errors.concat();
        if self.stats {
            told.out += &printable::lines(&answered.stats);
        }
        Ok(())
    }

    /// How many nodes or rows of an answer are printed.
    pub(super) fn rows_max(&self) -> usize {
        match self.rows_max {
            Some(0) => usize::MAX,
            Some(rows) => rows,
            None if self.format == Format::Table => ROWS_MAX,
            None => usize::MAX,
        }
    }
}

#[cfg(test)]
mod tests;
