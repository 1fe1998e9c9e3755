//! `make bench-query`: the thesis's efficiency queries on its artificial trees, against its algorithm and DuckDB.
//!
//! ```text
//! bench-query [--trees 1,6] [--runs 5] [--plots DIR] [--without-duckdb] [--without-fruit]
//! ```
//!
//! Trees are generated once and kept in `target/bench-data`. Machines are shared, so a figure is the CPU time of the
//! best of several runs divided by the two threads: what an idle machine with two cores would take.

mod duckdb;
mod floors;
mod fruit;
mod measure;
mod memory;
mod plots;

use std::error::Error;
use std::path::{Path, PathBuf};

use gt_log::{Artificial, Log, LogWriter, Options, Shape};

use duckdb::against_duckdb;
use measure::{depth_ratio, measure_tree};
use plots::write_plots;

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
    let mut measured = Vec::new();
    for &number in &asked.trees {
        let (depth, branching) = TREES[number - 1];
        let path = generated(&folder, depth, branching)?;
        let log = Log::open(&path)?;
        println!("\nTree {number}: depth {depth}, branching {branching}, {} nodes", log.tree(0)?.nodes());
        let mut of_tree = measure_tree(&log, asked.runs)?;
        if asked.duckdb && depth == 10 {
            against_duckdb(&folder, &log, &mut of_tree)?;
        }
        measured.push((number, of_tree));
    }
    if asked.fruit {
        fruit::measure_fruit(&folder, asked.runs)?;
    }
    let depth = if asked.trees.contains(&1) && asked.trees.contains(&6) {
        let [deep, shallow] =
            [1, 6].map(|number: usize| generated(&folder, TREES[number - 1].0, TREES[number - 1].1));
        Some(depth_ratio(&Log::open(&deep?)?, &Log::open(&shallow?)?, asked.runs)?)
    } else {
        None
    };
    floors::print_floors(&measured, depth);
    if let Some(plots) = &asked.plots {
        std::fs::create_dir_all(plots)?;
        write_plots(plots, &measured)?;
        println!("\nplots are in {}", plots.display());
    }
    Ok(())
}

struct Asked {
    trees: Vec<usize>,
    runs: usize,
    plots: Option<PathBuf>,
    duckdb: bool,
    fruit: bool,
}

impl Asked {
    fn from_arguments() -> Result<Self, String> {
        let mut asked =
            Self { trees: (1..=TREES.len()).collect(), runs: 5, plots: None, duckdb: true, fruit: true };
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
                "--without-fruit" => asked.fruit = false,
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
    let log = LogWriter::create_with(&unfinished, Artificial::header()?, gt_log::Existing::Replace)?;
    let tree = Artificial { shape: Shape::Full, depth, branching, seed: 1 };
    // No limit of time, so that blocks do not depend on how busy the machine is.
    let mut options = Options::default();
    options.flush.time_ms_max = None;
    tree.write(&log, options, |_| {})?;
    log.finish()?;
    std::fs::rename(&unfinished, &path)?;
    Ok(path)
}
