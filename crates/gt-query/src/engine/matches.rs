//! The matches of a query as rows of the log, and their node_ids, computed when read.
//!
//! ```text
//! scan ──▶ rows of block 0, 1, 2 …     a bit for each row, as the scan has found them
//!            └──sizes, plies──▶ node_ids, ascending     all of them, or block by block as far as they are asked for
//! ```
//!
//! A scan for matches reads the columns that the query names. Their node_ids also need the sizes of all subtrees,
//! which can take longer than the query. A caller that needs only their number, or the first few, does not pay for
//! that.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use gt_log::Tree;

use super::bits::{BlockRows, Collecting, Marks, NodeSet};
use super::crossing::{JointId, Skeleton, damaged};
use super::parallel::{self, check};
use super::scan::{BlockIds, ShapeRoom, ids_of_rows, rows_of_closed};
use super::{Failure, Options};

/// The nodes that match a query.
///
/// ```
/// use gt_log::{Artificial, Log, LogWriter, Options, Shape};
/// use gt_query::{Environment, compile, engine};
///
/// let writer = LogWriter::to_memory(Artificial::header()?)?;
/// Artificial { shape: Shape::Full, depth: 4, branching: 3, seed: 1 }.write(&writer, Options::default(), |_| {})?;
/// let log = Log::from_bytes(writer.into_memory()?)?;
/// let program = compile("node: @ply = 1", &Environment::new(log.schema())).unwrap();
/// let options = engine::Options::default();
/// let mut findings = engine::find(&program, log.tree(0)?, &options)?;
/// let Ok(engine::Finding::Matches(matches)) = findings.found.remove(0) else { panic!("it asks for nodes") };
/// assert_eq!(matches.count(), 3);
/// assert_eq!(matches.first(2, &options)?, [1, 41]);
/// assert_eq!(matches.ids(&options)?.iter().collect::<Vec<u64>>(), [1, 41, 81]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matches<'t> {
    tree: Tree<'t>,
    count: u64,
    /// The matching rows by block, if a scan has found them.
    rows: Vec<BlockRows>,
    /// The matches that were found with their ids.
    ids: NodeSet,
}

impl<'t> Matches<'t> {
    pub(super) fn new(tree: Tree<'t>, count: u64, rows: Vec<BlockRows>, ids: NodeSet) -> Self {
        Self { tree, count, rows, ids }
    }

    /// Returns the number of matches.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the node_ids of all matches, as a set.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
    pub fn ids(&self, options: &Options<'_>) -> Result<NodeSet, Failure> {
        let ids = collect(self.tree, &self.ids, self.rows.len(), options, |skeleton, room, block| {
            ids_of_rows(self.tree, skeleton, room, block, self.rows(block))
        })?;
        as_many(self.tree, self.count, ids)
    }

    /// Like [`Matches::ids`], reusing the memory of the rows.
    ///
    /// # Errors
    /// Returns the errors of [`Matches::ids`].
    pub fn into_ids(self, options: &Options<'_>) -> Result<NodeSet, Failure> {
        let rows: Vec<Mutex<BlockRows>> = self.rows.into_iter().map(Mutex::new).collect();
        let ids = collect(self.tree, &self.ids, rows.len(), options, |skeleton, room, block| {
            let rows = std::mem::take(&mut *rows[block].lock().unwrap_or_else(PoisonError::into_inner));
            ids_of_rows(self.tree, skeleton, room, block, &rows)
        })?;
        as_many(self.tree, self.count, ids)
    }

    /// Returns the smallest node_ids, at most `count`, ascending.
    ///
    /// # Errors
    /// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
    pub fn first(&self, count: usize, options: &Options<'_>) -> Result<Vec<u64>, Failure> {
        self.iter(options).take(count).collect()
    }

    /// Iterates over the node_ids, ascending; blocks are read on demand, and nothing is collected. An error ends the
    /// iteration.
    #[must_use]
    pub fn iter<'m>(&'m self, options: &Options<'m>) -> Iter<'m, 't> {
        let (skeleton, failed) = match Skeleton::of(self.tree) {
            Ok(skeleton) => (skeleton, None),
            Err(failure) => (Skeleton::default(), Some(failure)),
        };
        Iter {
            matches: self,
            cancel: options.cancel,
            failed,
            given: 0,
            last: None,
            closing: skeleton.closing_places(),
            skeleton,
            room: ShapeRoom::default(),
            block: 0,
            joint: 0,
            closed_rows: HashMap::new(),
            ready: Vec::new().into_iter(),
            later: Vec::new(),
        }
    }

    fn rows(&self, block: usize) -> &BlockRows {
        self.rows.get(block).unwrap_or(&BlockRows::None)
    }
}

/// The ids, if their number equals that of the rows: rows share an id only if the sizes form no tree.
fn as_many(tree: Tree<'_>, count: u64, ids: NodeSet) -> Result<NodeSet, Failure> {
    if ids.count() == count { Ok(ids) } else { Err(damaged(tree, tree.nodes().saturating_sub(1))) }
}

