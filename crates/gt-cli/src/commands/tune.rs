//! `gt tune`: the weights of an evaluation fitted to the results of games, or learnt from a teacher.

mod loss;
mod network;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_games::GameKind;
use gt_games::chess::evaluate::{FEATURES, FITTED, Weights};
use gt_games::saved;
use gt_tune::{Fit, Loss, Samples, Settings, fit};
use serde_json::json;

use super::files::{Force, new_log};
use super::format::Format;
use crate::failure::{Failure, Outcome};
use loss::loss_text;

/// Fit the weights of chess's evaluation to the results of games (Texel's method), or learn a network from a teacher
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("source").required(true).args(["games", "teacher"]),
    after_help = "Games come from `gt match --games FILE`, or are any others with results. The file of weights says how it was made; \
    `--eval file:WEIGHTS` tries it.\nA teacher is the file of a network of Stockfish 15.1, \
    which its command `export_net FILE` writes.\n\nExamples:\n  gt match strong strong --nodes 2000 --rounds 500 --games self-play.pgn\n  \
    gt tune chess --games self-play.pgn -o weights.txt\n  \
    gt match strong,eval=six-terms strong,eval=file:weights.txt --nodes 5000\n  \
    gt tune chess --teacher sf.nnue --lessons 1000000 -o chess.net"
)]
pub(crate) struct Arguments {
    /// The game: chess
    game: GameKind,
    /// Saved games with results
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    network: network::Learning,
    /// Where the weights go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Weights to begin with: those in use unless a file is named; with a teacher a network, random weights unless one is
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// How many steps to take over all positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().steps, conflicts_with = "teacher", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
    /// How strongly weights are pulled to where they began
    #[arg(long, value_name = "P", default_value_t = Settings::default().pull, conflicts_with = "teacher")]
    pull: f64,
    /// How much the scores in the games' comments count beside results, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, conflicts_with = "teacher")]
    scores: f64,
    /// One of so many games is held out and not learnt from; 0 for none
    #[arg(long, value_name = "N", default_value_t = Settings::default().held_out_one_in, conflicts_with = "teacher")]
    hold_out: u32,
    /// Which games are held out, or which lessons there are
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    force: Force,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if arguments.game != GameKind::Chess {
        return Err(Failure::new("only chess has weights that can be fitted"));
    }
    if !arguments.pull.is_finite() || arguments.pull < 0.0 {
        return Err(Failure::new(format!("`--pull` is a number from 0 on, not {}", arguments.pull)));
    }
    if !(0.0..=1.0).contains(&arguments.scores) {
        return Err(Failure::new(format!("`--scores` is a number from 0 to 1, not {}", arguments.scores)));
    }
    arguments.force.check(&arguments.output)?;
    if let Some(teacher) = &arguments.network.teacher {
        return learn_network(arguments, teacher, out);
    }
    let start = start(arguments)?;
    let samples = read(&arguments.games)?;
    if arguments.scores > 0.0 && samples.scored() == 0 {
        return Err(Failure::new(
            "the games have no scores in their comments that `--scores` could learn from",
        ));
    }
    let settings = Settings {
        steps: arguments.steps,
        pull: arguments.pull,
        score_share: arguments.scores,
        held_out_one_in: arguments.hold_out,
        seed: arguments.seed,
        ..Settings::default()
    };
    let fitted = fit(&samples.list, &start, &settings)
        .ok_or_else(|| Failure::new("the games have no quiet position with a result to learn from"))?;
    write(arguments, &samples, &fitted)?;
    tell(arguments, &samples, &fitted, out)?;
    Ok(ExitCode::SUCCESS)
}

