//! What a search found, as text or JSON.

use std::io::Write;

use gt_games::registry::Playable;
use gt_play::live::side_name;
use gt_report::grouped;
use gt_search::{Fault, Iteration, Line, SearchResult};
use serde_json::json;

use super::notation::{line, value_text};
use super::root_moves;
use super::searched::Found;
use crate::failure::Failure;

/// The line that is printed while the search runs.
pub(super) fn iteration<G: Playable>(game: &G, iteration: &Iteration<'_, G::Move>) -> String {
    format!(
        "depth {:>2}  value {:>8}  {:>13} nodes  {:>8.2} s  {}",
        iteration.depth,
        value_text::<G>(iteration.value),
        grouped(iteration.nodes),
        iteration.elapsed.as_secs_f64(),
        line(game, iteration.pv).join(" ")
    )
}

pub(super) fn text<G: Playable>(
    game: &G,
    found: &Found<G>,
    fault: Option<Fault>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let result = &found.result;
    let none = if game.outcome().is_some() { "the game is over" } else { "no move was searched" };
    let best = result.best_move.map_or_else(|| format!("none: {none}"), |mv| game.move_text(mv));
    let seconds = result.elapsed.as_secs_f64();
    if let Some(fault) = fault {
        writeln!(out, "FAULT        {} is planted: {}", fault.name(), fault.sentence())?;
    }
    writeln!(out, "best move    {best}")?;
    writeln!(out, "value        {}", value_text::<G>(result.value))?;
    if !found.values.is_empty() {
        let each = |(player, &value): (usize, &i32)| {
            format!("{} {}", side_name(G::KIND, player), value_text::<G>(value))
        };
        let values: Vec<String> = found.values.iter().enumerate().map(each).collect();
        writeln!(out, "values       {}", values.join(", "))?;
    }
    writeln!(out, "{}", format!("line         {}", line(game, &result.pv).join(" ")).trim_end())?;
    writeln!(
        out,
        "depth        {}{}",
        result.depth,
        if result.stopped { " (the next was not completed)" } else { "" }
    )?;
    writeln!(
        out,
        "nodes        {} ({:.2} M/s)",
        grouped(result.nodes),
        result.nodes as f64 / seconds.max(1e-9) / 1e6
    )?;
    writeln!(out, "evaluations  {}", grouped(result.evaluations))?;
    writeln!(out, "seconds      {seconds:.3}")?;
    lines(game, &result.lines, out)?;
    if let Some(moves) = &found.root_moves {
        root_moves::text(game, moves, out)?;
    }
    found.sketch.as_ref().map_or(Ok(()), |sketch| sketch.print(out))
}

/// The best moves with their lines, where more than one was asked for.
fn lines<G: Playable>(game: &G, lines: &[Line<G::Move>], out: &mut dyn Write) -> Result<(), Failure> {
    if !lines.is_empty() {
        writeln!(out)?;
    }
    for (number, found) in lines.iter().enumerate() {
        writeln!(
            out,
            "{:>4}  {:>8}  {}",
            number + 1,
            value_text::<G>(found.value),
            line(game, &found.pv).join(" ")
        )?;
    }
    Ok(())
}

/// How many nodes tables of endgames answered, where they were asked.
pub(super) fn endings<M>(asked: bool, result: &SearchResult<M>, out: &mut dyn Write) -> Result<(), Failure> {
    if asked {
        writeln!(out, "from tables  {} nodes", grouped(result.endings))?;
    }
    Ok(())
}

/// What is searched, for the JSON object.
pub(super) struct About<'a> {
    pub(super) game: &'a str,
    pub(super) position: String,
    pub(super) algorithm: &'a str,
    pub(super) evaluation: Option<&'a str>,
    pub(super) fault: Option<Fault>,
    /// Whether there were tables of endgames.
    pub(super) asked_endgames: bool,
    pub(super) log: Option<String>,
}

pub(super) fn json<G: Playable>(
    game: &G,
    about: &About<'_>,
    found: &Found<G>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let result = &found.result;
    let mut object = json!({
        "game": about.game, "position": about.position, "algorithm": about.algorithm,
        "evaluation": about.evaluation, "log": about.log,
        "value": result.value,
        "best_move": result.best_move.map(|mv| game.move_text(mv)),
        "pv": line(game, &result.pv),
        "depth": result.depth, "nodes": result.nodes, "evaluations": result.evaluations,
        "seconds": result.elapsed.as_secs_f64(), "completed": !result.stopped,
    });
    if !found.values.is_empty() {
        object["values"] = json!(found.values);
    }
    if !result.lines.is_empty() {
        let lines =
            result.lines.iter().map(|found| json!({"value": found.value, "pv": line(game, &found.pv)}));
        object["lines"] = lines.collect();
    }
    if let Some(moves) = &found.root_moves {
        object["root_moves"] = root_moves::json(game, moves);
    }
    if about.asked_endgames {
        object["endings"] = result.endings.into();
    }
    if let Some(fault) = about.fault {
        object["fault"] = fault.name().into();
    }
    writeln!(out, "{object}")?;
    Ok(())
}
