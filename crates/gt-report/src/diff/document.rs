//! A comparison for people: a screenful, the most important first.

use super::{Comparison, First, Line, Move};
use crate::document::{Block, Document, Table};
use crate::number::{counted, grouped, signed};

/// The number of moves of a line shown at each end.
const LINE_ENDS: usize = 12;

impl Comparison {
    /// Returns the comparison as a report.
    #[must_use]
    pub fn document(&self) -> Document {
        let mut document = Document::new(&format!("{} and {}", self.label_a, self.label_b));
        document.paragraph(&self.verdict());
        if !self.same {
            document.push(Block::Numbers(self.numbers()));
            self.tell_first(&mut document);
            self.tell_causes(&mut document);
            self.tell_changed(&mut document);
            self.tell_best_line(&mut document);
            self.tell_grown(&mut document);
        }
        if !self.notes.is_empty() {
            document.push(Block::List(self.notes.clone()));
        }
        document
    }

    fn verdict(&self) -> String {
        if self.same {
            return format!(
                "A and B are the same: {}, with the same values in the same order.",
                counted(self.nodes_a, "node")
            );
        }
        format!(
            "A, {}, has {}; B, {}, has {}.",
            self.label_a,
            counted(self.nodes_a, "node"),
            self.label_b,
            counted(self.nodes_b, "node")
        )
    }

    fn numbers(&self) -> Vec<(String, String)> {
        let number = |count: u64, words: &str| (grouped(count), words.to_owned());
        let mut numbers = vec![
            number(self.matched, "nodes that both have"),
            number(self.changed_nodes, "of them with another value in some attribute"),
            number(self.only_a, "nodes only in A"),
            number(self.only_b, "nodes only in B"),
        ];
        if let Some(pairs) = self.transposed {
            let values = self
                .transposed_other_value
                .map_or_else(String::new, |count| format!(", {} with another value", grouped(count)));
            numbers.push(number(pairs, &format!("pairs of these with the same key{values}")));
        }
        numbers
    }

    fn tell_first(&self, document: &mut Document) {
        let Some(first) = &self.first else { return };
        document.heading("First divergence");
        document.paragraph(&first_words(first));
        let mut table = Table::new(["attribute", ">A", ">B", ""]);
        for (name, a, b) in &first.record {
            let mark = if a.value == b.value || first.line_b.is_some() { "" } else { "differs" };
            table.row([name.clone(), a.words.clone(), b.words.clone(), mark.to_owned()]);
        }
        if !table.rows.is_empty() {
            document.table(table);
        }
    }

    fn tell_causes(&self, document: &mut Document) {
        if self.causes.is_empty() {
            return;
        }
        document.heading("By cause");
        let mut table =
            Table::new(["cause", ">origins", ">nodes", ">of one", "the origin that explains most"]);
        for cause in &self.causes {
            let counts = [cause.origins, cause.nodes, cause.largest_nodes].map(grouped);
            let [origins, nodes, largest] = counts;
            table.row([cause.name.clone(), origins, nodes, largest, line_text(&cause.largest)]);
        }
        document.table(table);
    }

    fn tell_changed(&self, document: &mut Document) {
        let mut changed: Vec<&(String, u64)> = self.changed.iter().filter(|(_, count)| *count > 0).collect();
        if changed.is_empty() {
            return;
        }
        changed.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        document.heading("By attribute");
        let words: Vec<String> =
            changed.iter().map(|(name, count)| format!("{name} in {}", grouped(*count))).collect();
        document.paragraph(&format!("Nodes of both that differ: {}.", words.join(", ")));
    }

    fn tell_best_line(&self, document: &mut Document) {
        if self.best_line.is_empty() {
            return;
        }
        document.heading("On the way from the root");
        let mut table = Table::new(["line", ">value in A", ">in B", "best move in A", "in B"]);
        let best = |mv: &Option<Move>| mv.as_ref().map_or_else(|| "-".to_owned(), move_text);
        for step in &self.best_line {
            let [value_a, value_b] = [&step.value_a, &step.value_b].map(|told| told.words.clone());
            table.row([line_text(&step.line), value_a, value_b, best(&step.best_a), best(&step.best_b)]);
        }
        document.table(table);
    }

    fn tell_grown(&self, document: &mut Document) {
        if self.grown.is_empty() {
            return;
        }
        document.heading("Subtrees that grew or shrank");
        let mut table = Table::new([">change", ">in A", ">in B", "line"]);
        for grown in &self.grown {
            let change = i128::from(grown.size_b) - i128::from(grown.size_a);
            let sign = if change > 0 { "+" } else { "" };
            let change = format!("{sign}{}", signed(change));
            table.row([change, grouped(grown.size_a), grouped(grown.size_b), line_text(&grown.line)]);
        }
        document.table(table);
    }
}

fn first_words(first: &First) -> String {
    let line = line_text(&first.line);
    match (first.node_a, first.node_b, &first.line_b) {
        (Some(a), None, _) => format!("A enters {line} (node {a}); B has left the parent."),
        (None, Some(b), _) => format!("B enters {line} (node {b}); A has left the parent."),
        (Some(a), Some(b), Some(line_b)) => {
            format!("A enters {line} (node {a}), B enters {} (node {b}).", line_text(line_b))
        }
        (Some(a), Some(b), None) => {
            let how = if first.on_entry { "enter" } else { "leave" };
            format!("Both {how} {line} (node {a} in A, {b} in B), with other values.")
        }
        (None, None, _) => String::new(),
    }
}

fn move_text(mv: &Move) -> String {
    match mv {
        Move::Named(name) => name.clone(),
        Move::Number(number) => number.to_string(),
    }
}

/// A line of moves; only the two ends of a long one.
fn line_text(line: &Line) -> String {
    let texts = |moves: &[Move]| moves.iter().map(move_text).collect::<Vec<_>>().join(" ");
    match line.len() {
        0 => "the root".to_owned(),
        moves if moves <= 2 * LINE_ENDS => texts(line),
        moves => {
            let (start, end) = (&line[..LINE_ENDS], &line[moves - LINE_ENDS..]);
            format!("{} … {} moves … {}", texts(start), moves - 2 * LINE_ENDS, texts(end))
        }
    }
}
