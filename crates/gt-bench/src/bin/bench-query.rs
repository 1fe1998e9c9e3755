//! `make bench-query`: the thesis's efficiency queries on its artificial trees, against its algorithm and DuckDB.
//!
//! ```text
//! bench-query [--trees 1,6] [--runs 5] [--plots DIR] [--without-duckdb]
//! ```
//!
//! Trees are generated once and kept in `target/bench-data`. Machines are shared, so a figure is the CPU time of the
//! best of several runs divided by the two threads: what an idle machine with two cores would take.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use gt_log::{Artificial, Column, Log, LogWriter, Options, Shape};
use gt_query::engine::{self, Stats};
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, Program, Value, compile, reference};

/// Depth and branching of the thesis's Trees 1 to 9.
const TREES: [(usize, u64); 9] =
    [(24, 2), (15, 3), (10, 5), (9, 7), (8, 9), (5, 35), (5, 30), (5, 20), (5, 10)];

const QUERIES: [(&str, &str); 11] = [
    ("Q1", "node:count(*)"),
    ("Q2", "node:count(*); child:count(type=[]type)>0"),
    ("Q3", "node:count(*); subtree:count(*)>300"),
    ("Q4", "node:count(*); child:count(type=[]type)>0; subtree:count(*)>300"),
    ("Q5", "node:count(best=0)"),
    ("Q6", "node:count(best=0); child:count(type=[]type)>0"),
    ("Q7", "node:count(best=0); subtree:count(*)>300"),
    ("Q8", "node:count(best=0); child:count(type=[]type)>0; subtree:count(*)>300"),
    ("below", "node:count(*); subtree:count(best=0)>30"),
    ("max", "node:count(*); subtree:max(best)>8"),
    ("path", "node:count(*); path:count(best=0)>2"),
];

const THREADS: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = Asked::from_arguments()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-data");
    std::fs::create_dir_all(&folder)?;
    let mut rates = Vec::new();
    for &number in &asked.trees {
        let (depth, branching) = TREES[number - 1];
        let path = generated(&folder, depth, branching)?;
        let log = Log::open(&path)?;
        println!("\nTree {number}: depth {depth}, branching {branching}, {} nodes", log.tree(0)?.nodes());
        rates.push((number, measure_tree(&log, &asked)?));
        if asked.duckdb && depth == 10 {
            against_duckdb(&folder, &log, &rates[rates.len() - 1].1)?;
        }
    }
    if let Some(plots) = &asked.plots {
        std::fs::create_dir_all(plots)?;
        write_plots(plots, &rates)?;
        println!("\nplots are in {}", plots.display());
    }
    Ok(())
}

struct Asked {
    trees: Vec<usize>,
    runs: usize,
    plots: Option<PathBuf>,
    duckdb: bool,
}

impl Asked {
    fn from_arguments() -> Result<Self, String> {
        let mut asked = Self { trees: (1..=TREES.len()).collect(), runs: 5, plots: None, duckdb: true };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
            match argument.as_str() {
                "--trees" => {
                    let numbers = value()?;
                    let parse = |text: &str| text.parse().ok().filter(|number| (1..=9).contains(number));
                    let numbers: Option<Vec<usize>> = numbers.split(',').map(parse).collect();
                    asked.trees = numbers.ok_or("--trees wants numbers from 1 to 9, with commas between")?;
                }
                "--runs" => asked.runs = value()?.parse().map_err(|_| "--runs wants a number")?,
                "--plots" => asked.plots = Some(value()?.into()),
                "--without-duckdb" => asked.duckdb = false,
                other => return Err(format!("{other} is not known; see the head of bench-query.rs")),
            }
        }
        Ok(asked)
    }
}

fn generated(folder: &Path, depth: usize, branching: u64) -> Result<PathBuf, gt_log::Error> {
    let path = folder.join(format!("full-{depth}-{branching}.gtf"));
    if path.exists() {
        return Ok(path);
    }
    let unfinished = path.with_extension("part");
    let log = LogWriter::create(&unfinished, Artificial::header()?)?;
    let tree = Artificial { shape: Shape::Full, depth, branching, seed: 1 };
    // No limit of time, so that blocks do not depend on how busy the machine is.
    let mut options = Options::default();
    options.flush.time_ms_max = None;
    tree.write(&log, options, |_| {})?;
    log.finish()?;
    std::fs::rename(&unfinished, &path)?;
    Ok(path)
}

