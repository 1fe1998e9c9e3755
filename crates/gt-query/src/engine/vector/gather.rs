//! The values of other rows: of parents, siblings, children.
//!
//! ```text
//! indexes    2  0  3  nobody        source  10 11 12        ghosts  77
//! out       12 10 77  anything
//! ```
//!
//! An index counts through the rows of the source, and then through the ghosts: nodes in other blocks.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::lanes::Lane;
use super::texts::{Joined, look_up};
use super::values::{Texts, Vector};
use crate::engine::bits::Bitmap;
use crate::engine::wide::wide;

/// The index of no node.
pub(in crate::engine) const NOBODY: u32 = u32::MAX;

/// The values at some indexes; `ghosts` is of the source's kind. At [`NOBODY`] the value is arbitrary, a float unknown.
pub(in crate::engine) fn gather(indexes: &[u32], source: &Vector, ghosts: &Vector, out: &mut Vector) {
    match (source, ghosts) {
        (Vector::Integer(source), Vector::Integer(ghosts)) => {
            gather_lanes(indexes, source, ghosts, out.integers_mut());
        }
        (Vector::Wide(source), Vector::Wide(ghosts)) => {
            gather_lanes(indexes, source, ghosts, out.wides_mut())
        }
        (Vector::Float(source), Vector::Float(ghosts)) => {
            gather_lanes(indexes, source, ghosts, out.floats_mut());
        }
        (Vector::Text(source), Vector::Text(ghosts)) => {
            gather_texts(indexes, source, ghosts, out.texts_mut())
        }
        (source, ghosts) => panic!("ghosts of {:?} for {:?}", ghosts.kind(), source.kind()),
    }
}

/// The bits at some indexes; false for [`NOBODY`].
pub(in crate::engine) fn gather_bits(indexes: &[u32], source: &Bitmap, ghosts: &Bitmap, out: &mut Bitmap) {
    let (words, rows) = (source.words(), source.rows());
    let last = words.len().wrapping_sub(1);
    out.pack(indexes, |index| {
        let row = index as usize;
        // Branch-free: whether there is such a relative is unpredictable.
        let word = words.get((row / 64).min(last)).map_or(0, |word| word >> (row % 64));
        word as u8 & u8::from(row < rows)
    });
    each_ghost(indexes, rows, |place, ghost| {
        if ghost < ghosts.rows() {
            out.set(place, ghosts.get(ghost));
        }
    });
}

/// Calls `visit` with the place and the number of each ghost among some indexes.
pub(in crate::engine) fn each_ghost(indexes: &[u32], rows: usize, mut visit: impl FnMut(usize, usize)) {
    let is_ghost = |index: u32| (index as usize >= rows) & (index != NOBODY);
    for (chunk, indexes) in indexes.chunks(64).enumerate() {
        // Ghosts are rare.
        if indexes.iter().fold(false, |any, index| any | is_ghost(*index)) {
            let ghosts = indexes.iter().enumerate().filter(|(_, index)| is_ghost(**index));
            ghosts.for_each(|(place, index)| visit(chunk * 64 + place, *index as usize - rows));
        }
    }
}

fn gather_lanes<T: Lane>(indexes: &[u32], source: &[T], ghosts: &[T], out: &mut Vec<T>) {
    out.resize(indexes.len(), T::default());
    gather_mapped(indexes, source, ghosts, out, &|lane| lane, &|lane| lane);
}

fn gather_texts(indexes: &[u32], source: &Texts, ghosts: &Texts, out: &mut Texts) {
    if ghosts.codes.is_empty() || Arc::ptr_eq(&source.dictionary, &ghosts.dictionary) {
        let codes = out.codes_for(Arc::clone(&source.dictionary));
        return gather_lanes(indexes, &source.codes, &ghosts.codes, codes);
    }
    let Joined { dictionary, left, right } = Joined::of(&source.dictionary, &ghosts.dictionary);
    let codes = out.codes_for(dictionary);
    codes.resize(indexes.len(), 0);
    let (of_source, of_ghost) = (|code| look_up(&left, code), |code| look_up(&right, code));
    gather_mapped(indexes, &source.codes, &ghosts.codes, codes, &of_source, &of_ghost);
}

wide! {
    fn gather_mapped[T: Lane, F: Fn(T) -> T, G: Fn(T) -> T](
        indexes: &[u32],
        source: &[T],
        ghosts: &[T],
        out: &mut [T],
        of_source: &F,
        of_ghost: &G,
    ) {
        let last = source.len().wrapping_sub(1);
        for (out, index) in out.iter_mut().zip(indexes) {
            let index = *index as usize;
            // Branch-free: whether there is such a relative is unpredictable.
            let lane = source.get(index.min(last)).map_or(T::UNKNOWN, |lane| of_source(*lane));
            *out = select_unpredictable(index <= last, lane, T::UNKNOWN);
        }
        each_ghost(indexes, source.len(), |place, ghost| {
            ghosts.get(ghost).into_iter().for_each(|lane| out[place] = of_ghost(*lane));
        });
    }
}
