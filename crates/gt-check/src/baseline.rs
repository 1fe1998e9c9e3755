//! Baselines: numbers that were once accepted, in a file that is readable in a diff.
//!
//! ```toml
//! engine = "gt"
//! command = "chess --algorithm strong"
//! version = "gt 0.2.0"
//!
//! [positions]
//! "LCTII.15" = "1r4k1/… w - - depth 6"
//!
//! [check."nodes of the last iteration"]
//! "LCTII.15, depth 6" = 9042
//! ```
//!
//! **Invariant:** a number is compared only with one of the same engine, command and position.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use gt_log::{Existing, NewFile};

use crate::error::{Error, Result};
use crate::keys::{Keys, SourceFile};
use crate::suite::{Position, Source, Suite};

/// The numbers of one suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Baseline {
    pub(crate) engine: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) version: Option<String>,
    /// By name, the searched position or the log.
    pub(crate) positions: BTreeMap<String, String>,
    /// The numbers by check and by tree.
    pub(crate) numbers: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Baseline {
    /// Reads the file, which must fit the suite; `None` if there is none.
    pub(crate) fn read(path: &Path, suite: &Suite) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let file = SourceFile::read(path)?;
        let mut keys = file.keys()?;
        let mut baseline = Self {
            engine: keys.text("engine")?.map(|text| text.value),
            command: keys.text("command")?.map(|text| text.value),
            version: keys.text("version")?.map(|text| text.value),
            ..Self::default()
        };
        for (name, text) in keys.named_values("positions")? {
            baseline.positions.insert(name, text.value);
        }
        let checks = keys.table("check", "[check]")?;
        keys.finish()?;
        for (name, trees) in checks.map_or(Ok(Vec::new()), Keys::named_tables)? {
            let mut numbers = BTreeMap::new();
            for (tree, number) in trees {
                let value = number.value.parse::<f64>().ok().filter(|value| value.is_finite());
                let value = value.ok_or_else(|| {
                    file.error(
                        number.at,
                        format!("`{}` is no number; `--bless` writes this file", number.value),
                    )
                })?;
                numbers.insert(tree, value);
            }
            baseline.numbers.insert(name, numbers);
        }
        baseline.fits(path, suite)?;
        Ok(Some(baseline))
    }

    /// An empty baseline for a suite.
    pub(crate) fn frame(suite: &Suite, version: Option<String>) -> Self {
        let engine = suite.engine.as_ref();
        Self {
            engine: engine.map(|engine| engine.name.clone()),
            command: engine.map(|engine| engine.command.clone()),
            version,
            positions: suite
                .subjects
                .iter()
                .map(|subject| (subject.name.clone(), searched(&subject.source)))
                .collect(),
            numbers: BTreeMap::new(),
        }
    }

    /// Rejects numbers of another engine or of other positions.
    fn fits(&self, path: &Path, suite: &Suite) -> Result<()> {
        let now = Self::frame(suite, None);
        let differs = |what: &str, was: &Option<String>, is: &Option<String>| {
            let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
            let sentence = format!(
                "this baseline is of another {what}: `{}`, and the suite has `{}`; `--bless` writes a new one",
                shown(was),
                shown(is)
            );
            Err(Error::of(path, sentence))
        };
        if self.engine != now.engine {
            return differs("engine", &self.engine, &now.engine);
        }
        if self.command != now.command {
            return differs("command of the engine", &self.command, &now.command);
        }
        for (name, is) in &now.positions {
            match self.positions.get(name) {
                Some(was) if was == is => {}
                Some(was) => {
                    return differs(&format!("position `{name}`"), &Some(was.clone()), &Some(is.clone()));
                }
                None => {
                    let sentence =
                        format!("this baseline has no position `{name}`; `--bless` writes a new one");
                    return Err(Error::of(path, sentence));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn number(&self, check: &str, key: &str) -> Option<f64> {
        self.numbers.get(check)?.get(key).copied()
    }

    /// Writes the file beside its destination, and renames it when it is complete.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let about = |error: &dyn std::fmt::Display| Error::of(path, error);
        let new = NewFile::at(path, Existing::Replace).map_err(|error| about(&error))?;
        let mut file = new.create().map_err(|error| about(&error))?;
        file.write_all(self.text().as_bytes()).map_err(|error| about(&error))?;
        drop(file);
        new.keep().map_err(|error| about(&error))
    }

    fn text(&self) -> String {
        let mut text = "# Numbers that `gt check` compares with. Written by `gt check --bless`.\n".to_owned();
        let about = [("engine", &self.engine), ("command", &self.command), ("version", &self.version)];
        for (key, value) in about.iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
            let _ = writeln!(text, "{key} = {}", quoted(value));
        }
        text += "\n[positions]\n";
        for (name, position) in &self.positions {
            let _ = writeln!(text, "{} = {}", quoted(name), quoted(position));
        }
        for (check, numbers) in &self.numbers {
            let _ = writeln!(text, "\n[check.{}]", quoted(check));
            for (tree, number) in numbers {
                let _ = writeln!(text, "{} = {number}", quoted(tree));
            }
        }
        text
    }
}

/// A one-line description of a subject.
fn searched(source: &Source) -> String {
    let position = match source {
        Source::Log(path) => {
            let name = path
                .file_name()
                .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
            return format!("the log {name}");
        }
        Source::Search(position) => position,
    };
    let Position { text, moves, limits } = position;
    let mut parts = vec![text.clone().unwrap_or_else(|| "the start".to_owned())];
    parts.extend(moves.as_ref().map(|moves| format!("moves {moves}")));
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(limits.time.as_ref().map(|(time, _)| format!("time {time}")));
    parts.join(", ")
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests;