/// Collects the findings of blocks, in parallel.
fn collect(
    tree: Tree<'_>,
    known: &NodeSet,
    blocks: usize,
    options: &Options<'_>,
    ids: impl Fn(&Skeleton, &mut ShapeRoom, usize) -> Result<BlockIds, Failure> + Sync,
) -> Result<NodeSet, Failure> {
    let skeleton = if blocks == 0 { Skeleton::default() } else { Skeleton::of(tree)? };
    let mut all = Collecting::new(tree.nodes());
    all.add_set(known);
    parallel::in_order(
        blocks,
        options.workers(),
        ShapeRoom::default,
        |room, block| ids(&skeleton, room, block),
        |_, found: BlockIds| {
            all.add(&found.list);
            all.add(&found.crossing);
            found.marks.iter().for_each(|marks| all.add_marks(marks));
            Ok(())
        },
    )?;
    Ok(all.finish())
}

/// The node_ids of matches, ascending.
///
/// Inner nodes of a block have ids from its first row on. Crossing nodes have smaller ids than their block's, so they
/// are looked up at the blocks to which their ids belong.
pub struct Iter<'m, 't> {
    matches: &'m Matches<'t>,
    cancel: Option<&'m AtomicBool>,
    /// The reason why there are no ids at all.
    failed: Option<Failure>,
    /// The number of ids returned, and the last of them.
    given: u64,
    last: Option<u64>,
    skeleton: Skeleton,
    room: ShapeRoom,
    /// The next block.
    block: usize,
    /// The next crossing node; they are in the order of their ids.
    joint: JointId,
    /// For each crossing node, the block in which it is closed, and its index among those closed there.
    closing: Vec<(usize, usize)>,
    /// For a block, the rows of the crossing nodes that are closed in it.
    closed_rows: HashMap<usize, Vec<usize>>,
    ready: std::vec::IntoIter<u64>,
    /// Ids that belong to later blocks.
    later: Vec<u64>,
}

impl Iterator for Iter<'_, '_> {
    type Item = Result<u64, Failure>;

    fn next(&mut self) -> Option<Result<u64, Failure>> {
        match self.next_id() {
            Ok(id) => id.map(Ok),
            Err(failure) => {
                self.ready = Vec::new().into_iter();
                self.block = self.matches.tree.block_count();
                self.given = self.matches.count;
                Some(Err(failure))
            }
        }
    }
}

impl Iter<'_, '_> {
    fn next_id(&mut self) -> Result<Option<u64>, Failure> {
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        let tree = self.matches.tree;
        loop {
            if let Some(id) = self.ready.next() {
                // An id that comes twice, or is beyond the tree, comes from sizes that form no tree.
                if self.last.is_some_and(|last| last >= id) || id >= tree.nodes() {
                    return Err(damaged(tree, id));
                }
                (self.last, self.given) = (Some(id), self.given + 1);
                return Ok(Some(id));
            }
            if self.block == tree.block_count() {
                let all = self.given == self.matches.count;
                return if all { Ok(None) } else { Err(damaged(tree, tree.nodes().saturating_sub(1))) };
            }
            check(self.cancel)?;
            self.read_block()?;
        }
    }

    /// Prepares the ids that belong to the next block.
    fn read_block(&mut self) -> Result<(), Failure> {
        let (block, tree) = (self.block, self.matches.tree);
        let head = tree.block(block);
        let is_last = block + 1 == tree.block_count();
        let (first, end) = (head.first_row, if is_last { u64::MAX } else { head.end_row() });
        let mut ids = std::mem::take(&mut self.later);
        let rows = self.matches.rows(block);
        let found = ids_of_rows(tree, &self.skeleton, &mut self.room, block, rows)?;
        // Crossing nodes among these ids have already been looked up.
        ids.extend(found.list);
        ids.extend(found.marks.iter().flat_map(Marks::ids));
        let known = &self.matches.ids;
        ids.extend(known.slice(known.rank(first)..known.rank(end)));
        while let Some(joint) = self.skeleton.joints.get(self.joint).filter(|joint| joint.node_id() < end) {
            let id = joint.node_id();
            if self.crossing_matches(self.joint)? {
                ids.push(id);
            }
            self.joint += 1;
        }
        ids.sort_unstable();
        self.later = ids.split_off(ids.partition_point(|id| *id < end));
        self.ready = ids.into_iter();
        // Nodes closed here began earlier, so most have been looked up; for others the block is read again.
        self.closed_rows.remove(&block);
        self.block += 1;
        Ok(())
    }

    /// Whether a crossing node is among the rows that match.
    fn crossing_matches(&mut self, joint: JointId) -> Result<bool, Failure> {
        let (block, place) = self.closing[joint];
        let (tree, skeleton, room) = (self.matches.tree, &self.skeleton, &mut self.room);
        match self.matches.rows(block) {
            BlockRows::None => Ok(false),
            BlockRows::All => Ok(true),
            rows => {
                let closed = match self.closed_rows.entry(block) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => entry.insert(rows_of_closed(tree, skeleton, room, block)?),
                };
                Ok(closed.get(place).is_some_and(|&row| rows.contains(row)))
            }
        }
    }
}
