//! The commands of a session, which begin with a point.

use gt_query::engine;

use super::session::{Next, Output, Session};
use crate::commands::query::format::{Format, Moves};
use crate::commands::query::parameter::Parameter;
use crate::commands::trees::TreeChoice;
use crate::failure::Failure;
use crate::printable;

const HELP: &str = "\
Enter runs a query that is complete. It goes on where a line ends in `;`, an operator, `,`, an
open parenthesis or `\\`; Alt-Enter adds a line anywhere, an empty line runs what is there.
A `let` holds for all queries after it.
  .schema          the attributes, aliases, parameters and `let`s
  .tree [K]        the trees of the log; ask tree K from now on
  .param [x=8]     the parameters; give `$x` a value (`k=\"12\"` is a text)
  .let             the `let`s that are kept
  .forget NAME     forget a `let`; `.forget *` all of them
  .format [F]      the format; print as table, json, csv or ids
  .moves [M]       how moves are printed; as text, san or number from now on
  .raw             show numbers in tables by their aliases' names no more, or again
  .limit [N]       how many nodes or rows are printed; 0 for all (at first 1000 of a table)
  .explain [QUERY] how the query (or the last one) is answered
  .stats           say after each query what was read and how long it took, or stop saying so
  .help            this list
  .quit            end
";

impl Session<'_> {
    /// Does what a line that begins with a point says.
    pub(super) fn command(&mut self, line: &str, told: &mut Output) -> Result<(), Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            ".help" | ".h" | ".?" => told.out += HELP,
            ".quit" | ".q" | ".exit" => told.next = Next::Quit,
            ".schema" => told.out += &self.schema_text(),
            ".tree" if rest.is_empty() => told.out += &self.trees_text(),
            ".tree" => {
                let choice = TreeChoice::read(rest).map_err(Failure::new)?;
                self.tree = choice.of(&self.source.log, &self.source.path)?;
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
            ".forget" => {
                for name in rest.split_whitespace() {
                    self.lets.forget(name)?;
                    for of_it in self.lets.made_of(name) {
                        told.err +=
                            &format!("gt: `{of_it}` is made of `{name}`, which is not known any more\n");
                    }
                }
            }
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
                        "`{rest}` is no way to print moves; write `.moves text`, `.moves san` or `.moves number`"
                    ))
                })?);
            }
            ".raw" => {
                self.raw = !self.raw;
                told.out += if self.raw { "numbers stay numbers\n" } else { "numbers have their names\n" };
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

    pub(super) fn set_format(&mut self, format: Format) -> Result<(), Failure> {
        if !format.is_text() {
            let name = name_of(&format);
            return Err(Failure::new(format!("files are written by `gt query --format {name} -o …`")));
        }
        self.format = format;
        Ok(())
    }

    fn explain(&mut self, query: &str, told: &mut Output) -> Result<(), Failure> {
        let text = match (query, &self.last) {
            ("", None) => return Err(Failure::new("there is no query yet; write `.explain QUERY`")),
            ("", Some(last)) => last.clone(),
            (query, _) => query.to_owned(),
        };
        let text = self.query_text(&text)?;
        match text.bind(self.source, self.tree, &self.parameters) {
            Ok(program) => {
                told.out += &printable::lines(&engine::explain(&program, self.tree));
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
