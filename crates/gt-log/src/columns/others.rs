//! Rows most of which have one value, written: a bit for each that has another, and those values. [`sparse`](super::sparse) reads them.

use super::integer::Integer;
use super::marks::mark_rows;

/// A word has a bit for each of so many rows.
const WORD_ROWS: usize = 64;

/// Appends a bit for each row that has not the usual value, and puts the values of those rows into `others`, over what is there; tells how
/// many they are. `words` is memory.
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
    // One that does not fit is nobody's value.
    let is_nobodys = narrow.into() != usual;
    mark_rows(values, words, |value| u8::from(value != narrow) | u8::from(is_nobodys));
    out.extend_from_slice(&bytemuck::cast_slice(words)[..values.len().div_ceil(8)]);
    // So many more that a vector can be written at any place. What is there is written over, so that nothing is cleared.
    let length_needed = values.len() + WORD_ROWS;
    if others.len() < length_needed {
        others.resize(length_needed, T::default());
    }
    compress_words(values, words, others)
}

/// Puts the values of the rows with a bit one behind the other, and tells how many there are. There is room for [`WORD_ROWS`] more.
fn compress_words<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vbmi2")
    {
        // SAFETY: the processor has just been asked.
        return unsafe { vectors::compress(values, words, others) };
    }
    #[cfg(target_arch = "x86_64")]
    if size_of::<T>() <= 4
        && std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has just been asked.
        return unsafe { vectors::compress_by_eight(values, words, others) };
    }
    compress_bits(values, words, others)
}

fn compress_bits<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
    let mut count = 0;
    for (values, &word) in values.chunks(WORD_ROWS).zip(words) {
        // Each is written, and the next one over it where it has no bit: nothing to be foreseen.
        for (place, &value) in values.iter().enumerate() {
            others[count] = value;
            count += (word >> place & 1) as usize;
        }
    }
    count
}

/// The same for processors with an instruction that does it for a whole vector.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::*;

    use super::super::integer::Integer;
    use super::{WORD_ROWS, compress_bits};

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    pub(super) fn compress<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
        let (whole, rest) = values.as_chunks::<WORD_ROWS>();
        let mut count = 0;
        for (values, &word) in whole.iter().zip(words) {
            for part in 0..size_of::<T>() {
                // A vector has 32 rows of two bytes, 16 of four …
                let in_vector = WORD_ROWS / size_of::<T>();
                let mask = (word >> (part * in_vector)) & (u64::MAX >> (WORD_ROWS - in_vector));
                let from = values[part * in_vector..][..in_vector].as_ptr();
                let to = others[count..][..in_vector].as_mut_ptr();
                // SAFETY: `from` and `to` have the 64 bytes of a vector.
                unsafe {
                    let given = _mm512_loadu_si512(from.cast());
                    let compressed = match size_of::<T>() {
                        2 => _mm512_maskz_compress_epi16(mask as u32, given),
                        4 => _mm512_maskz_compress_epi32(mask as u16, given),
                        _ => _mm512_maskz_compress_epi64(mask as u8, given),
                    };
                    _mm512_storeu_si512(to.cast(), compressed);
                }
                count += mask.count_ones() as usize;
            }
        }
        count + compress_bits(rest, &words[whole.len()..], &mut others[count..])
    }

    /// The places of the bits of each byte, from the lowest on.
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

    /// The same for processors without it, eight integers of two or four bytes at a time.
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn compress_by_eight<T: Integer>(values: &[T], words: &[u64], others: &mut [T]) -> usize {
        let (whole, rest) = values.as_chunks::<WORD_ROWS>();
        let mut count = 0;
        for (values, &word) in whole.iter().zip(words) {
            // So that no place in it has to be checked; there is room for as many.
            let others = &mut others[count..][..WORD_ROWS];
            let mut count_here = 0;
            for (eight, byte) in values.as_chunks::<8>().0.iter().zip(word.to_le_bytes()) {
                let places = i64::from_le_bytes(PLACES[usize::from(byte)]);
                let to = others[count_here..][..8].as_mut_ptr();
                // SAFETY: `eight` and `to` have eight integers of two or four bytes: a vector of 16 bytes or of 32.
                unsafe {
                    let places = _mm_cvtsi64_si128(places);
                    if size_of::<T>() == 2 {
                        let given = _mm_loadu_si128(eight.as_ptr().cast());
                        let first_bytes = _mm_add_epi8(places, places);
                        let second_bytes = _mm_add_epi8(first_bytes, _mm_set1_epi8(1));
                        let bytes = _mm_unpacklo_epi8(first_bytes, second_bytes);
                        _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(given, bytes));
                    } else {
                        let given = _mm256_loadu_si256(eight.as_ptr().cast());
                        let compressed = _mm256_permutevar8x32_epi32(given, _mm256_cvtepu8_epi32(places));
                        _mm256_storeu_si256(to.cast(), compressed);
                    }
                }
                count_here += byte.count_ones() as usize;
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
