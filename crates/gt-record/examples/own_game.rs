//! A game of one's own, searched by gt-search and logged by gt-record.
//!
//! ```text
//! cargo run --package gt-record --example own_game -- subtract.gtf
//! gt profile subtract.gtf
//! ```

use gt_log::{LogWriter, Metadata};
use gt_record::Recorder;
use gt_search::{Evaluate, Game, Limits, Options, Outcome, Searcher};

/// A heap of matches. The players take one to three in turn; the one who takes the last match wins.
#[derive(Clone)]
struct Heap {
    left: u32,
    to_move: usize,
}

impl Game for Heap {
    type Move = u32;
    type Undo = ();

    fn to_move(&self) -> usize {
        self.to_move
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(1 - self.to_move))
    }
    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(3));
    }
    fn make(&mut self, taken: u32) {
        self.left -= taken;
        self.to_move = 1 - self.to_move;
    }
    fn undo(&mut self, taken: u32, (): ()) {
        self.left += taken;
        self.to_move = 1 - self.to_move;
    }
    fn hash(&self) -> u64 {
        (u64::from(self.left) * 2 + self.to_move as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn encode(&self, taken: u32) -> i64 {
        i64::from(taken)
    }
}

/// An evaluation that knows nothing.
struct Nothing;

impl Evaluate<Heap> for Nothing {
    fn evaluate(&self, _: &Heap) -> i32 {
        0
    }
}

fn main() -> gt_log::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "subtract.gtf".to_owned());
    let log = LogWriter::create(&path, gt_record::header("subtract")?)?;
    let mut recorder = Recorder::new(&log, Metadata::new().with("position", "21"));
    let mut searcher = Searcher::new(Nothing, Options::default());
    let heap = Heap { left: 21, to_move: 0 };
    let found = searcher.search_observed(&heap, &Limits::depth(30), &mut recorder, |iteration| {
        println!("depth {}: value {}, {} nodes", iteration.depth, iteration.value, iteration.nodes);
    });
    recorder.finish()?;
    log.finish()?;
    println!("take {:?}; {path} is written", found.best_move);
    Ok(())
}