/// Nodes per second of each query, and then of all eight of section 5.1 as one file.
fn measure_tree(log: &Log, asked: &Asked) -> Result<Vec<f64>, Box<dyn Error>> {
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
        let (seconds, stats) = measure(&program, log, asked.runs)?;
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
    let (together, _) = measure(&compiled(&eight.join("\n\n"))?, log, asked.runs)?;
    println!(
        "  Q1 to Q8 as one file: {:.2} ms, {:.2} × the slowest alone",
        together * 1e3,
        together / slowest
    );
    rates.push(nodes / together);
    for (what, text) in [
        ("node:best=0", "node:count(best=0)"),
        ("subtree:count(best=0)>0", "node:count(*); subtree:count(best=0)>0"),
    ] {
        let (counting, _) = measure(&compiled(text)?, log, asked.runs)?;
        let (collecting, stats) = measure(&compiled(what)?, log, asked.runs)?;
        println!(
            "  collecting {what}: {:.2} ms, {:.2} × counting, {:.1}% match",
            collecting * 1e3,
            collecting / counting,
            100.0 * stats.matches[0] as f64 / nodes
        );
    }
    Ok(rates)
}

/// The CPU seconds of the best run for each thread.
fn measure(program: &Program, log: &Log, runs: usize) -> Result<(f64, Stats), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let options = engine::Options { threads: THREADS, ..engine::Options::default() };
    let mut best = f64::INFINITY;
    let mut stats = Stats::default();
    for _ in 0..runs.max(1) {
        let start = process_seconds();
        let outcome = engine::run(program, tree, &options)?;
        best = best.min((process_seconds() - start) / THREADS as f64);
        stats = outcome.stats;
    }
    Ok((best, stats))
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

/// The same queries by DuckDB, on a table with a row for each node.
fn against_duckdb(folder: &Path, log: &Log, rates: &[f64]) -> Result<(), Box<dyn Error>> {
    let nodes = log.tree(0)?.nodes();
    let columns = folder.join("columns");
    std::fs::create_dir_all(&columns)?;
    write_columns(log, &columns)?;
    let output =
        Command::new("python3").arg("-c").arg(DUCKDB).arg(&columns).arg(THREADS.to_string()).output()?;
    std::fs::remove_dir_all(&columns)?;
    if !output.status.success() {
        println!(
            "  DuckDB is left out: {}",
            String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("")
        );
        return Ok(());
    }
    println!("  against DuckDB on the same tree:");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(matches), Some(seconds)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Ok(seconds) = seconds.parse::<f64>() else { continue };
        let Some(place) = QUERIES.iter().position(|query| query.0 == name) else { continue };
        let environment = Environment::new(log.schema());
        let program = compile(QUERIES[place].1, &environment).map_err(|errors| format!("{errors:?}"))?;
        let ours = engine::run(&program, log.tree(0)?, &engine::Options::default())?.answers;
        let agrees = matches!(&ours[0], Ok(Answer::Count(count)) if count.to_string() == matches);
        println!(
            "    {name:<7}{:>14.3e} nodes/s; this is {:.1} × as fast{}",
            nodes as f64 / seconds,
            rates[place] * seconds / nodes as f64,
            if agrees { "" } else { "; BUT THE ANSWERS DIFFER" }
        );
    }
    Ok(())
}

