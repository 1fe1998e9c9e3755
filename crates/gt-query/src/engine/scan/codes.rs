//! Small codes for values, the same code for equal values: for groups, and for counting values.
//!
//! ```text
//! value   -20  31000  -20  7          few possible values: the distance from the lowest
//! code      0      1    0  2          others: by a table of those that occurred
//! ```

use super::block::Scanner;
use super::dictionary::{Dictionary, TABLE_MAX};
use super::graph::{Lane, Scalar};
use crate::engine::bits::Bitmap;
use crate::engine::vector::Vector;

impl Scanner<'_> {
    /// Writes a code for the scalar at each of these rows, and returns the number of codes; the last one stands for
    /// unknown. The scalar must have been computed.
    pub(super) fn codes(
        &self,
        scalar: &Scalar,
        rows: &[u32],
        dictionary: &mut Dictionary,
        out: &mut Vec<u32>,
    ) -> u32 {
        let quantity = match scalar {
            Scalar::Number(quantity) => quantity,
            Scalar::Truth(truth) => {
                let (yes, no) = (self.known_test(truth.yes), self.known_test(truth.no));
                // The two are never both set. No branch, which would be mispredicted at every other row.
                let code =
                    |row: &u32| 2 - u32::from(yes.get(*row as usize)) - 2 * u32::from(no.get(*row as usize));
                out.clear();
                out.extend(rows.iter().map(code));
                return 3;
            }
        };
        let known = quantity.known.map(|known| self.known_test(known));
        match self.vector(quantity.number) {
            Vector::Integer(lanes) => {
                let (low, high) = self.compiled.bounds[quantity.number];
                let extent = i128::from(high) - i128::from(low) + 1;
                if self.compiled.lanes[quantity.number] == Lane::Integer && (1..=TABLE_MAX).contains(&extent)
                {
                    distances(lanes, rows, known, (low, extent as u32), out);
                    return extent as u32 + 1;
                }
                let word = |row: &u32| is_known(known, *row).then(|| lanes[*row as usize] as u64);
                dictionary.encode(rows.iter().map(word), out)
            }
            Vector::Float(lanes) => {
                let word = |row: &u32| {
                    let lane = lanes[*row as usize];
                    (is_known(known, *row) && !lane.is_nan()).then(|| lane.to_bits())
                };
                dictionary.encode(rows.iter().map(word), out)
            }
            Vector::Wide(lanes) => {
                // Wide integers range from the smallest 64-bit integer to the largest unsigned one; few have values at
                // both ends.
                let half = |negative: bool| {
                    move |row: &u32| {
                        let lane = lanes[*row as usize];
                        (is_known(known, *row) && (lane < 0) == negative).then_some(lane as u64)
                    }
                };
                let below = dictionary.encode(rows.iter().map(half(true)), out);
                let mut from_zero = Vec::new();
                let codes = dictionary.encode(rows.iter().map(half(false)), &mut from_zero);
                let unknown = codes - 1 + below - 1;
                for (out, code) in out.iter_mut().zip(from_zero) {
                    let of_negative = if *out == below - 1 { unknown } else { codes - 1 + *out };
                    *out = if code < codes - 1 { code } else { of_negative };
                }
                unknown + 1
            }
            Vector::Text(texts) => {
                let unknown = texts.entries() as u32;
                let codes = texts.codes();
                let code = |row: &u32| match is_known(known, *row) {
                    true => codes[*row as usize].min(unknown),
                    false => unknown,
                };
                out.clear();
                out.extend(rows.iter().map(code));
                unknown + 1
            }
        }
    }
}

#[inline]
fn is_known(known: Option<&Bitmap>, row: u32) -> bool {
    known.is_none_or(|known| known.get(row as usize))
}

/// The distances of integers from the lowest. A value beyond the bounds comes from a damaged log; it gets the code of
/// another value.
fn distances(
    lanes: &[i64],
    rows: &[u32],
    known: Option<&Bitmap>,
    (low, extent): (i64, u32),
    out: &mut Vec<u32>,
) {
    let distance = |row: u32| {
        let distance = lanes[row as usize].wrapping_sub(low) as u64;
        distance.min(u64::from(extent) - 1) as u32
    };
    out.clear();
    match known {
        None => out.extend(rows.iter().map(|row| distance(*row))),
        Some(known) => {
            out.extend(rows.iter().map(|row| if known.get(*row as usize) { distance(*row) } else { extent }))
        }
    }
}
