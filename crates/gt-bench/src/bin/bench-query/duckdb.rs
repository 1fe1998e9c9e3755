//! DuckDB beside the engine: a Python process that holds a tree as a table `t` and answers SQL.
//!
//! ```text
//! columns of a tree ──files──▶ python3 duckdb.py ──▶ table t
//! {"sql": …} ──a line──▶                         ──a line──▶ {"seconds": …, "rows": …}
//! ```

use std::error::Error;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use gt_log::Tree;
use serde_json::{Value as Json, json};

use crate::THREADS;
use crate::columns::write_columns;

/// Longer than this no query of DuckDB's is waited for.
pub(crate) const LIMIT_SECONDS: u64 = 60;

/// A running DuckDB with one table.
pub(crate) struct DuckDb {
    process: Child,
    questions: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    folder: PathBuf,
}

/// What DuckDB made of a query.
pub(crate) enum DuckAnswer {
    /// The CPU seconds of the best run for each thread, and the rows.
    Rows(f64, Vec<Vec<Json>>),
    /// It took more than [`LIMIT_SECONDS`].
    Stopped,
}

impl DuckDb {
    /// Starts DuckDB with a table of the tree's attributes and, for joins, of where its nodes stand. `None`, after a
    /// message, if Python or DuckDB is not installed.
    pub(crate) fn start(folder: &Path, tree: Tree<'_>, joins: bool) -> Result<Option<Self>, Box<dyn Error>> {
        let folder = folder.join(format!("columns-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        write_columns(tree, joins, &folder)?;
        let started = Command::new("python3")
            .args(["-c", include_str!("duckdb.py")])
            .arg(&folder)
            .arg(THREADS.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let without = |reason: &str| {
            println!("  DuckDB is left out (`pip install duckdb numpy` brings it): {reason}");
            std::fs::remove_dir_all(&folder)
        };
        let mut process = match started {
            Ok(process) => process,
            Err(error) => {
                without(&error.to_string())?;
                return Ok(None);
            }
        };
        let (Some(questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a process without its pipes".into());
        };
        let mut answers = BufReader::new(answers).lines();
        if answers.next().transpose()?.is_none() {
            process.wait()?;
            without("it did not start")?;
            return Ok(None);
        }
        // The table is in memory now; the folder takes what DuckDB cannot keep there.
        for file in std::fs::read_dir(&folder)? {
            std::fs::remove_file(file?.path())?;
        }
        Ok(Some(Self { process, questions, answers, folder }))
    }

    /// Runs a query.
    ///
    /// # Errors
    /// Where DuckDB refuses the query: the form is wrong.
    pub(crate) fn ask(&mut self, sql: &str, runs: usize) -> Result<DuckAnswer, Box<dyn Error>> {
        writeln!(self.questions, "{}", json!({"sql": sql, "runs": runs, "limit_seconds": LIMIT_SECONDS}))?;
        self.questions.flush()?;
        let line = self.answers.next().ok_or("DuckDB has ended")??;
        let answer: Json = serde_json::from_str(&line)?;
        if let Some(error) = answer["error"].as_str() {
            return Err(format!("DuckDB on {sql}: {error}").into());
        }
        Ok(match (answer["seconds"].as_f64(), answer["rows"].as_array()) {
            (Some(seconds), Some(rows)) => {
                let cells = |row: &Json| row.as_array().cloned().unwrap_or_default();
                DuckAnswer::Rows(seconds, rows.iter().map(cells).collect())
            }
            _ => DuckAnswer::Stopped,
        })
    }
}

impl Drop for DuckDb {
    fn drop(&mut self) {
        // A cleanup that fails leaves a folder in `target/bench-data`, nothing more.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
