//! Faults that can be planted in the search, to test tools that look for faults.
//!
//! ```text
//! gt search chess --fault empty-window --log bad.gtf ──▶ gt check: "empty windows" fails
//! ```
//!
//! Each is a mistake that real engines have made, and takes effect in one line of the driver. With [`Options::fault`]
//! at `None` that line is a comparison with a constant that never changes.
//!
//! [`Options::fault`]: super::Options::fault

use super::Driver;
use crate::game::Game;
use crate::node::Node;
use crate::table::Entry;

/// A mistake planted on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Quiescence follows quiet moves too.
    QuietMovesInQuiescence,
    /// The first move of every node is extended, far beyond the nominal depth.
    EndlessExtensions,
    /// Null windows are empty: alpha equals beta.
    EmptyWindow,
    /// A move cuts off although its value lies a little below beta.
    CutoffBelowBeta,
    /// Late moves keep the depth of their parent.
    DepthKept,
    /// The least promising moves are tried first.
    OrderReversed,
    /// The root begins with the worst move of the last iteration.
    RootOrderReversed,
    /// Moves are searched again although their null window failed low.
    NeedlessResearch,
    /// Null windows overestimate, so that moves are searched again in vain.
    OptimisticScout,
    /// The table answers whatever the depth of its entry.
    ShallowTableAnswers,
    /// A pass may be answered by a pass.
    DoubleNullMove,
    /// Some inner nodes search no move at all.
    MovesForgotten,
}

/// The ply of quiescence at which [`Fault::QuietMovesInQuiescence`] stops, so that the search ends.
pub(super) const QUIET_PLIES: i16 = 4;
/// The distance below beta at which [`Fault::CutoffBelowBeta`] cuts off.
pub(super) const CUTOFF_MARGIN: i32 = 30;
/// The index in the order from which [`Fault::DepthKept`] takes effect.
pub(super) const KEPT_INDEX_MIN: usize = 4;
/// The last index at which [`Fault::NeedlessResearch`] searches a move again.
pub(super) const NEEDLESS_INDEX_MAX: usize = 8;
/// The amount that [`Fault::OptimisticScout`] adds.
pub(super) const OPTIMISM: i32 = 40;
/// [`Fault::MovesForgotten`] affects one position in this many.
const FORGOTTEN_ONE_IN: u64 = 64;

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 12] = [
        Self::QuietMovesInQuiescence,
        Self::EndlessExtensions,
        Self::EmptyWindow,
        Self::CutoffBelowBeta,
        Self::DepthKept,
        Self::OrderReversed,
        Self::RootOrderReversed,
        Self::NeedlessResearch,
        Self::OptimisticScout,
        Self::ShallowTableAnswers,
        Self::DoubleNullMove,
        Self::MovesForgotten,
    ];

    /// Its name on the command line and in logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QuietMovesInQuiescence => "quiet-moves-in-quiescence",
            Self::EndlessExtensions => "endless-extensions",
            Self::EmptyWindow => "empty-window",
            Self::CutoffBelowBeta => "cutoff-below-beta",
            Self::DepthKept => "depth-kept",
            Self::OrderReversed => "order-reversed",
            Self::RootOrderReversed => "root-order-reversed",
            Self::NeedlessResearch => "needless-research",
            Self::OptimisticScout => "optimistic-scout",
            Self::ShallowTableAnswers => "shallow-table-answers",
            Self::DoubleNullMove => "double-null-move",
            Self::MovesForgotten => "moves-forgotten",
        }
    }

    /// A sentence that describes what the search does wrong.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::QuietMovesInQuiescence => "quiescence follows quiet moves too",
            Self::EndlessExtensions => {
                "the first move of every node is extended, far beyond the nominal depth"
            }
            Self::EmptyWindow => "null windows are empty: alpha equals beta",
            Self::CutoffBelowBeta => "a move cuts off although its value lies a little below beta",
            Self::DepthKept => "late moves keep the depth of their parent",
            Self::OrderReversed => "the least promising moves are tried first",
            Self::RootOrderReversed => "the root begins with the worst move of the last iteration",
            Self::NeedlessResearch => "moves are searched again although their null window failed low",
            Self::OptimisticScout => "null windows overestimate, so that moves are searched again in vain",
            Self::ShallowTableAnswers => "the table answers whatever the depth of its entry",
            Self::DoubleNullMove => "a pass may be answered by a pass",
            Self::MovesForgotten => "some inner nodes search no move at all",
        }
    }

    /// The fault with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

impl<G: Game, E, O> Driver<'_, G, E, O> {
    /// Whether this fault is planted.
    #[inline]
    pub(super) fn has_fault(&self, fault: Fault) -> bool {
        self.options.fault == Some(fault)
    }

    /// The table's entry as the node sees it, fault included.
    #[inline]
    pub(super) fn believed(&self, entry: Entry, node: Node) -> Entry {
        let depth = if self.has_fault(Fault::ShallowTableAnswers) {
            entry.depth.max(node.depth)
        } else {
            entry.depth
        };
        Entry { depth, ..entry }
    }

    /// Whether a planted fault makes the node search nothing.
    #[inline]
    pub(super) fn forgets_moves(&self, node: Node, hash: u64) -> bool {
        self.has_fault(Fault::MovesForgotten) && !node.is_open() && hash.is_multiple_of(FORGOTTEN_ONE_IN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_name_of_its_own() {
        for fault in Fault::ALL {
            assert_eq!(Fault::named(fault.name()), Some(fault));
        }
        assert_eq!(Fault::named("none"), None);
    }
}
