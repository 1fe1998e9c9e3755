//! Which trees of a log are meant: one rule for every command.
//!
//! ```text
//! --tree 3, --tree -1, --tree last, --tree largest     by place or size
//! --tree depth=9, --tree iteration=4                   by what its metadata say; of several, the last
//! --where 'nominal_depth >= 8'                         all that fit, where a command takes several
//! ```
//!
//! Without either, a command that takes several trees takes all, and one that takes a single tree takes the largest. Commands that
//! explain a result (`why`, `diff`) take the last tree that was searched to its end.

use std::path::Path;

use gt_log::{Column, Log, Tree, TreeEnding, Walker, status};
use gt_report::counted;

use super::files;
use crate::failure::Failure;

/// The metadata that `depth=9` is about.
const DEPTH_KEY: &str = "nominal_depth";

/// A tree, as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeChoice {
    Last,
    Largest,
    /// From 0.
    Number(usize),
    /// From 1, counted from the last.
    FromEnd(usize),
    /// Its metadata say so; of several the last.
    Where(Condition),
}

impl TreeChoice {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        match text {
            "last" => return Ok(Self::Last),
            "largest" => return Ok(Self::Largest),
            _ => {}
        }
        let number = |text: &str| text.parse::<usize>().ok();
        let from_end =
            text.strip_prefix('-').and_then(number).filter(|number| *number > 0).map(Self::FromEnd);
        let choice = number(text).map(Self::Number).or(from_end);
        let condition = || text.contains('=').then(|| Condition::read(text).ok()).flatten().map(Self::Where);
        choice.or_else(condition).ok_or_else(|| {
            "a tree is a number from 0, `last`, `largest`, -1 for the last, or `depth=9`, by its metadata"
                .to_owned()
        })
    }

    /// The place of the tree; nothing where the log has no such tree.
    fn find(&self, log: &Log) -> Option<usize> {
        let trees = log.tree_count();
        match self {
            Self::Last => trees.checked_sub(1),
            // Of equal ones, the last.
            Self::Largest => (0..trees).max_by_key(|&tree| log.tree(tree).map_or(0, |tree| tree.nodes())),
            Self::Number(number) => Some(*number).filter(|number| *number < trees),
            Self::FromEnd(number) => trees.checked_sub(*number),
            Self::Where(condition) => {
                log.trees().filter(|tree| condition.holds(*tree)).last().map(|tree| tree.number())
            }
        }
    }

    /// The tree.
    pub(crate) fn of<'a>(&self, log: &'a Log, path: &Path) -> Result<Tree<'a>, Failure> {
        if log.tree_count() == 0 {
            return Err(nothing(path));
        }
        match self.find(log) {
            Some(number) => files::tree(log, path, number),
            None => Err(Failure::about(path, self.missing(log))),
        }
    }

    fn missing(&self, log: &Log) -> String {
        match self {
            Self::Where(condition) => condition.missing(log),
            Self::Number(number) => {
                format!("there is no tree {number}: the log holds {}, counted from 0", trees(log))
            }
            Self::Last | Self::Largest | Self::FromEnd(_) => {
                format!("there is no such tree: the log holds {}", trees(log))
            }
        }
    }
}

fn trees(log: &Log) -> String {
    counted(log.tree_count() as u64, "tree")
}

fn nothing(path: &Path) -> Failure {
    Failure::about(path, "there is no tree in it")
}

/// The tree of a command that takes one: that which was asked for, or the largest.
pub(crate) fn chosen<'a>(
    log: &'a Log,
    path: &Path,
    choice: Option<&TreeChoice>,
) -> Result<Tree<'a>, Failure> {
    choice.unwrap_or(&TreeChoice::Largest).of(log, path)
}

/// The trees of a command that takes several: those asked for, each once, or all; of these, those that fit.
pub(crate) fn several<'a>(
    log: &'a Log,
    path: &Path,
    choices: &[TreeChoice],
    condition: Option<&Condition>,
) -> Result<Vec<Tree<'a>>, Failure> {
    let mut chosen: Vec<Tree<'a>> = Vec::new();
    if choices.is_empty() {
        chosen.extend(log.trees());
    }
    for choice in choices {
        let tree = choice.of(log, path)?;
        if chosen.iter().all(|other| other.number() != tree.number()) {
            chosen.push(tree);
        }
    }
    let Some(condition) = condition else { return Ok(chosen) };
    let had_some = !chosen.is_empty();
    chosen.retain(|tree| condition.holds(*tree));
    if had_some && chosen.is_empty() {
        return Err(Failure::about(path, condition.missing(log)));
    }
    Ok(chosen)
}

/// The last tree that was searched to its end; where none was, the last.
pub(crate) fn last_complete<'a>(log: &'a Log, path: &Path) -> Result<Tree<'a>, Failure> {
    let is_complete = |tree: &Tree<'_>| {
        log.condition().trees.get(tree.number()) == Some(&TreeEnding::Finished) && is_root_finished(*tree)
    };
    let complete = log.trees().filter(is_complete).last();
    complete.or_else(|| log.trees().last()).ok_or_else(|| nothing(path))
}

fn is_root_finished(tree: Tree<'_>) -> bool {
    let mut walker = Walker::new(tree);
    let bits = (tree.nodes() > 0).then(|| walker.integer(tree.nodes() - 1, Column::Status).ok()).flatten();
    bits.is_some_and(|bits| bits & i64::from(status::UNFINISHED) == 0)
}

