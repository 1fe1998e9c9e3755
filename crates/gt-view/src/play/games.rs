//! `/api/play/games`: what can be chosen for a new game.

use gt_games::registry::{GameKind, Setup};
use gt_play::{Algorithm, Level};
use serde::Serialize;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameChoices {
    games: Vec<GameChoice>,
    levels: LevelRange,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct GameChoice {
    name: &'static str,
    description: &'static str,
    players: &'static [usize],
    /// The sizes of its board, the usual one first; none where there is but one.
    boards: Vec<String>,
    algorithms: Vec<AlgorithmChoice>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AlgorithmChoice {
    name: &'static str,
    description: &'static str,
    /// Whether it is for more than two players.
    many: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LevelRange {
    min: u8,
    max: u8,
}

pub(crate) fn games() -> GameChoices {
    let levels = LevelRange { min: Level::MIN.number(), max: Level::MAX.number() };
    // A tree that is written down needs its file, which a page cannot name.
    let playable = GameKind::ALL.into_iter().filter(|kind| *kind != GameKind::Tree);
    GameChoices { games: playable.map(game).collect(), levels }
}

fn game(kind: GameKind) -> GameChoice {
    let algorithms = Algorithm::ALL.into_iter().map(|algorithm| AlgorithmChoice {
        name: algorithm.name(),
        description: algorithm.description(),
        many: algorithm.is_for_many(),
    });
    GameChoice {
        name: kind.name(),
        description: kind.description(),
        players: kind.player_counts(),
        boards: boards(kind),
        algorithms: algorithms.collect(),
    }
}

fn boards(kind: GameKind) -> Vec<String> {
    let sizes = ["10x10", "8x8", "6x6", "5x5", "4x4"].map(str::to_owned).into_iter();
    let fits = |size: &String| kind.open(&Setup { board: Some(size.clone()), ..Setup::default() }).is_ok();
    sizes.filter(fits).collect()
}
