//! What a session knows between two queries, and the commands that change it.

use std::sync::atomic::AtomicBool;

use gt_log::Tree;
use gt_query::engine::{self, Options};
use gt_report::counted;

use super::input::Piece;
use super::lets::Lets;
use crate::commands::query::parameter::Parameter;
use crate::commands::query::printer::{Format, Limit, Manner, Moves, Printer, check};
use crate::commands::query::run::Asked;
use crate::commands::query::source::{QueryText, Source};
use crate::failure::Failure;

/// What a text is called that a person types.
const TYPED: &str = "query";

/// How many rows of a table are printed unless `.limit` says otherwise.
const ROWS_MAX: usize = 1000;

const HELP: &str = "\
Enter runs a query that is complete. It goes on where a line ends in `;`, an operator, `,`, an open parenthesis or `\\`;
Alt-Enter adds a line anywhere, an empty line runs what is there. A `let` holds for all queries after it.
  .schema          the attributes, aliases, parameters and `let`s
  .tree [K]        the trees of the log; ask tree K from now on
  .param [x=8]     the parameters; give `$x` a value (`k=\"12\"` is a text)
  .let             the `let`s that are kept
  .forget NAME     forget a `let`; `.forget *` all of them
  .format [F]      the format; print as table, json, csv or ids
  .moves [M]       how moves are printed; as text or number from now on
  .limit [N]       how many nodes or rows are printed; 0 for all (at first 1000 of a table, all in other formats)
  .explain [QUERY] how the query (or the last one) is answered
  .stats           say after each query what was read and how long it took, or stop saying so
  .help            this list
  .quit            end
";

