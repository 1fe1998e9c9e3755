//! What every run is to reach, and what this one has.

use crate::QUERIES;
use crate::measure::Measured;

/// Prints a line for each figure: the worst over all trees and queries, and whether it is enough.
pub(crate) fn print_floors(measured: &[(usize, Measured)], depth: Option<(f64, &str)>) {
    println!("\nThe worst of all trees that were measured, and what it is to be");
    let rate = |names: &'static [&'static str]| {
        worst(measured, f64::min, |measured| {
            let places = (0..QUERIES.len()).filter(|&query| names.contains(&QUERIES[query].0));
            places.map(|query| measured.rate(query)).collect()
        })
    };
    let duckdb = |names: &'static [&'static str]| {
        worst(measured, f64::min, |measured| {
            let of_names = measured.of_duckdb.iter().filter(|(name, _)| names.contains(&name.as_str()));
            of_names.map(|(_, times)| *times).collect()
        })
    };
    at_least("Q1, Q3, Q5, Q7: nodes/s", rate(&["Q1", "Q3", "Q5", "Q7"]), 3e9);
    at_least("  × DuckDB", duckdb(&["Q1", "Q3", "Q5", "Q7"]), 4.0);
    at_least("Q2, Q4, Q6, Q8: nodes/s", rate(&["Q2", "Q4", "Q6", "Q8"]), 6e8);
    at_least("  × DuckDB on Q2", duckdb(&["Q2"]), 30.0);
    at_least("counts and folds: nodes/s", rate(&["below", "max", "path"]), 6e8);
    at_least("  × DuckDB on the count", duckdb(&["below"]), 100.0);
    at_least("× the thesis's algorithm", worst(measured, f64::min, |of| of.of_reference.clone()), 15.0);
    let deepest = depth.map_or("", |(_, query)| query);
    let what = format!("depth: Tree 6, × Tree 1 {deepest}");
    at_most(&what, depth.map(|(ratio, _)| ratio), 2.0);
    at_most("Q1 to Q8 as one file, × the slowest", worst(measured, f64::max, |of| vec![of.together]), 2.0);
    at_most("collecting, × counting", worst(measured, f64::max, |of| of.collecting.clone()), 1.5);
    at_most("memory, bits for each node", worst(measured, f64::max, |of| vec![of.memory_bits]), 2.0);
}

fn worst(
    measured: &[(usize, Measured)],
    worse: fn(f64, f64) -> f64,
    of: impl Fn(&Measured) -> Vec<f64>,
) -> Option<f64> {
    // Trees that an index of a few blocks answers are too small to measure a rate.
    let large = measured.iter().filter(|(_, measured)| measured.is_large());
    large.flat_map(|(_, measured)| of(measured)).reduce(worse)
}

fn at_least(what: &str, found: Option<f64>, floor: f64) {
    line(what, found, "at least", floor, found.is_some_and(|found| found >= floor));
}

fn at_most(what: &str, found: Option<f64>, most: f64) {
    line(what, found, "at most", most, found.is_some_and(|found| found <= most));
}

fn line(what: &str, found: Option<f64>, bound: &str, figure: f64, holds: bool) {
    let number = |value: f64| if value >= 1e5 { format!("{value:.2e}") } else { format!("{value:.2}") };
    match found {
        Some(found) => println!(
            "  {what:<42}{:>10}   {bound} {:<8}{}",
            number(found),
            number(figure),
            if holds { "" } else { "NOT REACHED" }
        ),
        None => println!("  {what:<42}{:>10}", "-"),
    }
}
