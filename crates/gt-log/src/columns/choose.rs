//! Chooses a column's encoding: tries candidates on samples of a block, and keeps the choice while it still pays.

use super::choice::Choice;
use super::coding::Transform;
use super::compact::compact;
use super::light::put_best_light;
use super::run::Run;
use super::values::Values;
use super::workbench::Workbench;
use crate::wire::put_signed;

/// How hard the encoder tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Light encodings, chosen from samples: for a running search.
    Light,
    /// Every candidate in full, then zstd at this level: for storage.
    Compact { level: i32 },
}

/// A choice is kept for this many times the rows from which it was made, before the candidates are tried again.
const TIMES_KEPT: usize = 32;
/// A choice made from less than this fraction of a block's rows is made anew: a small tree says little about a large one.
const ROWS_SHARE_MIN: usize = 4;
/// A choice is made anew if its result grows by more than a quarter over its first result.
const GROWTH: (usize, usize) = (5, 4);

/// The choices for one column, block after block and tree after tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chooser {
    current: Option<Choice>,
    /// How many rows have been encoded with the choice.
    rows: usize,
    /// Bytes and rows of the block from which the choice was made.
    first: (usize, usize),
}

/// What is known about an encoded column.
pub(crate) struct Encoded {
    /// The length before zstd, if zstd was used.
    pub(crate) compressed_from: Option<u64>,
    /// The columns that must be decoded before it.
    pub(crate) needs: Vec<usize>,
}

impl Chooser {
    /// Appends a column, after `before`, the bytes of the column that precede its integers.
    pub(crate) fn put(
        &mut self,
        before: &[u8],
        values: Values<'_>,
        effort: Effort,
        out: &mut Vec<u8>,
        bench: &mut Workbench,
    ) -> Encoded {
        if values.ends.0 == values.ends.1 {
            out.extend_from_slice(before);
            Run::put_transform(out, Transform::Constant);
            put_signed(out, values.ends.0);
            return Encoded { compressed_from: None, needs: Vec::new() };
        }
        match effort {
            Effort::Compact { level } => {
                let (compressed_from, choice) = compact(before, values, level, out, bench);
                Encoded { compressed_from, needs: choice.needs() }
            }
            Effort::Light => {
                out.extend_from_slice(before);
                let choice = self.put_light(values, out, bench);
                Encoded { compressed_from: None, needs: choice.needs() }
            }
        }
    }

    fn put_light(&mut self, values: Values<'_>, out: &mut Vec<u8>, bench: &mut Workbench) -> Choice {
        let (rows, start) = (values.rows(), out.len());
        if let Some(choice) = self.current
            && self.rows < TIMES_KEPT * self.first.1
            && rows <= ROWS_SHARE_MIN * self.first.1
        {
            let bytes = choice.put(values, out, bench).map(|()| out.len() - start);
            let most = self.first.0 * rows * GROWTH.0 + 64 * self.first.1;
            if bytes.is_some_and(|bytes| bytes * self.first.1 * GROWTH.1 <= most) {
                self.rows += rows;
                return choice;
            }
            out.truncate(start);
        }
        let choice = put_best_light(values, out, bench);
        *self = Self { current: Some(choice), rows: 0, first: (out.len() - start, rows.max(1)) };
        choice
    }
}
