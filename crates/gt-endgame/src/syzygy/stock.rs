//! Which endings have files.

use super::files::{self, Tells};
use super::material::Material;
use crate::error::{Error, Result};
use std::collections::HashSet;
use std::path::PathBuf;

/// The endings that some folders have files of.
#[derive(Default)]
pub(super) struct Stock {
    /// Who wins with these pieces is known.
    pub(super) results: HashSet<Material>,
    /// And so it is with those that captures lead to, and captures from there.
    pub(super) whole: HashSet<Material>,
    /// The distance to the next capture or pawn move is known.
    pub(super) distances: HashSet<Material>,
    /// The most pieces with which it is known who wins.
    pub(super) pieces_max: u32,
}

impl Stock {
    /// Checks the files of the folders.
    ///
    /// # Errors
    /// Returns an error if a file is damaged or misnamed, or if none tells who wins.
    pub(super) fn of(folders: &[PathBuf]) -> Result<Self> {
        let mut stock = Self::default();
        for folder in folders {
            for file in files::in_folder(folder)? {
                let (material, tells) = files::check(&file)?;
                match tells {
                    Tells::Result => stock.results.insert(material),
                    Tells::Distance => stock.distances.insert(material),
                };
            }
        }
        let mut smallest_first: Vec<Material> = stock.results.iter().copied().collect();
        smallest_first.sort_unstable_by_key(|material| material.pieces());
        let Some(largest) = smallest_first.last() else {
            let why =
                "there are only Syzygy's distances (.rtbz) here, and no table that tells who wins (.rtbw)";
            return Err(Error::Unfit(format!("{}: {why}", files::list(folders))));
        };
        stock.pieces_max = largest.pieces();
        for material in smallest_first {
            let is_there = |after: &Material| after.is_bare_kings() || stock.whole.contains(after);
            if material.after_capture().iter().all(is_there) {
                stock.whole.insert(material);
            }
        }
        Ok(stock)
    }
}
