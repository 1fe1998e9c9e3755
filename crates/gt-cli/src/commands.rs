//! The commands, a module each.

mod book;
mod check;
mod chosen_game;
mod compact;
mod completions;
mod demo;
mod diff;
mod dump;
mod endgame;
mod eval;
mod experiments;
mod export;
mod files;
mod format;
mod games;
mod generate;
mod import;
mod info;
mod manual;
mod matches;
mod names;
mod perft;
mod picture;
mod play;
mod position;
mod profile;
mod query;
mod recover;
mod repl;
mod search;
mod trees;
mod tune;
mod uci;
mod verify;
mod view;
mod why;

use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

use crate::failure::{Failure, Outcome};

/// Log, query and view the search trees of game programs.
#[derive(Parser)]
#[command(name = "gt", version = env!("GT_VERSION"), about, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Info(info::Arguments),
    Query(query::Arguments),
    Profile(profile::Arguments),
    Diff(diff::Arguments),
    Repl(repl::Arguments),
    View(view::Arguments),
    Picture(picture::Arguments),
    Why(why::Arguments),
    Check(check::Arguments),
    Dump(dump::Arguments),
    Verify(verify::Arguments),
    Recover(recover::Arguments),
    Compact(compact::Arguments),
    Gen(generate::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
    Search(search::Arguments),
    Play(play::Arguments),
    Uci(uci::Arguments),
    Match(matches::Arguments),
    Tune(tune::Arguments),
    Book(book::Arguments),
    Eval(eval::Arguments),
    Endgame(endgame::Arguments),
    Perft(perft::Arguments),
    Games(games::Arguments),
    Demo(demo::Arguments),
    Experiments(experiments::Arguments),
    Completions(completions::Arguments),
    Man(manual::Arguments),
}

impl Command {
    /// Whether there is nothing left to do once nobody reads what it prints.
    pub(crate) fn only_prints(&self) -> bool {
        match self {
            Self::Info(_)
            | Self::Dump(_)
            | Self::Repl(_)
            | Self::Eval(_)
            | Self::Perft(_)
            | Self::Why(_)
            | Self::Games(_)
            | Self::Completions(_) => true,
            Self::Query(arguments) => !arguments.writes_files(),
            Self::Profile(arguments) => !arguments.writes_files(),
            Self::Picture(arguments) => !arguments.writes_files(),
            Self::Diff(arguments) => !arguments.writes_files(),
            Self::Man(arguments) => !arguments.writes_files(),
            Self::Book(arguments) => !arguments.writes_files(),
            Self::Endgame(arguments) => !arguments.writes_files(),
            Self::Verify(_)
            | Self::Check(_)
            | Self::Recover(_)
            | Self::Compact(_)
            | Self::Gen(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::Search(_)
            | Self::Play(_)
            | Self::Uci(_)
            | Self::Match(_)
            | Self::Tune(_)
            | Self::Demo(_)
            | Self::Experiments(_)
            | Self::View(_) => false,
        }
    }
}

pub(crate) fn run(command: Command, out: &mut dyn Write) -> Outcome {
    match command {
        Command::Info(arguments) => info::run(&arguments, out),
        Command::Query(arguments) => query::run(&arguments, out),
        Command::Profile(arguments) => profile::run(&arguments, out),
        Command::Diff(arguments) => diff::run(&arguments, out),
        Command::Repl(arguments) => repl::run(&arguments, out),
        Command::View(arguments) => view::run(&arguments, out),
        Command::Picture(arguments) => picture::run(&arguments, out),
        Command::Why(arguments) => why::run(&arguments, out),
        Command::Check(arguments) => check::run(&arguments, out),
        Command::Dump(arguments) => dump::run(&arguments, out),
        Command::Verify(arguments) => verify::run(&arguments, out),
        Command::Recover(arguments) => recover::run(&arguments, out),
        Command::Compact(arguments) => compact::run(&arguments, out),
        Command::Gen(arguments) => generate::run(&arguments, out),
        Command::Import(arguments) => import::run(&arguments, out),
        Command::Export(arguments) => export::run(&arguments, out),
        Command::Search(arguments) => search::run(&arguments, out),
        Command::Play(arguments) => play::run(&arguments, out),
        Command::Uci(arguments) => uci::run(&arguments, out),
        Command::Match(arguments) => matches::run(&arguments, out),
        Command::Tune(arguments) => tune::run(&arguments, out),
        Command::Book(arguments) => book::run(&arguments, out),
        Command::Eval(arguments) => eval::run(&arguments, out),
        Command::Endgame(arguments) => endgame::run(&arguments, out),
        Command::Perft(arguments) => perft::run(&arguments, out),
        Command::Games(arguments) => games::run(&arguments, out),
        Command::Demo(arguments) => demo::run(&arguments, run_typed, out),
        Command::Experiments(arguments) => experiments::run(&arguments, out),
        Command::Completions(arguments) => completions::run(&arguments, CommandLine::command(), out),
        Command::Man(arguments) => manual::run(&arguments, CommandLine::command(), out),
    }
}

/// Runs a command as it would be typed after `gt`.
fn run_typed(words: &[&str], out: &mut dyn Write) -> Outcome {
    let line = CommandLine::try_parse_from([&["gt"], words].concat())
        .map_err(|error| Failure::new(error.to_string()))?;
    run(line.command, out)
}
