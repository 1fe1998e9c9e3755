//! Handles that refuse what cannot be, logs that threads share, values at entry, and the guards of `gt_log.hpp`.

use std::path::Path;
use std::process::Command;

use gt_log::{Kind, Log, Tree, Value, Walker};

use crate::toolchain::{C, C11, CPP17, is_there, program_source, run, run_as, succeed};

#[test]
fn a_program_that_ends_without_closing_its_log_loses_no_tree() {
    let (folder, output) = run("exits.c", &[]);
    succeed("exits", &output);
    let log = Log::open(folder.path().join("exits.gtf")).unwrap();
    let nodes: Vec<u64> = log.trees().map(|tree| tree.verify(|_| {}).unwrap().nodes).collect();
    assert_eq!(nodes, [30_001; 3]);
}

#[test]
fn handles_are_refused_where_they_do_not_belong() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("handles.c", &[]);
    succeed("handles", &output);
    let log = Log::open(folder.path().join("handles.gtf")).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.trees().map(|tree| tree.nodes()).collect::<Vec<_>>(), [2, 2, 1]);
    let unfinished: Vec<u64> = log.trees().map(|tree| tree.verify(|_| ()).unwrap().unfinished).collect();
    assert_eq!(unfinished, [0, 0, 1]);
    assert_eq!(Log::open(folder.path().join("child.gtf")).unwrap().tree(0).unwrap().nodes(), 1);
}

#[test]
fn threads_share_a_log() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("shared.c", &[]);
    succeed("shared", &output);
    let log = Log::open(folder.path().join("shared.gtf")).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.metadata().get("engine"), Some("before"));
    let mut threads: Vec<i64> = log.trees().map(thread_of).collect();
    threads.sort_unstable();
    assert_eq!(threads, (0..6).flat_map(|thread| [thread; 4]).collect::<Vec<_>>());
    for number in 1..=24 {
        let log = Log::open(folder.path().join(format!("tree-{number}.gtf"))).unwrap();
        assert!(log.condition().is_whole());
        thread_of(log.tree(0).unwrap());
    }
}

#[test]
fn a_shared_handle_calls_no_callback_of_the_other() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("shared_queries.c", &[]);
    succeed("shared_queries", &output);
    assert_eq!(Log::open(folder.path().join("shared.gtf")).unwrap().tree_count(), 4);
}

/// A thread that ended may have had the mark that a new one gets: it must not pass for the owner of what was left open.
#[test]
fn a_thread_is_not_taken_for_one_that_ended() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("reuse.c", &[]);
    succeed("reuse", &output);
    let reused: u32 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    assert!(reused > 0 || cfg!(not(target_os = "linux")), "no thread got the memory of the one before");
    let log = Log::open(folder.path().join("reuse.gtf")).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!((log.tree_count(), log.trees().map(|tree| tree.nodes()).sum::<u64>()), (200, 400));
}

/// The thread that all nodes of a tree name, and its metadata.
fn thread_of(tree: Tree<'_>) -> i64 {
    assert_eq!(tree.nodes(), (3_u64.pow(7) - 1) / 2);
    tree.verify(|_| ()).unwrap();
    let Value::Int(thread) = Walker::new(tree).value(0, 0).unwrap() else { panic!("an integer") };
    let mut walker = Walker::new(tree);
    assert!((0..tree.nodes()).all(|row| walker.value(row, 0).unwrap() == Value::Int(thread)));
    thread
}

