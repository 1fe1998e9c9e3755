//! The reader of result files.
//!
//! ```text
//! line 1  2     3      4        5                          from line 6 on
//! date    log   query  seconds  stat                       the number or value
//!                               nodes:N                    N node_ids
//!                               rows:N                     headings, N rows
//! ```
//!
//! **Invariant:** memory is proportional to the file's contents, never to the number claimed in its fifth
//! line.

use std::fmt;
use std::io::{self, BufRead};
use std::time::Duration;

use super::Stamp;

/// A result file.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultFile {
    /// The time when the file was made.
    pub stamp: Stamp,
    /// The name of the log; if the log has several trees, with the tree: `run.gtf, tree 3`.
    pub log_name: String,
    /// The query, on one line.
    pub query: String,
    /// The duration of the query.
    pub time: Duration,
    /// The query's result.
    pub content: Content,
}

/// The contents of a result file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A number or value, as written; empty if unknown.
    Stat(String),
    /// node_ids, in the order of the file.
    Nodes(Vec<u64>),
    /// The rows of `select`.
    Rows {
        /// The headings of the columns.
        headings: Vec<String>,
        /// The cells of each row, one per heading; unknown ones are empty.
        rows: Vec<Vec<String>>,
    },
}

/// The reason why a text is not a result file.
#[derive(Debug)]
pub enum ReadError {
    /// The file cannot be read.
    Io(io::Error),
    /// A line that does not belong in a result file at this place.
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The expected contents.
        expected: &'static str,
    },
    /// The file ends too early.
    Ends {
        /// The number of the missing line.
        line: usize,
        /// The expected contents.
        expected: &'static str,
    },
}

/// The reason why a result file names no nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoNodes {
    /// It holds a number or value.
    Stat,
    /// Its rows have no column called `node_id`.
    NoColumn,
    /// The cell in this row, from 1, is not a node_id.
    Cell(usize),
}

impl ResultFile {
    /// Returns the node_ids of the result: the listed ones, or those in the column `node_id` of its rows.
    ///
    /// # Errors
    /// Returns an error if it names no nodes.
    pub fn node_ids(&self) -> Result<Vec<u64>, NoNodes> {
        match &self.content {
            Content::Stat(_) => Err(NoNodes::Stat),
            Content::Nodes(ids) => Ok(ids.clone()),
            Content::Rows { headings, rows } => {
                let column =
                    headings.iter().position(|heading| heading == "node_id").ok_or(NoNodes::NoColumn)?;
                let id = |(row, cells): (usize, &Vec<String>)| {
                    cells.get(column).and_then(|cell| number(cell)).ok_or(NoNodes::Cell(row + 1))
                };
                rows.iter().enumerate().map(id).collect()
            }
        }
    }
}

/// Reads a result file.
///
/// # Errors
/// Returns an error if it cannot be read, or is not a result file.
///
/// ```
/// use gt_query::gti::{Content, read};
///
/// let text = "11:27 13.6.2007\ntree12.gtf\nnode: type | 1\n15.157\nnodes:2\n17\n4711\n";
/// let file = read(text.as_bytes()).unwrap();
/// assert_eq!(file.log_name, "tree12.gtf");
/// assert_eq!(file.content, Content::Nodes(vec![17, 4711]));
///
/// let error = read("node: best > 5\n".as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "line 1 is not a time and date as in `10:48 12.6.2007`, so it is no result file");
/// ```
pub fn read(source: impl BufRead) -> Result<ResultFile, ReadError> {
    let mut lines = Lines { source, line: String::new(), number: 0 };
    let stamp = lines.parsed("a time and date as in `10:48 12.6.2007`", stamp)?;
    let log_name = lines.next("the name of the log")?.to_owned();
    let query = lines.next("the query")?.to_owned();
    let time = lines.parsed("the seconds that the query took", seconds)?;
    let kind = lines.parsed("`stat`, `nodes:N` or `rows:N`", kind)?;
    let content = match kind {
        Kind::Stat => Content::Stat(lines.next("a number or value")?.to_owned()),
        Kind::Nodes(count) => {
            let ids = (0..count).map(|_| lines.parsed("a node_id, one of as many as line 5 says", number));
            Content::Nodes(ids.collect::<Result<_, _>>()?)
        }
        Kind::Rows(count) => rows(&mut lines, count)?,
    };
    lines.end()?;
    Ok(ResultFile { stamp, log_name, query, time, content })
}

