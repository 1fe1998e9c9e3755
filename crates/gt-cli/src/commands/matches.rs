//! `gt match`: engines against each other.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use gt_book::Book;
use gt_games::registry::{GameKind, Setup};
use gt_match::{
    Budget, Clock, DrawRule, Entrant, GamesTarget, Hooks, Match, Openings, Progress as Played, ResignRule,
    Rules, make_names_differ, positive_time,
};
use gt_play::Algorithm;

use super::chosen_game::ChosenGame;
use super::format::Format;

use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::progress::Progress;
use crate::signals::{self, Stop};

/// Let engines play against each other, and tell who is stronger and how sure that is
#[derive(clap::Args)]
#[command(
    override_usage = "gt match [OPTIONS] [GAME] ENGINE ENGINE...",
    after_help = "An engine is an algorithm (`gt games` lists them) with settings after commas: eval, nodes, depth, time, cpu, clock, threads, hash, \
    seed, book, endgames, level, elo, name. `cmd:PROGRAM` is another program that speaks UCI (or, for the other games, the protocol of `gt uci`), with option.NAME=VALUE. \
    Without a budget a move takes 100 ms. Ctrl-C ends the match with the results so far (exit code 130).\n\nExamples:\n  \
    gt match strong alpha-beta --nodes 10000\n  \
    gt match amazons pvs 'uct,nodes=5000' --board 6x6 --time 50ms --rounds 100 --games games.txt\n  \
    gt match strong 'cmd:stockfish,option.Threads=1' --clock 10+0.1 --openings openings.pgn --plies 8\n  \
    gt match strong 'strong,eval=material' --nodes 2000 --sprt elo0=0,elo1=50\n  \
    gt match chinese-checkers max-n paranoid best-reply --players 3 --cpu 20ms"
)]
pub(crate) struct Arguments {
    /// The game (chess unless another is named), then two engines or more
    #[arg(value_name = "ENGINE", required = true)]
    words: Vec<String>,
    /// The board's size, for games with several: 6x6
    #[arg(long, value_name = "WxH")]
    board: Option<String>,
    /// How many players, for games with several numbers
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Time for each move: 1, 1s, 50ms
    #[arg(long, value_name = "T", value_parser = positive_time, help_heading = "Budget")]
    time: Option<Duration>,
    /// CPU time for each move: of the searching thread, or of a program's process
    #[arg(long, value_name = "T", value_parser = positive_time, help_heading = "Budget")]
    cpu: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Budget")]
    nodes: Option<u64>,
    /// The depth of each search, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=200), help_heading = "Budget")]
    depth: Option<u16>,
    /// A clock for each player: seconds, and what each move adds: 10+0.1
    #[arg(long, value_name = "T+T", value_parser = gt_match::clock, help_heading = "Budget")]
    clock: Option<Clock>,
    /// How far beyond its time a move may be before it loses
    #[arg(long, value_name = "T", value_parser = gt_play::parse_time, default_value = "50ms", help_heading = "Budget")]
    margin: Duration,
    /// How long a program may think about a move that time does not limit before it is taken to hang
    #[arg(long, value_name = "T", value_parser = positive_time, default_value = "60s", help_heading = "Budget")]
    patience: Duration,
    /// How many openings are played, each in all seatings; 50, or with --sprt as many as needed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Games")]
    rounds: Option<u32>,
    /// Saved games or positions to begin at, instead of random moves
    #[arg(long, value_name = "FILE", conflicts_with = "book", help_heading = "Games")]
    openings: Option<PathBuf>,
    /// An opening book to begin with, instead of random moves
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    book: Option<PathBuf>,
    /// The length of an opening; two for each player unless it comes from a file, from a book eight
    #[arg(long, value_name = "N", help_heading = "Games")]
    plies: Option<u16>,
    /// What openings, seats and playouts are drawn from
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Games")]
    seed: u64,
    /// How many games are played at once; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256), help_heading = "Games")]
    jobs: u16,
    /// Save the games here, each as soon as it ends: PGN for chess, else a line each
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    games: Option<PathBuf>,
    /// Add to the file of games if it is there
    #[arg(long, requires = "games", help_heading = "Games")]
    append: bool,
    /// A draw where both values stay near 0: moves=8,value=10,from=60
    #[arg(long, value_name = "RULE", help_heading = "End")]
    draw: Option<DrawRule>,
    /// A loss where both values say so: moves=4,value=600
    #[arg(long, value_name = "RULE", help_heading = "End")]
    resign: Option<ResignRule>,
    /// A game of so many plies is a draw; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "End")]
    max_plies: u32,
    /// End the match when this test decides: elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST", help_heading = "End")]
    sprt: Option<gt_match::statistics::Sprt>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const ROUNDS_DEFAULT: usize = 50;
const TIME_DEFAULT: Duration = Duration::from_millis(100);
const BOOK_PLIES_DEFAULT: usize = 8;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let plan = plan(arguments)?;
    let names: Vec<String> = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let progress = Progress::new("games", plan.rounds.map(|_| 1));
    let (stop, _reacting) = Stop::at_signal();
    let hooks = Hooks {
        stop: &stop.flag(),
        start: &|command| signals::deliverable(|| command.spawn()),
        progress: &|played| show(&progress, &names, played),
    };
    let report = gt_match::run(plan, &hooks).map_err(Failure::new)?;
    drop(progress);
    let printed = match arguments.format {
        Format::Text => printable::lines(&report.text()).into_owned(),
        Format::Json => printable::json(&format!("{:#}\n", report.json())).into_owned(),
    };
    out.write_all(printed.as_bytes())?;
    Ok(stop.exit_code().map_or(ExitCode::SUCCESS, ExitCode::from))
}

