//! Game-tree search, generic over the game, observable node by node.
//!
//! A [`Game`] gives the rules, an evaluation gives numbers, an [`Observer`] sees every node the search
//! enters and leaves. `()` observes nothing and costs nothing.
//!
//! **Invariant:** this crate knows no particular game and no log.

mod game;
mod observer;

pub use game::{Evaluate, EvaluateAll, Game, Outcome};
pub use observer::{Ended, NodeType, Observer, Record};
