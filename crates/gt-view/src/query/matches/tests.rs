//! Matches against a plain set.
