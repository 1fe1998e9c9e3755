//! The server: opens logs, and a result of one of them; listens on the loopback address, follows the files, stops when told to.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gt_play::LiveGame;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::app::App;
use crate::http;
use crate::limits::Limits;
use crate::logs::{Logs, Shown};
use crate::play::PlayOptions;
use crate::query::opened_file::open;
use crate::work::Lanes;

/// How often files are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Opening a log again takes at most one in so many parts of the time.
const OPENING_SHARE: u32 = 10;
/// How long requests under way may take when the server stops.
const STOP_WITHIN: Duration = Duration::from_millis(500);

/// Why a server could not be started.
#[derive(Debug)]
pub enum Error {
    /// No log was given.
    NoLogs,
    /// A log cannot be opened.
    Log {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: gt_log::Error,
    },
    /// A file is no result of one of the logs.
    Result {
        /// Which one.
        path: PathBuf,
        /// Why.
        sentence: String,
    },
    /// The port cannot be had.
    Port {
        /// Which one.
        port: u16,
        /// Why.
        error: io::Error,
    },
    /// The game cannot be played.
    Game(gt_play::Error),
    /// The system gives no threads.
    Threads(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLogs => f.write_str("no log is given"),
            Self::Log { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Result { path, sentence } => write!(f, "{}: {sentence}", path.display()),
            Self::Port { port, error } if error.kind() == io::ErrorKind::AddrInUse => {
                write!(
                    f,
                    "port {port} is taken by another program; choose another, or 0 for any that is free"
                )
            }
            Self::Port { port, error } => {
                write!(f, "port {port} of the loopback address cannot be had: {error}")
            }
            Self::Game(error) => write!(f, "the game cannot be played: {error}"),
            Self::Threads(error) => write!(f, "the server's threads cannot be started: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoLogs | Self::Result { .. } => None,
            Self::Log { error, .. } => Some(error),
            Self::Game(error) => Some(error),
            Self::Port { error, .. } | Self::Threads(error) => Some(error),
        }
    }
}

/// A server that runs, until it is dropped.
pub struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    app: Arc<App>,
    runtime: Option<Runtime>,
}

/// Stops a server from anywhere.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Makes [`Server::wait`] return.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// What is known of the logs that are shown, beside their paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShownLogs<'a> {
    /// A result file of one of the logs, to begin with.
    pub result: Option<&'a Path>,
    /// Other names for their attributes and aliases, each a list as in `best=value, type=nodeType`; the logs must have the
    /// names that these stand for.
    pub other_names: &'a [String],
}

impl Server {
    /// Opens the logs and serves them on a port of the loopback address; port 0 is any that is free.
    ///
    /// # Errors
    /// A log cannot be opened, or the port cannot be had.
    pub fn start<P: AsRef<Path>>(paths: &[P], port: u16) -> Result<Self, Error> {
        Self::start_with(paths, ShownLogs::default(), port, Limits::default())
    }

    /// Like [`Server::start`], within other limits, and with what else is to be known of the logs.
    ///
    /// # Errors
    /// A log cannot be opened or lacks a name, the file is no result of one of them, or the port cannot be had.
    pub fn start_with<P: AsRef<Path>>(
        paths: &[P],
        shown_logs: ShownLogs<'_>,
        port: u16,
        limits: Limits,
    ) -> Result<Self, Error> {
        if paths.is_empty() {
            return Err(Error::NoLogs);
        }
        let open_log = |path: &P| {
            let path = path.as_ref();
            Shown::open(path, shown_logs.other_names)
                .map_err(|error| Error::Log { path: path.to_owned(), error })
        };
        let shown = paths.iter().map(open_log).collect::<Result<Vec<_>, _>>()?;
        let logs = Logs::new(shown);
        let no_result = |path: &Path, sentence| Error::Result { path: path.to_owned(), sentence };
        let file =
            shown_logs.result.map(|path| open(path, &logs).map_err(|sentence| no_result(path, sentence)));
        let lanes = Lanes::start(&limits).map_err(Error::Threads)?;
        let app = App::new(logs, file.transpose()?, lanes, limits.clone());
        Self::serve(app, &[port], limits)
    }

    /// Serves the page with a game that is played on it, which begins now, on the first of the ports that can be had.
    ///
    /// # Errors
    /// The game has ended already, or none of the ports can be had.
    pub fn play(game: LiveGame, options: PlayOptions, ports: &[u16], limits: Limits) -> Result<Self, Error> {
        let lanes = Lanes::start(&limits).map_err(Error::Threads)?;
        let app = App::of_a_game(game, options, lanes, limits.clone()).map_err(Error::Game)?;
        Self::serve(app, ports, limits)
    }

    fn serve(app: App, ports: &[u16], limits: Limits) -> Result<Self, Error> {
        let app = Arc::new(app);
        let runtime =
            Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Error::Threads)?;
        let (listener, address) = runtime.block_on(listen(ports))?;
        let router = http::router(Arc::clone(&app));
        runtime.spawn(http::serve(listener, router, limits));
        runtime.spawn(follow(Arc::clone(&app)));
        Ok(Self { address, stop: watch::Sender::new(false), app, runtime: Some(runtime) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Something to stop it with.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Serves until it is stopped.
    pub fn wait(&self) {
        let mut stopped = self.stop.subscribe();
        if let Some(runtime) = &self.runtime {
            // The sender is ours, so that this only ends when it says so.
            let _ = runtime.block_on(stopped.wait_for(|stopped| *stopped));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.app.stop();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(STOP_WITHIN);
        }
    }
}

/// Takes the first of the ports that can be had.
async fn listen(ports: &[u16]) -> Result<(TcpListener, SocketAddr), Error> {
    let mut refused = Error::Port { port: 0, error: io::ErrorKind::InvalidInput.into() };
    for &port in ports {
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        match bound.and_then(|listener| Ok((listener.local_addr()?, listener))) {
            Ok((address, listener)) => return Ok((listener, address)),
            Err(error) => refused = Error::Port { port, error },
        }
    }
    Err(refused)
}

/// Looks at the files now and then.
async fn follow(app: Arc<App>) {
    let mut pause = LOOK_EVERY;
    loop {
        tokio::time::sleep(pause).await;
        let app = Arc::clone(&app);
        let started = Instant::now();
        let looked = tokio::task::spawn_blocking(move || app.refresh()).await;
        if looked.is_err() {
            return;
        }
        pause = LOOK_EVERY.max(started.elapsed() * OPENING_SHARE);
    }
}
