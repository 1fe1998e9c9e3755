//! Answers as result files (`.gti`), one for each query and tree.
//!
//! ```text
//! tree10.gtf with one tree     tree10-1.gti, tree10-big_quiescence.gti
//! run.gtf with several         run-tree3-1.gti
//! a/t.gtf and b/t.gtf          a_t-1.gti, b_t-1.gti
//! ```
//!
//! The second line of a file names the log as it was given, and of several trees the one: `b/run.gtf, tree 3`.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use gt_query::gti::{self, Heading};
use gt_query::{Answer, Type, Value};

use super::answered::Answered;
use super::notation::shown;
use crate::commands::files::new_file;
use crate::failure::Failure;

/// Writes answers into a folder.
pub(crate) struct ResultFiles {
    folder: PathBuf,
    /// What is asked, which no answer may replace.
    logs: Vec<PathBuf>,
    /// What names begin with, by log as it was given.
    stems: HashMap<String, String>,
    /// The names used so far, in small letters: some file systems tell no others apart.
    names: HashSet<String>,
}

impl ResultFiles {
    /// For answers about these logs; makes the folder where it is not there.
    pub(crate) fn new(folder: &Path, logs: &[PathBuf]) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| Failure::about(folder, error))?;
        let named = |log: &PathBuf| (log.display().to_string(), stem(log, logs));
        let stems = logs.iter().map(named).collect();
        Ok(Self { folder: folder.to_owned(), logs: logs.to_vec(), stems, names: HashSet::new() })
    }

    /// Writes the file of an answer and gives its path; `with_tree` puts the tree into the name.
    pub(crate) fn write(&mut self, answered: &Answered<'_>, with_tree: bool) -> Result<PathBuf, Failure> {
        let name = self.name(answered, with_tree);
        let path = self.folder.join(name);
        let logs: Vec<&Path> = self.logs.iter().map(PathBuf::as_path).collect();
        new_file(&path, &logs, |file| {
            write(file, answered, with_tree).map_err(|error| Failure::about(&path, error))
        })?;
        Ok(path)
    }

    fn name(&mut self, answered: &Answered<'_>, with_tree: bool) -> String {
        let stem = self.stems.get(answered.log).map_or("", String::as_str);
        let tree = if with_tree { format!("-tree{}", answered.tree) } else { String::new() };
        let base = format!("{stem}{tree}-{}", plain(&answered.query_label()));
        let mut name = base.clone();
        for copy in 2.. {
            if self.names.insert(name.to_lowercase()) {
                break;
            }
            name = format!("{base}-{copy}");
        }
        name + ".gti"
    }
}

/// What the names of a log's files begin with: its name, after as many of its folders as tell it from the other logs.
fn stem(log: &Path, logs: &[PathBuf]) -> String {
    let with_folders = |log: &Path, folders: usize| {
        let mut words: Vec<String> = log.parent().map_or_else(Vec::new, |parent| {
            let named = parent.components().filter(|part| matches!(part, Component::Normal(_)));
            named.map(|part| plain(&part.as_os_str().to_string_lossy())).collect()
        });
        words.drain(..words.len().saturating_sub(folders));
        words.push(plain(&log.file_stem().unwrap_or_default().to_string_lossy()));
        words.join("_")
    };
    let alone = |folders: &usize| {
        let own = with_folders(log, *folders).to_lowercase();
        logs.iter().filter(|other| with_folders(other, *folders).to_lowercase() == own).count() == 1
    };
    // Where no folder tells, names are numbered later on.
    let folders = (0..log.components().count()).find(alone).unwrap_or(0);
    with_folders(log, folders)
}

fn write(mut file: &mut dyn Write, answered: &Answered<'_>, with_tree: bool) -> io::Result<()> {
    let tree = if with_tree { format!(", tree {}", answered.tree) } else { String::new() };
    let log_name = format!("{}{tree}", answered.log);
    let heading = Heading {
        stamp: answered.stamp,
        log_name: &log_name,
        query: answered.query,
        time: Duration::from_secs_f64(answered.seconds.max(0.0)),
    };
    let with_texts = with_texts(answered);
    gti::write(&mut file, &heading, with_texts.as_ref().unwrap_or(answered.answer))
}

/// The rows of `select` with the moves as texts; `None` where there are none.
fn with_texts(answered: &Answered<'_>) -> Option<Answer> {
    let Answer::Rows { columns, rows } = answered.answer else { return None };
    let is_move = |kind: &Type| matches!(kind, Type::Move | Type::Line);
    answered.notation.filter(|_| columns.iter().any(|(_, kind)| is_move(kind)))?;
    let text = |(value, (_, kind)): (&Option<Value>, &(String, Type))| match value {
        Some(value) if is_move(kind) => Some(Value::text(&shown(value, *kind, answered.notation))),
        other => other.clone(),
    };
    let rows = rows.iter().map(|row| row.iter().zip(columns).map(text).collect()).collect();
    Some(Answer::Rows { columns: columns.clone(), rows })
}

/// What every file system takes.
fn plain(text: &str) -> String {
    const NAME_CHARACTERS_MAX: usize = 100;
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    text.chars().take(NAME_CHARACTERS_MAX).map(kept).collect()
}
