//! Nodes per second and core, with full evaluations.
//!
//! `cargo bench -p gt-search --bench nodes_per_second`

mod timing;

use gt_games::amazons::{Amazons, Territory};
use gt_games::chess::{Chess, SixTerms};
use gt_games::{Notation, NotationError};
use gt_search::{Evaluate, Game, Limits, Options, Searcher};
use timing::processor_time;

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn main() -> Result<(), NotationError> {
    let quiescent = Options { quiescence_plies_max: Some(64), ..Options::default() };
    for (name, options) in [("full width", quiescent), ("selective", Options::selective())] {
        println!("chess, six terms, quiescence, {name}:");
        for position in POSITIONS {
            let game = Chess::parse_position(position)?.into_search_root();
            measure(position, &game, SixTerms, options.clone());
        }
    }
    println!("Amazons, territory:");
    measure("the start on 10x10", &Amazons::default(), Territory, Options::default());
    Ok(())
}

fn measure<G: Game, E: Evaluate<G>>(name: &str, game: &G, evaluation: E, options: Options) {
    let mut searcher = Searcher::new(evaluation, options);
    let limits = Limits::nodes(2_000_000);
    let (result, time) = processor_time(|| searcher.search(game, &limits));
    let per_second = result.nodes as f64 / time.as_secs_f64() / 1e6;
    println!("  {per_second:6.2} M nodes/s  depth {:>2}  value {:>6}  {name}", result.depth, result.value);
}
