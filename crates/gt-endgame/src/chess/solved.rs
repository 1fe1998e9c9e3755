//! A solved ending in memory: a byte for every place of both sides to move, and the routes to it from other endings.
//!
//! ```text
//! 0          a draw (or no position)
//! plies + 1  decided, the game ends in so many plies: after an odd number the player to move mates, after an even one he is mated
//! ```

use super::layout::Layout;
use super::material::{Man, Material};
use cozy_chess::Color;
use gt_search::Ending;
use std::collections::HashMap;
use std::sync::Arc;

/// The byte of a draw.
pub(super) const DRAW: u8 = 0;

/// The meaning of a byte for the player to move.
pub(super) fn ending(byte: u8) -> Ending {
    let plies = u16::from(byte.wrapping_sub(1));
    match byte {
        DRAW => Ending::Draw,
        _ if plies % 2 == 1 => Ending::Win { plies },
        _ => Ending::Loss { plies },
    }
}

/// Every value of an ending.
#[derive(Debug)]
pub struct Solved {
    pub(super) layout: Layout,
    /// By side to move.
    pub(super) values: [Vec<u8>; 2],
    /// The places that hold a position, a word for 64; by side to move.
    pub(super) legal: [Vec<u64>; 2],
}

impl Solved {
    /// Returns its material.
    #[must_use]
    pub fn material(&self) -> Material {
        self.layout.material
    }
}

/// The endings solved so far.
pub(super) type Library = HashMap<Material, Arc<Solved>>;

/// The route from some men on the board to the table of their ending.
pub(super) enum Route {
    /// Bare kings.
    Drawn,
    Table {
        table: Arc<Solved>,
        /// Whether White and Black must be exchanged.
        is_exchanged: bool,
        /// Whether the men are in the other order.
        is_swapped: bool,
    },
}

impl Route {
    /// The route to an ending; `None` if it has not been solved.
    pub(super) fn to(men: &[Man], library: &Library) -> Option<Self> {
        if men.is_empty() {
            return Some(Self::Drawn);
        }
        let (material, is_exchanged) = Material::of_men(men)?;
        let table = library.get(&material)?.clone();
        let first = if is_exchanged { men[0].other_color() } else { men[0] };
        let is_swapped = material.men().next() != Some(first);
        Some(Self::Table { table, is_exchanged, is_swapped })
    }

    /// The byte of a position; `men` in the order for which the route was made.
    #[inline]
    pub(super) fn value(&self, to_move: Color, white_king: usize, black_king: usize, men: [usize; 2]) -> u8 {
        const OTHER_SIDE: usize = 56;
        let Self::Table { table, is_exchanged, is_swapped } = self else { return DRAW };
        let [first, second] = men;
        let men = if *is_swapped { [second, first] } else { [first, second] };
        let values = |side: Color| &table.values[side as usize];
        if *is_exchanged {
            let men = men.map(|square| square ^ OTHER_SIDE);
            values(!to_move)[table.layout.place(black_king ^ OTHER_SIDE, white_king ^ OTHER_SIDE, men)]
        } else {
            values(to_move)[table.layout.place(white_king, black_king, men)]
        }
    }
}
