//! Common parts of all text files.

use crate::{Error, ErrorKind, Result, RowPlace};

/// The maximum length of a line. A log's description of a million trees fits.
pub(super) const LINE_BYTES_MAX: usize = 1 << 27;

/// Returns the length of the UTF-8 mark at the start of a file. Other encodings are rejected.
pub(super) fn check_encoding(start: &[u8]) -> Result<usize> {
    match start {
        [0xef, 0xbb, 0xbf, ..] => Ok(3),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Error::new(ErrorKind::Utf16).at(RowPlace::Line(1))),
        _ => Ok(0),
    }
}
