//! The profile of a tree: all its figures, as a document and as JSON.

use gt_log::{Log, Tree};
use gt_query::engine::{Failure, Options};

use super::Selection;
use super::doubts::{Doubt, doubts};
use super::facts::Facts;
use super::figure::{CellReading, Figure, TableColumn, UnavailableFigure};
use super::findings::findings;
use super::iteration_table::{change_of_mind, chosen_move, failed_windows};
use super::iterations::{Iteration, iterations};
use super::moves::Moves;
use super::numbers::BELOW_ROOTS;
use super::offer::Offer;
use super::run::{Answered, Error, query_file, run};
use super::searches::{Search, searches};
use super::words::told;
use crate::chart::{Chart, Unit};
use crate::document::{Block, Document, Finding, Table};
use crate::naming::NameMoves;
use crate::number::{grouped, in_unit, plain};

/// The maximum number of plies or depths in a chart.
const PLACES_MAX: usize = 128;

/// The figures under each heading.
const SECTIONS: [(&str, &[&str]); 4] = [
    (
        "Where the nodes went",
        &["nodes-per-ply", "node-types", "ended", "heaviest-moves", "heaviest-subtrees"],
    ),
    ("Quiescence search", &["quiescence-share", "largest-quiescence"]),
    (
        "How well the moves were ordered",
        &["first-move-cutoffs", "best-move-rank", "cutoff-ranks", "re-search-rate", "selectivity"],
    ),
    ("Branching, and the minimal tree", &["branching", "minimal-tree"]),
];

/// The figures of one tree, answered.
pub struct Profile<'a> {
    pub(super) log: &'a Log,
    pub(super) tree: Tree<'a>,
    pub(super) answers: Vec<Answered<'a>>,
    pub(super) left_out: &'a [UnavailableFigure],
    pub(super) searches: Vec<Search>,
    /// The index of the tree's search.
    pub(super) search: usize,
    pub(super) iterations: Vec<Iteration>,
    pub(super) doubts: Vec<Doubt>,
}

/// Returns the default tree for a profile of a log: the largest, of equals the last.
#[must_use]
pub fn main_tree(log: &Log) -> Option<Tree<'_>> {
    log.trees().max_by_key(|tree| tree.nodes())
}

