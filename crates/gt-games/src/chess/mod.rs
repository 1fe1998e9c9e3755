//! Chess. `cozy-chess` provides the rules of moving; this adds what else a search needs: draws by repetition, by fifty moves and by
//! insufficient material, noisy moves, null moves, numbers for a log.
//!
//! White is player 0. Internally castling is the king taking his rook, as in `cozy-chess`; externally (texts, logs)
//! it is the king's own move of two squares, `e1g1`.
//!
//! Invariant: `earlier` ends with the position before this one; the last `reversible` entries can be
//! reached from here by no capture, pawn move or null move in between.

mod algebraic;
mod epd;
pub mod evaluate;
mod exchange;
mod from_file;
mod moves;
pub mod network;
mod notation;
mod position;
mod structures;

pub use cozy_chess::{self, Board, Move};
pub use epd::Epd;
pub use evaluate::{Material, SixTerms, Terms, Weighted};
pub use from_file::FromFile;
pub use network::ByNetwork;

use crate::notation::Notation;
use crate::symmetry::Symmetric;
use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square, get_pawn_attacks};
use gt_search::{Game, Outcome, STRUCTURES};
use position::Position;

/// Half-moves without a capture or pawn move after which the game is drawn.
const QUIET_HALF_MOVES_MAX: u8 = 100;

/// A position of chess with its history, as far as a repetition can reach back.
///
/// ```
/// use gt_games::{Chess, Notation};
/// use gt_search::Game;
///
/// let mut game = Chess::new();
/// let mv = game.parse_move("Nf3")?;
/// assert_eq!(game.move_text(mv), "g1f3");
/// game.make(mv);
/// assert_eq!(game.position_text(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// # Ok::<(), gt_games::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chess {
    position: Position,
    key: u64,
    earlier: Vec<u64>,
    reversible: usize,
    /// The length of `earlier` when a search began; larger than any length if none has begun.
    search_root: usize,
}

/// The state that a move changed.
#[derive(Clone, Debug)]
pub struct Before {
    position: Position,
    key: u64,
    reversible: usize,
}

impl Chess {
    /// The start of the game.
    pub fn new() -> Self {
        Self::from_board(Board::default())
    }

    /// A position whose history is unknown.
    ///
    /// Boards with castling rights other than those of ordinary chess (a king off the e-file, a rook off its corner)
    /// have no unambiguous move notation; [`crate::Notation::parse_position`] rejects them.
    pub fn from_board(board: Board) -> Self {
        let key = key_of(&board);
        Self {
            position: Position::of(board),
            key,
            earlier: Vec::new(),
            reversible: 0,
            search_root: usize::MAX,
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    /// Returns how often this position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier_occurrences().count()
    }

    /// The indices in `earlier` of this same position, the latest first.
    #[inline]
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        // Only every other position has the same mover, and two plies cannot repeat one.
        let places = (4..=self.reversible).step_by(2).map(|plies| self.earlier.len() - plies);
        places.filter(|&place| self.earlier[place] == self.key)
    }

    /// Whether this position occurs for the third time, or for the second since a search began: a position
    /// that can be repeated once can be repeated again.
    #[inline]
    fn is_repeated(&self) -> bool {
        self.earlier_occurrences().enumerate().any(|(count, place)| count == 1 || place >= self.search_root)
    }

    /// Whether the rules end the game here although there may be moves.
    #[inline]
    pub(crate) fn is_drawn_by_rule(&self) -> bool {
        self.board().halfmove_clock() >= QUIET_HALF_MOVES_MAX || self.is_repeated() || self.lacks_material()
    }

    /// Whether neither side could ever mate: bare kings, or kings and one minor piece.
    #[inline]
    fn lacks_material(&self) -> bool {
        let board = self.board();
        let mating = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        mating.is_empty() && board.occupied().len() <= 3
    }

    /// Remembers the position before a move.
    #[inline]
    fn remember(&mut self) -> Before {
        self.earlier.push(self.key);
        Before { position: self.position.clone(), key: self.key, reversible: self.reversible }
    }

    #[inline]
    fn restore(&mut self, before: Before) {
        self.position = before.position;
        self.key = before.key;
        self.reversible = before.reversible;
        self.earlier.pop();
    }

    /// Passes the turn wherever the rules of check allow it.
    fn pass(&mut self) -> Option<Before> {
        let passed = self.board().null_move()?;
        let before = self.remember();
        self.key = key_of(&passed);
        self.position.pass(passed);
        self.reversible = 0;
        Some(before)
    }
}

impl Default for Chess {
    fn default() -> Self {
        Self::new()
    }
}

