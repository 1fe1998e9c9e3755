//! Left and right exchanged.

use super::{COLUMNS, Column, ConnectFour};
use crate::symmetry::Symmetric;

impl Symmetric for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn turned(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return *self;
        }
        Self { discs: self.discs.map(mirrored), to_move: self.to_move }
    }

    fn turned_move(&self, Column(column): Column, symmetry: usize) -> Column {
        Column(if symmetry == 0 { column } else { COLUMNS as u8 - 1 - column })
    }
}

fn mirrored(discs: u64) -> u64 {
    let column = |column: u32| discs >> (column * COLUMNS) & ((1 << COLUMNS) - 1);
    (0..COLUMNS).fold(0, |all, from| all | column(from) << ((COLUMNS - 1 - from) * COLUMNS))
}
