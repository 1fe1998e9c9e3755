//! Endgame tables: positions whose value with best play is known, in files that a search can use.
//!
//! ```text
//! chess         KRK, KQKR …   retrograde analysis, plies to mate                  chess
//!               Syzygy's files, with more pieces: who wins                        syzygy
//! Amazons       enclosed regions: moves that are left; contested ones: what they are worth   amazons
//! connect four  all that can come up from a position                             connect_four
//! a file  x.gte         a head, and blocks with a checksum each                   file
//! a search asks through gt_search::Endings                                        tables
//! ```
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("krk.gte");
//! use gt_endgame::{Tables, chess};
//! use gt_games::chess::Board;
//! use gt_search::Ending;
//!
//! let solved = chess::build("KRK".parse()?, |_| ())?;
//! solved.write(&mut std::fs::File::create(&path)?)?;
//!
//! let tables = Tables::open(&path)?;
//! let board: Board = "8/8/8/8/8/2k5/2r5/K7 w - - 0 1".parse().map_err(|_| "no position")?;
//! assert_eq!(tables.chess.probe(&board)?, Some(Ending::Loss { plies: 4 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Invariant:** a table in a file is never held in memory as a whole, and no damaged byte of one of ours becomes a value.

// The tests inside are compiled as a program (see `tests/Cargo.toml`), which uses less of the crate than its users do.
#![cfg_attr(test, allow(dead_code, unreachable_pub))]

pub mod amazons;
pub mod chess;
pub mod connect_four;
mod error;
mod file;
mod parallel;
mod probe;
mod records;
mod syzygy;
mod tables;
mod verified;

pub use error::{Error, Result};
pub use probe::{Probed, ProbedMove, ProbedProgress};
pub use tables::{EXTENSION, FileInfo, Table, Tables};
pub use verified::Verified;
