//! Values that the literature and other programs agree on, found by the plainest search there is.

use gt_games::amazons::{Mobility, Size, TerritoryMobility};
use gt_games::{Amazons, Notation, TicTacToe};
use gt_search::{Evaluate, Game, Outcome};
use std::collections::HashMap;

fn negamax(game: &mut Amazons, depth: u32) -> i32 {
    if depth == 0 {
        return Mobility.evaluate(game);
    }
    let mut best = i32::MIN + 1;
    for mv in game.legal_moves() {
        let undo = game.make(mv);
        best = best.max(-negamax(game, depth - 1));
        game.undo(mv, undo);
    }
    best
}

#[test]
fn amazons_by_mobility() {
    let check = |side, values: &[i32]| {
        for (depth, &value) in values.iter().enumerate() {
            let mut game = Amazons::start(Size::new(side, side).expect("a size"));
            assert_eq!(negamax(&mut game, depth as u32 + 1), value, "{side}x{side} depth {}", depth + 1);
        }
    };
    check(6, &[20, 0]);
    check(10, &[31, 0]);
}

/// Whether the player to move wins, each position looked at once, the promising moves first.
fn mover_wins(game: &mut Amazons, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&wins) = known.get(&game.hash()) {
        return wins;
    }
    let mut moves = game.legal_moves();
    moves.sort_by_cached_key(|&mv| {
        let mut after = *game;
        after.make(mv);
        TerritoryMobility.evaluate(&after)
    });
    let wins = moves.into_iter().any(|mv| {
        let undo = game.make(mv);
        let loses = !mover_wins(game, known);
        game.undo(mv, undo);
        loses
    });
    known.insert(game.hash(), wins);
    wins
}

fn first_wins(width: usize, height: usize) -> bool {
    let mut game = Amazons::start(Size::new(width, height).expect("a size"));
    mover_wins(&mut game, &mut HashMap::new())
}

#[test]
fn amazons_4x4_is_the_second_player_s() {
    assert!(!first_wins(4, 4));
}

#[test]
fn amazons_5x4_is_the_first_player_s() {
    assert!(first_wins(5, 4));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    fn value(game: &mut TicTacToe) -> i32 {
        match game.outcome() {
            Some(Outcome::Win(_)) => return -1,
            Some(Outcome::Draw) => return 0,
            None => {}
        }
        let mut best = -1;
        for mv in game.legal_moves() {
            game.make(mv);
            best = best.max(-value(game));
            game.undo(mv, ());
        }
        best
    }
    assert_eq!(value(&mut TicTacToe::new()), 0);
}

#[test]
fn perft_far_beyond_the_end_of_the_game_is_none() {
    let mut game = TicTacToe::parse_position("xox/oxo/1x1 o").expect("a position");
    assert_eq!(gt_games::perft(&mut game, 2), 2);
    assert_eq!(gt_games::perft(&mut game, u32::MAX), 0);
}
