//! A suite: the searches, the queries on their trees, and the expected answers.
//!
//! ```text
//! [engine]  [limits]  [[position]]  ──▶ subjects: a log of each position's search
//! [[log]]                           ──▶ subjects: logs that exist
//! [[check]]                         ──▶ checks: a query, an expectation, over which trees
//! ```
//!
//! **Invariant:** a suite that was read is complete: its files exist, its packs and expectations are known, and no
//! two subjects or checks share a name. Whether its queries fit a log can only be known from the log.

mod checks;
mod engine;
mod limits;
mod positions;
mod subjects;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::check::Check;
use crate::error::{Error, Result};
use crate::keys::SourceFile;
use crate::pack::Pack;
pub(crate) use checks::read as read_checks;
pub(crate) use engine::{Engine, Slots};
pub(crate) use limits::Limits;
pub(crate) use subjects::{Position, Source, Subject, TreeChoice};

/// A suite, as described by its file.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its file; for a pack that is run on logs, the name of the pack.
    pub path: PathBuf,
    /// The base of relative paths in it.
    pub(crate) folder: PathBuf,
    pub(crate) engine: Option<Engine>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) checks: Vec<Check>,
    pub(crate) baseline: PathBuf,
    /// Whether some of its logs and positions were excluded.
    pub(crate) is_partial: bool,
}

impl Suite {
    /// Reads a suite's file and the files that it names.
    ///
    /// # Errors
    /// Returns the first problem, with the line.
    pub fn read(path: &Path) -> Result<Self> {
        let file = SourceFile::read(path)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut keys = file.keys()?;
        let baseline = match keys.text("baseline")? {
            Some(name) => folder.join(name.value),
            None => path.with_extension("baseline.toml"),
        };
        let engine = keys.table("engine", "[engine]")?.map(|keys| Engine::read(keys, &file)).transpose()?;
        let limits = match keys.table("limits", "[limits]")? {
            None => Limits::default(),
            Some(mut keys) => {
                let limits = Limits::read(&mut keys, &file, &Limits::default())?;
                keys.finish()?;
                limits
            }
        };
        let mut subjects = Vec::new();
        for keys in keys.tables("log", "[[log]]")? {
            subjects.push(subjects::log(keys, &file, &folder)?);
        }
        let tree = engine.as_ref().map_or(TreeChoice::All, |engine| engine.trees);
        for keys in keys.tables("position", "[[position]]")? {
            positions::read(keys, &file, &folder, &limits, tree, &mut subjects)?;
        }
        let mut checks = Vec::new();
        for keys in keys.tables("check", "[[check]]")? {
            checks::read(keys, &file, &folder, &mut checks)?;
        }
        keys.finish()?;
        let suite =
            Self { path: path.to_owned(), folder, engine, subjects, checks, baseline, is_partial: false };
        suite.examine()?;
        Ok(suite)
    }

    /// Makes a suite of a pack on logs, without a file.
    #[must_use]
    pub fn of_pack(pack: &Pack, logs: &[PathBuf]) -> Self {
        let name = |path: &PathBuf| path.display().to_string();
        let subject = |path: &PathBuf| Subject {
            name: name(path),
            source: Source::Log(path.clone()),
            trees: TreeChoice::All,
        };
        let mut subjects: Vec<Subject> = Vec::new();
        for path in logs {
            if subjects.iter().all(|subject| subject.name != name(path)) {
                subjects.push(subject(path));
            }
        }
        Self {
            path: PathBuf::from(pack.name()),
            folder: PathBuf::new(),
            engine: None,
            subjects,
            checks: pack.checks().to_vec(),
            baseline: PathBuf::from(pack.name()).with_extension("baseline.toml"),
            is_partial: false,
        }
    }

    /// Checks the consistency of the parts.
    fn examine(&self) -> Result<()> {
        let wrong = |sentence: &str| Err(Error::of(&self.path, sentence));
        if self.checks.is_empty() {
            return wrong("there is no `[[check]]` in it: nothing is expected");
        }
        if self.subjects.is_empty() {
            return wrong("there is no `[[log]]` and no `[[position]]` in it: nothing to look at");
        }
        let mut names = HashSet::new();
        for subject in &self.subjects {
            if !names.insert(&subject.name) {
                let sentence =
                    format!("two logs or positions are called `{}`; give one a `name`", subject.name);
                return wrong(&sentence);
            }
        }
        let searched = self.subjects.iter().filter_map(|subject| match &subject.source {
            Source::Search(position) => Some((subject, position)),
            Source::Log(_) => None,
        });
        for (subject, position) in searched {
            let Some(engine) = &self.engine else {
                return wrong("it has positions, but no `[engine]` that searches them");
            };
            engine
                .fits(position)
                .map_err(|why| Error::of(&self.path, format!("position `{}`: {why}", subject.name)))?;
        }
        Ok(())
    }
}
