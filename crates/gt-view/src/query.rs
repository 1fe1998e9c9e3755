//! Queries for the page: checked as they are typed, run in the background, their matches kept for marks and steps.
//!
//! ```text
//! text ──binding──▶ program ──plan──▶ what is run ──runs──▶ results ──answer, export──▶ the page
//!                                                              └─matches──▶ marks in pictures, steps
//! ```
//!
//! Everything is answered by gt-query; this module holds what it found.

pub(crate) mod answer;
pub(crate) mod binding;
pub(crate) mod charts;
pub(crate) mod check;
pub(crate) mod complete;
pub(crate) mod differences;
pub(crate) mod export;
pub(crate) mod library;
mod memory;
pub(crate) mod opened_file;
mod ordering;
pub(crate) mod orders;
mod plan;
pub(crate) mod result_file;
mod results;
mod run;
pub(crate) mod runs;
mod text;
