//! The contract between a game and a search.

use std::fmt::Debug;

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player with this number (from 0) has won.
    Win(usize),
    /// Nobody has won.
    Draw,
}

/// A position in its compact form.
pub type PackedBoard = [u8; 27];

/// The highest possible [`Game::theme`].
pub const THEMES: u16 = 1023;

/// The number of hashes that [`Game::structures`] returns.
pub const STRUCTURES: usize = 3;

/// The rules of a game as a search needs them: a position on which moves can be made and taken back.
///
/// Laws, checked for every game by one contract suite:
/// - `moves` is empty exactly when `outcome` is `Some`; it lists each legal move once, in a fixed order;
/// - `undo(m, make(m))` restores everything, the hash included;
/// - `hash` is a function of the position alone, not of the way to it;
/// - the mirror image of a position's mirror image is the position, and mirrored moves lead to mirror images;
/// - `unpack` restores the position that `pack` packed.
pub trait Game: Clone + Send {
    /// A move; small and cheap to copy.
    type Move: Copy + Eq + Debug + Send;
    /// The data that `undo` needs in addition to the move.
    type Undo;

    /// The number of players; 2 unless the game overrides it.
    fn players(&self) -> usize {
        2
    }
    /// The player to move, from 0.
    fn to_move(&self) -> usize;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The value of a finished game to a player, in the units of evaluations; `None` if the outcome is enough.
    ///
    /// For games that end by points and not only by a winner: a tree with values at its leaves, a game of tricks. With two players, one's
    /// value is minus the other's.
    fn final_value(&self, player: usize) -> Option<i32> {
        let _ = player;
        None
    }
    /// Whether a line can return to an earlier position, so that a position's value may depend on the way to it
    /// (repetitions in chess).
    fn positions_recur(&self) -> bool {
        false
    }
    /// Appends the legal moves.
    fn moves(&self, moves: &mut Vec<Self::Move>);
    /// Plays a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Takes back the last move.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);
    /// The position's 64-bit hash, updated incrementally.
    fn hash(&self) -> u64;
    /// The hash of the position's mirror image: a position with the images of the same moves, in the reverse order. `None` if the game has
    /// none.
    fn mirrored_hash(&self) -> Option<u64> {
        None
    }
    /// The number that stands for a move in a log's `last_move`.
    fn encode(&self, mv: Self::Move) -> i64;

    /// Like [`Game::encode`], for the move that led to this position: called after the move was made. A game whose
    /// numbers depend on the position before the move derives them here from the position after it.
    fn encode_made(&self, mv: Self::Move) -> i64 {
        self.encode(mv)
    }

