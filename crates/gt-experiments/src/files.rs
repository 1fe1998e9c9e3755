//! The files of a run.

use std::io::Write;
use std::path::{Path, PathBuf};

use gt_log::{Existing, NewFile};
use gt_report::Document;
use gt_report::document::{html, markdown};

use crate::error::{Error, Result};
use crate::queries::{self, CHESS, EFFICIENCY};
use crate::settings::Settings;

pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(Error::about(folder))
}

/// Writes the report as Markdown with its pictures and as HTML, and the queries; returns the paths of the
/// reports.
pub(crate) fn write(folder: &Path, document: &Document, settings: &Settings) -> Result<Vec<PathBuf>> {
    let text = markdown(document, "");
    let mut files = vec![("report.md".to_owned(), text.text), ("report.html".to_owned(), html(document))];
    files.extend(text.pictures);
    if settings.efficiency {
        files.push(("efficiency.gtql".to_owned(), queries::file(&EFFICIENCY)));
    }
    if settings.chess {
        files.push(("chess.gtql".to_owned(), queries::file(&CHESS)));
    }
    let mut reports = Vec::new();
    for (name, content) in files {
        let path = folder.join(&name);
        replace(&path, &content).map_err(Error::about(&path))?;
        if name.starts_with("report.") {
            reports.push(path);
        }
    }
    Ok(reports)
}

/// Writes a file; an existing one stays until the new one is complete.
fn replace(path: &Path, content: &str) -> gt_log::Result<()> {
    let new = NewFile::at(path, Existing::Replace)?;
    new.create()?.write_all(content.as_bytes())?;
    new.keep()
}
