//! `/api/evaluation` and `/api/play/evaluation`: what an evaluation sees in a position.

use gt_games::explain::{Breakdown, Explanation, MapCell, Share, SquareMap, Term, Weight};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;
use serde::Serialize;

use super::Subject;
use crate::error::{Answer, Refusal};
use crate::moves::{follow, root_position};

#[derive(Serialize)]
pub(crate) struct EvaluationAnswer {
    game: &'static str,
    position: String,
    evaluation: &'static str,
    /// All that the game has.
    evaluations: Vec<&'static str>,
    measure: &'static str,
    phase: Option<PhaseAnswer>,
    /// What the players are called.
    players: Vec<&'static str>,
    to_move: usize,
    values: Vec<i32>,
    mover_value: i32,
    sums: Vec<f64>,
    terms: Vec<TermAnswer>,
    maps: Vec<MapAnswer>,
}

#[derive(Serialize)]
struct PhaseAnswer {
    now: i32,
    of: i32,
}

#[derive(Serialize)]
struct TermAnswer {
    group: Option<&'static str>,
    name: &'static str,
    note: &'static str,
    weight: Option<WeightAnswer>,
    shares: Vec<ShareAnswer>,
}

/// The same weight twice where it does not change in the course of the game.
#[derive(Serialize)]
struct WeightAnswer {
    opening: f64,
    ending: f64,
}

#[derive(Serialize)]
struct ShareAnswer {
    count: Option<i64>,
    value: f64,
}

#[derive(Serialize)]
struct MapAnswer {
    name: &'static str,
    note: &'static str,
    /// In the order of the board's cells.
    cells: Vec<MapCellAnswer>,
}

#[derive(Serialize)]
struct MapCellAnswer {
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
    let root = root_position(subject.opened, subject.tree).map_err(unplayable)?;
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
            phase: breakdown.phase.map(|phase| PhaseAnswer { now: phase.now, of: phase.of }),
            players: players.clone().map(|player| side_name(kind, player)).collect(),
            to_move: game.to_move(),
            values,
            mover_value,
            sums: players.map(|player| breakdown.in_measure(breakdown.sum(player))).collect(),
            terms: breakdown.terms.iter().map(|term| TermAnswer::of(&breakdown, term)).collect(),
            maps: breakdown.maps.iter().map(MapAnswer::of).collect(),
        })
    }
}

impl TermAnswer {
    fn of(breakdown: &Breakdown, term: &Term) -> Self {
        let share =
            |share: &Share| ShareAnswer { count: share.count, value: breakdown.in_measure(share.value) };
        let weight = |weight: Weight| match weight {
            Weight::Constant(weight) => WeightAnswer { opening: weight, ending: weight },
            Weight::Tapered { opening, ending } => WeightAnswer { opening, ending },
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

impl MapAnswer {
    fn of(map: &SquareMap) -> Self {
        let cell = |&MapCell { owner, number }: &MapCell| MapCellAnswer { owner, number };
        Self { name: map.name, note: map.note, cells: map.cells.iter().map(cell).collect() }
    }
}
