//! The commands of `gt`, each run as a process.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod book;
mod command;
mod demo;
mod diff;
mod endgame;
mod eval;
mod experiments;
mod hostile;
#[cfg(unix)]
mod interrupted;
mod logs;
#[cfg(unix)]
mod matches;
mod outputs;
mod picture;
#[cfg(unix)]
mod play_page;
mod profile;
mod search;
mod search_query;
#[cfg(unix)]
mod served;
mod tune;
mod unknown;
#[cfg(unix)]
mod view;
mod why;
