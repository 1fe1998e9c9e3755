//! Games for game-tree search: tic-tac-toe, connect four, Amazons, chess, Chinese checkers, Thorns, and hand-written
//! trees.
//!
//! Each game has its rules ([`gt_search::Game`]), its texts, drawings and log numbers ([`Notation`]) and its
//! evaluations ([`gt_search::Evaluate`], [`gt_search::EvaluateAll`]). [`registry`] lists them all by name, [`saved`]
//! reads and writes games in files, and [`Symmetric`] knows which positions are the same up to symmetry.
//!
//! ```
//! use gt_games::registry::{GameKind, Setup};
//!
//! let kind: GameKind = "amazons".parse()?;
//! let mut game = kind.open(&Setup { board: Some("6x6".to_owned()), ..Setup::default() })?;
//! game.play("b1-b4/e4")?;
//! assert_eq!(game.position_text(), "1b2b1/b4b/1w2x1/6/w4w/4w1 b");
//! # Ok::<(), gt_games::NotationError>(())
//! ```
//!
//! The number of a move in a log's `last_move` (0 is the root, 65535 a null move):
//!
//! | game | number |
//! |---|---|
//! | `tic-tac-toe` | the square from 1 (a1, b1 … c3) |
//! | `connect-four` | the column from 1 |
//! | `amazons` | `from \| to << 7 \| arrow << 14`, a square being `10 * rank + file` from 0 |
//! | `chess` | `from \| to << 6 \| promotion << 12`, a1 = 0 … h8 = 63, promotion 1 N, 2 B, 3 R, 4 Q |
//! | `chinese-checkers` | `from \| to << 7`, holes from 0 row by row; a pass is 16383 |
//! | `thorns` | the card from 1: clubs, diamonds, hearts and spades, from the nine to the ace |
//! | `tree` | the node's place in the text, the root's being 0; the log names the moves |
//!
//! **Invariant:** this crate never searches, and no input from outside makes it panic.

// The unit tests are compiled as a separate program (see `tests/Cargo.toml`), which uses less of the crate than its users do.
#![cfg_attr(test, allow(dead_code, unreachable_pub))]

pub mod amazons;
pub mod board;
pub mod chess;
pub mod chinese_checkers;
pub mod complexity;
pub mod connect_four;
mod error;
pub mod explain;
mod move_codes;
mod notation;
mod perft;
pub mod registry;
mod rows;
pub mod saved;
mod symmetry;
pub mod thorns;
pub mod tic_tac_toe;
pub mod tree;
mod zobrist;

pub use amazons::Amazons;
pub use chess::Chess;
pub use chinese_checkers::ChineseCheckers;
pub use connect_four::ConnectFour;
pub use error::{ErrorKind, NotationError, Result};
pub use notation::{NULL_MOVE_CODE, Notation, ROOT_CODE};
pub use perft::{perft, perft_divide};
pub use registry::{AnyGame, GameKind};
pub use symmetry::Symmetric;
pub use thorns::Thorns;
pub use tic_tac_toe::TicTacToe;
pub use tree::Tree;
