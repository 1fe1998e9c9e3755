//! How a column of a block is written, for display.

use std::fmt;

use super::coding::{Coder, Transform};
use super::decode::{Coded, read_dictionary, read_transform};
use super::run::Run;
use crate::wire::{Reader, Wire};

/// How a column of a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    transform: Transform,
    coded: Option<Coded>,
    pub(crate) compressed: bool,
}

impl Encoding {
    pub(crate) const CONSTANT: Self = Self { transform: Transform::Constant, coded: None, compressed: false };
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transform = match self.transform {
            Transform::Plain => "",
            Transform::Dictionary | Transform::ListedDictionary => "dictionary",
            Transform::Delta => "delta",
            Transform::Relative(_) => "relative",
            Transform::Alternating => "alternating",
            Transform::PlyDelta => "ply-delta",
            Transform::Ply => "ply",
            Transform::Constant => "constant",
        };
        let coder = match self.coded.map(|coded| coded.coder) {
            None => "",
            Some(Coder::Packed) => "packed",
            Some(Coder::Centred) => "centred",
            Some(Coder::Raw) => "raw",
            Some(Coder::Planes) => "planes",
        };
        let grouped = if self.coded.is_some_and(|coded| coded.grouping.is_some()) { "grouped" } else { "" };
        let sparse = if self.coded.is_some_and(|coded| coded.is_sparse) { "sparse" } else { "" };
        let zstd = if self.compressed { "zstd" } else { "" };
        let parts = [transform, grouped, sparse, coder, zstd];
        f.write_str(&parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("+"))
    }
}

impl Run {
    /// Reads how the run of this column is written.
    pub(crate) fn encoding(bytes: &[u8], column: usize) -> Wire<Encoding> {
        let mut reader = Reader::new(bytes);
        let transform = read_transform(&mut reader, column)?;
        match transform {
            Transform::Ply | Transform::Constant => {
                return Ok(Encoding { transform, coded: None, compressed: false });
            }
            Transform::Dictionary | Transform::ListedDictionary => {
                read_dictionary(&mut reader, transform)?;
            }
            Transform::Delta | Transform::Alternating | Transform::PlyDelta => {
                reader.signed()?;
                reader.u8()?;
            }
            Transform::Plain | Transform::Relative(_) => {}
        }
        let coded = Coded::read(&mut reader)?;
        Ok(Encoding { transform, coded: Some(coded), compressed: false })
    }
}
