//! How records without texts are copied into rows.
//!
//! ```text
//! record   depth ....  best ....  seen .  (gap)  reply .
//! row      depth ....  best ....  seen .  reply .
//! steps    8 bytes, 1 byte, 1 byte
//! ```
//!
//! Numbers are copied bytewise, so a step is a width and two places; signs and fractions matter only to the schema. Numbers that are
//! adjacent in the record are adjacent in the row and copied together. Most records need few steps, all of one width ([`Moves`]): these
//! take no branch per step, and are so small that a handle keeps them beside its owner ([`Quick`]).
//!
//! **Invariant:** every step lies inside the record, which has less than 4 GiB, and inside the row.

use gt_log::Kind;

use super::place::{Place, truth};

/// How records without texts are copied into rows.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    quick: Quick,
    /// Which of the first 64 attributes are not known at entry, as bits.
    missing_first: u64,
    pub(super) all: Box<[Step]>,
    /// The steps of the attributes that are known at entry.
    pub(super) at_entry: Box<[Step]>,
    /// The attributes that are not known at entry, as bits.
    pub(super) missing_at_entry: Box<[u64]>,
}

/// A copy from a place of the record to a place of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) load: Load,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    Bytes1,
    Bytes2,
    Bytes4,
    Bytes8,
    Bytes16,
    /// A boolean of several bytes.
    WideTruth {
        size: u8,
    },
}

/// The copies that most records need, in the few bytes that every node reads.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Quick {
    row_bytes: u32,
    all: Moves,
    at_entry: Moves,
}

const MOVES_MAX: usize = 6;
/// The number of moves that are always made; a single move is made twice.
const MOVES_MIN: usize = 2;

/// A few copies of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moves {
    /// 4, 8 or 16 bytes; 0 if a record needs other steps.
    width: u8,
    count: u8,
    /// From a place in the record to a place in the row.
    places: [[u8; 2]; MOVES_MAX],
}

impl Copies {
    pub(super) fn new(fields: &[Place]) -> Self {
        let (mut all, mut at_entry) = (Vec::new(), Vec::new());
        let mut missing_at_entry = vec![0; fields.len().div_ceil(64)];
        let mut row_bytes = 0;
        for (number, field) in fields.iter().enumerate() {
            let width = field.kind.width();
            let load = match field.kind {
                Kind::Bool if field.size > 1 => Some(Load::WideTruth { size: field.size as u8 }),
                _ => None,
            };
            let copied = Copied { from: field.offset, to: row_bytes, bytes: width, load };
            all.push(copied);
            if field.is_known_at_entry {
                at_entry.push(copied);
            } else {
                missing_at_entry[number / 64] |= 1 << (number % 64);
            }
            row_bytes += width;
        }
        let (all, at_entry) = (runs(&all), runs(&at_entry));
        Self {
            quick: Quick {
                row_bytes: row_bytes as u32,
                all: Moves::of(&all),
                at_entry: Moves::of(&at_entry),
            },
            missing_first: missing_at_entry.first().copied().unwrap_or(0),
            all: steps(&all).into(),
            at_entry: steps(&at_entry).into(),
            missing_at_entry: missing_at_entry.into(),
        }
    }

    /// The number of bytes that a record takes in its row.
    pub(crate) fn row_bytes(&self) -> usize {
        self.quick.row_bytes as usize
    }

    /// The quick copies, which most records need.
    pub(crate) fn quick(&self) -> Quick {
        self.quick
    }

    /// Copies a record.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says.
    #[inline(always)]
    pub(crate) unsafe fn copy(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: the record has as many readable bytes as the descriptor says (caller).
        unsafe {
            if !self.quick.copy(record, row) {
                self.copy_by_steps(record, row);
            }
        }
    }

    /// Copies the attributes that are known at entry.
    ///
    /// # Safety
    /// Those attributes of the record are readable.
    #[inline(always)]
    pub(crate) unsafe fn copy_at_entry(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: the attributes that are known at entry are readable (caller).
        unsafe {
            if !self.quick.copy_at_entry(record, row) {
                self.copy_at_entry_by_steps(record, row);
            }
        }
    }

