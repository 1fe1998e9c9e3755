//! Section 5.2 on given logs: any engine's, of positions of the suite.
//!
//! ```text
//! folder of logs ──which position is each of?──▶ per position the thesis's iteration, or the deepest ──▶ Q1 … Q24
//! ```
//!
//! A log's position is in its metadata `position` or `id` (`LCTII.17`), or in its name (`pos17_d6.gtf`).

use std::path::{Path, PathBuf};

use gt_games::Notation;
use gt_log::{Log, Tree};
use gt_report::profile::nominal_depth;

use crate::chess::{Asked, Searched, ask_all};
use crate::error::{Error, ErrorKind, Result};
use crate::positions::{self, Position};
use crate::thesis;

/// A tree that may stand for its position.
struct Candidate {
    log: usize,
    tree: usize,
    depth: u16,
}

/// Queries the logs of a folder, whose names then have these beside their own; calls `progress` with what is skipped, and
/// why.
pub(crate) fn ask(
    folder: &Path,
    other_names: &[String],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Searched>> {
    let paths = logs_in(folder)?;
    let mut logs = Vec::new();
    for path in paths {
        let mut log = Log::open(&path).map_err(Error::about(&path))?;
        other_names.iter().try_for_each(|pairs| log.set_other_names(pairs)).map_err(Error::about(&path))?;
        logs.push((path, log));
    }
    let mut searched = Vec::new();
    let mut told = vec![false; logs.len()];
    for position in positions::all()? {
        let candidates = candidates(&position, &logs, &mut told, progress)?;
        let wanted = thesis::search_of(position.number).map(|thesis| thesis.depth);
        let same = candidates.iter().rfind(|candidate| Some(candidate.depth) == wanted);
        // Of several windows of one depth, the last.
        let Some(chosen) = same.or_else(|| {
            candidates.iter().max_by_key(|candidate| (candidate.depth, candidate.log, candidate.tree))
        }) else {
            continue;
        };
        let (path, log) = &logs[chosen.log];
        progress(&format!(
            "position {}: {}, tree {}, depth {}",
            position.number,
            path.display(),
            chosen.tree,
            chosen.depth
        ));
        let about = |kind: ErrorKind| Error::new(path, kind);
        let tree = log.tree(chosen.tree).map_err(|error| about(error.into()))?;
        let asked = ask_all(tree, chosen.depth, &position.game).map_err(about)?;
        if !asked.missing_names.is_empty() {
            progress(&format!(
                "position {}: the log has no `{}`: what the thesis asks with such names stays open; `--map` can say which names \
                 of the log stand for them",
                position.number,
                asked.missing_names.join("`, `")
            ));
        }
        searched.push(of(&position, path, tree, chosen, asked));
    }
    for ((path, _), _) in logs.iter().zip(told).filter(|(_, told)| !told) {
        progress(&format!(
            "{}: left out, it does not say which position of the suite it is of",
            path.display()
        ));
    }
    if searched.is_empty() {
        return Err(Error::new(folder, ErrorKind::NoLogs));
    }
    Ok(searched)
}

fn logs_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(Error::about(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::about(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "gtf") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The trees of a position that say the depth of their iteration, with it; `told` marks the logs of the position.
fn candidates(
    position: &Position,
    logs: &[(PathBuf, Log)],
    told: &mut [bool],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (place, (path, log)) in logs.iter().enumerate() {
        let before = candidates.len();
        let mut is_of_it = false;
        for tree in log.trees().filter(|tree| is_of(*tree, log, path, position)) {
            is_of_it = true;
            // An imported log says of the whole what others say of each tree.
            let of_log = || log.metadata().get("nominal_depth")?.trim().parse().ok();
            let depth = nominal_depth(tree).map_err(Error::about(path))?;
            if let Some(depth) = depth.or_else(of_log).and_then(|depth| u16::try_from(depth).ok()) {
                candidates.push(Candidate { log: place, tree: tree.number(), depth });
            }
        }
        told[place] |= is_of_it;
        if is_of_it && candidates.len() == before {
            progress(&format!(
                "{}: left out, no tree of position {} says the depth that it was searched to: by its metadata `nominal_depth`, \
                 or by the attribute `depth` of its root",
                path.display(),
                position.number
            ));
        }
    }
    Ok(candidates)
}

/// Whether a tree is of a position.
fn is_of(tree: Tree<'_>, log: &Log, path: &Path, position: &Position) -> bool {
    let says = |key: &str| tree.metadata().get(key).or(log.metadata().get(key));
    if let Some(text) = says("position") {
        return same_position(text, &position.game.position_text());
    }
    if let Some(number) = says("id").and_then(|id| id.rsplit('.').next()?.parse::<u32>().ok()) {
        return number == position.number;
    }
    let name = path.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let digits = name.split("pos").nth(1).map(|rest| rest.trim_start_matches(['-', '_', ' ']));
    let digits = digits.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    digits.is_some_and(|digits| digits.parse() == Ok(position.number))
}

/// Whether two texts have the same placement and player to move; engines differ in how they count moves and castling.
fn same_position(one: &str, other: &str) -> bool {
    let fields = |text: &str| text.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
    fields(one) == fields(other)
}

fn of(position: &Position, path: &Path, tree: Tree<'_>, chosen: &Candidate, asked: Asked) -> Searched {
    Searched {
        position: position.clone(),
        outcome: None,
        depth: chosen.depth,
        deepest: tree.depth(),
        nodes: tree.nodes(),
        log: path.display().to_string(),
        tree: chosen.tree,
        answers: asked.answers,
        searched_again_below: asked.searched_again_below,
        missing_names: asked.missing_names,
        counting_seconds: asked.counting_seconds,
        collecting_seconds: asked.collecting_seconds,
        largest_quiescence: asked.largest_quiescence,
    }
}
