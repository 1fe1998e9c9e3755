//! All games behind one interface, for the command line and the viewer.
//!
//! ```text
//! name ──▶ GameKind ──▶ Box<dyn AnyGame>   play, read, write, draw, replay a log's line
//!               └─────▶ Task::run<G, E>    a search over the game's own types, nothing boxed inside
//! ```
//!
//! [`Playable`] holds the differences between the games, once per game. A new game is an `impl Playable` and a line
//! in [`GameKind`].

mod any;
mod both;
mod evaluation;
mod playable;
mod replay;
mod scribe;
mod setup;

pub use any::{AnyGame, NamedMove};
pub use both::Both;
pub use evaluation::AnyEvaluation;
pub use playable::{Evaluation, Playable, Task};
pub use replay::{Replay, replay};
pub use scribe::Scribe;
pub use setup::Setup;

use crate::error::{ErrorKind, NotationError, Result};
use crate::{Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Thorns, TicTacToe, Tree};
use std::fmt;
use std::str::FromStr;

/// A game, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Three in a line on nine squares.
    TicTacToe,
    /// Four in a line, discs dropped into columns.
    ConnectFour,
    /// Queens that shoot arrows.
    Amazons,
    /// Chess.
    Chess,
    /// A race across the star.
    ChineseCheckers,
    /// A game of tricks.
    Thorns,
    /// A hand-written tree.
    Tree,
}

/// Runs `$body` with `$game` standing for the type of the game `$kind`.
macro_rules! with_game_type {
    ($kind:expr, $game:ident => $body:expr) => {
        match $kind {
            GameKind::TicTacToe => {
                type $game = TicTacToe;
                $body
            }
            GameKind::ConnectFour => {
                type $game = ConnectFour;
                $body
            }
            GameKind::Amazons => {
                type $game = Amazons;
                $body
            }
            GameKind::Chess => {
                type $game = Chess;
                $body
            }
            GameKind::ChineseCheckers => {
                type $game = ChineseCheckers;
                $body
            }
            GameKind::Thorns => {
                type $game = Thorns;
                $body
            }
            GameKind::Tree => {
                type $game = Tree;
                $body
            }
        }
    };
}

impl GameKind {
    /// Every game, in the order in which lists show them.
    pub const ALL: [Self; 7] = [
        Self::TicTacToe,
        Self::ConnectFour,
        Self::Amazons,
        Self::Chess,
        Self::ChineseCheckers,
        Self::Thorns,
        Self::Tree,
    ];

    /// Returns the name on the command line and in logs.
    pub fn name(self) -> &'static str {
        with_game_type!(self, G => G::NAME)
    }

    /// Returns a one-line description of the game.
    pub fn description(self) -> &'static str {
        with_game_type!(self, G => G::DESCRIPTION)
    }

    /// Returns the supported numbers of players.
    pub fn player_counts(self) -> &'static [usize] {
        with_game_type!(self, G => G::PLAYER_COUNTS)
    }

    /// Returns its evaluations; the first one is the default where a person reads the values.
    pub fn evaluations(self) -> &'static [Evaluation] {
        with_game_type!(self, G => G::EVALUATIONS)
    }

    /// Returns the name of the evaluation that plays best.
    pub fn playing_evaluation(self) -> &'static str {
        with_game_type!(self, G => G::PLAYING_EVALUATION)
    }

    /// Returns a position to continue from.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the game.
    pub fn open(self, setup: &Setup) -> Result<Box<dyn AnyGame>> {
        with_game_type!(self, G => any::open::<G>(setup))
    }

    /// Runs a task on the game's own types, after `moves` (in the game's notation) were played from the setup.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the game, a move is not legal, or the evaluation is not one
    /// of the game's.
    pub fn run<T: Task>(
        self,
        setup: &Setup,
        moves: &[&str],
        evaluation: Option<&str>,
        task: T,
    ) -> Result<T::Output> {
        with_game_type!(self, G => {
            let mut game = G::from_setup(setup)?;
            for text in moves {
                let mv = game.parse_move(text)?;
                gt_search::Game::make(&mut game, mv);
            }
            Ok(task.run(game, G::evaluation(playable::evaluation_name::<G>(evaluation)?)?))
        })
    }
}

impl FromStr for GameKind {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            NotationError::new(ErrorKind::UnknownName, name, format!("no such game; there are {names}"))
        })
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
