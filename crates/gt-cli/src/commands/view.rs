//! `gt view`: logs on a page of this machine.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use gt_picture::RECORDS_DEFAULT;
use gt_report::{counted, grouped};
use gt_view::{Error, Limits, Server, ShownLogs};

use super::diff::viewed::{Choice, MergedLog};
use super::files;
use super::names::OtherNames;
use super::picture::Drawing;
use crate::failure::{Failure, Outcome};
use crate::printable;
use crate::signals::{self, Then};
use crate::tell::tell;

/// Look at logs in the browser: pictures of the tree, boards, queries, charts
#[derive(clap::Args)]
#[command(
    after_help = "The page is served on the loopback address only; it stops on Ctrl-C. A log that is still being written is \
    followed. Scripts can ask what the page asks: see docs/api.md.\n\nExamples:\n  \
    gt view tree.gtf --open\n  gt view run/*.gtf --port 8080\n  gt view mine.gtf --map best=value,type=nodeType\n  gt view tree.gtf --result results/tree-1.gti\n  \
    gt view old.gtf new.gtf --diff\n  gt view run.gtf --diff --tree-a 3 --tree-b 4\n  \
    gt view tree.gtf --save page.html --node 17 --query 'node: @size > 1000'"
)]
pub(crate) struct Arguments {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// A result of a query on one of the logs (.gti) to begin with: its nodes are marked and listed
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    result: Option<PathBuf>,
    /// Show two trees as one: what is only in A, only in B, and what differs
    #[arg(long)]
    diff: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    names: OtherNames,
    /// The port of the loopback address; 0 for any that is free (default: 7373, or any where that is taken)
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Serve nothing: write a subtree as one page that opens from disk, with its picture, boards, records and matches
    #[arg(long, value_name = "FILE", conflicts_with_all = ["result", "diff", "port", "open"])]
    save: Option<PathBuf>,
    /// How many nodes a saved page has records of, those with the largest subtrees
    #[arg(long, value_name = "N", requires = "save", default_value_t = RECORDS_DEFAULT, value_parser = records)]
    records: usize,
    #[command(flatten, next_help_heading = "Options of --save")]
    drawing: Drawing,
}

/// A saved page holds at most so many records: about a kilobyte each.
const RECORDS_MAX: usize = 50_000;

fn records(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=RECORDS_MAX).contains(number));
    number.ok_or_else(|| format!("a saved page holds from 1 to {RECORDS_MAX} records"))
}

/// The port where none is asked for.
pub(super) const PORT: u16 = 7373;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(target) = &arguments.save {
        return save(arguments, target, out);
    }
    if !arguments.drawing.is_empty() {
        let sentence =
            "the options about what is drawn are those of a saved page: give `--save FILE` as well";
        return Err(Failure::new(sentence));
    }
    if arguments.diff && !arguments.names.is_empty() {
        return Err(Failure::new(
            "`--map` gives names to the logs that are shown; it has no use with `--diff`",
        ));
    }
    // The merged tree's file is there for as long as it is served.
    let merged = arguments.diff.then(|| MergedLog::of(&arguments.logs, &arguments.choice)).transpose()?;
    let server = match &merged {
        Some(merged) => started(&[merged.path()], arguments)?,
        None => started(&arguments.logs, arguments)?,
    };
    serve(&server, arguments.open, out)
}

/// Writes a subtree as one page, and tells what it holds.
fn save(arguments: &Arguments, target: &Path, out: &mut dyn Write) -> Outcome {
    let [log] = &arguments.logs[..] else {
        return Err(Failure::new("a saved page is of one log; give one"));
    };
    let sentence = "a page is written as HTML: choose a name that ends in .html";
    files::refuse_other_endings(target, &["html", "htm"], sentence)?;
    let page = arguments.drawing.with((log, &arguments.names), |subject, wanted, options| {
        gt_picture::page(subject, wanted, arguments.records, options)
    })?;
    files::new_text(target, &[log], &page.html)?;
    writeln!(
        out,
        "wrote {}: the records of {} of {}, {} kB",
        printable::path(target),
        grouped(page.records as u64),
        counted(page.nodes, "node"),
        grouped(page.html.len().div_ceil(1000) as u64)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Tells where the page is, shows it in the browser if `opens`, and serves until Ctrl-C.
pub(super) fn serve(server: &Server, opens: bool, out: &mut dyn Write) -> Outcome {
    let stopper = server.stopper();
    let mut is_stopping = false;
    let _reacting = signals::react(move |_| {
        stopper.stop();
        if std::mem::replace(&mut is_stopping, true) { Then::End } else { Then::GoOn }
    });
    let address = format!("http://{}/", server.address());
    writeln!(out, "{address}  (Ctrl-C stops it)")?;
    out.flush()?;
    if opens && !open(&address) {
        tell(format_args!("no browser could be started; open {address} in one"));
    }
    server.wait();
    Ok(ExitCode::SUCCESS)
}

/// A server of these logs, on the port that was asked for, or on the usual one, or on any.
fn started<P: AsRef<Path>>(logs: &[P], arguments: &Arguments) -> Result<Server, Failure> {
    let shown = ShownLogs { result: arguments.result.as_deref(), other_names: arguments.names.pairs() };
    let start = |port| Server::start_with(logs, shown, port, Limits::default());
    let started = match arguments.port {
        Some(port) => start(port),
        None => match start(PORT) {
            Err(Error::Port { .. }) => start(0),
            started => started,
        },
    };
    started.map_err(|error| Failure::new(error.to_string()))
}

/// Asks the system to show an address.
fn open(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    signals::deliverable(|| command.spawn()).is_ok()
}