fn learn_network(arguments: &Arguments, teacher: &Path, out: &mut dyn Write) -> Outcome {
    let Arguments { network: learning, output, force, seed, .. } = arguments;
    let start = arguments.start.as_deref();
    let learnt = learning.run(teacher, start, *seed)?;
    learning.write(output, *force, (teacher, start), *seed, &learnt)?;
    match arguments.format {
        Format::Text => {
            writeln!(out, "{} lessons, {} rounds", learning.lessons, learning.rounds)?;
            writeln!(out, "loss {}", loss_text(learnt.loss, "lessons"))?;
        }
        Format::Json => {
            let loss = json!({ "learnt": learnt.loss.learnt, "held_out": learnt.loss.held_out });
            let told = json!({ "lessons": learning.lessons, "rounds": learning.rounds, "loss": loss });
            writeln!(out, "{told:#}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn start(arguments: &Arguments) -> Result<Weights, Failure> {
    let Some(path) = &arguments.start else { return Ok(FITTED.clone()) };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::about(path, error))?;
    Weights::parse(&text).map_err(|error| Failure::about(path, error))
}

fn read(paths: &[PathBuf]) -> Result<Samples, Failure> {
    let mut samples = Samples::default();
    for path in paths {
        let file = File::open(path).map_err(|error| Failure::about(path, error))?;
        for game in saved::read_from(BufReader::new(file), Some(GameKind::Chess)) {
            let game = game.map_err(|error| Failure::about(path, error))?;
            samples.add(&game).map_err(|error| Failure::about(path, error))?;
        }
    }
    Ok(samples)
}

fn write(arguments: &Arguments, samples: &Samples, fitted: &Fit) -> Result<(), Failure> {
    let target = &arguments.output;
    let sources: Vec<&Path> = arguments.games.iter().chain(&arguments.start).map(PathBuf::as_path).collect();
    let text = format!("{}{}", origin(arguments, samples, fitted), fitted.weights.text());
    new_log(target, arguments.force, &sources, |new| {
        let mut file = new.create().map_err(|error| Failure::about(target, error))?;
        file.write_all(text.as_bytes()).map_err(|error| Failure::about(target, error))
    })
}

/// How the weights were made, as comments.
fn origin(arguments: &Arguments, samples: &Samples, fitted: &Fit) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let games: Vec<String> = arguments.games.iter().map(name).collect();
    let start = arguments.start.as_ref().map_or(String::new(), |path| format!(" --start {}", name(path)));
    format!(
        "# Weights of chess's six terms: opening, ending.\n\
         # gt tune chess --games {} --steps {} --pull {} --scores {} --hold-out {} --seed {}{start}\n\
         # {} positions of {} games; scale {:.4}\n# loss before: {}\n# loss after:  {}\n",
        games.join(" "),
        arguments.steps,
        arguments.pull,
        arguments.scores,
        arguments.hold_out,
        arguments.seed,
        samples.list.len(),
        samples.games,
        fitted.scale,
        loss_text(fitted.before, "games"),
        loss_text(fitted.after, "games"),
    )
}

fn tell(arguments: &Arguments, samples: &Samples, fitted: &Fit, out: &mut dyn Write) -> std::io::Result<()> {
    let Fit { scale, before, after, .. } = fitted;
    match arguments.format {
        Format::Text => {
            writeln!(
                out,
                "{} positions of {} games, {FEATURES} features",
                samples.list.len(),
                samples.games
            )?;
            if samples.without_result > 0 {
                writeln!(out, "{} games without a result left out", samples.without_result)?;
            }
            if arguments.scores > 0.0 {
                writeln!(out, "{} positions with a score", samples.scored())?;
            }
            writeln!(out, "loss before: {}", loss_text(*before, "games"))?;
            writeln!(out, "loss after:  {}", loss_text(*after, "games"))
        }
        Format::Json => {
            let loss = |loss: &Loss| json!({ "learnt": loss.learnt, "held_out": loss.held_out });
            let told = json!({
                "games": samples.games,
                "games_without_result": samples.without_result,
                "positions": samples.list.len(),
                "positions_with_score": samples.scored(),
                "features": FEATURES,
                "scale": scale,
                "before": loss(before),
                "after": loss(after),
            });
            writeln!(out, "{told:#}")
        }
    }
}