/// What a tree's metadata must say: `nominal_depth = 12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    key: String,
    comparison: Comparison,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The longer ones first, so that `<=` is not taken for `<`.
    const SIGNS: [(&'static str, Self); 6] = [
        ("!=", Self::Unequal),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl Condition {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let place = text.find(['!', '<', '>', '=']).unwrap_or(text.len());
        let (key, rest) = text.split_at(place);
        let sign = Comparison::SIGNS
            .iter()
            .find_map(|(sign, comparison)| Some((rest.strip_prefix(sign)?, *comparison)));
        let key = match key.trim() {
            "depth" => DEPTH_KEY,
            key => key,
        };
        match sign {
            Some((value, comparison)) if !key.is_empty() && !value.trim().is_empty() => {
                let value = value.trim().trim_matches('"').to_owned();
                Ok(Self { key: key.to_owned(), comparison, value })
            }
            _ => Err("a condition is a key of the trees' metadata, =, !=, <, <=, > or >=, and a value: `nominal_depth = 12`"
                .to_owned()),
        }
    }

    /// A tree that says nothing of the key fits nothing. Numbers are compared as numbers.
    fn holds(&self, tree: Tree<'_>) -> bool {
        let Some(said) = tree.metadata().get(&self.key) else { return false };
        let order = match (said.parse::<f64>(), self.value.parse::<f64>()) {
            (Ok(said), Ok(value)) => said.partial_cmp(&value),
            _ => Some(said.cmp(&self.value)),
        };
        order.is_some_and(|order| self.comparison.holds(order))
    }

    fn missing(&self, log: &Log) -> String {
        let mut values: Vec<&str> = log.trees().filter_map(|tree| tree.metadata().get(&self.key)).collect();
        values.dedup();
        let key = &self.key;
        if !values.is_empty() {
            return format!("no tree fits; the trees' `{key}` is {}", listed(&values));
        }
        let mut keys: Vec<&str> =
            log.trees().flat_map(|tree| tree.metadata().iter().map(|(key, _)| key)).collect();
        keys.sort_unstable();
        keys.dedup();
        match keys.is_empty() {
            true => format!("no tree fits: nothing is said about any tree, so not `{key}` either"),
            false => format!("no tree fits: no tree says its `{key}`; they say {}", listed(&keys)),
        }
    }
}

/// The first of many, in words.
fn listed(values: &[&str]) -> String {
    const SHOWN: usize = 12;
    let mut text = values.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if values.len() > SHOWN {
        text.push_str(" …");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};

    /// Trees of 1, 3 and 2 nodes, with depths 8, 9 and 10, the last by another thread.
    fn log() -> Log {
        let schema = Schema::new([("best", Kind::I32)]).unwrap();
        let writer = LogWriter::to_memory(Header::new("toy", schema)).unwrap();
        for (nodes, depth, thread) in [(1, "8", None), (3, "9", None), (2, "10", Some("1"))] {
            let mut metadata = Metadata::new();
            metadata.set(DEPTH_KEY, depth);
            thread.into_iter().for_each(|thread| metadata.set("thread", thread));
            let mut tree = writer.dynamic_tree(&metadata, Options::default()).unwrap();
            (0..nodes).for_each(|_| tree.enter(0).unwrap());
            (0..nodes).for_each(|_| tree.leave_values(&[Value::Int(0)]).unwrap());
            tree.finish().unwrap();
        }
        Log::from_bytes(writer.into_memory().unwrap()).unwrap()
    }

    fn found(text: &str) -> Option<usize> {
        TreeChoice::read(text).unwrap().find(&log())
    }

    #[test]
    fn a_tree_has_many_names() {
        let names = ["0", "-1", "-3", "last", "largest", "depth=9", "nominal_depth = 8", "thread=1"];
        assert_eq!(names.map(found), [0, 2, 0, 2, 1, 1, 0, 2].map(Some));
        assert_eq!(["3", "-4", "depth=11", "value=3"].map(found), [None; 4]);
        for bad in ["", "-0", "first", "depth", "=3", "depth=", "1.5"] {
            assert!(TreeChoice::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn conditions_compare_numbers_as_numbers() {
        let log = log();
        let fitting = |text: &str| {
            let condition = Condition::read(text).unwrap();
            several(&log, Path::new("x.gtf"), &[], Some(&condition)).map(|trees| trees.len()).ok()
        };
        assert_eq!(fitting("nominal_depth >= 9"), Some(2), "10 is more than 9, whatever their first digits");
        assert_eq!(fitting("depth < 9"), Some(1));
        assert_eq!(fitting("depth != 9"), Some(2));
        assert_eq!(fitting("thread = 1"), Some(1));
        assert_eq!(fitting("depth > 10"), None, "nothing fits, and that is said");
        assert_eq!(fitting("width = 1"), None);
    }

    #[test]
    fn what_is_missing_is_told() {
        let log = log();
        let told = |text: &str| TreeChoice::read(text).unwrap().missing(&log);
        assert_eq!(told("depth=11"), "no tree fits; the trees' `nominal_depth` is 8, 9, 10");
        assert_eq!(told("width=1"), "no tree fits: no tree says its `width`; they say nominal_depth, thread");
        assert_eq!(told("7"), "there is no tree 7: the log holds 3 trees, counted from 0");
    }

    #[test]
    fn a_tree_named_twice_is_taken_once() {
        let log = log();
        let choices = ["2", "last", "0"].map(|text| TreeChoice::read(text).unwrap());
        let taken = several(&log, Path::new("x.gtf"), &choices, None).unwrap();
        assert_eq!(taken.iter().map(|tree| tree.number()).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(chosen(&log, Path::new("x.gtf"), None).unwrap().number(), 1, "the largest, unless asked");
    }
}
