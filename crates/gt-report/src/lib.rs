//! Presents a tree's numbers: figures, plots, reports.
//!
//! ```text
//! schema ──profile──▶ figures (GTQL) ──engine──▶ answers ──▶ Chart ──plot──▶ SVG, terminal
//!                                                          └▶ Table ─┴─document─▶ text, Markdown, HTML
//! ```
//!
//! Other charts and reports (experiments, comparisons) use the same parts: a [`Chart`] is general, and a [`Document`]
//! accepts any of them.
//!
//! **Invariant:** every figure of a profile is the answer of a GTQL query that anyone can run, or plain, documented
//! arithmetic on such answers. This crate opens no file, draws on no screen and knows no game.

pub mod chart;
mod condition;
pub mod diff;
pub mod document;
mod labels;
mod mates;
mod naming;
mod node_names;
mod number;
pub mod plot;
pub mod profile;
mod ranges;

pub use chart::{Axis, Chart, ChartKind, Places, Scale, Series, X};
pub use condition::missing_text;
pub use document::{Block, Document, Finding, Level, Picture, Table};
pub use labels::{Labels, labels};
pub use mates::Mates;
pub use naming::NameMoves;
pub use node_names::{NodeNames, move_names};
pub use number::{Unit, counted, grouped, plain, short, signed};
pub use ranges::attribute_ranges;
