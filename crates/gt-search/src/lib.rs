//! Game-tree search, generic over the game, observable node by node.
//!
//! A [`Game`] defines the rules, an evaluation supplies values, and an [`Observer`] sees every node that the
//! search enters and leaves. `()` observes nothing and costs nothing.
//!
//! | search | players | purpose |
//! |---|---|---|
//! | [`minimax`], [`negamax`], [`alpha_beta`], [`negascout`] | 2 | as in the literature; the oracle for the others |
//! | [`Searcher`] | 2 | full strength: table, ordering, quiescence, and more by [`Options`] |
//! | [`ParallelSearcher`] | 2 | the same on several threads, with one observer each |
//! | [`StoredTree`] | 2 | a tree that is kept from move to move |
//! | [`max_n`], [`paranoid`], [`best_reply`] | any | three models of what the other players want |
//! | [`search_worlds`] | any | hidden hands: several deals, each searched as if it were open |
//! | [`ProofSearch`] | 2 | who wins, with proof: no values, no horizon |
//! | [`Uct`] | any | Monte Carlo tree search, whose tree does not grow depth-first |
//!
//! All of them take [`Limits`] on depth, nodes and time and a flag that stops them, and return the result of the last
//! depth that they completed. [`Plain`] and [`ManyPlayers`] run the algorithms above under limits.
//!
//! # A game, and a search of it
//!
//! ```
//! use gt_search::{Evaluate, Game, Limits, Options, Outcome, Searcher};
//!
//! /// Take one, two or three matches; who takes the last one wins.
//! #[derive(Clone)]
//! struct Nim {
//!     matches: u64,
//!     to_move: usize,
//! }
//!
//! impl Game for Nim {
//!     type Move = u64;
//!     type Undo = ();
//!     fn to_move(&self) -> usize {
//!         self.to_move
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.matches == 0).then_some(Outcome::Win(1 - self.to_move))
//!     }
//!     fn moves(&self, moves: &mut Vec<u64>) {
//!         moves.extend(1..=self.matches.min(3));
//!     }
//!     fn make(&mut self, taken: u64) {
//!         self.matches -= taken;
//!         self.to_move = 1 - self.to_move;
//!     }
//!     fn undo(&mut self, taken: u64, (): ()) {
//!         self.matches += taken;
//!         self.to_move = 1 - self.to_move;
//!     }
//!     fn hash(&self) -> u64 {
//!         self.matches * 2 + self.to_move as u64
//!     }
//!     fn encode(&self, taken: u64) -> i64 {
//!         taken as i64
//!     }
//! }
//!
//! struct Even;
//! impl Evaluate<Nim> for Even {
//!     fn evaluate(&self, _: &Nim) -> i32 {
//!         0
//!     }
//! }
//!
//! let mut searcher = Searcher::new(Even, Options::default());
//! let result = searcher.search(&Nim { matches: 6, to_move: 0 }, &Limits::depth(8));
//! assert_eq!(result.best_move, Some(2), "leave four");
//! ```
//!
//! # What an observer sees
//!
//! Every node, including those of quiescence, null moves and repeated searches, is entered once and left once. Nodes
//! nest, even when a limit stops the search inside ([`Ended::Stopped`]; the value is then the best so far, or alpha).
//! Each iteration of iterative deepening is a separate tree, announced by [`Observer::begin`]. If an aspiration
//! window fails, there is another root, flagged [`NodeType::RESEARCH`].
//!
//! - PV, Cut and All are *expectations*: the root is PV, the first child of a PV node is PV and the others Cut, children
//!   of Cut nodes are All and children of All nodes Cut.
//! - A move that is searched again with the open window is entered again, flagged [`NodeType::RESEARCH`]. A reduced
//!   move that fails high is first entered again at full depth with the null window, without the flag; then, if it
//!   still fails high, with the open window and the flag.
//! - If quiescence is on, a node at the horizon *is* the [`NodeType::QUIESCENCE_ROOT`]. Leaves without quiescence are entered once,
//!   whatever their value.
//! - A test of whether a move is alone ([`Options::singular_extensions`]) enters the other moves with
//!   [`NodeType::EXCLUDED`], before they are searched in earnest.
//! - The node below a pass has [`NodeType::NULL_MOVE`], no last move, and place 0.
//! - A node whose ending a table knows ([`Endings`]) is entered and left at once, as [`Ended::Endgame`].
//!
//! **Invariant:** this crate knows no particular game and no log.

mod any_search;
mod deepening;
mod driver;
mod endings;
mod game;
mod limits;
mod many_players;
mod node;
mod observer;
mod order;
mod parallel;
mod plain;
mod proof_number;
mod root_values;
mod stored_tree;
mod table;
mod uct;
mod value;
mod variation;
mod walk;
mod watched;
mod worlds;

pub use any_search::{AnySearch, Deals, Method, Remembering};
pub use deepening::{Iteration, Line, SearchResult};
pub use driver::{Breadth, Fault, Idea, Options, Searcher};
pub use endings::{Ending, Endings, KnownEnding};
pub use game::{Evaluate, EvaluateAll, Foresight, Game, Outcome, PackedBoard, STRUCTURES, THEMES};
pub use limits::Limits;
pub use many_players::{EvaluationBounds, ManyPlayers, ValuedResult, best_reply, max_n, paranoid};
pub use observer::{Ended, EntryRecord, NodeType, Observer, Record};
pub use parallel::ParallelSearcher;
pub use plain::{Plain, alpha_beta, minimax, negamax, negascout};
pub use proof_number::{Goal, Proof, ProofRow, ProofSearch, Solution, Verdict, solve};
pub use root_values::{RootValue, RootValues, View};
pub use stored_tree::StoredTree;
pub use table::{Bound, Table};
pub use uct::{CERTAIN_PER_MILLE, Row, Uct, UctOptions};
pub use value::{
    INFINITE, PLY_MAX, UNMEASURED_WIN_MIN, WIN, WIN_MIN, is_decided, is_unmeasured, tells_winner,
    win_distance_plies, written_value,
};
pub use watched::Watched;
pub use worlds::search_worlds;
