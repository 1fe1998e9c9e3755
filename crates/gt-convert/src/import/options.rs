//! The options of the importer.

use gt_log::{Existing, Metadata};

/// The options of the importer.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What happens to an existing file at the log's destination; by default it is kept, and the import refused.
    pub existing: Existing,
    /// The game; by default the file's, or none.
    pub game: Option<String>,
    /// Names for numbers, added to the file's; a repeated name replaces its number.
    pub aliases: Vec<(String, i64)>,
    /// Metadata of the log, added to the file's; a repeated key replaces its value.
    pub metadata: Metadata,
    /// New names for columns: `(column, name)`. A column becomes `node_id` or another part of the structure by
    /// getting that name. A column that is given its own name is an attribute even if its name says otherwise
    /// (`size`).
    pub renames: Vec<(String, String)>,
    /// Columns to omit.
    pub omit: Vec<String>,
    /// The resource limits.
    pub limits: Limits,
}

/// The resources that a file may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of rows; by default a million, or 4096 cells per byte if that is more. A regular Parquet
    /// file has some hundred cells per byte; a malicious one has millions.
    pub rows_max: Option<u64>,
    /// The maximum memory for sorting rows that are not in the tree's order; by default 256 MiB, or a thousand times
    /// the file's length if that is more.
    pub sort_bytes_max: Option<u64>,
}

/// The resources granted for reading and collecting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub(super) rows_max: u64,
    pub(super) bytes_max: u64,
}

impl Limits {
    /// The resources granted to a file of this length, with this many columns to read.
    pub(super) fn grant(&self, file_bytes: u64, columns: usize) -> Grant {
        const ROWS_ALWAYS: u64 = 1 << 20;
        const CELLS_PER_BYTE: u64 = 1 << 12;
        const SORT_BYTES_ALWAYS: u64 = 1 << 28;
        const SORT_BYTES_PER_BYTE: u64 = 1000;
        let rows = file_bytes.saturating_mul(CELLS_PER_BYTE) / (columns as u64).max(1);
        let bytes = file_bytes.saturating_mul(SORT_BYTES_PER_BYTE);
        Grant {
            rows_max: self.rows_max.unwrap_or(rows.max(ROWS_ALWAYS)),
            bytes_max: self.sort_bytes_max.unwrap_or(bytes.max(SORT_BYTES_ALWAYS)),
        }
    }
}
