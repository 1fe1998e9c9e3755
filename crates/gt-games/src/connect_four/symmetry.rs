//! The symmetry of the board: left and right exchanged.

use super::{Column, ConnectFour};
use crate::symmetry::Symmetric;

impl Symmetric for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn turned(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return *self;
        }
        Self::from_discs(self.discs.map(|discs| self.mirrored(discs)), self.to_move, self.layout)
    }

    fn turned_move(&self, Column(column): Column, symmetry: usize) -> Column {
        Column(if symmetry == 0 { column } else { self.size().columns() as u8 - 1 - column })
    }
}

impl ConnectFour {
    /// Exchanges left and right in a set of places, or in anything else that has separate bits for each column.
    #[inline]
    pub(super) fn mirrored(&self, set: u64) -> u64 {
        let (columns, stride) = (self.size().columns(), self.size().rows() + 1);
        let column = |column: usize| set >> (column * stride) & ((1 << stride) - 1);
        (0..columns).fold(0, |all, from| all | column(from) << ((columns - 1 - from) * stride))
    }
}
