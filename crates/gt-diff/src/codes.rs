//! Moves as small numbers, the same for both trees.

use std::collections::HashMap;

use gt_log::{Column, Tree};

/// The mapping of moves to codes.
pub(crate) enum Codes {
    /// A move is this number plus its code.
    Offset(i64),
    /// A move is the entry at its code.
    Dictionary { codes: HashMap<i64, u32>, moves: Vec<i64> },
}

impl Codes {
    /// Codes for the moves of both trees, and whether they fit in two bytes.
    pub(crate) fn of(a: Tree<'_>, b: Tree<'_>) -> (Self, bool) {
        let heads = a.blocks().chain(b.blocks()).map(|head| &head.columns[Column::LastMove.number()]);
        let (least, most) =
            heads.fold((i64::MAX, i64::MIN), |(least, most), head| (least.min(head.min), most.max(head.max)));
        match i128::from(most) - i128::from(least) {
            range if range <= i128::from(u16::MAX) => (Self::Offset(least), true),
            range if range <= i128::from(u32::MAX) => (Self::Offset(least), false),
            _ => (Self::Dictionary { codes: HashMap::new(), moves: Vec::new() }, false),
        }
    }

    /// The same codes for a second reader, if they do not depend on what was read before.
    pub(crate) fn second(&self) -> Option<Self> {
        match self {
            Self::Offset(base) => Some(Self::Offset(*base)),
            Self::Dictionary { .. } => None,
        }
    }

    /// A move's code; `None` if the block's head is wrong about its moves.
    pub(crate) fn code(&mut self, number: i64) -> Option<u32> {
        match self {
            Self::Offset(base) => u32::try_from(i128::from(number) - i128::from(*base)).ok(),
            Self::Dictionary { codes, moves } => match codes.get(&number) {
                Some(code) => Some(*code),
                None => {
                    let code = u32::try_from(moves.len()).ok()?;
                    moves.push(number);
                    codes.insert(number, code);
                    Some(code)
                }
            },
        }
    }

    /// The move that a code stands for.
    pub(crate) fn move_of(&self, code: u32) -> i64 {
        match self {
            Self::Offset(base) => base.wrapping_add(i64::from(code)),
            Self::Dictionary { moves, .. } => moves.get(code as usize).copied().unwrap_or_default(),
        }
    }
}
