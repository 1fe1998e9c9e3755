//! What sets the games apart, for those who treat them alike.

use super::{Both, GameKind, Setup};
use crate::amazons::Size;
use crate::error::{ErrorKind, NotationError, Result};
use crate::explain::Explain;
use crate::{
    Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Symmetric, Thorns, TicTacToe, Tree, amazons,
    chess, chinese_checkers, connect_four, thorns, tic_tac_toe, tree,
};
use gt_search::{Evaluate, EvaluateAll, Game};
use std::fmt::{Debug, Display};

/// An evaluation, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub description: &'static str,
}

/// Something to do with a game and an evaluation, on their own types: a search.
pub trait Task {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<G, E>(self, game: G, evaluation: E) -> Self::Output
    where
        G: Playable,
        E: Evaluate<G> + EvaluateAll<G> + Explain<G> + Copy + Send + Sync + 'static;
}

/// A game with all that the registry tells about it.
pub trait Playable: Symmetric + Debug + Sync + 'static {
    /// Which one it is.
    const KIND: GameKind;
    /// One line about it.
    const DESCRIPTION: &'static str;
    /// The numbers of players it is for.
    const PLAYER_COUNTS: &'static [usize] = &[2];
    /// Its evaluations, at least one.
    const EVALUATIONS: &'static [Evaluation];

    /// The position of a setup.
    ///
    /// # Errors
    /// The setup does not fit the game.
    fn from_setup(setup: &Setup) -> Result<Self>;

    /// The depth at which a search of the position looks at everything at once, where that is known and small: no search has
    /// to come to it depth by depth.
    fn search_depth(&self) -> Option<u16> {
        None
    }

    /// The same position as far as a player knows, with what is hidden from him dealt anew; `None` where nothing is hidden.
    fn dealt_anew(&self, viewer: usize, seed: u64) -> Option<Self> {
        let _ = (viewer, seed);
        None
    }

    /// Names for the moves' numbers in a log, where no number tells the move by itself.
    fn move_names(&self) -> Vec<(i64, String)> {
        Vec::new()
    }

    /// Runs a task with the evaluation of this name.
    ///
    /// # Errors
    /// There is no such evaluation.
    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output>;
}

/// What the name of chess's evaluation with weights of a file begins with.
const WEIGHTS_FILE: &str = "file:";

/// The name of the evaluation that is asked for: the game's first if none is.
pub(super) fn evaluation_name<G: Playable>(name: Option<&str>) -> Result<&'static str> {
    let Some(name) = name else { return Ok(G::EVALUATIONS[0].name) };
    if G::KIND == GameKind::Chess && name.starts_with(WEIGHTS_FILE) {
        // A name is asked for once for each engine or command.
        return Ok(Box::leak(name.to_owned().into_boxed_str()));
    }
    let known = G::EVALUATIONS.iter().find(|known| known.name == name);
    known.map(|known| known.name).ok_or_else(|| unknown::<G>(name))
}

fn unknown<G: Playable>(name: &str) -> NotationError {
    let names: Vec<&str> = G::EVALUATIONS.iter().map(|evaluation| evaluation.name).collect();
    let problem = format!("no such evaluation; {} has {}", G::NAME, names.join(", "));
    NotationError::new(ErrorKind::UnknownName, name, problem)
}

/// Refuses a size other than the position's.
fn check_size<S: PartialEq + Display>(asked: Option<S>, found: S) -> Result<()> {
    match asked {
        Some(asked) if asked != found => {
            let problem = format!("the position has a board of {found}; leave the size away");
            Err(NotationError::new(ErrorKind::UnknownName, asked.to_string(), problem))
        }
        _ => Ok(()),
    }
}

/// A game with one board and two players.
fn from_position_only<G: Notation>(setup: &Setup, start: G) -> Result<G> {
    setup.refuse_board(G::NAME)?;
    setup.check_players(G::NAME, 2)?;
    setup.position_text().map_or(Ok(start), G::parse_position)
}

impl Playable for TicTacToe {
    const KIND: GameKind = GameKind::TicTacToe;
    const DESCRIPTION: &'static str = "three in a line on nine squares";
    const EVALUATIONS: &'static [Evaluation] = &[Evaluation {
        name: "distance",
        description: "how many moves the opponent is away from a line, minus how many the mover is",
    }];

    fn from_setup(setup: &Setup) -> Result<Self> {
        from_position_only(setup, Self::new())
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "distance" => Ok(task.run(self, Both(tic_tac_toe::Distance))),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}

impl Playable for ConnectFour {
    const KIND: GameKind = GameKind::ConnectFour;
    const DESCRIPTION: &'static str =
        "four in a line, discs dropped into seven columns of six, or another size";
    const EVALUATIONS: &'static [Evaluation] = &[Evaluation {
        name: "threats",
        description: "empty places that complete four in a line, by row and nearness, and well-placed discs",
    }];

    fn from_setup(setup: &Setup) -> Result<Self> {
        setup.check_players(Self::NAME, 2)?;
        let size = setup.board_size()?;
        let size = size.map(|(columns, rows)| connect_four::Size::new(columns, rows)).transpose()?;
        let Some(text) = setup.position_text() else {
            return Ok(Self::start(size.unwrap_or(connect_four::Size::STANDARD)));
        };
        let game = Self::parse_position(text)?;
        check_size(size, game.size())?;
        Ok(game)
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "threats" => Ok(task.run(self, Both(connect_four::Threats))),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}

