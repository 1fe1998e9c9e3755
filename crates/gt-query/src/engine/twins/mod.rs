//! Twins by columns: aggregates over the nodes with equal keys, a whole tree at a time.
//!
//! ```text
//! blocks ──▶ Lanes: keys and what is compared, by row
//!              └──hash, sort──▶ Groups: the rows of equal keys, side by side
//!                                 └──fold each group──▶ Results, by row ──▶ the next pass reads its slice
//! ```
//!
//! An aggregate takes this way if it is of a [`Form`] that looks at a node and at its twin apart, and no part of it can
//! overflow; all others are gathered by [`crossing::Twins`](super::crossing::Twins).
//!
//! **Invariant:** the cost is about that of a sort of the nodes by their keys, also where all have the same one; what would
//! compare each with each of very many is refused.

mod fold;
mod form;
mod groups;
mod lanes;
mod ranks;

pub(super) use fold::{Question, Results};
pub(super) use form::Form;
pub(super) use groups::Groups;
pub(super) use lanes::{Lanes, one, sort_keys, words};
