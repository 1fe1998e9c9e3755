//! Matches: what one costs beside its engines, and which algorithm plays better.

use std::path::Path;
use std::process::Command;

use gt_bench::row;
use serde_json::Value;

use crate::Outcome;

pub(crate) fn run(gt: &Path) -> Outcome<()> {
    overhead(gt)?;
    many_players(gt)?;
    two_players(gt)
}

fn overhead(gt: &Path) -> Outcome<()> {
    println!("gt match: what is spent outside of the engines");
    for game in ["connect-four", "amazons", "chess", "chinese-checkers"] {
        let report =
            play(gt, &format!("{game} pvs negascout --nodes 300 --rounds 10 --jobs 1 --max-plies 200"))?;
        let milliseconds = report["overhead_ms_per_move"].as_f64().ok_or("a report without an overhead")?;
        row(
            game,
            &format!("{milliseconds:.3} ms"),
            &format!("at most 1 ms a move; {} moves", report["moves"]),
        );
    }
    Ok(())
}

fn many_players(gt: &Path) -> Outcome<()> {
    let budget = "--players 3 --cpu 20ms --max-plies 400 --rounds 20";
    println!("Chinese checkers, three players: gt match chinese-checkers … {budget}");
    for pair in ["paranoid max-n", "best-reply max-n", "best-reply paranoid"] {
        shares(&play(gt, &format!("chinese-checkers {pair} {budget}"))?, "")?;
    }
    Ok(())
}

fn two_players(gt: &Path) -> Outcome<()> {
    let budget = "--cpu 100ms --rounds 50";
    println!("Amazons 10x10: gt match amazons … {budget}");
    shares(&play(gt, &format!("amazons pvs alpha-beta {budget}"))?, "at least 80%; ")
}

/// A line for the first engine: its share of the points.
fn shares(report: &Value, at_least: &str) -> Outcome<()> {
    let engines = report["engines"].as_array().ok_or("a report without engines")?;
    let names: Vec<&str> = engines.iter().filter_map(|engine| engine["name"].as_str()).collect();
    let first = &engines[0];
    let number = |value: &Value| value.as_f64().ok_or("a share that is no number");
    let (low, high) = (number(&first["share_interval"][0])?, number(&first["share_interval"][1])?);
    row(
        &names.join(" against "),
        &format!("{:.1}%", 100.0 * number(&first["share"])?),
        &format!(
            "{at_least}95%: {:.1} to {:.1}%; p-value {:.4}; {} games",
            100.0 * low,
            100.0 * high,
            number(&first["p_value"])?,
            report["games"]
        ),
    );
    Ok(())
}

fn play(gt: &Path, words: &str) -> Outcome<Value> {
    let output =
        Command::new(gt).arg("match").args(words.split_whitespace()).args(["--format", "json"]).output()?;
    if !output.status.success() {
        return Err(format!("gt match {words}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
