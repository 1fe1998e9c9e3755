//! What a search is told before the first move.

use std::sync::Arc;

use gt_games::registry::{AnyEvaluation, Playable};
use gt_search::{Endings, Idea, ManyPlayers, Method, Options, Plain, StoredTree, UctOptions};

use super::EngineOptions;
use crate::algorithm::{Algorithm, strong_options};
use crate::deals::deals;

/// The most nodes that a stored tree keeps.
const STORED_NODES_MAX: usize = 20_000_000;

/// The algorithm as the options want it.
pub(super) fn method<G: Playable>(
    algorithm: Algorithm,
    options: &EngineOptions,
    endings: Option<Arc<dyn Endings<G>>>,
) -> Method<G> {
    let searcher = |base: Options, endings| {
        let base = options.without.iter().fold(base, |base, &idea| base.without(idea));
        let table_bytes = if base.uses(Idea::Table) { options.table_bytes } else { 0 };
        let options_of_search = Options { table_bytes, lines: options.lines, ..base };
        Method::Searcher { options: options_of_search, threads: options.threads, endings }
    };
    let simulating = |evaluates| {
        let default = UctOptions::default();
        let memory_max = options.memory_bytes.unwrap_or(default.memory_max);
        Method::Simulating { options: UctOptions { seed: options.seed, memory_max, ..default }, evaluates }
    };
    match algorithm {
        Algorithm::Minimax => Method::Plain(Plain::Minimax),
        Algorithm::Negamax => Method::Plain(Plain::Negamax),
        Algorithm::AlphaBeta => Method::Plain(Plain::AlphaBeta),
        Algorithm::Negascout => Method::Plain(Plain::NegaScout),
        Algorithm::Pvs => searcher(Options::default(), endings),
        Algorithm::Strong => searcher(strong_options(G::KIND), endings.or_else(G::counted_endings)),
        Algorithm::StoredTree => {
            let nodes_max = options.memory_bytes.map(StoredTree::<G, AnyEvaluation<G>>::nodes_within);
            Method::Stored { nodes_max: nodes_max.unwrap_or(STORED_NODES_MAX) }
        }
        Algorithm::MaxN => Method::Many(ManyPlayers::MaxN(None)),
        Algorithm::Paranoid => Method::Many(ManyPlayers::Paranoid),
        Algorithm::BestReply => Method::Many(ManyPlayers::BestReply),
        Algorithm::ProofNumber => Method::Proof { table_bytes: options.table_bytes / 2 },
        Algorithm::Sampling => {
            let seed = options.seed;
            Method::Sampling { deals: Box::new(move |game| deals(game, seed)) }
        }
        Algorithm::Uct => simulating(false),
        Algorithm::UctEval => simulating(true),
    }
}
