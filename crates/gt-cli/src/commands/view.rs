//! `gt view`: logs on a page of this machine.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use gt_view::{Error, Server};

use super::Outcome;
use crate::failure::Failure;
use crate::signals::{self, Then};
use crate::tell::tell;

/// Look at logs in the browser: pictures of the tree, boards, queries, charts
#[derive(clap::Args)]
#[command(
    after_help = "The page is served on the loopback address only; it stops on Ctrl-C. A log that is still being written is \
    followed. Scripts can ask what the page asks: see docs/api.md.\n\nExamples:\n  \
    gt view tree.gtf --open\n  gt view run/*.gtf --port 8080"
)]
pub(crate) struct Arguments {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The port of the loopback address; 0 for any that is free (default: 7373, or any where that is taken)
    #[arg(long, value_name = "P")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// The port where none is asked for.
const PORT: u16 = 7373;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let started = match arguments.port {
        Some(port) => Server::start(&arguments.logs, port),
        None => match Server::start(&arguments.logs, PORT) {
            Err(Error::Port { .. }) => Server::start(&arguments.logs, 0),
            started => started,
        },
    };
    let server = started.map_err(|error| Failure::new(error.to_string()))?;
    let stopper = server.stopper();
    let mut is_stopping = false;
    let _reacting = signals::react(move |_| {
        stopper.stop();
        if std::mem::replace(&mut is_stopping, true) { Then::End } else { Then::GoOn }
    });
    let address = format!("http://{}/", server.address());
    writeln!(out, "{address}  (Ctrl-C stops it)")?;
    out.flush()?;
    if arguments.open && !open(&address) {
        tell(format_args!("no browser could be started; open {address} in one"));
    }
    server.wait();
    Ok(ExitCode::SUCCESS)
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
