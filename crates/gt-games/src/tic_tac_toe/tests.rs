use super::*;
use crate::{Notation, perft};
use gt_search::Evaluate;
use std::collections::HashSet;

#[test]
fn perft_counts_the_games_of_each_length() {
    let counts = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    for (depth, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&mut TicTacToe::new(), depth as u32), count, "depth {depth}");
    }
}

/// Walks every line of play and returns the number of games, collecting the positions.
fn play_all(game: &mut TicTacToe, positions: &mut HashSet<String>, hashes: &mut HashSet<u64>) -> u32 {
    positions.insert(game.position_text());
    hashes.insert(game.hash());
    if game.outcome().is_some() {
        return 1;
    }
    let mut games = 0;
    for mv in game.legal_moves() {
        game.make(mv);
        games += play_all(game, positions, hashes);
        game.undo(mv, ());
    }
    games
}

#[test]
fn there_are_255_168_games_and_5_478_positions() {
    let (mut positions, mut hashes) = (HashSet::new(), HashSet::new());
    assert_eq!(play_all(&mut TicTacToe::new(), &mut positions, &mut hashes), 255_168);
    assert_eq!(positions.len(), 5_478);
    assert_eq!(hashes.len(), 5_478);
    for text in &positions {
        let game = TicTacToe::parse_position(text).expect("every position that arises can be read");
        assert_eq!(&game.position_text(), text);
    }
}

/// The smallest of the eight images of a board under rotation and reflection.
fn canonical(game: &TicTacToe) -> [u16; 2] {
    let turn = |square: u32| 3 * (2 - square % 3) + square / 3;
    let mirror = |square: u32| 3 * (square / 3) + 2 - square % 3;
    let moved = |game: [u16; 2], to: &dyn Fn(u32) -> u32| {
        game.map(|marks| {
            (0..9).filter(|square| marks >> square & 1 == 1).fold(0, |all, square| all | 1 << to(square))
        })
    };
    let mut boards = vec![game.marks, moved(game.marks, &mirror)];
    for quarter in 0..3 {
        boards.push(moved(boards[2 * quarter], &turn));
        boards.push(moved(boards[2 * quarter + 1], &turn));
    }
    boards.into_iter().min().unwrap_or_default()
}

#[test]
fn there_are_765_positions_up_to_symmetry() {
    let (mut positions, mut hashes) = (HashSet::new(), HashSet::new());
    play_all(&mut TicTacToe::new(), &mut positions, &mut hashes);
    let read = |text: &String| TicTacToe::parse_position(text).expect("a position");
    let kinds: HashSet<[u16; 2]> = positions.iter().map(|text| canonical(&read(text))).collect();
    assert_eq!(kinds.len(), 765);
}

#[test]
fn the_report_s_board_and_its_evaluation() {
    // x x o      Figure 1: `o` is one move away from the diagonal through a1; `x` has no line left but the
    // . o .      left file, where two marks are missing.
    // . o x
    let game = TicTacToe::parse_position("xxo/1o1/1ox x").expect("a position");
    assert_eq!(game.to_move(), 0);
    assert_eq!(Distance.evaluate(&game), 1 - 2);
    let drawing = "\u{20}3 x x o\n 2 . o .\n 1 . o x\n   a b c\nx to move\n";
    assert_eq!(game.draw(), drawing);
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let check = |text: &str, sentence: &str| {
        let error = TicTacToe::parse_position(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}`{sentence}"));
    };
    check("3/3 x", ", character 1: the board has three rows of three");
    check("3/3/3 z", ", character 7: the mover is `x` or `o`");
    check("xx1/3/3 o", ": x begins, so x has as many marks as o when x moves, one more when o does");
    check("xxx/oo1/1o1 x", ": the mover has a line already, so the other could not have moved");
    let game = TicTacToe::parse_position("3/1x1/3 o").expect("a position");
    assert_eq!(game.parse_move("b2").expect_err("taken").to_string(), "`b2`: the square is taken");
    assert_eq!(game.parse_move("d2").expect_err("off").to_string(), "`d2`: a move is a square from a1 to c3");
}
