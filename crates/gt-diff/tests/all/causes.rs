//! Differences planted in the log of a real search: each has one origin, with its cause.

use crate::support::{Node, logged_as};
use gt_diff::{Cause, Diff, Options, Side, Summary};
use gt_games::Notation;
use gt_games::chess::{Chess, SixTerms};
use gt_log::{Header, Log, LogWriter, Metadata, Value, Walker};
use gt_record::Recorder;
use gt_search::{Limits, Searcher};

/// The last iteration of a search, as nodes in memory, and the header of its log.
fn searched() -> (Header, Node) {
    let writer = LogWriter::to_memory(gt_record::header("chess").unwrap()).unwrap();
    let mut recorder = Recorder::new(&writer, Metadata::new());
    let mut searcher = Searcher::new(SixTerms, gt_search::Options::selective());
    searcher.search_observed(&Chess::new().into_search_root(), &Limits::depth(5), &mut recorder, |_| ());
    recorder.finish().unwrap();
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    let mut walker = Walker::new(log.trees().last().unwrap());
    let root = walker.root();
    (log.header().clone(), read(&mut walker, root))
}

fn read(walker: &mut Walker<'_>, row: u64) -> Node {
    let attributes = walker.tree().schema().attributes().len();
    Node {
        last_move: walker.last_move(row).unwrap(),
        values: (0..attributes).map(|place| walker.value(row, place).unwrap()).collect(),
        is_unfinished: false,
        children: walker.children(row).unwrap().into_iter().map(|child| read(walker, child)).collect(),
    }
}

struct Planted {
    header: Header,
    a: Node,
}

impl Planted {
    fn new() -> Self {
        let (header, a) = searched();
        Self { header, a }
    }

    /// What `plant` makes of the tree, compared with the tree.
    fn compared(&self, plant: impl FnOnce(&Self, &mut Node)) -> Summary {
        let mut b = self.a.clone();
        plant(self, &mut b);
        let log = |node: &Node| logged_as(self.header.clone(), node, 1000, || false);
        let (a, b) = (log(&self.a), log(&b));
        let side = |log| Side::new(log, Log::tree(log, 0).unwrap(), "a tree");
        Diff::of(side(&a), side(&b), &Options::default()).unwrap().summary().unwrap()
    }

    fn place(&self, name: &str) -> usize {
        self.header.schema.position(name).unwrap()
    }

    /// Adds to a node's whole number.
    fn add(&self, node: &mut Node, name: &str, change: i64) {
        match &mut node.values[self.place(name)] {
            Value::Int(number) => *number += change,
            other => panic!("{name} is {other}"),
        }
    }

    fn is_known(&self, node: &Node, name: &str) -> bool {
        node.values[self.place(name)] != Value::Missing
    }
}

fn size(node: &Node) -> u64 {
    1 + node.children.iter().map(size).sum::<u64>()
}

fn every(node: &mut Node, change: &mut impl FnMut(&mut Node)) {
    change(node);
    node.children.iter_mut().for_each(|child| every(child, change));
}

/// The node so many plies down that one comes to by always taking the child with the most nodes.
fn inner(node: &mut Node, plies: usize) -> &mut Node {
    if plies == 0 {
        return node;
    }
    let widest = (0..node.children.len()).max_by_key(|place| size(&node.children[*place])).unwrap();
    inner(&mut node.children[widest], plies - 1)
}

/// That this is the only cause, with one origin that explains so many nodes.
#[track_caller]
fn assert_one(summary: &Summary, cause: Cause, nodes: u64) {
    let causes: Vec<_> = summary.causes.iter().map(|one| (one.cause, one.origins, one.nodes)).collect();
    assert_eq!(causes, [(cause, 1, nodes)]);
}

#[test]
fn one_other_evaluation_at_a_leaf_is_one_origin() {
    let planted = Planted::new();
    let mut line = Vec::new();
    let summary = planted.compared(|planted, root| {
        let mut node = root;
        while !node.children.is_empty() {
            let next = (0..node.children.len()).max_by_key(|place| size(&node.children[*place])).unwrap();
            node = &mut node.children[next];
            line.push(node.last_move);
        }
        planted.add(node, "best", 7);
    });
    assert_one(&summary, Cause::Evaluation, 1);
    assert_eq!(summary.causes[0].largest_line, line);
    assert_eq!(summary.first.map(|first| first.line), Some(line));
}

