//! The games.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod boards;
mod complexity;
mod contract;
mod explanations;
mod figures;
mod games;
mod hostile_input;
mod known_values;
mod pointing;
mod random;
mod registry;
mod saved;
mod scribe;
mod symmetry;
