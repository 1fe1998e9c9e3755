//! Double steps beside an enemy pawn, which may then take en passant.
//!
//! The position after such a step differs from the table's by that capture. So the step is neither a quiet move nor a
//! conversion: its value is the better, for the opponent, of the table's value and the capture's.

use super::reach::{captors, steps};
use super::sets::{SIDES, Set};
use crate::chess::geometry::{bit, squares};
use crate::chess::layout::Layout;
use crate::chess::solved::{DRAW, Library, Route};
use crate::error::{Error, Result};
use cozy_chess::Color;

/// A double step after which the pawn can be taken en passant. With two pawns and two kings that capture is always
/// legal.
pub(super) struct DoublePush {
    pub(super) mover: Color,
    /// The position before it.
    pub(super) word: usize,
    pub(super) bit: u64,
    /// The place after it in the table.
    after: usize,
    /// Whether the opponent has no other move there than the capture.
    is_forced: bool,
    /// The byte of the position after the capture, for the mover.
    captured: u8,
}

impl DoublePush {
    /// The last ply at which the capture can take effect.
    pub(super) fn ply_last(&self) -> usize {
        usize::from(self.captured) + 2
    }

    /// Records the positions in which the opponent has no other move than the capture.
    pub(super) fn note_stuck(&mut self, stuck: &Set) {
        self.is_forced = stuck[self.after / 64] & bit(self.after % 64) != 0;
    }

    /// Whether it is known before this ply that the opponent loses after it, whether or not he takes.
    pub(super) fn wins(&self, values: &[u8], ply: usize) -> bool {
        let by_capture = is_won(self.captured) && usize::from(self.captured) < ply;
        by_capture && (self.is_forced || is_lost(values[self.after]))
    }

    /// Whether it is known before this ply that the opponent wins after it, by taking or otherwise.
    pub(super) fn loses(&self, values: &[u8], ply: usize) -> bool {
        let by_capture = is_lost(self.captured) && usize::from(self.captured) < ply;
        by_capture || (!self.is_forced && is_won(values[self.after]))
    }
}

fn is_lost(byte: u8) -> bool {
    byte != DRAW && byte % 2 == 1
}

fn is_won(byte: u8) -> bool {
    byte != DRAW && byte.is_multiple_of(2)
}

/// Finds all of them.
pub(super) fn find(layout: &Layout, legal: &[Set; 2], library: &Library) -> Result<Vec<DoublePush>> {
    let Some(first) = layout.first.filter(|first| first.is_pawn() && layout.second.is_pawn()) else {
        return Ok(Vec::new());
    };
    if first.color == layout.second.color {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for side in SIDES {
        let (pawn, other) = if first.color == side { (first, layout.second) } else { (layout.second, first) };
        let missing = || Error::Unfit("an ending that this one leads to is missing".to_owned());
        let route = Route::to(&[other], library).ok_or_else(missing)?;
        for at in (0..layout.words()).map(|word| layout.at(word)) {
            for second in squares(legal[side as usize][at.word]) {
                let (from, standing) =
                    if first.color == side { (at.first, second) } else { (second, at.first) };
                let (Some(one), Some(two)) = steps(pawn, from) else { continue };
                let kings = bit(at.white_king) | bit(at.black_king);
                if captors(other, pawn, two) & bit(standing) == 0 || kings & (bit(one) | bit(two)) != 0 {
                    continue;
                }
                let (first_after, second_after) =
                    if first.color == side { (two, second) } else { (at.first, two) };
                let word = layout.word(at.slot, at.black_king, first_after);
                if legal[!side as usize][word] & bit(second_after) == 0 {
                    continue;
                }
                found.push(DoublePush {
                    mover: side,
                    word: at.word,
                    bit: bit(second),
                    after: word * 64 + second_after,
                    is_forced: false,
                    captured: route.value(side, at.white_king, at.black_king, [one, 0]),
                });
            }
        }
    }
    Ok(found)
}
