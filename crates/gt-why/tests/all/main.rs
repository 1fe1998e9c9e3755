//! The tests of the crate from outside.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod hostile;
mod names;
mod searches;
mod tree_text;
mod verdicts;
