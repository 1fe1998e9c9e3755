//! `/api/play/state`: the game with everything that the page draws.

use std::path::Path;

use gt_games::board::{Pointing, touched_places};
use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_play::live::{ClockState, Ending, PlayedMove, SeatState, State, Thinking};
use serde::Serialize;

use super::search::SearchAnswer;
use crate::calls::drawn::{BoardShape, Cell, drawn};
use crate::error::Answer;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayState {
    /// Counts the games that this server has seen.
    number: u64,
    version: u64,
    game: &'static str,
    start: String,
    position: String,
    players: usize,
    to_move: usize,
    shape: BoardShape,
    cells: Vec<Cell>,
    last: Vec<String>,
    /// How the moves of the person whose turn it is are pointed at.
    pointing: PointingAnswer,
    moves: Vec<MoveAnswer>,
    seats: Vec<SeatState>,
    control: Option<String>,
    clocks: Option<ClockState>,
    paused: bool,
    thinking: Option<ThinkingAnswer>,
    hint_pending: bool,
    hint: Option<HintAnswer>,
    can_take_back: bool,
    result: Option<Ending>,
}

#[derive(Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PointingAnswer {
    moves: Vec<PointedMove>,
    /// Places that mean another one.
    stand_ins: Vec<StandIn>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PointedMove {
    text: String,
    /// The places to point at, in order: of a piece that moves, the first is where it stands, the second where it goes.
    places: Vec<String>,
    /// What to choose after the last place: `queen`, `pass`.
    choice: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct StandIn {
    place: String,
    meant: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MoveAnswer {
    text: String,
    /// As players write it down.
    written: String,
    player: usize,
    elapsed_ms: u64,
    /// What a program had found.
    search: Option<SearchAnswer>,
    /// The number of the search's log, as long as it is kept.
    log: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ThinkingAnswer {
    player: usize,
    search: Option<SearchAnswer>,
    log: Option<usize>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct HintAnswer {
    text: String,
    written: String,
    places: Vec<String>,
    search: SearchAnswer,
}

impl PlayState {
    /// `shelve` gives the number of a log by its path.
    pub(super) fn new(
        number: u64,
        kind: GameKind,
        state: State,
        position: &dyn AnyGame,
        mut shelve: impl FnMut(&Path) -> Option<usize>,
    ) -> Answer<Self> {
        let (shape, cells) = drawn(position);
        let (moves, last) = moves(kind, &state, &mut shelve)?;
        let log = |thinking: &Thinking| thinking.log.as_deref().and_then(shelve);
        Ok(Self {
            number,
            version: state.version,
            game: state.game,
            players: state.seats.len(),
            pointing: pointing(&state, position),
            thinking: state.thinking.map(|thinking| ThinkingAnswer {
                log: log(&thinking),
                player: thinking.player,
                search: thinking.search.map(|search| SearchAnswer::of(&search, position)),
            }),
            hint: state.hint.map(|hint| HintAnswer {
                places: position.encode(&hint.text).map_or(Vec::new(), |code| touched_places(position, code)),
                written: position.written(&hint.text).unwrap_or_else(|_| hint.text.clone()),
                text: hint.text,
                search: SearchAnswer::of(&hint.search, position),
            }),
            start: state.start,
            position: state.position,
            to_move: state.to_move,
            shape,
            cells,
            last,
            moves,
            seats: state.seats,
            control: state.control,
            clocks: state.clocks,
            paused: state.paused,
            hint_pending: state.hint_pending,
            can_take_back: state.can_take_back,
            result: state.result,
        })
    }
}

/// What the person can point at whose turn it is; nothing while a program thinks.
fn pointing(state: &State, position: &dyn AnyGame) -> PointingAnswer {
    let is_person = state.seats.get(state.to_move).is_some_and(|seat| seat.is_person);
    if state.result.is_some() || state.paused || !is_person {
        return PointingAnswer::default();
    }
    let Pointing { moves, stand_ins } = Pointing::of(position);
    let pointed = moves.into_iter();
    let stand_ins = stand_ins.into_iter();
    PointingAnswer {
        moves: pointed
            .map(|pointed| PointedMove { text: pointed.text, places: pointed.places, choice: pointed.choice })
            .collect(),
        stand_ins: stand_ins
            .map(|stand_in| StandIn { place: stand_in.place, meant: stand_in.meant })
            .collect(),
    }
}

/// The moves as they are listed, and the places of the last one. Of all searches, the latest is told with its line.
fn moves(
    kind: GameKind,
    state: &State,
    shelve: &mut impl FnMut(&Path) -> Option<usize>,
) -> Answer<(Vec<MoveAnswer>, Vec<String>)> {
    let mut game = kind.open(&Setup::position(&state.start)).map_err(gt_play::Error::from)?;
    let mut last = Vec::new();
    let mut answers = Vec::with_capacity(state.moves.len());
    let latest = state.moves.iter().rposition(|played| played.search.is_some());
    for (place, played) in state.moves.iter().enumerate() {
        let PlayedMove { text, code, player, elapsed_ms, search, log } = played.clone();
        last = touched_places(&*game, code);
        let told = |search| match Some(place) == latest {
            true => SearchAnswer::of(&search, &*game),
            false => SearchAnswer::brief(&search, kind),
        };
        let search = search.map(told);
        let written = game.written(&text).map_err(gt_play::Error::from)?;
        game.play(&text).map_err(gt_play::Error::from)?;
        let log = log.and_then(|path| shelve(&path));
        answers.push(MoveAnswer { text, written, player, elapsed_ms, search, log });
    }
    Ok((answers, last))
}
