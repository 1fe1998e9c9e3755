//! What is asked: logs, their trees, and the queries bound to each.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gt_log::{Log, Tree};
use gt_query::tools::ast::Item;
use gt_query::tools::token::{Symbol, TokenKind};
use gt_query::tools::vocabulary::Part;
use gt_query::tools::{lex, parse};
use gt_query::{
    Environment, Error, ErrorKind, MoveCodec, Note, Program, RunError, Span, Value, compile, render_all,
    render_note, render_run,
};
use gt_report::attribute_ranges;

use super::parameter::Parameter;
use crate::commands::files;
use crate::failure::Failure;
use gt_fleet::Notation;

/// A log that was opened.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) log: Log,
    /// The ranges of its attributes, once they are asked for.
    ranges: OnceLock<Vec<Option<(i64, i64)>>>,
}

impl Source {
    /// Opens a log; what it lacks is said on standard error.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Ok(Self::new(path, files::open(path)?))
    }

    /// A log that was opened already, and what it is called.
    pub(crate) fn new(path: &Path, log: Log) -> Self {
        Self { path: path.to_owned(), log, ranges: OnceLock::new() }
    }

    /// How its moves are written, where they have texts.
    pub(crate) fn notation(&self) -> Option<Notation<'_>> {
        Notation::of(&self.log)
    }

    /// Whether its moves have texts: a notation, or names that its nodes give them.
    pub(crate) fn names_moves(&self) -> bool {
        self.notation().is_some() || gt_report::move_names(self.log.schema()).is_some()
    }

    /// Its moves as texts and back, where they have texts.
    pub(crate) fn moves(&self) -> Option<&dyn MoveCodec> {
        self.notation().map(|_| self as &dyn MoveCodec)
    }

    /// The parameters that metadata gives, of two with one name the one that counts first: the tree's, then the log's.
    pub(crate) fn metadata<'p>(&'p self, tree: Tree<'p>) -> impl Iterator<Item = (&'p str, &'p str)> {
        tree.metadata().iter().chain(self.log.metadata().iter())
    }

    /// What queries can refer to: of two parameters with one name counts what was given by hand, last, or else the first
    /// of `metadata`.
    fn environment<'a, 'm>(
        &'a self,
        metadata: impl Iterator<Item = (&'m str, &'m str)>,
        by_hand: &[Parameter],
    ) -> Environment<'a> {
        let ranges = self.ranges.get_or_init(|| attribute_ranges(&self.log));
        let mut environment = Environment::new(self.log.schema()).with_ranges(ranges.clone());
        for parameter in by_hand.iter().rev() {
            environment = match &parameter.value {
                Value::Text(_) => environment.with_parameter(&parameter.name, parameter.value.clone()),
                _ => environment.with_parameter_text(&parameter.name, &parameter.written),
            };
        }
        for (name, value) in metadata {
            environment = environment.with_metadata(name, value);
        }
        match self.moves() {
            Some(moves) => environment.with_moves(moves),
            None => environment,
        }
    }
}

impl MoveCodec for Source {
    fn number(&self, text: &str) -> Option<i64> {
        self.notation()?.number(text)
    }

    fn text(&self, number: i64) -> Option<String> {
        self.notation()?.text(number)
    }
}

/// A query text, and where it comes from.
pub(crate) struct QueryText {
    /// What it is called in errors.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The `let`s of a session, which stand above it unseen: nothing, or whole lines.
    pub(crate) above: String,
    /// The number of its first line in what it is taken from, from 1.
    pub(crate) line_first: usize,
}

