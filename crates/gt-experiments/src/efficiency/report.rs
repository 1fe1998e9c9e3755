//! Table 5.1 and Figures 5.1 to 5.3.

use gt_report::{Axis, Chart, ChartKind, Document, Series, Table, Unit, X, grouped};

use super::Measured;
use crate::queries::EFFICIENCY;
use crate::thesis::{NODES_PER_SECOND, TREE_NODES};

/// The trees whose depth varies, and those whose branching does.
const BY_DEPTH: std::ops::RangeInclusive<usize> = 1..=5;
const BY_BRANCHING: std::ops::RangeInclusive<usize> = 6..=9;

pub(crate) fn report(measured: &[Measured], document: &mut Document) {
    document.heading("Efficiency: artificial trees");
    document.paragraph(
        "Full trees whose nodes differ only in `best`, a random number from 0 to 9; `type` is 1 everywhere. The same \
         trees as in the thesis, by depth and branching factor; `gt gen --depth D --branching B -o tree.gtf` makes \
         one.",
    );
    document.table(trees(measured));
    document.table(crate::queries::table(&EFFICIENCY).with_note("The eight queries.", ""));
    document.table(times(measured));
    document.chart(query_times(measured, "a", BY_DEPTH)).chart(query_times(measured, "b", BY_BRANCHING));
    document.table(rates(measured));
    document.chart(throughput(measured, "figure-5-2", BY_BRANCHING));
    document.chart(throughput(measured, "figure-5-3", BY_DEPTH));
    document.paragraph(&words(measured));
}

fn trees(measured: &[Measured]) -> Table {
    let headings = [
        "tree",
        ">depth",
        ">branching",
        ">nodes",
        ">thesis: nodes",
        ">log, MB",
        ">bytes a node",
        ">memory, MB",
    ];
    let mut table = Table::new(headings);
    for measurement in measured {
        let memory = measurement.memory_bytes_max.map_or_else(|| "–".to_owned(), megabytes);
        table.row([
            format!("Tree {}", measurement.tree.number),
            measurement.tree.depth.to_string(),
            measurement.tree.branching.to_string(),
            grouped(measurement.nodes),
            grouped(TREE_NODES[measurement.tree.number - 1]),
            megabytes(measurement.bytes),
            format!("{:.2}", measurement.bytes as f64 / measurement.nodes as f64),
            memory,
        ]);
    }
    table.with_note(
        "Table 5.1. Memory is the most that the process held while it answered, its program and libraries included.",
        "",
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

fn times(measured: &[Measured]) -> Table {
    let names: Vec<String> = (1..=EFFICIENCY.len()).map(|number| format!(">Q{number}")).collect();
    let mut headings = vec!["milliseconds"];
    headings.extend(names.iter().map(String::as_str));
    headings.extend([">all eight", ">all eight, all cores"]);
    let mut table = Table::new(headings);
    for measurement in measured {
        let mut cells = vec![format!("Tree {}", measurement.tree.number)];
        let all = measurement
            .seconds
            .iter()
            .chain([&measurement.together_seconds, &measurement.together_parallel_seconds]);
        cells.extend(all.map(|&seconds| milliseconds(seconds)));
        table.row(cells);
    }
    table.with_note("The time to answer, on one core; last all eight queries as one file, in one pass.", "")
}

fn milliseconds(seconds: f64) -> String {
    let milliseconds = seconds * 1e3;
    let decimals = if milliseconds < 1.0 { 3 } else { 1 };
    format!("{milliseconds:.decimals$}")
}

fn rates(measured: &[Measured]) -> Table {
    let names: Vec<String> = (1..=EFFICIENCY.len()).map(|number| format!(">Q{number}")).collect();
    let mut headings = vec!["million nodes a second"];
    headings.extend(names.iter().map(String::as_str));
    let mut table = Table::new(headings);
    for measurement in measured {
        let mut cells = vec![format!("Tree {}", measurement.tree.number)];
        let rate =
            |query| measurement.nodes_per_second(query).map(|rate| grouped((rate / 1e6).round() as u64));
        cells.extend((0..EFFICIENCY.len()).map(|query| rate(query).unwrap_or_else(|| "index".to_owned())));
        table.row(cells);
    }
    let mut thesis = vec!["thesis".to_owned(), format!("{}", NODES_PER_SECOND[0] / 1e6)];
    thesis.extend(["", "", ""].map(str::to_owned));
    thesis.push(format!("{}", NODES_PER_SECOND[1] / 1e6));
    table.row(thesis);
    table.with_note(
        "On one core. Q1 reads no node: the index of the log has the answer, so there is no rate to give. The thesis's \
         Q1 goes over every node.",
        "",
    )
}

fn within<'a>(
    measured: &'a [Measured],
    numbers: &'a std::ops::RangeInclusive<usize>,
) -> impl Iterator<Item = &'a Measured> {
    measured.iter().filter(|measurement| numbers.contains(&measurement.tree.number))
}

