//! `--moves-table`: the value after every legal move.

use std::io::Write;

use gt_games::explain::{Explanation, MoveValue, after_each_move};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;
use serde_json::{Value, json};

use super::aligned::print_aligned;
use super::ending::{outcome_text, told};
use super::json;
use crate::commands::format::Format;
use crate::failure::Failure;

/// Prints the moves for each of the evaluations.
pub(super) fn print(
    format: Format,
    game: &dyn AnyGame,
    explanations: &[Explanation],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut lists = Vec::new();
    for explanation in explanations {
        lists.push((explanation, after_each_move(game, Some(explanation.evaluation))?));
    }
    if format == Format::Json {
        let mut object = json::about(game);
        object["evaluations"] =
            lists.iter().map(|(explanation, moves)| list(game, explanation, moves)).collect();
        writeln!(out, "{object}")?;
        return Ok(());
    }
    for (number, (explanation, moves)) in lists.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let mover = side_name(game.kind(), game.to_move());
        writeln!(
            out,
            "{}, in {}: the value after each move of {mover}\n",
            explanation.evaluation, explanation.breakdown.measure
        )?;
        print_aligned(&rows(game, moves), &[], out)?;
    }
    Ok(())
}

fn rows(game: &dyn AnyGame, moves: &[MoveValue]) -> Vec<Vec<String>> {
    let names = (0..game.players()).map(|player| side_name(game.kind(), player).to_owned());
    let mut rows = vec![std::iter::once("move".to_owned()).chain(names).collect::<Vec<_>>()];
    for mv in moves {
        let mut row = vec![mv.text.clone()];
        match mv.outcome {
            Some(outcome) => row.push(told(game.kind(), outcome)),
            None => row.extend(mv.values.iter().map(i32::to_string)),
        }
        rows.push(row);
    }
    rows
}

fn list(game: &dyn AnyGame, explanation: &Explanation, moves: &[MoveValue]) -> Value {
    let moves = moves.iter().map(|mv| {
        let outcome = mv.outcome.map(|outcome| outcome_text(game, outcome));
        let values = if outcome.is_some() { None } else { Some(&mv.values) };
        json!({"move": mv.text, "values": values, "outcome": outcome})
    });
    json!({
        "evaluation": explanation.evaluation, "measure": explanation.breakdown.measure,
        "moves": moves.collect::<Vec<_>>(),
    })
}
