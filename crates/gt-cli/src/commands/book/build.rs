//! `gt book build`: a book from saved games, other books and games of an engine against itself.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_book::{Book, BuildOptions, Builder};
use gt_games::registry::GameKind;
use gt_games::saved;
use gt_log::NewFile;
use gt_play::{Algorithm, EngineOptions, SelfPlay, SelfPlayOptions};

use super::info;
use crate::commands::files::{Force, new_log};
use crate::commands::format::Format;
use crate::commands::position::PositionArguments;
use crate::commands::search::algorithms;
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;
use crate::signals::Stop;
use crate::tell::tell;

/// Build a book from saved games, from other books, and from games of an engine against itself
#[derive(clap::Args)]
#[command(
    after_help = "A move counts two for each game that its player won, one for each drawn. A book of chess is written in \
    Polyglot's format, of any other game in our own. Ctrl-C ends the engine's games, and those that were played make the book (exit code 130).\n\nExamples:\n  gt book build chess games.pgn -o openings.bin\n  \
    gt book build chess --min-games 3 --plies 16 one.pgn two.pgn old.bin -o openings.bin\n  \
    gt book build amazons --board 6x6 --self-play 200 --nodes 2000 -o amazons.gtb"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Saved games (PGN, or a line each), and books to merge (.bin, .gtb)
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// How many moves of a game, all players' together, go into the book
    #[arg(long, value_name = "N", default_value_t = BuildOptions::default().plies_max)]
    plies: usize,
    /// In how many games a move must have been played
    #[arg(long, value_name = "N", default_value_t = BuildOptions::default().games_min)]
    min_games: u32,
    /// Polyglot's format (chess) or our own; what the game usually has unless one is named
    #[arg(long, value_enum, value_name = "F")]
    book_format: Option<BookFormat>,
    /// Pass over games that cannot be read, and tell how many
    #[arg(long)]
    skip_broken: bool,
    #[command(flatten)]
    play: PlayArguments,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Games of an engine against itself; they begin at the position.
#[derive(clap::Args)]
struct PlayArguments {
    /// How many games the engine plays against itself
    #[arg(long, value_name = "N", default_value_t = 0)]
    self_play: u64,
    /// How many nodes a move of these games may take
    #[arg(long, value_name = "N", default_value_t = SelfPlayOptions::default().nodes)]
    nodes: u64,
    /// The algorithm of the engine; the one that fits the game unless another is named
    #[arg(long, value_parser = algorithms())]
    algorithm: Option<Algorithm>,
    /// The evaluation of the engine; the one that plays best unless another is named
    #[arg(long = "eval", value_name = "E")]
    evaluation: Option<String>,
    /// The same seed plays the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum BookFormat {
    Polyglot,
    Gtb,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let kind = arguments.position.game();
    if arguments.inputs.is_empty() && arguments.play.self_play == 0 {
        let sentence =
            "a book is built from something: name files with games, or say how many with `--self-play`";
        return Err(Failure::new(sentence));
    }
    let target = &arguments.output;
    arguments.force.check(target)?;
    let mut builder = builder(arguments, kind)?;
    for input in &arguments.inputs {
        add_file(&mut builder, arguments, input)?;
    }
    let interrupted = add_self_play(&mut builder, arguments)?;
    let inputs: Vec<&Path> = arguments.inputs.iter().map(PathBuf::as_path).collect();
    new_log(target, arguments.force, &inputs, |new| write(&builder, new, target))?;
    let info = info::open(target)?.info();
    match arguments.format {
        Format::Text => writeln!(out, "{}", info::sentence(target, &info))?,
        Format::Json => {
            writeln!(out, "{}", printable::json(&format!("{:#}", info::object(target, &info))))?;
        }
    }
    Ok(interrupted.map_or(ExitCode::SUCCESS, ExitCode::from))
}

fn builder(arguments: &Arguments, kind: GameKind) -> Result<Builder, Failure> {
    let options = BuildOptions { plies_max: arguments.plies, games_min: arguments.min_games };
    let format = match arguments.book_format {
        Some(BookFormat::Polyglot) => gt_book::Format::Polyglot,
        Some(BookFormat::Gtb) => gt_book::Format::Own,
        None => gt_book::Format::of(kind),
    };
    Builder::new(kind, format, options).map_err(|error| Failure::new(error.to_string()))
}

fn write(builder: &Builder, new: &NewFile, target: &Path) -> Result<(), Failure> {
    let about = |error: &dyn std::fmt::Display| Failure::about(target, error);
    let mut file = BufWriter::new(new.create().map_err(|error| about(&error))?);
    let moves = builder.write(&mut file).map_err(|error| about(&error))?;
    file.flush().map_err(|error| about(&error))?;
    if moves == 0 {
        let sentence = "no book was written: no move was played often enough, or all of them lost";
        return Err(Failure::new(sentence));
    }
    Ok(())
}

/// Adds a book or a file of games.
fn add_file(builder: &mut Builder, arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let kind = arguments.position.game();
    let about = |error: &dyn std::fmt::Display| Failure::about(path, error);
    let mut file = File::open(path).map_err(|error| about(&error))?;
    let mut beginning = Vec::new();
    let read = Read::by_ref(&mut file).take(8).read_to_end(&mut beginning);
    read.map_err(|error| about(&error))?;
    if Book::is_book(path, &beginning) {
        let book = Book::open(path, kind).map_err(|error| about(&error))?;
        return builder.merge(&book).map_err(|error| about(&error));
    }
    let progress = Progress::new("reading games", None);
    let mut broken = 0;
    for game in saved::read_from(BufReader::new(beginning.chain(file)), Some(kind)) {
        let added = game.map_err(gt_book::Error::from).and_then(|game| builder.add(&game));
        match added {
            Ok(()) => progress.set(builder.games()),
            Err(_) if arguments.skip_broken => broken += 1,
            Err(error) => {
                let sentence = format!("{error}; `--skip-broken` passes over such games");
                return Err(Failure::about(path, sentence));
            }
        }
    }
    if broken > 0 {
        let were = if broken == 1 { "was" } else { "were" };
        let games = gt_report::counted(broken, "game");
        tell(format_args!("{}: {games} could not be read and {were} passed over", printable::path(path)));
    }
    Ok(())
}

/// Plays the games; the exit code where a signal ended them early.
fn add_self_play(builder: &mut Builder, arguments: &Arguments) -> Result<Option<u8>, Failure> {
    let PlayArguments { self_play, nodes, algorithm, ref evaluation, seed } = arguments.play;
    if self_play == 0 {
        return Ok(None);
    }
    let sentence = |error: gt_play::Error| Failure::new(error.to_string());
    let usual = SelfPlayOptions::default();
    let engine = EngineOptions { algorithm, evaluation: evaluation.clone(), seed, ..usual.engine };
    let options = SelfPlayOptions { engine, nodes, ..usual };
    let position = &arguments.position;
    let setup = position.after_moves()?;
    let (stop, _reacting) = Stop::at_signal();
    let play = SelfPlay::new(position.game(), &setup, options).map_err(sentence)?;
    let mut play = play.until(stop.flag());
    let progress = Progress::new("playing games", Some(self_play));
    for number in 1..=self_play {
        let Some(game) = play.play().map_err(sentence)? else { break };
        builder.add(&game).map_err(|error| Failure::new(error.to_string()))?;
        progress.set(number);
    }
    Ok(stop.exit_code())
}
