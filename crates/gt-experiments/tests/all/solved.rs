//! Positions that the engine must solve, by nodes and not by time. All nine: `gt experiments --only chess`.

use gt_experiments::positions;
use gt_games::Notation;
use gt_games::chess::SixTerms;
use gt_search::{Limits, Options, Searcher};

/// The best move after so many nodes, in algebraic notation with what follows it left out.
fn best_move(number: u32, nodes_max: u64) -> (String, String) {
    let positions = positions::all().unwrap();
    let position = positions.iter().find(|position| position.number == number).unwrap();
    let options = Options::selective();
    let game = position.game.clone().into_search_root();
    let result = Searcher::new(SixTerms, options).search(&game, &Limits::nodes(nodes_max));
    (game.algebraic(result.best_move.unwrap()), position.solution_text.clone())
}

fn assert_solved(number: u32, nodes_max: u64) {
    let (best, solution) = best_move(number, nodes_max);
    assert_eq!(best.trim_end_matches('+'), solution.trim_end_matches('+'), "position {number}");
}

/// The position whose solution a faulty null move hid. It begins with the sacrifice of a queen, which pruning leaves for late: the
/// search of 0.1.0 needed a tenth of these nodes.
#[test]
fn position_17_is_solved() {
    assert_solved(17, 4_500_000);
}

#[test]
fn positions_of_few_nodes_are_solved() {
    for number in [16, 18, 20, 23] {
        assert_solved(number, 500_000);
    }
}

#[test]
#[ignore = "takes half a minute"]
fn all_positions_are_solved() {
    for number in 15..=23 {
        assert_solved(number, 9_000_000);
    }
}
