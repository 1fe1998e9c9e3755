//! File names: one file, or a pattern that gives each tree its own file.
//!
//! ```text
//! search.gtf          one file, any number of trees
//! search-%d.gtf       search-1.gtf, search-2.gtf …
//! search-%03d.gtf     search-001.gtf …
//! search-%p-%h.gtf    search-4711-1.gtf: the process and the number of the file name in it
//! search-%t.gtf       search-20261116-043000.gtf: when it was named, in UTC
//! ```

use std::ffi::{CStr, OsString};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The destination of trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileName {
    /// All trees in one file.
    One(PathBuf),
    /// Each tree in its own file.
    PerTree(Pattern),
}

/// A name with a placeholder for a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    before: Vec<u8>,
    /// The number of digits to which the number is padded with zeros.
    digits: usize,
    after: Vec<u8>,
}

impl FileName {
    /// The file name for a text of the caller.
    pub(crate) fn new(name: &CStr) -> Self {
        let name = with_circumstances(name.to_bytes(), &Circumstances::now());
        match Pattern::find(&name) {
            Some(pattern) => Self::PerTree(pattern),
            None => Self::One(path(name)),
        }
    }
}

/// The values of `%p`, `%h` and `%t`.
struct Circumstances {
    process: u32,
    handle: u32,
    /// The time in seconds since 1970.
    seconds: u64,
}

impl Circumstances {
    fn now() -> Self {
        static NAMED: AtomicU32 = AtomicU32::new(0);
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            process: std::process::id(),
            handle: NAMED.fetch_add(1, Ordering::Relaxed) + 1,
            seconds: since_1970.as_secs(),
        }
    }
}

fn with_circumstances(name: &[u8], now: &Circumstances) -> Vec<u8> {
    let mut filled = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        let text = match (byte, after.first()) {
            (b'%', Some(b'p')) => now.process.to_string(),
            (b'%', Some(b'h')) => now.handle.to_string(),
            (b'%', Some(b't')) => time_text(now.seconds),
            _ => {
                filled.push(byte);
                rest = after;
                continue;
            }
        };
        filled.extend_from_slice(text.as_bytes());
        rest = &after[1..];
    }
    filled
}

/// Seconds since 1970 as a date and a time of day: 20261116-043000.
fn time_text(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year; an era has 400 of them.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}

impl Pattern {
    /// The first `%d` or `%0Nd`; any other `%` is an ordinary character.
    fn find(name: &[u8]) -> Option<Self> {
        (0..name.len()).filter(|&start| name[start] == b'%').find_map(|start| {
            let rest = &name[start + 1..];
            let width = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if rest.get(width) != Some(&b'd') {
                return None;
            }
            let digits = match &rest[..width] {
                [] => 0,
                [b'0', digit @ b'1'..=b'9'] => usize::from(digit - b'0'),
                _ => return None,
            };
            Some(Self { before: name[..start].to_vec(), digits, after: rest[width + 1..].to_vec() })
        })
    }

    /// The name for the tree with this number.
    pub(crate) fn path(&self, number: u64) -> PathBuf {
        let number = format!("{number:0width$}", width = self.digits);
        path([&self.before, number.as_bytes(), &self.after].concat())
    }
}

/// A file's name unchanged, without patterns.
pub(crate) fn path_of(name: &CStr) -> PathBuf {
    path(name.to_bytes().to_vec())
}

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: Vec<u8>) -> PathBuf {
    OsString::from(String::from_utf8_lossy(&bytes).into_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &CStr, expected: &str) {
        let named = match FileName::new(name) {
            FileName::One(path) => path,
            FileName::PerTree(pattern) => pattern.path(7),
        };
        assert_eq!(named, PathBuf::from(expected));
    }

    #[test]
    fn a_pattern_takes_the_number() {
        check(c"a.gtf", "a.gtf");
        check(c"a-%d.gtf", "a-7.gtf");
        check(c"%03d/a-%d", "007/a-%d");
        check(c"100%-%d", "100%-7");
        check(c"%s%n%5d%000d%", "%s%n%5d%000d%");
        check(c"%", "%");
        check(c"", "");
    }

    #[test]
    fn the_circumstances_of_a_file_are_filled_in() {
        let now = Circumstances { process: 4711, handle: 2, seconds: 1_794_803_400 };
        let filled = |name: &[u8]| String::from_utf8(with_circumstances(name, &now)).unwrap();
        assert_eq!(filled(b"a-%p-%h-%t-%d.gtf"), "a-4711-2-20261116-043000-%d.gtf");
        assert_eq!(filled(b"100%%p%"), "100%4711%");
        for (seconds, expected) in [
            (0, "19700101-000000"),
            (951_782_399, "20000228-235959"),
            (951_782_400, "20000229-000000"),
            (4_107_542_400, "21000301-000000"),
        ] {
            assert_eq!(time_text(seconds), expected);
        }
    }
}
