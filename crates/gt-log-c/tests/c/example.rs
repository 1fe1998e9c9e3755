//! `examples/c` in every way it can be built: the log of `tictactoe` checked node by node, the matches of `live`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use gt_log::{Column, Error, Kind, Log, Tree};

use crate::tictactoe::{Node, search};
use crate::toolchain::{C, CPP, Language, Library, compile, is_there, prefix, program_source, succeed};

fn example_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c")
}

fn check(language: Language, library: Library) {
    if !language.is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tictactoe");
    compile(language, library, &example_folder().join("tictactoe.c"), &program);
    check_one_file(&program, folder.path());
}

fn check_one_file(program: &Path, folder: &Path) {
    let output = Command::new(program).arg("log.gtf").current_dir(folder).output().unwrap();
    succeed("tictactoe", &output);
    let log = Log::open(folder.join("log.gtf")).unwrap();
    check_header(&log);
    assert_eq!(log.tree_count(), 9);
    for tree in log.trees() {
        check_tree(tree, tree.number() as i64 + 1);
    }
    assert_eq!(log.tree(8).unwrap().nodes(), 549_946);
}

fn check_header(log: &Log) {
    assert!(log.condition().is_whole());
    assert_eq!(log.game(), "TicTacToe");
    assert_eq!(log.metadata().get("engine"), Some("examples/c/tictactoe"));
    let attributes: Vec<_> = log.schema().attributes().iter().map(|a| (a.name.as_str(), a.kind)).collect();
    let expected = [
        ("depth", Kind::I32),
        ("best", Kind::I32),
        ("type", Kind::I32),
        ("reply", Kind::I8),
        ("moves", Kind::U8),
    ];
    assert_eq!(attributes, expected);
    let aliases: Vec<_> = log.schema().aliases().iter().map(|a| (a.name.as_str(), a.value)).collect();
    assert_eq!(aliases, [("InnerNode", 1), ("WonNode", 2), ("DrawnNode", 4), ("HorizonNode", 8)]);
}

fn check_tree(tree: Tree<'_>, depth: i64) {
    assert_eq!(tree.metadata().get("iteration"), Some(depth.to_string().as_str()));
    assert_eq!(tree.metadata().get("value"), Some("0"));
    let expected = searched(depth);
    assert_eq!(expected[0].values[1], 0, "the game is a draw");
    assert!(read(tree) == expected, "tree {}", tree.number());
    assert_eq!(tree.verify(|_| ()).unwrap().unfinished, 0);
}

/// The nodes that a search of this depth has, found once for all programs.
fn searched(depth: i64) -> &'static [Node] {
    static BY_DEPTH: [OnceLock<Vec<Node>>; 10] = [const { OnceLock::new() }; 10];
    BY_DEPTH[depth as usize].get_or_init(|| search(depth))
}

/// The nodes of a tree with integer attributes, in order.
fn read(tree: Tree<'_>) -> Vec<Node> {
    let mut columns = vec![Column::LastMove];
    columns.extend((0..5).map(Column::Attribute));
    let mut nodes = Vec::new();
    let visited: Result<(), Error> = tree.preorder(&columns, |batch| {
        nodes.extend((0..batch.len()).map(|i| Node {
            ply: batch.plies[i],
            last_move: batch.cells[0].integers[i],
            values: std::array::from_fn(|column| batch.cells[1 + column].integers[i]),
        }));
        Ok(())
    });
    visited.unwrap();
    nodes
}

#[test]
fn as_c_with_the_static_library() {
    check(C, Library::Static);
}

#[test]
fn as_c_with_the_shared_library() {
    check(C, Library::Shared);
}

#[test]
fn as_cpp_with_the_static_library() {
    check(CPP, Library::Static);
}

#[test]
fn as_cpp_with_the_shared_library() {
    check(CPP, Library::Shared);
}

