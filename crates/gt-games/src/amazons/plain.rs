//! The evaluations as the article tells them, square by square.
//!
//! Slow and obvious: the oracle that the fast ones are tested against, and the ones to read first. Values are
//! from the view of the player to move.

use super::{Amazons, Square, TERRITORY_WEIGHT};
use gt_search::Game;

/// The eight ways of a queen, as steps in file and rank.
const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// For each square of the board, by file and rank, how many queen moves a player needs to get there.
pub(super) type Distances = [[Option<u32>; 10]; 10];

/// For each amazon the number of squares it can move to; the mover's sum minus the opponent's.
pub fn mobility(game: &Amazons) -> i32 {
    let of = |player| game.amazons(player).map(|from| queen_moves(game, from).len() as i32).sum::<i32>();
    of(game.to_move()) - of(1 - game.to_move())
}

/// The number of squares that the mover reaches in fewer moves, minus those that the opponent does.
pub fn territory(game: &Amazons) -> i32 {
    over_owned_squares(game, |_, _| 1)
}

/// As [`territory`], each square counting four plus the number of its owner's amazons that see it.
pub fn territory_mobility(game: &Amazons) -> i32 {
    over_owned_squares(game, |player, square| {
        let sees = |from: &Square| queen_moves(game, *from).contains(&square);
        TERRITORY_WEIGHT + game.amazons(player).filter(sees).count() as i32
    })
}

/// Adds what each square is worth to the player who owns it, the opponent's squares counting against.
fn over_owned_squares(game: &Amazons, worth: impl Fn(usize, Square) -> i32) -> i32 {
    let (mover, opponent) = (game.to_move(), 1 - game.to_move());
    let (mine, theirs) = (distances(game, mover), distances(game, opponent));
    let mut total = 0;
    for square in empty_squares(game) {
        let (file, rank) = (square.file(), square.rank());
        // A square never reached is farther than any number of moves.
        let my_moves = mine[file][rank].unwrap_or(u32::MAX);
        let their_moves = theirs[file][rank].unwrap_or(u32::MAX);
        if my_moves < their_moves {
            total += worth(mover, square);
        } else if their_moves < my_moves {
            total -= worth(opponent, square);
        }
    }
    total
}

pub(super) fn distances(game: &Amazons, player: usize) -> Distances {
    let mut distances: Distances = [[None; 10]; 10];
    let mut frontier: Vec<Square> = game.amazons(player).collect();
    let mut moves = 0;
    while !frontier.is_empty() {
        moves += 1;
        let mut next = Vec::new();
        for from in frontier {
            for to in queen_moves(game, from) {
                let distance = &mut distances[to.file()][to.rank()];
                if distance.is_none() {
                    *distance = Some(moves);
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    distances
}

/// The empty squares that a queen on `from` can go to.
pub fn queen_moves(game: &Amazons, from: Square) -> Vec<Square> {
    let mut squares = Vec::new();
    for (file_step, rank_step) in DIRECTIONS {
        let mut at = from;
        while let Some(next) = step(game, at, file_step, rank_step) {
            squares.push(next);
            at = next;
        }
    }
    squares
}

fn step(game: &Amazons, from: Square, file_step: isize, rank_step: isize) -> Option<Square> {
    let file = from.file().checked_add_signed(file_step).filter(|&file| file < game.size().width())?;
    let rank = from.rank().checked_add_signed(rank_step).filter(|&rank| rank < game.size().height())?;
    Some(Square::new(file, rank)).filter(|&square| game.is_empty(square))
}

fn empty_squares(game: &Amazons) -> impl Iterator<Item = Square> {
    let (width, height) = (game.size().width(), game.size().height());
    let squares = (0..height).flat_map(move |rank| (0..width).map(move |file| Square::new(file, rank)));
    squares.filter(|&square| game.is_empty(square))
}
