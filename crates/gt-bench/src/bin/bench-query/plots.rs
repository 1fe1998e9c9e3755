//! Plots like the thesis's Figures 5.1 to 5.3.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use crate::QUERIES;

/// Bars of nodes per second: for each of the thesis's three figures, which are the trees by depth, by branching, and
/// the larger queries.
pub(crate) fn write_plots(folder: &Path, rates: &[(usize, Vec<f64>)]) -> Result<(), Box<dyn Error>> {
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
