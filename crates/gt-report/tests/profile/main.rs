//! The figures of a profile, what is made of them, and which trees of a log they are of.

mod doubts;
mod figures;
mod rank;
mod report;
mod searches;
mod tiny;
