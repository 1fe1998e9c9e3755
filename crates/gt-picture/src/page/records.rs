//! The nodes of a page: those with the largest subtrees, and the first matches.

use std::collections::BTreeSet;

use gt_games::board::{Board, touched_places};
use gt_games::registry::AnyGame;
use gt_query::engine::{NodeSet, Options};
use gt_query::{Value, holds_values};
use gt_report::{Labels, Mates, labels, plain, signed};
use serde_json::{Value as Json, json};

use crate::error::Error;
use crate::question::{Root, Subject};

/// The maximum number of matches in a page beside its largest nodes.
pub(super) const MATCHES_MAX: usize = 500;
/// The maximum number of letters of a text.
pub(super) const TEXT_MAX: usize = 300;

/// The nodes of a page.
pub(super) struct Records {
    records: Vec<Record>,
    /// Whether matches were added.
    pub(super) has_matches: bool,
}

struct Record {
    node: u64,
    parent: Option<u64>,
    ply: u64,
    size: u64,
    line: Vec<i64>,
    values: Vec<Option<Value>>,
    is_match: bool,
}

/// The columns before the attributes.
const OWN_COLUMNS: usize = 5;

impl Records {
    pub(super) fn of(
        subject: &Subject<'_>,
        root: &Root,
        marks: Option<&NodeSet>,
        records_max: usize,
        options: &Options<'_>,
    ) -> Result<Self, Error> {
        let (first, end) = (root.node, root.node + root.size);
        let attributes: String = subject
            .log
            .schema()
            .attributes()
            .iter()
            .map(|attribute| format!(", {}", attribute.name))
            .collect();
        let query = format!(
            "node: node_id >= {first} and node_id < {end} select node_id, @parent, @ply, @size, @line{attributes}"
        );
        // Of equal sizes the first: a parent is larger than its children, so every record's parent is
        // present.
        let largest = format!("{query} order by @size desc, node_id limit {}", records_max.max(1));
        let mut rows = subject.rows(&largest, "", options)?;
        let is_marked = |node: u64| marks.is_some_and(|marks| marks.contains(node));
        if marks.is_some() {
            let within = Options { within: marks, ..*options };
            rows.extend(subject.rows(&format!("{query} limit {MATCHES_MAX}"), "", &within)?);
        }
        let mut records: Vec<Record> = rows.into_iter().filter_map(Record::of).collect();
        records.sort_by_key(|record| record.node);
        records.dedup_by_key(|record| record.node);
        records.iter_mut().for_each(|record| record.is_match = is_marked(record.node));
        Ok(Self { records, has_matches: marks.is_some() })
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn to_json(&self, subject: &Subject<'_>, root: Option<&dyn AnyGame>) -> Vec<Json> {
        let count = subject.log.schema().attributes().len();
        let mates = Mates::of(subject.log, subject.tree);
        let wording = |place: usize| Wording {
            labels: labels(subject.log, place),
            mates: mates.filter(|_| holds_values(subject.log.schema(), place)),
        };
        let wordings: Vec<Wording> = (0..count).map(wording).collect();
        self.records.iter().map(|record| record.to_json(subject, &wordings, root)).collect()
    }

    /// The letters of all pieces on all boards.
    pub(super) fn pieces(&self, root: Option<&dyn AnyGame>) -> Vec<char> {
        let Some(root) = root else { return Vec::new() };
        let boards =
            self.records.iter().filter_map(|record| record.position(root).map(|(_, game)| Board::of(&*game)));
        let letters: BTreeSet<char> =
            boards.flat_map(|board| board.cells).filter_map(|cell| cell.piece).collect();
        letters.into_iter().collect()
    }
}

impl Record {
    fn of(mut row: Vec<Option<Value>>) -> Option<Self> {
        let values = row.split_off(OWN_COLUMNS.min(row.len()));
        let natural = |place: usize| match row.get(place) {
            Some(Some(Value::Integer(number))) => u64::try_from(*number).ok(),
            _ => None,
        };
        let line = match row.get(4) {
            Some(Some(Value::Line(line))) => line.moves(),
            _ => Vec::new(),
        };
        let (node, parent, ply, size) = (natural(0)?, natural(1), natural(2)?, natural(3)?);
        Some(Self { node, parent, ply, size, line, values, is_match: false })
    }

    /// The places that the last move touched, and the position after it; `None` if the line cannot be followed.
    fn position(&self, root: &dyn AnyGame) -> Option<(Vec<String>, Box<dyn AnyGame>)> {
        let mut game = root.boxed_clone();
        let mut touched = Vec::new();
        for (place, code) in self.line.iter().enumerate() {
            if place + 1 == self.line.len() {
                touched = touched_places(&*game, *code);
            }
            game.play_code(*code).ok()?;
        }
        Some((touched, game))
    }

    fn to_json(&self, subject: &Subject<'_>, wordings: &[Wording], root: Option<&dyn AnyGame>) -> Json {
        let line = subject.line_texts(self.node, &self.line);
        let name = line.last().cloned().unwrap_or_else(|| "root".to_owned());
        let values: Vec<String> = self
            .values
            .iter()
            .zip(wordings)
            .map(|(value, wording)| wording.words(value.as_ref(), self.ply))
            .collect();
        let position = root.and_then(|root| self.position(root)).map(|(touched, game)| {
            let cells = Board::of(&*game).cells;
            let cells: String = cells.iter().map(|cell| cell.piece.unwrap_or('.')).collect();
            json!({"cells": cells, "touched": touched, "text": game.position_text()})
        });
        json!({
            "node": self.node, "parent": self.parent, "ply": self.ply, "size": self.size, "move": name,
            "line": line.join(" "), "values": values, "match": self.is_match, "position": position,
        })
    }
}

/// How the values of an attribute are written.
struct Wording {
    labels: Option<Labels>,
    mates: Option<Mates>,
}

impl Wording {
    /// A value in a form for people.
    fn words(&self, value: Option<&Value>, ply: u64) -> String {
        match value {
            None => "–".to_owned(),
            Some(Value::Integer(number)) => {
                let named = || Some(self.labels.as_ref()?.words(i64::try_from(*number).ok()?));
                let mate = self.mates.and_then(|mates| mates.text(*number, ply));
                mate.or_else(named).unwrap_or_else(|| signed(*number))
            }
            Some(Value::Float(number)) => plain(*number),
            Some(other) => {
                let text = other.to_string();
                let cut: String = text.chars().take(TEXT_MAX).collect();
                if cut.len() < text.len() { cut + "…" } else { cut }
            }
        }
    }
}