/// The position's hash. Two positions are the same if the same moves can be made: an en passant square counts
/// only if a pawn may take there.
#[inline]
fn key_of(board: &Board) -> u64 {
    match board.en_passant() {
        None => board.hash(),
        Some(file) if can_take_en_passant(board, file) => board.hash(),
        Some(_) => board.hash_without_ep(),
    }
}

fn can_take_en_passant(board: &Board, file: File) -> bool {
    let mover = board.side_to_move();
    let target = Square::new(file, Rank::Sixth.relative_to(mover));
    let takers = get_pawn_attacks(target, !mover) & board.colored_pieces(mover, Piece::Pawn);
    takers.into_iter().any(|from| board.is_legal(Move { from, to: target, promotion: None }))
}

impl Game for Chess {
    type Move = Move;
    type Undo = Before;

    #[inline]
    fn to_move(&self) -> usize {
        self.board().side_to_move() as usize
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if moves::has_any(self.board()) {
            self.is_drawn_by_rule().then_some(Outcome::Draw)
        } else if self.in_check() {
            // Mate comes before every draw.
            Some(Outcome::Win(1 - self.to_move()))
        } else {
            Some(Outcome::Draw)
        }
    }

    #[inline]
    fn moves(&self, moves: &mut Vec<Move>) {
        if !self.is_drawn_by_rule() {
            moves::all(self.board(), moves);
        }
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Before {
        let before = self.remember();
        self.position.play(mv);
        self.key = key_of(self.board());
        self.reversible = if self.board().halfmove_clock() == 0 { 0 } else { self.reversible + 1 };
        before
    }

    #[inline]
    fn undo(&mut self, _: Move, before: Before) {
        self.restore(before);
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.key
    }

    /// `from | to << 6 | promotion << 12`; a1 is 0, h8 63; promotion 1 is a knight, 2 a bishop, 3 a rook, 4 a
    /// queen.
    #[inline]
    fn encode(&self, mv: Move) -> i64 {
        moves::code(self.board(), mv)
    }

    #[inline]
    fn encode_made(&self, mv: Move) -> i64 {
        moves::code_made(self.board(), mv)
    }

    #[inline]
    fn noisy_moves(&self, moves: &mut Vec<Move>) {
        if !self.is_drawn_by_rule() {
            moves::noisy(self.board(), moves);
        }
    }

    fn positions_recur(&self) -> bool {
        true
    }

    #[inline]
    fn in_check(&self) -> bool {
        !self.board().checkers().is_empty()
    }

    /// Refuses in check, and with only pawns left in addition to the king, because having to move is often what loses then.
    fn make_null(&mut self) -> Option<Before> {
        let mover = self.board().side_to_move();
        let pawns_and_king: BitBoard = self.board().pieces(Piece::Pawn) | self.board().pieces(Piece::King);
        if (self.board().colors(mover) & !pawns_and_king).is_empty() {
            return None;
        }
        self.pass()
    }

    fn undo_null(&mut self, before: Before) {
        self.restore(before);
    }

    #[inline(always)]
    fn order_hint(&self, mv: Move) -> i32 {
        moves::order_hint(&self.position, mv)
    }
    #[inline]
    fn exchange(&self, mv: Move) -> Option<i32> {
        Some(exchange::exchange(&self.position, mv))
    }
    #[inline]
    fn wins_at_least(&self, mv: Move, worth: i32) -> bool {
        exchange::wins_at_least(&self.position, mv, worth)
    }
    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        moves::is_noisy(&self.position, mv)
    }
    #[inline]
    fn theme(&self, mv: Move) -> u16 {
        moves::theme(&self.position, mv)
    }
    #[inline]
    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        Some(structures::of(self.board()))
    }
    #[inline]
    fn reversible_plies(&self) -> usize {
        self.reversible
    }
    #[inline]
    fn threatens(&self, mv: Move) -> bool {
        moves::gives_check(&self.position, mv)
    }
    fn threatening_moves(&self, moves: &mut Vec<Move>) {
        if !self.is_drawn_by_rule() {
            moves::checking(&self.position, moves);
        }
    }
}

impl Symmetric for Chess {
    /// Omits the counters, and an en passant square unless a pawn may take there.
    fn essence(&self) -> String {
        let text = self.position_text();
        let mut fields: Vec<&str> = text.split(' ').take(4).collect();
        if !self.board().en_passant().is_some_and(|file| can_take_en_passant(self.board(), file)) {
            fields[3] = "-";
        }
        fields.join(" ")
    }
}

/// The name of a player, for display.
fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests;