impl QueryText {
    /// A text that stands by itself.
    pub(crate) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), above: String::new(), line_first: 1 }
    }

    /// Reads and binds the queries to a tree; errors come as drawn for people.
    pub(crate) fn bind(
        &self,
        source: &Source,
        tree: Tree<'_>,
        parameters: &[Parameter],
    ) -> Result<Program, String> {
        self.bind_with(source, source.metadata(tree), parameters)
    }

    /// Binds to a tree that it was bound to before.
    pub(super) fn bind_again(
        &self,
        source: &Source,
        tree: Tree<'_>,
        parameters: &[Parameter],
    ) -> Result<Program, Failure> {
        self.bind(source, tree, parameters).map_err(Failure::new)
    }

    /// Like [`QueryText::bind`], for a tree of which no more is known than its metadata.
    pub(crate) fn bind_with<'m>(
        &self,
        source: &Source,
        metadata: impl Iterator<Item = (&'m str, &'m str)>,
        parameters: &[Parameter],
    ) -> Result<Program, String> {
        let whole = format!("{}{}", self.above, self.text);
        compile(&whole, &source.environment(metadata, parameters)).map_err(|errors| {
            let no_move = errors.iter().any(|error| matches!(error.kind, ErrorKind::UnknownMove(_)));
            let mut drawn = self.draw(errors);
            if let Some(form) = source.notation().and_then(Notation::form).filter(|_| no_move) {
                drawn += &format!("\n{form}\n");
            }
            drawn
        })
    }

    /// What to say of a text meant as one query that is several: a part after `;` that cannot continue a query.
    pub(crate) fn note(&self) -> Option<String> {
        let tokens = lex(&self.text).tokens;
        let queries: Vec<usize> = parse(&self.text)
            .file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Query(query) => Some(query.span.start),
                Item::Let(_) => None,
            })
            .collect();
        let after_semicolon = |start: &usize| {
            let place = tokens.partition_point(|token| token.span.start < *start);
            let before = place.checked_sub(1).map(|place| &tokens[place].kind);
            before == Some(&TokenKind::Symbol(Symbol::Semicolon))
        };
        queries.iter().skip(1).any(after_semicolon).then(|| {
            format!(
                "these are {} queries: parts stand in the order {}, each at most once, and clauses after them",
                queries.len(),
                Part::all().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
            )
        })
    }

    fn draw(&self, errors: Vec<Error>) -> String {
        let (above, mut own): (Vec<_>, Vec<_>) =
            errors.into_iter().partition(|error| error.span.start < self.above.len());
        own.iter_mut().for_each(|error| error.span = self.placed(error.span));
        let mut drawn = render_all(&above, LETS_NAME, &self.above);
        if !above.is_empty() && !own.is_empty() {
            drawn.push('\n');
        }
        drawn + &render_all(&own, &self.name, &self.numbered())
    }

    /// Notes on what this text was bound to, drawn for people; those on lines above it were told before.
    pub(crate) fn draw_notes<'n>(&self, notes: impl IntoIterator<Item = &'n Note>) -> Vec<String> {
        let is_own = |note: &&Note| note.span.is_none_or(|span| span.start >= self.above.len());
        let placed = |note: &Note| Note { span: note.span.map(|span| self.placed(span)), ..note.clone() };
        let drawn = |note| render_note(&placed(note), &self.name, &self.numbered());
        notes.into_iter().filter(is_own).map(drawn).collect()
    }

    /// An error that came up when a query of this text was run, drawn for people.
    pub(crate) fn draw_run(&self, error: &RunError) -> String {
        if error.span.start < self.above.len() {
            return render_run(error, LETS_NAME, &self.above);
        }
        let placed = RunError { span: self.placed(error.span), ..error.clone() };
        render_run(&placed, &self.name, &self.numbered())
    }

    /// The text with empty lines for those before it.
    fn numbered(&self) -> String {
        "\n".repeat(self.line_first - 1) + &self.text
    }

    /// A place in what was bound, as a place in [`QueryText::numbered`].
    fn placed(&self, span: Span) -> Span {
        let moved = |at: usize| at - self.above.len() + self.line_first - 1;
        Span::new(moved(span.start), moved(span.end))
    }
}

/// What the lines above a text are called in errors.
const LETS_NAME: &str = "the session's lets";
