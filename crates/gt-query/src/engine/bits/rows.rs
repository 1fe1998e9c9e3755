//! The matching rows of a block.

use super::Bitmap;

/// The number of rows per match above which a list is used.
const ROWS_PER_LISTED: u64 = 32;

/// The matching rows of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) enum BlockRows {
    #[default]
    None,
    All,
    /// Ascending.
    Few(Box<[u32]>),
    /// A bit for each row.
    Many(Box<[u64]>),
}

impl BlockRows {
    /// The matching rows, `count` in number, without the rows of these crossing nodes.
    pub(in crate::engine) fn of(matches: &Bitmap, count: u64, crossing: &[usize]) -> Self {
        let rows = matches.rows() as u64;
        if count == 0 {
            Self::None
        } else if count == rows {
            Self::All
        } else if count < rows / ROWS_PER_LISTED {
            let mut listed = Vec::with_capacity(count as usize + crossing.len());
            matches.each(|row| listed.push(row as u32));
            // Both are ascending.
            listed.retain(|row| crossing.binary_search(&(*row as usize)).is_err());
            Self::Few(listed.into())
        } else {
            let mut words: Box<[u64]> = matches.words().into();
            crossing.iter().for_each(|row| words[row / 64] &= !(1 << (row % 64)));
            Self::Many(words)
        }
    }

    pub(in crate::engine) fn contains(&self, row: usize) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Few(rows) => rows.binary_search(&(row as u32)).is_ok(),
            Self::Many(words) => words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1),
        }
    }

    /// Copies these rows into a bitmap of `rows` rows.
    pub(in crate::engine) fn copy_into(&self, rows: usize, out: &mut Bitmap) {
        match self {
            Self::None => out.fill(rows, false),
            Self::All => out.fill(rows, true),
            Self::Few(listed) => {
                out.fill(rows, false);
                listed.iter().for_each(|&row| out.set(row as usize, true));
            }
            Self::Many(words) => out.mark(rows, |own| {
                own.clear();
                own.extend_from_slice(words);
            }),
        }
    }
}
