//! `gt search --algorithm proof-number`: who wins, with the proof.

use std::io::Write;
use std::process::ExitCode;

use gt_games::registry::Playable;
use gt_log::{Existing, Header, Kind, LogWriter, Metadata, Schema, TreeBuilder, Value};
use gt_report::grouped;
use gt_search::{Goal, Limits, Proof, ProofSearch, Verdict};
use serde_json::json;

use super::arguments::Arguments;
use super::notation::line;
use crate::commands::files::refused;
use crate::commands::format::Format;
use crate::failure::{Failure, Outcome};
use crate::signals::Stop;

/// The size of the table of one question.
const TABLE_BYTES: usize = 256 << 20;
/// How much of a tree is logged: the proof, or the first nodes of what is known.
const ROWS_MAX: usize = 1_000_000;

/// Names for the numbers of `verdict`.
const VERDICTS: [(&str, i64); 3] = [("Unknown", 0), ("Proven", 1), ("Disproven", 2)];

/// Asks whether the mover wins, and if not, whether he draws.
pub(super) fn run<G: Playable>(
    arguments: &Arguments,
    game: &G,
    limits: Limits,
    out: &mut dyn Write,
) -> Outcome {
    let (stop, _reacting) = Stop::at_signal();
    let limits = Limits { stop: Some(stop.flag()), ..limits };
    let log = create_log::<G>(arguments)?;
    let mut proofs = Vec::new();
    let mut left = limits.clone();
    for goal in [Goal::Win, Goal::Draw] {
        let mut search = ProofSearch::new(game, goal, TABLE_BYTES);
        let proof = search.search(&left);
        if let Some((log, path)) = &log {
            let written = write_tree(game, &mut search, &limits, &proof, log);
            written.map_err(|error| Failure::about(path, error))?;
        }
        left.nodes_max = left.nodes_max.saturating_sub(proof.nodes);
        left.time_max = left.time_max.map(|time| time.saturating_sub(proof.elapsed));
        let asks_on = proof.verdict == Verdict::Disproven;
        proofs.push(proof);
        if !asks_on {
            break;
        }
    }
    match arguments.format {
        Format::Text => text(game, &proofs, out)?,
        Format::Json => json(arguments, game, &proofs, out)?,
    }
    if let Some((log, path)) = log {
        log.finish().map_err(|error| Failure::about(&path, error))?;
    }
    Ok(stop.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
}

fn create_log<G: Playable>(
    arguments: &Arguments,
) -> Result<Option<(LogWriter, std::path::PathBuf)>, Failure> {
    let Some(path) = &arguments.log else { return Ok(None) };
    if !arguments.with.is_empty() {
        return Err(Failure::new(
            "`--with` is for the other algorithms; a proof has proof and disproof numbers",
        ));
    }
    let schema = schema().map_err(|error| Failure::new(error.to_string()))?;
    let header = Header::new(G::NAME, schema);
    let existing: Existing = arguments.force.existing();
    let writer = LogWriter::create_with(path, header, existing).map_err(|error| refused(path, &error))?;
    Ok(Some((writer, path.clone())))
}

/// What is logged of a node of a proof.
fn schema() -> Result<Schema, gt_log::SchemaError> {
    let attributes = [
        ("ply", Kind::U16),
        ("or_node", Kind::Bool),
        ("verdict", Kind::U8),
        ("proof", Kind::U32),
        ("disproof", Kind::U32),
    ];
    Schema::new(attributes)?.with_aliases_of("verdict", VERDICTS)
}

fn write_tree<G: Playable>(
    game: &G,
    search: &mut ProofSearch<G>,
    limits: &Limits,
    proof: &Proof<G::Move>,
    log: &LogWriter,
) -> gt_log::Result<()> {
    let names = game.move_names();
    log.name_moves(names.iter().map(|(code, name)| (*code, name.as_str())))?;
    let metadata = Metadata::new()
        .with("engine", concat!("gt ", env!("CARGO_PKG_VERSION")))
        .with("position", game.position_text())
        .with("algorithm", "proof-number")
        .with("goal", goal_name(proof.goal))
        .with("verdict", verdict_name(proof.verdict));
    let rows = search.rows(&Limits { depth_max: limits.depth_max, ..Limits::default() }, ROWS_MAX);
    let mut positions: Vec<G> = Vec::with_capacity(rows.len());
    let mut tree = TreeBuilder::new(&schema()?);
    for row in rows {
        let mut position = row.parent.and_then(|parent| positions.get(parent)).unwrap_or(game).clone();
        let code = row.last_move.map_or(0, |mv| position.encode(mv));
        if let Some(mv) = row.last_move {
            position.make(mv);
        }
        let number = |number: Option<u32>| number.map_or(Value::Missing, |number| Value::UInt(number.into()));
        let values = [
            Value::UInt(row.ply.into()),
            Value::Bool(row.is_or),
            Value::UInt(verdict_number(row.verdict)),
            number(row.proof_number),
            number(row.disproof_number),
        ];
        tree.add(row.parent.map(|parent| parent as u64), code, &values)?;
        positions.push(position);
    }
    tree.finish(log, &metadata, gt_log::Options::default())?;
    Ok(())
}

fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::Win => "win",
        Goal::Draw => "draw",
    }
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proven => "proven",
        Verdict::Disproven => "disproven",
        Verdict::Unknown => "unknown",
    }
}

