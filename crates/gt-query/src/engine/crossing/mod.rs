//! Nodes that concern more than one block.
//!
//! | term | means |
//! |---|---|
//! | crossing node | a node with rows of its subtree in more than one block |
//! | inner node | any other: it lies in one block with its whole subtree |
//! | segment | the inner children of one crossing node in one block; they are neighbours |
//! | tops | the rows of a segment's nodes |
//! | fringe | inner children of crossing nodes that other blocks may read as siblings, or as children by their index |
//! | joint | a crossing node, or a node of the fringe: all that one block ever reads of another |
//! | survey | a look at the joints of all blocks before the first pass |
//! | detail | the known values of a joint |
//! | step | the computation on the joints after a pass |
//!
//! There are a few crossing nodes for each block and level of depth, so they are computed one by one.

mod by_columns;
mod details;
mod frame;
mod kept;
mod settle;
mod skeleton;
mod survey;
mod twin_columns;
mod twins;

pub(super) use details::Details;
pub(super) use settle::{Settled, Settling};
pub(super) use skeleton::{JointId, Skeleton, damaged};
pub(super) use survey::{Region, Regions, Surveyed, load, regions, survey, surveyed};
pub(super) use twins::{Member, Twins};
