//! The shape of two trees: the size and the move of every row, as compact as possible.
//!
//! ```text
//! row     0   1   2 │ 3   4   5        rows before `first` are the same in both trees: they are not held
//! size    ·   ·   · │ 1   3   6        the subtree of row i is the rows i + 1 - size[i] ..= i
//! move    ·   ·   · │ 7   2   0        as codes, the same for both trees; another one where it was entered in a test
//! ```
//!
//! **Invariant:** held sizes nest (see `Nest`), so that steps from child to child never leave the parent.

use std::thread;

use gt_log::{Column, Decoded, Error as LogError, Place, Scratch, Tree};

use crate::attributes::TestFlag;
use crate::codes::Codes;
use crate::error::{Error, Result};
use crate::nest::Nest;

/// The sizes and moves of one tree, 6 or 8 bytes per row.
#[derive(Default)]
pub(crate) struct Skeleton {
    first: u32,
    sizes: Vec<u32>,
    moves: Moves,
}

/// Codes of moves.
enum Moves {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Default for Moves {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

/// The two trees' skeletons.
pub(crate) struct Skeletons {
    pub(crate) a: Skeleton,
    pub(crate) b: Skeleton,
    codes: Codes,
}

impl Skeletons {
    /// The skeletons of two equal trees of `rows` rows: no row is held.
    pub(crate) fn none(rows: u32) -> Self {
        let skeleton = || Skeleton { first: rows, ..Skeleton::default() };
        Self { a: skeleton(), b: skeleton(), codes: Codes::none() }
    }

