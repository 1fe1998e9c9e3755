//! The formats, and how a file's name tells them.

use std::path::Path;

use crate::{Error, ErrorKind, Result};

/// A format that logs are imported from or exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Parquet, the table format of DuckDB, pandas and Spark.
    Parquet,
    /// Comma-separated values with a line of names.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Csv, Format::JsonLines];

    /// Its name, as an option gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
        }
    }

    /// The format with this name or extension, in any case.
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

    /// The format that the file's extension tells.
    pub fn of_path(path: &Path) -> Result<Self> {
        path.extension()
            .and_then(|extension| Self::named(&extension.to_string_lossy()))
            .ok_or_else(|| Error::new(ErrorKind::UnknownFormat).in_file(path))
    }
}
