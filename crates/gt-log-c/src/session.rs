//! The state of a handle: the file, the tree, and the settings for the next tree.
//!
//! ```text
//! target   Closed ──open──▶ One ──close──▶ Closed           PerTree: a file begins and ends with each tree
//! stage    Idle ──open_tree or enter──▶ Tree ──close_tree──▶ Idle     with add_node: Tree ▶ Grown
//!                         │ switched off ▶ Off       │ the system refuses ▶ Failed
//! ```
//!
//! Attached queries are fed beside the log, at any stage: see `watched`.
//!
//! **Invariant:** a tree is written only into the open file.

mod adding;
mod files;
mod grown;
mod log_file;
pub(crate) mod metadata;
mod settings;
mod target;
mod watched;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gt_log::{Dynamic, Error, Header, Lane, Metadata, TreeWriter};

use self::grown::Grown;
use self::log_file::{MoveNames, SharedFile, ended_early};
pub(crate) use self::settings::{Callback, IfThere, Settings, TriggerSetting};
use self::target::Target;
use crate::boundary::Fault;
pub(crate) use crate::ending::Ending;
use crate::file_name::FileName;
use crate::plan::{Copies, Plan};
use crate::queries::Queries;

/// Between two nodes, the engine pushes the session out of the nearest cache, so the fields that every node needs are adjacent.
#[repr(C, align(64))]
pub(crate) struct Session {
    stage: Stage,
    /// `None` if no query is attached, so that calls at nodes check no further.
    queries: Option<Box<Queries>>,
    knows_at_entry: bool,
    plan: Plan,
    target: Target,
    header: Header,
    /// The metadata of the open tree (written when it ends), or else of the next one.
    metadata: Metadata,
    /// Names of moves still to be written; with a file per tree, all names.
    names: MoveNames,
    pub(crate) settings: Settings,
    /// The number of trees begun since the file was named, logged or not, by all handles that share it; it numbers
    /// the files.
    trees: Arc<AtomicU64>,
    /// Whether the engine is in a tree, even if nothing can be written.
    is_in_tree: bool,
}

enum Stage {
    Idle,
    Tree(TreeWriter<Dynamic>),
    /// A tree whose nodes are added in any order.
    Grown(Box<Grown>),
    /// A tree opened while logging was switched off, or for queries only.
    Off,
    /// The system refused to write, or the library failed.
    Failed,
}

impl Session {
    pub(crate) fn new(header: Header, plan: Plan) -> Self {
        Self {
            stage: Stage::Idle,
            queries: None,
            knows_at_entry: plan.knows_at_entry(),
            plan,
            target: Target::Closed,
            header,
            metadata: Metadata::new(),
            names: MoveNames::new(),
            settings: Settings::default(),
            trees: Arc::default(),
            is_in_tree: false,
        }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self, last_move: i64) -> Result<(), Fault> {
        if self.queries.is_some() {
            return self.enter_watched(last_move);
        }
        self.enter_log(last_move)
    }

    #[inline(always)]
    fn enter_log(&mut self, last_move: i64) -> Result<(), Fault> {
        match &mut self.stage {
            Stage::Tree(tree) => tree.enter(last_move).map_err(|error| self.settle(error)),
            _ => self.enter_without_tree(last_move),
        }
    }

    /// Enters a node with its known values; without a record, with none.
    ///
    /// # Safety
    /// The record is NULL or matches the descriptor, in the attributes that are known at entry.
    #[inline(always)]
    pub(crate) unsafe fn enter_with(&mut self, last_move: i64, record: *const u8) -> Result<(), Fault> {
        if record.is_null() || !self.knows_at_entry {
            return self.enter(last_move);
        }
        if self.queries.is_some() {
            // SAFETY: the record is NULL or matches the descriptor (caller).
            return unsafe { self.enter_watched_with(last_move, record) };
        }
        // SAFETY: the record is NULL or matches the descriptor (caller).
        unsafe { self.enter_log_with(last_move, record) }
    }

