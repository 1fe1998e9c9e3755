//! Chinese checkers for 2, 3, 4 or 6 players.
//!
//! Each player has ten pieces in one point of the star and wants them all in the opposite point. A turn is one step
//! to an empty neighbour, or a chain of hops, each over one neighbouring piece (of any player) to the empty hole
//! behind it. A whole turn is one move, and turns with the same start and end are the same move. A player who cannot
//! move passes.
//!
//! The first to fill the opposite point wins; after [`TURNS_MAX`] turns of all players together it is a draw, so that
//! every game ends. Nothing else prevents a player from staying at home and blocking.
//!
//! Invariant: the players' sets of holes are disjoint, ten holes each; `distances` equals what `evaluate`
//! would count from them.

mod board;
mod evaluate;
mod notation;
mod symmetry;

pub use board::{HOLES, Hole};
pub use evaluate::Distance;

use crate::error::{ErrorKind, NotationError, Result};
use crate::zobrist::key;
use board::{BIT, CORNERS, DISTANCES, HoleSet, Holes, NEIGHBOURS};
use gt_search::{Game, Outcome};

/// The number of turns, of all players together, after which the game is drawn.
pub const TURNS_MAX: u16 = 1_000;

/// The maximum number of players.
const PLAYERS_MAX: usize = 6;

/// A position of Chinese checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChineseCheckers {
    pieces: [Holes; PLAYERS_MAX],
    /// For each player, the sum of his pieces' distances to the tip of the opposite point.
    distances: [u16; PLAYERS_MAX],
    hash: u64,
    turns: u16,
    players: u8,
    to_move: u8,
}

/// A turn: a piece goes from one hole to another, or nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A step or a chain of hops.
    Go(Hole, Hole),
    /// A pass; legal only if no piece can move.
    Pass,
}

static PIECE_KEYS: [[u64; 128]; PLAYERS_MAX] = {
    let mut keys = [[0; 128]; PLAYERS_MAX];
    let mut player = 0;
    while player < PLAYERS_MAX {
        let mut hole = 0;
        while hole < 128 {
            keys[player][hole] = key(10 + player as u64, hole as u64);
            hole += 1;
        }
        player += 1;
    }
    keys
};
static MOVER_KEYS: [u64; PLAYERS_MAX] = [key(9, 0), key(9, 1), key(9, 2), key(9, 3), key(9, 4), key(9, 5)];

impl ChineseCheckers {
    /// The start for a number of players.
    ///
    /// # Errors
    /// Returns an error if the number is not 2, 3, 4 or 6.
    pub fn start(players: usize) -> Result<Self> {
        let seats = seats(players);
        if seats.is_empty() {
            let problem = "Chinese checkers is for 2, 3, 4 or 6 players";
            return Err(NotationError::new(ErrorKind::UnknownName, players.to_string(), problem));
        }
        let mut pieces = [0; PLAYERS_MAX];
        for (player, &seat) in seats.iter().enumerate() {
            pieces[player] = CORNERS[seat];
        }
        Ok(Self::from_parts(pieces, players, 0, 0))
    }

    /// Makes a position from sets, which must be disjoint; `players` must be a supported number.
    fn from_parts(pieces: [Holes; PLAYERS_MAX], players: usize, to_move: usize, turns: u16) -> Self {
        let (players, to_move) = (players as u8, to_move as u8);
        let mut game = Self { pieces, distances: [0; PLAYERS_MAX], hash: 0, turns, players, to_move };
        game.hash = key(8, u64::from(players)) ^ MOVER_KEYS[game.to_move()];
        for player in 0..game.players() {
            for hole in HoleSet(pieces[player]) {
                game.hash ^= PIECE_KEYS[player][hole.index()];
                game.distances[player] += game.distance(player, hole);
            }
        }
        game
    }

    /// The holes of a player's pieces, in ascending order.
    pub fn pieces(&self, player: usize) -> impl Iterator<Item = Hole> + use<> {
        HoleSet(self.pieces.get(player).copied().unwrap_or(0))
    }

    /// Returns the number of turns played by all players together.
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// The point of the star that a player starts from.
    fn seat(&self, player: usize) -> usize {
        seats(self.players()).get(player).copied().unwrap_or(0)
    }

    /// The holes that a player has to fill.
    fn goal(&self, player: usize) -> Holes {
        CORNERS[(self.seat(player) + 3) % 6]
    }

    /// The number of steps from a hole to the tip of a player's goal.
    fn distance(&self, player: usize, hole: Hole) -> u16 {
        u16::from(DISTANCES[(self.seat(player) + 3) % 6][hole.index()])
    }

