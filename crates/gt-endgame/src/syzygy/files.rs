//! The files of Syzygy tables: found in a folder, and checked before the library maps them into memory.

use super::material::Material;
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The extensions, with the first bytes of such files and what they tell.
const KINDS: [(&str, [u8; 4], Tells); 2] =
    [("rtbw", [0x71, 0xe8, 0x23, 0x5d], Tells::Result), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5], Tells::Distance)];
/// A file is a number of lines of 64 bytes and a trailer.
const LINE: u64 = 64;
const TRAILER: u64 = 16;
const CUT_SHORT: &str = "the Syzygy file is cut short";

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

fn kind(path: &Path) -> Option<&'static (&'static str, [u8; 4], Tells)> {
    let extension = path.extension()?.to_str()?;
    KINDS.iter().find(|(known, ..)| *known == extension)
}

/// What a file tells of its material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    /// Who wins.
    Result,
    /// How far the next capture or pawn move is.
    Distance,
}

/// Checks the name, the length and the first bytes of a file.
pub(super) fn check(path: &Path) -> Result<(Material, Tells)> {
    let refused = |why: &str| Error::Unfit(format!("{}: {why}", path.display()));
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let material = Material::parse(name).ok_or_else(|| {
        refused("a Syzygy file has the name of its ending, the stronger side first, such as KRPvKR")
    })?;
    let Some((_, magic, tells)) = kind(path) else { return Err(refused("this is no Syzygy file")) };
    let failed = |error: std::io::Error| refused(&error.to_string());
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(refused("a Syzygy table is a file"));
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut first = [0; 4];
    match file.read_exact(&mut first) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(refused(CUT_SHORT)),
        read => read.map_err(failed)?,
    }
    let length = metadata.len();
    if length % LINE != TRAILER || length == TRAILER {
        return Err(refused(CUT_SHORT));
    }
    if first != *magic {
        return Err(refused("this is no Syzygy file, although its name says so"));
    }
    Ok((material, *tells))
}

/// The folders as people read them.
pub(super) fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}
