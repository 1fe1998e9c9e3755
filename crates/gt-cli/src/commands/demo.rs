//! `gt demo`: a search, its log, and what queries find in it; every step is a command that anyone can type.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use gt_log::Log;

use super::Outcome;
use crate::failure::Failure;

/// Search two positions, log every node, and ask the logs what the searches did
#[derive(clap::Args)]
#[command(after_help = "Example:\n  gt demo --dir /tmp/gt-demo")]
pub(crate) struct Arguments {
    /// Where the logs and the query file go
    #[arg(long, default_value = "gt-demo")]
    dir: PathBuf,
}

/// A tactical position (LCT II, number 17): the solution is f6f3.
const CHESS: &str = "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -";

const QUESTIONS: &str = "\
# How much of the tree is quiescence search?
[quiescence nodes]
node: count(type & QNode or type & QRootNode)

# How often did the search have to look again with an open window?
[searched again]
node: count(type & ResearchNode)

# A cut-off should come with the first moves. Where did it take more than four?
[late cut-offs]
node: count(ended = Cutoff and not type & QNode) child: count(*) > 4

# Which quiescence searches ran wild, and on which lines?
[largest quiescence searches]
let qsize = subtree:count(*)
node: type & QRootNode and qsize > 20
select node_id, qsize, @line  order by qsize desc  limit 5

# Where does the work go, ply by ply?
[nodes per ply]
node: not type & QNode
group by @ply  select @ply, count(*), avg(@children)
";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let dir = &arguments.dir;
    std::fs::create_dir_all(dir).map_err(|error| Failure::about(dir, error))?;
    let (chess, amazons, questions) =
        (dir.join("chess.gtf"), dir.join("amazons.gtf"), dir.join("questions.gtql"));
    std::fs::write(&questions, QUESTIONS).map_err(|error| Failure::about(&questions, error))?;

    say(out, "1. Search a tactical chess position, every node of every iteration logged.")?;
    step(out, &["search", "chess", "--position", CHESS, "--depth", "8", "--log", &name(&chess)])?;
    say(out, "2. The same for the Game of the Amazons.")?;
    step(out, &["search", "amazons", "--board", "8x8", "--depth", "2", "--log", &name(&amazons)])?;
    say(
        out,
        "3. Ask the log of the last iteration what the chess search did. The questions are GTQL queries.",
    )?;
    let last = last_tree(&chess)?;
    step(out, &["query", &name(&chess), "--tree", &last, "-f", &name(&questions)])?;
    say(out, "4. Which moves of the Amazons position took the most nodes to refute?")?;
    let heaviest = "node: @ply = 1 select last_move, @size, best order by @size desc limit 5";
    let amazons_last = last_tree(&amazons)?;
    step(out, &["query", &name(&amazons), "--tree", &amazons_last, heaviest])?;

    say(out, "Three commands to try next:")?;
    for next in [
        format!("gt repl {} --tree {last}", name(&chess)),
        format!("gt dump {} --tree {last} --depth 1", name(&chess)),
        format!("gt export {} -o {}", name(&chess), name(&dir.join("chess.parquet"))),
    ] {
        writeln!(out, "  {next}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn say(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    writeln!(out, "\n{text}\n")?;
    Ok(())
}

/// Shows a command as it would be typed, and runs it.
fn step(out: &mut dyn Write, words: &[&str]) -> Result<(), Failure> {
    let typed: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    writeln!(out, "$ gt {}", typed.join(" "))?;
    out.flush()?;
    let arguments = crate::Arguments::try_parse_from([&["gt"], words].concat())
        .map_err(|error| Failure::new(error.to_string()))?;
    super::run(arguments.command, out)?;
    out.flush()?;
    Ok(())
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn last_tree(path: &Path) -> Result<String, Failure> {
    let log = Log::open(path).map_err(|error| Failure::about(path, error))?;
    Ok(log.tree_count().saturating_sub(1).to_string())
}
