//! What a search found, as text or JSON.

use std::io::Write;

use gt_games::registry::Playable;
use gt_report::grouped;
use gt_search::{Fault, Iteration, SearchResult, is_decided, win_distance_plies};
use serde_json::json;

use crate::failure::Failure;

/// The moves of a line in the game's notation.
pub(super) fn line<G: Playable>(game: &G, moves: &[G::Move]) -> Vec<String> {
    let mut game = game.clone();
    moves
        .iter()
        .map(|&mv| {
            let text = game.move_text(mv);
            game.make(mv);
            text
        })
        .collect()
}

/// A value as people read it: wins with their distance.
fn value_text(value: i32) -> String {
    if is_decided(value) {
        let plies = win_distance_plies(value).unwrap_or_default();
        return format!("{} in {plies} plies", if value > 0 { "win" } else { "loss" });
    }
    value.to_string()
}

/// The line that is printed while the search runs.
pub(super) fn iteration<G: Playable>(game: &G, iteration: &Iteration<'_, G::Move>) -> String {
    format!(
        "depth {:>2}  value {:>8}  {:>13} nodes  {:>8.2} s  {}",
        iteration.depth,
        value_text(iteration.value),
        grouped(iteration.nodes),
        iteration.elapsed.as_secs_f64(),
        line(game, iteration.pv).join(" ")
    )
}

pub(super) fn text<G: Playable>(
    game: &G,
    result: &SearchResult<G::Move>,
    fault: Option<Fault>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let best = result.best_move.map_or_else(|| "none: the game is over".to_owned(), |mv| game.move_text(mv));
    let seconds = result.elapsed.as_secs_f64();
    if let Some(fault) = fault {
        writeln!(out, "FAULT        {} is planted: {}", fault.name(), fault.sentence())?;
    }
    writeln!(out, "best move    {best}")?;
    writeln!(out, "value        {}", value_text(result.value))?;
    writeln!(out, "line         {}", line(game, &result.pv).join(" "))?;
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
    result: &SearchResult<G::Move>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut object = json!({
        "game": about.game, "position": about.position, "algorithm": about.algorithm,
        "evaluation": about.evaluation, "log": about.log,
        "value": result.value,
        "best_move": result.best_move.map(|mv| game.move_text(mv)),
        "pv": line(game, &result.pv),
        "depth": result.depth, "nodes": result.nodes, "evaluations": result.evaluations,
        "seconds": result.elapsed.as_secs_f64(), "completed": !result.stopped,
    });
    if about.asked_endgames {
        object["endings"] = result.endings.into();
    }
    if let Some(fault) = about.fault {
        object["fault"] = fault.name().into();
    }
    writeln!(out, "{object}")?;
    Ok(())
}
