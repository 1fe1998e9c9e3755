//! The line that is typed: history and completion.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

use super::command::COMMANDS;
use crate::failure::Failure;

/// What came from the keyboard.
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C: the line is given up.
    Interrupted,
    /// Ctrl-D.
    Ended,
}

/// Reads what is typed.
pub(super) struct Editor(rustyline::Editor<Typing, DefaultHistory>);

impl Editor {
    pub(super) fn new() -> Result<Self, Failure> {
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let editor = rustyline::Editor::with_config(config);
        let mut editor =
            editor.map_err(|error| Failure::new(format!("lines cannot be edited here: {error}")))?;
        editor.set_helper(Some(Typing { moves: Vec::new(), files: FilenameCompleter::new() }));
        Ok(Self(editor))
    }

    /// Lets these moves be completed.
    pub(super) fn know(&mut self, moves: Vec<String>) {
        if let Some(typing) = self.0.helper_mut() {
            typing.moves = moves;
        }
    }

    pub(super) fn read(&mut self, prompt: &str) -> Result<Typed, Failure> {
        match self.0.readline(prompt) {
            Ok(line) => Ok(Typed::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
            Err(ReadlineError::Eof) => Ok(Typed::Ended),
            Err(error) => Err(Failure::new(format!("the line cannot be read: {error}"))),
        }
    }
}

/// What can be completed.
struct Typing {
    moves: Vec<String>,
    files: FilenameCompleter,
}

impl Helper for Typing {}
impl Highlighter for Typing {}
impl Validator for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..at).unwrap_or(line);
        if typed.starts_with("save ") || typed.starts_with("load ") {
            return self.files.complete_path(line, at);
        }
        let commands = COMMANDS.iter().map(|(word, rest, _)| match *rest {
            "" => (*word).to_owned(),
            _ => format!("{word} "),
        });
        let mut fitting: Vec<String> = commands.filter(|word| word.starts_with(typed)).collect();
        fitting.extend(next_parts(typed, &self.moves));
        let pair = |text: String| Pair { display: text.trim_end().to_owned(), replacement: text };
        Ok((0, fitting.into_iter().map(pair).collect()))
    }
}

/// How the moves that begin like this go on: up to the next `-` or `/`, for in Amazons they are too many to be listed.
fn next_parts(typed: &str, moves: &[String]) -> Vec<String> {
    let end = |mv: &str| mv[typed.len()..].find(['-', '/']).map_or(mv.len(), |at| typed.len() + at + 1);
    let fitting = moves.iter().filter(|mv| mv.starts_with(typed));
    let mut parts: Vec<String> = fitting.map(|mv| mv[..end(mv)].to_owned()).collect();
    parts.sort();
    parts.dedup();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completions(line: &str, moves: &[&str]) -> Vec<String> {
        let moves = moves.iter().map(|&mv| mv.to_owned()).collect();
        let typing = Typing { moves, files: FilenameCompleter::new() };
        let history = DefaultHistory::new();
        let (start, pairs) = typing.complete(line, line.len(), &Context::new(&history)).unwrap();
        assert_eq!(start, 0);
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn moves_and_commands_are_completed() {
        assert_eq!(completions("e", &["e2e4", "e2e3", "d2d4"]), ["e2e3", "e2e4"]);
        assert_eq!(completions("h", &["h2h4"]), ["hint", "help", "h2h4"]);
        assert_eq!(completions("sa", &[]), ["save "]);
        let amazons = ["d1-d7/g7", "d1-d7/a7", "d1-e1/d1", "a4-a5/a6"];
        assert_eq!(completions("d", &amazons), ["d1-"]);
        assert_eq!(completions("d1-", &amazons), ["d1-d7/", "d1-e1/"]);
        assert_eq!(completions("d1-d7/", &amazons), ["d1-d7/a7", "d1-d7/g7"]);
    }
}
