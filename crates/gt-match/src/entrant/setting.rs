//! The settings of an entrant. Errors include the position of the wrong part.

use std::time::Duration;

use gt_play::external::ProgramOptions;
use gt_play::{EngineOptions, Level, Strength, parse_memory};
use gt_search::Idea;

use crate::budget;

const OWN_KEYS: &str = "eval, without, threads, hash, memory, seed, book, endgames, level, elo, nodes, depth, time, cpu, clock and name";
const PROGRAM_KEYS: &str = "option.NAME, patience, nodes, depth, time, cpu, clock and name";

/// The positions of a setting and its value.
pub(super) type Places = (usize, usize);

pub(super) fn set_own(
    options: &mut EngineOptions,
    key: &str,
    value: &str,
    (at, value_at): Places,
) -> Result<(), (usize, String)> {
    let set = match key {
        "eval" => text(value).map(|name| options.evaluation = Some(name)),
        "without" => Idea::parse_list(value).map(|ideas| options.without = ideas),
        "threads" => within(value, 256, "threads").map(|threads| options.threads = threads),
        "hash" => parse_memory(value).map(|bytes| options.table_bytes = bytes),
        "memory" => parse_memory(value).map(|bytes| options.memory_bytes = Some(bytes)),
        "seed" => number(value).map(|seed| options.seed = seed),
        "level" => value
            .parse::<Level>()
            .map(|level| options.strength = level.strength())
            .map_err(|error| error.to_string()),
        "elo" => number(value)
            .and_then(|elo| {
                let elo = u16::try_from(elo).unwrap_or(u16::MAX);
                Strength::new(elo).map_err(|error| error.to_string())
            })
            .map(|strength| options.strength = Some(strength)),
        "book" => text(value).map(|path| options.book = Some(path.into())),
        "endgames" => text(value).map(|path| options.endgames = Some(path.into())),
        _ if key.starts_with("option.") => {
            return Err((at, format!("`{key}` is for programs; an engine of ours has {OWN_KEYS}")));
        }
        _ => return Err((at, format!("there is no `{key}`; an engine of ours has {OWN_KEYS}"))),
    };
    set.map_err(|problem| (value_at, problem))
}

pub(super) fn set_program(
    options: &mut ProgramOptions,
    key: &str,
    value: &str,
    (at, value_at): Places,
) -> Result<(), (usize, String)> {
    match key.strip_prefix("option.") {
        Some(name) if !name.is_empty() => options.settings.push((name.to_owned(), value.to_owned())),
        None if key == "patience" => {
            let patience: Duration = budget::positive_time(value).map_err(|problem| (value_at, problem))?;
            options.patience = patience;
        }
        _ => return Err((at, format!("there is no `{key}`; a program has {PROGRAM_KEYS}"))),
    }
    Ok(())
}

pub(super) fn text(value: &str) -> Result<String, String> {
    if value.trim().is_empty() { Err("a name is missing".to_owned()) } else { Ok(value.to_owned()) }
}

fn number(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("`{value}` is not a whole number"))
}

pub(super) fn positive(value: &str) -> Result<u64, String> {
    let number = number(value)?;
    if number == 0 { Err("0 is too few".to_owned()) } else { Ok(number) }
}

pub(super) fn depth(value: &str) -> Result<u16, String> {
    let depth = positive(value)?;
    u16::try_from(depth).ok().filter(|&depth| depth <= 200).ok_or_else(|| "a depth is at most 200".to_owned())
}

fn within(value: &str, most: usize, what: &str) -> Result<usize, String> {
    let number = usize::try_from(number(value)?).unwrap_or(usize::MAX);
    let is_fine = (1..=most).contains(&number);
    is_fine.then_some(number).ok_or_else(|| format!("from 1 to {most} {what}, not {value}"))
}
