//! What holds for every file that is text.

use crate::{Error, ErrorKind, Result, RowPlace};

/// The longest line. A log's description of a million trees fits.
pub(super) const LINE_BYTES_MAX: usize = 1 << 27;

/// Looks at a file's first bytes: how many of them are the mark of UTF-8. Other encodings are refused.
pub(super) fn check_encoding(start: &[u8]) -> Result<usize> {
    match start {
        [0xef, 0xbb, 0xbf, ..] => Ok(3),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Error::new(ErrorKind::Utf16).at(RowPlace::Line(1))),
        _ => Ok(0),
    }
}
