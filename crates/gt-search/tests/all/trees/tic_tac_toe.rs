//! Tic-tac-toe in bits: a game that ends, and that is a draw.

use gt_search::{Evaluate, Game, Outcome};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TicTacToe {
    /// The squares of each player, square `i` in bit `i`.
    pub(crate) taken: [u16; 2],
    plies: u8,
}

impl TicTacToe {
    /// The position after these squares were taken in turn.
    pub(crate) fn from_moves(moves: &[u8]) -> Self {
        let mut game = Self::default();
        moves.iter().for_each(|&mv| game.make(mv));
        game
    }
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for TicTacToe {
    type Move = u8;
    type Undo = ();

    fn to_move(&self) -> usize {
        usize::from(self.plies % 2)
    }
    fn outcome(&self) -> Option<Outcome> {
        let last = 1 - self.to_move();
        if LINES.iter().any(|&line| self.taken[last] & line == line) {
            return Some(Outcome::Win(last));
        }
        (self.plies == 9).then_some(Outcome::Draw)
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend((0..9).filter(|square| (self.taken[0] | self.taken[1]) >> square & 1 == 0));
        }
    }
    fn make(&mut self, mv: u8) {
        self.taken[self.to_move()] |= 1 << mv;
        self.plies += 1;
    }
    fn undo(&mut self, mv: u8, (): ()) {
        self.plies -= 1;
        self.taken[self.to_move()] &= !(1 << mv);
    }
    fn hash(&self) -> u64 {
        u64::from(self.taken[0]) << 9 | u64::from(self.taken[1])
    }
    fn encode(&self, mv: u8) -> i64 {
        i64::from(mv)
    }
}

/// Lines still open to the mover, less those open to the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenLines;

impl Evaluate<TicTacToe> for OpenLines {
    fn evaluate(&self, game: &TicTacToe) -> i32 {
        let open_to =
            |player: usize| LINES.iter().filter(|&&line| game.taken[1 - player] & line == 0).count();
        open_to(game.to_move()) as i32 - open_to(1 - game.to_move()) as i32
    }
}
