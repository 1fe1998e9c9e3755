//! The queries on one tree, against the thesis's algorithm.

use std::error::Error;

use gt_log::Log;
use gt_query::engine::{self, Finding, Stats};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Program, Value, compile, reference};

use crate::{QUERIES, THREADS};

/// What charts and profiles ask.
const SHOWN: [(&str, &str); 4] = [
    ("group by @ply: count(*), avg(@children)", "node:* group by @ply select @ply, count(*), avg(@children)"),
    ("group by best: count(*)", "node:* group by best select best, count(*)"),
    (
        "group by best of 10%: count(*), max(@size)",
        "node:best=0 group by best select best, count(*), max(@size)",
    ),
    (
        "the ten largest of 10%, with their lines",
        "let below = subtree:count(*) node:best=0 and below>100 select node_id, below, @line order by below desc limit 10",
    ),
];

/// Nodes per second of each query, and then of all eight of section 5.1 as one file.
pub(crate) fn measure_tree(log: &Log, runs: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let tree = log.tree(0)?;
    let nodes = tree.nodes() as f64;
    let environment = Environment::new(log.schema());
    let compiled = |text: &str| compile(text, &environment).map_err(|errors| format!("{errors:?}"));
    let depth = tree.depth() as usize;
    let small = small_tree(depth, tree.branching().round() as usize, log);
    println!("  {:<7}{:>12}{:>14}{:>12}{:>12}  decoded", "query", "matches", "nodes/s", "ms", "× reference");
    let mut rates = Vec::new();
    let mut slowest = 0_f64;
    for (name, text) in QUERIES {
        let program = compiled(text)?;
        let (seconds, stats) = measure(&program, log, runs)?;
        let rate = nodes / seconds;
        let per_node = reference_seconds_per_node(&program, &small);
        if name.starts_with('Q') {
            slowest = slowest.max(seconds);
        }
        println!(
            "  {name:<7}{:>12}{rate:>14.3e}{:>12.2}{:>12.0}  {} columns, {} kB",
            stats.matches[0],
            seconds * 1e3,
            per_node * nodes / seconds,
            stats.columns_decoded,
            stats.bytes_read / 1000
        );
        rates.push(rate);
    }
    let eight: Vec<&str> = QUERIES[..8].iter().map(|query| query.1).collect();
    let (together, _) = measure(&compiled(&eight.join("\n\n"))?, log, runs)?;
    println!(
        "  Q1 to Q8 as one file: {:.2} ms, {:.2} × the slowest alone",
        together * 1e3,
        together / slowest
    );
    rates.push(nodes / together);
    collecting(log, runs)?;
    println!("  rows and groups:");
    for (what, text) in SHOWN {
        let (seconds, stats) = measure(&compiled(text)?, log, runs.min(2))?;
        println!("    {what:<44}{:>12}{:>14.3e}{:>12.2}", stats.matches[0], nodes / seconds, seconds * 1e3);
    }
    Ok(rates)
}

/// Prints what it takes to hold the matches instead of counting them, and to read all their node_ids as well.
fn collecting(log: &Log, runs: usize) -> Result<(), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let environment = Environment::new(log.schema());
    let compiled = |text: &str| compile(text, &environment).map_err(|errors| format!("{errors:?}"));
    for (what, text) in [
        ("node:best=0", "node:count(best=0)"),
        ("subtree:count(best=0)>0", "node:count(*); subtree:count(best=0)>0"),
    ] {
        // One after the other, so that what else the machine does meets all alike.
        let (count, collect) = (compiled(text)?, compiled(what)?);
        let mut best = [f64::INFINITY; 4];
        let mut matches = 0;
        for _ in 0..3 * runs.max(1) {
            let seconds = [
                timed(|| {
                    engine::find(&count, tree, &OPTIONS).map(|findings| matches = findings.stats.matches[0])
                })?,
                timed(|| engine::find(&collect, tree, &OPTIONS).map(drop))?,
                timed(|| {
                    let findings = engine::find(&collect, tree, &OPTIONS)?;
                    for found in findings.found.into_iter().flatten() {
                        if let Finding::Matches(matches) = found {
                            std::hint::black_box(matches.ids(&OPTIONS)?.count());
                        }
                    }
                    Ok(())
                })?,
                timed(|| engine::run(&collect, tree, &OPTIONS).map(drop))?,
            ];
            best.iter_mut().zip(seconds).for_each(|(best, seconds)| *best = best.min(seconds));
        }
        println!(
            "  collecting {what}, {:.1}% match: {:.2} ms, {:.2} × counting; with all node_ids as a set {:.2} ms, \
             {:.2} ×, as a list {:.2} ms, {:.2} ×",
            100.0 * matches as f64 / tree.nodes() as f64,
            best[1] * 1e3,
            best[1] / best[0],
            best[2] * 1e3,
            best[2] / best[0],
            best[3] * 1e3,
            best[3] / best[0],
        );
    }
    Ok(())
}

const OPTIONS: engine::Options<'static> =
    engine::Options { threads: THREADS, count_only: false, cancel: None };

/// The CPU seconds of the best run for each thread.
pub(crate) fn measure(program: &Program, log: &Log, runs: usize) -> Result<(f64, Stats), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut best = f64::INFINITY;
    let mut stats = Stats::default();
    for _ in 0..runs.max(1) {
        best = best.min(timed(|| engine::run(program, tree, &OPTIONS).map(|outcome| stats = outcome.stats))?);
    }
    Ok((best, stats))
}

/// The CPU seconds of a run for each thread.
fn timed(run: impl FnOnce() -> Result<(), engine::Failure>) -> Result<f64, engine::Failure> {
    let start = process_seconds();
    run()?;
    Ok((process_seconds() - start) / THREADS as f64)
}

/// The CPU time that all threads of this process have used.
fn process_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Unix and `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A tree of the same depth and some thousand nodes, for the thesis's algorithm, whose cost for a node grows with the
/// depth alone.
fn small_tree(depth: usize, branching: usize, log: &Log) -> PlainTree {
    const NODES_MAX: usize = 30_000;
    let mut tree = PlainTree::new(log.schema().clone());
    let mut random = 1_u64;
    let mut open: Vec<(usize, usize)> = Vec::new();
    while tree.nodes().len() < NODES_MAX {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let best = Some(Value::Integer(i128::from(random >> 33) % 10));
        let values = vec![best, Some(Value::Integer(1))];
        let Some(number) = tree.push(open.last().map(|&(node, _)| node), 0, values) else { break };
        open.push((number, branching));
        while open.len() > depth || open.last().is_some_and(|&(_, left)| left == 0) {
            open.pop();
        }
        match open.last_mut() {
            Some((_, left)) => *left -= 1,
            None => break,
        }
    }
    tree
}

fn reference_seconds_per_node(program: &Program, tree: &PlainTree) -> f64 {
    let (seconds, answers) = gt_bench::best_of(1, || reference::answer(program, tree));
    assert!(answers.iter().all(Result::is_ok));
    // One thread: the ratio that is printed is that of two threads of the engine to one of this.
    seconds / tree.nodes().len() as f64
}
