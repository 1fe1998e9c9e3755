//! `make bench-search`, its last part: what logging costs a chess search.

use gt_bench::{best_of, row};
use gt_games::Notation;
use gt_games::chess::{Chess, SixTerms};
use gt_log::{LogWriter, Metadata};
use gt_record::Recorder;
use gt_search::{Limits, Options, Searcher};

/// A tactical position with much to search (LCT II, 17).
const POSITION: &str = "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -";
const DEPTH: u16 = 9;

fn main() -> gt_log::Result<()> {
    let game = Chess::parse_position(POSITION).expect("a position of ours").into_search_root();
    let folder = tempfile::tempdir()?;
    let limits = Limits::depth(DEPTH);
    let search = || Searcher::new(SixTerms, Options::selective()).search(&game, &limits).nodes;
    println!("chess, the six terms, quiescence, depth {DEPTH}, one core");
    let (off, nodes) = best_of(5, search);
    let (on, logged) = best_of(5, || -> gt_log::Result<u64> {
        let log = LogWriter::create(folder.path().join("chess.gtf"), gt_record::header("chess")?)?;
        let mut recorder = Recorder::new(&log, Metadata::new());
        let result = Searcher::new(SixTerms, Options::selective()).search_observed(
            &game,
            &limits,
            &mut recorder,
            |_| (),
        );
        recorder.finish()?;
        log.finish()?;
        Ok(result.nodes)
    });
    let logged = logged?;
    assert_eq!(nodes, logged, "observing changes nothing");
    let bytes = std::fs::metadata(folder.path().join("chess.gtf"))?.len();
    let rate = |seconds: f64| format!("{:.2} M nodes/s", nodes as f64 / seconds / 1e6);
    row("not logged", &rate(off), "at least 1 M nodes/s");
    row("logged, 12 attributes a node", &rate(on), "");
    row("fewer nodes a second", &format!("{:.1}%", 100.0 * (1.0 - off / on)), "at most 15%");
    row("cost of a node", &format!("{:.1} ns", (on - off) * 1e9 / nodes as f64), "");
    row("size", &format!("{:.2} bytes/node", bytes as f64 / nodes as f64), &format!("{nodes} nodes"));
    Ok(())
}
