//! Game-tree search, generic over the game, observable node by node.
//!
//! A [`Game`] gives the rules, an evaluation gives numbers, an [`Observer`] sees every node the search
//! enters and leaves. `()` observes nothing and costs nothing.
//!
//! **Invariant:** this crate knows no particular game and no log.

mod deepening;
mod driver;
mod game;
mod limits;
mod many_players;
mod node;
mod observer;
mod parallel;
mod plain;
mod stored_tree;
mod table;
mod uct;
mod value;
mod variation;
mod walk;

pub use deepening::{Iteration, SearchResult};
pub use driver::{Options, Searcher};
pub use game::{Evaluate, EvaluateAll, Game, Outcome};
pub use limits::Limits;
pub use many_players::{EvaluationBounds, ManyPlayers, MaxNResult, best_reply, max_n, paranoid};
pub use observer::{Ended, NodeType, Observer, Record};
pub use parallel::ParallelSearcher;
pub use plain::{Plain, alpha_beta, minimax, negamax, negascout};
pub use stored_tree::StoredTree;
pub use table::Table;
pub use uct::{CERTAIN_PER_MILLE, Row, Uct, UctOptions};
pub use value::{INFINITE, PLY_MAX, WIN, WIN_MIN, is_decided, win_distance_plies};