fn show(progress: &Progress, names: &[String], played: &Played) {
    match played.planned {
        Some(planned) => progress.set_of(played.played as u64, planned as u64),
        None => progress.set(played.played as u64),
    }
    let scores: Vec<String> =
        names.iter().zip(&played.points).map(|(name, points)| format!("{name} {points:.1}")).collect();
    progress.say(printable::line(&scores.join(", ")).into_owned());
}

fn plan(arguments: &Arguments) -> Result<Match, Failure> {
    let (game, descriptions) = game_and_engines(&arguments.words)?;
    let parse = |text: &String| Entrant::parse(text).map_err(|error| Failure::new(format!("engine {error}")));
    let mut entrants = descriptions.iter().map(parse).collect::<Result<Vec<Entrant>, Failure>>()?;
    make_names_differ(&mut entrants);
    let position = game.position();
    let game = game.kind;
    let setup = Setup { position, board: arguments.board.clone(), players: arguments.players };
    let openings = openings(arguments, game, &setup)?;
    let rounds = arguments.rounds.map(|rounds| rounds as usize);
    Ok(Match {
        game,
        setup,
        entrants,
        budget: budget(arguments),
        openings,
        rounds: rounds.or(arguments.sprt.is_none().then_some(ROUNDS_DEFAULT)),
        seed: arguments.seed,
        jobs: arguments.jobs.into(),
        rules: Rules {
            draw: arguments.draw,
            resign: arguments.resign,
            plies_max: Some(arguments.max_plies).filter(|&plies| plies > 0),
        },
        sprt: arguments.sprt,
        margin: arguments.margin,
        patience: arguments.patience,
        games: arguments.games.clone().map(|path| GamesTarget { path, append: arguments.append }),
    })
}

/// The first word may be a game.
fn game_and_engines(words: &[String]) -> Result<(ChosenGame, &[String]), Failure> {
    let Some((first, rest)) = words.split_first() else {
        return Err(Failure::new("a match needs two engines or more"));
    };
    match first.parse() {
        Ok(game) => return Ok((game, rest)),
        Err(problem) if first.starts_with("tree:") => {
            return Err(Failure::new(format!("{first}: {problem}")));
        }
        Err(_) => (),
    }
    let is_word = !first.contains([',', ':', '=']);
    if is_word && first != "program" && first.parse::<Algorithm>().is_err() {
        let games = GameKind::ALL.map(GameKind::name).join(", ");
        let algorithms = Algorithm::ALL.map(Algorithm::name).join(", ");
        return Err(Failure::new(format!(
            "`{first}` is neither a game ({games}) nor an engine ({algorithms}, cmd:PROGRAM)"
        )));
    }
    Ok((ChosenGame::from(GameKind::Chess), words))
}

fn budget(arguments: &Arguments) -> Budget {
    let Arguments { time, cpu, nodes, depth, clock, .. } = *arguments;
    let budget = Budget { time, cpu, nodes, depth, clock };
    if budget.is_empty() { Budget { time: Some(TIME_DEFAULT), ..budget } } else { budget }
}

fn openings(arguments: &Arguments, game: GameKind, setup: &Setup) -> Result<Openings, Failure> {
    let plies = arguments.plies.map(usize::from);
    let seed = arguments.seed;
    if let Some(path) = &arguments.openings {
        let text = std::fs::read(path).map_err(|error| Failure::about(path, error))?;
        return Openings::from_text(game, setup, &text, plies).map_err(|error| Failure::about(path, error));
    }
    if let Some(path) = &arguments.book {
        let book = Book::open(path, game).map_err(|error| Failure::about(path, error))?;
        return Openings::from_book(game, setup, book, plies.unwrap_or(BOOK_PLIES_DEFAULT), seed)
            .map_err(|error| Failure::about(path, error));
    }
    let players = game.open(setup).map_err(|error| Failure::new(error.to_string()))?.players();
    Openings::random(game, setup, plies.unwrap_or(2 * players), seed).map_err(Failure::new)
}
