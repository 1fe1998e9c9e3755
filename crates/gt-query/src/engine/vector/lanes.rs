//! Operands, and the loops over them that all operations use.
//!
//! An operand is split into chunks of [`CHUNK`] rows; a constant is one chunk of copies of itself, read repeatedly.
//! So a loop has two slices for any operands, and the compiler vectorises it.

use std::cmp::Ordering;
use std::sync::Arc;

use gt_log::mark_rows;

use super::values::{Vector, VectorKind};
use crate::engine::bits::Bitmap;
use crate::engine::wide::wide;

/// The number of rows that a loop processes at a time: whole words of a bitmap, and few enough for the L1 cache.
pub(super) const CHUNK: usize = 256;

/// The type of a lane.
pub(super) trait Lane: Copy + Default {
    /// The value where nothing is known.
    const UNKNOWN: Self;
}

macro_rules! lane {
    ($($type:ty: $unknown:expr),*) => { $(impl Lane for $type { const UNKNOWN: Self = $unknown; })* };
}
lane!(u8: 0, u16: 0, u32: 0, u64: 0, i64: 0, i128: 0, f64: f64::NAN);

/// An operand: a vector, or one value for all rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) enum Lanes<'a> {
    Vector(&'a Vector),
    Integer(i64),
    Wide(i128),
    Float(f64),
    Text(&'a Arc<str>),
}

impl<'a> Lanes<'a> {
    pub(super) fn kind(self) -> VectorKind {
        match self {
            Self::Vector(vector) => vector.kind(),
            Self::Integer(_) => VectorKind::Integer,
            Self::Wide(_) => VectorKind::Wide,
            Self::Float(_) => VectorKind::Float,
            Self::Text(_) => VectorKind::Text,
        }
    }

    pub(super) fn integers(self) -> Source<'a, i64> {
        match self {
            Self::Vector(Vector::Integer(lanes)) => Source::each(lanes),
            Self::Integer(value) => Source::all(value),
            other => panic!("integers are wanted, not {:?}", other.kind()),
        }
    }

    pub(super) fn wides(self) -> Source<'a, i128> {
        match self {
            Self::Vector(Vector::Wide(lanes)) => Source::each(lanes),
            Self::Wide(value) => Source::all(value),
            Self::Integer(value) => Source::all(value.into()),
            other => panic!("wide integers are wanted, not {:?}", other.kind()),
        }
    }

    pub(super) fn floats(self) -> Source<'a, f64> {
        match self {
            Self::Vector(Vector::Float(lanes)) => Source::each(lanes),
            Self::Float(value) => Source::all(value),
            Self::Integer(value) => Source::all(value as f64),
            Self::Wide(value) => Source::all(value as f64),
            other => panic!("floats are wanted, not {:?}", other.kind()),
        }
    }

    pub(super) fn texts(self) -> Coded<'a> {
        match self {
            Self::Vector(Vector::Text(texts)) => {
                Coded { codes: Source::each(&texts.codes), dictionary: &texts.dictionary }
            }
            Self::Text(text) => Coded { codes: Source::all(0), dictionary: std::slice::from_ref(text) },
            other => panic!("texts are wanted, not {:?}", other.kind()),
        }
    }
}

/// The texts of an operand.
pub(super) struct Coded<'a> {
    pub(super) codes: Source<'a, u32>,
    pub(super) dictionary: &'a [Arc<str>],
}

/// The kind in which an operation on two operands is done.
pub(super) fn joint_kind(a: Lanes<'_>, b: Lanes<'_>) -> VectorKind {
    a.kind().max(b.kind())
}

/// The lanes of an operand.
pub(super) struct Source<'a, T> {
    /// One lane for each row; `None` for a constant.
    each: Option<&'a [T]>,
    all: [T; CHUNK],
}

impl<'a, T: Lane> Source<'a, T> {
    pub(super) fn each(lanes: &'a [T]) -> Self {
        Self { each: Some(lanes), all: [T::UNKNOWN; CHUNK] }
    }

    pub(super) fn all(value: T) -> Self {
        Self { each: None, all: [value; CHUNK] }
    }

    /// The lanes of `rows` rows, at most a chunk.
    #[inline(always)]
    pub(super) fn part(&self, from: usize, rows: usize) -> &[T] {
        match self.each {
            Some(lanes) => &lanes[from..from + rows],
            None => &self.all[..rows],
        }
    }

    /// The value of all rows, if it is a constant.
    pub(super) fn constant(&self) -> Option<T> {
        self.each.is_none().then(|| self.all[0])
    }
}

