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

use super::about::{About, Totals};
use super::content::Content;
use super::wording::Cell;
use crate::commands::files::new_file;
use crate::failure::Failure;
use gt_fleet::Row;

/// Writes answers into a folder.
pub(crate) struct ResultFiles {
    folder: PathBuf,
    /// What is read, which no answer may replace.
    inputs: Vec<PathBuf>,
    /// What names begin with, by log as it was given.
    stems: HashMap<String, String>,
    /// The names used so far, in small letters: some file systems tell no others apart.
    names: HashSet<String>,
}

impl ResultFiles {
    /// For answers about these logs; makes the folder where it is not there.
    pub(crate) fn new(folder: &Path, logs: &[PathBuf], inputs: &[PathBuf]) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| Failure::about(folder, error))?;
        let named = |log: &PathBuf| (log.display().to_string(), stem(log, logs));
        let stems = logs.iter().map(named).collect();
        Ok(Self { folder: folder.to_owned(), inputs: inputs.to_vec(), stems, names: HashSet::new() })
    }

    /// Writes the file of an answer and gives its path.
    pub(crate) fn write(
        &mut self,
        about: &About<'_>,
        content: Content,
        totals: Totals,
    ) -> Result<PathBuf, Failure> {
        let name = self.name(about);
        let path = self.folder.join(name);
        let inputs: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        new_file(&path, &inputs, |file| {
            write(file, about, content, totals).map_err(|error| Failure::about(&path, error))
        })?;
        Ok(path)
    }

    fn name(&mut self, about: &About<'_>) -> String {
        let stem = self.stems.get(about.log).map_or("", String::as_str);
        let tree = if about.with_tree { format!("-tree{}", about.tree) } else { String::new() };
        let base = format!("{stem}{tree}-{}", plain(&about.query_label()));
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

fn write(file: &mut dyn Write, about: &About<'_>, content: Content, totals: Totals) -> io::Result<()> {
    let tree = if about.with_tree { format!(", tree {}", about.tree) } else { String::new() };
    let heading = Heading {
        stamp: about.stamp,
        log_name: &format!("{}{tree}", about.log),
        query: about.query,
        time: Duration::from_secs_f64(totals.seconds.max(0.0)),
    };
    gti::write_heading(file, &heading)?;
    let begin_rows = |file: &mut dyn Write, count: u64| {
        writeln!(file, "rows:{count}")?;
        gti::write_row(file, about.columns.iter().map(|column| Some(&column.heading)))
    };
    match content {
        Content::Count(count) => writeln!(file, "stat\n{count}"),
        Content::Value(value) => {
            writeln!(file, "stat")?;
            rows(file, about, &[vec![value]])
        }
        Content::Nodes(nodes) => {
            writeln!(file, "nodes:{}", nodes.len())?;
            nodes.iter().try_for_each(|node| writeln!(file, "{node}"))
        }
        Content::Rows(all) => {
            begin_rows(file, all.len() as u64)?;
            rows(file, about, &all)
        }
        Content::Streamed(mut streamed) => {
            begin_rows(file, streamed.rows)?;
            streamed.release(file)
        }
    }
}

/// Writes rows as result files have them.
pub(crate) fn rows(file: &mut dyn Write, about: &About<'_>, rows: &[Row]) -> io::Result<()> {
    rows.iter().try_for_each(|row| {
        let text = |cell: Cell<'_>| cell.value.map(|value| about.wording.text(value, &cell));
        gti::write_row(file, about.cells(row).map(text))
    })
}

/// What every file system takes.
fn plain(text: &str) -> String {
    const NAME_CHARACTERS_MAX: usize = 100;
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    text.chars().take(NAME_CHARACTERS_MAX).map(kept).collect()
}
