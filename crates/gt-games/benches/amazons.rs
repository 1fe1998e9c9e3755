//! Speed of Amazons: perft with every leaf made, and the evaluations.
//!
//! ```text
//! cargo bench -p gt-games --bench amazons
//! ```

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gt_games::amazons::{Amazons, Mobility, Territory, TerritoryMobility, plain};
use gt_games::perft;
use gt_search::{Evaluate, Game};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 5)]
fn perft_10x10_depth_2(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(4_307_152u64))
        .with_inputs(Amazons::default)
        .bench_local_refs(|game| assert_eq!(perft(game, 2), 4_307_152));
}

/// Positions of one game after each move, so that early, middle and late boards all count.
fn game_positions() -> Vec<Amazons> {
    let mut game = Amazons::default();
    let mut positions = Vec::new();
    let mut moves = Vec::new();
    let mut state = 1u64;
    loop {
        positions.push(game);
        moves.clear();
        game.moves(&mut moves);
        if moves.is_empty() {
            return positions;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.make(moves[(state >> 33) as usize % moves.len()]);
    }
}

fn evaluate_each(bencher: Bencher, evaluate: impl Fn(&Amazons) -> i32) {
    let positions = game_positions();
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| black_box(&positions).iter().map(&evaluate).sum::<i32>());
}

#[divan::bench]
fn mobility(bencher: Bencher) {
    evaluate_each(bencher, |game| Mobility.evaluate(game));
}

#[divan::bench]
fn territory(bencher: Bencher) {
    evaluate_each(bencher, |game| Territory.evaluate(game));
}

#[divan::bench]
fn territory_mobility(bencher: Bencher) {
    evaluate_each(bencher, |game| TerritoryMobility.evaluate(game));
}

#[divan::bench]
fn territory_plain(bencher: Bencher) {
    evaluate_each(bencher, plain::territory);
}
