//! A report: headings, paragraphs, tables and charts, in the order of reading.
//!
//! ```text
//! Document ──text────▶ a terminal            charts in characters
//!          ├─markdown▶ a file and its SVGs   charts as pictures beside it
//!          └─html────▶ one file              charts inside; nothing is fetched from anywhere
//! ```
//!
//! Texts are plain: none of the three interprets markup in them, except that `` `code` `` is shown as code.

mod finding;
mod html;
mod markdown;
mod pieces;
mod table;
mod text;

pub use finding::{Finding, Level, Picture};
pub use html::html;
pub use markdown::{Markdown, markdown};
pub use table::{Align, Table};
pub use text::text;
pub(crate) use text::wrapped;

use crate::chart::Chart;

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A heading below a heading.
    Subheading(String),
    /// A paragraph.
    Paragraph(String),
    /// Short statements, one below the other.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A chart, with its meaning and its query.
    Chart(Chart),
    /// Literal lines: a query, a command.
    Code(String),
    /// The few most important numbers: a value, and what it is.
    Numbers(Vec<(String, String)>),
    /// Findings, ranked.
    Findings(Vec<Finding>),
    /// A picture of a board or a tree.
    Picture(Picture),
}

impl Document {
    /// An empty report.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), blocks: Vec::new() }
    }

    /// Adds a heading.
    pub fn heading(&mut self, words: &str) -> &mut Self {
        self.push(Block::Heading(words.to_owned()))
    }

    /// Adds a heading below a heading.
    pub fn subheading(&mut self, words: &str) -> &mut Self {
        self.push(Block::Subheading(words.to_owned()))
    }

    /// Adds a paragraph, unless it is empty.
    pub fn paragraph(&mut self, words: &str) -> &mut Self {
        if words.is_empty() { self } else { self.push(Block::Paragraph(words.to_owned())) }
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.push(Block::Table(table))
    }

    /// Adds a chart.
    pub fn chart(&mut self, chart: Chart) -> &mut Self {
        self.push(Block::Chart(chart))
    }

    /// Adds literal lines.
    pub fn code(&mut self, lines: &str) -> &mut Self {
        self.push(Block::Code(lines.to_owned()))
    }

    /// Adds any block.
    pub fn push(&mut self, block: Block) -> &mut Self {
        self.blocks.push(block);
        self
    }

    /// Adds all blocks of another report, with its title as a heading.
    pub fn append(&mut self, other: Document) -> &mut Self {
        self.heading(&other.title);
        self.blocks.extend(other.blocks);
        self
    }
}
