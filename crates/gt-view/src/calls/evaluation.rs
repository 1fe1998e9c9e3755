//! `/api/evaluation` and `/api/play/evaluation`: what an evaluation sees in a position.

use gt_games::explain::{self, Breakdown, Explanation};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;
use serde::Serialize;

use super::Subject;
use crate::error::{Answer, Refusal};
use crate::moves::follow;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EvaluationAnswer {
    game: &'static str,
    position: String,
    evaluation: &'static str,
    /// All evaluations that the game has.
    evaluations: Vec<&'static str>,
    measure: &'static str,
    phase: Option<Phase>,
    /// What the players are called.
    players: Vec<&'static str>,
    to_move: usize,
    values: Vec<i32>,
    mover_value: i32,
    sums: Vec<f64>,
    terms: Vec<Term>,
    maps: Vec<SquareMap>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Phase {
    now: i32,
    of: i32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Term {
    /// The terms that it belongs with.
    group: Option<&'static str>,
    name: &'static str,
    note: &'static str,
    weight: Option<Weight>,
    /// What each player has of it.
    shares: Vec<Share>,
}

/// The weight of a term in the opening and in the ending; both are the same if it does not change during the game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Weight {
    opening: f64,
    ending: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Share {
    count: Option<i64>,
    value: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct SquareMap {
    name: &'static str,
    note: &'static str,
    /// In the order of the board's cells.
    cells: Vec<MapCell>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MapCell {
    owner: Option<usize>,
    number: Option<i32>,
}

/// What an evaluation sees at a node.
pub(crate) fn at_node(
    subject: &mut Subject<'_>,
    id: u64,
    evaluation: Option<&str>,
) -> Answer<EvaluationAnswer> {
    let located = subject.nodes.locate(id)?;
    let unplayable = |sentence: String| Refusal::missing("node", sentence);
    let root = subject.opened.root_position(subject.tree).map_err(unplayable)?;
    let codes = subject.codes(&located)?;
    let game = follow(root, &codes, subject.cancel).map_err(unplayable)?;
    EvaluationAnswer::of(&*game, evaluation)
}

impl EvaluationAnswer {
    /// Looks at a position through the evaluation of this name, or the game's first.
    pub(crate) fn of(game: &dyn AnyGame, evaluation: Option<&str>) -> Answer<Self> {
        let explained = game.explain(evaluation);
        let Explanation { evaluation, values, mover_value, breakdown } =
            explained.map_err(|error| Refusal::bad("evaluation", error.to_string()))?;
        let kind = game.kind();
        let players = 0..game.players();
        Ok(Self {
            game: kind.name(),
            position: game.position_text(),
            evaluation,
            evaluations: kind.evaluations().iter().map(|evaluation| evaluation.name).collect(),
            measure: breakdown.measure,
            phase: breakdown.phase.map(|phase| Phase { now: phase.now, of: phase.of }),
            players: players.clone().map(|player| side_name(kind, player)).collect(),
            to_move: game.to_move(),
            values,
            mover_value,
            sums: players.map(|player| breakdown.in_measure(breakdown.sum(player))).collect(),
            terms: breakdown.terms.iter().map(|term| Term::of(&breakdown, term)).collect(),
            maps: breakdown.maps.iter().map(SquareMap::of).collect(),
        })
    }
}

impl Term {
    fn of(breakdown: &Breakdown, term: &explain::Term) -> Self {
        let share =
            |share: &explain::Share| Share { count: share.count, value: breakdown.in_measure(share.value) };
        let weight = |weight: explain::Weight| match weight {
            explain::Weight::Constant(weight) => Weight { opening: weight, ending: weight },
            explain::Weight::Tapered { opening, ending } => Weight { opening, ending },
        };
        Self {
            group: term.group,
            name: term.name,
            note: term.note,
            weight: term.weight.map(weight),
            shares: term.shares.iter().map(share).collect(),
        }
    }
}

impl SquareMap {
    fn of(map: &explain::SquareMap) -> Self {
        let cell = |&explain::MapCell { owner, number }: &explain::MapCell| MapCell { owner, number };
        Self { name: map.name, note: map.note, cells: map.cells.iter().map(cell).collect() }
    }
}