    /// Reads both trees, except the rows before `first`.
    pub(crate) fn read(a: Tree<'_>, b: Tree<'_>, first: u64, threads: usize) -> Result<Self> {
        let tell_of_tests = [a, b].into_iter().any(|tree| TestFlag::of(tree.schema()).is_some());
        let (mut codes, is_narrow) = Codes::of(a, b, tell_of_tests);
        let Some(mut codes_of_b) = codes.second().filter(|_| threads > 1) else {
            let a = Skeleton::read(a, first, &mut codes, is_narrow)?;
            let b = Skeleton::read(b, first, &mut codes, is_narrow)?;
            return Ok(Self { a, b, codes });
        };
        let (a, b) = thread::scope(|scope| {
            let b = scope.spawn(|| Skeleton::read(b, first, &mut codes_of_b, is_narrow));
            let a = Skeleton::read(a, first, &mut codes, is_narrow);
            (a, b.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        Ok(Self { a: a?, b: b?, codes })
    }

    /// The move that a code stands for.
    pub(crate) fn move_of(&self, code: u32) -> i64 {
        self.codes.move_of(code)
    }

    /// The number of equal rows from `row_a` and `row_b` on, at most `rows_max`.
    pub(crate) fn same_rows(&self, row_a: u32, row_b: u32, rows_max: u32) -> u32 {
        let (from_a, from_b) = (self.a.place(row_a), self.b.place(row_b));
        let rows = rows_max as usize;
        let sizes = prefix(&self.a.sizes[from_a..from_a + rows], &self.b.sizes[from_b..from_b + rows]);
        let moves = match (&self.a.moves, &self.b.moves) {
            (Moves::Narrow(a), Moves::Narrow(b)) => {
                prefix(&a[from_a..from_a + sizes], &b[from_b..from_b + sizes])
            }
            (Moves::Wide(a), Moves::Wide(b)) => {
                prefix(&a[from_a..from_a + sizes], &b[from_b..from_b + sizes])
            }
            // Both have the same width.
            (Moves::Narrow(_), Moves::Wide(_)) | (Moves::Wide(_), Moves::Narrow(_)) => 0,
        };
        moves as u32
    }
}

/// The length of the common prefix of two slices of equal length.
fn prefix<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    const CHUNK: usize = 256;
    let chunks = a.chunks(CHUNK).zip(b.chunks(CHUNK)).take_while(|(a, b)| a == b).count();
    let from = (chunks * CHUNK).min(a.len());
    from + a[from..].iter().zip(&b[from..]).take_while(|(a, b)| a == b).count()
}

impl Skeleton {
    fn read(tree: Tree<'_>, first: u64, codes: &mut Codes, is_narrow: bool) -> Result<Self> {
        let nodes = tree.nodes();
        let too_large = |_| Error::TooLarge { nodes };
        let (first, _) = (u32::try_from(first).map_err(too_large)?, u32::try_from(nodes).map_err(too_large)?);
        let held = nodes as usize - first as usize;
        let moves = if is_narrow {
            Moves::Narrow(Vec::with_capacity(held))
        } else {
            Moves::Wide(Vec::with_capacity(held))
        };
        let mut skeleton = Self { first, sizes: Vec::with_capacity(held), moves };
        let test_flag = TestFlag::of(tree.schema());
        let (mut nest, mut scratch) = (Nest::new(first), Scratch::default());
        for block in (0..tree.block_count()).filter(|&block| tree.block(block).end_row() > u64::from(first)) {
            let head = tree.block(block);
            let damaged = |local: usize, what| {
                let row = head.first_row + local as u64;
                Error::Log(LogError::Damaged { place: Place::Row { tree: tree.number() as u32, row }, what })
            };
            let sizes = tree.decode_with(block, Column::Size, &mut scratch)?;
            let moves = tree.decode_with(block, Column::LastMove, &mut scratch)?;
            let rows = head.rows as usize;
            let in_test = match test_flag {
                Some(flag) => rows_in_test(tree, block, flag, &mut scratch)?,
                None => Vec::new(),
            };
            each(&sizes, rows, |local, size| {
                let size = nest.place(size).map_err(|what| damaged(local, what))?;
                skeleton.sizes.push(size);
                Ok(())
            })?;
            each(&moves, rows, |local, number| {
                let in_test = in_test.get(local).copied().unwrap_or_default();
                let code =
                    codes.code(number, in_test).filter(|&code| !is_narrow || code <= u32::from(u16::MAX));
                let code =
                    code.ok_or_else(|| damaged(local, "its move is outside of what the block says"))?;
                match &mut skeleton.moves {
                    Moves::Narrow(moves) => moves.push(code as u16),
                    Moves::Wide(moves) => moves.push(code),
                }
                Ok(())
            })?;
            scratch.recycle(sizes);
            scratch.recycle(moves);
        }
        match nest.is_one_tree() {
            true => Ok(skeleton),
            false => Err(Error::Log(LogError::Damaged {
                place: Place::Row { tree: tree.number() as u32, row: nodes.saturating_sub(1) },
                what: "its subtree is not the whole tree",
            })),
        }
    }

    /// The first held row.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// The number of rows in the tree.
    pub(crate) fn nodes(&self) -> u32 {
        self.first + self.sizes.len() as u32
    }

    /// The row of the root.
    pub(crate) fn root(&self) -> u32 {
        self.nodes() - 1
    }

    fn place(&self, row: u32) -> usize {
        (row - self.first) as usize
    }

    /// The number of rows in the subtree of a held row.
    pub(crate) fn size(&self, row: u32) -> u32 {
        self.sizes[self.place(row)]
    }

    /// The first row of the subtree of a held row; it may be before the held ones.
    pub(crate) fn start(&self, row: u32) -> u32 {
        row + 1 - self.size(row)
    }

    /// The code of the move that led to a held row's node.
    pub(crate) fn code(&self, row: u32) -> u32 {
        match &self.moves {
            Moves::Narrow(moves) => u32::from(moves[self.place(row)]),
            Moves::Wide(moves) => moves[self.place(row)],
        }
    }

    /// Appends the held rows of the children of a held row, first child first, to `out`.
    pub(crate) fn children(&self, row: u32, out: &mut Vec<u32>) {
        let begin = out.len();
        let start = self.start(row).max(self.first);
        let mut end = row;
        while end > start {
            out.push(end - 1);
            end = self.start(end - 1);
        }
        out[begin..].reverse();
    }

    /// The held rows from the root to this one, inclusive.
    pub(crate) fn path(&self, row: u32) -> Vec<u32> {
        let mut path = vec![self.root()];
        let mut at = self.root();
        while at != row {
            // The child whose subtree contains the row: the last one that starts at or before it.
            let mut child = at - 1;
            while self.start(child) > row {
                child = self.start(child) - 1;
            }
            path.push(child);
            at = child;
        }
        path
    }
}

/// Whether each row of a block was entered in a test; a row without flags was not.
fn rows_in_test(tree: Tree<'_>, block: usize, flag: TestFlag, scratch: &mut Scratch) -> Result<Vec<bool>> {
    let flags = tree.decode_with(block, Column::Attribute(flag.place), scratch)?;
    let missing = tree.missing_with(block, flag.place, scratch)?;
    let is_missing =
        |local: usize| missing.as_ref().is_some_and(|words| words[local / 64] >> (local % 64) & 1 == 1);
    let rows = tree.block(block).rows as usize;
    let mut in_test = Vec::with_capacity(rows);
    each(&flags, rows, |local, flags| {
        in_test.push(flags & flag.bit != 0 && !is_missing(local));
        Ok(())
    })?;
    scratch.recycle(flags);
    Ok(in_test)
}

/// Calls `visit` with every value of a column.
fn each(column: &Decoded, rows: usize, mut visit: impl FnMut(usize, i64) -> Result<()>) -> Result<()> {
    match column {
        Decoded::Wide(values) => {
            values.iter().enumerate().try_for_each(|(local, value)| visit(local, *value))
        }
        Decoded::Constant(_) | Decoded::Offsets { .. } | Decoded::Dictionary { .. } => {
            column.widened(rows).into_iter().enumerate().try_for_each(|(local, value)| visit(local, value))
        }
    }
}
