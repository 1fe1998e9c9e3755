//! What a run is asked for.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::moves::Moves;
use crate::process::Start;

/// The options of a run.
pub struct RunOptions<'a> {
    /// The program `gt`, for suites that search with it.
    pub own: &'a Path,
    /// The version text of `gt`.
    pub own_version: &'a str,
    /// The number of subjects processed at once; 0 for the number of processors.
    pub jobs: usize,
    /// Patterns for the names of checks and subjects: a name must contain one of them, or match one that has a `*`.
    /// Empty for all.
    pub only: &'a [String],
    /// The folder in which to keep the logs of searches; by default they are kept only if a check fails.
    pub keep: Option<&'a Path>,
    /// Whether the numbers become the baseline.
    pub bless: bool,
    /// The memory limits for a log's parts.
    pub limits: gt_log::Limits,
    /// Other names for the attributes and aliases of every log, each a list as in `best=value, type=nodeType`.
    pub other_names: &'a [String],
    /// Set it to end the run and its engines.
    pub stop: &'a AtomicBool,
    /// Starts a program.
    pub start: &'a Start<'a>,
    /// The notation of moves.
    pub moves: &'a dyn Moves,
    /// Called with the number of subjects done, and the total.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}
