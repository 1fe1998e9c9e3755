//! Material, mobility and board control: the pieces, the squares they reach, and their threats.

use super::features::{self as feature, Tally};
use super::view::{FILE_A, RANK_3, View, count, fill_down, fill_up, half_board, pawn_attacks, squares};
use cozy_chess::{
    BitBoard, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_line_rays, get_rook_moves,
};

const MIDDLE_SQUARES: u64 = 0x0000_0018_1800_0000;
const AROUND_MIDDLE_SQUARES: u64 = 0x0000_3c24_243c_0000;
const DARK_SQUARES: u64 = 0xaa55_aa55_aa55_aa55;
/// The number of pawns with which a knight and a rook are worth what the row of pieces says.
const PAWNS_USUAL: i32 = 5;
/// The squares in the middle of the own camp, where the own pieces need room.
const CAMP: u64 = 0x0000_0000_3c3c_3c00;
/// The squares where a minor piece that no pawn can drive away is useful.
const OUTPOSTS: u64 = 0x0000_7e7e_7e00_0000;

/// The kinds whose moves are examined, with their rows of features and their weight in an attack on a king.
const KINDS: [Kind; 4] = [
    Kind {
        piece: Piece::Knight,
        squares: feature::KNIGHT_SQUARE,
        mobility: feature::KNIGHT_MOBILITY,
        force: 2,
    },
    Kind {
        piece: Piece::Bishop,
        squares: feature::BISHOP_SQUARE,
        mobility: feature::BISHOP_MOBILITY,
        force: 2,
    },
    Kind { piece: Piece::Rook, squares: feature::ROOK_SQUARE, mobility: feature::ROOK_MOBILITY, force: 3 },
    Kind { piece: Piece::Queen, squares: feature::QUEEN_SQUARE, mobility: feature::QUEEN_MOBILITY, force: 5 },
];

#[derive(Clone, Copy)]
struct Kind {
    piece: Piece,
    squares: usize,
    mobility: usize,
    force: i32,
}

/// The squares that one player's pieces attack, in his view.
pub(super) struct Reach {
    /// The squares that each kind attacks.
    pub(super) by: [u64; Piece::NUM],
    pub(super) all: u64,
    /// The squares that pieces other than the king attack.
    pub(super) without_king: u64,
    /// The number of pieces (not pawns) that attack a square next to the other king, and the weight of their
    /// attack.
    pub(super) king_attackers: i32,
    pub(super) king_force: i32,
}

impl Reach {
    /// Examines the moves of all pieces, and counts material, places and mobility on the way.
    #[inline(always)]
    pub(super) fn of(view: &View, tally: &mut impl Tally) -> Self {
        let king = view.own(Piece::King);
        let other_king = view.other(Piece::King);
        let king_zone = king_moves(other_king) | other_king;
        let mut reach =
            Self { by: [0; Piece::NUM], all: 0, without_king: 0, king_attackers: 0, king_force: 0 };
        reach.by[Piece::Pawn as usize] = pawn_attacks(view.own(Piece::Pawn));
        reach.by[Piece::King as usize] = king_moves(king);
        let free = !view.own_all & !view.attacked_by_other_pawns();
        let pinned = pinned(view);
        for kind in KINDS {
            let mut attacked = 0;
            for from in squares(view.own(kind.piece)) {
                let attacks = attacks_of(kind.piece, from, view.occupied);
                // A pinned piece attacks as before, but can move only along its pin.
                let reached = if pinned >> from & 1 == 1 { attacks & line(king, from) } else { attacks };
                attacked |= attacks;
                tally.count(kind.squares + half_board(from), 1);
                tally.count(kind.mobility + count(reached & free) as usize, 1);
                if attacks & king_zone != 0 {
                    reach.king_attackers += 1;
                    reach.king_force += kind.force + count(attacks & king_zone);
                }
                if kind.piece == Piece::Bishop && reached & free == 0 {
                    tally.count(feature::SHUT_IN_BISHOP, 1);
                }
            }
            reach.by[kind.piece as usize] = attacked;
        }
        let king_reach = reach.by[Piece::King as usize];
        reach.without_king = reach.by[..Piece::King as usize].iter().fold(0, |all, by| all | by);
        reach.all = reach.without_king | king_reach;
        count_material(view, tally);
        count_pins(view, pinned, tally);
        reach
    }

    #[inline(always)]
    pub(super) fn by(&self, piece: Piece) -> u64 {
        self.by[piece as usize]
    }
}

#[inline(always)]
fn count_material(view: &View, tally: &mut impl Tally) {
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        tally.count(feature::PIECE + piece as usize, view.count(piece));
    }
    let pawns_more = view.count(Piece::Pawn) - PAWNS_USUAL;
    tally.count(feature::KNIGHT_WITH_PAWNS, view.count(Piece::Knight) * pawns_more);
    tally.count(feature::ROOK_WITH_PAWNS, view.count(Piece::Rook) * pawns_more);
    let bishops = view.own(Piece::Bishop);
    if bishops & DARK_SQUARES != 0 && bishops & !DARK_SQUARES != 0 {
        tally.count(feature::BISHOP_PAIR, 1);
    }
}

#[inline(always)]
fn count_pins(view: &View, pinned: u64, tally: &mut impl Tally) {
    if pinned != 0 {
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            tally.count(feature::PINNED + piece as usize, count(pinned & view.own(piece)));
        }
    }
}

