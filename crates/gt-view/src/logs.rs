//! The logs that are shown: opened once, and again when their files change.
//!
//! ```text
//! path ──open──▶ Opened (generation 1) ──the file grew──▶ Opened (generation 2) …
//!                   ▲ requests hold the one they began with
//! ```
//!
//! **Invariant:** a request sees one state of a log from its first byte to its last. A file that can no longer be
//! opened leaves the last good state in place, with a sentence on what happened.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use gt_games::GameKind;
use gt_games::registry::Scribe;
use gt_log::{IndexState, Log, Tree};

use crate::blocks::Blocks;
use crate::error::{Answer, Kind, Refusal};
use crate::moves::{Followed, Notation};
use crate::nodes::Nodes;
use crate::work::Cancel;

/// A state of a log.
pub(crate) struct Opened {
    /// Never the same for two states of any logs.
    pub(crate) number: u64,
    pub(crate) log: Log,
    /// From 1; rises with each new state of the file.
    pub(crate) generation: u64,
    /// The game, if it is one of ours.
    pub(crate) game: Option<GameKind>,
    stamp: Option<Stamp>,
}

/// What tells that a file is another than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl Opened {
    pub(crate) fn open(path: &Path, other_names: &[String], generation: u64) -> gt_log::Result<Self> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        // Before the log is read: what is written meanwhile is a new state.
        let stamp = Stamp::of(path);
        let mut log = Log::open(path)?;
        other_names.iter().try_for_each(|pairs| log.set_other_names(pairs))?;
        let game = log.game().parse().ok();
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Ok(Self { number, log, generation, game, stamp })
    }

    /// A log in memory.
    #[cfg(test)]
    pub(crate) fn in_memory(log: Log) -> Self {
        static OPENED: AtomicU64 = AtomicU64::new(1 << 32);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Self { number, log, generation: 1, game: None, stamp: None }
    }

    /// Whether the log is being written, or was cut off.
    pub(crate) fn is_growing(&self) -> bool {
        self.log.condition().index == IndexState::Missing
    }

    /// How its moves are written.
    pub(crate) fn notation(&self) -> Notation<'_> {
        Notation::new(self.game, &self.log)
    }

    /// The position at a tree's root, or a sentence that says which key of the metadata is missing or wrong.
    pub(crate) fn root_position(&self, tree: Tree<'_>) -> Followed {
        gt_picture::position::root(&self.log, tree)
    }

    /// What writes the moves of a tree down as players do, where they do so in a way of their own and the position is
    /// known.
    pub(crate) fn scribe(&self, tree: Tree<'_>) -> Option<Scribe> {
        let is_written = self.game.is_some_and(GameKind::has_written_moves);
        is_written.then(|| self.root_position(tree).ok()).flatten().map(Scribe::new)
    }

    pub(crate) fn tree(&self, tree: usize) -> Answer<Tree<'_>> {
        Ok(self.log.tree(tree)?)
    }

    pub(crate) fn nodes<'a>(&'a self, tree: Tree<'a>, blocks: &'a Blocks, cancel: &'a Cancel) -> Nodes<'a> {
        Nodes::new(tree, blocks, self.number, cancel)
    }
}

/// A log on the shelf.
pub(crate) struct Shown {
    pub(crate) path: PathBuf,
    /// What attributes and aliases are called beside their names, in every state of the file.
    other_names: Vec<String>,
    state: RwLock<State>,
}

struct State {
    opened: Arc<Opened>,
    /// The state of the file that could not be opened, and why.
    failed: Option<(Option<Stamp>, String)>,
}

impl Shown {
    pub(crate) fn open(path: &Path, other_names: &[String]) -> gt_log::Result<Self> {
        let opened = Arc::new(Opened::open(path, other_names, 1)?);
        let state = RwLock::new(State { opened, failed: None });
        Ok(Self { path: path.to_owned(), other_names: other_names.to_vec(), state })
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    pub(crate) fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner).opened)
    }

    /// Why the file as it is now could not be opened.
    pub(crate) fn problem(&self) -> Option<String> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.failed.as_ref().map(|(_, sentence)| sentence.clone())
    }

    /// Opens the log again if its file has changed; the new generation, if there is one.
    pub(crate) fn refresh(&self) -> Option<u64> {
        let now = Stamp::of(&self.path);
        let (generation, seen) = {
            let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
            let seen = state.failed.as_ref().map_or(state.opened.stamp, |(stamp, _)| *stamp);
            (state.opened.generation + 1, seen)
        };
        if now == seen {
            return None;
        }
        let opened = Opened::open(&self.path, &self.other_names, generation);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        match opened {
            Ok(opened) => *state = State { opened: Arc::new(opened), failed: None },
            Err(error) => {
                let sentence =
                    format!("the file as it is now cannot be opened ({error}); this is its last good state");
                state.failed = Some((now, sentence));
            }
        }
        Some(state.opened.generation)
    }
}

/// All logs that are shown, by numbers from 0 that stay theirs.
pub(crate) struct Logs {
    /// A log that was taken away leaves its place empty.
    places: RwLock<Vec<Option<Arc<Shown>>>>,
    pub(crate) blocks: Blocks,
}

/// What is kept of decoded blocks at least, and at most.
const KEPT_BYTES_MIN: u64 = 4 << 20;
const KEPT_BYTES_MAX: u64 = 128 << 20;
/// What is kept where logs come one by one, and nobody knows how large they will be.
const KEPT_BYTES_OF_A_GAME: usize = 32 << 20;

impl Logs {
    pub(crate) fn new(shown: Vec<Shown>) -> Self {
        let nodes: u64 = shown.iter().map(|shown| nodes_of(&shown.opened().log)).sum();
        // A small part of what a viewer may take beside the file: what is read again and again are cells.
        let bytes = (nodes / 4).clamp(KEPT_BYTES_MIN, KEPT_BYTES_MAX);
        let places = shown.into_iter().map(|shown| Some(Arc::new(shown))).collect();
        Self { places: RwLock::new(places), blocks: Blocks::new(bytes as usize) }
    }

    /// No log yet: those of a game come as it is played.
    pub(crate) fn of_a_game() -> Self {
        Self { places: RwLock::default(), blocks: Blocks::new(KEPT_BYTES_OF_A_GAME) }
    }

    pub(crate) fn get(&self, log: usize) -> Answer<Arc<Shown>> {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        match places.get(log) {
            Some(Some(shown)) => Ok(Arc::clone(shown)),
            Some(None) => {
                Err(Refusal::new(Kind::Gone, format!("log {log} was dropped for later ones")).at("log"))
            }
            None => {
                let count = places.len();
                let sentence = format!("there is no log {log}: {count} were given, numbered from 0");
                Err(Refusal::missing("log", sentence))
            }
        }
    }

    /// The logs that are there, with their numbers.
    pub(crate) fn all(&self) -> Vec<(usize, Arc<Shown>)> {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        places
            .iter()
            .enumerate()
            .filter_map(|(log, shown)| Some((log, Arc::clone(shown.as_ref()?))))
            .collect()
    }

    /// Shows one more log; its number.
    pub(crate) fn add(&self, shown: Shown) -> usize {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        places.push(Some(Arc::new(shown)));
        places.len() - 1
    }

    /// Shows a log no more. Its file is closed once no request reads it.
    pub(crate) fn take_away(&self, log: usize) {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get_mut(log) {
            *place = None;
        }
    }
}

fn nodes_of(log: &Log) -> u64 {
    log.trees().map(|tree| tree.nodes()).sum()
}
