//! The laws that every game keeps, checked on random playouts.

use crate::random::Random;
use gt_games::{NULL_MOVE_CODE, Notation, ROOT_CODE};
use gt_search::Outcome;
use std::collections::HashMap;
use std::fmt::Debug;

/// Plays at random from `start`, checking every law at every position.
pub(crate) fn contract<G: Notation + Debug + PartialEq>(start: &G, playouts: u64, plies_max: usize) {
    let mut drawings = HashMap::new();
    for seed in 0..playouts {
        let mut random = Random(seed);
        let mut game = start.clone();
        for _ in 0..plies_max {
            position_laws(&game, &mut drawings);
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            for _ in 0..8 {
                move_laws(&game, moves[random.below(moves.len())]);
            }
            game.make(moves[random.below(moves.len())]);
        }
    }
}

pub(crate) fn position_laws<G: Notation + Debug + PartialEq>(game: &G, drawings: &mut HashMap<u64, String>) {
    let text = game.position_text();
    let moves = game.legal_moves();

    assert!(game.to_move() < game.players(), "{text}: the mover is a player");
    assert_eq!(game.outcome().is_some(), moves.is_empty(), "{text}: over exactly when there is no move");
    if let Some(Outcome::Win(winner)) = game.outcome() {
        assert!(winner < game.players(), "{text}: the winner is a player");
    }
    assert_eq!(moves, game.legal_moves(), "{text}: the order of moves is fixed");

    let mut codes: Vec<i64> = moves.iter().map(|&mv| game.encode(mv)).collect();
    codes.sort_unstable();
    assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "{text}: each move once, with its own number");
    for code in [ROOT_CODE, NULL_MOVE_CODE, -1, i64::MIN, i64::MAX] {
        assert!(game.decode(code).is_err(), "{text}: {code} is no move");
    }

    let mut noisy = Vec::new();
    game.noisy_moves(&mut noisy);
    assert!(noisy.iter().all(|mv| moves.contains(mv)), "{text}: noisy moves are legal moves");

    text_laws(game, &text, &moves);
    null_move_laws(game);

    let drawing = game.draw();
    let known = drawings.entry(game.hash()).or_insert_with(|| drawing.clone());
    assert_eq!(*known, drawing, "{text}: positions with one hash look the same");
}

fn text_laws<G: Notation + Debug>(game: &G, text: &str, moves: &[G::Move]) {
    let read = G::parse_position(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.position_text(), text, "text round-trips");
    assert_eq!(read.hash(), game.hash(), "{text}: the hash is the recomputed one");
    assert_eq!(read.to_move(), game.to_move(), "{text}");
    assert_eq!(read.players(), game.players(), "{text}");
    assert_eq!(read.draw(), game.draw(), "{text}");
    // A text does not carry the way to a position: a draw by repetition may be lost.
    if game.outcome() != Some(Outcome::Draw) {
        assert_eq!(read.outcome(), game.outcome(), "{text}");
        assert_eq!(read.legal_moves(), moves, "{text}");
    }
}

fn null_move_laws<G: Notation + Debug + PartialEq>(game: &G) {
    let mut passed = game.clone();
    if let Some(undo) = passed.make_null() {
        assert_ne!(passed.to_move(), game.to_move(), "a null move passes the turn");
        assert_ne!(passed.hash(), game.hash());
        passed.undo_null(undo);
        assert_eq!(&passed, game, "taking back a null move restores everything");
    }
}

fn move_laws<G: Notation + Debug + PartialEq>(game: &G, mv: G::Move) {
    let text = game.move_text(mv);
    assert_eq!(game.parse_move(&text), Ok(mv), "{text}: notation round-trips");
    assert_eq!(game.decode(game.encode(mv)), Ok(mv), "{text}: the log's number round-trips");

    let mut played = game.clone();
    let undo = played.make(mv);
    assert_ne!(played.hash(), game.hash(), "{text}: a move changes the hash");
    assert_eq!(played.encode_made(mv), game.encode(mv), "{text}: its number is the same from both sides");
    played.undo(mv, undo);
    assert_eq!(&played, game, "{text}: undo restores everything");
    assert_eq!(format!("{played:?}"), format!("{game:?}"), "{text}: undo restores everything");
}
