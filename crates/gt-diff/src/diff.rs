//! The comparison of two trees.

use gt_log::{Error as LogError, Log, Tree};

use crate::attributes::Attributes;
use crate::cause::Cause;
use crate::causes::Causes;
use crate::changes::Changes;
use crate::compare::{Comparison, compare};
use crate::error::{Error, Result};
use crate::matching::{Matching, Stray};
use crate::parallel;
use crate::prefix;
use crate::skeleton::Skeletons;
use crate::transposed::{Transposed, key_places};

/// One of the two trees.
#[derive(Clone)]
pub struct Side<'a> {
    /// Its log.
    pub log: &'a Log,
    /// The tree.
    pub tree: Tree<'a>,
    /// Its name: file name and tree.
    pub label: String,
}

impl<'a> Side<'a> {
    /// Makes a side from a tree of a log and a name.
    #[must_use]
    pub fn new(log: &'a Log, tree: Tree<'a>, label: impl Into<String>) -> Self {
        Self { log, tree, label: label.into() }
    }

    fn position(&self) -> Option<&str> {
        self.tree.metadata().get("position").or(self.log.metadata().get("position"))
    }
}

/// The options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The only attributes to compare; by default all that both trees have.
    pub only: Option<Vec<String>>,
    /// The attributes to ignore.
    pub ignore: Vec<String>,
    /// An attribute that identifies positions: it also matches nodes that are in one tree only.
    pub key: Option<String>,
    /// The number of threads; 0 for one per processor.
    pub threads: usize,
}

/// The common parts of two trees, and their differences.
pub struct Diff<'a> {
    pub(crate) a: Side<'a>,
    pub(crate) b: Side<'a>,
    pub(crate) attributes: Attributes,
    pub(crate) skeletons: Skeletons,
    pub(crate) matching: Matching,
    pub(crate) changes: Changes,
    pub(crate) counts: Vec<u64>,
    pub(crate) causes: Causes,
    /// Present if a key was requested.
    pub(crate) transposed: Option<Transposed>,
}

impl<'a> Diff<'a> {
    /// Compares two trees.
    pub fn of(a: Side<'a>, b: Side<'a>, options: &Options) -> Result<Self> {
        check(&a, &b)?;
        let schemas = (a.log.schema(), b.log.schema());
        let attributes = Attributes::of(schemas.0, schemas.1, options.only.as_deref(), &options.ignore)?;
        let key = options.key.as_deref().map(|key| key_places(key, schemas.0, schemas.1)).transpose()?;
        let threads = parallel::threads(options.threads);
        let trees = (a.tree, b.tree);
        let same = match attributes.decisive(schemas.0, schemas.1) {
            Some(decisive) => prefix::same_rows(trees.0, trees.1, &decisive, threads)?,
            None => 0,
        };
        if same == trees.0.nodes() && same == trees.1.nodes() {
            let rows = u32::try_from(same).map_err(|_| Error::TooLarge { nodes: same })?;
            let mut changes = Changes::none(rows);
            changes.close();
            let (skeletons, matching) = (Skeletons::none(rows), Matching::all(rows));
            let counts = vec![0; attributes.compared.len()];
            let (causes, transposed) = (Causes::default(), key.map(|_| Transposed::default()));
            return Ok(Self { a, b, attributes, skeletons, matching, changes, counts, causes, transposed });
        }
        let skeletons = Skeletons::read(trees.0, trees.1, same, threads)?;
        let matching = Matching::of(&skeletons);
        let first = skeletons.a.first();
        let Comparison { mut changes, counts } = compare(trees, &matching.runs, &attributes, first, threads)?;
        let causes = Causes::of(&skeletons, &matching, &mut changes, attributes.value().is_some());
        let transposed = key.map(|key| Transposed::of(trees, key, &matching, &attributes)).transpose()?;
        Ok(Self { a, b, attributes, skeletons, matching, changes, counts, causes, transposed })
    }

    /// Whether both trees have the same nodes, in the same order and with the same values.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let (root_a, root_b) = (self.skeletons.a.root(), self.skeletons.b.root());
        root_a == root_b && self.changes.count() == 0 && self.matching.runs.is_one(0, root_a, root_b)
    }

    /// Whether the subtrees of two matched rows are equal.
    pub(crate) fn is_same_subtree(&self, row_a: u32, row_b: u32) -> bool {
        let (a, b) = (&self.skeletons.a, &self.skeletons.b);
        // Rows that are not held are equal.
        if row_a < a.first() || row_b < b.first() {
            return true;
        }
        let start = a.start(row_a);
        a.size(row_a) == b.size(row_b)
            && self.matching.runs.is_one(start, row_a, row_b)
            && !self.changes.any(start, row_a)
    }

    /// Returns the attributes of both trees.
    #[must_use]
    pub fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    /// The number of the cause of a node's difference; `None` if there is none.
    pub(crate) fn cause(&self, row_a: Option<u32>, row_b: Option<u32>) -> Option<u8> {
        let stray = |strays: &[Stray], causes: &[Option<Cause>], row: u32| {
            // The last of a stray's rows is its root.
            let at = strays.partition_point(|stray| stray.row < row);
            causes.get(at).copied().flatten().map(|cause| cause as u8)
        };
        match (row_a, row_b) {
            (Some(row), Some(_)) => self.changes.cause(row).filter(|cause| *cause != 0),
            (Some(row), None) => stray(&self.matching.only_a, &self.causes.only_a, row),
            (None, Some(row)) => stray(&self.matching.only_b, &self.causes.only_b, row),
            (None, None) => None,
        }
    }

    /// Returns A and B.
    #[must_use]
    pub fn sides(&self) -> (&Side<'a>, &Side<'a>) {
        (&self.a, &self.b)
    }
}

/// Rejects unrelated trees.
fn check(a: &Side<'_>, b: &Side<'_>) -> Result<()> {
    for side in [a, b] {
        if side.tree.nodes() == 0 {
            return Err(Error::Log(LogError::NoNodes { tree: side.tree.number() as u32 }));
        }
    }
    let (game_a, game_b) = (a.log.game(), b.log.game());
    if game_a != game_b {
        return Err(Error::Games { a: game_a.to_owned(), b: game_b.to_owned() });
    }
    match (a.position(), b.position()) {
        (Some(one), Some(other)) if one != other => {
            Err(Error::Positions { a: one.to_owned(), b: other.to_owned() })
        }
        _ => Ok(()),
    }
}