    /// Copies a record step by step, even if quick moves could.
    ///
    /// # Safety
    /// As for [`Copies::copy`].
    pub(crate) unsafe fn copy_by_steps(&self, record: *const u8, row: &mut [u8]) {
        if row.len() >= self.row_bytes() {
            // SAFETY: all steps lie inside the record, which is readable (caller), and inside the row, whose length was checked.
            unsafe { run_steps(&self.all, record, row.as_mut_ptr()) };
        }
    }

    /// Copies the attributes that are known at entry step by step.
    ///
    /// # Safety
    /// As for [`Copies::copy_at_entry`].
    pub(crate) unsafe fn copy_at_entry_by_steps(&self, record: *const u8, row: &mut [u8]) {
        if row.len() >= self.row_bytes() {
            // SAFETY: all steps lie inside these attributes, which are readable (caller), and inside the row, whose length was checked.
            unsafe { run_steps(&self.at_entry, record, row.as_mut_ptr()) };
        }
    }

    /// The attributes that are not known at entry, as bits, 64 per word.
    pub(crate) fn missing_at_entry(&self) -> &[u64] {
        &self.missing_at_entry
    }

    /// Which of the first 64 attributes are not known at entry, as bits.
    #[inline(always)]
    pub(crate) fn missing_first(&self) -> u64 {
        self.missing_first
    }
}

impl Quick {
    /// Copies a record, unless that takes steps; returns whether it did. A row that is too short stays as it is.
    ///
    /// # Safety
    /// As for [`Copies::copy`], for the descriptor that this was made for.
    #[inline(always)]
    pub(crate) unsafe fn copy(&self, record: *const u8, row: &mut [u8]) -> bool {
        // SAFETY: the record has as many readable bytes as its descriptor says, for which the moves were made (caller).
        unsafe { self.run(&self.all, record, row) }
    }

    /// Copies the attributes that are known at entry, unless that takes steps; returns whether it did.
    ///
    /// # Safety
    /// As for [`Copies::copy_at_entry`], for the descriptor that this was made for.
    #[inline(always)]
    pub(crate) unsafe fn copy_at_entry(&self, record: *const u8, row: &mut [u8]) -> bool {
        // SAFETY: the attributes that are known at entry, which the moves read, are readable (caller).
        unsafe { self.run(&self.at_entry, record, row) }
    }

    /// # Safety
    /// The bytes of the record that the moves read are readable.
    #[inline(always)]
    unsafe fn run(&self, moves: &Moves, record: *const u8, row: &mut [u8]) -> bool {
        debug_assert!(row.len() >= self.row_bytes as usize);
        if row.len() < self.row_bytes as usize {
            return true;
        }
        let row = row.as_mut_ptr();
        // SAFETY: all moves lie inside the record, which is readable (caller), and inside the row, whose length was checked.
        unsafe {
            match moves.width {
                16 => moves.run::<16>(record, row),
                8 => moves.run::<8>(record, row),
                4 => moves.run::<4>(record, row),
                _ => return false,
            }
        }
        true
    }
}

/// Runs these steps.
///
/// # Safety
/// The steps lie inside the record and the row, and the row does not overlap the record.
#[inline(never)]
unsafe fn run_steps(steps: &[Step], record: *const u8, row: *mut u8) {
    for step in steps {
        // SAFETY: the step lies inside the record and the row (caller).
        unsafe {
            let (from, to) = (record.add(step.from as usize), row.add(step.to as usize));
            match step.load {
                Load::Bytes16 => to.copy_from_nonoverlapping(from, 16),
                Load::Bytes8 => to.copy_from_nonoverlapping(from, 8),
                Load::Bytes4 => to.copy_from_nonoverlapping(from, 4),
                Load::Bytes2 => to.copy_from_nonoverlapping(from, 2),
                Load::Bytes1 => to.copy_from_nonoverlapping(from, 1),
                Load::WideTruth { size } => to.write(u8::from(truth(from, size))),
            }
        }
    }
}

