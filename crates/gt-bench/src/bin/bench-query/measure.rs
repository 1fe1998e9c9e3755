//! The queries on one tree, against the thesis's algorithm.

use std::error::Error;

use gt_log::Log;
use gt_query::engine::{self, Finding};
use gt_query::plain_tree::PlainTree;
use gt_query::{Program, Value, reference};

use crate::memory::measure_memory;
use crate::timing::{compiled, in_turn, measure, median, milliseconds_of, options, ratio_of, timed};
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

/// What the queries took on one tree.
pub(crate) struct Measured {
    nodes: f64,
    /// By query.
    pub(crate) seconds: Vec<f64>,
    /// How many times as fast as the thesis's algorithm, by query.
    pub(crate) of_reference: Vec<f64>,
    /// All eight of section 5.1 as one file, in times of the slowest of them.
    pub(crate) together: f64,
    /// Holding matches instead of counting them, in times of that.
    pub(crate) collecting: Vec<f64>,
    /// The most bits for each node that a query takes.
    pub(crate) memory_bits: f64,
    /// How many times as fast as DuckDB, by the name of the query.
    pub(crate) of_duckdb: Vec<(&'static str, f64)>,
}

impl Measured {
    /// Whether the tree has enough blocks for two threads to be busy.
    pub(crate) fn is_large(&self) -> bool {
        self.nodes > 3e6
    }

    /// Nodes per second.
    pub(crate) fn rate(&self, query: usize) -> f64 {
        self.nodes / self.seconds[query]
    }
}

/// Measures and prints.
pub(crate) fn measure_tree(log: &Log, runs: usize) -> Result<Measured, Box<dyn Error>> {
    let tree = log.tree(0)?;
    let nodes = tree.nodes() as f64;
    let depth = tree.depth() as usize;
    let small = small_tree(depth, tree.branching().round() as usize, log);
    println!("  {:<7}{:>12}{:>14}{:>12}{:>12}  decoded", "query", "matches", "nodes/s", "ms", "× reference");
    let (mut each, mut of_reference) = (Vec::new(), Vec::new());
    let mut slowest = (0_f64, QUERIES[0].gtql);
    for query in &QUERIES {
        let (name, text) = (query.name, query.gtql);
        let program = compiled(text, log)?;
        let (seconds, stats) = measure(&program, log, runs)?;
        let rate = nodes / seconds;
        let per_node = reference_seconds_per_node(&program, &small);
        if name.starts_with('Q') && seconds > slowest.0 {
            slowest = (seconds, text);
        }
        println!(
            "  {name:<7}{:>12}{rate:>14.3e}{:>12.2}{:>12.0}  {} columns, {} kB",
            stats.matches[0],
            seconds * 1e3,
            per_node * nodes / seconds,
            stats.columns_decoded,
            stats.bytes_read / 1000
        );
        each.push(seconds);
        of_reference.push(per_node * nodes / seconds);
    }
    let eight: Vec<&str> = QUERIES[..8].iter().map(|query| query.gtql).collect();
    let (eight, alone) = (compiled(&eight.join("\n\n"), log)?, compiled(slowest.1, log)?);
    let rounds = in_turn(runs, || {
        Ok([
            timed(|| engine::find(&alone, tree, &options(THREADS)).map(drop))?,
            timed(|| engine::find(&eight, tree, &options(THREADS)).map(drop))?,
        ])
    })?;
    let together = ratio_of(&rounds, 1);
    println!(
        "  Q1 to Q8 as one file: {:.2} ms, {together:.2} × the slowest alone",
        milliseconds_of(&rounds, 1)
    );
    let collecting = collecting(log, runs)?;
    println!("  rows and groups:");
    for (what, text) in SHOWN {
        let (seconds, stats) = measure(&compiled(text, log)?, log, runs.min(2))?;
        println!("    {what:<44}{:>12}{:>14.3e}{:>12.2}", stats.matches[0], nodes / seconds, seconds * 1e3);
    }
    Ok(Measured {
        nodes,
        seconds: each,
        of_reference,
        together,
        collecting,
        memory_bits: measure_memory(log)?,
        of_duckdb: Vec::new(),
    })
}

/// Prints what it takes to hold the matches instead of counting them, and to read all their node_ids as well; gives the
/// first, in times of counting.
fn collecting(log: &Log, runs: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut ratios = Vec::new();
    let tree = log.tree(0)?;
    for (what, text) in [
        ("node:best=0", "node:count(best=0)"),
        ("subtree:count(best=0)>0", "node:count(*); subtree:count(best=0)>0"),
    ] {
        let (count, collect) = (compiled(text, log)?, compiled(what, log)?);
        let mut matches = 0;
        let rounds = in_turn(runs, || {
            Ok([
                timed(|| {
                    engine::find(&count, tree, &options(THREADS))
                        .map(|findings| matches = findings.stats.matches[0])
                })?,
                timed(|| engine::find(&collect, tree, &options(THREADS)).map(drop))?,
                timed(|| {
                    let findings = engine::find(&collect, tree, &options(THREADS))?;
                    for found in findings.found.into_iter().flatten() {
                        if let Finding::Matches(matches) = found {
                            std::hint::black_box(matches.ids(&options(THREADS))?.count());
                        }
                    }
                    Ok(())
                })?,
                timed(|| engine::run(&collect, tree, &options(THREADS)).map(drop))?,
            ])
        })?;
        let (milliseconds, ratio) = (|what| milliseconds_of(&rounds, what), |what| ratio_of(&rounds, what));
        println!(
            "  collecting {what}, {:.1}% match: {:.2} ms, {:.2} × counting; with all node_ids as a set {:.2} ms, \
             {:.2} ×, as a list {:.2} ms, {:.2} ×",
            100.0 * matches as f64 / tree.nodes() as f64,
            milliseconds(1),
            ratio(1),
            milliseconds(2),
            ratio(2),
            milliseconds(3),
            ratio(3),
        );
        ratios.push(ratio(1));
    }
    Ok(ratios)
}

/// How many times as fast the queries are on a shallow tree as on a deep one: of the query with the greatest ratio.
pub(crate) fn depth_ratio(
    deep: &Log,
    shallow: &Log,
    runs: usize,
) -> Result<(f64, &'static str), Box<dyn Error>> {
    let mut worst = (0.0, "");
    for query in &QUERIES[1..] {
        let (of_deep, of_shallow) = (compiled(query.gtql, deep)?, compiled(query.gtql, shallow)?);
        let mut ratios = Vec::new();
        for _ in 0..3 * runs.max(1) {
            let rate = |program: &Program, log: &Log| -> Result<f64, Box<dyn Error>> {
                let tree = log.tree(0)?;
                Ok(tree.nodes() as f64 / timed(|| engine::find(program, tree, &options(THREADS)).map(drop))?)
            };
            ratios.push(rate(&of_shallow, shallow)? / rate(&of_deep, deep)?);
        }
        let ratio = median(ratios);
        if ratio > worst.0 {
            worst = (ratio, query.name);
        }
    }
    Ok(worst)
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
