//! GTQL: text to syntax, bound to a schema, planned, answered.
//!
//! **Invariant:** this crate opens no file; it is handed a tree.
