//! The effect of every turn on the mobility of both sides, without making any turn.
//!
//! ```text
//! A . . . . #     An amazon A sees four squares this way. An arrow takes from it the square it lands on and
//!   4 3 2 1       all behind it: that is what a blocked square costs A.
//! ```
//!
//! With the moving amazon lifted, the other seven see the same squares wherever it lands, so the cost of a blocked
//! square to them is counted once per moving amazon. From its landing square it looks eight ways; those are the
//! squares its arrow can go to, and everything that its landing changes lies on these eight rays:
//!
//! ```text
//! P . . T . . . #     T sees as far as the ray goes, 3 here. P, who saw past the square of T, loses that square and
//!                     what lies behind it: for an arrow between P and T that much less is left to lose.
//! ```
//!
//! Invariant: the values are those of [`Mobility`](super::Mobility) after each turn, from the view of the player who
//! makes it.

use super::bits::{Bits, STRIDE, Squares};
use super::{Amazons, Move};
use gt_search::WIN;

const FIRST: usize = 16;
/// Space for the square before the first and the one after the last, in every direction.
const PLACES: usize = FIRST + 128 + FIRST;

/// Each direction next to its opposite.
const WAYS: [isize; 8] = {
    const UP: isize = STRIDE as isize;
    [1, -1, UP, -UP, UP + 1, -UP - 1, UP - 1, 1 - UP]
};

/// The contents of a place; an amazon is [`AMAZON`] plus its player.
const BLOCKED: u8 = 0;
const EMPTY: u8 = 1;
const AMAZON: u8 = 2;

/// Squares counted for two players at once: player 0 in the low half.
type Pair = u32;

/// One square of a player.
const ONE: [Pair; 2] = [1, 1 << 16];

/// A board to walk over, place by place.
struct Board([u8; PLACES]);

/// The squares that the amazons see in total, and the cost to them of blocking each place.
struct Sight {
    seen: Pair,
    cost: [Pair; PLACES],
}

/// A ray from the square where an amazon lands.
#[derive(Clone, Copy, Default)]
struct Ray {
    length: u32,
    /// One square of the player whose amazon ends the ray; 0 if something else ends it.
    watcher: Pair,
}

/// The mobility of both sides after an amazon has landed, and after each arrow it can shoot.
pub(super) struct Landing {
    /// Without an arrow.
    pub(super) seen: [i32; 2],
    cost: [Pair; PLACES],
}

/// The turns of a position, stem by stem: a stem is the amazon's origin and landing square.
pub(super) struct Foresight {
    board: Board,
    lifted: Option<usize>,
    others: Sight,
    landing: Landing,
    player: usize,
}

impl Foresight {
    pub(super) fn new(game: &Amazons) -> Self {
        Self {
            board: Board::of(game.empty, &game.amazons),
            lifted: None,
            others: Sight { seen: 0, cost: [0; PLACES] },
            landing: Landing { seen: [0; 2], cost: [0; PLACES] },
            player: usize::from(game.to_move & 1),
        }
    }

    /// The squares seen once the amazon of this turn has landed, before the arrow.
    pub(super) fn land(&mut self, mv: Move) -> &Landing {
        let (from, to) = (FIRST + mv.from().index(), FIRST + mv.to().index());
        if self.lifted != Some(from) {
            self.lift(from);
        }
        let (ahead, back) = self.rays(to);
        let mut seen = self.others.seen;
        for way in 0..8 {
            seen += ONE[self.player] * ahead[way].length;
            seen -= ahead[way].watcher * (back[way].length + 1);
            self.cost_along(to, WAYS[way], ahead[way], back[way]);
        }
        self.landing.seen = halves(seen);
        &self.landing
    }

    fn lift(&mut self, from: usize) {
        if let Some(before) = self.lifted.replace(from) {
            self.board.0[before] = AMAZON + self.player as u8;
        }
        self.board.0[from] = EMPTY;
        self.others.look(&self.board);
    }

