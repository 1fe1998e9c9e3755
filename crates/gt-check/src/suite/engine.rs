//! The engine of a suite: a command with places for the position and the limits.
//!
//! ```text
//! command = "bin/engine --fen {position} --depth {depth} --log {log}"
//!     └─ split into words, as a shell would, without a shell ─▶ ["bin/engine", "--fen", position, …]
//! search = "chess --algorithm strong"      our own: `gt search` and these words
//! ```
//!
//! Words are split before placeholders are filled in: a position with spaces stays one word.

use std::path::Path;

use gt_query::tools::nearest;

use super::subjects::{Position, TreeChoice};
use crate::error::Result;
use crate::keys::{Keys, SourceFile};

/// The command that turns a position into a log.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) name: String,
    /// The command, as in the suite.
    pub(crate) command: String,
    words: Vec<Vec<Piece>>,
    /// Whether it is `gt search`, to which the limits are added.
    pub(crate) is_own: bool,
    /// The command that prints the version.
    pub(crate) version: Option<Vec<String>>,
    pub(super) trees: TreeChoice,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Position,
    Moves,
    Depth,
    Nodes,
    Time,
    Milliseconds,
    Log,
}

const SLOTS: [(&str, Slot); 7] = [
    ("position", Slot::Position),
    ("moves", Slot::Moves),
    ("depth", Slot::Depth),
    ("nodes", Slot::Nodes),
    ("time", Slot::Time),
    ("time_ms", Slot::Milliseconds),
    ("log", Slot::Log),
];

/// The values to fill into a command.
pub(crate) struct Slots<'a> {
    pub(crate) position: &'a Position,
    pub(crate) log: &'a Path,
    /// The program `gt`.
    pub(crate) own: &'a Path,
}

impl Engine {
    pub(super) fn read(mut keys: Keys<'_>, file: &SourceFile) -> Result<Self> {
        let (search, command) = (keys.text("search")?, keys.text("command")?);
        let is_own = search.is_some();
        let written = match (search, command) {
            (Some(words), None) | (None, Some(words)) => words,
            (None, None) => return Err(keys.error("[engine] needs `search` or `command`")),
            (Some(_), Some(_)) => return Err(keys.error("[engine] has `search` or `command`, not both")),
        };
        let words = split(&written.value).map_err(|why| file.error(written.at, why))?;
        let words = words.iter().map(|word| pieces(word)).collect::<std::result::Result<Vec<_>, _>>();
        let words = words.map_err(|why| file.error(written.at, why))?;
        let uses_log = words.iter().flatten().any(|piece| *piece == Piece::Slot(Slot::Log));
        if !is_own && !uses_log {
            return Err(file.error(written.at, "`command` does not say where the log goes: it needs `{log}`"));
        }
        let version = match keys.text("version")? {
            Some(words) => Some(split(&words.value).map_err(|why| file.error(words.at, why))?),
            None => None,
        };
        let name = keys.text("name")?.map(|name| name.value);
        let trees = TreeChoice::read(&mut keys, file)?;
        keys.finish()?;
        let program = if is_own { "gt" } else { written.value.split_whitespace().next().unwrap_or("engine") };
        let program = program.rsplit(['/', '\\']).next().unwrap_or(program).to_owned();
        let name = name.unwrap_or(program);
        Ok(Self { name, command: written.value, words, is_own, version, trees })
    }

    /// Checks that a position has everything that the command asks for, and nothing that it has no
    /// placeholder for.
    pub(super) fn fits(&self, position: &Position) -> std::result::Result<(), String> {
        for (name, slot) in SLOTS.iter().filter(|(_, slot)| self.uses(*slot)) {
            if *slot != Slot::Log && value(*slot, position).is_none() {
                return Err(format!("the engine's command has `{{{name}}}`, but nothing says what it is"));
            }
        }
        let has_no_place = |slot| !self.is_own && !self.uses(slot) && value(slot, position).is_some();
        if has_no_place(Slot::Moves) {
            return Err("the engine's command has no place for moves: `{moves}`".to_owned());
        }
        if has_no_place(Slot::Position) {
            return Err("the engine's command has no place for a position: `{position}`".to_owned());
        }
        Ok(())
    }

    fn uses(&self, slot: Slot) -> bool {
        self.words.iter().flatten().any(|piece| *piece == Piece::Slot(slot))
    }

    /// The words of the command for a position, starting with the program.
    pub(crate) fn words(&self, slots: &Slots<'_>) -> Vec<String> {
        let log = slots.log.display().to_string();
        let fill = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Slot(Slot::Log) => log.clone(),
            Piece::Slot(slot) => value(*slot, slots.position).unwrap_or_default(),
        };
        let given = self.words.iter().map(|word| word.iter().map(fill).collect::<String>());
        if !self.is_own {
            return given.collect();
        }
        let mut words = vec![slots.own.display().to_string(), "search".to_owned()];
        words.extend(given);
        let is_option = |slot: Slot| !matches!(slot, Slot::Log | Slot::Milliseconds);
        for (name, slot) in SLOTS.iter().filter(|(_, slot)| is_option(*slot) && !self.uses(*slot)) {
            if let Some(value) = value(*slot, slots.position) {
                words.extend([format!("--{name}"), value]);
            }
        }
        if !self.uses(Slot::Log) {
            words.extend(["--log".to_owned(), log]);
        }
        words
    }
}

/// The value of a position for a slot.
fn value(slot: Slot, position: &Position) -> Option<String> {
    match slot {
        Slot::Position => position.text.clone(),
        Slot::Moves => position.moves.clone(),
        Slot::Depth => position.limits.depth.map(|depth| depth.to_string()),
        Slot::Nodes => position.limits.nodes.map(|nodes| nodes.to_string()),
        Slot::Time => position.limits.time.as_ref().map(|(time, _)| time.clone()),
        Slot::Milliseconds => position.limits.time.as_ref().map(|(_, time)| time.as_millis().to_string()),
        Slot::Log => None,
    }
}

fn split(text: &str) -> std::result::Result<Vec<String>, String> {
    match shell_words::split(text) {
        Ok(words) if !words.is_empty() => Ok(words),
        Ok(_) => Err("this command is empty".to_owned()),
        Err(_) => Err("a quote in this command is never closed".to_owned()),
    }
}

/// Splits `--log={log}` into its pieces; braces without a known name are text.
fn pieces(word: &str) -> std::result::Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        let Some((_, slot)) = SLOTS.iter().find(|(known, _)| *known == name) else {
            let names = SLOTS.map(|(name, _)| name);
            let mend = match nearest(name, names).first() {
                Some(meant) => format!("did you mean `{{{meant}}}`?"),
                None => format!("there are {}", names.map(|name| format!("{{{name}}}")).join(", ")),
            };
            return Err(format!("nothing is filled in for `{{{name}}}`; {mend}"));
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Slot(*slot));
        rest = behind;
    }
    if !rest.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}