impl<'a> Profile<'a> {
    /// Answers the selected figures on a tree, and the numbers among them on the other trees of its search.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub fn of(
        log: &'a Log,
        tree: Tree<'a>,
        selection: &'a Selection,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let answers = run(&selection.figures, tree, options)?;
        let searches = searches(log).map_err(Failure::from)?;
        let search = searches.iter().position(|search| search.trees.contains(&tree.number())).unwrap_or(0);
        let iterations = match searches.get(search) {
            Some(search) => iterations(log, search, (tree.number(), &answers), &selection.figures, options)?,
            None => Vec::new(),
        };
        let offer = if tree.left_out().map_err(Failure::from)? > 0 { Offer::of_partial } else { Offer::of };
        let doubts = doubts(tree, &offer(tree.schema()), options)?;
        Ok(Self { log, tree, answers, left_out: &selection.left_out, searches, search, iterations, doubts })
    }

    /// Returns the doubts about the tree's records.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Returns the meaning of the figures, in sentences.
    #[must_use]
    pub fn sentences(&self, moves: Option<&dyn NameMoves>) -> Vec<String> {
        let told = told(&Facts::of(&self.answers), Moves(moves));
        self.of_the_search(moves).into_iter().chain(told.into_iter().map(|(_, words)| words)).collect()
    }

    /// Returns the findings, the most urgent first, each with the figure to look at next.
    #[must_use]
    pub fn findings(&self, moves: Option<&dyn NameMoves>) -> Vec<Finding> {
        findings(&Facts::of(&self.answers), Moves(moves), self.of_the_search(moves))
    }

    fn of_the_search(&self, moves: Option<&dyn NameMoves>) -> Vec<String> {
        let told = [change_of_mind(&self.iterations, Moves(moves)), failed_windows(&self.iterations)];
        told.into_iter().flatten().collect()
    }

    /// Returns the profile as a report; `name` is the name of the log.
    #[must_use]
    pub fn document(&self, name: &str, moves: Option<&dyn NameMoves>) -> Document {
        let mut document = Document::new(&format!("Profile of {name}, tree {}", self.tree.number()));
        document.paragraph(&self.about());
        document.push(Block::Numbers(self.key_numbers(Moves(moves))));
        document.push(Block::Findings(self.findings(moves)));
        if !self.doubts.is_empty() {
            document.heading("Can this be?");
            document.push(Block::List(self.doubts.iter().map(Doubt::sentence).collect()));
        }
        if self.searches.len() > 1 {
            document.heading("The log's searches").table(self.search_table());
        }
        if self.iterations.len() > 1 {
            document.heading("The search's iterations").table(self.iteration_table(moves));
        }
        for (heading, names) in SECTIONS {
            let there: Vec<&Answered<'_>> =
                names.iter().filter_map(|name| Facts::of(&self.answers).answered(name)).collect();
            let mut section = Document::new(heading);
            there.into_iter().for_each(|answered| self.figure(&mut section, answered, moves));
            if !section.blocks.is_empty() {
                document.append(section);
            }
        }
        if !self.left_out.is_empty() {
            document.heading("Not in this log");
            document.push(Block::List(left_out_texts(self.left_out)));
        }
        document
    }

    /// Returns a table that compares the iterations of the search.
    #[must_use]
    pub fn iteration_table(&self, moves: Option<&dyn NameMoves>) -> Table {
        super::iteration_table::table(&self.iterations, Moves(moves))
    }

    /// Returns the chart of this name.
    #[must_use]
    pub fn chart(&self, name: &str) -> Option<Chart> {
        Facts::of(&self.answers).answered(name)?.chart()
    }

    /// Returns the heading of the figure of this name.
    #[must_use]
    pub fn title(&self, name: &str) -> Option<&str> {
        Facts::of(&self.answers).answered(name).map(|answered| answered.figure.title.as_str())
    }

    /// Returns the table of this name.
    #[must_use]
    pub fn table(&self, name: &str, moves: Option<&dyn NameMoves>) -> Option<Table> {
        let answered = Facts::of(&self.answers).answered(name)?;
        self.table_of(answered.figure, answered.answer.as_ref().ok()?, Moves(moves))
    }

    fn key_numbers(&self, moves: Moves<'_>) -> Vec<(String, String)> {
        let facts = Facts::of(&self.answers);
        let percent = |value: Option<f64>| value.map(|value| in_unit(value, Unit::Percent));
        let branching = format!("effective branching: nodes^(1/{})", facts.depth().unwrap_or(0));
        let logged = facts.count("nodes").filter(|_| facts.left_out() > 0);
        let below = facts.percent(BELOW_ROOTS, "nodes");
        let with_roots = if below.is_some() { ", its roots included" } else { "" };
        let numbers = [
            (facts.searched().map(grouped), "nodes"),
            (logged.map(grouped), "of them in the log, which the shares are of"),
            (facts.effective_branching().map(plain), &branching),
            (
                percent(facts.percent("quiescence-nodes", "nodes")),
                &format!("of the nodes in quiescence search{with_roots}"),
            ),
            (percent(below), "of the nodes in quiescence search below its roots"),
            (
                percent(facts.percent("first-move-cutoffs-all", "cutoffs")),
                "of the cut-offs by the first move",
            ),
            (percent(facts.percent("re-searches", "nodes")), "of the nodes searched again"),
            (
                percent(facts.minimal().map(|share| share.above_percent().max(0.0))),
                "of the main search's nodes above the minimal tree",
            ),
        ];
        let numbers = numbers.into_iter().filter_map(|(value, what)| Some((value?, what.to_owned())));
        chosen_move(&self.iterations, moves).into_iter().chain(numbers).collect()
    }

    fn figure(&self, document: &mut Document, answered: &Answered<'_>, moves: Option<&dyn NameMoves>) {
        let answer = match &answered.answer {
            Ok(answer) => answer,
            Err(error) => {
                document.paragraph(&format!("{}: {error}.", answered.figure.title));
                return;
            }
        };
        if let Some(chart) = answered.figure.chart(answer).filter(|chart| !chart.x.places.is_empty()) {
            document.chart(shortened(chart));
        } else if let Some(table) =
            self.table_of(answered.figure, answer, Moves(moves)).filter(|table| !table.rows.is_empty())
        {
            document.subheading(&answered.figure.title).table(table);
        }
    }

    /// Returns the queries of all figures, as a file for `gt query -f`.
    #[must_use]
    pub fn queries(&self) -> String {
        let figures: Vec<Figure> = self.answers.iter().map(|answered| answered.figure.clone()).collect();
        query_file(&figures)
    }
}

/// Cuts a chart with too many places to read, and says so.
fn shortened(chart: Chart) -> Chart {
    let places = chart.x.places.len();
    if places <= PLACES_MAX {
        return chart;
    }
    let mut shortened = chart.first_places(PLACES_MAX);
    shortened.meaning += &format!(" (The first {PLACES_MAX} of {}; JSON has all.)", grouped(places as u64));
    shortened
}

/// The names that the log lacks, and the figures that need them: one line per name.
fn left_out_texts(left_out: &[UnavailableFigure]) -> Vec<String> {
    let mut lacks: Vec<(String, Vec<&str>)> = Vec::new();
    for figure in left_out {
        let lack = figure.lack();
        match lacks.iter_mut().find(|(known, _)| *known == lack) {
            Some((_, titles)) => titles.push(&figure.title),
            None => lacks.push((lack, vec![&figure.title])),
        }
    }
    let line = |(lack, titles): (String, Vec<&str>)| format!("{lack}: {}.", titles.join(", "));
    lacks.into_iter().map(line).collect()
}

/// The columns of an answer for each column of a table.
pub(super) fn cells<'a, T>(
    columns: &'a [TableColumn],
    mut rest: &'a [T],
) -> impl Iterator<Item = (CellReading, &'a [T])> {
    columns.iter().map(move |column| {
        let (cells, after) = rest.split_at(column.cell.columns().min(rest.len()));
        rest = after;
        (column.cell, cells)
    })
}
