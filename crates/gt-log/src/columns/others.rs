//! Writes rows most of which have one value: a bit for each row that has another, and the other values. [`sparse`](super::sparse) reads
//! them.

use super::integer::Integer;
use super::marks::mark_rows_in_search;

/// The number of rows in a word, one bit each.
const WORD_ROWS: usize = 64;

/// Appends a bit for each row without the usual value, and overwrites `others` with the values of these rows; returns their number. `words`
/// is working memory.
pub(super) fn put_others<T: Integer>(
    out: &mut Vec<u8>,
    values: &[T],
    usual: i64,
    words: &mut Vec<u64>,
    others: &mut Vec<T>,
) -> usize {
    words.clear();
    words.resize(values.len().div_ceil(WORD_ROWS), 0);
    let narrow = T::of(usual);
    // A usual value that does not fit is the value of no row.
    let is_nobodys = narrow.into() != usual;
    mark_rows_in_search(values, words, |value| u8::from(value != narrow) | u8::from(is_nobodys));
    out.extend_from_slice(&bytemuck::cast_slice(words)[..values.len().div_ceil(8)]);
    // Enough room that a vector can be written at any place. The old content is overwritten, so nothing is cleared.
    let length_needed = values.len() + WORD_ROWS;
    if others.len() < length_needed {
        others.resize(length_needed, T::default());
    }
    compress_words(values, words, others)
}

/// Puts the values of the rows with a bit one after the other, and returns their number. There is room for [`WORD_ROWS`] more.
fn compress_words<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if size_of::<T>() <= 4
        && std::arch::is_x86_feature_detected!("ssse3")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the check above says that the processor has these instructions.
        return unsafe { vectors::compress(values, words, others) };
    }
    compress_bits(values, words, others)
}

fn compress_bits<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
    let mut count = 0;
    for (values, &word) in values.chunks(WORD_ROWS).zip(words) {
        // Each value is written, and overwritten by the next if its row has no bit: there is no branch to predict.
        for (place, &value) in values.iter().enumerate() {
            others[count] = value;
            count += (word >> place & 1) as usize;
        }
    }
    count
}

/// Compresses words with processors that can reorder the bytes of a vector. Wider vectors are not used: see `with_vectors`.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::super::integer::Integer;
    use super::{WORD_ROWS, compress_bits};

    /// The places of the bits of each byte, starting with the lowest.
    static PLACES: [[u8; 8]; 256] = {
        let mut places = [[0; 8]; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut place, mut count) = (0, 0);
            while place < 8 {
                if byte >> place & 1 == 1 {
                    places[byte][count] = place as u8;
                    count += 1;
                }
                place += 1;
            }
            byte += 1;
        }
        places
    };

    /// Compresses one vector of two-byte or four-byte integers at a time.
    #[target_feature(enable = "ssse3,popcnt")]
    pub(super) fn compress<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
        let (whole, rest) = values.as_chunks::<WORD_ROWS>();
        let in_vector = 16 / size_of::<T>();
        let mut count = 0;
        for (values, &word) in whole.iter().zip(words) {
            let mut left = word;
            // There is room for as many as a word has rows.
            let others = &mut others[count..][..WORD_ROWS];
            let mut count_here = 0;
            for given in values.chunks_exact(in_vector) {
                let bits = left as usize & ((1 << in_vector) - 1);
                left >>= in_vector;
                let places = i64::from_le_bytes(PLACES[bits]);
                let to = others[count_here..][..in_vector].as_mut_ptr();
                // SAFETY: `given` and `to` have the 16 bytes of a vector.
                unsafe {
                    let given = _mm_loadu_si128(given.as_ptr().cast());
                    let places = _mm_cvtsi64_si128(places);
                    // The places of the integers' bytes.
                    let bytes = if size_of::<T>() == 2 {
                        let doubled = _mm_add_epi8(places, places);
                        _mm_unpacklo_epi8(doubled, _mm_add_epi8(doubled, _mm_set1_epi8(1)))
                    } else {
                        let four_times = _mm_slli_epi32::<2>(_mm_unpacklo_epi8(places, places));
                        let first = _mm_unpacklo_epi16(four_times, four_times);
                        _mm_add_epi8(first, _mm_set1_epi32(0x0302_0100))
                    };
                    _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(given, bytes));
                }
                count_here += bits.count_ones() as usize;
            }
            count += count_here;
        }
        count + compress_bits(rest, &words[whole.len()..], &mut others[count..])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn are_the_others<T: Integer + std::fmt::Debug>(values: &[i64], usual: i64) {
        let values: Vec<T> = values.iter().map(|&value| T::of(value)).collect();
        let (mut out, mut words, mut others) = (Vec::new(), vec![7], vec![T::of(1)]);
        let count = put_others(&mut out, &values, usual, &mut words, &mut others);
        let has_other = |value: T| value.into() != usual;
        let expected: Vec<T> = values.iter().copied().filter(|&value| has_other(value)).collect();
        assert_eq!(others[..count], expected);
        let mut slow = vec![T::default(); values.len() + 1];
        assert_eq!(compress_bits(&values, &words, &mut slow), expected.len());
        assert_eq!(slow[..expected.len()], expected);
        assert_eq!(out.len(), values.len().div_ceil(8));
        for (row, &value) in values.iter().enumerate() {
            assert_eq!(out[row / 8] >> (row % 8) & 1 == 1, has_other(value));
        }
    }

    proptest! {
        #[test]
        fn others_follow_each_other(values in prop::collection::vec(prop_oneof![2 => Just(3), 1 => any::<i64>()], 0..300), usual in prop_oneof![Just(3), any::<i64>()]) {
            are_the_others::<i16>(&values, usual);
            are_the_others::<i32>(&values, usual);
            are_the_others::<i64>(&values, usual);
        }
    }
}
