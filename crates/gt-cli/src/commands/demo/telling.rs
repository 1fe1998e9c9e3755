//! What the demo tells of a log: a short version for the terminal, all of it for the report.

use gt_log::Tree;
use gt_query::engine::Options;
use gt_report::NameMoves;
use gt_report::document::{Block, Document};
use gt_report::profile::{Profile, Selection, main_tree};

use crate::commands::picture::blocks::illustrated;
use crate::commands::profile::name_of;
use crate::commands::query::source::Source;
use crate::failure::Failure;
use crate::moves::{Moves, TreeMoves};

/// Rows of a plot that are shown in the terminal.
const ROWS_MAX: usize = 16;

/// A log and its profile.
pub(super) struct Telling<'a> {
    source: &'a Source,
    tree: Tree<'a>,
    profile: Profile<'a>,
    moves: TreeMoves<'a>,
}

impl<'a> Telling<'a> {
    pub(super) fn of(source: &'a Source, selection: &'a Selection) -> Result<Self, Failure> {
        let about = |error: &dyn std::fmt::Display| Failure::about(&source.path, error);
        let tree = main_tree(&source.log).ok_or_else(|| about(&"there is no tree in it"))?;
        let profile =
            Profile::of(&source.log, tree, selection, &Options::default()).map_err(|error| about(&error))?;
        let moves = TreeMoves::new(&source.log, tree, Moves::Text);
        Ok(Self { source, tree, profile, moves })
    }

    /// The number of the tree that is told of.
    pub(super) fn tree(&self) -> usize {
        self.tree.number()
    }

    pub(super) fn queries(&self) -> String {
        self.profile.queries()
    }

    /// The trees, the sentences, a few plots and a table.
    pub(super) fn short(&self, charts: &[&str], table: &str) -> Document {
        let mut document = Document::new("");
        document.table(self.profile.iteration_table(self.moves()));
        document.paragraph(&format!("The largest tree, number {}, in words:", self.tree()));
        document.push(Block::List(self.profile.sentences(self.moves())));
        for name in charts {
            let Some(chart) = self.profile.chart(name) else { continue };
            let places = chart.x.places.len();
            let mut shown = chart.first_places(ROWS_MAX);
            if places > ROWS_MAX {
                shown.meaning += &format!(" (The first {ROWS_MAX} of {places}; the report has all.)");
            }
            document.chart(shown);
        }
        if let (Some(title), Some(table)) =
            (self.profile.title(table), self.profile.table(table, self.moves()))
        {
            document.subheading(title).table(table);
        }
        document
    }

    /// Board, tree and everything of the profile.
    pub(super) fn whole(&self, title: &str, about: &str) -> Result<Document, Failure> {
        let mut document = Document::new(title);
        document.paragraph(about);
        let profile = self.profile.document(&name_of(&self.source.path), self.moves());
        for block in illustrated(profile, self.source, self.tree, Moves::Text)?.blocks {
            document.push(match block {
                Block::Heading(words) => Block::Subheading(words),
                other => other,
            });
        }
        Ok(document)
    }

    fn moves(&self) -> Option<&dyn NameMoves> {
        Some(&self.moves)
    }
}
