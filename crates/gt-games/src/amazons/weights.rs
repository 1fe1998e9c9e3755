//! The weights of the terms of [`Phased`](super::Phased) as the game goes on. Made by
//!
//! ```text
//! cargo run --release -p gt-bench --bin fit-amazons -- 3000 10 60 3 phased
//! ```
//!
//! from 188,769 positions of 2,625 games that the evaluation played against itself on 10x10, one ply deep; the logarithmic loss is 0.340 on
//! them, and 0.351 on 26,636 positions of 375 games held back. The weights with which it played these games came from 2,187 games of the
//! evaluation `territory-mobility`, made in the same way: `fit-amazons -- 2500 10 6 2 territory-mobility`.

use super::phased::KNOTS;
use super::terms::TERMS;

/// For each of [`KNOTS`] the weights of the terms in the order of [`TERM_NOTES`](super::TERM_NOTES), in 65,536ths of
/// a hundredth of the log-odds of winning.
pub(super) const WEIGHTS: [[i64; TERMS]; KNOTS.len()] = [
    [-2434636, 12258878, 1675084, 1036139, -148077, -45407, -3399, -805508, 65831],
    [3483832, 996108, 761031, -345031, 58585, -614166, -815745, 567195, 1342079],
    [2250124, 1299032, 361103, 22304, 70086, -397985, -704732, -194485, 915873],
    [1089843, 1208186, 118903, 548795, -39580, 259774, -2969336, -514730, 612211],
    [193912, 532958, 85239, 250351, 94245, 339536, -517015, -532402, 155387],
    [273771, -307432, 57831, 115439, 32640, -227651, -17528048, -587715, -38982],
];
