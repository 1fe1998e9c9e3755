//! `gt demo`: two searches, their logs, and what the logs say; every step is a command that anyone can type.
//!
//! ```text
//! gt search … --log chess.gtf   ┐
//! gt search … --log amazons.gtf ┴─▶ questions.gtql ─▶ words, tables, plots here, and report.html
//! ```
//!
//! **Invariant:** no sentence about a search is written here; all are made of the answers by gt-report.

mod telling;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_report::document::{self, Document};
use gt_report::profile::figures_for;

use super::files::{Force, new_text};
use super::profile::style;
use super::query::source::Source;
use crate::failure::{Failure, Outcome};
use crate::printable;
use telling::Telling;

/// Search two positions, log every node, and ask the logs what the searches did
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gt demo\n  gt demo --dir /tmp/gt-demo --view")]
pub(crate) struct Arguments {
    /// Where the logs, the queries and the report go
    #[arg(long, default_value = "gt-demo")]
    dir: PathBuf,
    /// Open the viewer on the logs at the end
    #[arg(long)]
    view: bool,
    #[command(flatten)]
    force: Force,
}

/// A search that is shown.
struct Example {
    title: &'static str,
    /// What is known of the position beforehand.
    about: &'static str,
    file: &'static str,
    /// The words of the command, without the log.
    command: &'static [&'static str],
    /// What is shown here; the report has all.
    charts: &'static [&'static str],
    table: &'static str,
}

const EXAMPLES: [Example; 2] = [
    Example {
        title: "Chess: a queen sacrifice",
        about: "Edward Lasker against Thomas, London 1912; number 16 of the LCT II suite. White is to move and wins by \
                giving the queen on h7. How does the search come to see it?",
        file: "chess.gtf",
        command: &[
            "search",
            "chess",
            "--position",
            "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ -",
            "--depth",
            "9",
        ],
        charts: &["nodes-per-ply", "first-move-cutoffs"],
        table: "largest-quiescence",
    },
    Example {
        title: "Amazons: hundreds of moves everywhere",
        about: "The Game of the Amazons on a board of 6x6: an amazon moves like a queen and shoots an arrow that blocks a \
                square for good; who cannot move loses. The same search, without anything that it knows about chess.",
        file: "amazons.gtf",
        command: &["search", "amazons", "--board", "6x6", "--depth", "4"],
        charts: &["branching", "minimal-tree"],
        table: "heaviest-moves",
    },
];

/// Runs a command by the words that would be typed after `gt`.
type Run = fn(&[&str], &mut dyn Write) -> Outcome;

pub(crate) fn run(arguments: &Arguments, run_words: Run, out: &mut dyn Write) -> Outcome {
    let dir = &arguments.dir;
    std::fs::create_dir_all(dir).map_err(|error| Failure::about(dir, error))?;
    let (questions, report) = (dir.join("questions.gtql"), dir.join("report.html"));

    for example in &EXAMPLES {
        arguments.force.check(&dir.join(example.file))?;
    }

    let mut page = Document::new("Two searches, and what their logs say");
    page.paragraph(
        "`gt demo` searched two positions, logged every node of every iteration, and asked the logs with GTQL. Every figure \
         below is the answer of the query beside it; the sentences are made of the answers.",
    );
    let mut logs = Vec::new();
    for example in &EXAMPLES {
        let log = dir.join(example.file);
        match show(example, run_words, arguments.force, &log, &questions, &mut page, out)? {
            Shown::Tree(tree) => logs.push((log, tree)),
            Shown::Ended(code) => return Ok(code),
        }
    }
    new_text(&report, &[], &document::html(&page))?;
    finish(&logs, &questions, &report, out)?;
    if arguments.view {
        writeln!(out)?;
        let names: Vec<String> = logs.iter().map(|(log, _)| name(log)).collect();
        let words = ["view"].into_iter().chain(names.iter().map(String::as_str)).chain(["--open"]);
        step(run_words, &words.collect::<Vec<_>>(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What became of an example.
enum Shown {
    /// All is told; of this tree.
    Tree(usize),
    /// The search was interrupted.
    Ended(ExitCode),
}

/// Searches, profiles and tells.
fn show(
    example: &Example,
    run_words: Run,
    force: Force,
    log: &Path,
    questions: &Path,
    page: &mut Document,
    out: &mut dyn Write,
) -> Result<Shown, Failure> {
    let style = style(true);
    let mut head = Document::new("");
    head.heading(example.title).paragraph(example.about);
    write!(out, "\n{}\n", document::text(&head, style))?;
    let log_name = name(log);
    let ended = step(run_words, &[example.command, &["--log", &log_name], force.words()].concat(), out)?;
    if ended != ExitCode::SUCCESS {
        return Ok(Shown::Ended(ended));
    }

    let source = Source::open(log)?;
    let selection = figures_for(source.log.schema());
    let telling = Telling::of(&source, &selection)?;
    // Both games log the same attributes, so one file of questions serves both.
    new_text(questions, &[], &telling.queries())?;
    writeln!(out, "What the log says (queries in {}):\n", printable::path(questions))?;
    write!(
        out,
        "{}",
        document::text(&printable::document(telling.short(example.charts, example.table)), style)
    )?;
    out.flush()?;
    page.append(telling.whole(example.title, example.about)?);
    Ok(Shown::Tree(telling.tree()))
}

fn finish(
    logs: &[(PathBuf, usize)],
    questions: &Path,
    report: &Path,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let style = style(true);
    let Some((log, tree)) = logs.first() else { return Ok(()) };
    let mut end = Document::new("");
    end.heading("Yours to explore");
    let files = logs.iter().map(|(log, _)| name(log)).chain([name(questions), name(report)]);
    end.paragraph(&format!("Left for you: {}.", files.collect::<Vec<_>>().join(", ")));
    end.paragraph(&format!("All figures with plots are in {}: open it in a browser.", name(report)));
    end.paragraph("Three commands to try next:");
    write!(out, "\n{}\n", document::text(&printable::document(end), style))?;
    let all: Vec<String> = logs.iter().map(|(log, _)| typed(log)).collect();
    for next in [
        format!("gt view {} --open", all.join(" ")),
        format!("gt query {} --tree {tree} -f {}", typed(log), typed(questions)),
        format!("gt repl {} --tree {tree}", typed(log)),
    ] {
        writeln!(out, "  {}", printable::line(&next))?;
    }
    Ok(())
}

/// Shows a command as it would be typed, and runs it.
fn step(run_words: Run, words: &[&str], out: &mut dyn Write) -> Outcome {
    let typed: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    writeln!(out, "$ gt {}", printable::line(&typed.join(" ")))?;
    out.flush()?;
    let code = run_words(words, out)?;
    writeln!(out)?;
    out.flush()?;
    Ok(code)
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn typed(path: &Path) -> String {
    quoted(&name(path))
}
