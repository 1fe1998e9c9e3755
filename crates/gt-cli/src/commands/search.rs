//! `gt search`: a position searched, and logged if wanted.

mod arguments;
mod extra;
mod fault;
mod logged;
mod notation;
mod options;
mod proof;
mod questions;
mod report;
mod root_moves;
mod searched;
mod sketch;
mod task;
mod teller;
mod told;
mod told_json;

use std::io::Write;

use gt_play::Algorithm;
use gt_search::Limits;

use crate::failure::{Failure, Outcome};
pub(crate) use arguments::{Arguments, algorithms};

/// How deep a search goes when nothing limits it.
const DEPTH_DEFAULT: u16 = 6;
/// How many games uct plays when nothing limits it.
const PLAYOUTS_DEFAULT: u64 = 10_000;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let position = &arguments.position;
    let task = task::SearchTask { arguments, limits: limits(arguments), out };
    let evaluation = arguments.evaluation.as_deref();
    position
        .game()
        .run(&position.setup()?, &position.moves(), evaluation, task)
        .map_err(|error| Failure::new(error.to_string()))?
}

fn limits(arguments: &Arguments) -> Limits {
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none() && arguments.time.is_none();
    let simulates = arguments.algorithm.is_some_and(Algorithm::simulates);
    let goes_by_depth = !simulates && arguments.algorithm != Some(Algorithm::ProofNumber);
    let mut limits = Limits::default();
    if let Some(depth) = arguments.depth.or((unlimited && goes_by_depth).then_some(DEPTH_DEFAULT)) {
        limits.depth_max = depth;
    }
    limits.depth_first = arguments.first_depth.unwrap_or(limits.depth_first);
    limits.nodes_max =
        arguments.nodes.unwrap_or(if unlimited && simulates { PLAYOUTS_DEFAULT } else { u64::MAX });
    limits.time_max = arguments.time;
    limits
}