#[test]
fn by_its_own_makefile_with_a_file_for_each_tree() {
    if !C.is_there() || !is_there("pkg-config") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for file in ["tictactoe.c", "live.c", "puzzle.c", "Makefile"] {
        std::fs::copy(example_folder().join(file), folder.path().join(file)).unwrap();
    }
    let make = Command::new("make")
        .args(["-s", "all", "static", "CC=gcc"])
        .arg(format!("PKG_CONFIG_PATH={}", prefix().join("lib/pkgconfig").display()))
        .env_remove("MAKEFLAGS")
        .current_dir(folder.path())
        .output();
    succeed("make", &make.unwrap());
    for (program, pattern, sixth) in
        [("tictactoe", "a-%d.gtf", "a-6.gtf"), ("tictactoe-static", "b-%03d.gtf", "b-006.gtf")]
    {
        let program = folder.path().join(program);
        succeed(
            "tictactoe",
            &Command::new(program).arg(pattern).current_dir(folder.path()).output().unwrap(),
        );
        let log = Log::open(folder.path().join(sixth)).unwrap();
        check_header(&log);
        assert_eq!(log.tree_count(), 1);
        check_tree(log.tree(0).unwrap(), 6);
    }
    for program in ["live", "live-static"] {
        check_live(&folder.path().join(program));
    }
}

#[test]
fn live_as_c_and_as_cpp() {
    for language in [C, CPP] {
        if !language.is_there() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("live");
        compile(language, Library::Shared, &example_folder().join("live.c"), &program);
        check_live(&program);
        let output = Command::new(&program).arg("node: bst = 1").current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("1 | node: bst = 1\n   |       ^^^ did you mean `best`?"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is logged");
    }
}

/// What `live` prints is what its query says, found in the search that is written differently.
fn check_live(program: &Path) {
    let output = Command::new(program).output().unwrap();
    succeed("live", &output);
    let mut expected = String::new();
    for depth in 1..=9 {
        let nodes = searched(depth);
        let matches = live_matches(nodes);
        for &node in matches.iter().take(3) {
            let line: String = line(nodes, node).iter().map(|last_move| format!(" {last_move}")).collect();
            expected += &format!("  node {node}, after{line}\n");
        }
        expected += &format!("depth {depth}: value 0, matches {}\n", matches.len());
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// The draws that one move holds and at least three lose, in the order in which they are left.
fn live_matches(nodes: &[Node]) -> Vec<usize> {
    let mut matches = Vec::new();
    // For each open node its number, and how many children of the values 0 and 1 it has had.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let best = |node: usize| nodes[node].values[1];
    let mut leave = |open: &mut Vec<(usize, usize, usize)>| {
        let Some((node, draws, wins)) = open.pop() else { return };
        if best(node) == 0 && draws == 1 && wins >= 3 {
            matches.push(node);
        }
        if let Some(parent) = open.last_mut() {
            parent.1 += usize::from(best(node) == 0);
            parent.2 += usize::from(best(node) == 1);
        }
    };
    for (number, node) in nodes.iter().enumerate() {
        while open.len() as i64 > node.ply {
            leave(&mut open);
        }
        open.push((number, 0, 0));
    }
    while !open.is_empty() {
        leave(&mut open);
    }
    matches
}

/// The moves from the root to a node.
fn line(nodes: &[Node], node: usize) -> Vec<i64> {
    let mut moves = Vec::new();
    let mut ply = nodes[node].ply;
    for node in nodes[..=node].iter().rev().filter(|node| node.ply > 0) {
        if node.ply == ply {
            moves.push(node.last_move);
            ply -= 1;
        }
    }
    moves.reverse();
    moves
}

/// The appendix writes its descriptor without types and with `{}` for no aliases, and opens a file for each
/// iteration without opening trees.
#[test]
fn the_appendix_as_it_stands() {
    for language in [C, CPP] {
        if !language.is_there() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let flags = [language.flags, &["-Wno-missing-field-initializers"]].concat();
        let language = Language { flags: flags.leak(), ..language };
        let program = folder.path().join("appendix");
        compile(language, Library::Shared, &program_source("appendix.c"), &program);
        succeed("appendix", &Command::new(&program).current_dir(folder.path()).output().unwrap());
        for depth in 1..=3_i64 {
            let log = Log::open(folder.path().join(format!("tree{depth}.gtf"))).unwrap();
            assert!(log.condition().is_whole());
            assert_eq!(log.tree_count(), 1);
            let tree = log.tree(0).unwrap();
            assert_eq!(tree.nodes(), (1 << (depth + 1)) - 1);
            assert_eq!(read(tree)[0], Node { ply: 0, last_move: 0, values: [depth, -1, 1, depth, 0] });
        }
    }
}