impl Moves {
    const NONE: Self = Self { width: 0, count: 0, places: [[0; 2]; MOVES_MAX] };

    /// The moves that copy these runs, of the largest width for which few suffice; `NONE` if there is none.
    fn of(runs: &[Copied]) -> Self {
        [16, 8, 4].into_iter().find_map(|width| Self::of_width(runs, width)).unwrap_or(Self::NONE)
    }

    fn of_width(runs: &[Copied], width: usize) -> Option<Self> {
        let mut moves = Self { width: width as u8, ..Self::NONE };
        for run in runs {
            if run.load.is_some() || run.bytes < width {
                return None;
            }
            for start in starts(run.bytes, width) {
                let places = [u8::try_from(run.from + start).ok()?, u8::try_from(run.to + start).ok()?];
                *moves.places.get_mut(usize::from(moves.count))? = places;
                moves.count += 1;
            }
        }
        match usize::from(moves.count) {
            0 => return None,
            1 => moves.places[1] = moves.places[0],
            _ => {}
        }
        Some(moves)
    }

    /// Runs these moves.
    ///
    /// # Safety
    /// The moves have this width and lie inside the record and the row; the row does not overlap the record.
    #[inline(always)]
    unsafe fn run<const WIDTH: usize>(&self, record: *const u8, row: *mut u8) {
        let make = |[from, to]: [u8; 2]| {
            // SAFETY: the move lies inside the record and the row (caller).
            unsafe {
                let (from, to) = (record.add(usize::from(from)), row.add(usize::from(to)));
                to.copy_from_nonoverlapping(from, WIDTH);
            }
        };
        let (first, others) = self.places.split_at(MOVES_MIN);
        first.iter().copied().for_each(make);
        if usize::from(self.count) > MOVES_MIN {
            others.iter().take(usize::from(self.count) - MOVES_MIN).copied().for_each(make);
        }
    }
}

/// Bytes that are copied from the record to the row, unchanged unless `load` says otherwise.
#[derive(Clone, Copy)]
struct Copied {
    from: usize,
    to: usize,
    bytes: usize,
    load: Option<Load>,
}

/// Joins copies that are adjacent in both the record and the row.
fn runs(copied: &[Copied]) -> Vec<Copied> {
    let is_next = |a: &Copied, b: &Copied| {
        a.load.or(b.load).is_none() && (a.from + a.bytes, a.to + a.bytes) == (b.from, b.to)
    };
    let joined = |run: &[Copied]| Copied { bytes: run.iter().map(|part| part.bytes).sum(), ..run[0] };
    copied.chunk_by(is_next).map(joined).collect()
}

/// The steps for all of these runs.
fn steps(runs: &[Copied]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &Copied { from, to, bytes, load } in runs {
        match load {
            Some(load) => steps.push(Step { from: from as u32, to: to as u32, load }),
            None => put_run(from, to, bytes, &mut steps),
        }
    }
    steps
}

/// Appends the steps for adjacent bytes, all of one width.
fn put_run(from: usize, to: usize, bytes: usize, steps: &mut Vec<Step>) {
    let (width, load) = match bytes {
        16.. => (16, Load::Bytes16),
        8.. => (8, Load::Bytes8),
        4.. => (4, Load::Bytes4),
        2.. => (2, Load::Bytes2),
        _ => (1, Load::Bytes1),
    };
    for start in starts(bytes, width) {
        steps.push(Step { from: (from + start) as u32, to: (to + start) as u32, load });
    }
}

/// Where copies of one width begin that together copy this many bytes. The last one may copy bytes that were copied before.
fn starts(bytes: usize, width: usize) -> impl Iterator<Item = usize> {
    (0..bytes).step_by(width).map(move |start| start.min(bytes - width))
}
