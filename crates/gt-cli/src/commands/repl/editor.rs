//! The line that is typed: history, completion, colours.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use gt_log::Schema;
use gt_query::tools::{TokenClass, tokens};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, CompletionType, Config, Context, Helper, KeyCode, KeyEvent, Modifiers};

use super::input::is_incomplete;
use super::session::Session;
use crate::failure::Failure;
use crate::printable;

const COMMANDS: [&str; 12] = [
    ".schema", ".tree", ".param", ".let", ".forget", ".format", ".moves", ".limit", ".explain", ".stats",
    ".help", ".quit",
];
const HISTORY_MAX: usize = 1000;

/// What came from the keyboard.
pub(super) enum Typed {
    Text(String),
    /// Ctrl-C: the line is given up.
    Interrupted,
    /// Ctrl-D.
    Ended,
}

/// Reads what is typed.
pub(super) struct Editor(rustyline::Editor<Typing, DefaultHistory>);

impl Editor {
    pub(super) fn new(schema: &Schema) -> Result<Self, Failure> {
        let failed = |error: ReadlineError| Failure::new(format!("lines cannot be edited here: {error}"));
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY_MAX)
            .map_err(failed)?
            .build();
        let mut editor = rustyline::Editor::with_config(config).map_err(failed)?;
        // Where the terminal tells it from Enter, also with Shift or Ctrl.
        for modifier in [Modifiers::ALT, Modifiers::SHIFT, Modifiers::CTRL] {
            editor.bind_sequence(KeyEvent(KeyCode::Enter, modifier), Cmd::Newline);
        }
        let coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        editor.set_helper(Some(Typing { schema: schema.clone(), coloured, ..Typing::default() }));
        if let Some(path) = history_path() {
            // No history yet is no error.
            let _ = editor.load_history(&path);
        }
        Ok(Self(editor))
    }

    /// Lets what the session has be completed.
    pub(super) fn know(&mut self, session: &Session<'_>) {
        let Some(typing) = self.0.helper_mut() else { return };
        let known = session.known_parameters();
        // What is offered is drawn by the editor, as it is.
        let shown = |text: &str| printable::line(text).into_owned();
        let parameters =
            known.iter().map(|(name, value)| (shown(&format!("${name}")), shown(&format!("= {value}"))));
        typing.parameters = parameters.collect();
        typing.lets = session.lets.text();
        typing.let_names = session.lets.names().map(str::to_owned).collect();
    }

    /// Reads a query or a command.
    pub(super) fn read(&mut self, prompt: &str) -> Result<Typed, Failure> {
        match self.0.readline(prompt) {
            Ok(text) => {
                if !text.trim().is_empty() {
                    let _ = self.0.add_history_entry(text.trim_end());
                }
                Ok(Typed::Text(text))
            }
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
            Err(ReadlineError::Eof) => Ok(Typed::Ended),
            Err(error) => Err(Failure::new(format!("the line cannot be read: {error}"))),
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let Some(path) = history_path() else { return };
        if path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok()) {
            // A history that cannot be kept is not worth a message at the end.
            let _ = self.0.save_history(&path);
        }
    }
}

/// What is known of a query while it is typed.
#[derive(Default)]
struct Typing {
    schema: Schema,
    /// `$x` and what it is.
    parameters: Vec<(String, String)>,
    /// The lines of the `let`s that are kept.
    lets: String,
    let_names: Vec<String>,
    coloured: bool,
}

