//! `make bench-view`: how fast the viewer's server answers, and what it takes.
//!
//! The server runs in a process of its own (this program with `serve LOG`), so that its memory is its own. Zooms and
//! expansions are random walks over HTTP, as a page makes them: a picture, one of its rectangles, the picture of that. Moments
//! of the replay are anywhere in the search.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use gt_bench::row;
use gt_games::Notation;
use gt_games::chess::{Chess, SixTerms};
use gt_log::{Artificial, Log, LogWriter, Metadata, Options, Shape};
use gt_record::Recorder;
use gt_search::{Limits, Searcher};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;

const CHESS_NODES: u64 = 12_000_000;
const STEPS: usize = 1500;
const MOMENTS: usize = 300;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, log] = &arguments[..]
        && command == "serve"
    {
        return serve(Path::new(log));
    }
    let folder = tempfile::tempdir()?;
    for (name, log) in [("artificial", artificial(folder.path())?), ("chess", chess(folder.path())?)] {
        bench(name, &log)?;
    }
    let page = gt_view::page_bytes();
    let weight = if page == 0 { "not built".to_owned() } else { format!("{:.0} kB", page as f64 / 1e3) };
    row("page, compressed", &weight, "at most 300 kB");
    Ok(())
}

/// Serves a log until the input ends.
fn serve(log: &Path) -> Outcome<()> {
    let server = gt_view::Server::start(&[log], 0)?;
    println!("{}", server.address());
    std::io::stdout().flush()?;
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

fn artificial(folder: &Path) -> Outcome<PathBuf> {
    let path = folder.join("artificial.gtf");
    let writer = LogWriter::create_with(&path, Artificial::header()?, gt_log::Existing::Replace)?;
    let tree = Artificial { shape: Shape::Full, depth: 5, branching: 35, seed: 1 };
    tree.write(&writer, Options::default(), |_| {})?;
    writer.finish()?;
    Ok(path)
}

/// A search of so many nodes, iteration by iteration.
fn chess(folder: &Path) -> Outcome<PathBuf> {
    let path = folder.join("chess.gtf");
    let game = Chess::new().into_search_root();
    let writer = LogWriter::create_with(&path, gt_record::header("chess")?, gt_log::Existing::Replace)?;
    let mut recorder = Recorder::new(&writer, Metadata::new().with("position", game.position_text()));
    let mut searcher = Searcher::new(SixTerms, gt_search::Options::selective());
    searcher.search_observed(&game, &Limits::nodes(CHESS_NODES), &mut recorder, |_| ());
    recorder.finish()?;
    writer.finish()?;
    Ok(path)
}

fn bench(name: &str, path: &Path) -> Outcome<()> {
    // What was just written is in the page cache; reading it makes sure.
    std::fs::read(path)?;
    let log = Log::open(path)?;
    let (tree, nodes) = log
        .trees()
        .map(|tree| (tree.number(), tree.nodes()))
        .max_by_key(|(_, nodes)| *nodes)
        .unwrap_or((0, 0));
    let all: u64 = log.trees().map(|tree| tree.nodes()).sum();
    println!("{name}: a tree of {nodes} nodes, {all} in the log");

    let mut served = Served::start(path)?;
    served.get(&format!("/api/picture?tree={tree}&color=best"))?;
    row(
        "start to first picture",
        &format!("{:.3} s", served.started.elapsed().as_secs_f64()),
        "at most 0.3 s",
    );

    let mut walk = Walk {
        served: &mut served,
        tree,
        node: 0,
        random: 1,
        zooms: Vec::new(),
        expansions: Vec::new(),
        moments: Vec::new(),
        memory: 0,
    };
    for _ in 0..STEPS {
        walk.step()?;
    }
    for _ in 0..MOMENTS {
        walk.moment(nodes)?;
    }
    let Walk { mut zooms, mut expansions, mut moments, memory, .. } = walk;
    told("a zoom step", &mut zooms);
    told("an expanded node", &mut expansions);
    told("a moment of the replay", &mut moments);
    let each = memory as f64 / all as f64;
    row(
        "server memory",
        &format!("{:.2} bytes/node ({:.0} MB)", each, memory as f64 / 1e6),
        "at most 2 bytes/node",
    );
    println!();
    Ok(())
}

fn told(what: &str, milliseconds: &mut [f64]) {
    milliseconds.sort_by(f64::total_cmp);
    let at = |part: f64| milliseconds[((milliseconds.len() - 1) as f64 * part) as usize];
    row(
        &format!("{what}, 99th percentile of {}", milliseconds.len()),
        &format!("{:.1} ms", at(0.99)),
        "at most 50 ms",
    );
    row("  median, longest", &format!("{:.1} ms, {:.1} ms", at(0.5), at(1.0)), "");
}

/// A page that zooms and expands at random.
struct Walk<'s> {
    served: &'s mut Served,
    tree: usize,
    node: u64,
    random: u64,
    /// Milliseconds.
    zooms: Vec<f64>,
    expansions: Vec<f64>,
    moments: Vec<f64>,
    memory: u64,
}

