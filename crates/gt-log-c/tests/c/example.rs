//! `examples/c/tictactoe.c` in every way it can be built, its log checked node by node.

use std::path::{Path, PathBuf};
use std::process::Command;

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
    let expected = search(depth);
    assert_eq!(expected[0].values[1], 0, "the game is a draw");
    assert_eq!(read(tree), expected);
    assert_eq!(tree.verify(|_| ()).unwrap().unfinished, 0);
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
    for file in ["tictactoe.c", "Makefile"] {
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
