//! Speed of chess: perft with every leaf made, and the evaluations.
//!
//! ```text
//! cargo bench -p gt-games --bench chess
//! ```

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gt_games::chess::{Material, SixTerms};
use gt_games::{Chess, Notation, perft};
use gt_search::{Evaluate, Game};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 5)]
fn perft_start_depth_5(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(4_865_609u64))
        .with_inputs(Chess::new)
        .bench_local_refs(|game| assert_eq!(perft(game, 5), 4_865_609));
}

/// Tactical middle-game positions and all that follow from one move.
fn positions() -> Vec<Chess> {
    let mut positions = Vec::new();
    for fen in [
        "1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - -",
        "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ -",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "2rr2k1/1b3ppp/pb2p3/1p2P3/1P2BPnq/P1N3P1/1B2Q2P/R4R1K b - -",
    ] {
        let game = Chess::parse_position(fen).expect("a position");
        for mv in game.legal_moves() {
            let mut after = game.clone();
            after.make(mv);
            positions.push(after);
        }
    }
    positions
}

fn for_each(bencher: Bencher, measure: impl Fn(&Chess) -> i32) {
    let positions = positions();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| black_box(&positions).iter().map(&measure).sum::<i32>());
}

#[divan::bench]
fn six_terms(bencher: Bencher) {
    for_each(bencher, |game| SixTerms.evaluate(game));
}

#[divan::bench]
fn material(bencher: Bencher) {
    for_each(bencher, |game| Material.evaluate(game));
}

#[divan::bench]
fn outcome(bencher: Bencher) {
    for_each(bencher, |game| i32::from(game.outcome().is_some()));
}

#[divan::bench]
fn noisy_moves(bencher: Bencher) {
    let mut list = Vec::new();
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for game in black_box(&positions) {
            list.clear();
            game.noisy_moves(&mut list);
            black_box(&list);
        }
    });
}
