//! Result files (`.gti`), as in the thesis's appendix C.
//!
//! ```text
//! 10:48 12.6.2007            11:27 13.6.2007
//! tree12.gtf                 tree12.gtf
//! node: count(type > 0)      node: type | 1; child: count([]type | 1) > 2
//! 18.016                     15.157
//! stat                       nodes:2
//! 1014195                    17
//!                            4711
//! ```
//!
//! A query with an aggregate in `node:` gives the first kind, any other the second. The rows of `select` fit neither;
//! they are written as `rows:N`, a line of headings and the rows, separated by tabs. [`read`] accepts all three.

mod read;

use std::io::{self, Write};
use std::time::Duration;

use crate::answer::Answer;
pub use read::{Content, NoNodes, ReadError, ResultFile, read};

/// A date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub struct Stamp {
    pub year: i32,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
}

impl Stamp {
    /// Returns the time this many seconds after the start of 1970, in the time zone of the seconds.
    ///
    /// ```
    /// use gt_query::gti::Stamp;
    /// let stamp = Stamp { year: 2007, month: 6, day: 12, hour: 10, minute: 48 };
    /// assert_eq!(Stamp::of_unix_seconds(1_181_645_280), stamp);
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Each is reduced to its range.
    pub const fn of_unix_seconds(seconds: i64) -> Self {
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Count years from March, so that the leap day is the last.
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        Self {
            year: year as i32,
            month: month as u8,
            day: day as u8,
            hour: (second / 3600) as u8,
            minute: (second / 60 % 60) as u8,
        }
    }
}

/// The first lines of a result file.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The time when the file was made.
    pub stamp: Stamp,
    /// The name of the log.
    pub log_name: &'a str,
    /// The query, for instance [`crate::ir::Query::text`].
    pub query: &'a str,
    /// The duration of the query.
    pub time: Duration,
}

/// Writes a result file, with moves as numbers.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write(out: &mut dyn Write, heading: &Heading<'_>, answer: &Answer) -> io::Result<()> {
    write_heading(out, heading)?;
    match answer {
        Answer::Count(count) => writeln!(out, "stat\n{count}"),
        Answer::Value(value) => {
            writeln!(out, "stat")?;
            write_row(out, [value.as_ref()])
        }
        Answer::Nodes(nodes) => {
            writeln!(out, "nodes:{}", nodes.len())?;
            nodes.iter().try_for_each(|node| writeln!(out, "{node}"))
        }
        Answer::Rows { columns, rows } => {
            writeln!(out, "rows:{}", rows.len())?;
            write_row(out, columns.iter().map(|(heading, _)| Some(heading)))?;
            rows.iter().try_for_each(|row| write_row(out, row.iter().map(Option::as_ref)))
        }
    }
}

/// Writes the first lines of a result file, before the answer.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_heading(out: &mut dyn Write, heading: &Heading<'_>) -> io::Result<()> {
    let Stamp { year, month, day, hour, minute } = heading.stamp;
    writeln!(out, "{hour}:{minute:02} {day}.{month}.{year}")?;
    writeln!(out, "{}", one_line(heading.log_name))?;
    writeln!(out, "{}", one_line(heading.query))?;
    writeln!(out, "{:.3}", heading.time.as_secs_f64())
}

/// Writes a row of cells, or the headings of rows; unknown values are left empty.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_row<T: ToString>(
    out: &mut dyn Write,
    cells: impl IntoIterator<Item = Option<T>>,
) -> io::Result<()> {
    let cell = |cell: Option<T>| cell.map(|cell| one_line(&cell.to_string())).unwrap_or_default();
    writeln!(out, "{}", cells.into_iter().map(cell).collect::<Vec<_>>().join("\t"))
}

/// Removes line ends and tabs, which separate the file's parts.
fn one_line(text: &str) -> String {
    text.split(['\n', '\r', '\t']).collect::<Vec<_>>().join(" ")
}