    /// # Safety
    /// The record is as [`Session::enter_with`] requires.
    #[inline(always)]
    unsafe fn enter_log_with(&mut self, last_move: i64, record: *const u8) -> Result<(), Fault> {
        if let (Stage::Tree(tree), Some(copies)) = (&mut self.stage, self.plan.copies()) {
            // SAFETY: the record is not NULL here, and matches the descriptor (caller).
            let fill = |row: &mut [u8]| unsafe { copies.copy_at_entry(record, row) };
            let entered = tree.enter_filled(last_move, copies.missing_at_entry(), fill);
            return entered.map_err(|error| self.settle(error));
        }
        // SAFETY: the record is NULL or matches the descriptor (caller).
        unsafe { self.enter_log_with_texts(last_move, record) }
    }

    /// Enters a node whose record cannot be copied by its bytes, or while no tree is open.
    ///
    /// # Safety
    /// As for [`Session::enter_with`].
    #[inline(never)]
    unsafe fn enter_log_with_texts(&mut self, last_move: i64, record: *const u8) -> Result<(), Fault> {
        if matches!(self.stage, Stage::Idle) {
            self.begin_tree()?;
        }
        let Stage::Tree(tree) = &mut self.stage else { return self.enter_without_tree(last_move) };
        let plan = &self.plan;
        // SAFETY: the record is NULL or matches the descriptor (caller).
        let entered = tree.enter_with(last_move, |_, row| unsafe { plan.store_at_entry(record, row) });
        entered.map_err(|error| self.settle(error))
    }

    #[cold]
    fn enter_without_tree(&mut self, last_move: i64) -> Result<(), Fault> {
        match self.stage {
            Stage::Off => Ok(()),
            Stage::Failed if self.is_in_tree => Err(Fault::still_off()),
            Stage::Failed => Fault::first(Err(Fault::still_off()), self.begin_watching()),
            Stage::Grown(_) => Err(grown::not_depth_first("gtl_enterNode")),
            Stage::Idle | Stage::Tree(_) => {
                let begun = self.begin_tree();
                match self.stage {
                    Stage::Tree(_) | Stage::Off => Fault::first(self.enter_log(last_move), begun),
                    Stage::Idle | Stage::Failed | Stage::Grown(_) => begun,
                }
            }
        }
    }

    /// Leaves a node; without a record, its attributes are unknown.
    ///
    /// # Safety
    /// The record is NULL or matches the descriptor (see [`Plan::store`]).
    #[inline(always)]
    pub(crate) unsafe fn leave(&mut self, record: *const u8) -> Result<(), Fault> {
        if self.queries.is_some() {
            // SAFETY: the record is NULL or matches the descriptor (caller).
            return unsafe { self.leave_watched(record) };
        }
        // SAFETY: the record is NULL or matches the descriptor (caller).
        unsafe { self.leave_log(record) }
    }

    /// # Safety
    /// As for [`Session::leave`].
    #[inline(always)]
    unsafe fn leave_log(&mut self, record: *const u8) -> Result<(), Fault> {
        let Stage::Tree(tree) = &mut self.stage else { return self.leave_without_tree() };
        let plan = &self.plan;
        let left = match plan.copies() {
            _ if record.is_null() && !plan.is_empty() => tree.leave_unfinished(),
            // SAFETY: the record is NULL or matches the descriptor (caller); NULL occurs only with a plan without
            // steps, which reads nothing.
            Some(copies) => tree.leave_filled(|row| unsafe { copies.copy(record, row) }),
            // SAFETY: the record matches the descriptor (caller): it has a text, and is not NULL.
            None => tree.leave_with(|_, row| unsafe { plan.store(record, row) }),
        };
        left.map_err(|error| self.settle_leave(error))
    }

    #[cold]
    fn leave_without_tree(&mut self) -> Result<(), Fault> {
        match self.stage {
            Stage::Off => Ok(()),
            Stage::Failed => Err(Fault::still_off()),
            Stage::Grown(_) => Err(grown::not_depth_first("gtl_exitNode")),
            Stage::Idle | Stage::Tree(_) => Err(Fault::order(
                "a node was left while no tree is open; each gtl_exitNode needs its gtl_enterNode",
            )),
        }
    }

    /// The fault for a wrong record; the node has been left in any case.
    #[cold]
    fn settle_leave(&mut self, error: Error) -> Fault {
        if matches!(error, Error::WrongRecord { .. })
            && let Stage::Tree(tree) = &mut self.stage
            && let Err(worse) = tree.leave_unfinished()
        {
            return self.settle(worse);
        }
        self.settle(error)
    }

