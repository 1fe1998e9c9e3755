//! Plots and documents, held against texts that a person can read.

use std::path::Path;

use gt_report::document::{self, Align};
use gt_report::plot::{self, Size, Style};
use gt_report::{Axis, Block, Chart, ChartKind, Document, Series, Table, Unit, X};

/// Holds a text against the file of this name; writes the file when asked to by `UPDATE_GOLDENS`.
fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(actual, expected, "{name} looks different; if that is meant: UPDATE_GOLDENS=1");
}

fn series(name: &str, values: &[f64]) -> Series {
    Series::new(name, values.iter().map(|&value| (!value.is_nan()).then_some(value)).collect())
}

fn stacked() -> Chart {
    let x = X::numbers("ply", vec![0.0, 1.0, 2.0, 3.0]);
    let main = series("main search", &[1.0, 53.0, 1_900.0, 800.0]);
    let quiescence = series("quiescence", &[0.0, 0.0, 740.0, 3_604.0]);
    Chart::new("nodes-per-ply", "Nodes per ply", ChartKind::Stacked, x, vec![main, quiescence])
        .with_y(Axis::new("nodes", Unit::Count))
        .with_meaning(
            "How many nodes lie at each distance from the root.",
            "group by @ply select @ply, count(*)",
        )
}

fn named() -> Chart {
    let x = X::names("ended", ["Cutoff", "NullMoveCutoff", "never <ended> & \"so\""]);
    Chart::new(
        "ended",
        "Why nodes ended",
        ChartKind::Bars,
        x,
        vec![series("nodes", &[120_000.0, 310.0, 1.0])],
    )
}

fn logarithmic_lines() -> Chart {
    let x = X::numbers("nodes", vec![1e3, 1e4, 1e5, 1e6]).logarithmic();
    let old = series("thesis", &[2e-3, 2e-2, f64::NAN, 2.1]);
    let new = series("gt", &[4e-5, 9e-5, 3e-4, 2e-3]);
    Chart::new("time", "Time of Q1", ChartKind::Lines, x, vec![old, new])
        .with_y(Axis::new("time", Unit::Seconds).logarithmic())
}

fn lines() -> Chart {
    let x = X::numbers("remaining depth", vec![1.0, 2.0, 3.0]);
    Chart::new(
        "first",
        "First-move cut-offs",
        ChartKind::Lines,
        x,
        vec![series("rate", &[93.05, 99.97, 100.0])],
    )
    .with_y(Axis::new("of the cut-offs", Unit::Percent))
}

fn beside() -> Chart {
    let x = X::names("engine", ["one", "two"]);
    let (left, right) = (series("before", &[10.0, 4.0]), series("after", &[8.0, f64::NAN]));
    Chart::new("beside", "Before and after", ChartKind::Bars, x, vec![left, right])
}

fn charts() -> [Chart; 5] {
    [stacked(), named(), logarithmic_lines(), lines(), beside()]
}

#[test]
fn plots_in_a_terminal() {
    let draw = |style: Style| charts().map(|chart| plot::terminal(&chart, style)).join("\n");
    check("terminal-60.txt", &draw(Style { width: 60, ..Style::default() }));
    check("terminal-ascii.txt", &draw(Style { width: 44, unicode: false, color: false }));
}

#[test]
fn plots_as_svg() {
    for chart in charts() {
        check(&format!("{}.svg", chart.name), &plot::svg(&chart, Size { width: 480.0, height: 260.0 }));
    }
}

