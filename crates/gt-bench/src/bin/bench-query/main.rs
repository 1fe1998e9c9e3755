//! `make bench-query`: how fast queries are, against the thesis's algorithm, DuckDB and the memory's speed.
//!
//! ```text
//! bench-query [--trees 1,6] [--runs 5] [--plots DIR] [--without-duckdb] [--without-fruit]
//!             [--quick] [--thesis] [--manual] [--form TEXT] [--billion] [--save FILE] [--against FILE]
//!
//! thesis   queries × trees of section 5.1 and 5.2 ─┐
//! forms    every form of the language × five trees ┼─▶ rates ─▶ the worst, and whether it is enough
//! manual   its examples × the chess tree ──────────┘
//! ```
//!
//! `--quick` takes the smallest tree alone, for use while developing; its figures mean little. Alone are measured, with
//! `--thesis`, the thesis's queries, with `--manual` the manual's examples, with `--form TEXT` the forms that contain the
//! text, and with `--billion` a log of a thousand million nodes.
//! `--save` keeps the rates, `--against` tells which have fallen since. Logs are made once and kept in
//! `target/bench-data`.
//!
//! **Invariant:** what two programs answer to the same question is compared; a difference ends the run with an error.

mod agreement;
mod arguments;
mod baseline;
mod billion;
mod columns;
mod derived;
mod duckdb;
mod floors;
mod form_rates;
mod forms;
mod fruit;
mod manual;
mod measure;
mod memory;
mod plots;
mod queries;
mod threads;
mod timing;
mod trees;

use std::error::Error;
use std::path::Path;

use gt_log::Log;

use arguments::{Asked, Part};
use baseline::Rates;
use form_rates::measure_forms;
use measure::{Measured, depth_ratio, measure_tree};
use queries::{QUERIES, against_duckdb};
use trees::{TREES, data_folder, form_trees, generated};

const THREADS: usize = 2;

/// Measures a part, adds its rates, and gives the number of answers that differ from DuckDB's.
type PartFn = fn(&Path, &Asked, &mut Rates) -> Result<usize, Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let asked = Asked::from_arguments()?;
    let folder = data_folder()?;
    if let Some((log, query)) = &asked.alone {
        return billion::answer_alone(log, query);
    }
    if asked.billion {
        return billion::measure_billion(&folder);
    }
    let mut rates = Rates::new();
    let mut different = 0;
    let parts: [(Part, PartFn); 3] =
        [(Part::Thesis, thesis), (Part::Forms, forms_on_trees), (Part::Manual, manual_examples)];
    for (part, run) in parts {
        if asked.only.is_some_and(|only| only != part) {
            continue;
        }
        different += run(&folder, &asked, &mut rates)?;
        // After each part: a run may take an hour, and be stopped.
        if let Some(path) = &asked.save {
            baseline::save(path, &rates)?;
        }
    }
    if let Some(path) = &asked.against {
        baseline::compare(path, &rates)?;
    }
    match different {
        0 => Ok(()),
        _ => Err(format!("{different} answers differ from DuckDB's").into()),
    }
}

/// The thesis's queries on its trees and on Fruit's; gives the number of answers that differ from DuckDB's.
fn thesis(folder: &Path, asked: &Asked, rates: &mut Rates) -> Result<usize, Box<dyn Error>> {
    let (mut measured, mut different): (Vec<(usize, Measured)>, usize) = (Vec::new(), 0);
    for &number in &asked.trees {
        let (depth, branching) = TREES[number - 1];
        let log = Log::open(generated(folder, depth, branching)?)?;
        println!("\nTree {number}: depth {depth}, branching {branching}, {} nodes", log.tree(0)?.nodes());
        let mut of_tree = measure_tree(&log, asked.runs)?;
        if asked.duckdb && (depth == 10 || asked.quick) {
            different += against_duckdb(folder, &log, &mut of_tree, asked.runs)?;
        }
        let named = QUERIES.iter().enumerate();
        rates.extend(
            named.map(|(place, query)| (format!("Tree {number}: {}", query.name), of_tree.rate(place))),
        );
        measured.push((number, of_tree));
    }
    if asked.fruit {
        fruit::measure_fruit(folder, asked.runs)?;
    }
    let depth = if asked.trees.contains(&1) && asked.trees.contains(&6) {
        let [deep, shallow] =
            [1, 6].map(|number: usize| generated(folder, TREES[number - 1].0, TREES[number - 1].1));
        Some(depth_ratio(&Log::open(deep?)?, &Log::open(shallow?)?, asked.runs)?)
    } else {
        None
    };
    floors::print_floors(&measured, depth);
    if let Some(plots) = &asked.plots {
        std::fs::create_dir_all(plots)?;
        plots::write_plots(plots, &measured)?;
        println!("\nplots are in {}", plots.display());
    }
    Ok(different)
}

/// Every form of the language, and one thread against two; gives the number of answers that differ from DuckDB's.
fn forms_on_trees(folder: &Path, asked: &Asked, rates: &mut Rates) -> Result<usize, Box<dyn Error>> {
    let trees = form_trees(folder, asked)?;
    let mut measured = Vec::new();
    for tree in &trees {
        measured.extend(measure_forms(folder, tree, asked)?);
    }
    let answered =
        measured.iter().filter_map(|form| Some((format!("{}: {}", form.tree, form.gtql), form.rate?)));
    rates.extend(answered);
    // Of moderate size, so that the clock of a busy machine has quiet moments.
    if let Some(tree) = trees.iter().find(|tree| tree.joins) {
        let with = asked.form.as_deref().unwrap_or_default();
        threads::print_threads(&Log::open(&tree.path)?, &tree.name, with, asked.runs)?;
    }
    floors::print_form_floors(&measured);
    Ok(measured.iter().filter(|form| form.differs).count())
}

/// The manual's examples on the tree with the most attributes, the last one; nothing is compared.
fn manual_examples(folder: &Path, asked: &Asked, _: &mut Rates) -> Result<usize, Box<dyn Error>> {
    if let Some(tree) = form_trees(folder, asked)?.last() {
        let slowest = manual::measure_manual(&Log::open(&tree.path)?, &tree.name, asked.runs)?;
        floors::print_manual_floor(slowest.as_ref());
    }
    Ok(0)
}
