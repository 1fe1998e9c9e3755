//! The observer that writes a log.

use gt_log::{Error, LogWriter, Marks, Metadata, Options, Record as _, Result, TreeWriter};
use gt_search::{Ended, EntryRecord, Observer, Record};

use crate::{Extras, NULL_MOVE, Node, TreeLabels};

/// Writes a search into a log with [`header`](crate::header): a tree for each iteration, and one more for each root
/// that is searched again with another window.
///
/// A log that can no longer be written never stops the search; [`Recorder::finish`] returns the error.
pub struct Recorder<'a> {
    log: &'a LogWriter,
    metadata: Metadata,
    tree: Option<TreeWriter>,
    extras: Extras,
    /// Whether there are any: most logs have none, and their nodes ask this once.
    has_extras: bool,
    /// The keys of the open nodes, if keys are requested.
    keys: Vec<u64>,
    labels: TreeLabels,
    background: bool,
    error: Option<Error>,
    /// Whether the system refused to write: nothing more is tried.
    is_off: bool,
    on_error: Option<OnError<'a>>,
}

type OnError<'a> = Box<dyn FnMut(&Error) + Send + 'a>;

impl<'a> Recorder<'a> {
    /// Makes a recorder whose trees all carry this metadata, beside their `nominal_depth`. It assumes that
    /// the search has one thread; see [`Recorder::searching_threads`].
    #[must_use]
    pub fn new(log: &'a LogWriter, metadata: Metadata) -> Self {
        let background = has_more_cores_than(1);
        Self {
            log,
            metadata,
            tree: None,
            extras: Extras::default(),
            has_extras: false,
            keys: Vec::new(),
            labels: TreeLabels::default(),
            background,
            error: None,
            is_off: false,
            on_error: None,
        }
    }

    /// Sets the attributes that the log has beside those of every search: the extras of its
    /// [`header_with`](crate::header_with).
    #[must_use]
    pub fn with(mut self, extras: Extras) -> Self {
        self.extras = extras;
        self.has_extras = extras != Extras::default();
        self
    }

    /// Sets the number of threads that search at once: nodes are encoded [in the
    /// background](TreeWriter::background) if the machine has more cores than that.
    #[must_use]
    pub fn searching_threads(self, count: usize) -> Self {
        self.background(has_more_cores_than(count))
    }

    /// Sets whether nodes are encoded in the background, whatever the number of cores.
    #[must_use]
    pub fn background(mut self, background: bool) -> Self {
        self.background = background;
        self
    }

    /// Calls `tell` with the first error, as soon as it occurs: a search can be long, and a disk can fill up
    /// early.
    #[must_use]
    pub fn on_error(mut self, tell: impl FnMut(&Error) + Send + 'a) -> Self {
        self.on_error = Some(Box::new(tell));
        self
    }

    /// Ends the last tree, and returns the first error that occurred, if any.
    pub fn finish(mut self) -> Result<()> {
        self.end_tree();
        self.error.take().map_or(Ok(()), Err)
    }

    fn end_tree(&mut self) {
        if let Some(tree) = self.tree.take() {
            let ended = tree.finish().map(|_| ());
            self.keep(ended);
        }
    }

    #[inline(never)]
    fn enter_with_extras(&mut self, code: i64, node: Node, key: u64) -> Result<()> {
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let extras = self.extras;
        if extras.key {
            self.keys.push(key);
        }
        tree.enter_with(code, |_, row| {
            node.store(row);
            extras.store(key, None, &[], row);
            Ok(())
        })
    }

    #[inline(never)]
    fn leave_with_extras(&mut self, record: &Record, values: &[i32]) -> Result<()> {
        let Some(tree) = &mut self.tree else { return Ok(()) };
        let extras = self.extras;
        let key = if extras.key { self.keys.pop().unwrap_or_default() } else { 0 };
        tree.leave_marked(marks_of(record), |_, row| {
            Node::from(record).store(row);
            extras.store(key, record.table_depth, values, row);
            Ok(())
        })
    }

    #[cold]
    fn begin_tree(&mut self) {
        self.end_tree();
        let metadata = self.labels.next_root(&self.metadata);
        match self.log.dynamic_tree(&metadata, Options::default()) {
            Ok(tree) => self.tree = Some(tree.background(self.background)),
            Err(error) => self.keep(Err(error)),
        }
    }

    #[cold]
    fn keep(&mut self, outcome: Result<()>) {
        let Err(error) = outcome else { return };
        self.is_off |= matches!(error, Error::Io(_) | Error::Closed);
        if self.error.is_none() {
            if let Some(tell) = &mut self.on_error {
                tell(&error);
            }
            self.error = Some(error);
        }
    }
}

/// A node in which the search was stopped is unfinished.
fn marks_of(record: &Record) -> Marks {
    Marks { unfinished: record.ended == Ended::Stopped, left_out: 0 }
}

fn has_more_cores_than(threads: usize) -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > threads)
}

impl<M> Observer<M> for Recorder<'_> {
    fn begin(&mut self, depth: i16) {
        self.end_tree();
        self.labels.begin(depth);
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        self.end_tree();
        self.labels.begin_line(depth, line);
    }

    fn enter(&mut self, last_move: Option<M>) {
        self.enter_known(last_move, EntryRecord::default, || 0, || 0);
    }

    #[inline]
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        if !self.tree.as_ref().is_some_and(TreeWriter::has_open_nodes) {
            if self.is_off {
                return;
            }
            self.begin_tree();
        }
        let Some(tree) = &mut self.tree else { return };
        let code = match last_move {
            Some(_) => code(),
            None if tree.has_open_nodes() => NULL_MOVE,
            None => 0,
        };
        let node = Node::from(&known());
        let entered = if self.has_extras {
            let key = if self.extras.key { key() } else { 0 };
            self.enter_with_extras(code, node, key)
        } else {
            tree.enter_with(code, |_, row| {
                node.store(row);
                Ok(())
            })
        };
        if let Err(error) = entered {
            self.keep(Err(error));
        }
    }

    #[inline]
    fn leave(&mut self, record: &Record) {
        Observer::<M>::leave_valued(self, record, &[]);
    }

    #[inline]
    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        let Some(tree) = &mut self.tree else { return };
        let left = if self.has_extras {
            self.leave_with_extras(record, values)
        } else {
            tree.leave_marked(marks_of(record), |_, row| {
                Node::from(record).store(row);
                Ok(())
            })
        };
        if let Err(error) = left {
            self.keep(Err(error));
        }
    }
}
