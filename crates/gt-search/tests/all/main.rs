//! The searches, held against plain minimax and against games whose values are known.
//! One program for all of them: it is linked once, and its tests run beside one another.

mod amazons;
mod endings;
mod estimates;
mod games;
mod many_players;
mod minimal_tree;
mod parallel;
mod proof_number;
mod quiescence;
mod root_values;
mod selectivity;
mod stored_tree;
mod trees;
mod two_players;
mod uct;
mod win_distance;
mod worlds;
