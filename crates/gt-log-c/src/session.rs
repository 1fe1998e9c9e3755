//! What a handle is doing: which file, which tree, and with what settings the next one begins.
//!
//! ```text
//! target   Closed ──open──▶ File ──close──▶ Closed          PerTree: a file begins and ends with each tree
//! stage    Idle ──open_tree or enter──▶ Tree ──close_tree──▶ Idle
//!                         │ switched off ▶ Off       │ the system refuses ▶ Failed
//! ```
//!
//! Attached queries are fed beside the log, whatever its stage: see `watched`.
//!
//! **Invariant:** a tree is being written only into the file that is open.

mod log_file;
pub(crate) mod metadata;
mod settings;
mod target;
mod watched;

use gt_log::{Dynamic, Error, Header, Metadata, TreeWriter};

use self::log_file::LogFile;
pub(crate) use self::settings::{Callback, Settings, TriggerSetting};
use self::target::Target;
use crate::boundary::Fault;
use crate::file_name::FileName;
use crate::plan::Plan;
use crate::queries::Queries;

pub(crate) struct Session {
    stage: Stage,
    plan: Plan,
    target: Target,
    header: Header,
    /// For the tree that is open (written when it ends), or else for the next one.
    metadata: Metadata,
    pub(crate) settings: Settings,
    /// Trees begun since the file was named, logged or not; it numbers the files.
    trees: u64,
    /// Nothing where no query is attached, so that calls at nodes look no further.
    queries: Option<Box<Queries>>,
    /// Whether the engine is in a tree, also where nothing can be written.
    is_in_tree: bool,
}

enum Stage {
    Idle,
    Tree(TreeWriter<Dynamic>),
    /// A tree that was opened while logging was switched off, or for queries only.
    Off,
    /// The system refused to write, or the library failed.
    Failed,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nodes that are still open are an error.
    Finished,
    /// Nodes may be open.
    BrokenOff,
}

