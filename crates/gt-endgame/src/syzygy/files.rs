//! The files of Syzygy tables: found in a folder, and checked before the library maps them into memory.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The extension of files that tell who wins, and of those that tell the distance, with their first bytes.
const KINDS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];
/// A file is a number of lines of 64 bytes and a trailer.
const LINE: u64 = 64;
const TRAILER: u64 = 16;
const PIECES_MAX: usize = 7;

/// Returns the Syzygy files of a folder, by name.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let named = |error: std::io::Error| Error::Unfit(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(named)? {
        let file = entry.map_err(named)?.path();
        if is_file(&file) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a path has the name of a Syzygy file.
pub(crate) fn is_file(path: &Path) -> bool {
    kind(path).is_some()
}

fn kind(file: &Path) -> Option<&'static (&'static str, [u8; 4])> {
    let extension = file.extension()?.to_str()?;
    KINDS.iter().find(|(known, _)| *known == extension)
}

/// Checks the name, the length and the first bytes of a file, and returns the number of its pieces.
pub(super) fn check(file: &Path) -> Result<u32> {
    let refused = |why: &str| Error::Unfit(format!("{}: {why}", file.display()));
    let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let pieces = pieces(name).ok_or_else(|| {
        refused("a Syzygy file has the name of its ending, the stronger side first, such as KRPvKR")
    })?;
    let Some((_, magic)) = kind(file) else { return Err(refused("this is no Syzygy file")) };
    let failed = |error: std::io::Error| refused(&error.to_string());
    let length = fs::metadata(file).map_err(failed)?.len();
    let mut first = [0; 4];
    let is_whole = length % LINE == TRAILER && length > TRAILER;
    if !is_whole || File::open(file).and_then(|mut file| file.read_exact(&mut first)).is_err() {
        return Err(refused("the Syzygy file is cut short"));
    }
    if first != *magic {
        return Err(refused("this is no Syzygy file, although its name says so"));
    }
    Ok(pieces)
}

/// The number of pieces in a name like KRPvKR.
fn pieces(name: &str) -> Option<u32> {
    let (stronger, weaker) = name.split_once('v')?;
    let is_side = |side: &str| {
        let order = |piece: char| "QRBNP".find(piece);
        let others = side.strip_prefix('K')?;
        let places = others.chars().map(order).collect::<Option<Vec<usize>>>()?;
        places.is_sorted().then_some(())
    };
    is_side(stronger)?;
    is_side(weaker)?;
    let pieces = stronger.len() + weaker.len();
    (3..=PIECES_MAX).contains(&pieces).then_some(pieces as u32)
}

/// The folders as people read them.
pub(super) fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_number_of_pieces() {
        assert_eq!(pieces("KvK"), None);
        assert_eq!(pieces("KRvK"), Some(3));
        assert_eq!(pieces("KQRBvKNP"), Some(7));
        for wrong in ["KRK", "KXvK", "KRQvK", "RKvK", "KQRBNvKNP", "KvKv", "", "v"] {
            assert_eq!(pieces(wrong), None, "{wrong}");
        }
    }
}
