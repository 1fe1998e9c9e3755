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

/// The highest number of a [`Game::theme`].
pub const THEMES: u16 = 1023;

/// The rules of a game, as a search needs them: a position that moves can be made on and taken back.
///
/// Laws, checked for every game by one contract suite:
/// - `moves` is empty exactly when `outcome` is `Some`; it lists each legal move once, in a fixed order;
/// - `undo(m, make(m))` restores everything, the hash included;
/// - `hash` is a function of the position alone, not of the way to it.
pub trait Game: Clone + Send {
    /// A move; small and cheap to copy.
    type Move: Copy + Eq + Debug + Send;
    /// What `undo` needs beside the move.
    type Undo;

    /// How many players take part; 2 unless the game says otherwise.
    fn players(&self) -> usize {
        2
    }
    /// The player to move, from 0.
    fn to_move(&self) -> usize;
    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// What a finished game is worth to a player, in the units of evaluations, where games end by points and not only
    /// by who has won: in a tree with values at its leaves, in a game of tricks. `None` where the outcome says it all. For two
    /// players, one's value is minus the other's.
    fn final_value(&self, player: usize) -> Option<i32> {
        let _ = player;
        None
    }
    /// Whether a line can come back to a position that it had before, so that what a position is worth may depend on the way to it
    /// (repetitions in chess).
    fn positions_recur(&self) -> bool {
        false
    }
    /// Appends the legal moves.
    fn moves(&self, moves: &mut Vec<Self::Move>);
    /// Plays a legal move.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Takes back the last move made.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);
    /// The position's 64-bit hash, kept up incrementally.
    fn hash(&self) -> u64;
    /// The number that stands for a move in a log's `last_move`.
    fn encode(&self, mv: Self::Move) -> i64;

    /// The same for the move that led to this position, as a search has it at hand: after it was made. A game whose
    /// numbers depend on the position before says here how they follow from the one after.
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
    /// What a move wins at once, or below 0 loses, in the units of the evaluation (the exchange on its square in
    /// chess); `None` where the game has no such estimate.
    fn exchange(&self, mv: Self::Move) -> Option<i32> {
        let _ = mv;
        None
    }
    /// Whether a move wins at least so much at once, by the same estimate; `true` where the game has none.
    fn wins_at_least(&self, mv: Self::Move, worth: i32) -> bool {
        self.exchange(mv).is_none_or(|won| won >= worth)
    }
    /// Whether a move is one of those that [`Game::noisy_moves`] lists.
    fn is_noisy(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }
    /// What a move does, wherever it comes from (the piece and its target in chess): a number from 1 to [`THEMES`], or 0
    /// where the game knows no such thing. The history learns which replies go with which themes.
    fn theme(&self, mv: Self::Move) -> u16 {
        let _ = mv;
        0
    }
    /// How many plies back the position may have occurred before; as many as there are where the game cannot tell.
    fn reversible_plies(&self) -> usize {
        usize::MAX
    }
    /// Whether the side to move is under a threat that forbids standing pat (check in chess).
    fn in_check(&self) -> bool {
        false
    }
    /// Passes, where the game and the position allow a null move in a search.
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
    /// A guess at a move's worth, higher first, for move ordering before anything was searched.
    fn order_hint(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        0
    }
}

/// A number for a position that is not over, from the view of the player to move. For two players.
pub trait Evaluate<G: Game> {
    /// The value; its size stays below the searches' win values.
    fn evaluate(&self, game: &G) -> i32;
}

/// Threads share an evaluation.
impl<G: Game, E: Evaluate<G>> Evaluate<G> for std::sync::Arc<E> {
    #[inline]
    fn evaluate(&self, game: &G) -> i32 {
        (**self).evaluate(game)
    }
}

/// A number for every player of a position that is not over.
pub trait EvaluateAll<G: Game> {
    /// Writes `values[p]` for each player `p`; `values` has `game.players()` places.
    fn evaluate_all(&self, game: &G, values: &mut [i32]);
}