/// What became of something typed.
#[derive(Debug, Default)]
pub(super) struct Told {
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
    format: Format,
    /// What `.limit` said; 0 is all.
    rows_max: Option<usize>,
    stats: bool,
    last: Option<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(source: &'a Source, tree: usize, format: Format) -> Result<Self, Failure> {
        let tree = crate::commands::files::tree(&source.log, &source.path, tree)?;
        let mut session = Self {
            source,
            input_name: TYPED,
            parameters: Vec::new(),
            lets: Lets::default(),
            threads: 0,
            tree,
            format: Format::Table,
            moves: None,
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
        format!("{path}: {game}{trees}; tree {}: {}", self.tree.number(), counted(self.tree.nodes(), "node"))
    }

    /// Does what was typed or piped: a command, or queries. `stop` ends them early.
    pub(super) fn take(&mut self, piece: &Piece, stop: &AtomicBool) -> Told {
        let mut told = Told::default();
        let done = match piece.text.trim() {
            "" => Ok(()),
            line if line.starts_with('.') => self.command(line, &mut told),
            _ => self.query(piece, stop, &mut told),
        };
        if let Err(failure) = done {
            told.err += &format!("gt: {failure}\n");
            told.failed = true;
        }
        told
    }

    /// A text below the `let`s that it needs.
    fn query_text(&self, text: &str, line_first: usize) -> Result<QueryText, Failure> {
        let text = text.trim_end();
        let above = self.lets.above(text)?;
        Ok(QueryText { above, line_first, ..QueryText::new(self.input_name, text) })
    }

    fn query(&mut self, piece: &Piece, stop: &AtomicBool, told: &mut Told) -> Result<(), Failure> {
        let text = self.query_text(&piece.text, piece.line_first)?;
        let program = match text.bind(self.source, self.tree, &self.parameters) {
            Ok(program) => program,
            Err(drawn) => {
                told.err += &drawn;
                told.failed = true;
                return Ok(());
            }
        };
        self.lets.keep(&text.text);
        if program.queries.is_empty() {
            return Ok(());
        }
        self.last = Some(text.text.clone());
        check(self.format, false, &program)?;
        if self.input_name == TYPED {
            told.err += &text.note().map(|note| format!("gt: {note}\n")).unwrap_or_default();
        }
        let limit = Limit { rows_max: self.rows_max(), mend: "`.limit 0`" };
        let labelled = program.queries.len() > 1 || program.queries.iter().any(|query| query.name.is_some());
        let manner = Manner { format: self.format, moves: self.moves, several: labelled, limit };
        let mut printer = Printer::new(manner, None);
        let options = Options { threads: self.threads, count_only: false, cancel: Some(stop) };
        let asked =
            Asked { source: self.source, tree: self.tree, text: &text, program: &program, with_tree: false };
        let mut out = Vec::new();
        let answered = asked.tell(&options, &mut printer, &mut out)?;
        told.out = String::from_utf8_lossy(&out).into_owned();
        told.failed = !answered.errors.is_empty();
        told.err += &answered.errors.concat();
        if self.stats {
            told.out += &answered.stats;
        }
        Ok(())
    }

    fn command(&mut self, line: &str, told: &mut Told) -> Result<(), Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            ".help" | ".h" | ".?" => told.out += HELP,
            ".quit" | ".q" | ".exit" => told.next = Next::Quit,
            ".schema" => told.out += &self.schema_text(),
            ".tree" if rest.is_empty() => told.out += &self.trees_text(),
            ".tree" => {
                let tree = whole_number(rest, ".tree 2")?;
                self.tree = crate::commands::files::tree(&self.source.log, &self.source.path, tree)?;
            }
            ".param" if rest.is_empty() => told.out += &self.parameters_text(),
            ".param" => {
                let parameter = Parameter::read(rest).map_err(|error| {
                    Failure::new(format!("{error}; a parameter is given as in `.param x=8`"))
                })?;
                self.parameters.push(parameter);
            }
            ".let" if rest.is_empty() => told.out += &self.lets.text(),
            ".let" => return Err(Failure::new("a `let` is written without the point; `.let` lists them")),
            ".forget" if rest.is_empty() => {
                return Err(Failure::new("say which `let`, as in `.forget size`; `.forget *` forgets all"));
            }
            ".forget" => rest.split_whitespace().try_for_each(|name| self.lets.forget(name))?,
            ".format" if rest.is_empty() => told.out += &format!("{}\n", name_of(&self.format)),
            ".format" => {
                let format = <Format as clap::ValueEnum>::from_str(rest, true).map_err(|_| {
                    Failure::new(format!("`{rest}` is no format; there are table, json, csv and ids"))
                })?;
                self.set_format(format)?;
            }
            ".moves" if rest.is_empty() => {
                told.out += &self.moves.map_or_else(|| MOVES_DEFAULT.to_owned(), |moves| name_of(&moves));
                told.out.push('\n');
            }
            ".moves" => {
                let moves = <Moves as clap::ValueEnum>::from_str(rest, true);
                self.moves = Some(moves.map_err(|_| {
                    Failure::new(format!(
                        "`{rest}` is no way to print moves; write `.moves text` or `.moves number`"
                    ))
                })?);
            }
            ".limit" if rest.is_empty() => {
                let rows = self.rows_max();
                told.out += &format!("{}\n", if rows == usize::MAX { 0 } else { rows });
            }
            ".limit" => self.rows_max = Some(whole_number(rest, ".limit 100")?),
            ".stats" => {
                self.stats = !self.stats;
                told.out += if self.stats { "stats are on\n" } else { "stats are off\n" };
            }
            ".explain" => self.explain(rest, told)?,
            other => {
                return Err(Failure::new(format!("`{other}` is no command; `.help` lists them")));
            }
        }
        Ok(())
    }

    /// How many nodes or rows of an answer are printed.
    fn rows_max(&self) -> usize {
        match self.rows_max {
            Some(0) => usize::MAX,
            Some(rows) => rows,
            None if self.format == Format::Table => ROWS_MAX,
            None => usize::MAX,
        }
    }

    fn set_format(&mut self, format: Format) -> Result<(), Failure> {
        if format == Format::Gti {
            return Err(Failure::new("result files are written by `gt query --format gti -o DIR`"));
        }
        self.format = format;
        Ok(())
    }

    fn explain(&mut self, query: &str, told: &mut Told) -> Result<(), Failure> {
        let text = match (query, &self.last) {
            ("", None) => return Err(Failure::new("there is no query yet; write `.explain QUERY`")),
            ("", Some(last)) => last.clone(),
            (query, _) => query.to_owned(),
        };
        let text = self.query_text(&text, 1)?;
        match text.bind(self.source, self.tree, &self.parameters) {
            Ok(program) => {
                told.out += &engine::explain(&program, self.tree);
            }
            Err(drawn) => {
                told.err += &drawn;
                told.failed = true;
            }
        }
        Ok(())
    }
}

const MOVES_DEFAULT: &str = "text in tables, number in json and csv";

fn name_of(choice: &impl clap::ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn whole_number(text: &str, example: &str) -> Result<usize, Failure> {
    text.parse().map_err(|_| Failure::new(format!("`{text}` is no whole number from 0; write `{example}`")))
}

#[cfg(test)]
mod tests;
