//! File names: one file, or a pattern that gives each tree a file of its own.
//!
//! ```text
//! search.gtf          one file, any number of trees
//! search-%d.gtf       search-1.gtf, search-2.gtf …
//! search-%03d.gtf     search-001.gtf …
//! ```

use std::ffi::{CStr, OsString};
use std::path::PathBuf;

/// Where trees go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileName {
    /// All into one file.
    One(PathBuf),
    /// Each into its own.
    PerTree(Pattern),
}

/// A name with a place for a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    before: Vec<u8>,
    /// The number is filled up with zeros to so many digits.
    digits: usize,
    after: Vec<u8>,
}

impl FileName {
    pub(crate) fn new(name: &CStr) -> Self {
        let name = name.to_bytes();
        match Pattern::find(name) {
            Some(pattern) => Self::PerTree(pattern),
            None => Self::One(path(name.to_vec())),
        }
    }
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
}
