//! A chess table in a file.
//!
//! The content is a byte for every place of the layout, White to move and then Black; see [`Solved`] for the bytes.
//! Places that hold no position, or one that another place represents, repeat the byte before them, which costs
//! nothing once compressed.

use super::layout::Layout;
use super::material::Material;
use super::position::{Placed, fen};
use super::solve::legal;
use super::solved::{Solved, ending};
use super::summary::Summary;
use crate::error::{Result, damaged};
use crate::file::{self, Blocks, Notes};
use cozy_chess::Color;
use gt_search::Ending;
use std::io::Write;

/// The game's name in the notes of a table.
pub(crate) const GAME: &str = "chess";

impl Solved {
    /// Returns the number of positions that differ by more than how the board is held.
    #[must_use]
    pub fn positions(&self) -> u64 {
        [Color::White, Color::Black].into_iter().map(|side| self.canonical_values(side).count() as u64).sum()
    }

    /// The places that represent themselves, with their bytes.
    pub(super) fn canonical_values(&self, side: Color) -> impl Iterator<Item = (usize, u8)> {
        let (legal, values) = (&self.legal[side as usize], &self.values[side as usize]);
        values.iter().copied().enumerate().filter(|&(place, _)| {
            legal[place / 64] >> (place % 64) & 1 == 1 && self.layout.canonical(place) == place
        })
    }

    /// Writes the table's file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<Summary> {
        let summary = Summary::of(self);
        let notes = Notes::default()
            .with("game", GAME)
            .with("material", self.material())
            .with("value", "plies to mate");
        file::write(out, &summary.note(notes), &self.content())?;
        Ok(summary)
    }

    fn content(&self) -> Vec<u8> {
        let mut content = Vec::with_capacity(2 * self.layout.places());
        for side in [Color::White, Color::Black] {
            let mut last = 0;
            let mut known = self.canonical_values(side).peekable();
            for place in 0..self.layout.places() {
                if let Some((_, byte)) = known.next_if(|&(at, _)| at == place) {
                    last = byte;
                }
                content.push(last);
            }
        }
        content
    }
}

/// An open table of chess.
#[derive(Debug)]
pub struct ChessTable {
    layout: Layout,
    pub(crate) blocks: Blocks,
    summary: Summary,
}

impl ChessTable {
    pub(crate) fn new(blocks: Blocks) -> Result<Self> {
        let notes = &blocks.head.notes;
        let name = notes.get("material")?;
        let material: Material =
            name.parse().map_err(|_| damaged(format!("this table is of `{name}`, which is no ending")))?;
        let layout = Layout::new(material);
        if blocks.head.content_bytes != 2 * layout.places() as u64 {
            return Err(damaged(format!("this table of {material} is of the wrong size")));
        }
        let summary = Summary::noted(notes)?;
        Ok(Self { layout, summary, blocks })
    }

    /// Returns its material.
    #[must_use]
    pub fn material(&self) -> Material {
        self.layout.material
    }

    /// Returns its summary.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The ending of a position of this material; en passant is ignored.
    pub(super) fn value(&self, placed: &Placed) -> Result<Ending> {
        let side = placed.to_move as usize * self.layout.places();
        let byte = self.blocks.byte((side + placed.place(&self.layout)) as u64);
        byte.map(ending).map_err(|error| self.blocks.named(error))
    }

    /// `count` of its positions, evenly spread, as FEN.
    pub fn spread(&self, count: u64) -> Vec<String> {
        let total = self.summary.positions().max(1);
        let step = total.div_ceil(count.max(1)) as usize;
        let legal = legal(&self.layout);
        let positions = [Color::White, Color::Black].into_iter().flat_map(|side| {
            let legal = &legal[side as usize];
            (0..self.layout.places())
                .filter(move |place| legal[place / 64] >> (place % 64) & 1 == 1)
                .filter(|&place| self.layout.canonical(place) == place)
                .map(move |place| (side, place))
        });
        positions.step_by(step).map(|(side, place)| fen(&self.layout, side, place)).collect()
    }

    /// Reads every block, and compares the counts with the summary.
    ///
    /// # Errors
    /// Returns an error if a block is damaged, or the counts are not those of the head.
    pub(crate) fn verify(&self) -> Result<()> {
        let mut content = Vec::with_capacity(2 * self.layout.places());
        self.blocks.each_block(|block| content.extend(block))?;
        let black = content.split_off(self.layout.places());
        let solved =
            Solved { layout: self.layout.clone(), values: [content, black], legal: legal(&self.layout) };
        if Summary::of(&solved) != self.summary {
            return Err(damaged("the counts of this table are not those of its positions"));
        }
        Ok(())
    }
}
