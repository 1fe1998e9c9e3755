//! Conversion between a board and its place in a table.

use super::layout::Layout;
use super::material::{Man, Material};
use cozy_chess::{Board, Color, Piece};
use std::fmt::Write as _;

/// Mirrors a square to the other side of the board.
const OTHER_SIDE: usize = 56;

/// A board from the view of its ending's table.
pub(super) struct Placed {
    pub(super) material: Material,
    pub(super) to_move: Color,
    white_king: usize,
    black_king: usize,
    /// In the order of the material.
    men: [usize; 2],
}

impl Placed {
    /// Converts a board; `None` for bare kings and for more than four pieces.
    pub(super) fn of(board: &Board) -> Option<Self> {
        let mut men: Vec<(Man, usize)> = Vec::with_capacity(2);
        for square in board.occupied() & !board.pieces(Piece::King) {
            let man = Man { kind: board.piece_on(square)?, color: board.color_on(square)? };
            men.push((man, square as usize));
        }
        let (material, is_exchanged) =
            Material::of_men(&men.iter().map(|&(man, _)| man).collect::<Vec<_>>())?;
        let king = |color| board.king(color) as usize;
        let (mut to_move, mut kings) = (board.side_to_move(), [king(Color::White), king(Color::Black)]);
        if is_exchanged {
            (to_move, kings) = (!to_move, [kings[1] ^ OTHER_SIDE, kings[0] ^ OTHER_SIDE]);
            men.iter_mut()
                .for_each(|(man, square)| (*man, *square) = (man.other_color(), *square ^ OTHER_SIDE));
        }
        let mut squares = [0; 2];
        for (wanted, square) in material.men().zip(&mut squares) {
            let at = men.iter().position(|&(man, _)| man == wanted)?;
            *square = men.swap_remove(at).1;
        }
        let [white_king, black_king] = kings;
        Some(Self { material, to_move, white_king, black_king, men: squares })
    }

    pub(super) fn place(&self, layout: &Layout) -> usize {
        layout.canonical(layout.place(self.white_king, self.black_king, self.men))
    }
}

/// A place of a table as FEN.
pub(super) fn fen(layout: &Layout, to_move: Color, place: usize) -> String {
    let at = layout.at(place / 64);
    let letter = |man: Man| {
        let letter = man.kind.to_string();
        if man.color == Color::White { letter.to_uppercase() } else { letter }
    };
    let mut board: [Option<String>; 64] = [const { None }; 64];
    board[at.white_king] = Some("K".to_owned());
    board[at.black_king] = Some("k".to_owned());
    if let Some(first) = layout.first {
        board[at.first] = Some(letter(first));
    }
    board[place % 64] = Some(letter(layout.second));
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for piece in &board[rank * 8..rank * 8 + 8] {
            let Some(piece) = piece else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                let _ = write!(text, "{empty}");
                empty = 0;
            }
            text.push_str(piece);
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    let side = if to_move == Color::White { 'w' } else { 'b' };
    let _ = write!(text, " {side} - - 0 1");
    text
}
