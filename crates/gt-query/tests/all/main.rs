//! GTQL: its evaluators held against one another, and against answers that a person can read.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod agreement;
mod any_text;
mod blocks;
mod chains;
mod crafted;
mod crafted_heads;
mod deep;
mod deviations;
mod engine;
mod engine_scan;
mod engine_stress;
mod engine_support;
mod few_values;
mod first_blocks;
mod goldens;
mod gti;
mod large;
mod live;
mod many_groups;
mod means;
mod notes;
mod relatives;
mod siblings;
mod stream;
mod support;
mod tools;
mod twins;
mod unfinished;
mod within;
