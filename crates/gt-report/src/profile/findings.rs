//! The findings of a profile, ranked: the most expensive things that can be changed first, facts last.
//!
//! The levels are rules of thumb for alpha-beta searches, and each states its number: nine of ten cut-offs by the
//! first move are good, fewer than eight are not; a search that spends more than half of its nodes in quiescence
//! deserves a look.

use super::facts::Facts;
use super::moves::Moves;
use super::numbers::BELOW_ROOTS;
use super::words::{self, CUTOFFS_MIN, Topic};
use crate::document::{Finding, Level};

/// The level of a value: good up to the first limit, fair up to the second.
fn level(value: f64, good_to: f64, fair_to: f64) -> Level {
    if value <= good_to {
        Level::Good
    } else if value <= fair_to {
        Level::Fair
    } else {
        Level::Look
    }
}

/// All findings of a tree; `of_the_search` are sentences about its iterations.
pub(super) fn findings(facts: &Facts<'_>, moves: Moves<'_>, of_the_search: Vec<String>) -> Vec<Finding> {
    let told = words::told(facts, moves).into_iter().map(|(told, words)| {
        let (level, weight, figure) = judged(told, facts);
        let figure = facts.answered(figure).map(|answered| answered.figure);
        Finding {
            level,
            weight,
            words,
            next: figure.map_or_else(String::new, |figure| figure.title.clone()),
            query: figure.map_or_else(String::new, |figure| figure.query()),
        }
    });
    let of_the_search = of_the_search.into_iter().map(|words| Finding {
        level: Level::Note,
        weight: 100.0,
        words,
        next: String::new(),
        query: String::new(),
    });
    Finding::ranked(of_the_search.chain(told).collect())
}

/// The level of a sentence, its weight, and the figure that shows more.
fn judged(told: Topic, facts: &Facts<'_>) -> (Level, f64, &'static str) {
    let share = |part: &str| facts.percent(part, "nodes").unwrap_or(0.0);
    match told {
        Topic::CutOff => (Level::Look, 100.0, ""),
        Topic::PartInTheLog => (Level::Note, 99.0, ""),
        Topic::Size => (Level::Note, 98.0, "nodes-per-ply"),
        Topic::Quiescence => {
            let part = share(BELOW_ROOTS).max(share("quiescence-nodes"));
            (level(part, 35.0, 55.0), part, "largest-quiescence")
        }
        Topic::HeaviestMove => (Level::Note, 60.0, "heaviest-moves"),
        Topic::Spread => (Level::Note, 50.0, "heaviest-subtrees"),
        Topic::Ends => (Level::Note, 20.0, "ended"),
        Topic::Ordering => {
            let missed = facts.percent("first-move-cutoffs-all", "cutoffs").map_or(0.0, |rate| 100.0 - rate);
            let enough = facts.count("cutoffs").is_some_and(|cutoffs| cutoffs >= CUTOFFS_MIN);
            let level = if enough { level(missed, 10.0, 20.0) } else { Level::Note };
            (level, missed, "first-move-cutoffs")
        }
        Topic::Research => {
            let part = share("re-searches");
            (level(part, 1.0, 3.0), part, "re-search-rate")
        }
        Topic::Selectivity => (Level::Note, 30.0, "selectivity"),
        Topic::Minimal => {
            let above = facts.minimal().map_or(0.0, |share| share.above_percent().max(0.0));
            (level(above, 25.0, 60.0), above, "minimal-tree")
        }
    }
}
