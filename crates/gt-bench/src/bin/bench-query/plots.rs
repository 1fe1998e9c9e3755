//! Plots like the thesis's Figures 5.1 to 5.3, and one of counts and folds.

use std::error::Error;
use std::path::Path;

use gt_report::plot::{Size, svg};
use gt_report::{Axis, Chart, ChartKind, Series, Unit, X};

use crate::QUERIES;
use crate::measure::Measured;

/// The trees of the first and the second half of the thesis's experiment: by depth, and by branching.
const BY_DEPTH: [usize; 5] = [1, 2, 3, 4, 5];
const BY_BRANCHING: [usize; 4] = [6, 7, 8, 9];

/// Writes the plots that the trees that were measured are enough for. Q1 is in none of them: the index answers it.
pub(crate) fn write_plots(folder: &Path, measured: &[(usize, Measured)]) -> Result<(), Box<dyn Error>> {
    let of = |trees: &[usize]| -> Vec<&(usize, Measured)> {
        measured.iter().filter(|(number, _)| trees.contains(number)).collect()
    };
    for (file, title, trees, queries, is_time) in [
        ("query-times-by-depth", "Query times, trees of different depths", of(&BY_DEPTH), 1..8, true),
        (
            "query-times-by-branching",
            "Query times, trees of different branching",
            of(&BY_BRANCHING),
            1..8,
            true,
        ),
        (
            "query-rates-by-branching",
            "Billions of nodes per second, trees of different branching",
            of(&BY_BRANCHING),
            1..8,
            false,
        ),
        (
            "query-rates-by-depth",
            "Billions of nodes per second, trees of different depths",
            of(&BY_DEPTH),
            1..8,
            false,
        ),
        (
            "query-rates-folds",
            "Billions of nodes per second, counts and folds over relatives",
            measured.iter().collect(),
            8..11,
            false,
        ),
    ] {
        if trees.is_empty() {
            continue;
        }
        let axis = match is_time {
            true => Axis::new("time", Unit::Seconds).logarithmic(),
            false => Axis::new("billions of nodes per second", Unit::Number),
        };
        let series = trees.iter().map(|(number, measured)| {
            let value =
                |query: usize| if is_time { measured.seconds[query] } else { measured.rate(query) / 1e9 };
            Series::new(&format!("Tree {number}"), queries.clone().map(|query| Some(value(query))).collect())
        });
        let x = X::names("query", QUERIES[queries.clone()].iter().map(|query| query.name));
        let mut chart = Chart::new(file, title, ChartKind::Bars, x, series.collect());
        chart.y = axis;
        std::fs::write(folder.join(format!("{file}.svg")), svg(&chart, Size::default()))?;
    }
    Ok(())
}