fn document() -> Document {
    let mut document = Document::new("A search & what it did");
    document.push(Block::Numbers(vec![
        ("4,098".to_owned(), "nodes".to_owned()),
        ("61.2%".to_owned(), "of them in quiescence search".to_owned()),
    ]));
    document.heading("Where the nodes went").paragraph(
        "Quiescence search took 61.2% of the nodes, and `type & QRootNode` names its roots. A paragraph is wrapped where the \
         terminal ends, and *stars* or <tags> mean nothing.",
    );
    document.chart(stacked());
    document
        .subheading("The heaviest")
        .push(Block::List(vec!["first".to_owned(), "second | with a bar".to_owned()]));
    let mut table = Table::new([">node", ">nodes", "line"]);
    table.row(["59,680", "1,038", "d7b5 b1b5 a3a1 c2b3 f6c6 f2f3 f7f6 e3e4 and so on until the line ends"]);
    table.row(["12", "7", "e8c8"]);
    document.table(table.with_note("The largest searches.", "node: type & QRootNode"));
    document.heading("Next").code("gt query chess.gtf 'node: best > 3'\ngt repl chess.gtf");
    document
}

#[test]
fn documents() {
    check("document-72.txt", &document::text(&document(), Style { width: 72, ..Style::default() }));
    let markdown = document::markdown(&document(), "plot-");
    check("document.md", &markdown.text);
    assert_eq!(markdown.pictures[0].0, "plot-nodes-per-ply.svg");
    assert_eq!(markdown.pictures[0].1, plot::svg(&stacked(), Size::default()));
    check("document.html", &document::html(&document()));
}

#[test]
fn a_page_fetches_nothing() {
    let page = document::html(&document());
    for outside in ["src=", "href=\"http", "url(", "@import", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // The one address is the name of a language, which nobody fetches.
    assert_eq!(page.matches("http://").count(), page.matches("http://www.w3.org/2000/svg").count());
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    use unicode_width::UnicodeWidthStr;
    for width in [30, 44, 61, 80, 120, 200] {
        for unicode in [true, false] {
            let text = document::text(&document(), Style { width, unicode, color: false });
            let code = ["gt query", "gt repl"];
            for line in text.lines().filter(|line| !code.iter().any(|code| line.contains(code))) {
                assert!(line.width() <= width, "{width}: {line}");
            }
            for chart in charts() {
                let text = plot::terminal(&chart, Style { width, unicode, color: false });
                assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
                assert!(unicode || text.is_ascii(), "{text}");
            }
        }
    }
}

#[test]
fn charts_of_nothing_and_of_anything_are_drawn() {
    let values = [f64::NAN, 0.0, -5.0, 1e300, f64::INFINITY, 3.0];
    for kind in [ChartKind::Bars, ChartKind::Lines, ChartKind::Stacked] {
        for unit in [Unit::Count, Unit::Percent, Unit::Number, Unit::Seconds] {
            for places in [0, 1, 6] {
                let numbers = X::numbers("x\u{1b}[31m", (0..places).map(f64::from).collect());
                let names = X::names("", (0..places).map(|place| format!("\u{7}{place}")));
                for x in [numbers.clone(), numbers.logarithmic(), names] {
                    let chart = Chart::new(
                        "odd",
                        "odd\u{1b}[0m",
                        kind,
                        x,
                        vec![series("a\nb", &values), series("", &[])],
                    );
                    for chart in [chart.clone(), chart.with_y(Axis::new("y", unit).logarithmic())] {
                        let drawn = plot::terminal(&chart, Style::default());
                        assert!(!drawn.contains(['\u{1b}', '\u{7}']), "{drawn:?}");
                        let picture = plot::svg(&chart, Size::default());
                        assert!(!picture.contains("NaN") && !picture.contains("inf\""), "{picture}");
                        assert_eq!(chart.to_json()["series"].as_array().map(Vec::len), Some(2));
                    }
                }
            }
        }
    }
}

#[test]
fn a_row_has_as_many_cells_as_there_are_columns() {
    let mut table = Table::new(["a", ">b"]);
    table.row(["1"]).row(["1", "2", "3"]);
    assert_eq!(table.columns, [("a".to_owned(), Align::Left), ("b".to_owned(), Align::Right)]);
    assert!(table.rows.iter().all(|row| row.len() == 2));
}
