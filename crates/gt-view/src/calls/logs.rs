//! `/api/logs`: what there is to look at.

use std::collections::BTreeMap;

use gt_log::{Alias, Metadata, Schema, Tree, TreeEnding};
use gt_query::ir::Structure;
use serde::Serialize;

use crate::bound::Window;
use crate::logs::{Logs, Opened, Shown};
use crate::merged::{Merged, Pair};
use crate::query::runs::{Origin, Question, Run};
use crate::values::cut;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LogsAnswer {
    version: &'static str,
    logs: Vec<LogInfo>,
    /// The result file that the server was started with.
    file: Option<ResultFileInfo>,
    /// Whether a game is played here.
    play: bool,
}

/// A result file, which is a run that is done.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ResultFileInfo {
    run: u64,
    log: usize,
    tree: usize,
    name: String,
    /// The query.
    text: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LogInfo {
    log: usize,
    name: String,
    path: String,
    game: String,
    board: bool,
    bytes: u64,
    generation: u64,
    growing: bool,
    recovered: Option<String>,
    attributes: Vec<AttributeInfo>,
    aliases: Vec<AliasInfo>,
    /// The attribute with the nodes' values, where their windows tell which of them are bounds.
    value: Option<String>,
    /// The value of a game that is won on the spot, where the log tells it: values near it are mates.
    win: Option<i64>,
    /// The smallest value of a win at an unknown distance, where there are such values.
    unmeasured_win: Option<i64>,
    /// Whether players write its game's moves in a way of their own: `moves=san` asks for that.
    san: bool,
    derived: Vec<&'static str>,
    metadata: BTreeMap<String, String>,
    /// Of two trees merged into one: what they are called, and their attributes.
    diff: Option<DiffInfo>,
    trees: Vec<TreeInfo>,
    /// Trees before those that are listed.
    trees_omitted: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DiffInfo {
    a: String,
    b: String,
    attributes: Vec<AttributePair>,
}

/// An attribute of two merged trees, and the names it has in the merged one; nothing where a tree lacks it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AttributePair {
    name: String,
    a: Option<String>,
    b: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AliasInfo {
    name: String,
    value: i64,
    attribute: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AttributeInfo {
    name: String,
    kind: &'static str,
    labels: Option<Labels>,
}

/// Names for the numbers of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Labels {
    pub(crate) kind: LabelKind,
    pub(crate) of: Vec<Label>,
}

/// What the names of an attribute's numbers stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum LabelKind {
    /// Bits of a number, several of which can be set.
    Flags,
    /// Whole numbers.
    Values,
}

/// A name and the number it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Label {
    /// The name.
    pub(crate) name: String,
    /// The number.
    pub(crate) value: i64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TreeInfo {
    tree: usize,
    label: String,
    nodes: u64,
    leaves: u64,
    depth: u32,
    finished: bool,
    metadata: BTreeMap<String, String>,
}

/// The maximum number of trees of a log that are listed: the last ones.
const TREES_MAX: usize = 10_000;

pub(crate) fn listing(logs: &Logs, file: Option<&Run>, play: bool) -> LogsAnswer {
    let entries = logs.all().iter().map(|(log, shown)| entry(*log, shown)).collect();
    LogsAnswer { version: env!("CARGO_PKG_VERSION"), logs: entries, file: file.and_then(file_entry), play }
}

fn file_entry(run: &Run) -> Option<ResultFileInfo> {
    let Origin::File { name, .. } = &run.origin else { return None };
    let Question { log, tree, text, .. } = &run.question;
    Some(ResultFileInfo { run: run.number, log: *log, tree: *tree, name: name.clone(), text: text.clone() })
}

fn entry(log: usize, shown: &Shown) -> LogInfo {
    let opened = shown.opened();
    let schema = opened.log.schema();
    let attributes = schema.attributes().iter().enumerate();
    let trees_omitted = opened.log.trees().count().saturating_sub(TREES_MAX);
    let mates = opened.log.trees().next().and_then(|tree| gt_report::Mates::of(&opened.log, tree));
    LogInfo {
        log,
        name: shown.name(),
        path: shown.path.display().to_string(),
        game: opened.log.game().to_owned(),
        board: opened.game.is_some(),
        bytes: opened.log.condition().bytes,
        generation: opened.generation,
        growing: opened.is_growing(),
        recovered: shown.problem().or_else(|| gt_report::missing_text(opened.log.condition())),
        attributes: attributes
            .map(|(place, attribute)| AttributeInfo {
                name: attribute.name.clone(),
                kind: attribute.kind.name(),
                labels: labels(&opened, place),
            })
            .collect(),
        aliases: schema.aliases().iter().map(|alias| alias_entry(schema, alias)).collect(),
        value: Window::of(schema).map(|window| schema.attributes()[window.value].name.clone()),
        win: mates.map(|mates| mates.win),
        unmeasured_win: mates.and_then(|mates| mates.unmeasured_win),
        san: opened.game.is_some_and(gt_games::GameKind::has_written_moves),
        // A line is no colour.
        derived: Structure::all().filter(|(_, it)| *it != Structure::Line).map(|(name, _)| name).collect(),
        metadata: object(opened.log.metadata()),
        diff: Merged::of(&opened.log).map(|merged| diff_entry(schema, merged)),
        trees: opened.log.trees().skip(trees_omitted).map(|tree| tree_entry(&opened, tree)).collect(),
        trees_omitted,
    }
}

fn diff_entry(schema: &Schema, merged: Merged) -> DiffInfo {
    let name = |place: usize| schema.attributes()[place].name.clone();
    let pair = |pair: Pair| AttributePair { name: pair.name, a: pair.a.map(name), b: pair.b.map(name) };
    DiffInfo {
        a: merged.a.label,
        b: merged.b.label,
        attributes: merged.pairs.into_iter().map(pair).collect(),
    }
}

fn alias_entry(schema: &Schema, alias: &Alias) -> AliasInfo {
    let attribute = alias.attribute.and_then(|place| schema.attributes().get(place));
    AliasInfo {
        name: alias.name.clone(),
        value: alias.value,
        attribute: attribute.map(|attribute| attribute.name.clone()),
    }
}

fn tree_entry(opened: &Opened, tree: Tree<'_>) -> TreeInfo {
    TreeInfo {
        tree: tree.number(),
        label: label(tree),
        nodes: tree.nodes(),
        leaves: tree.leaves(),
        depth: tree.depth(),
        finished: opened.log.condition().trees.get(tree.number()) == Some(&TreeEnding::Finished),
        metadata: object(tree.metadata()),
    }
}

/// What to call a tree in a list: what its metadata tells it apart by.
fn label(tree: Tree<'_>) -> String {
    let names =
        [("nominal_depth", "depth"), ("iteration", "iteration"), ("window", "window"), ("thread", "thread")];
    let words: Vec<String> = names
        .iter()
        .filter_map(|(key, word)| Some(format!("{word} {}", tree.metadata().get(key)?)))
        .collect();
    if words.is_empty() { format!("tree {}", tree.number()) } else { words.join(", ") }
}

fn object(metadata: &Metadata) -> BTreeMap<String, String> {
    metadata.iter().map(|(key, value)| (cut(key), cut(value))).collect()
}

/// The names that the numbers of an attribute have.
pub(crate) fn labels(opened: &Opened, place: usize) -> Option<Labels> {
    let labels = gt_report::labels(&opened.log, place)?;
    let kind = if labels.flags { LabelKind::Flags } else { LabelKind::Values };
    let of = labels.of.into_iter().map(|(name, value)| Label { name, value }).collect();
    Some(Labels { kind, of })
}