/// The own pieces that stand alone between the own king and a piece that would attack him.
#[inline(always)]
fn pinned(view: &View) -> u64 {
    let king = square(view.own(Piece::King));
    let others = BitBoard(view.occupied & !view.own_all);
    let queens = view.other(Piece::Queen);
    let pinning = get_rook_moves(king, others).0 & (view.other(Piece::Rook) | queens)
        | get_bishop_moves(king, others).0 & (view.other(Piece::Bishop) | queens);
    let mut pinned = 0;
    for from in squares(pinning) {
        let between = get_between_rays(king, Square::index(from)).0 & view.own_all;
        if between & between.wrapping_sub(1) == 0 {
            pinned |= between;
        }
    }
    pinned
}

#[inline(always)]
fn line(king: u64, through: usize) -> u64 {
    get_line_rays(square(king), Square::index(through)).0
}

#[inline(always)]
fn attacks_of(piece: Piece, from: usize, occupied: u64) -> u64 {
    let (from, occupied) = (Square::index(from), BitBoard(occupied));
    match piece {
        Piece::Knight => get_knight_moves(from).0,
        Piece::Bishop => get_bishop_moves(from, occupied).0,
        Piece::Rook => get_rook_moves(from, occupied).0,
        Piece::Queen => (get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)).0,
        Piece::King => get_king_moves(from).0,
        Piece::Pawn => 0,
    }
}

/// The squares and files that the own pieces control.
#[inline(always)]
pub(super) fn board_control(view: &View, own: &Reach, tally: &mut impl Tally) {
    let pawns = view.own(Piece::Pawn);
    tally.count(feature::MIDDLE, count(own.all & MIDDLE_SQUARES));
    tally.count(feature::AROUND_MIDDLE, count(own.all & AROUND_MIDDLE_SQUARES));
    for bishop in squares(view.own(Piece::Bishop)) {
        let color = if DARK_SQUARES >> bishop & 1 == 1 { DARK_SQUARES } else { !DARK_SQUARES };
        tally.count(feature::PAWN_IN_BISHOP_S_WAY, count(pawns & color));
    }
    let rooks = view.own(Piece::Rook);
    if rooks != 0 {
        let own_files = files(pawns);
        let other_files = files(view.other(Piece::Pawn));
        tally.count(feature::ROOK_ON_OPEN_FILE, count(rooks & !own_files & !other_files));
        tally.count(feature::ROOK_ON_HALF_OPEN_FILE, count(rooks & !own_files & other_files));
    }
    tally.count(feature::SPACE, count(CAMP & !pawns & !view.attacked_by_other_pawns()));
    let minors = view.own(Piece::Knight) | view.own(Piece::Bishop);
    tally.count(feature::MINOR_BEHIND_PAWN, count(minors & (pawns | view.other(Piece::Pawn)) >> 8));
    let driven_away = fill_down(view.attacked_by_other_pawns());
    let outposts = OUTPOSTS & own.by(Piece::Pawn) & !driven_away;
    if outposts != 0 {
        tally.count(feature::OUTPOST, count(outposts & view.own(Piece::Knight)));
        tally.count(feature::OUTPOST + 1, count(outposts & view.own(Piece::Bishop)));
    }
}

/// The captures that the own pieces threaten. `other` is the other side's reach, in its own view.
#[inline(always)]
pub(super) fn threats(view: &View, own: &Reach, other: &Reach, tally: &mut impl Tally) {
    let defended = other.all.swap_bytes();
    let minors = own.by(Piece::Knight) | own.by(Piece::Bishop);
    let by_rook = own.by(Piece::Rook);
    let mut attacked = 0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let targets = view.other(piece);
        attacked |= targets;
        let place = piece as usize;
        tally.count(feature::PAWN_THREAT + place, count(targets & own.by(Piece::Pawn)));
        tally.count(feature::MINOR_THREAT + place, count(targets & minors));
        tally.count(feature::ROOK_THREAT + place, count(targets & by_rook));
    }
    tally.count(feature::HANGING, count(attacked & own.all & !defended));
    tally.count(
        feature::PUSH_THREAT,
        count(pushes(view, own, defended) & attacked & !view.other(Piece::Pawn)),
    );
}

/// The squares that own pawns would attack after a step to where they are not lost at once.
#[inline(always)]
fn pushes(view: &View, own: &Reach, attacked_by_other: u64) -> u64 {
    let free = !view.occupied;
    let steps = view.own(Piece::Pawn) << 8 & free;
    let steps = steps | (steps & RANK_3) << 8 & free;
    let safe = !view.attacked_by_other_pawns() & (own.all | !attacked_by_other);
    pawn_attacks(steps & safe)
}

#[inline(always)]
fn files(pawns: u64) -> u64 {
    let files = fill_up(fill_down(pawns)) & 0xff;
    files * FILE_A
}

#[inline(always)]
pub(super) fn king_moves(king: u64) -> u64 {
    get_king_moves(square(king)).0
}

/// The square of a king. Both kings are always on the board; the mask keeps the index in range in any case.
#[inline(always)]
pub(super) fn square(king: u64) -> Square {
    Square::index(king.trailing_zeros() as usize & 63)
}