    /// Names the file to write from now on, and closes the one before.
    pub(crate) fn open(&mut self, name: FileName) -> Result<(), Fault> {
        let closed = self.close();
        self.trees = Arc::default();
        match name {
            FileName::PerTree(pattern) => self.target = Target::PerTree(pattern, None),
            FileName::One(path) => {
                let file = SharedFile::named(path);
                // If switched off, it is created when it is needed.
                if self.settings.is_enabled {
                    let made = file.make(&self.header, self.settings.existing);
                    made.inspect_err(|_| self.stage = Stage::Failed)?;
                }
                self.target = Target::One(file);
            }
        }
        closed.or_else(Fault::unless_reported)
    }

    /// Closes the open tree and file, if any.
    pub(crate) fn close(&mut self) -> Result<(), Fault> {
        let closed = match self.stage {
            Stage::Idle => Ok(()),
            _ => self.close_tree(Ending::Finished),
        };
        let closed = closed.and(self.write_names());
        let has_failed = matches!(self.stage, Stage::Failed);
        self.stage = Stage::Idle;
        self.is_in_tree = false;
        self.metadata = Metadata::new();
        match std::mem::replace(&mut self.target, Target::Closed) {
            Target::One(file) if !has_failed => closed.and(file.finish()),
            _ => closed,
        }
    }

    /// Begins a tree; an open one is closed first.
    pub(crate) fn open_tree(&mut self, metadata: &Metadata) -> Result<(), Fault> {
        let closed = match self.stage {
            Stage::Idle => Ok(()),
            // The metadata belong to the tree that begins now.
            Stage::Failed if !self.is_in_tree => Err(Fault::still_off()),
            _ => self.close_tree(Ending::Finished),
        };
        metadata.iter().for_each(|(key, value)| self.metadata.set(key, value));
        if matches!(self.stage, Stage::Failed) {
            let begun = self.begin_watching();
            self.metadata = Metadata::new();
            return Fault::first(closed, begun);
        }
        self.begin_tree()?;
        closed.or_else(Fault::unless_reported)
    }

    /// Ends the open tree, and closes its file if each tree has its own.
    pub(crate) fn close_tree(&mut self, ending: Ending) -> Result<(), Fault> {
        let watched = self.end_watching(ending);
        Fault::first(self.close_logged_tree(ending), watched)
    }