impl Walk<'_> {
    fn step(&mut self) -> Outcome<()> {
        let view = ["icicle", "treemap"][self.below(2)];
        let color = ["best", "type", "@size"][self.below(3)];
        let (tree, node) = (self.tree, self.node);
        let started = Instant::now();
        let drawn =
            self.served.get(&format!("/api/picture?tree={tree}&node={node}&view={view}&color={color}"))?;
        self.zooms.push(milliseconds(started));
        let rectangles = &drawn["rectangles"];
        let column = |name: &str| -> Vec<u64> {
            rectangles[name].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
        };
        let (nodes, sizes, merged) = (column("node"), column("size"), column("merged"));
        let inner: Vec<u64> = (1..nodes.len())
            .filter(|&place| merged[place] == 0 && sizes[place] > 1)
            .map(|place| nodes[place])
            .collect();
        let next = if inner.is_empty() { 0 } else { inner[self.below(inner.len())] };

        let started = Instant::now();
        let opened = self.served.get(&format!("/api/children?tree={tree}&node={next}&limit=100"))?;
        self.expansions.push(milliseconds(started));
        assert!(opened["count"].as_u64().is_some(), "{opened}");
        // Mostly further in; now and then back to the root.
        self.node = if self.below(8) == 0 { 0 } else { next };
        self.memory = self.memory.max(self.served.memory());
        Ok(())
    }

    /// A moment of the search, and the node that the page asks for with it.
    fn moment(&mut self, nodes: u64) -> Outcome<()> {
        let (tree, after) = (self.tree, 1 + self.below(nodes as usize) as u64);
        let started = Instant::now();
        let then = self.served.get(&format!("/api/moment?tree={tree}&after={after}"))?;
        let node = after - 1;
        self.served.get(&format!("/api/node?tree={tree}&node={node}"))?;
        self.moments.push(milliseconds(started));
        assert!(then["moves"].is_array(), "{then}");
        self.memory = self.memory.max(self.served.memory());
        Ok(())
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % limit
    }
}

fn milliseconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

/// A server in a process of its own, and a connection to it.
struct Served {
    process: Child,
    connection: BufReader<TcpStream>,
    started: Instant,
}

impl Served {
    fn start(log: &Path) -> Outcome<Self> {
        let started = Instant::now();
        let mut process = Command::new(std::env::current_exe()?)
            .arg("serve")
            .arg(log)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut address = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut address)?;
        let connection = TcpStream::connect(address.trim())?;
        connection.set_nodelay(true)?;
        Ok(Self { process, connection: BufReader::new(connection), started })
    }

    fn get(&mut self, path: &str) -> Outcome<Value> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.connection.get_mut().write_all(request.as_bytes())?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.connection.read_line(&mut line)?;
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.connection.read_exact(&mut body)?;
        let answer: Value = serde_json::from_slice(&body)?;
        if let Some(error) = answer.get("error") {
            return Err(format!("{path}: {error}").into());
        }
        Ok(answer)
    }

    /// What the server holds in memory that is no file, in bytes; 0 where the system does not tell.
    fn memory(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"))
            .and_then(|text| text.split_whitespace().next());
        kilobytes.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) * 1024
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Its input ends, and it does.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
