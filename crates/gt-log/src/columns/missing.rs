//! Which rows of a column lack their value: a bitmap in memory, runs or a bitmap in the file.
//!
//! ```text
//! form 0   known 3, missing 2, known 7, missing 1 …     one pair for each run of missing rows
//! form 1   a bit for each row, low bits first            where runs are many
//! ```
//!
//! The column's integers nevertheless have a value for every row. A missing row has the value of the last known row before it (of the first
//! known row, if none is before; 0 if none is known at all): that packs well, and changes no extreme.

use crate::wire::{Malformed, Newer, Reader, Wire, put_unsigned};

const FORM_RUNS: u8 = 0;
const FORM_BITMAP: u8 = 1;

/// An empty bitmap of rows, 64 per word, low bits first.
pub(crate) fn bitmap(rows: usize) -> Vec<u64> {
    vec![0; rows.div_ceil(64)]
}

pub(crate) fn set(words: &mut [u64], row: usize) {
    words[row / 64] |= 1 << (row % 64);
}

pub(crate) fn contains(words: &[u64], row: usize) -> bool {
    words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
}

/// Whether all of these rows are missing.
pub(crate) fn is_all(words: &[u64], rows: usize) -> bool {
    words.iter().map(|word| word.count_ones() as usize).sum::<usize>() == rows
}

/// Gives missing rows the values with which they are packed.
pub(crate) fn fill<T: Copy + Default>(column: &mut [T], words: &[u64]) {
    let first = (0..column.len()).find(|&row| !contains(words, row));
    let mut last = first.map_or(T::default(), |row| column[row]);
    for (rows, &word) in column.chunks_mut(64).zip(words) {
        if word == 0 {
            last = rows[rows.len() - 1];
            continue;
        }
        for (place, value) in rows.iter_mut().enumerate() {
            if word >> place & 1 == 1 {
                *value = last;
            } else {
                last = *value;
            }
        }
    }
}

/// Appends which rows are missing, in the shorter form.
pub(crate) fn put(out: &mut Vec<u8>, words: &[u64], rows: usize) {
    let bitmap_bytes = rows.div_ceil(8);
    // A run takes at least two bytes.
    if 2 * runs_of(words) <= bitmap_bytes {
        let mut runs = Vec::new();
        let mut row = 0;
        while let Some(start) = next(words, row, rows, true) {
            let end = next(words, start, rows, false).unwrap_or(rows);
            put_unsigned(&mut runs, (start - row) as u64);
            put_unsigned(&mut runs, (end - start) as u64);
            row = end;
        }
        if runs.len() <= bitmap_bytes {
            out.push(FORM_RUNS);
            put_unsigned(out, runs.len() as u64);
            out.extend_from_slice(&runs);
            return;
        }
    }
    out.push(FORM_BITMAP);
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()).take(bitmap_bytes));
}

/// The number of runs of missing rows.
fn runs_of(words: &[u64]) -> usize {
    let mut before = 0;
    let mut count = 0;
    for &word in words {
        count += (word & !(word << 1 | before)).count_ones() as usize;
        before = word >> 63;
    }
    count
}

/// The first row from `row` on that is missing, or that is not.
fn next(words: &[u64], row: usize, rows: usize, missing: bool) -> Option<usize> {
    let mut place = row / 64;
    let mut bits = u64::MAX << (row % 64);
    while place < words.len() {
        let word = if missing { words[place] } else { !words[place] } & bits;
        if word != 0 {
            return Some(64 * place + word.trailing_zeros() as usize).filter(|found| *found < rows);
        }
        place += 1;
        bits = u64::MAX;
    }
    None
}

/// Reads which rows are missing, and leaves what follows to the reader.
pub(crate) fn read(reader: &mut Reader<'_>, rows: usize) -> Wire<Vec<u64>> {
    let mut words = bitmap(rows);
    match reader.u8()? {
        FORM_RUNS => {
            let length = reader.count()?;
            let mut runs = Reader::new(reader.bytes(length)?);
            let mut row = 0_u64;
            while !runs.is_empty() {
                let start = row.saturating_add(runs.unsigned()?);
                row = start.saturating_add(runs.unsigned()?);
                if row > rows as u64 {
                    return Err(Malformed("more rows lack a value than there are"));
                }
                (start..row).for_each(|row| set(&mut words, row as usize));
            }
        }
        FORM_BITMAP => {
            let bytes = reader.bytes(rows.div_ceil(8))?;
            for (place, byte) in bytes.iter().enumerate() {
                words[place / 8] |= u64::from(*byte) << (8 * (place % 8));
            }
            if !rows.is_multiple_of(64) && words.last().is_some_and(|word| word >> (rows % 64) != 0) {
                return Err(Malformed("more rows lack a value than there are"));
            }
        }
        _ => return Err(Newer("a form of missing values that this version does not know")),
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn missing_rows_come_back(missing in proptest::collection::vec(prop_oneof![9 => Just(false), 1 => any::<bool>()], 0..400), dense in any::<bool>()) {
            let rows = missing.len();
            let mut words = bitmap(rows);
            (0..rows).filter(|&row| missing[row] || dense && row % 3 == 0).for_each(|row| set(&mut words, row));
            let mut bytes = Vec::new();
            put(&mut bytes, &words, rows);
            bytes.push(77);
            let mut reader = Reader::new(&bytes);
            prop_assert_eq!(read(&mut reader, rows), Ok(words));
            prop_assert_eq!(reader.rest(), &[77]);
        }
    }

    #[test]
    fn missing_rows_take_the_value_before() {
        let mut words = bitmap(6);
        [0, 2, 3].into_iter().for_each(|row| set(&mut words, row));
        let mut column = [9, 4, 9, 9, -1, 5];
        fill(&mut column, &words);
        assert_eq!(column, [4, 4, 4, 4, -1, 5]);
    }
}
