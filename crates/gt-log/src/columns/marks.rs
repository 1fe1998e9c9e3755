//! A bit for each row, set if a test of the row's integer holds.
//!
//! 64 rows at a time are tested into bytes, which the compiler does with vectors, and the bytes are packed into a word.

/// Sets the bits of `words` to the results of `test`, 0 or 1, for each item, low bits first.
///
/// The bits after the last item, up to the end of its word, are 0. Later words stay as they are.
///
/// ```
/// let mut words = [u64::MAX; 2];
/// gt_log::mark_rows(&[3_u8, 1, 4, 1, 5], &mut words, |value| u8::from(value > 2));
/// assert_eq!(words, [0b10101, u64::MAX]);
/// ```
#[inline]
pub fn mark_rows<T: Copy + Default>(items: &[T], words: &mut [u64], test: impl Fn(T) -> u8) {
    let (chunks, rest) = items.as_chunks::<64>();
    mark_chunks(chunks, words, &test);
    mark_rest(chunks.len(), rest, words, &test);
}

/// Marks rows like [`mark_rows`], with vectors of 16 bytes, for threads that search: see `with_vectors`.
#[inline]
pub(super) fn mark_rows_in_search<T: Copy + Default>(items: &[T], words: &mut [u64], test: impl Fn(T) -> u8) {
    let (chunks, rest) = items.as_chunks::<64>();
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = mark_word_with_vectors(chunk, &test);
    }
    mark_rest(chunks.len(), rest, words, &test);
}

/// Marks the rows after this many whole words.
#[inline]
fn mark_rest<T: Copy + Default>(whole: usize, rest: &[T], words: &mut [u64], test: &impl Fn(T) -> u8) {
    if let (false, Some(last)) = (rest.is_empty(), words.get_mut(whole)) {
        let mut chunk = [T::default(); 64];
        chunk[..rest.len()].copy_from_slice(rest);
        *last = mark_word(&chunk, test) & ((1 << rest.len()) - 1);
    }
}

#[inline]
fn mark_chunks<T: Copy>(chunks: &[[T; 64]], words: &mut [u64], test: &impl Fn(T) -> u8) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the check above says that the processor has these instructions.
        return unsafe { mark_chunks_with_vectors(chunks, words, test) };
    }
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = mark_word(chunk, test);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn mark_chunks_with_vectors<T: Copy>(chunks: &[[T; 64]], words: &mut [u64], test: &impl Fn(T) -> u8) {
    use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_slli_epi16};
    for (word, chunk) in words.iter_mut().zip(chunks) {
        let bytes = tested(chunk, test);
        let halves = bytes.as_chunks::<32>().0.iter().map(|half: &[u8; 32]| {
            // SAFETY: `half` has the 32 bytes to read, which need no alignment.
            let half: __m256i = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
            // The lowest bit of each byte becomes its highest, and the highest bits are gathered.
            u64::from(_mm256_movemask_epi8(_mm256_slli_epi16::<7>(half)) as u32)
        });
        *word = halves.rev().fold(0, |word, half| word << 32 | half);
    }
}

/// Packs 64 results with the vectors that every processor of this kind has.
#[inline(always)]
fn mark_word_with_vectors<T: Copy>(chunk: &[T; 64], test: &impl Fn(T) -> u8) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8, _mm_slli_epi16};
        let bytes = tested(chunk, test);
        let parts = bytes.as_chunks::<16>().0.iter().map(|part: &[u8; 16]| {
            // SAFETY: `part` has the 16 bytes to read, which need no alignment, and every processor of this kind has these instructions.
            let marks =
                unsafe { _mm_movemask_epi8(_mm_slli_epi16::<7>(_mm_loadu_si128(part.as_ptr().cast()))) };
            u64::from(marks as u16)
        });
        parts.rev().fold(0, |word, part| word << 16 | part)
    }
    #[cfg(not(target_arch = "x86_64"))]
    mark_word(chunk, test)
}

#[inline(always)]
fn tested<T: Copy>(chunk: &[T; 64], test: &impl Fn(T) -> u8) -> [u8; 64] {
    let mut bytes = [0_u8; 64];
    for (byte, &item) in bytes.iter_mut().zip(chunk) {
        *byte = test(item);
    }
    bytes
}

/// Packs 64 results, each 0 or 1, into a word.
#[inline(always)]
fn mark_word<T: Copy>(chunk: &[T; 64], test: &impl Fn(T) -> u8) -> u64 {
    let mut word = 0;
    for (place, eight) in tested(chunk, test).as_chunks::<8>().0.iter().enumerate() {
        // The product moves the lowest bit of byte k to bit 56 + k.
        let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= packed << (8 * place);
    }
    word
}