/// The number of rows of two operands.
pub(super) fn joint_rows<A, B>(a: &Source<'_, A>, b: &Source<'_, B>) -> usize {
    debug_assert!(
        a.each.zip(b.each).is_none_or(|(a, b)| a.len() == b.len()),
        "operands of different lengths"
    );
    a.each.map(<[A]>::len).or(b.each.map(<[B]>::len)).unwrap_or(1)
}

/// Maps each lane.
pub(super) fn map<A: Lane, B: Lane>(lanes: &[A], out: &mut Vec<B>, of: impl Fn(A) -> B) {
    out.resize(lanes.len(), B::default());
    map_lanes(lanes, out, &of);
}

/// Maps each pair of lanes.
pub(super) fn zip<A: Lane, B: Lane, C: Lane>(
    a: &Source<'_, A>,
    b: &Source<'_, B>,
    out: &mut Vec<C>,
    of: impl Fn(A, B) -> C,
) {
    out.resize(joint_rows(a, b), C::default());
    zip_lanes(a, b, out, &of);
}

/// Maps each pair of lanes and the row's bit; there are as many lanes as bits.
pub(super) fn zip_bits<T: Lane>(
    bits: &Bitmap,
    a: &Source<'_, T>,
    b: &Source<'_, T>,
    out: &mut Vec<T>,
    of: impl Fn(bool, T, T) -> T,
) {
    out.resize(bits.rows(), T::default());
    zip_words(bits.words(), a, b, out, &of);
}

/// Marks the rows whose pair of lanes passes a test.
pub(super) fn mark<A: Lane, B: Lane>(
    a: &Source<'_, A>,
    b: &Source<'_, B>,
    out: &mut Bitmap,
    test: impl Fn(A, B) -> bool,
) {
    let rows = joint_rows(a, b);
    out.mark(rows, |words| {
        words.resize(rows.div_ceil(64), 0);
        mark_pairs(a, b, rows, words, &test);
    });
}

/// The rows where the lane of `a` compares to that of `b` in this order.
pub(super) fn mark_lanes<T: Lane + PartialOrd>(
    order: Ordering,
    a: &Source<'_, T>,
    b: &Source<'_, T>,
    out: &mut Bitmap,
) {
    match order {
        Ordering::Less => mark(a, b, out, |a, b| a < b),
        Ordering::Equal => mark(a, b, out, |a, b| a == b),
        Ordering::Greater => mark(a, b, out, |a, b| a > b),
    }
}

wide! {
    fn map_lanes[A: Lane, B: Lane, F: Fn(A) -> B](lanes: &[A], out: &mut [B], of: &F) {
        for (out, lane) in out.iter_mut().zip(lanes) {
            *out = of(*lane);
        }
    }
}

wide! {
    fn zip_lanes[A: Lane, B: Lane, C: Lane, F: Fn(A, B) -> C](
        a: &Source<'_, A>,
        b: &Source<'_, B>,
        out: &mut [C],
        of: &F,
    ) {
        for (place, out) in out.chunks_mut(CHUNK).enumerate() {
            let (a, b) = (a.part(place * CHUNK, out.len()), b.part(place * CHUNK, out.len()));
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = of(*a, *b);
            }
        }
    }
}

wide! {
    fn zip_words[T: Lane, F: Fn(bool, T, T) -> T](
        words: &[u64],
        a: &Source<'_, T>,
        b: &Source<'_, T>,
        out: &mut [T],
        of: &F,
    ) {
        for ((place, out), word) in out.chunks_mut(64).enumerate().zip(words) {
            let (a, b) = (a.part(place * 64, out.len()), b.part(place * 64, out.len()));
            for (bit, ((out, a), b)) in out.iter_mut().zip(a).zip(b).enumerate() {
                *out = of(word >> bit & 1 == 1, *a, *b);
            }
        }
    }
}

wide! {
    fn mark_pairs[A: Lane, B: Lane, F: Fn(A, B) -> bool](
        a: &Source<'_, A>,
        b: &Source<'_, B>,
        rows: usize,
        words: &mut [u64],
        test: &F,
    ) {
        let mut passed = [0_u8; CHUNK];
        for (place, words) in words.chunks_mut(CHUNK / 64).enumerate() {
            let from = place * CHUNK;
            let passed = &mut passed[..CHUNK.min(rows - from)];
            let (a, b) = (a.part(from, passed.len()), b.part(from, passed.len()));
            for ((passed, a), b) in passed.iter_mut().zip(a).zip(b) {
                *passed = u8::from(test(*a, *b));
            }
            mark_rows(passed, words, |passed| passed);
        }
    }
}