impl Helper for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let pair = |text: &str, doc: &str| {
            let display = if doc.is_empty() { text.to_owned() } else { format!("{text}  {doc}") };
            Pair { display, replacement: text.to_owned() }
        };
        let written = line.get(..at).unwrap_or(line);
        if written.starts_with('.') && !written.contains(char::is_whitespace) {
            let fitting = COMMANDS.iter().filter(|command| command.starts_with(written));
            return Ok((0, fitting.map(|command| pair(command, "")).collect()));
        }
        let let_names = || self.let_names.iter().map(String::as_str).collect();
        let words: Option<Vec<&str>> = match written.split_once(char::is_whitespace) {
            Some((".forget", _)) => Some(let_names()),
            Some((".format", _)) => Some(vec!["table", "json", "csv", "ids"]),
            Some((".moves", _)) => Some(vec!["text", "san", "number"]),
            _ => None,
        };
        if let Some(words) = words {
            let start = written.rfind(char::is_whitespace).map_or(0, |at| at + 1);
            let fitting = words.iter().filter(|word| word.starts_with(&written[start..]));
            return Ok((start, fitting.map(|word| pair(word, "")).collect()));
        }
        let start = written.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        if let Some(before) = written[..start].strip_suffix('$') {
            let fitting =
                self.parameters.iter().filter(|(name, _)| name.starts_with(&written[before.len()..]));
            return Ok((before.len(), fitting.map(|(name, value)| pair(name, value)).collect()));
        }
        let above = if self.lets.is_empty() { String::new() } else { format!("{}\n", self.lets) };
        let found = gt_query::tools::complete(&format!("{above}{line}"), above.len() + at, &self.schema);
        let pairs = found.candidates.iter().map(|candidate| pair(&candidate.text, &candidate.doc));
        Ok((found.start - above.len(), pairs.collect()))
    }
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        if !self.coloured || line.starts_with('.') {
            return Cow::Borrowed(line);
        }
        let mut text = String::with_capacity(line.len() * 2);
        let mut done = 0;
        for (span, class) in tokens(line) {
            let (Some(between), Some(piece)) = (line.get(done..span.start), line.get(span.start..span.end))
            else {
                continue;
            };
            text += between;
            text += &format!("\x1b[{}m{piece}\x1b[0m", colour(class));
            done = span.end;
        }
        text += &line[done..];
        Cow::Owned(text)
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        self.coloured
    }
}

/// The parameters of the terminal's colour sequence; only the colours that every theme has.
fn colour(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "1;34",
        TokenClass::Function => "36",
        TokenClass::Name | TokenClass::Operator => "0",
        TokenClass::Number => "33",
        TokenClass::Text => "32",
        TokenClass::Structure | TokenClass::Relative => "35",
        TokenClass::Parameter => "1;35",
        TokenClass::Comment => "2",
        TokenClass::QueryName => "1",
        TokenClass::Error => "4;31",
    }
}

impl Validator for Typing {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let incomplete = is_incomplete(typed.input());
        Ok(if incomplete { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// The file that keeps what was typed from one session to the next, where the system has a place for it.
fn history_path() -> Option<PathBuf> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty());
    let state = folder("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| folder("HOME").map(|home| Path::new(&home).join(".local/state")))?;
    Some(state.join("gt").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typing(coloured: bool) -> Typing {
        let schema = Schema::new([("best", gt_log::Kind::I32), ("beta", gt_log::Kind::I32)]).unwrap();
        let parameters = vec![("$nominal_depth".to_owned(), "= 8".to_owned())];
        let lets = "let size = subtree: count(*)\nlet share = 2 * size\n".to_owned();
        let let_names = vec!["size".to_owned(), "share".to_owned()];
        Typing { schema, parameters, lets, let_names, coloured }
    }

    fn completions(line: &str) -> (usize, Vec<String>) {
        let history = DefaultHistory::new();
        let (start, pairs) = typing(true).complete(line, line.len(), &Context::new(&history)).unwrap();
        (start, pairs.into_iter().map(|pair| pair.replacement).collect())
    }

    #[test]
    fn commands_and_names_are_completed() {
        assert_eq!(completions(".s"), (0, vec![".schema".to_owned(), ".stats".to_owned()]));
        assert_eq!(completions("node: best > $no"), (13, vec!["$nominal_depth".to_owned()]));
        assert_eq!(completions("node: bes"), (6, vec!["best".to_owned()]));
        assert_eq!(completions("node: si"), (6, vec!["size".to_owned()]));
        assert_eq!(completions(".forget sh"), (8, vec!["share".to_owned()]));
        assert_eq!(completions(".moves t"), (7, vec!["text".to_owned()]));
        assert_eq!(completions("sub"), (0, vec!["subtree:".to_owned()]));
        assert_eq!(completions("let a = best\nnode: be"), (19, vec!["best".to_owned(), "beta".to_owned()]));
    }

    #[test]
    fn colours_change_no_character() {
        for line in ["node: best > 3 # why", "child: count([]best = \"é\") >", "node: ' § $x", ".help", ""]
        {
            let coloured = typing(true).highlight(line, 0).into_owned();
            let mut plain = String::new();
            for (number, piece) in coloured.split('\x1b').enumerate() {
                let text = if number == 0 { piece } else { piece.split_once('m').unwrap().1 };
                plain += text;
            }
            assert_eq!(plain, line);
            assert_eq!(typing(false).highlight(line, 0), line);
        }
    }
}
