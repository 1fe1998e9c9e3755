//! Repeats the experiments of the thesis that GTQL comes from.
//!
//! ```text
//! efficiency   nine artificial trees × eight queries          Table 5.1, Figures 5.1 to 5.3
//! chess        nine positions, searched until solved × Q1–Q24  Tables 5.2 to 5.7, Figures 5.4 to 5.6
//!                └─▶ a folder: report.md and its pictures, report.html, queries, the logs of the searches
//! ```
//!
//! Every number in the report is measured or counted in the run that writes it; the thesis's own numbers are
//! beside it ([`thesis`]).
//!
//! **Invariant:** this crate draws nothing and answers no query itself: `gt-report` and `gt-query` do.

mod chess;
mod efficiency;
mod error;
mod files;
mod given;
mod memory;
pub mod positions;
pub mod queries;
mod settings;
pub mod thesis;

use std::path::{Path, PathBuf};

use gt_log::NewFile;
use gt_report::Document;

pub use chess::{Ended, Quiescence, Searched};
pub use efficiency::Measured;
pub use error::{Error, ErrorKind, Result};
pub use settings::Settings;

/// The results.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// A row for each artificial tree.
    pub measured: Vec<Measured>,
    /// A row for each position.
    pub searched: Vec<Searched>,
    /// The reports that were written.
    pub reports: Vec<PathBuf>,
}

/// The maximum number of nodes for a position: a log stays below half a gigabyte.
const NODES_MAX: u64 = 50_000_000;
/// The maximum with [`Settings::quick`].
const QUICK_NODES_MAX: u64 = 20_000;
const RUNS: u32 = 3;

/// Runs the experiments and writes everything into the folder; calls `progress` with the current step.
///
/// # Errors
/// Returns an error if the folder or a file in it cannot be written, or an existing log must stay.
pub fn run(settings: &Settings, folder: &Path, progress: &mut dyn FnMut(&str)) -> Result<Results> {
    files::make_folder(folder)?;
    if settings.chess {
        check_logs(settings, folder)?;
    }
    let mut results = Results::default();
    if settings.efficiency {
        for tree in efficiency::trees(settings.quick) {
            progress(&format!("Tree {}: depth {}, branching {}", tree.number, tree.depth, tree.branching));
            let runs = if settings.quick { 1 } else { RUNS };
            results.measured.push(efficiency::measure(tree, folder, runs)?);
        }
    }
    if settings.chess {
        let nodes_max = if settings.quick { QUICK_NODES_MAX } else { NODES_MAX };
        let effort = chess::Effort { time_max: settings.time_per_position, nodes_max };
        for position in positions::all()? {
            progress(&format!("position {}: {}", position.number, position.solution_text));
            results.searched.push(chess::search(&position, folder, effort, settings.existing)?);
        }
    }
    results.reports = files::write(folder, &document(settings, &results), settings)?;
    Ok(results)
}

/// Runs the queries of section 5.2 on the logs of a folder, and writes the report into another; calls `progress` with
/// the current step. `other_names` are lists of names that the logs' own stand for (`type=nodeType`). A query with a name
/// that a log does not have is not run on it.
///
/// # Errors
/// Returns an error if no log belongs to a position of the suite, a log cannot be read or lacks what another name is given
/// to, or the report cannot be written.
pub fn on_logs(
    logs: &Path,
    other_names: &[String],
    folder: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<Results> {
    let searched = given::ask(logs, other_names, progress)?;
    let settings = Settings { efficiency: false, ..Settings::default() };
    let mut results = Results { searched, ..Results::default() };
    files::make_folder(folder)?;
    results.reports = files::write(folder, &document(&settings, &results), &settings)?;
    Ok(results)
}

/// Rejects before the work what would be rejected after it: an existing log that must stay.
fn check_logs(settings: &Settings, folder: &Path) -> Result<()> {
    for position in positions::all()? {
        let path = folder.join(chess::log_name(&position));
        NewFile::at(&path, settings.existing).map_err(Error::about(&path))?;
    }
    Ok(())
}

/// Returns the report of the results.
#[must_use]
pub fn document(settings: &Settings, results: &Results) -> Document {
    let mut document = Document::new("Game-tree queries: the experiments of the thesis, run again");
    document.paragraph(
        "The tables and figures of chapter 5 of the thesis that introduced the Game-Tree Query Language (2007), with the \
         thesis's own numbers beside ours where its text gives them.",
    );
    if settings.quick {
        document.paragraph(
            "This is a quick run, with small trees and short searches: it shows that everything works, not how well.",
        );
    }
    if !results.measured.is_empty() {
        efficiency::report(&results.measured, &mut document);
    }
    if !results.searched.is_empty() {
        chess::report(&results.searched, &mut document);
    }
    document
}
