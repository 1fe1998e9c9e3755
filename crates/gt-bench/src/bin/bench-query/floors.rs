//! The targets, and whether this run reaches them.

use crate::QUERIES;
use crate::form_rates::FormRate;
use crate::forms::Line;
use crate::manual::Slowest;
use crate::measure::Measured;

/// Prints a line for each figure of the thesis's queries: the worst over all trees, and whether it is enough.
pub(crate) fn print_floors(measured: &[(usize, Measured)], depth: Option<(f64, &str)>) {
    println!("\nThe worst of all measured trees, and the targets");
    let rate = |names: &'static [&'static str]| {
        worst(measured, f64::min, |measured| {
            let places = (0..QUERIES.len()).filter(|&query| names.contains(&QUERIES[query].name));
            places.map(|query| measured.rate(query)).collect()
        })
    };
    let duckdb = |names: &'static [&'static str]| {
        worst(measured, f64::min, |measured| {
            let of_names = measured.of_duckdb.iter().filter(|(name, _)| names.contains(name));
            of_names.map(|(_, times)| *times).collect()
        })
    };
    at_least("Q1, Q3, Q5, Q7: nodes/s", rate(&["Q1", "Q3", "Q5", "Q7"]), 3e9);
    at_least("  × DuckDB", duckdb(&["Q1", "Q3", "Q5", "Q7"]), 4.0);
    at_least("Q7, Q8: nodes/s", rate(&["Q7", "Q8"]), 6e9);
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

/// Prints for each line of forms the worst rate and the worst ratio, where they were met, and whether they are enough.
pub(crate) fn print_form_floors(rates: &[FormRate]) {
    println!("\nThe worst of all forms and trees, and the targets");
    for line in Line::ALL {
        let (what, rate_min, ratio_min) = line.targets();
        let forms: Vec<&FormRate> = rates.iter().filter(|rate| rate.line == line).collect();
        if forms.is_empty() {
            continue;
        }
        println!("  {what}");
        print_worst("nodes/s", &forms, rate_min, |form| form.rate);
        print_worst("× DuckDB", &forms, ratio_min, |form| form.of_duckdb);
        let unanswered = forms.iter().filter(|form| form.rate.is_none()).count();
        if unanswered > 0 {
            println!("    {unanswered} of {} not answered: NOT REACHED", forms.len());
        }
    }
}

fn print_worst(unit: &str, forms: &[&FormRate], floor: Option<f64>, of: impl Fn(&FormRate) -> Option<f64>) {
    let found = forms.iter().filter_map(|form| Some((of(form)?, form)));
    match (found.min_by(|left, right| left.0.total_cmp(&right.0)), floor) {
        (None, _) => println!("    {unit:<12}{:>10}", "-"),
        (Some((found, form)), floor) => {
            let floor_text =
                floor.map_or("no target".to_owned(), |floor| format!("at least {}", number(floor)));
            let missed = if floor.is_some_and(|floor| found < floor) { "NOT REACHED" } else { "" };
            let found = number(found);
            println!(
                "    {unit:<12}{found:>10}   {floor_text:<18} {missed:<12} {}: {}",
                form.tree, form.gtql
            );
        }
    }
}

/// Prints the slowest example of the manual.
pub(crate) fn print_manual_floor(slowest: Option<&Slowest>) {
    at_most("slowest example, × fastest count", slowest.map(|slowest| slowest.ratio), 40.0);
    if let Some(slowest) = slowest {
        println!("    {}", slowest.text.replace('\n', " "));
    }
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

fn number(value: f64) -> String {
    if value >= 1e5 { format!("{value:.2e}") } else { format!("{value:.2}") }
}