#[test]
fn fields_describe_themselves_and_nodes_keep_what_they_were_entered_with() {
    if !C11.is_there() {
        return;
    }
    let (folder, output) = run_as(C11, "fields.c", &[]);
    succeed("fields", &output);
    let log = Log::open(folder.path().join("fields.gtf")).unwrap();
    let attributes: Vec<(&str, Kind)> =
        log.schema().attributes().iter().map(|attribute| (&*attribute.name, attribute.kind)).collect();
    let long = if size_of::<std::ffi::c_ulong>() == 8 { Kind::U64 } else { Kind::U32 };
    assert_eq!(
        attributes,
        [
            ("depth", Kind::I16),
            ("alpha", Kind::I32),
            ("type", Kind::U8),
            ("nodes", long),
            ("share", Kind::F32),
            ("value", Kind::F64),
            ("hit", Kind::Bool),
            ("name", Kind::Text),
            ("height", Kind::U32),
            ("hash_key", Kind::I64),
        ]
    );
    let mut walker = Walker::new(log.tree(0).unwrap());
    let root = walker.root();
    let rows: Vec<String> = std::iter::once(root)
        .chain(walker.children(root).unwrap())
        .map(|row| show(&mut walker, row, 10))
        .collect();
    let missing = "- - - - -";
    assert_eq!(
        rows,
        [
            format!("3 -5 {missing} \"start\" - -"),
            format!("3 -7 {missing} \"late\" - -"),
            "3 9 200 4000000000 0.5 0.25 true \"late\" 1 -1".to_owned(),
            format!("- - {missing} - - -"),
            format!("3 -7 {missing} \"late\" - -"),
        ]
    );
}

fn show(walker: &mut Walker<'_>, row: u64, attributes: usize) -> String {
    let values = (0..attributes).map(|attribute| match walker.value(row, attribute).unwrap() {
        Value::Missing => "-".to_owned(),
        Value::Text(text) => format!("{text:?}"),
        value => value.to_string(),
    });
    values.collect::<Vec<_>>().join(" ")
}

#[test]
fn guards_leave_nodes_on_every_return_and_exception() {
    if !CPP17.is_there() {
        return;
    }
    let (folder, output) = run_as(CPP17, "guard.cpp", &[]);
    succeed("guard", &output);
    let log = Log::open(folder.path().join("guard.gtf")).unwrap();
    assert!(log.condition().is_whole());
    let how = |tree: &Tree<'_>| tree.metadata().get("how").unwrap_or("").to_owned();
    let trees: Vec<(String, u64, u64)> =
        log.trees().map(|tree| (how(&tree), tree.nodes(), tree.verify(|_| ()).unwrap().unfinished)).collect();
    assert_eq!(trees[0], ("searched".to_owned(), 8, 0));
    assert_eq!(trees[1], ("broken off".to_owned(), 2, 1));
    assert_eq!(
        trees[2..],
        [
            ("in a thread".to_owned(), 7, 0),
            ("in a thread".to_owned(), 7, 0),
            ("in a thread".to_owned(), 7, 0)
        ]
    );
    let mut walker = Walker::new(log.tree(1).unwrap());
    let root = walker.root();
    let child = walker.children(root).unwrap()[0];
    assert_eq!(show(&mut walker, root, 5), "5 -50 77 0 false", "it had its result");
    assert_eq!(show(&mut walker, child, 5), "4 50 - - -");
}

#[test]
fn guards_that_are_off_leave_no_trace() {
    if !CPP17.is_there() || !is_there("objdump") {
        return;
    }
    let (off, never_there) = (operations("-DWITH_CALLS"), operations("-DNEVER_THERE"));
    assert!(off.len() > 20, "there is code");
    assert_eq!(off, never_there);
}

/// The operations of the compiled search, sorted: registers and padding may differ.
fn operations(define: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("off.o");
    let compile = Command::new(CPP17.compiler)
        .args(CPP17.flags)
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-c", define, "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(program_source("guard_off.cpp"))
        .arg("-o")
        .arg(&object)
        .output();
    succeed("compiling guard_off.cpp", &compile.unwrap());
    let listing = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(&object).output().unwrap();
    succeed("objdump", &listing);
    let listing = String::from_utf8(listing.stdout).unwrap();
    let operation = |line: &str| {
        line.split('\t').nth(1)?.split_whitespace().find(|&word| word != "cs").map(str::to_owned)
    };
    let mut operations: Vec<String> =
        listing.lines().filter_map(operation).filter(|operation| !operation.starts_with("nop")).collect();
    operations.sort();
    operations
}
