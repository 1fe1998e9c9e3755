//! A real process killed in mid-search leaves a log that opens.
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gt_log::{Flush, Header, IndexState, Log, LogWriter, Metadata, Options, Schema, TreeEnding};

gt_log::record! { struct Node { best: i32 } }

const ROLE: &str = "GT_LOG_TEST_VICTIM";
/// Set where the victim's blocks are encoded by a thread of their own.
const BACKGROUND: &str = "GT_LOG_TEST_VICTIM_BACKGROUND";

/// Not a test of its own: what the victim process runs. It searches until it is killed.
#[test]
fn victim() {
    let Some(path) = std::env::var_os(ROLE) else { return };
    let log = LogWriter::create(path, Header::new("victim", Schema::of::<Node>().unwrap())).unwrap();
    let flush = Flush { nodes_max: 1000, time_ms_max: Some(5) };
    let mut tree = log.tree_with::<Node>(&Metadata::new(), Options { flush, ..Options::default() }).unwrap();
    tree = tree.background(std::env::var_os(BACKGROUND).is_some());
    tree.enter(0).unwrap();
    for root_move in 0.. {
        search(&mut tree, root_move, 6);
    }
}

fn search(tree: &mut gt_log::TreeWriter<Node>, last_move: i64, depth: i32) {
    tree.enter(last_move).unwrap();
    if depth > 0 {
        (0..4).for_each(|mv| search(tree, mv, depth - 1));
    }
    tree.leave(&Node { best: depth }).unwrap();
}

#[test]
fn a_killed_search_leaves_all_that_was_flushed() {
    for signal in [libc::SIGKILL, libc::SIGTERM, libc::SIGABRT] {
        for background in [false, true] {
            kill_and_open(signal, background);
        }
    }
}

fn kill_and_open(signal: i32, background: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.gtf");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["killed::victim", "--exact", "--nocapture"]).env(ROLE, &path);
    if background {
        command.env(BACKGROUND, "1");
    }
    let mut victim = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while std::fs::metadata(&path).map_or(0, |file| file.len()) < 20_000 {
        assert!(start.elapsed() < Duration::from_secs(60), "the victim writes nothing");
        std::thread::sleep(Duration::from_millis(5));
    }
    // SAFETY: the process is our child and has not been waited for.
    unsafe { libc::kill(victim.id() as i32, signal) };
    assert!(!victim.wait().unwrap().success());

    let log = Log::open(&path).unwrap();
    assert_eq!(log.condition().index, IndexState::Missing);
    let TreeEnding::CutOff { nodes_completed } = log.condition().trees[0] else { panic!("it was killed") };
    assert!((1..=8).contains(&nodes_completed), "{nodes_completed} nodes were open");
    let tree = log.tree(0).unwrap();
    let verified = tree.verify(|_| {}).unwrap();
    assert_eq!(verified.unfinished, nodes_completed);
    assert!(tree.nodes() > 3000, "{}", tree.nodes());

    let good = folder.path().join("good.gtf");
    let report = gt_log::recover(&log, std::fs::File::create(&good).unwrap(), |_| {}).unwrap();
    assert_eq!((report.trees[0].nodes, report.trees[0].nodes_lost), (tree.nodes(), 0));
    Log::open(&good).unwrap().verify(|_| {}).unwrap();
}
