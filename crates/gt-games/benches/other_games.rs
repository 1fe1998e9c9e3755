//! Speed of the smaller games: perft with every leaf made, and the evaluations.
//!
//! ```text
//! cargo bench -p gt-games --bench other_games
//! ```

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gt_games::{ChineseCheckers, ConnectFour, Notation, TicTacToe, chinese_checkers, connect_four, perft};
use gt_search::{Evaluate, EvaluateAll, Game};

fn main() {
    divan::main();
}

fn count<G: Game>(bencher: Bencher, start: &G, depth: u32, leaves: u64) {
    bencher
        .counter(ItemsCount::new(leaves))
        .with_inputs(|| start.clone())
        .bench_local_refs(|game| assert_eq!(perft(game, depth), leaves));
}

#[divan::bench(sample_count = 5)]
fn tic_tac_toe_perft_8(bencher: Bencher) {
    count(bencher, &TicTacToe::new(), 8, 200_448);
}

#[divan::bench(sample_count = 5)]
fn connect_four_perft_8(bencher: Bencher) {
    count(bencher, &ConnectFour::new(), 8, 5_673_234);
}

#[divan::bench(sample_count = 5)]
fn chinese_checkers_perft_4(bencher: Bencher) {
    let start = ChineseCheckers::start(2).expect("two players");
    count(bencher, &start, 4, 115_600);
}

/// The positions after each two moves from the start.
fn positions<G: Notation>(start: &G) -> Vec<G> {
    let after = |game: &G| -> Vec<G> {
        let moves = game.legal_moves().into_iter();
        moves
            .map(|mv| {
                let mut next = game.clone();
                next.make(mv);
                next
            })
            .collect()
    };
    after(start).iter().flat_map(after).collect()
}

#[divan::bench]
fn connect_four_threats(bencher: Bencher) {
    let positions = positions(&ConnectFour::new());
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        black_box(&positions).iter().map(|game| connect_four::Threats.evaluate(game)).sum::<i32>()
    });
}

#[divan::bench]
fn chinese_checkers_distance_of_six(bencher: Bencher) {
    let positions = positions(&ChineseCheckers::start(6).expect("six players"));
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        let mut values = [0; 6];
        for game in black_box(&positions) {
            chinese_checkers::Distance.evaluate_all(game, &mut values);
            black_box(&values);
        }
    });
}
