//! `make bench-guard`: what comparing, explaining and checking trees takes.
//!
//! Each part measures its own figures by the clock with all processors, the best of several runs; files are in the page cache.
//! On a machine that is busy otherwise, CPU time says more, and stands beside them. Memory is measured in a process of its own (this program with `diff A B`), so that it is the comparison's alone.

#[path = "bench-guard/pack.rs"]
mod pack;
#[path = "bench-guard/single.rs"]
mod single;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use gt_bench::{best_of, resident_bytes_max, row};
use gt_diff::{Diff, Options, Side};
use gt_log::{Existing, Header, Kind, Log, LogWriter, Metadata, Schema, Value};

type Outcome<T> = Result<T, Box<dyn Error>>;

const NODES: u64 = 5_000_000;
const RUNS: usize = 5;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, a, b] = &arguments[..]
        && command == "diff"
    {
        return measured_diff(Path::new(a), Path::new(b));
    }
    let folder = tempfile::tempdir()?;
    diff(folder.path())?;
    let searched = folder.path().join("search.gtf");
    pack::search(&searched)?;
    pack::pack(&searched)?;
    single::why(&searched)?;
    single::twins(&searched)
}

/// `gt diff` of two trees with ten attributes.
fn diff(folder: &Path) -> Outcome<()> {
    println!("gt diff: two trees of about {} million nodes with 10 attributes", NODES / 1_000_000);
    let old = tree(&folder.join("old.gtf"), 0)?;
    let twin = tree(&folder.join("twin.gtf"), 0)?;
    let new = tree(&folder.join("new.gtf"), 5_000)?;
    for (what, other, least) in
        [("a tree and one that differs in places", &new, 20.0), ("the same tree twice", &twin, 200.0)]
    {
        let output = Command::new(std::env::current_exe()?).arg("diff").args([&old, other]).output()?;
        let text = String::from_utf8(output.stdout)?;
        let mut numbers = text.split_whitespace().map(str::parse::<f64>);
        let mut number =
            || numbers.next().ok_or("the comparison told too little").map_err(Box::<dyn Error>::from);
        let (rate, rate_of_one, bytes, differing) = (number()??, number()??, number()??, number()??);
        row(
            what,
            &format!("{rate:.1} M nodes/s"),
            &format!("at least {least} M nodes/s, both trees counted"),
        );
        row("  with one thread, by its CPU time", &format!("{rate_of_one:.1} M nodes/s"), "");
        row("  memory", &format!("{bytes:.2} bytes/node"), "at most 8 bytes/node beside what differs");
        row("  nodes that differ", &format!("{differing}"), "");
    }
    Ok(())
}

/// Compares two logs, and prints millions of nodes a second by the clock and of one thread's CPU time, bytes a node beyond
/// what opening takes, and the nodes that differ.
fn measured_diff(a: &Path, b: &Path) -> Outcome<()> {
    let (a, b) = (Log::open(a)?, Log::open(b)?);
    let before = resident_bytes_max();
    let nodes = (a.tree(0)?.nodes() + b.tree(0)?.nodes()) as f64;
    let differing = |threads: usize| -> Outcome<u64> {
        let options = Options { threads, ..Options::default() };
        let diff = Diff::of(Side::new(&a, a.tree(0)?, "A"), Side::new(&b, b.tree(0)?, "B"), &options)?;
        let summary = diff.summary()?;
        Ok(summary.only_a + summary.only_b + summary.changed_nodes)
    };
    // What a comparison takes is what the first one takes: later ones find memory in pieces.
    differing(0)?;
    let bytes = resident_bytes_max().saturating_sub(before) as f64 / nodes;
    let mut seconds = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        differing(0)?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let (seconds_of_one, differing) = best_of(RUNS, || differing(1));
    let rate = |seconds: f64| nodes / seconds / 1e6;
    println!("{} {} {bytes} {}", rate(seconds), rate(seconds_of_one), differing?);
    Ok(())
}

const ATTRIBUTES: [(&str, Kind); 10] = [
    ("depth", Kind::I8),
    ("alpha", Kind::I16),
    ("beta", Kind::I16),
    ("best", Kind::I16),
    ("type", Kind::U8),
    ("move_index", Kind::U8),
    ("static_eval", Kind::I16),
    ("table_hit", Kind::Bool),
    ("reduction", Kind::I8),
    ("ended", Kind::U8),
];

/// A tree that looks like a search's; where `differing` is not 0, every so many nodes a value is another one and a leaf is
/// left out.
fn tree(path: &Path, differing: u64) -> Outcome<PathBuf> {
    let writer =
        LogWriter::create_with(path, Header::new("a game", Schema::new(ATTRIBUTES)?), Existing::Replace)?;
    let mut tree = writer.dynamic_tree(&Metadata::new(), gt_log::Options::default())?;
    let mut random = Random(7);
    let mut nodes = 0;
    // The children still to come, and the move of the next one.
    let mut open: Vec<(u64, i64)> = vec![(60, 0)];
    tree.enter(0)?;
    while let Some((left, next_move)) = open.last_mut() {
        if *left > 0 && nodes < NODES {
            *left -= 1;
            *next_move += 1 + (random.0 >> 60) as i64;
            let entered = *next_move;
            let depth = open.len() as u64;
            let children = if depth < 11 { random.below(8) } else { 0 };
            if differing > 0 && nodes % differing == differing - 1 && children == 0 {
                // What comes after it is as it is in the other tree.
                values(&mut random, depth as i64 + 1, false);
                nodes += 1;
                continue;
            }
            tree.enter(entered)?;
            open.push((children, 0));
        } else {
            let plies = open.len() as i64;
            nodes += 1;
            let is_other = differing > 0 && nodes % differing == differing / 2;
            tree.leave_values(&values(&mut random, plies, is_other))?;
            open.pop();
        }
    }
    tree.finish()?;
    writer.finish()?;
    Ok(path.to_owned())
}

fn values(random: &mut Random, plies: i64, is_other: bool) -> [Value; 10] {
    let best = random.below(200) as i64 - 100;
    let is_hit = random.below(4) == 0;
    [
        Value::Int(9 - plies),
        Value::Int(-40),
        Value::Int(-39),
        Value::Int(best + i64::from(is_other)),
        Value::Int(1 << random.below(3)),
        Value::Int(random.below(40) as i64),
        Value::Int(best + random.below(60) as i64),
        Value::Bool(is_hit),
        Value::Int(random.below(3) as i64),
        Value::Int(random.below(7) as i64),
    ]
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
