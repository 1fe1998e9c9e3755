//! Continues an existing log.
//!
//! ```text
//! header · frames · index · trailer        the log as it was closed
//! header · frames · ▒▒▒▒▒                  the index is taken off, and kept in memory
//! header · frames · frames · index · trailer
//! ```
//!
//! **Invariant:** no existing frame is touched. Until the log is closed again it has no index, like any log that is being written, and
//! readers follow its frames.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::sink::Sink;
use crate::error::{At, Error, Place, Result};
use crate::format::{
    FRAME_HEADER_BYTES, TRAILER_BYTES, VERSION_MAJOR, VERSION_MINOR, read_index_entry_start, read_trailer,
};
use crate::new_file::open_existing_log;
use crate::read::{IndexState, Log};
use crate::wire::{Malformed, Reader, Wire};
use crate::{Header, Schema};

/// Opens a sink behind the frames of a closed log, and returns it with the log's header; `None` if there is no file.
pub(super) fn reopen(path: &Path, header: &Header) -> Result<Option<(Sink, Header)>> {
    let Some(mut file) = open_existing_log(path)? else { return Ok(None) };
    let log = Log::open(path)?;
    check_fits(&log, header)?;
    let end = file.seek(SeekFrom::End(0))?;
    let (offset, index) = read_index(&mut file, end)?;
    let trees = trees_begun(&index).at(Place::Index)?;
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(Some((Sink::behind(Box::new(file), offset, index, trees), log.header().clone())))
}

/// Checks that trees as the header describes them fit the log.
fn check_fits(log: &Log, header: &Header) -> Result<()> {
    let condition = log.condition();
    if condition.index != IndexState::Present || condition.parts_lost > 0 {
        return Err(Error::NotClosed);
    }
    let unlike = |what: String| Err(Error::Unlike { what });
    if log.version() != (VERSION_MAJOR, VERSION_MINOR) {
        let (major, minor) = log.version();
        return unlike(format!("it has format version {major}.{minor}; `gt compact` writes it anew"));
    }
    if log.game() != header.game {
        return unlike(format!("it is of the game `{}`, and not `{}`", log.game(), header.game));
    }
    match difference(log.schema(), &header.schema) {
        Some(what) => unlike(what),
        None => Ok(()),
    }
}

fn difference(there: &Schema, given: &Schema) -> Option<String> {
    let attributes = |schema: &Schema| {
        let texts: Vec<String> = schema
            .attributes()
            .iter()
            .map(|attribute| format!("{}: {}", attribute.name, attribute.kind))
            .collect();
        texts.join(", ")
    };
    if attributes(there) != attributes(given) {
        return Some(format!(
            "it has the attributes ({}), and not ({})",
            attributes(there),
            attributes(given)
        ));
    }
    (there != given).then(|| "its aliases are others".to_owned())
}

/// Reads where the index of a closed log begins, and its entries.
fn read_index(file: &mut File, end: u64) -> Result<(u64, Vec<u8>)> {
    let trailer_start = end.checked_sub(TRAILER_BYTES as u64).ok_or(Error::NotClosed)?;
    let mut trailer = [0; TRAILER_BYTES];
    file.seek(SeekFrom::Start(trailer_start))?;
    file.read_exact(&mut trailer)?;
    let (offset, _) = read_trailer(&trailer)?.ok_or(Error::NotClosed)?;
    let start = offset.saturating_add(FRAME_HEADER_BYTES as u64);
    let length = trailer_start.checked_sub(start).ok_or(Error::NotClosed)?;
    let mut index = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(length).read_to_end(&mut index)?;
    Ok((offset, index))
}

/// One more than the number of the last tree, even if that tree has no nodes.
fn trees_begun(index: &[u8]) -> Wire<u32> {
    let mut reader = Reader::new(index);
    let mut trees = 0;
    while !reader.rest().is_empty() {
        let entry = read_index_entry_start(&mut reader)?;
        let head_bytes = usize::try_from(entry.head_bytes).map_err(|_| Malformed("a part is too large"))?;
        reader.bytes(head_bytes)?;
        trees = trees.max(entry.tree.checked_add(1).ok_or(Malformed("a tree's number is too large"))?);
    }
    Ok(trees)
}
