//! `make bench-search`, its last part: how fast a chess search is, and what logging costs it.

use std::path::Path;
use std::time::Instant;

use gt_bench::{row, thread_seconds};
use gt_games::Notation;
use gt_games::chess::network::Network;
use gt_games::chess::{ByNetwork, Chess, SixTerms};
use gt_log::{LogWriter, Metadata};
use gt_record::Recorder;
use gt_search::{Limits, Options, Searcher};

/// A tactical position with much to search (LCT II, 17).
const POSITION: &str = "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -";
const DEPTH: u16 = 9;
const RUNS: usize = 7;

/// The shortest times of several runs, in seconds: that of the searching thread's CPU and that on the wall.
struct Shortest {
    cpu: f64,
    wall: f64,
}

impl Shortest {
    const NONE: Self = Self { cpu: f64::INFINITY, wall: f64::INFINITY };

    fn run<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let (wall, cpu) = (Instant::now(), thread_seconds());
        let result = run();
        self.cpu = self.cpu.min(thread_seconds() - cpu);
        self.wall = self.wall.min(wall.elapsed().as_secs_f64());
        result
    }
}

fn main() -> gt_log::Result<()> {
    let game = Chess::parse_position(POSITION).expect("a position of ours").into_search_root();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("chess.gtf");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("chess, the six terms, quiescence, depth {DEPTH}, one searching thread, {cores} cores");
    let (mut off, mut here, mut there) = (Shortest::NONE, Shortest::NONE, Shortest::NONE);
    let (mut nodes, mut by_network, mut network_nodes) = (0, Shortest::NONE, 0);
    // In turns, so that a busy machine is busy for all of them.
    for _ in 0..RUNS {
        let search =
            || Searcher::new(SixTerms, Options::selective()).search(&game, &Limits::depth(DEPTH)).nodes;
        nodes = off.run(search);
        let evaluation = ByNetwork(Network::built_in());
        let search =
            || Searcher::new(evaluation, Options::selective()).search(&game, &Limits::depth(DEPTH)).nodes;
        network_nodes = by_network.run(search);
        let logged_here = here.run(|| logged(&game, &path, false))?;
        let logged_there = there.run(|| logged(&game, &path, true))?;
        assert_eq!((nodes, nodes), (logged_here, logged_there), "observing changes nothing");
    }
    let bytes = std::fs::metadata(&path)?.len();
    let rate = |seconds: f64| format!("{:.2} M nodes/s", nodes as f64 / seconds / 1e6);
    row("not logged", &rate(off.cpu), "at least 1.5 M nodes/s");
    let network_rate = format!("{:.2} M nodes/s", network_nodes as f64 / by_network.cpu / 1e6);
    row("not logged, by the network", &network_rate, "at least 1.5 M nodes/s");
    for (where_, logged) in [("here", &here), ("in the background", &there)] {
        let fewer = |off: f64, on: f64| format!("{:.1}%", 100.0 * (1.0 - off / on));
        let cost = |off: f64, on: f64| format!("{:.1} ns", (on - off) * 1e9 / nodes as f64);
        row(&format!("12 attributes a node, encoded {where_}"), &rate(logged.cpu), "");
        row("  fewer nodes a second of the searching thread", &fewer(off.cpu, logged.cpu), "at most 15%");
        row("  cost of a node to the searching thread", &cost(off.cpu, logged.cpu), "");
        row("  fewer nodes a second on the wall", &fewer(off.wall, logged.wall), "");
    }
    row("size", &format!("{:.2} bytes/node", bytes as f64 / nodes as f64), &format!("{nodes} nodes"));
    Ok(())
}

/// The nodes of a search that is logged to a file.
fn logged(game: &Chess, path: &Path, background: bool) -> gt_log::Result<u64> {
    let log = LogWriter::create_with(path, gt_record::header("chess")?, gt_log::Existing::Replace)?;
    let mut recorder = Recorder::new(&log, Metadata::new()).background(background);
    let mut searcher = Searcher::new(SixTerms, Options::selective());
    let result = searcher.search_observed(game, &Limits::depth(DEPTH), &mut recorder, |_| ());
    recorder.finish()?;
    log.finish()?;
    Ok(result.nodes)
}