fn verdict_number(verdict: Verdict) -> u64 {
    match verdict {
        Verdict::Unknown => 0,
        Verdict::Proven => 1,
        Verdict::Disproven => 2,
    }
}

/// What the proofs say together, for the player to move.
fn value<M>(proofs: &[Proof<M>]) -> &'static str {
    match proofs.last().map(|proof| (proof.goal, proof.verdict)) {
        Some((Goal::Win, Verdict::Proven)) => "win",
        Some((Goal::Draw, Verdict::Proven)) => "draw",
        Some((Goal::Draw, Verdict::Disproven)) => "loss",
        Some((Goal::Draw, Verdict::Unknown)) => "no win",
        Some((Goal::Win, Verdict::Unknown | Verdict::Disproven)) | None => "unknown",
    }
}

fn text<G: Playable>(game: &G, proofs: &[Proof<G::Move>], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "value        {}", value(proofs))?;
    let shown = |number: Option<u32>| number.map_or_else(|| "∞".to_owned(), |number| grouped(number.into()));
    for proof in proofs {
        writeln!(
            out,
            "{:<12} {}, proof number {}, disproof number {}",
            goal_name(proof.goal),
            verdict_name(proof.verdict),
            shown(proof.proof_number),
            shown(proof.disproof_number)
        )?;
        writeln!(out, "  line       {}", line(game, &proof.line).join(" "))?;
        writeln!(out, "  nodes      {}", grouped(proof.nodes))?;
    }
    let seconds: f64 = proofs.iter().map(|proof| proof.elapsed.as_secs_f64()).sum();
    writeln!(out, "seconds      {seconds:.3}")?;
    Ok(())
}

fn json<G: Playable>(
    arguments: &Arguments,
    game: &G,
    proofs: &[Proof<G::Move>],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let proof = |proof: &Proof<G::Move>| {
        json!({
            "goal": goal_name(proof.goal), "verdict": verdict_name(proof.verdict),
            "proof_number": proof.proof_number, "disproof_number": proof.disproof_number,
            "line": line(game, &proof.line), "nodes": proof.nodes,
            "seconds": proof.elapsed.as_secs_f64(), "completed": !proof.stopped,
        })
    };
    let object = json!({
        "game": G::NAME, "position": game.position_text(), "algorithm": "proof-number",
        "log": arguments.log.as_ref().map(|path| path.display().to_string()),
        "value": value(proofs), "proofs": proofs.iter().map(proof).collect::<Vec<_>>(),
    });
    writeln!(out, "{object}")?;
    Ok(())
}
