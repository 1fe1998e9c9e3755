use super::*;
use crate::{Chess, Notation};
use gt_search::Game;
use proptest::prelude::*;

/// A board of 64 squares, and attacks found by walking over it.
#[derive(Clone)]
struct Squares([Option<(Color, Piece)>; 64]);

impl Squares {
    fn of(board: &Board) -> Self {
        let on = |square: usize| {
            let square = Square::index(square);
            board.color_on(square).zip(board.piece_on(square))
        };
        Self(std::array::from_fn(on))
    }

    fn attacks(&self, from: usize, to: usize) -> bool {
        let Some((color, piece)) = self.0[from] else { return false };
        let (files, ranks) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
        let (straight, diagonal) = (files == 0 || ranks == 0, files.abs() == ranks.abs());
        let slides = match piece {
            Piece::Pawn => return files.abs() == 1 && ranks == if color == Color::White { 1 } else { -1 },
            Piece::Knight => return files.abs() * ranks.abs() == 2,
            Piece::King => return files.abs().max(ranks.abs()) == 1,
            Piece::Bishop => diagonal,
            Piece::Rook => straight,
            Piece::Queen => straight || diagonal,
        };
        let steps = files.abs().max(ranks.abs());
        let step = files.signum() + 8 * ranks.signum();
        slides && (1..steps).all(|steps| self.0[(from as i32 + steps * step) as usize].is_none())
    }

    /// The gain of `color` from taking on `to`, or from declining to.
    fn gain(&self, to: usize, color: Color) -> i32 {
        let takes =
            |from: &usize| self.0[*from].is_some_and(|(own, _)| own == color) && self.attacks(*from, to);
        let worth = |square: usize| self.0[square].map_or(0, |(_, piece)| WORTH[piece as usize]);
        let Some(from) = (0..64).filter(|&from| from != to).filter(takes).min_by_key(|&from| worth(from))
        else {
            return 0;
        };
        let mut after = self.clone();
        after.0[to] = after.0[from].take();
        (worth(to) - after.gain(to, !color)).max(0)
    }
}

fn plain_exchange(game: &Chess, mv: Move) -> i32 {
    let (before, mut after) = (Squares::of(game.board()), game.clone());
    after.make(mv);
    let squares = Squares::of(after.board());
    let mover = game.board().side_to_move();
    let worth = |squares: &Squares, color| -> i32 {
        squares
            .0
            .iter()
            .flatten()
            .filter(|(of, _)| *of == color)
            .map(|(_, piece)| WORTH[*piece as usize])
            .sum()
    };
    let won =
        worth(&before, !mover) - worth(&squares, !mover) + worth(&squares, mover) - worth(&before, mover);
    won - squares.gain(mv.to as usize, !mover)
}

fn value(fen: &str, mv: &str) -> i32 {
    let game = Chess::parse_position(fen).unwrap_or_else(|error| panic!("{error}"));
    let mv = game.parse_move(mv).unwrap_or_else(|error| panic!("{error}"));
    exchange(&game.position, mv)
}

#[test]
fn exchanges_that_a_person_can_count() {
    // A free pawn; a pawn that a pawn guards; the queen for it; the rook behind the queen joins in.
    assert_eq!(value("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), 100);
    assert_eq!(value("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), -400);
    assert_eq!(value("4k3/8/4p3/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5"), -750);
    assert_eq!(value("3rk3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5"), -350);
    // A quiet move to a square that a pawn attacks; castling; a promotion that is taken.
    assert_eq!(value("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5"), -500);
    assert_eq!(value("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), 0);
    assert_eq!(value("3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q"), -100);
    assert_eq!(value("3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7d8q"), 1350);
    // En passant opens the file.
    assert_eq!(value("3r2k1/8/8/3pP3/8/8/8/3QK3 w - d6 0 1", "e5d6"), 100);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn exchanges_are_those_of_a_plain_recursion(choices in proptest::collection::vec(any::<u32>(), 10..120)) {
        let mut game = Chess::new();
        for choice in choices {
            let moves = game.legal_moves();
            let mut noisy = Vec::new();
            game.noisy_moves(&mut noisy);
            for &mv in moves.iter().filter(|&&mv| destination(game.board(), mv) == mv.to) {
                let gained = plain_exchange(&game, mv);
                prop_assert_eq!(exchange(&game.position, mv), gained, "{} {}", game.position_text(), mv);
                for worth in [-300, -100, -1, 0, 1, 100, 101, 330] {
                    prop_assert_eq!(
                        wins_at_least(&game.position, mv, worth),
                        gained >= worth,
                        "{} {} {}", game.position_text(), mv, worth
                    );
                }
                prop_assert_eq!(game.is_noisy(mv), noisy.contains(&mv), "{} {}", game.position_text(), mv);
            }
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
            game.make(mv);
        }
    }

    #[test]
    fn checks_are_checks(choices in proptest::collection::vec(any::<u32>(), 10..120)) {
        let mut game = Chess::new();
        for choice in choices {
            let moves = game.legal_moves();
            let (mut noisy, mut checking) = (Vec::new(), Vec::new());
            game.noisy_moves(&mut noisy);
            game.threatening_moves(&mut checking);
            for &mv in &moves {
                let mut after = game.clone();
                after.make(mv);
                let plain = mv.promotion.is_none() && destination(game.board(), mv) == mv.to;
                let en_passant = super::super::moves::taken_piece(&game.position, mv).is_some()
                    && !game.board().occupied().has(mv.to);
                if plain && !en_passant {
                    prop_assert_eq!(game.threatens(mv), after.in_check(), "{} {}", game.position_text(), mv);
                }
            }
            for mv in checking {
                prop_assert!(moves.contains(&mv) && !noisy.contains(&mv) && game.threatens(mv));
            }
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
            game.make(mv);
        }
    }
}
