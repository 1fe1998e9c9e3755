//! What a search is told before the first move.

use std::sync::Arc;

use gt_games::registry::{AnyEvaluation, Playable};
use gt_search::{Endings, ManyPlayers, Method, Options, Plain, StoredTree, UctOptions};

use crate::algorithm::Algorithm;
use crate::deals::deals;

/// What the algorithms ask for, each some of it.
pub struct Means<G: Playable> {
    /// The switches of pvs and strong.
    pub switches: Options,
    /// The number of threads.
    pub threads: usize,
    /// Endings that are known.
    pub endings: Option<Arc<dyn Endings<G>>>,
    /// The memory of a tree that is kept, if it is limited.
    pub memory_bytes: Option<usize>,
    /// The most nodes of a stored tree whose memory is not.
    pub stored_nodes_max: usize,
    /// The size of a proof's table.
    pub proof_table_bytes: usize,
    /// The seed of random choices.
    pub seed: u64,
}

impl Algorithm {
    /// Returns the algorithm with its means, for [`Playable::begin_search`].
    pub fn method<G: Playable>(self, means: Means<G>) -> Method<G> {
        let Means { switches, threads, endings, memory_bytes, seed, .. } = means;
        let searcher = |endings| Method::Searcher { options: switches, threads, endings };
        let simulating = |evaluates| {
            let default = UctOptions::default();
            let memory_max = memory_bytes.unwrap_or(default.memory_max);
            Method::Simulating { options: UctOptions { seed, memory_max, ..default }, evaluates }
        };
        match self {
            Self::Minimax => Method::Plain(Plain::Minimax),
            Self::Negamax => Method::Plain(Plain::Negamax),
            Self::AlphaBeta => Method::Plain(Plain::AlphaBeta),
            Self::Negascout => Method::Plain(Plain::NegaScout),
            Self::Pvs => searcher(endings),
            Self::Strong => searcher(endings.or_else(G::counted_endings)),
            Self::StoredTree => {
                let nodes_max = memory_bytes.map(StoredTree::<G, AnyEvaluation<G>>::nodes_within);
                Method::Stored { nodes_max: nodes_max.unwrap_or(means.stored_nodes_max) }
            }
            Self::MaxN => Method::Many(ManyPlayers::MaxN(None)),
            Self::Paranoid => Method::Many(ManyPlayers::Paranoid),
            Self::BestReply => Method::Many(ManyPlayers::BestReply),
            Self::ProofNumber => Method::Proof { table_bytes: means.proof_table_bytes },
            Self::Sampling => Method::Sampling { deals: Box::new(move |game| deals(game, seed)) },
            Self::Uct => simulating(false),
            Self::UctEval => simulating(true),
        }
    }
}
