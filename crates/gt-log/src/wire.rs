//! The basic encodings of the file: variable-length integers, texts, and a reader that cannot run past the end.
//!
//! An unsigned integer is written seven bits per byte, low bits first, with the high bit set on all bytes but the last. A signed integer is
//! first folded (0, -1, 1, -2, … become 0, 1, 2, 3, …). Fixed-width numbers are little-endian.

/// The reason why bytes cannot be read; the caller knows where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// They are not what they should be.
    Malformed(&'static str),
    /// They contain a number that has a meaning only in a newer version.
    Newer(&'static str),
    /// They would take more memory than the reader's limit.
    TooLarge(u64),
}

pub(crate) use Unreadable::{Malformed, Newer, TooLarge};

pub(crate) type Wire<T> = Result<T, Unreadable>;

pub(crate) fn put_unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_unsigned(out, fold(value));
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_unsigned(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …
#[inline(always)]
pub(crate) fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`fold`].
#[inline(always)]
pub(crate) fn unfold(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Reads from a slice, front to back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Wire<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Wire<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Malformed("it ends too early"))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Wire<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Wire<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Wire<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Wire<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn unsigned(&mut self) -> Wire<u64> {
        let (mut value, mut start) = (0, 0);
        // Eight bytes at once: the number's last byte is the first without its high bit.
        if let Some((&word, rest)) = self.rest.split_first_chunk() {
            let word = u64::from_le_bytes(word);
            let ends = !word & 0x8080_8080_8080_8080;
            if ends != 0 {
                self.rest = &self.rest[ends.trailing_zeros() as usize / 8 + 1..];
                // All bits up to the end of that byte.
                return Ok(joined(word & (ends ^ (ends - 1))));
            }
            (value, start) = (joined(word), 56);
            self.rest = rest;
        }
        for shift in (start..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(Malformed("a number is over 64 bits"));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed("a number is over 64 bits"))
    }

    pub(crate) fn signed(&mut self) -> Wire<i64> {
        self.unsigned().map(unfold)
    }

    /// Reads the number of things that each take at least one byte here: never more than the bytes that are left.
    pub(crate) fn count(&mut self) -> Wire<usize> {
        let count = self.unsigned()?;
        if count > self.rest.len() as u64 {
            return Err(Malformed("a count is larger than what follows"));
        }
        Ok(count as usize)
    }

    pub(crate) fn text(&mut self) -> Wire<&'a str> {
        let length = self.count()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Malformed("a text is not UTF-8"))
    }
}

/// Joins the low seven bits of eight bytes.
const fn joined(bytes: u64) -> u64 {
    let of_16 = (bytes & 0x007f_007f_007f_007f) | (bytes & 0x7f00_7f00_7f00_7f00) >> 1;
    let of_32 = (of_16 & 0x0000_3fff_0000_3fff) | (of_16 & 0x3fff_0000_3fff_0000) >> 2;
    (of_32 & 0x0fff_ffff) | (of_32 & 0x0fff_ffff_0000_0000) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a number is read at once or byte by byte depends on the bytes after it.
    #[test]
    fn numbers_of_any_length_are_read_whatever_follows() {
        for bits in 0..64 {
            for value in [1_u64 << bits, (1 << bits) - 1, u64::MAX >> bits, 0x5a5a_a5a5_1234_cdef >> bits] {
                let mut bytes = Vec::new();
                put_unsigned(&mut bytes, value);
                let length = bytes.len();
                bytes.extend([0xff; 12]);
                for follow in 0..=12 {
                    let mut reader = Reader::new(&bytes[..length + follow]);
                    assert_eq!(reader.unsigned(), Ok(value));
                    assert_eq!(reader.rest().len(), follow);
                }
            }
        }
        assert_eq!(Reader::new(&[0x83, 0x80, 0x00, 9, 9, 9, 9, 9, 9]).unsigned(), Ok(3));
    }

    #[test]
    fn numbers_round_trip() {
        for value in [0, 1, -1, 63, 64, -64, -65, i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, value);
            put_unsigned(&mut bytes, value as u64);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.signed(), Ok(value));
            assert_eq!(reader.unsigned(), Ok(value as u64));
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn a_number_over_64_bits_is_refused() {
        assert!(Reader::new(&[0xff; 10]).unsigned().is_err());
        assert!(Reader::new(&[0x80; 30]).unsigned().is_err());
        assert!(Reader::new(&[0x80]).unsigned().is_err());
    }
}
