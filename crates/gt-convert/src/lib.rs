//! Converts game-tree logs from and to Parquet, CSV and JSON Lines, and to Graphviz; trees to Arrow and back; any
//! tables to Parquet and Arrow.
//!
//! ```text
//! node_id  parent_id  ply  size  last_move  best  type …      a row a node, in preorder
//!       0         -1    0     3          0    12     1
//!       1          0    1     1        796   -12     4
//!       2          0    1     1       1036   -25     4
//! ```
//!
//! An import restores the same log from an export: types, aliases, metadata, names of moves, every bit of every
//! value, missing values, marks of unfinished nodes and counts of nodes left out.
//!
//! **Invariant:** this crate knows no game and no query; it reads and writes logs through `gt_log` alone.

mod csv_line;
mod description;
mod dot;
mod error;
mod error_text;
mod export;
mod format;
mod import;
mod literal;
mod nodes;
mod progress;
mod role;
mod table;

pub use csv_line::{CsvLine, csv_text};
pub use dot::{DotOptions, DotReport, MoveTexts, export_dot};
pub use error::{Error, ErrorKind, Result, RowPlace};
pub use export::{ExportReport, Selection, export, export_to};
pub use format::Format;
pub use import::{ImportOptions, ImportReport, Limits, import, import_arrow, import_bytes};
pub use nodes::NodeBatches;
pub use progress::{OnProgress, Progress, Stage, unwatched};
pub use table::{TableColumn, TableFile, TableType};
