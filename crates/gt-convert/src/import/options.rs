//! What the importer is told beside the file.

use gt_log::{Existing, Metadata};

/// What the importer is told beside the file.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What becomes of a file that is there already where the log is to be; by default it stays, and the import
    /// is refused.
    pub existing: Existing,
    /// The game; by default what the file says, or none.
    pub game: Option<String>,
    /// Names for numbers, added to those that the file brings; the same name again replaces its number.
    pub aliases: Vec<(String, i64)>,
    /// About the log, added to what the file brings; the same key again replaces its value.
    pub metadata: Metadata,
    /// New names for columns: `(column, name)`. A column becomes `node_id` or another part of the structure by
    /// getting that name. A column that is given its own name is an attribute even if its name says otherwise
    /// (`size`).
    pub renames: Vec<(String, String)>,
    /// Columns that are left out.
    pub omit: Vec<String>,
    /// How much a file may ask for.
    pub limits: Limits,
}

/// How much a file may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The most rows; by default a million, or as many as 4096 cells a byte make where that is more. A regular
    /// Parquet file has some hundred cells a byte; a file made to keep the importer busy has millions.
    pub rows_max: Option<u64>,
    /// The most memory for sorting rows that are not in the tree's order; by default 256 MiB, or a thousand times
    /// the file's length where that is more.
    pub sort_bytes_max: Option<u64>,
}

/// How much may be read and collected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub(super) rows_max: u64,
    pub(super) bytes_max: u64,
}

impl Limits {
    /// What a file of this length, with so many columns to be read, may ask for.
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