fn write_columns(log: &Log, folder: &Path) -> Result<(), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let mut sizes = Vec::new();
    let mut best = Vec::new();
    let mut kind = Vec::new();
    for (block, head) in tree.blocks().enumerate() {
        let rows = head.rows as usize;
        sizes.extend(tree.decode(block, Column::Size)?.widened(rows));
        best.extend(tree.decode(block, Column::Attribute(0))?.widened(rows));
        kind.extend(tree.decode(block, Column::Attribute(1))?.widened(rows));
    }
    let mut parents = vec![-1_i64; sizes.len()];
    let mut tops: Vec<usize> = Vec::new();
    for (row, size) in sizes.iter().enumerate() {
        let start = row as i64 + 1 - size;
        while let Some(child) = tops.pop_if(|top| *top as i64 >= start) {
            parents[child] = row as i64;
        }
        tops.push(row);
    }
    for (name, values) in [("size", &sizes), ("parent", &parents), ("best", &best), ("type", &kind)] {
        let bytes: Vec<u8> = values.iter().flat_map(|value| (*value as i32).to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

const DUCKDB: &str = r#"
import sys, time
import duckdb, numpy
folder, threads = sys.argv[1], int(sys.argv[2])
columns = {name: numpy.fromfile(f"{folder}/{name}", dtype=numpy.int32) for name in ("size", "parent", "best", "type")}
columns["id"] = numpy.arange(len(columns["size"]), dtype=numpy.int32)
db = duckdb.connect()
db.execute(f"set threads = {threads}")
db.execute("create table t as select * from columns")
join = "select count(*) from (select p.id from t c join t p on c.parent = p.id where c.type = p.type{} group by p.id having count(*) > 0)"
queries = {
    "Q1": "select count(*) from t",
    "Q2": join.format(""),
    "Q3": "select count(*) from t where size - 1 > 300",
    "Q4": join.format(" and p.size - 1 > 300"),
    "Q5": "select count(*) from t where best = 0",
    "Q6": join.format(" and p.best = 0"),
    "Q7": "select count(*) from t where best = 0 and size - 1 > 300",
    "Q8": join.format(" and p.best = 0 and p.size - 1 > 300"),
    "below": """with s as (select id, size, best, sum(case when best = 0 then 1 else 0 end) over (order by id) as c from t)
        select count(*) from s a left join s b on b.id = a.id - a.size
        where a.c - (case when a.best = 0 then 1 else 0 end) - coalesce(b.c, 0) > 30""",
}
for name, sql in queries.items():
    best, count = 1e9, 0
    for _ in range(3):
        start = time.process_time()
        count = db.execute(sql).fetchone()[0]
        best = min(best, (time.process_time() - start) / threads)
    print(name, count, best)
"#;

/// Bars of nodes per second: for each of the thesis's three figures, which are the trees by depth, by branching, and
/// the larger queries.
fn write_plots(folder: &Path, rates: &[(usize, Vec<f64>)]) -> Result<(), Box<dyn Error>> {
    let figures: [(&str, &str, &[usize], &[usize]); 3] = [
        ("figure-5-1.svg", "Trees of different depths", &[1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5, 6, 7]),
        ("figure-5-2.svg", "Trees of different sizes", &[6, 7, 8, 9], &[0, 1, 2, 3, 4, 5, 6, 7]),
        (
            "figure-5-3.svg",
            "Counts and folds over subtrees and paths",
            &[1, 2, 3, 4, 5, 6, 7, 8, 9],
            &[8, 9, 10],
        ),
    ];
    for (file, title, trees, queries) in figures {
        let chosen: Vec<_> = rates.iter().filter(|(number, _)| trees.contains(number)).collect();
        if !chosen.is_empty() {
            std::fs::write(folder.join(file), bars(title, &chosen, queries))?;
        }
    }
    Ok(())
}

fn bars(title: &str, rates: &[&(usize, Vec<f64>)], queries: &[usize]) -> String {
    const COLOURS: [&str; 8] =
        ["#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#9c755f"];
    let (bar, gap, left, top, height) = (14.0, 22.0, 70.0, 40.0, 260.0);
    let group = bar * queries.len() as f64 + gap;
    let width = left + group * rates.len() as f64 + 90.0;
    // A logarithmic scale from 10^7 to 10^12 nodes per second.
    let y = |rate: f64| top + height * (1.0 - (rate.max(1e7).log10() - 7.0) / 5.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{left}\" y=\"20\" font-size=\"14\">{title}: nodes per second</text>\n",
        top + height + 40.0
    );
    for power in 7..=12 {
        let line = y(10_f64.powi(power));
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{line}\" y2=\"{line}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">10^{power}</text>",
            width - 80.0,
            left - 6.0,
            line + 4.0
        );
    }
    for (place, (number, rates)) in rates.iter().enumerate() {
        let x = left + gap / 2.0 + group * place as f64;
        for (bar_place, &query) in queries.iter().enumerate() {
            let line = y(rates[query]);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{line}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}: {:.2e}</title></rect>",
                x + bar * bar_place as f64,
                bar - 2.0,
                top + height - line,
                COLOURS[bar_place % 8],
                QUERIES[query].0,
                rates[query]
            );
        }
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">Tree {number}</text>", top + height + 18.0);
    }
    for (place, &query) in queries.iter().enumerate() {
        let line = top + 16.0 * place as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{line}\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>",
            width - 70.0,
            COLOURS[place % 8],
            width - 54.0,
            line + 10.0,
            QUERIES[query].0
        );
    }
    svg + "</svg>\n"
}
