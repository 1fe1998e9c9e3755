//! Doubts: records of a log that are hardly possible, and the questions that they raise.
//!
//! ```text
//! Suspicion: nodes that could tell ──of──▶ 5,000
//!            those that are counted ──counted──▶ 4,990     99.8%, above its limit: a Doubt
//! ```
//!
//! A profile of a wrongly written log is a page of wrong figures, without any sign of it. Each suspicion is two
//! counts in GTQL; from some share on, it is raised as a question. It is only a question: an engine may have its
//! reasons.
//!
//! **Invariant:** fewer than [`EVIDENCE_MIN`] nodes raise no doubt, and names that the log lacks raise none.

use gt_log::Tree;
use gt_query::engine::{self, Options};
use gt_query::{Answer, Environment, compile, render_all};
use serde_json::{Value as Json, json};

use super::facts::percent;
use super::offer::Offer;
use super::run::Error;
use super::suspicions::{Limit, Suspicion, suspicions};
use crate::chart::{Unit, number_json};
use crate::number::{grouped, in_unit};

/// The minimum number of relevant nodes.
const EVIDENCE_MIN: u64 = 100;

/// A record that is hardly possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// Its name in JSON.
    pub name: &'static str,
    /// The observation, in numbers.
    pub seen: String,
    /// What to check in the engine.
    pub question: String,
    /// The number of suspicious nodes.
    pub counted: u64,
    /// The number of relevant nodes.
    pub of: u64,
    /// The two counts as a file of queries.
    pub queries: String,
}

impl Doubt {
    /// Returns the observation, and the question.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{} {}", self.seen, self.question)
    }

    pub(super) fn to_json(&self) -> Json {
        let share = percent(self.counted as f64, self.of as f64).map_or(Json::Null, number_json);
        json!({"name": self.name, "seen": self.seen, "question": self.question, "counted": self.counted,
               "of": self.of, "percent": share, "queries": self.queries})
    }
}

/// The doubts about a tree, all queried in one pass.
///
/// # Errors
/// Returns an error if the log cannot be read.
pub(super) fn doubts(tree: Tree<'_>, offer: &Offer<'_>, options: &Options<'_>) -> Result<Vec<Doubt>, Error> {
    let suspicions = suspicions(offer, players(tree) == 2);
    let text: String = suspicions.iter().map(Suspicion::queries).collect();
    let program = compile(&text, &Environment::new(offer.schema()))
        .map_err(|errors| Error::Unbound(render_all(&errors, "doubts", &text)))?;
    let answers = engine::run(&program, tree, options)?.answers;
    let counts: Vec<Option<u64>> = answers
        .into_iter()
        .map(|answer| match answer {
            Ok(Answer::Count(count)) => Some(count),
            // An overflow: the query has no answer, so there is no doubt.
            _ => None,
        })
        .collect();
    let pairs = counts.chunks_exact(2).map(|pair| Some((pair[0]?, pair[1]?)));
    Ok(suspicions.into_iter().zip(pairs).filter_map(|(suspicion, pair)| judge(suspicion, pair?)).collect())
}

fn judge(suspicion: Suspicion, (of, counted): (u64, u64)) -> Option<Doubt> {
    let share = percent(counted as f64, of as f64)?;
    let is_doubtful = match suspicion.limit {
        Limit::Above(percent) => share > percent,
        Limit::Below(percent) => share < percent,
    };
    if of < EVIDENCE_MIN || !is_doubtful {
        return None;
    }
    let figures = format!("{} ({} of {})", in_unit(share, Unit::Percent), grouped(counted), grouped(of));
    Some(Doubt {
        name: suspicion.name,
        seen: suspicion.seen.replace("{}", &figures),
        queries: suspicion.queries(),
        question: suspicion.question,
        counted,
        of,
    })
}

/// The number of players: two unless the tree says otherwise.
fn players(tree: Tree<'_>) -> u64 {
    tree.metadata().get("players").and_then(|players| players.parse().ok()).unwrap_or(2)
}