/// Figure 5.1: seconds, the trees by size.
fn query_times(measured: &[Measured], part: &str, numbers: std::ops::RangeInclusive<usize>) -> Chart {
    let mut trees: Vec<&Measured> = within(measured, &numbers).collect();
    trees.sort_by_key(|measurement| measurement.nodes);
    let x = X::names(
        "tree, by size",
        trees.iter().map(|measurement| format!("Tree {}", measurement.tree.number)),
    );
    let reads = |&query: &usize| trees.iter().all(|measurement| measurement.columns_decoded[query] > 0);
    let series = (0..EFFICIENCY.len())
        .filter(reads)
        .map(|query| {
            let values = trees.iter().map(|measurement| Some(measurement.seconds[query])).collect();
            Series::new(&format!("Q{}", query + 1), values)
        })
        .collect();
    let title = format!("Figure 5.1({part}): query times, Trees {}–{}", numbers.start(), numbers.end());
    Chart::new(&format!("figure-5-1{part}"), &title, ChartKind::Lines, x, series)
        .with_y(Axis::new("time", Unit::Seconds).logarithmic())
        .with_meaning("The time of each query that reads nodes, on one core. The scale is logarithmic.", "")
}

/// Figures 5.2 and 5.3: nodes per second.
fn throughput(measured: &[Measured], name: &str, numbers: std::ops::RangeInclusive<usize>) -> Chart {
    let x = X::names("query", (1..=EFFICIENCY.len()).map(|number| format!("Q{number}")));
    let series = within(measured, &numbers)
        .map(|measurement| {
            let values = (0..EFFICIENCY.len()).map(|query| measurement.nodes_per_second(query)).collect();
            Series::new(&format!("Tree {}", measurement.tree.number), values)
        })
        .collect();
    let figure = name.trim_start_matches("figure-").replace('-', ".");
    let title = format!("Figure {figure}: nodes a second, Trees {}–{}", numbers.start(), numbers.end());
    Chart::new(name, &title, ChartKind::Lines, x, series)
        .with_y(Axis::new("nodes a second", Unit::Count))
        .with_meaning("On one core. Q1 reads no node.", "")
}

/// Sentences derived from the numbers.
fn words(measured: &[Measured]) -> String {
    let slowest = |query: usize| {
        measured
            .iter()
            .filter_map(|measurement| measurement.nodes_per_second(query - 1))
            .fold(f64::INFINITY, f64::min)
    };
    let millions = |rate: f64| grouped((rate / 1e6).round() as u64);
    let times = |rate: f64| grouped((rate / NODES_PER_SECOND[1]).round() as u64);
    let (q5, q8) = (slowest(5), slowest(8));
    let mut words = format!(
        "On the slowest tree Q5 goes over {} million nodes a second and Q8 over {} million, {} and {} times the half \
         million of the thesis, which was measured on a computer of 3 GHz in 2007.",
        millions(q5),
        millions(q8),
        times(q5),
        times(q8),
    );
    let rate_of = |number: usize| {
        measured
            .iter()
            .find(|measurement| measurement.tree.number == number)
            .and_then(|measurement| measurement.nodes_per_second(3))
    };
    if let (Some(deep), Some(flat)) = (rate_of(1), rate_of(5)) {
        words += &format!(
            " The thesis's algorithm keeps a counter for each ancestor of a node when it counts in subtrees: on Tree 1, the \
             deepest, it loses over 60% of its speed. Here such a count is a difference of two numbers. Q4 goes over {} \
             million nodes a second on Tree 1, where half of the nodes are inner nodes, and over {} million on Tree 5, \
             where a ninth are.",
            millions(deep),
            millions(flat)
        );
    }
    words
}
