//! Errors, each with one sentence that names file, row and column, and the fix.

use std::fmt;
use std::path::Path;

use gt_log::{Kind, SchemaError};

/// The result of a conversion.
pub type Result<T> = std::result::Result<T, Error>;

/// An error, and its place.
#[derive(Debug)]
pub struct Error {
    /// The file; `None` for bytes in memory.
    pub file: Option<String>,
    /// The row.
    pub row: Option<RowPlace>,
    /// The column, by its name in the file.
    pub column: Option<String>,
    /// The kind of error.
    pub kind: Box<ErrorKind>,
}

/// A row, in the numbering of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowPlace {
    /// The line of a text file, from 1.
    Line(u64),
    /// The row of a table, from 1.
    Row(u64),
}

/// The kinds of errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused to read or write.
    Io(std::io::Error),
    /// The log could not be read or written.
    Log(gt_log::Error),
    /// The file's name does not determine its format.
    UnknownFormat,
    /// The file is not a regular one, and has to be read twice.
    NotAFile,
    /// There is no row.
    Empty,
    /// A required column does not exist.
    NoColumn {
        /// Its name.
        name: &'static str,
        /// The existing columns.
        present: Vec<String>,
    },
    /// A column named by an option does not exist.
    NoSuchColumn {
        /// The name given.
        name: String,
        /// The option.
        option: &'static str,
        /// The existing columns.
        present: Vec<String>,
    },
    /// A requested attribute is not in the log.
    NoSuchAttribute {
        /// The name given.
        name: String,
        /// The existing attributes.
        present: Vec<String>,
    },
    /// Two columns have the same name.
    ColumnTwice {
        /// The name.
        name: String,
    },
    /// A column cannot be an attribute of that name.
    Name {
        /// The reason.
        error: SchemaError,
        /// A valid name.
        proposal: String,
    },
    /// The aliases, or the number of attributes, were rejected.
    Schema(SchemaError),
    /// There are more columns than a log can have attributes.
    TooManyColumns {
        /// The number of columns.
        columns: usize,
    },
    /// A column's type has no counterpart in a log.
    UnsupportedType {
        /// The file's name for the type.
        name: String,
    },
    /// The file's compression is not supported.
    UnsupportedCompression {
        /// The compression.
        name: String,
    },
    /// A part of the structure is missing.
    Missing,
    /// A value is not of the column's type.
    WrongValue {
        /// The value.
        value: String,
        /// The expected type.
        expected: &'static str,
    },
    /// A number does not fit its column's type.
    OutOfRange {
        /// The value.
        value: String,
        /// The type that it has to fit.
        expected: &'static str,
    },
    /// A text is too long for a log.
    TextTooLong {
        /// Its length.
        bytes: usize,
    },
    /// Values of one column that no single type can hold.
    MixedTypes {
        /// The type of this one.
        this: &'static str,
        /// The type of an earlier one.
        earlier: &'static str,
        /// The row of that one.
        earlier_row: RowPlace,
    },
    /// Two rows have the same node_id.
    DuplicateNode {
        /// The node_id.
        node: i64,
        /// The other row.
        earlier_row: RowPlace,
    },
    /// A node's parent has no row.
    UnknownParent {
        /// The node.
        node: i64,
        /// Its parent.
        parent: i64,
    },
    /// Two nodes of a tree have no parent.
    SecondRoot {
        /// The node.
        node: i64,
        /// The first root's row.
        earlier_row: RowPlace,
    },
    /// A node is its own ancestor.
    Cycle {
        /// The node.
        node: i64,
    },
    /// `size` or `ply` contradicts the structure.
    Contradiction {
        /// The node.
        node: i64,
        /// `size` or `ply`.
        what: &'static str,
        /// The value in the file.
        stated: i64,
        /// The value by the structure.
        actual: i64,
    },
    /// The file does not follow its format.
    Broken {
        /// The format.
        format: &'static str,
        /// The problem.
        what: String,
    },
    /// The file's description of its log cannot be understood.
    BrokenDescription {
        /// The problem.
        what: String,
    },
    /// The rows are out of order and exceed the memory granted for sorting them.
    TooLargeToSort {
        /// The memory granted.
        bytes_max: u64,
    },
    /// The file is UTF-16 text.
    Utf16,
    /// A line is too long for a table.
    LineTooLong,
    /// The caller stopped the conversion.
    Stopped,
    /// The rows are out of order, and the log goes to a pipe or device that cannot be restarted.
    NotRewritable,
    /// The file has more rows than granted.
    TooManyRows {
        /// The number granted.
        rows_max: u64,
    },
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { file: None, row: None, column: None, kind: Box::new(kind) }
    }

    pub(crate) fn at(mut self, row: RowPlace) -> Self {
        self.row.get_or_insert(row);
        self
    }

    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.column.get_or_insert_with(|| column.to_owned());
        self
    }

    /// An error of gt-log about a target; adds this file if the error names none.
    pub(crate) fn of_target(error: gt_log::Error, target: &Path) -> Self {
        match error {
            gt_log::Error::Io(_) => Self::from(error).in_file(target),
            _ => error.into(),
        }
    }

    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.display().to_string());
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(ErrorKind::Io(error))
    }
}

impl From<gt_log::Error> for Error {
    fn from(error: gt_log::Error) -> Self {
        Self::new(ErrorKind::Log(error))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            ErrorKind::Io(error) => Some(error),
            ErrorKind::Log(error) => Some(error),
            ErrorKind::Name { error, .. } | ErrorKind::Schema(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for RowPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowPlace::Line(line) => write!(f, "line {line}"),
            RowPlace::Row(row) => write!(f, "row {row}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row.map(|row| row.to_string());
        let column = self.column.as_ref().map(|column| format!("column `{}`", column.escape_debug()));
        let parts: Vec<&str> =
            [self.file.as_deref(), row.as_deref(), column.as_deref()].into_iter().flatten().collect();
        if !parts.is_empty() {
            write!(f, "{}: ", parts.join(", "))?;
        }
        self.kind.fmt(f)
    }
}

/// The noun for a value of this kind in a message.
pub(crate) const fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::I8 => "a whole number of type i8, -128 to 127",
        Kind::I16 => "a whole number of type i16, -32768 to 32767",
        Kind::I32 => "a whole number of type i32, -2147483648 to 2147483647",
        Kind::I64 => "a whole number of type i64, -9223372036854775808 to 9223372036854775807",
        Kind::U8 => "a whole number of type u8, 0 to 255",
        Kind::U16 => "a whole number of type u16, 0 to 65535",
        Kind::U32 => "a whole number of type u32, 0 to 4294967295",
        Kind::U64 => "a whole number of type u64, 0 to 18446744073709551615",
        Kind::F32 => "a number of type f32",
        Kind::F64 => "a number of type f64",
        Kind::Bool => "true or false",
        Kind::Text => "a text",
    }
}
