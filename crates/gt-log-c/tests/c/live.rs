//! Queries attached by C programs: what they are told, against the log of the same run.

use std::collections::BTreeMap;

use gt_log::{Log, Tree};
use gt_query::Answer;
use gt_query::plain_tree::{PlainTree, Visit};

use crate::logged::{answers, plain_tree};
use crate::toolchain::{C, run, succeed};

/// Told when the node is left, when its parent is, when the root is; numbers; the rest of the language.
const QUERIES: &str = "node: best > 3 and type & Even

node: [^]best < best

node: type & Leaf; path: count(best > $floor) > 1

node: count(score >= 1.5 or name = \"good\")

let size = subtree: count(*)
node: size > 3; child: count([]best < [<]best and []size > 0) > 0

node: type & Even select best, @line order by @size desc, node_id limit 7

node: @unfinished";

/// What the program said of one tree.
#[derive(Debug, Default, PartialEq)]
struct Said {
    told: Vec<(usize, u64)>,
    /// By query: the number, and the nodes.
    answers: BTreeMap<usize, (u64, Vec<u64>)>,
}

fn said(output: &[u8]) -> Vec<Said> {
    let (mut trees, mut tree) = (Vec::new(), Said::default());
    for line in String::from_utf8_lossy(output).lines() {
        let (word, numbers) = line.split_once(' ').unwrap_or((line, ""));
        let numbers: Vec<u64> = numbers.split_whitespace().map(|number| number.parse().unwrap()).collect();
        match word {
            "told" => tree.told.push((numbers[0] as usize, numbers[1])),
            "answer" => {
                tree.answers.insert(numbers[0] as usize, (numbers[1], numbers[2..].to_vec()));
            }
            "end" => trees.push(std::mem::take(&mut tree)),
            _ => panic!("{line}"),
        }
    }
    trees
}

#[test]
fn an_engine_is_told_what_its_log_answers() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("live.c", &[QUERIES, "live.gtf"]);
    succeed("live", &output);
    let said_with_log = said(&output.stdout);
    let log = Log::open(folder.path().join("live.gtf")).unwrap();
    assert_eq!((log.tree_count(), said_with_log.len()), (2, 2));
    for (tree, said) in log.trees().zip(&said_with_log) {
        assert!(tree.nodes() > 500, "{} nodes", tree.nodes());
        check_answers(tree, said);
        check_order(&plain_tree(tree), said);
    }

    let (folder, output) = run("live.c", &[QUERIES]);
    succeed("live without a log", &output);
    assert_eq!(said(&output.stdout), said_with_log);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but the program");
}

fn check_answers(tree: Tree<'_>, said: &Said) {
    // The cells of `select` are not told: the nodes are those of the same query without it.
    let text = QUERIES.replace("select best, @line", "");
    let expected = answers(tree, &text);
    assert_eq!(said.answers.len(), expected.len());
    for (query, expected) in expected.into_iter().enumerate() {
        let (count, nodes) = &said.answers[&query];
        match expected.unwrap() {
            Answer::Count(expected) => assert_eq!((*count, nodes.len()), (expected, 0)),
            Answer::Nodes(expected) => assert_eq!(*nodes, expected, "query {query}"),
            other => panic!("{other:?}"),
        }
        assert!(*count > 0, "query {query} finds something");
        assert_eq!(said.told.iter().filter(|(of, _)| *of == query).count() as u64, *count);
    }
}

/// The first three queries: told at the node, at its parent, at the end; together in the order of the queries, and
/// of the nodes.
fn check_order(tree: &PlainTree, said: &Said) {
    let is_match = |query: usize, node: usize| said.answers[&query].1.contains(&(node as u64));
    let mut expected = Vec::new();
    for visit in tree.walk() {
        let Visit::Leave(node) = visit else { continue };
        let mut tell = |query: usize, nodes: &mut dyn Iterator<Item = usize>| {
            expected.extend(nodes.filter(|node| is_match(query, *node)).map(|node| (query, node as u64)));
        };
        tell(0, &mut std::iter::once(node));
        tell(1, &mut tree.nodes()[node].children.iter().copied());
        if node == 0 {
            tell(2, &mut (0..tree.nodes().len()));
        }
    }
    let told: Vec<_> = said.told.iter().filter(|(query, _)| *query < 3).copied().collect();
    assert_eq!(told, expected);
}

#[test]
fn queries_used_wrongly_end_nothing_and_break_nothing() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("queries.c", &[]);
    succeed("queries", &output);
    let log = Log::open(folder.path().join("queries.gtf")).unwrap();
    assert!(log.condition().is_whole());
    let trees: Vec<(u64, u64)> =
        log.trees().map(|tree| (tree.nodes(), tree.verify(|_| ()).unwrap().unfinished)).collect();
    assert_eq!(trees, [(3, 0), (4, 2), (3, 0), (3, 0), (2, 0), (1, 0)]);
    assert_eq!(log.tree(4).unwrap().left_out().unwrap(), 1, "a budget is the log's affair alone");
}

#[test]
fn each_thread_asks_its_own() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("live_threads.c", &[]);
    succeed("live_threads", &output);
    for thread in 0..8 {
        let is_logged = folder.path().join(format!("{thread}.gtf")).exists();
        assert_eq!(is_logged, thread % 2 == 1, "every other thread has a log");
    }
}