/// The fifth line of a result file.
enum Kind {
    Stat,
    Nodes(u64),
    Rows(u64),
}

fn rows(lines: &mut Lines<impl BufRead>, count: u64) -> Result<Content, ReadError> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let headings = cells(lines.next("the headings of the rows")?);
    let width = headings.len();
    let row = |line: &str| Some(cells(line)).filter(|cells| cells.len() == width);
    let rows = (0..count).map(|_| lines.parsed("a row with a cell for each heading", row));
    let rows = rows.collect::<Result<_, _>>()?;
    Ok(Content::Rows { headings, rows })
}

/// The lines of a file, one at a time.
struct Lines<R> {
    source: R,
    line: String,
    /// The number of the current line, from 1.
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The next line, without its line end.
    fn next(&mut self, expected: &'static str) -> Result<&str, ReadError> {
        self.number += 1;
        if !self.advance()? {
            return Err(ReadError::Ends { line: self.number, expected });
        }
        let line = self.line.strip_suffix('\n').unwrap_or(&self.line);
        Ok(line.strip_suffix('\r').unwrap_or(line))
    }

    fn parsed<T>(
        &mut self,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ReadError> {
        let parsed = parse(self.next(expected)?);
        parsed.ok_or(ReadError::Line { line: self.number, expected })
    }

    /// Checks that only blank lines follow.
    fn end(mut self) -> Result<(), ReadError> {
        while self.advance()? {
            self.number += 1;
            if !self.line.trim().is_empty() {
                return Err(ReadError::Line {
                    line: self.number,
                    expected: "blank, as all after the result is",
                });
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        Ok(self.source.read_line(&mut self.line).map_err(ReadError::Io)? > 0)
    }
}

fn stamp(line: &str) -> Option<Stamp> {
    let (clock, date) = line.trim().split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let mut parts = date.trim_start().split('.');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let within = |text: &str, least: u8, most: u8| {
        text.parse::<u8>().ok().filter(|number| (least..=most).contains(number))
    };
    let stamp = Stamp {
        year: year.parse().ok()?,
        month: within(month, 1, 12)?,
        day: within(day, 1, 31)?,
        hour: within(hour, 0, 23)?,
        minute: within(minute, 0, 59)?,
    };
    parts.next().is_none().then_some(stamp)
}

fn seconds(line: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(line.trim().parse().ok()?).ok()
}

fn kind(line: &str) -> Option<Kind> {
    match line.trim().split_once(':') {
        // The thesis writes it both ways.
        None | Some(("stat", "")) if line.trim().trim_end_matches(':') == "stat" => Some(Kind::Stat),
        Some(("nodes", count)) => number(count).map(Kind::Nodes),
        Some(("rows", count)) => number(count).map(Kind::Rows),
        _ => None,
    }
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                f.write_str("it is not text in UTF-8, so it is no result file")
            }
            Self::Io(error) => error.fmt(f),
            Self::Line { line, expected } => {
                write!(f, "line {line} is not {expected}, so it is no result file")
            }
            Self::Ends { line, expected } => {
                write!(
                    f,
                    "it ends before line {line}, which should be {expected}; the result file is not whole"
                )
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Line { .. } | Self::Ends { .. } => None,
        }
    }
}

impl fmt::Display for NoNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stat => f.write_str("the result is a number, not nodes"),
            Self::NoColumn => {
                f.write_str("its rows have no column `node_id`; write `select node_id, …` into the query")
            }
            Self::Cell(row) => write!(f, "what row {row} has in the column `node_id` is no node_id"),
        }
    }
}

impl std::error::Error for NoNodes {}
