//! A C engine that dies in mid-search leaves a log with everything that had been flushed.

use gt_log::{IndexState, Log, TreeEnding, Value, Walker};

use crate::toolchain::{C, run};

/// As in `crash.c`.
const FLUSH_NODES: u64 = 1_000;
const NODES_ENTERED: u64 = 12_346;

fn check(ending: &str, is_as_it_should: impl Fn(std::process::ExitStatus) -> bool) {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("crash.c", &[ending]);
    assert!(is_as_it_should(output.status), "{ending}: {} {}", output.status, text(&output.stderr));
    let log = Log::open(folder.path().join("crash.gtf")).unwrap();
    assert_eq!(log.condition().index, IndexState::Missing);
    assert_eq!(log.condition().bytes_lost, 0);
    let [TreeEnding::CutOff { nodes_completed }] = log.condition().trees[..] else {
        panic!("{:?}", log.condition())
    };
    let tree = log.tree(0).unwrap();
    // Every node entered has been left and flushed, was open at the last flush, or came after it.
    let flushed = tree.nodes() - nodes_completed;
    assert_eq!(flushed % FLUSH_NODES, 0);
    assert!(flushed + FLUSH_NODES + 10 >= NODES_ENTERED && tree.nodes() <= NODES_ENTERED, "{}", tree.nodes());
    assert_eq!(tree.verify(|_| ()).unwrap().unfinished, nodes_completed);
    check_nodes(Walker::new(tree));
}

/// The nodes that were left have their numbers; the others' are not known.
fn check_nodes(mut walker: Walker<'_>) {
    for node in 0..walker.tree().nodes() {
        let row = walker.find(node).unwrap().row;
        let number = walker.value(row, 1).unwrap();
        let is_unfinished = walker.integer(row, gt_log::Column::Status).unwrap() != 0;
        let expected = if is_unfinished { Value::Missing } else { Value::Int(node as i64) };
        assert_eq!(number, expected);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[test]
fn killed() {
    check("kill", |status| signal(status) == Some(9));
}

#[test]
fn aborted() {
    check("abort", |status| signal(status) == Some(6));
}

#[test]
fn ended_without_closing() {
    check("exit", |status| status.success());
}
