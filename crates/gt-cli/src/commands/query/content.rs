//! What there is to print of an answer, whole or as far as it was made.

use std::io::{self, Seek, Write};

use gt_query::Value;
use gt_query::engine::NodeSet;
use tempfile::SpooledTempFile;

use gt_fleet::Row;

/// The answer to one query.
pub(crate) enum Content {
    Count(u64),
    Value(Option<Value>),
    /// Of many nodes perhaps only those that will be printed.
    Nodes(Nodes),
    /// Rows that are all there.
    Rows(Vec<Row>),
    /// Rows that were taken as they were found.
    Streamed(Streamed),
}

/// Nodes in the order of the answer.
pub(crate) enum Nodes {
    List(Vec<u64>),
    /// Ascending.
    Set(NodeSet),
}

impl Nodes {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::List(ids) => ids.len() as u64,
            Self::Set(ids) => ids.count(),
        }
    }

    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Self::List(ids) => Box::new(ids.iter().copied()),
            Self::Set(ids) => Box::new(ids.iter()),
        }
    }

    /// The greatest of the first `count` ids.
    pub(crate) fn max_of_first(&self, count: usize) -> Option<u64> {
        match self {
            Self::List(ids) => ids.iter().take(count).max().copied(),
            Self::Set(ids) => ids.get(ids.count().min(count as u64).checked_sub(1)?),
        }
    }
}

/// The text of rows that were made so far.
pub(crate) struct Streamed {
    /// How many there are.
    pub(crate) rows: u64,
    /// The widths of a table's columns, as its first rows have them.
    pub(crate) widths: Option<Vec<usize>>,
    /// Whether what stands above the rows is printed, and they follow as they come.
    pub(crate) has_begun: bool,
    /// Rows whose turn has not come: another answer stands before them.
    waiting: SpooledTempFile,
}

/// So many bytes of rows wait in memory; beyond it they wait in a file that has no name.
const WAITING_BYTES_MAX: usize = 1 << 20;

impl Default for Streamed {
    fn default() -> Self {
        let waiting = tempfile::spooled_tempfile(WAITING_BYTES_MAX);
        Self { rows: 0, widths: None, has_begun: false, waiting }
    }
}

impl Streamed {
    /// Keeps the text of rows until their turn comes.
    pub(crate) fn wait(&mut self, text: &[u8]) -> io::Result<()> {
        self.waiting.write_all(text)
    }

    /// Writes the rows that waited.
    pub(crate) fn release(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.waiting.rewind()?;
        io::copy(&mut self.waiting, out)?;
        Ok(())
    }
}

/// Rows wait in memory or, when they are many, in a file, and come out as they went in.
#[test]
fn rows_wait_for_their_turn() {
    for lines in [0_u32, 3, 500_000] {
        let mut streamed = Streamed::default();
        let mut all = Vec::new();
        for line in 0..lines {
            let text = format!("{line}\n");
            streamed.wait(text.as_bytes()).unwrap();
            all.extend_from_slice(text.as_bytes());
        }
        let mut out = Vec::new();
        streamed.release(&mut out).unwrap();
        assert!(out == all, "{lines} lines");
    }
}
