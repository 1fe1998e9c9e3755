//! `gt check`: suites, engines, baselines, reports, and the ready pack against planted faults.

#[path = "../commands/command/mod.rs"]
mod command;

mod bad_suites;
mod baselines;
#[cfg(unix)]
mod engines;
mod faults;
mod folder;
mod reports;
mod suites;
