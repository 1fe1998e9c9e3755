//! Prints what `--query` is answered while the search runs: lines for people, or JSON Lines.
//!
//! ```text
//! depth  5  node      1204  ply  3  d c e  best=-12          a match
//! depth  5  31 matches in 2,018 nodes, 21 not printed        the end of a tree
//! ```
//!
//! **Invariant:** of each query and tree at most so many matches are printed as `--query-limit` says, and all are counted.

use std::io::{self, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gt_fleet::Row;
use gt_query::gti::Stamp;
use gt_query::live::Match;
use gt_query::{Answer, RunError};
use gt_record::{AskerEvent, TreeLabels};
use gt_report::{counted, grouped};

use super::questions::{Asked, PLACE_COLUMNS, Questions, Telling};
use super::told::{TreeEnd, TreePlace};
use super::told_json;
use crate::commands::format::Format;
use crate::commands::query::about::About;
use crate::commands::query::content::Streamed;
use crate::commands::query::table;
use crate::commands::query::wording::{Cell, Wording};
use crate::moves::Namers;
use crate::output::Patient;
use crate::tell::{tell, tell_lines};

/// Stands before the rows of a table, below the depth.
const INDENT: &str = "          ";

/// Takes what an asker tells, and prints it.
pub(super) struct Teller<'a> {
    questions: &'a Questions<'a>,
    format: Format,
    /// What writes moves down as players do, where that is asked for.
    namers: Namers<'static>,
    /// Standard output itself: an observer must be `Send`, and the writer that reports go to is not.
    out: Patient<Stdout>,
    /// Of each query, how many matches of the tree are printed.
    printed: Vec<usize>,
    has_printed: bool,
    /// Raised when nobody reads any more, where the search has nothing else to do.
    stop: Option<Arc<AtomicBool>>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        questions: &'a Questions<'a>,
        format: Format,
        namers: Namers<'static>,
        stop: Option<Arc<AtomicBool>>,
    ) -> Self {
        let printed = vec![0; questions.asked.len()];
        Self { questions, format, namers, out: Patient::new(io::stdout()), printed, has_printed: false, stop }
    }

    /// Prints what is told of a tree.
    pub(super) fn take(&mut self, tree: usize, labels: TreeLabels, told: AskerEvent<'_>) {
        let place = TreePlace { tree, labels };
        let mut text = Vec::new();
        // Writing into memory does not fail.
        let _ = match told {
            AskerEvent::Match(found) => self.found(place, found, &mut text),
            AskerEvent::End { nodes, matches, answers } => {
                self.end(place, nodes, &matches, answers, &mut text)
            }
            AskerEvent::GivenUp(error) => {
                tell(format_args!("--query, {}: {error}", place.words()));
                self.printed.fill(0);
                Ok(())
            }
        };
        self.print(&text);
    }

    fn print(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.has_printed = true;
        let _ = self.out.write_all(text);
        let _ = self.out.flush();
        if self.out.has_failed()
            && let Some(stop) = &self.stop
        {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Sets what follows apart; whether everything could be printed.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.has_printed && self.format == Format::Text {
            let _ = self.out.write_all(b"\n");
        }
        self.out.finish()
    }

    fn found(&mut self, place: TreePlace, found: &Match, text: &mut Vec<u8>) -> io::Result<()> {
        let asked = &self.questions.asked[found.query];
        let printed = &mut self.printed[found.query];
        if asked.telling != Telling::AsFound || *printed >= self.questions.matches_max {
            return Ok(());
        }
        *printed += 1;
        for (_, column) in found.cells.iter().zip(&asked.columns).filter(|(cell, _)| cell.is_err()) {
            let (words, node) = (place.words(), found.node_id);
            tell(format_args!(
                "--query, {words}, node {node}: `{}` is outside the 64-bit integers",
                column.heading
            ));
        }
        let cells: Row = found.cells.iter().map(|cell| cell.clone().ok().flatten()).collect();
        self.row(place, asked, &cells, text)
    }

    fn row(&self, place: TreePlace, asked: &Asked, cells: &Row, text: &mut Vec<u8>) -> io::Result<()> {
        let about = self.about(place, asked);
        if self.format == Format::Json {
            return told_json::found(text, place, &about, cells);
        }
        let worded: Vec<String> = about.cells(cells).map(|cell| about.cell(cell)).collect();
        let [node_id, ply, line, ..] = worded.as_slice() else { return Ok(()) };
        let line = if line.is_empty() { "(root)" } else { line };
        write!(text, "{}node {node_id:>9}  ply {ply:>2}  {line}", self.head(place, asked))?;
        for (cell, column) in worded.iter().zip(&about.columns).skip(PLACE_COLUMNS) {
            write!(text, "  {}={cell}", column.heading)?;
        }
        writeln!(text)
    }

    fn end(
        &mut self,
        place: TreePlace,
        nodes: u64,
        matches: &[u64],
        answers: Vec<Result<Answer, RunError>>,
        text: &mut Vec<u8>,
    ) -> io::Result<()> {
        for (query, answer) in answers.into_iter().enumerate() {
            let asked = &self.questions.asked[query];
            if let (Telling::Arranged, Ok(Answer::Rows { rows, .. })) = (asked.telling, &answer) {
                rows.iter().try_for_each(|row| self.row(place, asked, row, text))?;
                self.printed[query] = rows.len();
            }
            if let Err(error) = &answer {
                tell_lines(&self.questions.draw_run(error));
            }
            let end = TreeEnd { nodes, matches: matches[query], printed: self.printed[query] as u64, answer };
            match self.format {
                Format::Text => self.end_text(place, asked, &end, text)?,
                Format::Json => told_json::end(text, place, &self.about(place, asked), asked.telling, &end)?,
            }
        }
        self.printed.fill(0);
        Ok(())
    }

    fn end_text(&self, place: TreePlace, asked: &Asked, end: &TreeEnd, text: &mut Vec<u8>) -> io::Result<()> {
        let (head, about) = (self.head(place, asked), self.about(place, asked));
        match (&end.answer, asked.telling) {
            (Err(_), _) => writeln!(text, "{head}no answer: a result is outside the 64-bit integers"),
            (Ok(_), Telling::AsFound | Telling::Arranged) => writeln!(text, "{head}{}", end.sentence()),
            (Ok(Answer::Count(count)), Telling::Gathered) => {
                writeln!(text, "{head}{} in {}", grouped(*count), counted(end.nodes, "node"))
            }
            (Ok(Answer::Value(value)), Telling::Gathered) => {
                let value =
                    about.columns.first().map(|column| about.cell(Cell::alone(value.as_ref(), column)));
                writeln!(text, "{head}{}", value.unwrap_or_default())
            }
            (Ok(Answer::Rows { rows, .. }), Telling::Gathered) => {
                writeln!(text, "{head}{}", counted(rows.len() as u64, "group"))?;
                let (mut head, mut body, mut streamed) = (Vec::new(), Vec::new(), Streamed::default());
                table::rows(&mut body, &about, &mut streamed, rows)?;
                table::head(&mut head, &about, &streamed)?;
                let table = [head, body].concat();
                String::from_utf8_lossy(&table).lines().try_for_each(|line| writeln!(text, "{INDENT}{line}"))
            }
            // A gathered answer is never a list of nodes.
            (Ok(Answer::Nodes(_)), Telling::Gathered) => Ok(()),
        }
    }

    /// What stands before every line: the tree and, where there are several, the query.
    fn head(&self, place: TreePlace, asked: &Asked) -> String {
        if self.questions.asked.len() == 1 {
            return format!("{}  ", place.words());
        }
        let width = self.questions.asked.iter().map(|asked| asked.label.chars().count()).max().unwrap_or(0);
        format!("{}  {:<width$}  ", place.words(), asked.label)
    }

    fn about<'s>(&'s self, place: TreePlace, asked: &'s Asked) -> About<'s> {
        let in_words = self.format == Format::Text;
        let aliases = in_words.then(|| self.questions.schema());
        let mates = in_words.then(|| self.questions.mates());
        About {
            log: "",
            tree: place.tree,
            with_tree: false,
            name: Some(&asked.label),
            number: 0,
            query: &asked.text,
            columns: asked.columns.clone(),
            beside: asked.beside.clone(),
            wording: Wording {
                notation: self.questions.notation(),
                namers: Some(&self.namers),
                aliases,
                mates,
            },
            stamp: Stamp::of_unix_seconds(0),
        }
    }
}
