//! Corrections that the six terms cannot express for an ending: that it is hard to win with the material left, and
//! how a bare king is mated.
//!
//! ```text
//! scale   64  the ending's values count in full        16  a piece ahead, but no pawn to promote
//!         32  bishops of opposite colours                0  nobody can mate by force
//! ```

use super::view::{View, count};
use cozy_chess::Piece;

/// The scale at which an ending's values count in full.
pub(super) const SCALE_FULL: i32 = 64;
const SCALE_OPPOSITE_BISHOPS: i32 = 32;
const SCALE_OPPOSITE_BISHOPS_AND_MORE: i32 = 52;
const SCALE_NO_PAWN: i32 = 8;

const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;
/// The relative values of pieces if only pieces are left: pawn to queen.
const FORCE: [i32; 5] = [0, 3, 3, 5, 9];

/// How much of the ending's value counts, in 64ths, if the player of `ahead` stands better by it.
#[inline(always)]
pub(super) fn scale(ahead: &View, behind: &View) -> i32 {
    if ahead.count(Piece::Pawn) == 0 && force(ahead) - force(behind) <= FORCE[Piece::Bishop as usize] {
        return SCALE_NO_PAWN;
    }
    if is_bishop_against_other_color(ahead, behind) {
        let others = force(ahead) + force(behind) - 2 * FORCE[Piece::Bishop as usize];
        return if others == 0 { SCALE_OPPOSITE_BISHOPS } else { SCALE_OPPOSITE_BISHOPS_AND_MORE };
    }
    SCALE_FULL
}

#[inline(always)]
fn force(view: &View) -> i32 {
    let of = |piece: Piece| FORCE[piece as usize] * view.count(piece);
    of(Piece::Knight) + of(Piece::Bishop) + of(Piece::Rook) + of(Piece::Queen)
}

#[inline(always)]
fn is_bishop_against_other_color(ahead: &View, behind: &View) -> bool {
    if ahead.count(Piece::Bishop) != 1 || behind.count(Piece::Bishop) != 1 {
        return false;
    }
    let is_dark = |set: u64| set & DARK_SQUARES != 0;
    is_dark(ahead.own(Piece::Bishop)) != is_dark(ahead.other(Piece::Bishop))
}

/// A bonus for driving a bare king to a square on which he can be mated, with the own king near him; 0 in every other ending.
#[inline(always)]
pub(super) fn drive(view: &View) -> i32 {
    let is_bare = count(view.occupied & !view.own_all) == 1;
    if !is_bare || force(view) < FORCE[Piece::Rook as usize] {
        return 0;
    }
    let place = |king: u64| {
        let square = king.trailing_zeros() as i32 & 63;
        (square % 8, square / 8)
    };
    let (own, bare) = (place(view.own(Piece::King)), place(view.other(Piece::King)));
    let apart = (own.0 - bare.0).abs().max((own.1 - bare.1).abs());
    let from_edge = |line: i32| line.min(7 - line);
    let to_edge = 3 - from_edge(bare.0).min(from_edge(bare.1));
    let to_corner = if is_bishop_and_knight(view) { to_right_corner(view, bare) } else { 0 };
    DRIVE_WON + DRIVE_EDGE * to_edge + DRIVE_CORNER * to_corner + DRIVE_NEAR * (7 - apart)
}

const DRIVE_WON: i32 = 200;
const DRIVE_EDGE: i32 = 20;
const DRIVE_CORNER: i32 = 25;
const DRIVE_NEAR: i32 = 8;

fn is_bishop_and_knight(view: &View) -> bool {
    view.count(Piece::Bishop) == 1 && view.count(Piece::Knight) == 1 && count(view.own_all) == 3
}

/// How near the bare king is to a corner of the bishop's colour, from 0 to 7.
fn to_right_corner(view: &View, (file, rank): (i32, i32)) -> i32 {
    // Dark corners are a1 and h8 in both views: flipping the board exchanges colours and corners alike.
    let is_dark = view.own(Piece::Bishop) & DARK_SQUARES != 0;
    let file = if is_dark { file } else { 7 - file };
    7 - (file + rank).min(14 - file - rank)
}
