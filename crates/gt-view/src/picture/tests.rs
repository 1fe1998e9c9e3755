//! Pictures against a plain layout.