    fn close_logged_tree(&mut self, ending: Ending) -> Result<(), Fault> {
        let metadata = std::mem::take(&mut self.metadata);
        let ended = match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => {
                self.metadata = metadata;
                return Err(Fault::order("no tree is open; gtl_openTree or gtl_enterNode begins one"));
            }
            Stage::Off => return Ok(()),
            Stage::Failed => {
                self.stage = Stage::Failed;
                Err(Fault::still_off())
            }
            Stage::Tree(tree) => match ending {
                Ending::Finished => tree.finish_later(&metadata),
                Ending::BrokenOff => tree.abandon_later(&metadata),
            }
            .map(drop)
            .map_err(|error| self.settle(error)),
            Stage::Grown(grown) => grown.end(&metadata).map_err(|error| self.settle(error)),
        };
        let Target::PerTree(_, file) = &mut self.target else { return ended };
        let file = file.take();
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Failed => ended,
            _ => ended.and(file.map_or(Ok(()), |file| file.finish())),
        }
    }

    /// Writes everything logged so far to the file.
    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        match &mut self.stage {
            Stage::Tree(tree) => tree.flush().map_err(|error| self.settle(error)),
            Stage::Failed => Err(Fault::still_off()),
            Stage::Idle => self.flush_ended_trees(),
            // A grown tree can still change: it is written when it is closed.
            Stage::Off | Stage::Grown(_) => Ok(()),
        }
    }

    /// The lane and the copies for calls at nodes that need no further check: into the open tree, unless queries see its nodes too.
    pub(crate) fn short_way(&mut self) -> Option<(&mut Lane, &Copies)> {
        let (Stage::Tree(tree), None, Some(copies)) = (&mut self.stage, &self.queries, self.plan.copies())
        else {
            return None;
        };
        Some((tree.lane(copies.row_bytes())?, copies))
    }

    /// Whether nodes are open in the log's tree.
    #[inline(always)]
    pub(crate) fn has_open_nodes(&self) -> bool {
        matches!(&self.stage, Stage::Tree(tree) if tree.has_open_nodes())
    }

    /// Whether calls at nodes would do nothing.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self.stage, Stage::Off) && self.queries.is_none()
    }

    /// Whether nodes are being recorded or watched, or would be.
    pub(crate) fn is_on(&self) -> bool {
        if self.is_watching() {
            return true;
        }
        match &self.stage {
            Stage::Tree(tree) => tree.is_on(),
            Stage::Grown(_) => true,
            Stage::Off | Stage::Failed => false,
            Stage::Idle => self.settings.is_enabled && !matches!(self.target, Target::Closed),
        }
    }

    /// Sets metadata of the open tree, or else of the next one.
    pub(crate) fn set_metadata(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        metadata::set(&mut self.metadata, key, value)
    }

    /// Names a move. It is written with the next tree, or when the file is closed.
    pub(crate) fn name_move(&mut self, number: i64, name: &str) -> Result<(), Fault> {
        if name.is_empty() {
            return Err(Fault::argument(format!("move {number} needs a name, and was given none")));
        }
        if name.len() > gt_log::TEXT_BYTES_MAX {
            return Err(Fault::argument(format!(
                "the name of move {number} has {} bytes, at most {} are kept",
                name.len(),
                gt_log::TEXT_BYTES_MAX
            )));
        }
        self.names.insert(number, name.to_owned());
        Ok(())
    }

    fn write_names(&mut self) -> Result<(), Fault> {
        if self.names.is_empty() || matches!(self.stage, Stage::Failed) {
            return Ok(());
        }
        let written = match &mut self.target {
            Target::Closed => Ok(false),
            Target::One(file) => file.name_moves(&self.names),
            // The next file needs them again.
            Target::PerTree(_, file) => {
                file.as_mut().map_or(Ok(()), |file| file.name_moves(&self.names)).map(|()| false)
            }
        };
        match written {
            Ok(true) => self.names.clear(),
            Ok(false) => {}
            Err(error) => return Err(self.settle(error)),
        }
        Ok(())
    }

    /// Gives up after a panic: nothing that was being written is used again.
    pub(crate) fn give_up(&mut self) {
        std::mem::forget(self.queries.take());
        std::mem::forget(std::mem::replace(&mut self.stage, Stage::Failed));
        std::mem::forget(std::mem::replace(&mut self.target, Target::Closed));
    }

    /// Begins a tree, for the log and for the queries; without a file, for the queries only.
    fn begin_tree(&mut self) -> Result<(), Fault> {
        let has_target = !matches!(self.target, Target::Closed);
        if self.settings.is_enabled && !has_target && self.queries.is_none() {
            return Err(Fault::order("no file is open; gtl_open names one, or attach a query to go without"));
        }
        let watched = self.begin_watching();
        Fault::first(self.begin_logged_tree(has_target), watched)
    }

    fn begin_logged_tree(&mut self, has_target: bool) -> Result<(), Fault> {
        let metadata = std::mem::take(&mut self.metadata);
        let number = self.trees.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.settings.is_enabled || !has_target {
            self.stage = Stage::Off;
            return Ok(());
        }
        self.make_file(number)?;
        self.write_names()?;
        let options = self.settings.options();
        let tree = match &mut self.target {
            Target::One(file) => file.tree(&metadata, options),
            Target::PerTree(_, file) => file.as_mut().map(|file| file.tree(&metadata, options)),
            Target::Closed => None,
        };
        let tree = tree.ok_or_else(Fault::still_off)?.map_err(|error| self.settle(error))?;
        self.stage = Stage::Tree(tree.background(self.settings.background));
        Ok(())
    }

    /// Turns logging off if the system refuses to write; other errors concern one call.
    #[cold]
    fn settle(&mut self, error: Error) -> Fault {
        if !matches!(error, Error::Io(_) | Error::Closed) {
            return error.into();
        }
        self.stage = Stage::Failed;
        match self.target.path() {
            Some(path) => ended_early(path, &error),
            None => error.into(),
        }
    }
}
