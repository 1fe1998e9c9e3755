//! The writer of rows that every format has.

use super::rows::Rows;
use crate::Result;

/// A format's writer of rows.
pub(super) trait TableWriter {
    fn write(&mut self, rows: &Rows<'_>) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}
