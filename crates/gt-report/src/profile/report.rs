//! The profile of a tree: all its figures, as a document and as JSON.

use gt_log::{Log, Tree};
use gt_query::engine::Options;
use gt_query::{Answer, MoveCodec};
use serde_json::{Value as Json, json};

use super::Selection;
use super::facts::Facts;
use super::figure::{Figure, LeftOut, Shape};
use super::iterations::{Iteration, change_of_mind, iterations};
use super::run::{Answered, Error, query_file, run};
use super::words::{Moves, sentences};
use crate::chart::{Chart, Unit, number_json};
use crate::document::{Block, Document, Table};
use crate::number::{grouped, in_unit, plain};

/// Which figures stand below which heading.
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
    tree: Tree<'a>,
    trees: usize,
    answers: Vec<Answered<'a>>,
    left_out: &'a [LeftOut],
    iterations: Vec<Iteration>,
}

/// The tree of a log that a profile is about when none is named: the largest, of equals the last.
#[must_use]
pub fn main_tree(log: &Log) -> Option<Tree<'_>> {
    log.trees().max_by_key(|tree| tree.nodes())
}

impl<'a> Profile<'a> {
    /// Answers the selected figures on a tree, and the numbers among them on the log's other trees.
    ///
    /// # Errors
    /// Where the log cannot be read.
    pub fn of(
        log: &'a Log,
        tree: Tree<'a>,
        selection: &'a Selection,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let answers = run(&selection.figures, tree, options)?;
        let iterations = iterations(log, tree.number(), &answers, &selection.figures, options)?;
        Ok(Self { tree, trees: log.tree_count(), answers, left_out: &selection.left_out, iterations })
    }

    /// What the figures mean, in sentences.
    #[must_use]
    pub fn sentences(&self, moves: Option<&dyn MoveCodec>) -> Vec<String> {
        let moves = Moves(moves);
        let told = sentences(&Facts::of(&self.answers), moves);
        change_of_mind(&self.iterations, moves).into_iter().chain(told).collect()
    }

