//! The sentences of errors.

use std::fmt;

use gt_log::{ATTRIBUTES_MAX, TEXT_BYTES_MAX};

use crate::ErrorKind;

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Log(error) => write!(f, "{error}"),
            Self::UnknownFormat => write!(
                f,
                "the name does not say what it holds; let it end in .parquet, .csv, .jsonl or .ndjson, or name \
                 the format with --format"
            ),
            Self::NotAFile => write!(
                f,
                "this is not a regular file, and it has to be read more than once; save it to a file first"
            ),
            Self::Empty => write!(f, "there is no row in it; a tree has at least its root"),
            Self::NoColumn { name, present } => write!(
                f,
                "there is no column `{name}` ({}); `--rename COLUMN={name}` names the one that is meant",
                listed(present)
            ),
            Self::NoSuchColumn { name, option, present } => write!(
                f,
                "{option} names a column `{}` that is not there ({})",
                name.escape_debug(),
                listed(present)
            ),
            Self::NoSuchAttribute { name, present } => {
                write!(f, "there is no attribute `{}` in this log ({})", name.escape_debug(), listed(present))
            }
            Self::ColumnTwice { name } => {
                write!(f, "there are two columns `{}`; rename or drop one of them", name.escape_debug())
            }
            Self::Name { error, proposal } => write!(f, "{error}; use {proposal}"),
            Self::Schema(error) => write!(f, "{error}"),
            Self::TooManyColumns { columns } => write!(
                f,
                "there are {columns} columns, and a log has at most {ATTRIBUTES_MAX} attributes; leave some out \
                 with --omit COLUMN"
            ),
            Self::UnsupportedType { name } => write!(
                f,
                "its type {name} has no counterpart in a log; cast it to a number, a Boolean or a text, or leave \
                 it out with --omit COLUMN"
            ),
            Self::UnsupportedCompression { name } => write!(
                f,
                "it is compressed by {name}, which is not read here; write it with zstd, snappy, lz4, gzip or none"
            ),
            Self::Missing => write!(f, "there is no value, and every row needs one here; fill it in"),
            _ => self.fmt_values(f),
        }
    }
}

impl ErrorKind {
    fn fmt_values(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongValue { value, expected } => write!(f, "`{}` is not {expected}", shortened(value)),
            Self::OutOfRange { value, expected } => {
                write!(f, "{} is out of range: it has to be {expected}", shortened(value))
            }
            Self::TextTooLong { bytes } => {
                write!(f, "the text has {bytes} bytes, and at most {TEXT_BYTES_MAX} are kept; shorten it")
            }
            Self::MixedTypes { this, earlier, earlier_row } => write!(
                f,
                "this is {this}, but {earlier_row} has {earlier}; a column has one type, mend one of them"
            ),
            Self::Broken { format, what } => write!(f, "this is not well-formed {format}: {what}"),
            Self::BrokenDescription { what } => write!(
                f,
                "what the file says of its log (gt-tools) cannot be understood: {what}; mend it or take it out"
            ),
            Self::TooLargeToSort { bytes_max } => write!(
                f,
                "the rows are not in the order of the tree, and sorting them takes more than {bytes_max} bytes of \
                 memory; sort them in preorder with node_id 0, 1, 2, … first, or grant more memory"
            ),
            Self::Utf16 => write!(f, "this is UTF-16 text; save it as UTF-8"),
            Self::LineTooLong => {
                write!(f, "the line has more than 128 MiB; is this a file with a row on each line?")
            }
            Self::Stopped => write!(f, "the conversion was stopped before its end"),
            Self::NotRewritable => write!(
                f,
                "the rows are not in the order of the tree, and a log that goes to a pipe or device cannot be begun \
                 again; write it to a file, or sort the rows in preorder"
            ),
            Self::TooManyRows { rows_max } => write!(
                f,
                "there are more than {rows_max} rows, the most that is taken from a file of this length"
            ),
            _ => self.fmt_structure(f),
        }
    }

    fn fmt_structure(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateNode { node, earlier_row } => {
                write!(f, "node_id {node} is there twice, first in {earlier_row}; every node has its own")
            }
            Self::UnknownParent { node, parent } => write!(
                f,
                "node {node} has the parent {parent}, which has no row; add it, or mark a root by parent_id -1"
            ),
            Self::SecondRoot { node, earlier_row } => write!(
                f,
                "node {node} is a second root, the first is in {earlier_row}; give it a parent, or tell trees \
                 apart by a column `tree`"
            ),
            Self::Cycle { node } => {
                write!(f, "node {node} is its own ancestor; a root has parent_id -1, null or nothing")
            }
            Self::Contradiction { node, what, stated, actual } => write!(
                f,
                "node {node} has {what} {stated}, but by the parents it is {actual}; mend it or leave the column \
                 out with --omit {what}"
            ),
            _ => Ok(()),
        }
    }
}

fn listed(columns: &[String]) -> String {
    const SHOWN_MAX: usize = 20;
    if columns.is_empty() {
        return "it has none".to_owned();
    }
    let shown: Vec<String> = columns.iter().take(SHOWN_MAX).map(|name| shortened(name)).collect();
    let more = if columns.len() > SHOWN_MAX { ", …" } else { "" };
    format!("it has: {}{more}", shown.join(", "))
}

/// A value shortened for a sentence.
fn shortened(value: &str) -> String {
    const CHARS_MAX: usize = 60;
    let mut text: String = value.chars().take(CHARS_MAX).collect::<String>().escape_debug().to_string();
    if value.chars().nth(CHARS_MAX).is_some() {
        text.push('…');
    }
    text
}
