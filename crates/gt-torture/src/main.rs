//! `torture`: each kind of trouble for so many seconds, with what was done counted.
//!
//! A failure is shown with the case that makes it, shrunk where it can be, and the exit code is 1.

use std::cell::Cell;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use gt_torture::check::{Asked, Thoroughness};
use gt_torture::session::{Session, Through, sessions};
use gt_torture::{broken, check, inputs, model, other_ways, random, run, run_c, served};
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

#[path = "../../gt-view/tests/api/hostile.rs"]
#[allow(dead_code)] // It is written for tests, which use more of it.
mod hostile;

/// Torture GT-Tools: random sessions, random queries, broken files, full disks, killed writers, hostile HTTP.
#[derive(Parser)]
struct Arguments {
    /// How long each kind of trouble takes
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// The same seed makes the same trouble
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these kinds; may be repeated
    #[arg(long)]
    only: Vec<String>,
    /// Stop a kind after so many cases
    #[arg(long)]
    cases: Option<u64>,
    /// Write a log into this file until killed: what the kind `kills` starts
    #[arg(long, hide = true)]
    victim: Option<std::path::PathBuf>,
}

/// A kind of trouble: makes one case after the other.
type Trouble = fn(&mut Maker) -> Result<Asked, String>;

const TROUBLES: [(&str, Trouble); 13] = [
    ("sessions", rust_session),
    ("sessions-c", c_session),
    ("any-order", any_order),
    ("byte-budgets", byte_budget),
    ("queries", queries),
    ("cuts", cut),
    ("flips", flip),
    ("mended-flips", mended_flip),
    ("full-disks", full_disk),
    ("kills", kill),
    ("viewer", viewed),
    ("http", http),
    ("inputs", input),
];

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(path) = &arguments.victim {
        victim(path, arguments.seed);
    }
    let mut failed = false;
    for (name, trouble) in TROUBLES {
        if !arguments.only.is_empty() && !arguments.only.iter().any(|only| only == name) {
            continue;
        }
        match make(trouble, &arguments) {
            Ok((cases, asked)) => println!(
                "{name:13} {cases:>9} cases, {:>9} trees, {:>10} queries: all as they must be",
                asked.trees, asked.queries
            ),
            Err((cases, what)) => {
                println!("{name:13} {cases:>9} cases, then: {what}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn make(trouble: Trouble, arguments: &Arguments) -> Result<(u64, Asked), (u64, String)> {
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let mut maker = Maker::new(arguments.seed);
    let mut all = Asked::default();
    let mut cases = 0;
    while Instant::now() < end && arguments.cases.is_none_or(|most| cases < most) {
        let asked = trouble(&mut maker).map_err(|what| (cases, what))?;
        all.trees += asked.trees;
        all.queries += asked.queries;
        cases += 1;
    }
    Ok((cases, all))
}

/// What cases are made from.
struct Maker {
    runner: TestRunner,
    seed: u64,
    folder: tempfile::TempDir,
    /// Made once: making them takes longer than most cases.
    rust: BoxedStrategy<Session>,
    c: BoxedStrategy<Session>,
    query_file: BoxedStrategy<String>,
    inputs: Option<BoxedStrategy<inputs::Changed>>,
    server: Option<gt_view::Server>,
    sessions: u64,
    /// A log that many cases are made of, and how many have been.
    log: (Vec<u8>, u32),
}

const SESSIONS_PER_FULL: u64 = 16;

/// So many cases are made of one log.
const CASES_PER_LOG: u32 = 40;

impl Maker {
    fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let config = Config { failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
        let runner = TestRunner::new_with_rng(config, rng);
        Self {
            runner,
            seed,
            folder: tempfile::tempdir().expect("a folder"),
            rust: sessions(160, Through::Rust).boxed(),
            c: sessions(160, Through::C).boxed(),
            query_file: random::query_file(),
            inputs: None,
            server: None,
            sessions: 0,
            log: (Vec::new(), 0),
        }
    }

    fn value<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.runner).expect("strategies reject nothing").current()
    }

    /// Runs a case, and shrinks it if it fails.
    fn case<S: Strategy>(
        &mut self,
        strategy: S,
        test: impl Fn(&S::Value) -> Result<Asked, String>,
    ) -> Result<Asked, String> {
        let case = strategy.new_tree(&mut self.runner).expect("strategies reject nothing");
        let asked = Cell::new(Asked::default());
        let tried = self.runner.run_one(case, |value| {
            asked.set(test(&value).map_err(TestCaseError::fail)?);
            Ok(())
        });
        tried.map(|_| asked.get()).map_err(|error| error.to_string())
    }

    /// One session of so many is asked everything.
    fn thoroughness(&mut self) -> Thoroughness {
        self.sessions += 1;
        if self.sessions % SESSIONS_PER_FULL == 1 { Thoroughness::Full } else { Thoroughness::Quick }
    }

    /// A log that was closed; a new one every so often.
    fn log(&mut self) -> Vec<u8> {
        if self.log.1 == 0 {
            let mut session: Session = self.value(self.rust.clone());
            session.ending = gt_torture::session::Ending::Close;
            self.log = (run::run(&session), CASES_PER_LOG);
        }
        self.log.1 -= 1;
        self.log.0.clone()
    }
}

fn rust_session(maker: &mut Maker) -> Result<Asked, String> {
    let questions = proptest::collection::vec(maker.query_file.clone(), 0..3);
    let thoroughness = maker.thoroughness();
    maker.case((maker.rust.clone(), questions), |(session, questions)| {
        check::session(&run::run(session), &model::expect(session), questions, thoroughness)
    })
}

fn c_session(maker: &mut Maker) -> Result<Asked, String> {
    let folder = maker.folder.path().to_owned();
    let questions = proptest::collection::vec(maker.query_file.clone(), 0..3);
    let thoroughness = maker.thoroughness();
    maker.case((maker.c.clone(), questions), |(session, questions)| {
        check::session(&run_c::run(session, &folder), &model::expect(session), questions, thoroughness)
    })
}

/// The trees of a session through the builder, their nodes in any order.
fn any_order(maker: &mut Maker) -> Result<Asked, String> {
    let keys = proptest::collection::vec(0..100_u64, 1..20);
    maker.case((maker.rust.clone(), keys), |(session, keys)| {
        other_ways::any_order(&model::expect(session), keys)
    })
}

fn byte_budget(maker: &mut Maker) -> Result<Asked, String> {
    maker.case((maker.rust.clone(), 0..4000_u64), |(session, bytes)| other_ways::byte_budget(session, *bytes))
}

/// Sessions that are asked many questions.
fn queries(maker: &mut Maker) -> Result<Asked, String> {
    let questions = proptest::collection::vec(maker.query_file.clone(), 10..40);
    maker.case((maker.rust.clone(), questions), |(session, questions)| {
        check::session(&run::run(session), &model::expect(session), questions, Thoroughness::Full)
    })
}

fn cut(maker: &mut Maker) -> Result<Asked, String> {
    let log = maker.log();
    let place = maker.value(0..log.len());
    broken::check_cut(&log, place)
}

fn flip(maker: &mut Maker) -> Result<Asked, String> {
    let log = maker.log();
    let bit = maker.value(0..log.len() * 8);
    broken::check_flip(&log, bit).map(|()| Asked::default())
}

fn mended_flip(maker: &mut Maker) -> Result<Asked, String> {
    let log = maker.log();
    let columns = 4 + gt_torture::session::kinds().len();
    let (place, change) = maker.value((0..log.len(), 1..=255_u8));
    // Few bytes of a file are in heads, and these say most.
    let heads: Vec<usize> = broken::frames(&log).iter().flat_map(|frame| frame.head.clone()).collect();
    let in_head = maker.value(0..3_u8) > 0 && !heads.is_empty();
    let place = if in_head { heads[place % heads.len()] } else { place };
    match broken::mended(&log, place, change, columns) {
        Some(bytes) => broken::check_mended(bytes).map_err(|what| format!("byte {place} ^ {change}: {what}")),
        None => Ok(Asked::default()),
    }
}

fn full_disk(maker: &mut Maker) -> Result<Asked, String> {
    let (bytes, nodes, background) = maker.value((0..6000_usize, 1..900_usize, proptest::bool::ANY));
    broken::check_full_disk(bytes, nodes, background)
}

/// The viewer's calls about the log of a session.
fn viewed(maker: &mut Maker) -> Result<Asked, String> {
    let folder = maker.folder.path().to_owned();
    maker.case(maker.rust.clone(), |session| {
        served::check(&run::run(session), &model::expect(session), &folder)
    })
}

/// Hostile requests to one server, which goes on answering.
fn http(maker: &mut Maker) -> Result<Asked, String> {
    if maker.server.is_none() {
        let log = maker.log();
        maker.server = Some(served::start(&log, maker.folder.path())?);
    }
    maker.seed += 1;
    let address = maker.server.as_ref().map(gt_view::Server::address).ok_or("no server")?;
    hostile::Strike::of(maker.seed).send(address).map_err(|what| format!("strike {}: {what}", maker.seed))?;
    if maker.seed.is_multiple_of(20) {
        hostile::check_alive(address)?;
    }
    Ok(Asked::default())
}

/// A parser is given something that it does not expect.
fn input(maker: &mut Maker) -> Result<Asked, String> {
    let changed = maker.inputs.get_or_insert_with(|| inputs::changed().boxed()).clone();
    maker.case(changed, |changed| {
        changed.run();
        Ok(Asked::default())
    })
}

/// A process that writes a log is killed at a random moment.
fn kill(maker: &mut Maker) -> Result<Asked, String> {
    let path = maker.folder.path().join("victim.gtf");
    let _ = std::fs::remove_file(&path);
    maker.seed += 1;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut child = std::process::Command::new(program)
        .args(["--seed", &maker.seed.to_string(), "--victim"])
        .arg(&path)
        .spawn()
        .map_err(|error| error.to_string())?;
    let deadline = Instant::now() + Duration::from_secs(60);
    while !path.exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let wait_ms = maker.value(1..60_u64);
    std::thread::sleep(Duration::from_millis(wait_ms));
    let _ = child.kill();
    let _ = child.wait();
    let bytes = std::fs::read(&path).unwrap_or_default();
    broken::check_cut(&bytes, bytes.len())
}

/// Logs random sessions one after the other until killed.
fn victim(path: &std::path::Path, seed: u64) -> ! {
    let mut maker = Maker::new(seed);
    let file = std::fs::File::create_new(path).expect("a new file");
    run::run_for_ever(file, || maker.value(maker.rust.clone()))
}
