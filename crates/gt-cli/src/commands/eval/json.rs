//! Explanations as JSON; the manual names every key.

use gt_games::board::Board;
use gt_games::explain::{Balance, Breakdown, Explanation, Share, SquareMap, Term, Weight};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;
use serde_json::{Map, Value, json};

use super::ending::outcome_text;
use super::maps::is_wanted;

/// A position with what evaluations see in it.
pub(super) fn position(game: &dyn AnyGame, explanations: &[Explanation], maps: &[String]) -> Value {
    let board = Board::of(game);
    let evaluation = |explanation: &Explanation| {
        let mut object = terms(explanation);
        let wanted = explanation.breakdown.maps.iter().filter(|map| is_wanted(maps, map.name));
        object["maps"] = wanted.map(|map| square_map(game, &board, map)).collect();
        object
    };
    let mut object = about(game);
    object["evaluations"] = explanations.iter().map(evaluation).collect();
    object
}

/// Which position it is.
pub(super) fn about(game: &dyn AnyGame) -> Value {
    json!({
        "game": game.kind().name(), "position": game.position_text(),
        "players": (0..game.players()).map(|player| side_name(game.kind(), player)).collect::<Vec<_>>(),
        "to_move": side_name(game.kind(), game.to_move()),
        "outcome": game.outcome().map(|outcome| outcome_text(game, outcome)),
    })
}

/// An evaluation's values and terms.
pub(super) fn terms(explanation: &Explanation) -> Value {
    let breakdown = &explanation.breakdown;
    let sums = (0..explanation.values.len()).map(|player| breakdown.in_measure(breakdown.sum(player)));
    json!({
        "evaluation": explanation.evaluation,
        "measure": breakdown.measure,
        "balance": match breakdown.balance { Balance::Difference => "difference", Balance::Own => "own" },
        "phase": breakdown.phase.map(|phase| json!({"now": phase.now, "of": phase.of})),
        "values": explanation.values,
        "mover_value": explanation.mover_value,
        "sums": sums.collect::<Vec<_>>(),
        "terms": breakdown.terms.iter().map(|found| term(breakdown, found)).collect::<Vec<_>>(),
    })
}

fn term(breakdown: &Breakdown, term: &Term) -> Value {
    json!({
        "group": term.group, "name": term.name, "note": term.note,
        "weight": term.weight.map(weight),
        "shares": term.shares.iter().map(|found| share(breakdown, found)).collect::<Vec<_>>(),
    })
}

fn weight(weight: Weight) -> Value {
    match weight {
        Weight::Constant(weight) => json!(weight),
        Weight::Tapered { opening, ending } => json!({"opening": opening, "ending": ending}),
    }
}

fn share(breakdown: &Breakdown, share: &Share) -> Value {
    json!({
        "count": share.count,
        "opening": share.stages.map(|(opening, _)| opening),
        "ending": share.stages.map(|(_, ending)| ending),
        "value": breakdown.in_measure(share.value),
    })
}

/// A map as the places that it says something of.
fn square_map(game: &dyn AnyGame, board: &Board, map: &SquareMap) -> Value {
    let mut squares = Map::new();
    for (place, cell) in board.cells.iter().zip(&map.cells) {
        if cell.owner.is_some() || cell.number.is_some() {
            let owner = cell.owner.map(|player| side_name(game.kind(), player));
            squares.insert(place.place.clone(), json!({"owner": owner, "number": cell.number}));
        }
    }
    json!({"name": map.name, "note": map.note, "squares": squares})
}