impl Session {
    pub(crate) fn new(header: Header, plan: Plan) -> Self {
        Self {
            stage: Stage::Idle,
            plan,
            target: Target::Closed,
            header,
            metadata: Metadata::new(),
            settings: Settings::default(),
            trees: 0,
            queries: None,
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

    #[cold]
    fn enter_without_tree(&mut self, last_move: i64) -> Result<(), Fault> {
        match self.stage {
            Stage::Off => Ok(()),
            Stage::Failed if self.is_in_tree => Err(Fault::still_off()),
            Stage::Failed => Fault::first(Err(Fault::still_off()), self.begin_watching()),
            Stage::Idle | Stage::Tree(_) => {
                let begun = self.begin_tree();
                match self.stage {
                    Stage::Tree(_) | Stage::Off => Fault::first(self.enter_log(last_move), begun),
                    Stage::Idle | Stage::Failed => begun,
                }
            }
        }
    }

    /// Leaves a node; with no record, its attributes are not known.
    ///
    /// # Safety
    /// The record is NULL or as the descriptor says (see [`Plan::store`]).
    #[inline(always)]
    pub(crate) unsafe fn leave(&mut self, record: *const u8) -> Result<(), Fault> {
        if self.queries.is_some() {
            // SAFETY: by the caller's word.
            return unsafe { self.leave_watched(record) };
        }
        // SAFETY: by the caller's word.
        unsafe { self.leave_log(record) }
    }

    /// # Safety
    /// As for [`Session::leave`].
    #[inline(always)]
    unsafe fn leave_log(&mut self, record: *const u8) -> Result<(), Fault> {
        let Stage::Tree(tree) = &mut self.stage else { return self.leave_without_tree() };
        let left = if record.is_null() && !self.plan.is_empty() {
            tree.leave_unfinished()
        } else {
            let plan = &self.plan;
            // SAFETY: by the caller's word; a plan without steps reads nothing, so NULL will do then.
            tree.leave_with(|_, row| unsafe { plan.store(record, row) })
        };
        left.map_err(|error| self.settle_leave(error))
    }

    #[cold]
    fn leave_without_tree(&mut self) -> Result<(), Fault> {
        match self.stage {
            Stage::Off => Ok(()),
            Stage::Failed => Err(Fault::still_off()),
            Stage::Idle | Stage::Tree(_) => Err(Fault::order(
                "a node was left while no tree is open; each gtl_exitNode needs its gtl_enterNode",
            )),
        }
    }

    /// A node whose record is wrong has been left all the same.
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

    /// Names the file that is written from now on; what was written before is closed.
    pub(crate) fn open(&mut self, name: FileName) -> Result<(), Fault> {
        let closed = self.close();
        self.trees = 0;
        match name {
            FileName::PerTree(pattern) => self.target = Target::PerTree(pattern, None),
            FileName::One(path) if !self.settings.is_enabled => self.target = Target::Named(path),
            FileName::One(path) => self.target = Target::File(self.create_file(path)?),
        }
        closed.or_else(Fault::unless_reported)
    }

    /// Closes the tree and the file that are open, if any.
    pub(crate) fn close(&mut self) -> Result<(), Fault> {
        let closed = match self.stage {
            Stage::Idle => Ok(()),
            _ => self.close_tree(Ending::Finished),
        };
        let has_failed = matches!(self.stage, Stage::Failed);
        self.stage = Stage::Idle;
        self.is_in_tree = false;
        self.metadata = Metadata::new();
        match std::mem::replace(&mut self.target, Target::Closed) {
            Target::File(file) if !has_failed => closed.and(file.finish()),
            _ => closed,
        }
    }

    /// Begins a tree; one that is open is closed first.
    pub(crate) fn open_tree(&mut self, metadata: &Metadata) -> Result<(), Fault> {
        let closed = match self.stage {
            Stage::Idle => Ok(()),
            // What was said is about the tree that begins now.
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

    /// Ends the tree that is open, and its file where that is its own.
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
                Ending::Finished => tree.finish_with(&metadata),
                Ending::BrokenOff => tree.abandon(&metadata),
            }
            .map(drop)
            .map_err(|error| self.settle(error)),
        };
        let Target::PerTree(_, file) = &mut self.target else { return ended };
        let file = file.take();
        match std::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Failed => ended,
            _ => ended.and(file.map_or(Ok(()), LogFile::finish)),
        }
    }

    /// Sends what was logged to the file.
    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        match &mut self.stage {
            Stage::Tree(tree) => tree.flush().map_err(|error| self.settle(error)),
            Stage::Failed => Err(Fault::still_off()),
            Stage::Idle | Stage::Off => Ok(()),
        }
    }

    /// Whether nodes are being recorded or watched, or would be.
    pub(crate) fn is_on(&self) -> bool {
        if self.is_watching() {
            return true;
        }
        match &self.stage {
            Stage::Tree(tree) => tree.is_on(),
            Stage::Off | Stage::Failed => false,
            Stage::Idle => self.settings.is_enabled && !matches!(self.target, Target::Closed),
        }
    }

    /// Says something about the tree that is open, or else about the next one.
    pub(crate) fn set_metadata(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        metadata::set(&mut self.metadata, key, value)
    }

    /// After a panic: nothing that was being written is touched again.
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
        self.trees += 1;
        if !self.settings.is_enabled || !has_target {
            self.stage = Stage::Off;
            return Ok(());
        }
        self.make_file()?;
        let (Target::File(file) | Target::PerTree(_, Some(file))) = &mut self.target else {
            return Err(Fault::still_off());
        };
        file.is_fresh = false;
        let tree = file.log.dynamic_tree(&metadata, self.settings.options());
        self.stage = Stage::Tree(tree.map_err(|error| self.settle(error))?);
        Ok(())
    }

    /// Turns logging off when the system refuses to write; other errors concern one call.
    #[cold]
    fn settle(&mut self, error: Error) -> Fault {
        if !matches!(error, Error::Io(_) | Error::Closed) {
            return error.into();
        }
        self.stage = Stage::Failed;
        let (Target::File(file) | Target::PerTree(_, Some(file))) = &self.target else { return error.into() };
        file.ended_early(&error)
    }
}