    fn occupied(&self) -> Holes {
        self.pieces.iter().fold(0, |all, set| all | set)
    }

    /// The holes where a piece can end its turn.
    fn targets(&self, from: Hole, occupied: Holes) -> Holes {
        // The piece itself is lifted: it cannot be hopped over.
        let others = occupied & !BIT[from.index()];
        let mut targets = 0;
        for next in NEIGHBOURS[from.index()].into_iter().flatten() {
            targets |= BIT[next.index()] & !others;
        }
        targets |= hops(from, others);
        targets & !BIT[from.index()]
    }

    fn winner(&self) -> Option<usize> {
        (0..self.players()).find(|&player| {
            let goal = self.goal(player);
            self.pieces[player] & goal == goal
        })
    }

    /// Moves one of the mover's pieces and passes the turn; used for both playing and taking back.
    fn move_piece(&mut self, player: usize, from: Hole, to: Hole) {
        self.pieces[player] ^= BIT[from.index()] ^ BIT[to.index()];
        self.hash ^= PIECE_KEYS[player][from.index()] ^ PIECE_KEYS[player][to.index()];
        self.distances[player] =
            self.distances[player] + self.distance(player, to) - self.distance(player, from);
    }

    fn give_turn(&mut self, player: usize) {
        self.hash ^= MOVER_KEYS[self.to_move()] ^ MOVER_KEYS[player];
        self.to_move = player as u8;
    }
}

/// The holes that a chain of hops reaches, the first one included.
fn hops(from: Hole, others: Holes) -> Holes {
    let mut reached = BIT[from.index()];
    let mut frontier = reached;
    while frontier != 0 {
        let mut landed = 0;
        for at in HoleSet(frontier) {
            for (over, landing) in at.hops() {
                if others & BIT[over.index()] != 0 {
                    landed |= BIT[landing.index()] & !others;
                }
            }
        }
        frontier = landed & !reached;
        reached |= landed;
    }
    reached
}

/// The points of the star that players start from, in the order of play; none for an unsupported number of players.
/// Points are numbered clockwise from the top.
const fn seats(players: usize) -> &'static [usize] {
    match players {
        2 => &[0, 3],
        3 => &[0, 2, 4],
        4 => &[0, 1, 3, 4],
        6 => &[0, 1, 2, 3, 4, 5],
        _ => &[],
    }
}

impl Game for ChineseCheckers {
    type Move = Move;
    type Undo = ();

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.winner().map(Outcome::Win);
        winner.or_else(|| (self.turns >= TURNS_MAX).then_some(Outcome::Draw))
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let occupied = self.occupied();
        let before = moves.len();
        for from in HoleSet(self.pieces[self.to_move()]) {
            moves.extend(HoleSet(self.targets(from, occupied)).map(|to| Move::Go(from, to)));
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    fn make(&mut self, mv: Move) {
        let player = self.to_move();
        if let Move::Go(from, to) = mv {
            self.move_piece(player, from, to);
        }
        self.give_turn((player + 1) % self.players());
        self.turns += 1;
    }

    fn undo(&mut self, mv: Move, (): ()) {
        let player = (self.to_move() + self.players() - 1) % self.players();
        self.turns -= 1;
        self.give_turn(player);
        if let Move::Go(from, to) = mv {
            self.move_piece(player, to, from);
        }
    }

    fn positions_recur(&self) -> bool {
        true
    }

    /// A player who can move may not pass, but a search for three or more players asks what happens if one does.
    fn make_null(&mut self) -> Option<()> {
        let passes = self.players() > 2 && self.outcome().is_none();
        passes.then(|| self.make(Move::Pass))
    }

    fn undo_null(&mut self, undo: ()) {
        self.undo(Move::Pass, undo);
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    /// `from | to << 7`, holes numbered from 0 row by row from the top; a pass is `127 | 127 << 7`.
    fn encode(&self, mv: Move) -> i64 {
        match mv {
            Move::Go(from, to) => (from.index() | to.index() << 7) as i64,
            Move::Pass => 127 | 127 << 7,
        }
    }

    /// The farther ahead the better.
    fn order_hint(&self, mv: Move) -> i32 {
        match mv {
            Move::Go(from, to) => {
                let player = self.to_move();
                i32::from(self.distance(player, from)) - i32::from(self.distance(player, to))
            }
            Move::Pass => 0,
        }
    }
}

#[cfg(test)]
mod tests;
