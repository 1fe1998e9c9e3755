//! A profile as JSON.

use gt_query::{Answer, Type, Value};
use serde_json::{Value as Json, json};

use super::bound::Bound;
use super::doubts::Doubt;
use super::facts::Facts;
use super::figure::{Figure, Shape};
use super::iteration_table::{iterations_json, trees_json};
use super::moves::Moves;
use super::numbers::BELOW_ROOTS;
use super::report::{Profile, cells};
use super::run::Answered;
use crate::chart::number_json;
use crate::document::Finding;
use crate::naming::NameMoves;

impl Profile<'_> {
    /// Returns the profile as JSON: `{"log", "tree", "metadata", "search", "searches", "numbers", "derived",
    /// "charts", "tables", "trees", "iterations", "sentences", "findings", "doubts", "left_out", "failed"}`. `trees`
    /// are those of the search.
    #[must_use]
    pub fn to_json(&self, name: &str, moves: Option<&dyn NameMoves>) -> Json {
        let facts = Facts::of(&self.answers);
        let optional = |value: Option<f64>| value.map_or(Json::Null, number_json);
        let of_shape =
            |is: fn(&Shape) -> bool| self.answers.iter().filter(move |answered| is(&answered.figure.shape));
        let numbers = of_shape(|shape| matches!(shape, Shape::Number))
            .map(|answered| (answered.figure.name.clone(), optional(answered.number())));
        let tables = of_shape(|shape| matches!(shape, Shape::Table(_))).filter_map(|answered| {
            Some(table_json(answered.figure, answered.answer.as_ref().ok()?, Moves(moves)))
        });
        let minimal = facts.minimal().map(|share| {
            json!({"plies": share.plies, "nodes": share.nodes, "minimal": number_json(share.minimal),
                   "above_percent": number_json(share.above_percent())})
        });
        let metadata = self.tree.metadata().iter().map(|(key, value)| (key.to_owned(), json!(value)));
        let searches = self
            .searches
            .iter()
            .map(|search| json!({"trees": search.trees, "nodes": search.nodes, "depth": search.depth}));
        let failed = self.answers.iter().filter_map(|answered| {
            answered
                .answer
                .as_ref()
                .err()
                .map(|error| json!({"name": answered.figure.name, "error": error.to_string()}))
        });
        json!({
            "log": name, "tree": self.tree.number(), "metadata": Json::Object(metadata.collect()),
            "search": self.search, "searches": searches.collect::<Vec<_>>(),
            "numbers": Json::Object(numbers.collect()),
            "derived": {
                "effective_branching": optional(facts.effective_branching()),
                "nodes_searched": facts.searched(),
                "quiescence_percent": optional(facts.percent("quiescence-nodes", "nodes")),
                "quiescence_below_roots_percent": optional(facts.percent(BELOW_ROOTS, "nodes")),
                "first_move_cutoff_percent": optional(facts.percent("first-move-cutoffs-all", "cutoffs")),
                "re_search_percent": optional(facts.percent("re-searches", "nodes")),
                "minimal_tree": minimal,
            },
            "charts": self.answers.iter().filter_map(Answered::chart).map(|chart| chart.to_json()).collect::<Vec<_>>(),
            "tables": tables.collect::<Vec<_>>(),
            "trees": trees_json(&self.iterations, Moves(moves)),
            "iterations": iterations_json(&self.iterations, Moves(moves)),
            "sentences": self.sentences(moves),
            "doubts": self.doubts.iter().map(Doubt::to_json).collect::<Vec<_>>(),
            "findings": self.findings(moves).iter().map(finding_json).collect::<Vec<_>>(),
            "left_out": self.left_out.iter().map(|figure| json!({"name": figure.name, "missing": figure.missing})).collect::<Vec<_>>(),
            "failed": failed.collect::<Vec<_>>(),
        })
    }
}

fn finding_json(finding: &Finding) -> Json {
    json!({"level": finding.level.word(), "weight": number_json(finding.weight), "words": finding.words,
           "next": finding.next, "query": finding.query})
}

/// A table: its columns are the query's, except that a value's bound is one column of words.
fn table_json(figure: &Figure, answer: &Answer, moves: Moves<'_>) -> Json {
    let (Shape::Table(headings), Answer::Rows { columns, rows }) = (&figure.shape, answer) else {
        return Json::Null;
    };
    let mut names = Vec::new();
    for (reading, columns) in cells(headings, columns) {
        names.extend(columns.first().map(|(name, _)| name.as_str()));
        names.extend((reading.columns() > 1).then_some("bound"));
    }
    let row = |row: &Vec<Option<Value>>| {
        let mut out = Vec::new();
        for ((reading, values), (_, columns)) in cells(headings, row).zip(cells(headings, columns)) {
            out.extend(
                values.iter().zip(columns).map(|(value, (_, kind))| cell_json(value, *kind, moves)).take(1),
            );
            if reading.columns() > 1 {
                out.push(json!(reading.bound(values).map(Bound::name)));
            }
        }
        out
    };
    json!({"name": figure.name, "title": figure.title, "meaning": figure.meaning, "query": figure.query(),
           "columns": names, "rows": rows.iter().map(row).collect::<Vec<_>>()})
}

fn cell_json(value: &Option<Value>, kind: Type, moves: Moves<'_>) -> Json {
    match value {
        None => Json::Null,
        Some(Value::Integer(number)) if kind != Type::Move => i64::try_from(*number).map_or_else(
            |_| u64::try_from(*number).map_or(Json::Null, |number| json!(number)),
            |number| json!(number),
        ),
        Some(Value::Float(number)) => number_json(*number),
        Some(Value::Boolean(truth)) => json!(truth),
        value => json!(moves.cell(value.as_ref(), kind)),
    }
}
