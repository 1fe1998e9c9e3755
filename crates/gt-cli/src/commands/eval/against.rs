//! `--against TEXT`: how the terms of two positions differ.

use std::io::Write;

use gt_games::explain::{Explanation, Term};
use gt_games::registry::AnyGame;
use gt_play::live::side_name;
use serde_json::{Value, json};

use super::aligned::print_aligned;
use super::json;
use crate::commands::format::Format;
use crate::failure::Failure;

/// Prints what the first of two positions has more than the second.
pub(super) fn print(
    format: Format,
    [game, other]: [&dyn AnyGame; 2],
    explanations: &[Explanation],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if game.players() != other.players() {
        let sentence = format!("the positions have {} and {} players", game.players(), other.players());
        return Err(Failure::new(sentence));
    }
    let mut pairs = Vec::new();
    for explanation in explanations {
        pairs.push((explanation, other.explain(Some(explanation.evaluation))?));
    }
    if format == Format::Json {
        let mut object = json::about(game);
        object["against"] = json::about(other);
        object["evaluations"] = pairs.iter().map(|(one, other)| pair(one, other)).collect();
        writeln!(out, "{object}")?;
        return Ok(());
    }
    for (number, (one, other)) in pairs.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(
            out,
            "{}, in {}: this position, minus that of --against\n",
            one.evaluation, one.breakdown.measure
        )?;
        print_aligned(&rows(game, one, other), &[], out)?;
    }
    Ok(())
}

fn pair(one: &Explanation, other: &Explanation) -> Value {
    let players = one.values.len();
    let term = |(term, other_term): (&Term, &Term)| {
        let value = |player| difference(one, term, other, other_term, player);
        json!({
            "group": term.group, "name": term.name,
            "differences": (0..players).map(value).collect::<Vec<_>>(),
        })
    };
    json!({
        "evaluation": one.evaluation, "measure": one.breakdown.measure,
        "values": one.values, "values_against": other.values,
        "terms": terms(one, other).map(term).collect::<Vec<_>>(),
    })
}

fn rows(game: &dyn AnyGame, one: &Explanation, other: &Explanation) -> Vec<Vec<String>> {
    let players = 0..game.players();
    let mut headings = vec!["term".to_owned()];
    headings.extend(players.clone().map(|player| side_name(game.kind(), player).to_owned()));
    let mut rows = vec![headings];
    for (term, other_term) in terms(one, other) {
        let mut row = vec![term.name.to_owned()];
        row.extend(players.clone().map(|player| {
            let decimals = usize::from(one.breakdown.unit != 1);
            format!("{:+.decimals$}", difference(one, term, other, other_term, player))
        }));
        rows.push(row);
    }
    let mut values = vec!["value".to_owned()];
    values.extend(players.map(|player| format!("{:+}", one.values[player] - other.values[player])));
    rows.push(values);
    rows
}

/// The terms of both, which are the same: an evaluation's terms depend on its game alone.
fn terms<'a>(one: &'a Explanation, other: &'a Explanation) -> impl Iterator<Item = (&'a Term, &'a Term)> {
    one.breakdown.terms.iter().filter_map(|term| {
        let same = |found: &&Term| (found.group, found.name) == (term.group, term.name);
        other.breakdown.terms.iter().find(same).map(|found| (term, found))
    })
}

fn difference(one: &Explanation, term: &Term, other: &Explanation, other_term: &Term, player: usize) -> f64 {
    let value = |explanation: &Explanation, term: &Term| {
        term.shares.get(player).map_or(0.0, |share| explanation.breakdown.in_measure(share.value))
    };
    value(one, term) - value(other, other_term)
}