    /// Appends the moves that quiescence must follow (captures, promotions …); none by default.
    fn noisy_moves(&self, moves: &mut Vec<Self::Move>) {
        let _ = moves;
    }
    /// Appends the quiet moves that threaten to win at once (checks in chess); none by default.
    fn threatening_moves(&self, moves: &mut Vec<Self::Move>) {
        let _ = moves;
    }
    /// Whether a move threatens to win at once, so that no search should leave it out (a check in chess).
    fn threatens(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }
    /// The immediate gain of a move, or loss if negative, in the units of the evaluation (the exchange on its square in chess); `None` if
    /// the game has no such estimate.
    fn exchange(&self, mv: Self::Move) -> Option<i32> {
        let _ = mv;
        None
    }
    /// Whether a move gains at least this much at once, by [`Game::exchange`]; `true` if the game has no estimate.
    fn wins_at_least(&self, mv: Self::Move, worth: i32) -> bool {
        self.exchange(mv).is_none_or(|won| won >= worth)
    }
    /// Whether a move is one of those that [`Game::noisy_moves`] lists.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }
    /// What a move does, wherever it comes from (the piece and its target in chess): a number from 1 to [`THEMES`], or 0 if the game has no
    /// themes. The history learns which replies go with which themes.
    fn theme(&self, mv: Self::Move) -> u16 {
        let _ = mv;
        0
    }
    /// Hashes of the parts of the position that change slowly (in chess, the pawns, and the pieces of each side); `None` if the game has no
    /// such parts.
    ///
    /// An evaluation tends to err in the same way about positions that have such a part in common.
    fn structures(&self) -> Option<[u64; STRUCTURES]> {
        None
    }
    /// The number of plies back within which the position may have occurred before; unlimited if the game cannot tell.
    fn reversible_plies(&self) -> usize {
        usize::MAX
    }
    /// Whether the side to move is under a threat that forbids standing pat (check in chess).
    fn in_check(&self) -> bool {
        false
    }
    /// Passes, if the game and the position allow a null move in a search.
    fn make_null(&mut self) -> Option<Self::Undo> {
        None
    }
    /// Takes back a null move.
    fn undo_null(&mut self, undo: Self::Undo) {
        let _ = undo;
    }
    /// The first of the legal moves; `None` when the game is over.
    fn first_move(&self) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.first().copied()
    }
    /// The position in few bytes, for trees that keep one in every inner node; `None` if it is small already.
    fn pack(&self) -> Option<PackedBoard> {
        None
    }
    /// The position that [`Game::pack`] packed into these bytes; `None` for any other bytes.
    fn unpack(packed: &PackedBoard) -> Option<Self> {
        let _ = packed;
        None
    }
    /// An estimate of a move's worth, higher first, for move ordering before anything was searched.
    fn order_hint(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        0
    }
    /// Whether the hints rank all moves by their effect in this very position, so that trying moves first because they cut off in other
    /// positions (killers) makes a search worse.
    ///
    /// By default, the hints leave most moves equal.
    fn hints_rank_all(&self) -> bool {
        false
    }
}

/// An evaluation for two players: a number for a position that is not over, from the view of the player to
/// move.
pub trait Evaluate<G: Game> {
    /// Returns the value; its absolute value stays below the searches' win values.
    fn evaluate(&self, game: &G) -> i32;

    /// Whether a position and its mirror image ([`Game::mirrored_hash`]) always have the same value. A search then
    /// remembers one of them for both.
    fn is_mirror_symmetric(&self) -> bool {
        false
    }

    /// Whether [`Evaluate::foresee`] returns values, and how precise they are; by default it returns none.
    fn foresight(&self) -> Foresight {
        Foresight::None
    }

    /// Appends a value for each of the moves: that of the position after the move, from the view of the player who makes it.
    ///
    /// All of the moves are legal. A move that wins at once has the value [`WIN`](crate::WIN). This is for games with so many moves that it
    /// pays to compute once what they have in common.
    fn foresee(&self, game: &G, moves: &[G::Move], values: &mut Vec<i32>) {
        let _ = (game, moves, values);
    }
}

/// How well an evaluation knows the value of a move before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// Not at all.
    None,
    /// Roughly: good enough to order the moves.
    Rough,
    /// Exactly the value of [`Evaluate::evaluate`] after the move. A move in such a game can end it only by
    /// winning.
    Exact,
}

/// Lets threads share an evaluation.
impl<G: Game, E: Evaluate<G>> Evaluate<G> for std::sync::Arc<E> {
    #[inline]
    fn evaluate(&self, game: &G) -> i32 {
        (**self).evaluate(game)
    }
    fn is_mirror_symmetric(&self) -> bool {
        (**self).is_mirror_symmetric()
    }
    fn foresight(&self) -> Foresight {
        (**self).foresight()
    }
    fn foresee(&self, game: &G, moves: &[G::Move], values: &mut Vec<i32>) {
        (**self).foresee(game, moves, values);
    }
}

/// An evaluation for any number of players: a value for each, in a position that is not over.
pub trait EvaluateAll<G: Game> {
    /// Writes `values[p]` for each player `p`; `values` has length `game.players()`.
    fn evaluate_all(&self, game: &G, values: &mut [i32]);
}