#[test]
fn values_above_another_evaluation_follow_from_it() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|planted, root| {
        let mut node = root;
        loop {
            planted.add(node, "best", 3);
            nodes += 1;
            let next = (0..node.children.len()).max_by_key(|place| size(&node.children[*place]));
            match next {
                Some(next) => node = &mut node.children[next],
                None => break,
            }
        }
    });
    assert_one(&summary, Cause::Evaluation, nodes);
}

#[test]
fn windows_and_children_after_another_value_follow_from_it() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|planted, root| {
        let parent = first_with_leaf(root).unwrap();
        let leaf = parent.children.iter().position(|child| child.children.is_empty()).unwrap();
        planted.add(&mut parent.children[leaf], "best", 50);
        nodes += 1;
        let removed = parent.children.pop().unwrap();
        nodes += size(&removed);
        for child in &mut parent.children[leaf + 1..] {
            every(child, &mut |node| {
                planted.add(node, "alpha", 1);
                nodes += 1;
            });
        }
    });
    assert_one(&summary, Cause::Evaluation, nodes);
}

/// The first node with a leaf and more children after it.
fn first_with_leaf(node: &mut Node) -> Option<&mut Node> {
    let leaf = node.children.iter().position(|child| child.children.is_empty());
    if leaf.is_some_and(|leaf| leaf + 2 < node.children.len()) {
        return Some(node);
    }
    node.children.iter_mut().find_map(first_with_leaf)
}

#[test]
fn another_window_at_the_root_explains_all_windows() {
    let planted = Planted::new();
    let nodes = size(&planted.a);
    let summary = planted.compared(|planted, root| every(root, &mut |node| planted.add(node, "beta", 1)));
    assert_one(&summary, Cause::Window, nodes);
}

#[test]
fn another_depth_at_the_root_explains_all_depths() {
    let planted = Planted::new();
    let nodes = size(&planted.a);
    let summary = planted.compared(|planted, root| every(root, &mut |node| planted.add(node, "depth", 1)));
    assert_one(&summary, Cause::Depth, nodes);
}

#[test]
fn reductions_and_extensions_explain_the_depths_below() {
    for (name, change, cause) in [("reduction", -1, Cause::Reduction), ("extension", 1, Cause::Extension)] {
        let planted = Planted::new();
        let mut nodes = 0;
        let summary = planted.compared(|planted, root| {
            let node = inner(root, 2);
            planted.add(node, name, 1);
            every(node, &mut |node| {
                planted.add(node, "depth", change);
                nodes += 1;
            });
        });
        assert_one(&summary, cause, nodes);
        assert_eq!(summary.causes[0].largest_line.len(), 2);
    }
}

#[test]
fn moves_in_another_order_are_one_origin() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|planted, root| {
        let node = inner(root, 1);
        let last = node.children.len() - 1;
        assert_ne!(node.children[0].last_move, node.children[last].last_move);
        node.children.swap(0, last);
        for child in [0, last] {
            planted.add(&mut node.children[child], "move_index", 5);
            nodes += 1;
        }
    });
    assert_one(&summary, Cause::Order, nodes);
    assert_eq!((summary.only_a, summary.only_b), (0, 0));
    assert!(!summary.same);
}

#[test]
fn moves_that_one_search_leaves_out_are_a_cutoff() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|_, root| {
        let node = inner(root, 1);
        let kept = node.children.len() / 2;
        nodes = node.children.drain(kept..).map(|child| size(&child)).sum();
    });
    assert_one(&summary, Cause::Cutoff, nodes);
    assert_eq!(summary.only_a, nodes);
    let grown = &summary.grown[0];
    assert!(grown.size_a > grown.size_b, "{grown:?}");
}

#[test]
fn a_table_answer_explains_the_missing_subtree() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|planted, root| {
        let node = inner(root, 2);
        let hit = planted.place("table_hit");
        node.values[hit] = Value::Bool(node.values[hit] != Value::Bool(true));
        nodes = size(node);
        node.children.clear();
    });
    assert_one(&summary, Cause::Table, nodes);
}

#[test]
fn each_other_static_evaluation_is_an_origin() {
    let planted = Planted::new();
    let mut nodes = 0;
    let summary = planted.compared(|planted, root| {
        every(root, &mut |node| {
            if planted.is_known(node, "static_eval") {
                planted.add(node, "static_eval", 1);
                nodes += 1;
            }
        });
    });
    let causes: Vec<_> = summary.causes.iter().map(|one| (one.cause, one.origins, one.nodes)).collect();
    assert_eq!(causes, [(Cause::Evaluation, nodes, nodes)]);
}
