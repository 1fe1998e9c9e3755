//! Logs read and asked from C, trees that are not searched depth-first, and the example that does both.

use std::path::Path;
use std::process::Command;

use gt_log::{Log, Value, Walker};

use crate::toolchain::{C, CPP, Library, compile, run, run_as, succeed};

#[test]
fn what_c_writes_c_reads() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("reading.c", &[]);
    succeed("reading", &output);
    let log = Log::open(folder.path().join("reading.gtf")).unwrap();
    let nodes: Vec<u64> = log.trees().map(|tree| tree.nodes()).collect();
    assert_eq!(nodes[..2], [6, 1]);
    assert_eq!(log.move_names(), [(11, "left"), (12, "right")]);
    let few = log.schema().alias_named("Few").unwrap();
    assert_eq!((few.value, few.attribute), (1, Some(1)), "an alias of one attribute");
    let mut walker = Walker::new(log.tree(0).unwrap());
    let row = walker.find(5).unwrap().row;
    assert_eq!(walker.value(row, 0).unwrap(), Value::Int(40), "the value given last");
}

#[test]
fn the_reading_header_is_also_cpp() {
    if CPP.is_there() {
        let (_folder, output) = run_as(CPP, "reading.c", &[]);
        succeed("reading", &output);
    }
}

#[test]
fn the_puzzle_is_solved_and_its_log_asked() {
    if !C.is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("puzzle");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c/puzzle.c");
    compile(C, Library::Static, &source, &program);
    let solve = |arguments: &[&str]| {
        Command::new(&program).args(arguments).current_dir(folder.path()).output().unwrap()
    };

    let output = solve(&[]);
    succeed("puzzle", &output);
    let printed = String::from_utf8(output.stdout).unwrap();
    // One of the two positions that are farthest from the goal.
    assert!(printed.contains("31 moves"), "{printed}");
    let log = Log::open(folder.path().join("puzzle.gtf")).unwrap();
    assert!(log.condition().is_whole());
    let tree = log.tree(0).unwrap();
    let mut walker = Walker::new(tree);
    let mut row = walker.root();
    let mut length = 0;
    while let Some(next) = solution_child(&mut walker, row) {
        (row, length) = (next, length + 1);
    }
    assert_eq!(length, 31, "the way that is marked leads from the root to the goal");
    assert_eq!(walker.value(row, 1).unwrap(), Value::Int(0), "nothing is left to do there");

    let output = solve(&["short.gtf", "123456708"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 moves, the last of them right"));
    let output = solve(&["none.gtf", "213456780"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("there is no way"));
    let output = solve(&["bad.gtf", "12345678"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("bad.gtf").exists());
}

fn solution_child(walker: &mut Walker<'_>, row: u64) -> Option<u64> {
    let children = walker.children(row).unwrap();
    children.into_iter().find(|&child| walker.value(child, 3).unwrap() == Value::Bool(true))
}