    /// The rays from a place, each with the one in the opposite direction.
    fn rays(&self, to: usize) -> ([Ray; 8], [Ray; 8]) {
        let mut ahead = [Ray::default(); 8];
        for (ray, step) in ahead.iter_mut().zip(WAYS) {
            let end = self.board.end_of_ray(to, step);
            let watcher = match self.board.0[end.place] {
                piece if piece >= AMAZON => ONE[usize::from(piece - AMAZON)],
                _ => 0,
            };
            *ray = Ray { length: end.length, watcher };
        }
        let mut back = ahead;
        for pair in back.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        (ahead, back)
    }

    /// The cost of an arrow on each square of a ray.
    fn cost_along(&mut self, to: usize, step: isize, ahead: Ray, back: Ray) {
        let of_watcher = ahead.watcher * (back.length + 1);
        // The landed amazon sees the rest of the ray; the one behind it no longer does.
        let of_rest = ONE[self.player].wrapping_sub(back.watcher);
        let mut place = to;
        for left in (1..=ahead.length).rev() {
            place = place.wrapping_add_signed(step);
            let others = self.others.cost[place];
            self.landing.cost[place] =
                others.wrapping_sub(of_watcher).wrapping_add(of_rest.wrapping_mul(left));
        }
    }
}

impl Landing {
    /// The mobility of both sides after the arrow of a turn that lands here.
    #[inline(always)]
    pub(super) fn after_arrow(&self, mv: Move) -> [i32; 2] {
        let [white, black] = halves(self.cost[FIRST + mv.arrow().index()]);
        [self.seen[0] - white, self.seen[1] - black]
    }
}

/// Appends the mobility after each of the turns, for the player who makes it.
pub(super) fn mobility_after(game: &Amazons, moves: &[Move], values: &mut Vec<i32>) {
    let mut foresight = Foresight::new(game);
    let (mover, opponent) = (usize::from(game.to_move & 1), usize::from(game.to_move & 1 ^ 1));
    for turns in moves.chunk_by(|one, other| one.has_stem_of(*other)) {
        let landing = foresight.land(turns[0]);
        values.extend(turns.iter().map(|&mv| {
            let seen = landing.after_arrow(mv);
            // A side that sees nothing cannot move.
            if seen[opponent] == 0 { WIN } else { seen[mover] - seen[opponent] }
        }));
    }
}

/// The end of a ray, and its length in squares.
struct End {
    place: usize,
    length: u32,
}

impl Board {
    fn of(empty: Bits, amazons: &[Bits; 2]) -> Self {
        let mut places = [BLOCKED; PLACES];
        Squares(empty).for_each(|square| places[FIRST + square.index()] = EMPTY);
        for (player, &set) in amazons.iter().enumerate() {
            Squares(set).for_each(|square| places[FIRST + square.index()] = AMAZON + player as u8);
        }
        Self(places)
    }

    #[inline(always)]
    fn end_of_ray(&self, from: usize, step: isize) -> End {
        let mut place = from.wrapping_add_signed(step);
        let mut length = 0;
        while self.0[place] == EMPTY {
            place = place.wrapping_add_signed(step);
            length += 1;
        }
        End { place, length }
    }
}

impl Sight {
    /// Looks from every amazon that stands on the board.
    fn look(&mut self, board: &Board) {
        self.seen = 0;
        self.cost = [0; PLACES];
        for from in FIRST..PLACES - FIRST {
            let piece = board.0[from];
            if piece >= AMAZON {
                let one = ONE[usize::from(piece - AMAZON)];
                WAYS.into_iter().for_each(|step| self.look_along(board, from, step, one));
            }
        }
    }

    fn look_along(&mut self, board: &Board, from: usize, step: isize, one: Pair) {
        let end = board.end_of_ray(from, step);
        self.seen += one * end.length;
        let mut place = end.place;
        for lost in 1..=end.length {
            place = place.wrapping_add_signed(-step);
            self.cost[place] += one * lost;
        }
    }
}

fn halves(pair: Pair) -> [i32; 2] {
    [(pair & 0xffff) as i32, (pair >> 16) as i32]
}
