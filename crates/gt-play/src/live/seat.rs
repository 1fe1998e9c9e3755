//! Who sits at the board.

use std::time::Duration;

use gt_games::registry::GameKind;
use gt_search::Limits;

use crate::algorithm::Algorithm;
use crate::engine::EngineOptions;
use crate::strength::Level;

/// Who plays for one of the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Somebody who is asked for moves.
    Person {
        /// What to call them.
        name: String,
    },
    /// An engine.
    Program(Program),
}

impl Seat {
    /// A person who is called by nothing better.
    #[must_use]
    pub fn person() -> Self {
        Self::Person { name: "person".to_owned() }
    }

    /// What to call whoever sits there.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name } => name,
            Self::Program(program) => &program.name,
        }
    }

    /// The name, and a program's level where it has one.
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

/// What a game calls a player: `white`, `x`, `B`.
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
    /// What to call it.
    pub name: String,
    /// How it searches.
    pub engine: EngineOptions,
    /// How strong it plays; as strong as it can where nothing is said.
    pub level: Option<Level>,
    /// What a move may take.
    pub budget: Budget,
    /// Whether it thinks while its opponent does, in games of two players.
    pub ponder: bool,
}

impl Program {
    /// The engine that fits a game best.
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

/// What a program may take for a move, beside its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// How long it may think.
    pub time: Option<Duration>,
    /// How many nodes it may search.
    pub nodes: Option<u64>,
    /// How deep it may search, in plies.
    pub depth: Option<u16>,
}

impl Budget {
    /// So long a program thinks about a move when neither a clock nor a budget says otherwise.
    pub const TIME_DEFAULT: Duration = Duration::from_secs(1);

    /// Only nodes are counted, so that the same game is played again.
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

    /// The time for a move where no clock runs; none where something else ends the search.
    pub(super) fn time_alone(self) -> Option<Duration> {
        let is_counted = self.nodes.is_some() || self.depth.is_some();
        self.time.or((!is_counted).then_some(Self::TIME_DEFAULT))
    }
}
