//! Explains why a move was played or not: a line of moves, explained by the log of the search.
//!
//! ```text
//! Log ──trees──▶ the iteration asked for ──follow──▶ a Step for each move ──verdict──▶ one sentence
//!                                            │ children by hops over sizes
//!                the other iterations ──────▶ a row each: value, rank and nodes of the line
//! ```
//!
//! [`explain`] reads only the nodes along the line and their children: blocks of the log that hold none of them are
//! never decoded. If the log lacks an attribute, everything that depends on it is left open, and
//! [`Explanation::missing`] describes what it would have shown.
//!
//! ```
//! use gt_games::tic_tac_toe::{Distance, TicTacToe};
//! use gt_log::{Log, LogWriter, Metadata};
//! use gt_search::{Limits, Plain};
//! use gt_why::{TreeChoice, explain};
//!
//! let log = LogWriter::to_memory(gt_record::header("tic-tac-toe")?)?;
//! let mut recorder = gt_record::Recorder::new(&log, Metadata::new());
//! Plain::AlphaBeta.search(&TicTacToe::new(), &Distance, &Limits::depth(4), &mut recorder, |_| ());
//! recorder.finish()?;
//! let log = Log::from_bytes(log.into_memory()?)?;
//!
//! let why = explain(&log, TreeChoice::LastComplete, &[2, 5])?;
//! assert_eq!(why.line[0].rank, 1, "b1 is the second move that was tried");
//! println!("{}", why.text(&|_: &[i64], number| Some(format!("square {number}"))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** moves are numbers, as in logs; the caller provides their names, and is told the moves before each. Values and bounds are from one
//! view, [`Explanation::view`]. This crate knows no game, opens no file and prints nothing.

mod attributes;
mod candidate;
mod children;
mod document;
mod error;
mod explain;
mod explanation;
mod follow;
mod iterations;
mod judge;
mod moves;
mod node;
mod reader;
mod rival;
mod score;
mod sentence;
mod step;
mod verdict;
mod wording;

pub use candidate::Candidate;
pub use error::Error;
pub use explain::explain;
pub use explanation::{Explanation, LeavingPoint, Missing};
pub use iterations::{Iteration, Occurrence, TreeChoice, tree};
pub use moves::Move;
pub use rival::Rival;
pub use score::{Bound, Score, View};
pub use sentence::Sentence;
pub use step::{Step, Visit};
pub use verdict::{Reason, Verdict};
