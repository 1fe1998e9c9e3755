//! A position as the command line names it: the game, its board, and moves to play first.

use gt_games::registry::{AnyGame, GameKind, Setup};

use super::chosen_game::ChosenGame;
use crate::failure::Failure;

/// Which position of which game.
#[derive(clap::Args)]
pub(crate) struct PositionArguments {
    /// The game; tree:FILE is a tree that was written into a file
    game: ChosenGame,
    #[command(flatten)]
    start: StartArguments,
}

/// Which position of a game that is known.
#[derive(clap::Args)]
pub(crate) struct StartArguments {
    /// The board's size, for games with several: 6x6
    #[arg(long, value_name = "WxH")]
    board: Option<String>,
    /// The position as text (chess: FEN); the start unless one is given
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// How many players, for games with several numbers
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Moves to play first, in the game's notation
    #[arg(long, value_name = "'M1 M2 …'", default_value = "")]
    moves: String,
}

impl StartArguments {
    pub(crate) fn setup(&self) -> Setup {
        Setup {
            position: self.position.clone().unwrap_or_default(),
            board: self.board.clone(),
            players: self.players,
        }
    }

    pub(crate) fn moves(&self) -> Vec<&str> {
        self.moves.split_whitespace().collect()
    }
}

impl PositionArguments {
    pub(crate) fn game(&self) -> GameKind {
        self.game.kind
    }

    pub(crate) fn setup(&self) -> Result<Setup, Failure> {
        let position = self.game.position_or(self.start.position.as_ref())?;
        Ok(Setup { position, ..self.start.setup() })
    }

    pub(crate) fn moves(&self) -> Vec<&str> {
        self.start.moves()
    }

    /// The position after the moves.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, Failure> {
        let mut game = self.game.kind.open(&self.setup()?)?;
        self.moves().iter().try_for_each(|text| game.play(text))?;
        Ok(game)
    }

    /// The position after the moves, as a setup of its own.
    pub(crate) fn after_moves(&self) -> Result<Setup, Failure> {
        if self.moves().is_empty() {
            return self.setup();
        }
        Ok(Setup::position(&self.open()?.position_text()))
    }
}
