//! The searches of a log: which trees belong together.
//!
//! ```text
//! tree     0   1   2   3   4   5   6
//! depth    1   2   2   3   1   2   3       `nominal_depth` of the metadata, or else the depth at the root
//! search   0───0───0───0   1───1───1       a depth that repeats is another window; a smaller one begins a new search
//! ```
//!
//! Another position, engine or algorithm also begins a new search. Trees of different threads are different searches,
//! even if they alternate in the log. Trees without a depth are a search each, because nothing connects them.
//!
//! **Invariant:** every tree of the log is in one search, and a search's trees are in the order of the log.

use std::collections::HashMap;

use gt_log::{Column, Log, Result, Tree, Value, Walker, status};

/// The metadata in which the trees of a search must agree.
const IDENTITY: [&str; 6] = ["search", "position", "moves", "engine", "algorithm", "evaluation"];

/// A search of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The numbers of its trees.
    pub trees: Vec<usize>,
    /// The number of its nodes in the log.
    pub nodes: u64,
    /// The nominal depth of its last tree that has one.
    pub depth: Option<i64>,
}

impl Search {
    /// Returns its largest tree, of equals the last.
    #[must_use]
    pub fn largest_tree<'a>(&self, log: &'a Log) -> Option<Tree<'a>> {
        self.trees.iter().filter_map(|&tree| log.tree(tree).ok()).max_by_key(Tree::nodes)
    }
}

/// Returns the searches of a log, in the order of their first trees.
///
/// # Errors
/// Returns an error if a root cannot be read.
pub fn searches(log: &Log) -> Result<Vec<Search>> {
    let mut searches: Vec<Search> = Vec::new();
    let mut threads: HashMap<Option<&str>, Running<'_>> = HashMap::new();
    for tree in log.trees() {
        let (depth, identity) = (nominal_depth(tree)?, identity(tree));
        let thread = tree.metadata().get("thread");
        let running = threads.get_mut(&thread).filter(|running| running.goes_on(&identity, depth));
        let search = if let Some(running) = running {
            running.depth = depth.or(running.depth);
            running.search
        } else {
            searches.push(Search { trees: Vec::new(), nodes: 0, depth: None });
            let search = searches.len() - 1;
            threads.insert(thread, Running { search, identity, depth });
            search
        };
        let search = &mut searches[search];
        search.trees.push(tree.number());
        search.nodes = search.nodes.saturating_add(tree.nodes());
        search.depth = depth.or(search.depth);
    }
    Ok(searches)
}

/// The current search of a thread.
struct Running<'a> {
    search: usize,
    identity: [Option<&'a str>; IDENTITY.len()],
    depth: Option<i64>,
}

impl Running<'_> {
    /// Whether a tree of the same thread belongs to it. A tree that was cut off before its root was left has no depth.
    fn goes_on(&self, identity: &[Option<&str>; IDENTITY.len()], depth: Option<i64>) -> bool {
        let deepens = match (self.depth, depth) {
            (Some(before), Some(depth)) => depth >= before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        deepens && self.identity == *identity
    }
}

fn identity(tree: Tree<'_>) -> [Option<&str>; IDENTITY.len()] {
    IDENTITY.map(|key| tree.metadata().get(key))
}

/// Returns the depth of the iteration that a tree belongs to. The depth at the root can be smaller: engines search a
/// window that failed high again less deeply.
///
/// # Errors
/// Returns an error if the root cannot be read.
pub fn nominal_depth(tree: Tree<'_>) -> Result<Option<i64>> {
    match tree.metadata().get("nominal_depth").and_then(|depth| depth.trim().parse().ok()) {
        Some(depth) => Ok(Some(depth)),
        None => depth_at_root(tree),
    }
}

fn depth_at_root(tree: Tree<'_>) -> Result<Option<i64>> {
    let Some(attribute) = tree.schema().position("depth").filter(|_| tree.nodes() > 0) else {
        return Ok(None);
    };
    let mut walker = Walker::new(tree);
    let root = walker.root();
    if walker.integer(root, Column::Status)? & i64::from(status::UNFINISHED) != 0 {
        return Ok(None);
    }
    Ok(match walker.value(root, attribute)? {
        Value::Int(depth) => Some(depth),
        Value::UInt(depth) => i64::try_from(depth).ok(),
        _ => None,
    })
}
