//! Queries for the page: checked as they are typed, run in the background, their matches kept for marks and steps.
//!
//! Everything is answered by gt-query; this module holds what it found.

pub(crate) mod binding;
pub(crate) mod matches;
