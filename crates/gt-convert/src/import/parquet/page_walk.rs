//! Walks over the encoded values of a Parquet page, without decoding them, to check that every part lies
//! inside.
//!
//! ```text
//! hybrid   (run length, value | groups of eight packed values)…       levels, dictionary places, Booleans
//! delta    block size, blocks, count, first (least, widths, packed)…  whole numbers, lengths of texts
//! plain    (length, bytes)…                                           texts
//! ```
//!
//! Each walk returns `None` if something does not fit.

/// The rest of a page.
pub(super) struct Walk<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Walk<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    /// Bytes preceded by their length.
    pub(super) fn take_counted(&mut self) -> Option<&'a [u8]> {
        let length = self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))?;
        self.take(length as usize)
    }

    fn varint(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0_u64, 0_u32);
        loop {
            let [byte] = *self.take(1)? else { return None };
            // The tenth byte has space for one bit.
            if shift == 63 && byte > 1 {
                return None;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            shift += 7;
        }
    }

    /// Texts preceded by their lengths: at most `count`, all of them if `exactly`.
    pub(super) fn plain_texts(&mut self, count: u32, exactly: bool) -> Option<()> {
        for _ in 0..count {
            if self.rest.is_empty() && !exactly {
                return Some(());
            }
            self.take_counted()?;
        }
        Some(())
    }

    /// Runs of values of this width; returns how many of them equal `counted`.
    pub(super) fn hybrid(&mut self, width: u32, count: u32, counted: u64) -> Option<u64> {
        let value_bytes = width.div_ceil(8) as usize;
        let (mut left, mut found) = (u64::from(count), 0);
        while left > 0 && !self.rest.is_empty() {
            let indicator = u32::try_from(self.varint()?).ok()?;
            if indicator == 0 {
                break;
            }
            let length = u64::from(indicator >> 1);
            let taken = if indicator & 1 == 0 {
                let mut value = [0; 8];
                value.get_mut(..value_bytes)?.copy_from_slice(self.take(value_bytes)?);
                let taken = length.min(left);
                found += if u64::from_le_bytes(value) == counted { taken } else { 0 };
                taken
            } else {
                let taken = length.checked_mul(8)?.min(left);
                // The last group may be truncated.
                let bytes = (length * u64::from(width)).min(self.rest.len() as u64);
                let packed = self.take(bytes as usize)?;
                found += count_packed(packed, width, taken, counted)?;
                taken
            };
            left -= taken;
        }
        Some(found)
    }

    /// Differences; returns the number of values.
    pub(super) fn delta(&mut self, values_max: u32) -> Option<u32> {
        self.delta_blocks(values_max, None)
    }

    /// Lengths as differences, none negative; returns their number and their sum.
    pub(super) fn delta_lengths(&mut self, values_max: u32) -> Option<(u32, u64)> {
        let (mut sum, mut sound) = (0_u64, true);
        let mut visit =
            |length: i64| match u64::try_from(length).ok().and_then(|length| sum.checked_add(length)) {
                Some(longer) => sum = longer,
                None => sound = false,
            };
        let values = self.delta_blocks(values_max, Some(&mut visit))?;
        sound.then_some((values, sum))
    }

    fn delta_blocks(&mut self, values_max: u32, mut visit: Option<&mut dyn FnMut(i64)>) -> Option<u32> {
        let (block, mini_blocks) = (self.varint()?, self.varint()?);
        let values = u32::try_from(self.varint()?).ok()?;
        let mut value = unfolded(self.varint()?);
        let sound = values <= values_max
            && (1..=1 << 20).contains(&block)
            && (1..=block).contains(&mini_blocks)
            && block.is_multiple_of(128)
            && block.is_multiple_of(mini_blocks)
            && (block / mini_blocks).is_multiple_of(32);
        if !sound {
            return None;
        }
        if let Some(visit) = &mut visit
            && values > 0
        {
            visit(value);
        }
        let mini_values = block / mini_blocks;
        let mut left = u64::from(values).saturating_sub(1);
        while left > 0 {
            let least = unfolded(self.varint()?);
            let widths = self.take(mini_blocks as usize)?;
            for &width in widths {
                if left == 0 {
                    break;
                }
                if width > 64 {
                    return None;
                }
                // The last block may be truncated.
                let bytes = (mini_values * u64::from(width) / 8).min(self.rest.len() as u64);
                let packed = self.take(bytes as usize)?;
                if let Some(visit) = &mut visit {
                    for place in 0..mini_values.min(left) {
                        let difference = packed_value(packed, u32::from(width), place)? as i64;
                        // Lengths are 32 bits wide, and wrap accordingly.
                        value = i64::from(value.wrapping_add(least).wrapping_add(difference) as i32);
                        visit(value);
                    }
                }
                left = left.saturating_sub(mini_values);
            }
        }
        Some(values)
    }
}

/// Maps 0, 1, 2, 3 … to 0, -1, 1, -2 …
fn unfolded(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The value at this index of a packed run.
fn packed_value(packed: &[u8], width: u32, place: u64) -> Option<u64> {
    let start = place * u64::from(width);
    let mut value = 0;
    for bit in 0..u64::from(width) {
        let byte = packed.get(((start + bit) / 8) as usize)?;
        value |= u64::from(byte >> ((start + bit) % 8) & 1) << bit;
    }
    Some(value)
}

/// The number of the first values of a packed run that equal `counted`.
fn count_packed(packed: &[u8], width: u32, values: u64, counted: u64) -> Option<u64> {
    // Only levels are counted, and they have a bit or two; dictionary values are never counted.
    if width == 0 || width > 8 || counted > u64::from(u8::MAX) {
        return Some(0);
    }
    (0..values)
        .try_fold(0, |found, place| Some(found + u64::from(packed_value(packed, width, place)? == counted)))
}
