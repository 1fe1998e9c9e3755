//! Opening books: the moves played in a position, and their results.
//!
//! ```text
//! saved games ──Builder──▶ a book ──Book::moves──▶ moves with weights ──Book::choose──▶ a move
//!
//! x.bin   Polyglot's format, for chess: one key for each position      polyglot
//! x.gtb   ours, for every game: positions that are the same but for    own
//!         how the board is held share a key
//! ```
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("small.gtb");
//! use gt_book::{Book, BuildOptions, Builder, Format};
//! use gt_games::registry::{GameKind, Setup};
//! use gt_games::saved;
//!
//! let mut builder = Builder::new(GameKind::TicTacToe, Format::Own, BuildOptions::default())?;
//! for game in saved::read("game=tic-tac-toe\tresult=1-0\tmoves=a1 b2 c3\n", None) {
//!     builder.add(&game?)?;
//! }
//! builder.write(&mut std::fs::File::create(&path)?)?;
//!
//! let book = Book::open(&path, GameKind::TicTacToe)?;
//! let start = GameKind::TicTacToe.open(&Setup::default())?;
//! let corners: Vec<String> = book.moves(&*start)?.into_iter().map(|mv| mv.text).collect();
//! assert_eq!(corners, ["a1", "a3", "c1", "c3"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** a book is never held in memory, and it returns only legal moves.

mod book;
mod book_move;
mod build;
mod error;
mod own;
mod polyglot;
mod records;
mod tally;

pub use book::{Book, BookInfo, Format};
pub use book_move::BookMove;
pub use build::{BuildOptions, Builder};
pub use error::{Error, Result};
pub use polyglot::key as polyglot_key;
pub use tally::Tally;
