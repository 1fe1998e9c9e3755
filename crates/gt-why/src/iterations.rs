//! The iterations of the search that a tree belongs to, and the line in each.
//!
//! ```text
//! depth 5   tree 4 │ tree 5 │ tree 6     windows of one iteration: the last tells values and ranks,
//! depth 6   tree 7                       nodes are those of all
//! ```

use gt_log::{Log, Tree};
use gt_report::profile::{nominal_depth, searches};
use serde::Serialize;

use crate::children::Family;
use crate::error::Error;
use crate::follow::{Found, follow};
use crate::moves::Move;
use crate::node::{Ending, Node};
use crate::reader::{Reader, metadata};
use crate::score::{Bound, Score};

/// The tree of a log to explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeChoice {
    /// The tree of the last iteration that was completed with an exact value; if there is none, of the last that was
    /// completed, or else of the last. In a parallel search, only the trees of thread 0 count.
    LastComplete,
    /// The tree with this number, from 0.
    Number(usize),
}

/// An iteration of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "WhyIteration"))]
pub struct Iteration {
    /// Its nominal depth.
    pub depth: Option<i64>,
    /// The numbers of its trees: several if the root was searched with several windows.
    pub trees: Vec<usize>,
    /// Whether the search left its root in the ordinary way.
    pub complete: bool,
    /// The move that it chose.
    pub best: Option<Move>,
    /// The value of its root.
    pub value: Option<Score>,
    /// What that value proves.
    pub bound: Option<Bound>,
    /// The line's first move in it.
    pub first: Option<Occurrence>,
    /// The whole line in it; present for lines of more than one move.
    pub line: Option<Occurrence>,
}

/// A move in an iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Occurrence {
    /// The number of different moves searched before it.
    pub rank: usize,
    /// The nodes of all its visits.
    pub nodes: u64,
    /// Its value.
    pub value: Option<Score>,
    /// What the value proves.
    pub bound: Option<Bound>,
}

/// Returns the tree of a choice; it has nodes.
///
/// # Errors
/// Returns an error if the log has no such tree, or cannot be read.
pub fn tree(log: &Log, choice: TreeChoice) -> Result<Tree<'_>, Error> {
    let number = match choice {
        TreeChoice::Number(number) => number,
        TreeChoice::LastComplete => return last_complete(log),
    };
    let tree = log.tree(number)?;
    if tree.nodes() == 0 { Err(Error::EmptyTree { tree: number }) } else { Ok(tree) }
}

fn last_complete(log: &Log) -> Result<Tree<'_>, Error> {
    let is_first_thread = |tree: &Tree<'_>| metadata(log, *tree, "thread").is_none_or(|thread| thread == "0");
    let trees: Vec<Tree<'_>> = log.trees().filter(|tree| tree.nodes() > 0).collect();
    let of_first_thread: Vec<Tree<'_>> = trees.iter().copied().filter(is_first_thread).collect();
    let trees = if of_first_thread.is_empty() { trees } else { of_first_thread };
    let mut finished = None;
    for &tree in trees.iter().rev() {
        let root = root_of(&mut Reader::new(log, tree))?;
        if root.is_finished() && root.bound().is_none_or(|bound| bound == Bound::Exact) {
            return Ok(tree);
        }
        if root.is_finished() && finished.is_none() {
            finished = Some(tree);
        }
    }
    finished.or(trees.last().copied()).ok_or(Error::NoTree)
}

fn root_of(reader: &mut Reader<'_>) -> gt_log::Result<Node> {
    let place = reader.root()?;
    reader.node(place)
}

/// The iterations of the search that the tree belongs to.
pub(crate) fn iterations(log: &Log, tree: Tree<'_>, line: &[i64]) -> Result<Vec<Iteration>, Error> {
    let searches = searches(log)?;
    let search = searches.iter().find(|search| search.trees.contains(&tree.number()));
    let numbers = search.map_or_else(|| vec![tree.number()], |search| search.trees.clone());
    let mut iterations: Vec<Iteration> = Vec::new();
    for number in numbers {
        let tree = log.tree(number)?;
        if tree.nodes() == 0 {
            continue;
        }
        let mut next = window(log, tree, line)?;
        let same = iterations.last().is_some_and(|last| last.depth.is_some() && last.depth == next.depth);
        if same && let Some(before) = iterations.pop() {
            next.trees.splice(0..0, before.trees);
            add_nodes(&mut next.first, before.first);
            add_nodes(&mut next.line, before.line);
        }
        iterations.push(next);
    }
    Ok(iterations)
}

/// Adds the nodes of an earlier window; if the later one lacks the move, the earlier one stands for both.
fn add_nodes(later: &mut Option<Occurrence>, earlier: Option<Occurrence>) {
    match (later.as_mut(), earlier) {
        (Some(later), Some(earlier)) => later.nodes += earlier.nodes,
        (None, earlier) => *later = earlier,
        (Some(_), None) => {}
    }
}

/// The line in one tree.
fn window(log: &Log, tree: Tree<'_>, line: &[i64]) -> Result<Iteration, Error> {
    let mut reader = Reader::new(log, tree);
    let root = root_of(&mut reader)?;
    let family = Family::of(&mut reader, root.place)?;
    let best =
        family.chosen(&mut reader, &root)?.map(|rank| Move::made_at(root.place, family.moves[rank].number));
    let found = follow(&mut reader, line, false)?.found;
    let is_whole = found.len() == line.len() && line.len() > 1;
    let first = found.first().map(|found| occurrence(&mut reader, found)).transpose()?;
    let whole = found.last().filter(|_| is_whole).map(|found| occurrence(&mut reader, found)).transpose()?;
    Ok(Iteration {
        depth: nominal_depth(tree)?,
        trees: vec![tree.number()],
        complete: root.ending != Ending::Stopped,
        best,
        value: root.value(reader.view),
        bound: root.told_bound(reader.view),
        first,
        line: whole,
    })
}

fn occurrence(reader: &mut Reader<'_>, found: &Found) -> gt_log::Result<Occurrence> {
    let node = reader.node(found.last())?;
    Ok(Occurrence {
        rank: found.rank,
        nodes: found.nodes(),
        value: node.value(reader.view),
        bound: node.told_bound(reader.view),
    })
}
