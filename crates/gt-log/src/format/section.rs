//! Sections: what a part of the file says in addition to its fixed tables. Each has a number and its length, so that a reader can skip
//! sections of a newer version.

use crate::wire::{Reader, Wire, put_unsigned};

/// Appends a section.
pub(crate) fn put_section(out: &mut Vec<u8>, number: u64, content: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = Vec::new();
    content(&mut bytes);
    put_unsigned(out, number);
    put_unsigned(out, bytes.len() as u64);
    out.extend_from_slice(&bytes);
}

/// The sections up to the end, each with its number.
pub(crate) fn read_sections<'a>(mut reader: Reader<'a>) -> impl Iterator<Item = Wire<(u64, Reader<'a>)>> {
    std::iter::from_fn(move || {
        if reader.is_empty() {
            return None;
        }
        let section = read_section(&mut reader);
        if section.is_err() {
            reader = Reader::new(&[]);
        }
        Some(section)
    })
}

fn read_section<'a>(reader: &mut Reader<'a>) -> Wire<(u64, Reader<'a>)> {
    let number = reader.unsigned()?;
    let length = reader.count()?;
    Ok((number, Reader::new(reader.bytes(length)?)))
}
