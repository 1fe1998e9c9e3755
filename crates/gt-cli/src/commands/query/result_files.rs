//! Answers as result files (`.gti`), one for each query and tree.
//!
//! ```text
//! tree10.gtf with one tree     tree10-1.gti, tree10-big_quiescence.gti
//! run.gtf with several         run-tree3-1.gti
//! ```

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gt_query::gti::{self, Heading};
use gt_query::{Answer, Type, Value};

use super::answered::Answered;
use super::notation::shown;
use crate::failure::Failure;

/// Writes answers into a folder.
pub(crate) struct ResultFiles {
    folder: PathBuf,
    /// The names used so far, in small letters: some file systems tell no others apart.
    names: HashSet<String>,
}

impl ResultFiles {
    /// Makes the folder where it is not there.
    pub(crate) fn new(folder: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| Failure::about(folder, error))?;
        Ok(Self { folder: folder.to_owned(), names: HashSet::new() })
    }

    /// Writes the file of an answer and gives its path; `with_tree` puts the tree into the name.
    pub(crate) fn write(&mut self, answered: &Answered<'_>, with_tree: bool) -> Result<PathBuf, Failure> {
        let name = self.name(answered, with_tree);
        let path = self.folder.join(name);
        let written = write(&path, answered);
        if written.is_err() {
            // Half a result is none.
            let _ = std::fs::remove_file(&path);
        }
        written.map_err(|error| Failure::about(&path, error)).map(|()| path)
    }

    fn name(&mut self, answered: &Answered<'_>, with_tree: bool) -> String {
        let log = Path::new(answered.log).file_stem().unwrap_or_default().to_string_lossy();
        let tree = if with_tree { format!("-tree{}", answered.tree) } else { String::new() };
        let base = format!("{}{tree}-{}", plain(&log), plain(&answered.query_label()));
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

fn write(path: &Path, answered: &Answered<'_>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let log_name = Path::new(answered.log).file_name().unwrap_or_default().to_string_lossy();
    let heading = Heading {
        stamp: answered.stamp,
        log_name: &log_name,
        query: answered.query,
        time: Duration::from_secs_f64(answered.seconds.max(0.0)),
    };
    let with_texts = with_texts(answered);
    gti::write(&mut file, &heading, with_texts.as_ref().unwrap_or(answered.answer))?;
    file.flush()
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
