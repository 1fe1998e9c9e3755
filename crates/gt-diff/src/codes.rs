//! Moves as small numbers, the same for both trees. Where a tree marks tests, a move that was entered in a test has
//! another code than in earnest: an odd one.

use std::collections::HashMap;

use gt_log::{Column, Tree};

/// The mapping of moves to codes.
pub(crate) struct Codes {
    numbers: Numbers,
    /// The number of low bits that mark tests: 0 or 1.
    test_bits: u32,
}

/// The mapping of moves to numbers.
enum Numbers {
    /// A move is this number plus its own.
    Offset(i64),
    /// A move is the entry at its number.
    Dictionary { numbers: HashMap<i64, u32>, moves: Vec<i64> },
}

impl Codes {
    /// Codes of no moves.
    pub(crate) fn none() -> Self {
        Self { numbers: Numbers::Offset(0), test_bits: 0 }
    }

    /// Makes codes for the moves of both trees, and returns whether they fit in two bytes; `tell_of_tests` if a tree
    /// marks tests.
    pub(crate) fn of(a: Tree<'_>, b: Tree<'_>, tell_of_tests: bool) -> (Self, bool) {
        let test_bits = u32::from(tell_of_tests);
        let heads = a.blocks().chain(b.blocks()).map(|head| &head.columns[Column::LastMove.number()]);
        let (least, most) =
            heads.fold((i64::MAX, i64::MIN), |(least, most), head| (least.min(head.min), most.max(head.max)));
        let (numbers, is_narrow) = match i128::from(most) - i128::from(least) {
            range if range <= i128::from(u16::MAX >> test_bits) => (Numbers::Offset(least), true),
            range if range <= i128::from(u32::MAX >> test_bits) => (Numbers::Offset(least), false),
            _ => (Numbers::Dictionary { numbers: HashMap::new(), moves: Vec::new() }, false),
        };
        (Self { numbers, test_bits }, is_narrow)
    }

    /// Returns these codes for a second reader, if they do not depend on what was read before.
    pub(crate) fn second(&self) -> Option<Self> {
        match self.numbers {
            Numbers::Offset(base) => Some(Self { numbers: Numbers::Offset(base), ..*self }),
            Numbers::Dictionary { .. } => None,
        }
    }

    /// A move's code; `None` if the block's head is wrong about its moves.
    pub(crate) fn code(&mut self, mv: i64, in_test: bool) -> Option<u32> {
        let number = self.numbers.number(mv)?;
        let code = number.checked_mul(1 << self.test_bits)?;
        Some(code + u32::from(in_test && self.test_bits > 0))
    }

    /// The move that a code stands for.
    pub(crate) fn move_of(&self, code: u32) -> i64 {
        let number = code >> self.test_bits;
        match &self.numbers {
            Numbers::Offset(base) => base.wrapping_add(i64::from(number)),
            Numbers::Dictionary { moves, .. } => moves.get(number as usize).copied().unwrap_or_default(),
        }
    }
}

impl Numbers {
    fn number(&mut self, mv: i64) -> Option<u32> {
        match self {
            Self::Offset(base) => u32::try_from(i128::from(mv) - i128::from(*base)).ok(),
            Self::Dictionary { numbers, moves } => match numbers.get(&mv) {
                Some(number) => Some(*number),
                None => {
                    let number = u32::try_from(moves.len()).ok()?;
                    moves.push(mv);
                    numbers.insert(mv, number);
                    Some(number)
                }
            },
        }
    }
}
