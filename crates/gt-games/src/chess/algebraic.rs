//! Chess moves in algebraic notation: written as PGN requires (`Nbxd6+`, `O-O`), read as people and other programs
//! write them (`0-0`, `Ng1-f3`, `e8Q`, `Qxh7+!!`).

use super::{Chess, moves};
use cozy_chess::{File, Move, Piece, Rank, Square, util};

/// The content of a move's text, before it is resolved in a position.
enum Spoken {
    Castling { long: bool },
    Plain { piece: Piece, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

/// The result of resolving a text to a legal move.
pub(super) enum Meant {
    One(Move),
    /// Several pieces can go there.
    Several,
    Nothing,
}

impl Chess {
    /// Returns a legal move in algebraic notation, as in `Nxd6+`.
    ///
    /// ```
    /// use gt_games::{Chess, Notation};
    ///
    /// let game = Chess::parse_position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?;
    /// assert_eq!(game.algebraic(game.parse_move("e1g1")?), "O-O");
    /// assert_eq!(game.algebraic(game.parse_move("a1a8")?), "Ra8+");
    /// # Ok::<(), gt_games::NotationError>(())
    /// ```
    pub fn algebraic(&self, mv: Move) -> String {
        util::display_san_move(self.board(), mv).to_string()
    }

    /// The move that a text in algebraic notation stands for.
    pub(super) fn meant(&self, text: &str) -> Meant {
        let Some(spoken) = parse(text) else { return Meant::Nothing };
        let mut legal = Vec::new();
        moves::all(self.board(), &mut legal);
        let mut fitting = legal.into_iter().filter(|&mv| self.fits(mv, &spoken));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Meant::One(mv),
            (Some(_), Some(_)) => Meant::Several,
            (None, _) => Meant::Nothing,
        }
    }

    fn fits(&self, mv: Move, spoken: &Spoken) -> bool {
        // Internally, castling is the king taking his own rook.
        let is_castling = self.board().colors(self.board().side_to_move()).has(mv.to);
        match *spoken {
            Spoken::Castling { long } => is_castling && long == (mv.to.file() < mv.from.file()),
            Spoken::Plain { piece, file, rank, to, promotion } => {
                !is_castling
                    && mv.to == to
                    && mv.promotion == promotion
                    && self.board().piece_on(mv.from) == Some(piece)
                    && file.is_none_or(|file| mv.from.file() == file)
                    && rank.is_none_or(|rank| mv.from.rank() == rank)
            }
        }
    }
}

fn parse(text: &str) -> Option<Spoken> {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => return Some(Spoken::Castling { long: false }),
        "O-O-O" => return Some(Spoken::Castling { long: true }),
        _ => {}
    }
    let (text, promotion) = promotion_of(text);
    let (text, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = to.parse().ok()?;
    let text = text.strip_suffix(['x', ':', '-']).unwrap_or(text);
    let (piece, text) = piece_of(text);
    let (file, text) = leading(text);
    let (rank, text) = leading(text);
    text.is_empty().then_some(Spoken::Plain { piece, file, rank, to, promotion })
}

/// The meaning of the first letter, if it has one, and the text after it.
fn leading<T: TryFrom<char>>(text: &str) -> (Option<T>, &str) {
    let mut letters = text.chars();
    match letters.next().and_then(|letter| T::try_from(letter).ok()) {
        Some(found) => (Some(found), letters.as_str()),
        None => (None, text),
    }
}

/// Splits `e8=Q`, `e8Q` and `e8q` into the text without its end, and the piece that the pawn becomes.
fn promotion_of(text: &str) -> (&str, Option<Piece>) {
    let piece = match text.chars().last() {
        Some('Q' | 'q') => Piece::Queen,
        Some('R' | 'r') => Piece::Rook,
        Some('B' | 'b') => Piece::Bishop,
        Some('N' | 'n') => Piece::Knight,
        _ => return (text, None),
    };
    let before = &text[..text.len() - 1];
    (before.strip_suffix('=').unwrap_or(before), Some(piece))
}

fn piece_of(text: &str) -> (Piece, &str) {
    let piece = match text.chars().next() {
        Some('K') => Piece::King,
        Some('Q') => Piece::Queen,
        Some('R') => Piece::Rook,
        Some('B') => Piece::Bishop,
        Some('N') => Piece::Knight,
        Some('P') => Piece::Pawn,
        _ => return (Piece::Pawn, text),
    };
    (piece, &text[1..])
}
