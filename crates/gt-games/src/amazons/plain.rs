//! The evaluations as the article describes them, square by square.
//!
//! Slow and obvious: they are the oracle for the tests of the fast evaluations, and the ones to read first. Values are from the view of the
//! player to move.

use super::{Amazons, Square, TERRITORY_WEIGHT, Terms};
use gt_search::Game;

/// The eight directions of a queen, as steps in file and rank.
const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// For each square of the board, by file and rank, the number of queen moves a player needs to reach it.
pub(super) type Distances = [[Option<u32>; 10]; 10];

/// The number of squares to which each amazon can move: the mover's sum minus the opponent's.
pub fn mobility(game: &Amazons) -> i32 {
    let of = |player| game.amazons(player).map(|from| queen_moves(game, from).len() as i32).sum::<i32>();
    of(game.to_move()) - of(1 - game.to_move())
}

/// The number of squares that the mover reaches in fewer moves, minus those that the opponent does.
pub fn territory(game: &Amazons) -> i32 {
    over_owned_squares(game, |_, _| 1)
}

/// Like [`territory`], each square counting four plus the number of its owner's amazons that see it.
pub fn territory_mobility(game: &Amazons) -> i32 {
    over_owned_squares(game, |player, square| {
        let sees = |from: &Square| queen_moves(game, *from).contains(&square);
        TERRITORY_WEIGHT + game.amazons(player).filter(sees).count() as i32
    })
}

/// Adds the value of each square to the player who owns it; the opponent's squares count negatively.
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
    distances_by(game, player, queen_moves)
}

/// The number of king steps that a player needs to each square.
pub(super) fn king_distances(game: &Amazons, player: usize) -> Distances {
    distances_by(game, player, king_moves)
}

fn distances_by(
    game: &Amazons,
    player: usize,
    moves_from: impl Fn(&Amazons, Square) -> Vec<Square>,
) -> Distances {
    let mut distances: Distances = [[None; 10]; 10];
    let mut frontier: Vec<Square> = game.amazons(player).collect();
    let mut moves = 0;
    while !frontier.is_empty() {
        moves += 1;
        let mut next = Vec::new();
        for from in frontier {
            for to in moves_from(game, from) {
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

/// The empty squares beside `from`.
fn king_moves(game: &Amazons, from: Square) -> Vec<Square> {
    DIRECTIONS
        .into_iter()
        .filter_map(|(file_step, rank_step)| step(game, from, file_step, rank_step))
        .collect()
}

/// The terms of the evaluation by phases, counted square by square.
pub fn terms(game: &Amazons) -> Terms {
    let (mover, opponent) = (game.to_move(), 1 - game.to_move());
    let queen = [distances(game, mover), distances(game, opponent)];
    let king = [king_distances(game, mover), king_distances(game, opponent)];
    let squares: Vec<Square> = empty_squares(game).collect();
    let how_many =
        |holds: &dyn Fn(Square) -> bool| squares.iter().filter(|&&square| holds(square)).count() as i32;
    let far =
        |distances: &Distances, square: Square| distances[square.file()][square.rank()].unwrap_or(u32::MAX);
    let of_side = |side: usize| {
        let other = 1 - side;
        let player = if side == 0 { mover } else { opponent };
        let within = |steps| how_many(&|square| far(&king[side], square) <= steps);
        let beside: Vec<usize> = game.amazons(player).map(|from| king_moves(game, from).len()).collect();
        let crowded = |from, to| beside.iter().filter(|&&count| (from..=to).contains(&count)).count() as i32;
        let tied =
            |square| far(&queen[0], square) == far(&queen[1], square) && far(&queen[0], square) < u32::MAX;
        [
            how_many(&|square| far(&queen[side], square) < far(&queen[other], square)),
            how_many(&|square| far(&king[side], square) < far(&king[other], square)),
            how_many(&|square| far(&queen[side], square) == 1),
            how_many(&|square| far(&queen[side], square) == 2),
            (1..=6).map(within).sum(),
            game.amazons(player).map(|from| queen_moves(game, from).len() as i32).sum(),
            crowded(0, 0),
            crowded(1, 2),
            if side == 0 { how_many(&tied) } else { 0 },
        ]
    };
    let reached = |square| king.iter().all(|distances| far(distances, square) < u32::MAX);
    Terms { mine: of_side(0), theirs: of_side(1), contested: how_many(&reached) }
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
