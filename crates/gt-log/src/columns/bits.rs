//! A stream of small integers of one width, low bits first, for lists that are too short to be packed 1024 at a time.

use crate::wire::{Malformed, Wire};

/// The number of bytes that `count` integers of `width` bits take.
pub(super) fn stream_bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Appends integers that have at most `width` bits each.
pub(super) fn put_stream(out: &mut Vec<u8>, values: impl Iterator<Item = u64>, width: u32) {
    let mut pending = 0_u128;
    let mut bits = 0;
    for value in values {
        pending |= u128::from(value) << bits;
        bits += width;
        if bits >= 64 {
            out.extend_from_slice(&(pending as u64).to_le_bytes());
            pending >>= 64;
            bits -= 64;
        }
    }
    out.extend_from_slice(&pending.to_le_bytes()[..bits.div_ceil(8) as usize]);
}

/// Reads integers that [`put_stream`] wrote.
pub(super) struct Stream<'a> {
    bytes: &'a [u8],
    width: u32,
    bit: usize,
}

impl<'a> Stream<'a> {
    /// Makes a stream over `bytes`, which must be exactly the bytes that `count` integers of `width` bits take.
    pub(super) fn new(bytes: &'a [u8], count: usize, width: u32) -> Wire<Self> {
        if width > 64 || bytes.len() != stream_bytes(count, width) {
            return Err(Malformed("a bit stream has the wrong length"));
        }
        Ok(Self { bytes, width, bit: 0 })
    }

    /// The next integer; 0 beyond the end.
    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        if self.width == 0 {
            return 0;
        }
        let (byte, shift) = (self.bit / 8, (self.bit % 8) as u32);
        self.bit += self.width as usize;
        let mask = u64::MAX >> (64 - self.width);
        if let Some(window) = self.bytes.get(byte..byte + 8)
            && shift + self.width <= 64
        {
            let mut word = [0; 8];
            word.copy_from_slice(window);
            return u64::from_le_bytes(word) >> shift & mask;
        }
        let mut word = [0; 16];
        let rest = self.bytes.get(byte..).unwrap_or(&[]);
        let count = rest.len().min(16);
        word[..count].copy_from_slice(&rest[..count]);
        (u128::from_le_bytes(word) >> shift) as u64 & mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_round_trips() {
        for width in 0..=64 {
            let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
            let values: Vec<u64> =
                (0..37_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask).collect();
            let mut bytes = Vec::new();
            put_stream(&mut bytes, values.iter().copied(), width);
            assert_eq!(bytes.len(), stream_bytes(37, width));
            let mut stream = Stream::new(&bytes, 37, width).unwrap();
            assert!(values.iter().all(|&v| stream.next() == v), "width {width}");
        }
    }
}