    /// The profile as a report; `name` is what the log is called.
    #[must_use]
    pub fn document(&self, name: &str, moves: Option<&dyn MoveCodec>) -> Document {
        let mut document = Document::new(&format!("Profile of {name}, tree {}", self.tree.number()));
        document.paragraph(&self.about());
        document.push(Block::Numbers(self.key_numbers()));
        document.push(Block::List(self.sentences(moves)));
        if self.iterations.len() > 1 {
            document.heading("The log's trees").table(self.iteration_table(moves));
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

    /// The log's trees beside each other.
    #[must_use]
    pub fn iteration_table(&self, moves: Option<&dyn MoveCodec>) -> Table {
        super::iterations::table(&self.iterations, Moves(moves))
    }

    /// The chart of this name.
    #[must_use]
    pub fn chart(&self, name: &str) -> Option<Chart> {
        Facts::of(&self.answers).answered(name)?.chart()
    }

    /// The heading of the figure of this name.
    #[must_use]
    pub fn title(&self, name: &str) -> Option<&str> {
        Facts::of(&self.answers).answered(name).map(|answered| answered.figure.title.as_str())
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str, moves: Option<&dyn MoveCodec>) -> Option<Table> {
        let answered = Facts::of(&self.answers).answered(name)?;
        table(answered.figure, answered.answer.as_ref().ok()?, Moves(moves))
    }

    /// Position, engine, depth: what the tree's metadata says.
    fn about(&self) -> String {
        let metadata = self.tree.metadata().iter().map(|(key, value)| format!("{key} {value}"));
        let about: Vec<String> = metadata.collect();
        let which = match self.trees {
            1 => String::new(),
            trees => format!("Tree {} of {} in the log. ", self.tree.number(), grouped(trees as u64)),
        };
        if about.is_empty() { which.trim_end().to_owned() } else { format!("{which}{}.", about.join(", ")) }
    }

    fn key_numbers(&self) -> Vec<(String, String)> {
        let facts = Facts::of(&self.answers);
        let percent = |value: Option<f64>| value.map(|value| in_unit(value, Unit::Percent));
        let branching = format!("effective branching: nodes^(1/{})", facts.depth().unwrap_or(0));
        let numbers = [
            (facts.count("nodes").map(grouped), "nodes"),
            (facts.effective_branching().map(plain), &branching),
            (percent(facts.percent("quiescence-nodes", "nodes")), "of the nodes in quiescence search"),
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
        numbers.into_iter().filter_map(|(value, what)| Some((value?, what.to_owned()))).collect()
    }

    fn figure(&self, document: &mut Document, answered: &Answered<'_>, moves: Option<&dyn MoveCodec>) {
        let answer = match &answered.answer {
            Ok(answer) => answer,
            Err(error) => {
                document.paragraph(&format!("{}: {error}.", answered.figure.title));
                return;
            }
        };
        if let Some(chart) = answered.figure.chart(answer).filter(|chart| !chart.x.places.is_empty()) {
            document.chart(chart);
        } else if let Some(table) =
            table(answered.figure, answer, Moves(moves)).filter(|table| !table.rows.is_empty())
        {
            document.subheading(&answered.figure.title).table(table);
        }
    }

    /// The queries of all figures, as a file that `gt query -f` takes.
    #[must_use]
    pub fn queries(&self) -> String {
        let figures: Vec<Figure> = self.answers.iter().map(|answered| answered.figure.clone()).collect();
        query_file(&figures)
    }

    /// The profile as JSON: `{"log", "tree", "metadata", "numbers", "derived", "charts", "tables", "trees", "sentences",
    /// "left_out"}`.
    #[must_use]
    pub fn to_json(&self, name: &str, moves: Option<&dyn MoveCodec>) -> Json {
        let facts = Facts::of(&self.answers);
        let optional = |value: Option<f64>| value.map_or(Json::Null, number_json);
        let of_shape = |is: fn(&Shape) -> bool| self.answers.iter().filter(move |one| is(&one.figure.shape));
        let numbers = of_shape(|shape| matches!(shape, Shape::Number))
            .map(|one| (one.figure.name.clone(), optional(one.number())));
        let tables = of_shape(|shape| matches!(shape, Shape::Table(_)))
            .filter_map(|one| Some(table_json(one.figure, one.answer.as_ref().ok()?, Moves(moves))));
        let minimal = facts.minimal().map(|share| {
            json!({"plies": share.plies, "nodes": share.nodes, "minimal": number_json(share.minimal),
                   "above_percent": number_json(share.above_percent())})
        });
        let metadata = self.tree.metadata().iter().map(|(key, value)| (key.to_owned(), json!(value)));
        let failed = self.answers.iter().filter_map(|one| {
            one.answer
                .as_ref()
                .err()
                .map(|error| json!({"name": one.figure.name, "error": error.to_string()}))
        });
        json!({
            "log": name, "tree": self.tree.number(), "metadata": Json::Object(metadata.collect()),
            "numbers": Json::Object(numbers.collect()),
            "derived": {
                "effective_branching": optional(facts.effective_branching()),
                "quiescence_percent": optional(facts.percent("quiescence-nodes", "nodes")),
                "first_move_cutoff_percent": optional(facts.percent("first-move-cutoffs-all", "cutoffs")),
                "re_search_percent": optional(facts.percent("re-searches", "nodes")),
                "minimal_tree": minimal,
            },
            "charts": self.answers.iter().filter_map(Answered::chart).map(|chart| chart.to_json()).collect::<Vec<_>>(),
            "tables": tables.collect::<Vec<_>>(),
            "trees": self.iterations.iter().map(|one| one.to_json(Moves(moves))).collect::<Vec<_>>(),
            "sentences": self.sentences(moves),
            "left_out": self.left_out.iter().map(|one| json!({"name": one.name, "missing": one.missing})).collect::<Vec<_>>(),
            "failed": failed.collect::<Vec<_>>(),
        })
    }
}

/// What the log lacks, and which figures need it: a line for each lack.
fn left_out_texts(left_out: &[LeftOut]) -> Vec<String> {
    let mut lacks: Vec<(String, Vec<&str>)> = Vec::new();
    for one in left_out {
        let lack = one.lack();
        match lacks.iter_mut().find(|(known, _)| *known == lack) {
            Some((_, titles)) => titles.push(&one.title),
            None => lacks.push((lack, vec![&one.title])),
        }
    }
    let line = |(lack, titles): (String, Vec<&str>)| format!("{lack}: {}.", titles.join(", "));
    lacks.into_iter().map(line).collect()
}

fn table(figure: &Figure, answer: &Answer, moves: Moves<'_>) -> Option<Table> {
    let (Shape::Table(headings), Answer::Rows { columns, rows }) = (&figure.shape, answer) else {
        return None;
    };
    let mut table = Table::new(headings.iter().map(String::as_str));
    for row in rows {
        table.row(row.iter().zip(columns).map(|(value, (_, kind))| moves.cell(value.as_ref(), *kind)));
    }
    Some(table.with_note(&figure.meaning, &figure.query()))
}

fn table_json(figure: &Figure, answer: &Answer, moves: Moves<'_>) -> Json {
    let Answer::Rows { columns, rows } = answer else { return Json::Null };
    let cell = |value: &Option<gt_query::Value>, kind| match value {
        None => Json::Null,
        Some(gt_query::Value::Integer(number)) if kind != gt_query::Type::Move => i64::try_from(*number)
            .map_or_else(
                |_| u64::try_from(*number).map_or(Json::Null, |number| json!(number)),
                |number| json!(number),
            ),
        Some(gt_query::Value::Float(number)) => number_json(*number),
        Some(gt_query::Value::Boolean(truth)) => json!(truth),
        value => json!(moves.cell(value.as_ref(), kind)),
    };
    let rows: Vec<Vec<Json>> = rows
        .iter()
        .map(|row| row.iter().zip(columns).map(|(value, (_, kind))| cell(value, *kind)).collect())
        .collect();
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| heading.as_str()).collect();
    json!({"name": figure.name, "title": figure.title, "meaning": figure.meaning, "query": figure.query(),
           "columns": headings, "rows": rows})
}
