//! The formats, and their file extensions.

use std::path::Path;

use crate::{Error, ErrorKind, Result};

/// A format for import or export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Parquet, the table format of DuckDB, pandas and Spark.
    Parquet,
    /// Comma-separated values with a line of names.
    Csv,
    /// One JSON object per line.
    JsonLines,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Csv, Format::JsonLines];

    /// Returns its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
        }
    }

    /// Returns the format with this name or extension, case-insensitively.
    ///
    /// ```
    /// assert_eq!(gt_convert::Format::named("ndjson"), Some(gt_convert::Format::JsonLines));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "parquet" | "pq" => Some(Format::Parquet),
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            _ => None,
        }
    }

    /// Returns the format by the file's extension.
    pub fn of_path(path: &Path) -> Result<Self> {
        path.extension()
            .and_then(|extension| Self::named(&extension.to_string_lossy()))
            .ok_or_else(|| Error::new(ErrorKind::UnknownFormat).in_file(path))
    }
}
