//! The seats at the board.

use std::time::Duration;

use gt_games::registry::GameKind;
use gt_search::Limits;

use crate::algorithm::Algorithm;
use crate::engine::EngineOptions;
use crate::strength::Level;

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person, who is asked for moves.
    Person {
        /// The person's name.
        name: String,
    },
    /// An engine.
    Program(Program),
}

impl Seat {
    /// Returns a person without a particular name.
    #[must_use]
    pub fn person() -> Self {
        Self::Person { name: "person".to_owned() }
    }

    /// Returns the name of the occupant.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name } => name,
            Self::Program(program) => &program.name,
        }
    }

    /// Returns the name, and a program's level if it has one.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Program(Program { name, level: Some(level), .. }) => format!("{name} level {level}"),
            Self::Person { name } | Self::Program(Program { name, level: None, .. }) => name.clone(),
        }
    }

    /// Whether a person sits there.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }
}

/// Returns the game's name for a player: `white`, `x`, `B`.
#[must_use]
pub fn side_name(kind: GameKind, player: usize) -> &'static str {
    let names: &[&str] = match kind {
        GameKind::TicTacToe | GameKind::ConnectFour => &["x", "o"],
        GameKind::Amazons | GameKind::Chess => &["white", "black"],
        GameKind::ChineseCheckers => &["A", "B", "C", "D", "E", "F"],
        GameKind::Thorns | GameKind::Tree => &[
            "player 1",
            "player 2",
            "player 3",
            "player 4",
            "player 5",
            "player 6",
            "player 7",
            "player 8",
            "player 9",
            "player 10",
            "player 11",
            "player 12",
            "player 13",
            "player 14",
            "player 15",
            "player 16",
        ],
    };
    names.get(player).unwrap_or(&"?")
}

/// An engine that takes part in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its search options.
    pub engine: EngineOptions,
    /// Its playing strength; full strength by default.
    pub level: Option<Level>,
    /// The limits for a move.
    pub budget: Budget,
    /// Whether it thinks on the opponent's time, in games of two players.
    pub ponder: bool,
}

impl Program {
    /// Returns the engine that fits a game best.
    #[must_use]
    pub fn best_for(kind: GameKind, players: usize) -> Self {
        let algorithm = Algorithm::best_for(kind, players);
        Self {
            name: algorithm.name().to_owned(),
            engine: EngineOptions { algorithm: Some(algorithm), ..EngineOptions::default() },
            level: None,
            budget: Budget::default(),
            ponder: false,
        }
    }
}

/// A program's limits for a move, beside its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The maximum time.
    pub time: Option<Duration>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum depth, in plies.
    pub depth: Option<u16>,
}

impl Budget {
    /// The time for a move if neither a clock nor a budget sets it.
    pub const TIME_DEFAULT: Duration = Duration::from_secs(1);

    /// Limits only nodes, so that a game can be repeated exactly.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The limits of a search other than time.
    pub(super) fn limits(self) -> Limits {
        let mut limits = Limits::default();
        limits.nodes_max = self.nodes.unwrap_or(limits.nodes_max);
        limits.depth_max = self.depth.unwrap_or(limits.depth_max);
        limits
    }

    /// The time for a move without a clock; `None` if something else ends the search.
    pub(super) fn time_alone(self) -> Option<Duration> {
        let is_counted = self.nodes.is_some() || self.depth.is_some();
        self.time.or((!is_counted).then_some(Self::TIME_DEFAULT))
    }
}
