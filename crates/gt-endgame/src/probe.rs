//! Looks up a position for display: its ending, the result of each move, and a line of best play.

use crate::error::Result;
use crate::tables::Tables;
use gt_games::chess::Board;
use gt_games::registry::GameKind;
use gt_games::{Amazons, AnyGame, Chess, ConnectFour, Notation};
use gt_search::{Ending, KnownEnding, Outcome};

/// The maximum length of a line.
const LINE_MOVES_MAX: usize = 512;

/// A legal move and its result for the player who makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move in the game's notation.
    pub text: String,
    /// The ending it leads to; `None` if no available table knows it.
    pub ending: Option<KnownEnding>,
}

/// The available tables' results for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// Its ending, for the player to move.
    pub ending: Option<KnownEnding>,
    /// The legal moves, the best first; unknown ones last.
    pub moves: Vec<ProbedMove>,
    /// The moves that make progress, where tables tell who wins but not when, and know the way nevertheless. Draws have
    /// none.
    pub progress: Option<ProbedProgress>,
}

/// The moves that lead to the next capture or pawn move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbedProgress {
    /// The moves, in the game's notation.
    pub moves: Vec<String>,
    /// The number of plies to the capture or pawn move, with best play. Some tables round, so it may be one too small.
    pub plies: u16,
}

impl Probed {
    /// Returns the moves that keep the position's value, including the distance. Where the distance is not known
    /// (Syzygy), these are all moves that keep the result.
    pub fn best(&self) -> impl Iterator<Item = &ProbedMove> {
        self.moves.iter().filter(|mv| mv.ending.is_some() && mv.ending == self.ending)
    }
}

impl Tables {
    /// Returns the ending of a position of any game, if an available table knows it.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn ending(&self, game: &dyn AnyGame) -> Result<Option<KnownEnding>> {
        if let Some(outcome) = game.outcome() {
            let ending = match outcome {
                Outcome::Draw => Ending::Draw,
                Outcome::Win(winner) if winner == game.to_move() => Ending::Win { plies: 0 },
                Outcome::Win(_) => Ending::Loss { plies: 0 },
            };
            return Ok(Some(ending.into()));
        }
        match game.kind() {
            GameKind::Chess => match game.position_text().parse::<Board>() {
                Ok(board) => self.chess_ending(&board),
                Err(_) => Ok(None),
            },
            GameKind::Amazons => match Amazons::parse_position(&game.position_text()) {
                Ok(position) => Ok(self.amazons(&position)?.map(KnownEnding::from)),
                Err(_) => Ok(None),
            },
            GameKind::ConnectFour => match ConnectFour::parse_position(&game.position_text()) {
                Ok(position) => Ok(self.connect_four(&position)?.map(KnownEnding::from)),
                Err(_) => Ok(None),
            },
            GameKind::TicTacToe | GameKind::ChineseCheckers | GameKind::Tree | GameKind::Thorns => Ok(None),
        }
    }

    /// Returns the ending of a position and of all its moves.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn probe(&self, game: &dyn AnyGame) -> Result<Probed> {
        let ending = self.ending(game)?;
        let mut moves = Vec::new();
        for mv in game.moves() {
            let mut after = game.boxed_clone();
            after.play(&mv.text)?;
            moves.push(ProbedMove {
                text: mv.text,
                ending: self.ending(&*after)?.map(KnownEnding::before_move),
            });
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.ending.map(|ending| ending.value(0))));
        let progress = match ending {
            Some(KnownEnding::Win | KnownEnding::Loss) => self.progress_of(game),
            Some(KnownEnding::Measured(_)) | None => None,
        };
        Ok(Probed { ending, moves, progress })
    }

    fn progress_of(&self, game: &dyn AnyGame) -> Option<ProbedProgress> {
        if game.kind() != GameKind::Chess || game.outcome().is_some() {
            return None;
        }
        let chess = Chess::parse_position(&game.position_text()).ok()?;
        let progress = self.chess_progress(chess.board())?;
        let moves = progress.moves.into_iter().map(|mv| chess.move_text(mv)).collect();
        Some(ProbedProgress { moves, plies: progress.plies })
    }

    /// Returns a line of best play to the end of the game; it ends early at a position that no table knows, and is
    /// empty for a draw.
    ///
    /// # Errors
    /// Returns an error if a table cannot be read, or is damaged.
    pub fn line(&self, game: &dyn AnyGame) -> Result<Vec<String>> {
        let mut game = game.boxed_clone();
        let mut line = Vec::new();
        while line.len() < LINE_MOVES_MAX {
            let probed = self.probe(&*game)?;
            let is_decided = matches!(
                probed.ending,
                Some(KnownEnding::Measured(Ending::Win { .. } | Ending::Loss { .. }))
            );
            let Some(best) = probed.best().next().filter(|_| is_decided) else { break };
            game.play(&best.text)?;
            line.push(best.text.clone());
        }
        Ok(line)
    }
}
