//! The logs of a game: a file for the search of every move; the oldest are removed when they grow too large.
//!
//! ```text
//! logs/ply-001-start.gtf   ply-002-after-e2e4.gtf   ply-004-after-g1f3.gtf …
//! ```
//!
//! Invariant: no file is replaced, and only files that this game wrote are removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gt_games::registry::GameKind;
use gt_log::LogWriter;

/// The folder for logs of searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFolder {
    /// The folder; it is created if it is missing.
    pub folder: PathBuf,
    /// The maximum number of bytes for all logs of a game, beyond which the oldest are removed.
    pub bytes_max: u64,
}

impl LogFolder {
    /// Makes a folder with a limit that most disks can spare: 1 GiB.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), bytes_max: 1 << 30 }
    }
}

/// A log being written.
pub(super) struct OpenLog {
    pub(super) path: PathBuf,
    pub(super) writer: Arc<LogWriter>,
}

impl OpenLog {
    /// Ends the log, when its search is done.
    fn close(self) -> Result<(), String> {
        let Self { path, writer } = self;
        match Arc::try_unwrap(writer).map(LogWriter::finish) {
            Ok(Err(error)) => Err(format!("{}: the log is not whole: {error}", path.display())),
            // A writer that is still held elsewhere is closed there.
            Ok(Ok(_)) | Err(_) => Ok(()),
        }
    }
}

/// The logs of a game.
pub(super) struct Logs {
    kind: GameKind,
    place: LogFolder,
    /// The oldest first, with their sizes.
    kept: Vec<(PathBuf, u64)>,
}

impl Logs {
    pub(super) fn new(kind: GameKind, place: LogFolder) -> Self {
        Self { kind, place, kept: Vec::new() }
    }

    /// Begins the log of the search for move number `ply` (from 1) after `last_move`.
    pub(super) fn open(&self, ply: usize, last_move: Option<&str>) -> Result<OpenLog, String> {
        let path = self.free_path(ply, last_move);
        let refused = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        fs::create_dir_all(&self.place.folder).map_err(|error| refused(&error))?;
        let writer = gt_record::header(self.kind.name())
            .and_then(|header| LogWriter::create(&path, header))
            .map_err(|error| refused(&error))?;
        Ok(OpenLog { path, writer: Arc::new(writer) })
    }

    /// An unused file name.
    fn free_path(&self, ply: usize, last_move: Option<&str>) -> PathBuf {
        let last_move =
            last_move.map_or("start".to_owned(), |text| format!("after-{}", text.replace('/', "_")));
        let name = format!("ply-{ply:03}-{last_move}");
        let path = |number: usize| match number {
            1 => self.place.folder.join(format!("{name}.gtf")),
            number => self.place.folder.join(format!("{name}-{number}.gtf")),
        };
        (1..).map(path).find(|path| !path.exists()).unwrap_or_else(|| path(1))
    }

    /// Keeps the log of a finished search, removes the oldest beyond the limit, and returns the removed ones.
    pub(super) fn keep(&mut self, log: OpenLog) -> (Vec<PathBuf>, Result<(), String>) {
        let path = log.path.clone();
        let closed = log.close();
        let bytes = fs::metadata(&path).map_or(0, |file| file.len());
        self.kept.push((path, bytes));
        let mut dropped = Vec::new();
        while self.kept.len() > 1 && self.bytes() > self.place.bytes_max {
            let (oldest, _) = self.kept.remove(0);
            remove(&oldest);
            dropped.push(oldest);
        }
        (dropped, closed)
    }

    /// Removes the log of a cancelled search.
    pub(super) fn discard(&mut self, log: OpenLog) {
        let path = log.path.clone();
        // It no longer matters whether it is complete.
        let _ = log.close();
        remove(&path);
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Removes a log, if it still exists.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}
