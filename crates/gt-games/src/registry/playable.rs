//! The differences between the games, for code that treats them alike.

use super::{AnyEvaluation, Both, GameKind, Setup};
use crate::amazons::Size;
use crate::chess::network::Network;
use crate::chess::{ByNetwork, FromFile};
use crate::error::{ErrorKind, NotationError, Result};
use crate::explain::Explain;
use crate::{
    Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Symmetric, Thorns, TicTacToe, Tree, amazons,
    chess, chinese_checkers, connect_four, thorns, tic_tac_toe, tree,
};
use gt_search::{AnySearch, Endings, Evaluate, EvaluateAll, Game, Method, Remembering};
use std::fmt::{Debug, Display};
use std::sync::{Arc, LazyLock};

/// An evaluation, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
}

/// A task that runs on a game's own types: a search.
pub trait Task {
    /// The result of the task.
    type Output;
    /// Runs the task.
    fn run<G: Playable>(self, game: G, evaluation: AnyEvaluation<G>) -> Self::Output;
}

/// A game with everything that the registry reports about it.
pub trait Playable: Symmetric + Debug + Sync + 'static {
    /// Its kind.
    const KIND: GameKind;
    /// A one-line description.
    const DESCRIPTION: &'static str;
    /// The supported numbers of players.
    const PLAYER_COUNTS: &'static [usize] = &[2];
    /// Its evaluations, at least one; the first is the default where a person reads the values.
    const EVALUATIONS: &'static [Evaluation];
    /// The evaluation that plays best.
    const PLAYING_EVALUATION: &'static str = Self::EVALUATIONS[0].name;

    /// Returns the position of a setup.
    ///
    /// # Errors
    /// Returns an error if the setup does not fit the game.
    fn from_setup(setup: &Setup) -> Result<Self>;

    /// Returns a source of endings that are known by counting alone, without a table; `None` by default.
    fn counted_endings() -> Option<Arc<dyn Endings<Self>>> {
        None
    }

    /// Returns the depth at which a search of the position covers everything, if that is known and small: a search
    /// need not deepen up to it.
    fn search_depth(&self) -> Option<u16> {
        None
    }

    /// Returns the same position as far as a player knows, with everything hidden from him dealt anew; `None` if
    /// nothing is hidden.
    fn dealt_anew(&self, viewer: usize, seed: u64) -> Option<Self> {
        let _ = (viewer, seed);
        None
    }

    /// Returns names for the moves' numbers in a log, if a number does not determine the move by itself.
    fn move_names(&self) -> Vec<(i64, String)> {
        Vec::new()
    }

    /// Returns the evaluation of this name.
    ///
    /// # Errors
    /// Returns an error if there is no such evaluation.
    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>>;

    /// Begins a search by any algorithm.
    ///
    /// Every game implements this with the same words, so that its searches are compiled here, once, and not again in each crate that
    /// begins some.
    fn begin_search(method: Method<Self>, evaluation: AnyEvaluation<Self>) -> Box<dyn AnySearch<Self>>;
}

/// Implements [`Playable::begin_search`], with the same words for every game.
macro_rules! begins_searches {
    () => {
        fn begin_search(method: Method<Self>, evaluation: AnyEvaluation<Self>) -> Box<dyn AnySearch<Self>> {
            Box::new(Remembering::new(method, evaluation))
        }
    };
}

/// The prefix of the name of chess's evaluation from a file.
const EVALUATION_FILE: &str = "file:";

/// An evaluation from a file. It leaks once for each engine or command.
fn kept<G: Game, E>(evaluation: E) -> AnyEvaluation<G>
where
    E: Evaluate<G> + EvaluateAll<G> + Explain<G> + Send + Sync + 'static,
{
    AnyEvaluation::new(Box::leak(Box::new(evaluation)))
}

/// The name of the requested evaluation; the game's first by default.
pub(super) fn evaluation_name<G: Playable>(name: Option<&str>) -> Result<&'static str> {
    let Some(name) = name else { return Ok(G::EVALUATIONS[0].name) };
    if G::KIND == GameKind::Chess && name.starts_with(EVALUATION_FILE) {
        // Leaks once for each engine or command.
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

/// Rejects a size other than the position's.
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

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "distance" => Ok(AnyEvaluation::new(&Both(tic_tac_toe::Distance))),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
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

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "threats" => Ok(AnyEvaluation::new(&Both(connect_four::Threats))),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
}

impl Playable for Amazons {
    const KIND: GameKind = GameKind::Amazons;
    const DESCRIPTION: &'static str = "queens that shoot arrows, on a board from 4x4 to 10x10";
    const EVALUATIONS: &'static [Evaluation] = &[
        Evaluation {
            name: "phased",
            description: "queen and king distances, mobility and amazons shut in, weighted by the phase",
        },
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

    fn counted_endings() -> Option<Arc<dyn Endings<Self>>> {
        Some(Arc::new(amazons::Filling))
    }

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "phased" => Ok(AnyEvaluation::new(&Both(amazons::Phased))),
            "territory-mobility" => Ok(AnyEvaluation::new(&Both(amazons::TerritoryMobility))),
            "territory" => Ok(AnyEvaluation::new(&Both(amazons::Territory))),
            "mobility" => Ok(AnyEvaluation::new(&Both(amazons::Mobility))),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
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
        Evaluation { name: "network", description: "a small neural network, learnt from a strong one" },
    ];
    const PLAYING_EVALUATION: &'static str = "network";

    fn from_setup(setup: &Setup) -> Result<Self> {
        from_position_only(setup, Self::new())
    }

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "six-terms" => Ok(AnyEvaluation::new(&Both(chess::SixTerms))),
            "material" => Ok(AnyEvaluation::new(&Both(chess::Material))),
            "network" => {
                static NETWORK: LazyLock<Both<ByNetwork>> =
                    LazyLock::new(|| Both(ByNetwork(Network::built_in())));
                Ok(AnyEvaluation::new(&*NETWORK))
            }
            _ => match name.strip_prefix(EVALUATION_FILE) {
                Some(path) => Ok(match FromFile::load(path)? {
                    FromFile::Weighted(weighted) => kept(Both(weighted)),
                    FromFile::ByNetwork(by_network) => kept(Both(by_network)),
                }),
                None => Err(unknown::<Self>(name)),
            },
        }
    }

    begins_searches!();
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

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "distance" => Ok(AnyEvaluation::new(&chinese_checkers::Distance)),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
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

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "points" => Ok(AnyEvaluation::new(&thorns::Points)),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
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

    fn evaluation(name: &str) -> Result<AnyEvaluation<Self>> {
        match name {
            "values" => Ok(AnyEvaluation::new(&tree::Values)),
            _ => Err(unknown::<Self>(name)),
        }
    }

    begins_searches!();
}