impl Playable for Amazons {
    const KIND: GameKind = GameKind::Amazons;
    const DESCRIPTION: &'static str = "queens that shoot arrows, on a board from 4x4 to 10x10";
    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "territory-mobility",
            description: "owned squares, four each, plus the amazons that reach them in one move",
        },
        Evaluation {
            name: "territory",
            description: "squares reached in fewer queen moves than the opponent",
        },
        Evaluation { name: "mobility", description: "squares that the amazons reach in one queen move" },
    ];

    fn from_setup(setup: &Setup) -> Result<Self> {
        setup.check_players(Self::NAME, 2)?;
        let size = setup.board_size()?.map(|(width, height)| Size::new(width, height)).transpose()?;
        let Some(text) = setup.position_text() else {
            return Ok(Self::start(size.unwrap_or(Size::STANDARD)));
        };
        let game = Self::parse_position(text)?;
        check_size(size, game.size())?;
        Ok(game)
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "territory-mobility" => Ok(task.run(self, Both(amazons::TerritoryMobility))),
            "territory" => Ok(task.run(self, Both(amazons::Territory))),
            "mobility" => Ok(task.run(self, Both(amazons::Mobility))),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}

impl Playable for Chess {
    const KIND: GameKind = GameKind::Chess;
    const DESCRIPTION: &'static str = "chess, with draws by repetition, fifty moves and want of material";
    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "six-terms",
            description: "material, pawn formation, mobility, board control, development and king safety",
        },
        Evaluation { name: "material", description: "the worth of the pieces alone" },
    ];

    fn from_setup(setup: &Setup) -> Result<Self> {
        from_position_only(setup, Self::new())
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "six-terms" => Ok(task.run(self, Both(chess::SixTerms))),
            "material" => Ok(task.run(self, Both(chess::Material))),
            _ => match evaluation.strip_prefix(WEIGHTS_FILE) {
                Some(path) => Ok(task.run(self, Both(chess::Weighted(chess::evaluate::load(path)?)))),
                None => Err(unknown::<Self>(evaluation)),
            },
        }
    }
}

impl Playable for ChineseCheckers {
    const KIND: GameKind = GameKind::ChineseCheckers;
    const DESCRIPTION: &'static str = "the race across the star, for 2, 3, 4 or 6 players";
    const PLAYER_COUNTS: &'static [usize] = &[2, 3, 4, 6];
    const EVALUATIONS: &'static [Evaluation] = &[Evaluation {
        name: "distance",
        description: "minus the steps still to go, for each player; for two, the difference",
    }];

    fn from_setup(setup: &Setup) -> Result<Self> {
        setup.refuse_board(Self::NAME)?;
        let Some(text) = setup.position_text() else {
            return Self::start(setup.players.unwrap_or(2));
        };
        let game = Self::parse_position(text)?;
        setup.check_players(Self::NAME, game.players())?;
        Ok(game)
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "distance" => Ok(task.run(self, chinese_checkers::Distance)),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}

impl Playable for Thorns {
    const KIND: GameKind = GameKind::Thorns;
    const DESCRIPTION: &'static str =
        "tricks without hearts and the queen of spades, hands hidden, for 3 or 4 players";
    const PLAYER_COUNTS: &'static [usize] = Self::PLAYERS;
    const EVALUATIONS: &'static [Evaluation] =
        &[Evaluation { name: "points", description: "minus the points that a player has taken so far" }];

    fn from_setup(setup: &Setup) -> Result<Self> {
        setup.refuse_board(Self::NAME)?;
        let text = setup.position_text().unwrap_or("deal 1").trim();
        if let Some(number) = text.strip_prefix("deal ") {
            let problem = "a deal has a number, as in `deal 7`; or give the hands";
            let number = number.trim().parse().map_err(|_| NotationError::syntax(text, problem))?;
            return Self::deal(setup.players.unwrap_or(3), number);
        }
        let game = Self::parse_position(text)?;
        setup.check_players(Self::NAME, game.players())?;
        Ok(game)
    }

    fn dealt_anew(&self, viewer: usize, seed: u64) -> Option<Self> {
        Some(Self::dealt_anew(self, viewer, seed))
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "points" => Ok(task.run(self, thorns::Points)),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}

impl Playable for Tree {
    const KIND: GameKind = GameKind::Tree;
    const DESCRIPTION: &'static str = "a tree with values at its leaves, read from a file: tree:FILE";
    const PLAYER_COUNTS: &'static [usize] = &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    const EVALUATIONS: &'static [Evaluation] = &[Evaluation {
        name: "values",
        description: "the estimate that the text gives a node, 0 where it gives none",
    }];

    fn from_setup(setup: &Setup) -> Result<Self> {
        setup.refuse_board(Self::NAME)?;
        let small = || Self::small_for(setup.players.unwrap_or(2)).unwrap_or_else(Self::small);
        let game = setup.position_text().map_or_else(|| Ok(small()), Self::parse_position)?;
        setup.check_players(Self::NAME, game.players())?;
        Ok(game)
    }

    fn search_depth(&self) -> Option<u16> {
        Some(self.height().max(1))
    }

    fn move_names(&self) -> Vec<(i64, String)> {
        Self::move_names(self)
    }

    fn run<T: Task>(self, evaluation: &str, task: T) -> Result<T::Output> {
        match evaluation {
            "values" => Ok(task.run(self, tree::Values)),
            _ => Err(unknown::<Self>(evaluation)),
        }
    }
}
