//! Chess as text: positions in FEN (the two counters are optional, as in EPD), moves in UCI (`e2e4`, `e7e8q`,
//! castling `e1g1`), on input also in standard algebraic notation (`Nxd6+`, `O-O`).

use super::algebraic::Meant;
use super::{Before, Chess, color_name, moves};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::file_letter;
use cozy_chess::{Board, Color, FenParseError, File, Move, Square, get_king_moves, util};
use std::fmt::Write as _;

const FIELDS: &str = "board, mover, castling, en passant, and if wanted half-move clock and move number";
const MOVE_FORM: &str = "a move is written e2e4, e7e8q or e1g1, or in algebraic notation as Nxd6 or O-O";

impl Notation for Chess {
    const NAME: &'static str = "chess";
    const LOG_REPEATS_MOVES: bool = true;

    fn parse_position(text: &str) -> Result<Self> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let fen = match *fields.as_slice() {
            [_, _, _, _] => format!("{} 0 1", fields.join(" ")),
            [_, _, _, _, _, _] => fields.join(" "),
            _ => {
                let problem = format!("a position has 4 or 6 fields ({FIELDS}), this one {}", fields.len());
                return Err(NotationError::syntax(text, problem));
            }
        };
        if fields[0].split('/').count() != 8 {
            let problem = "the board has eight ranks with `/` between them";
            return Err(NotationError::syntax(text, problem).at(span_in(text, fields[0])));
        }
        let board = Board::from_fen(&fen, false).map_err(|error| refused(text, &fields, &error))?;
        check_kings(&board, text, fields[0])?;
        check_castling(&board, text, fields[2])?;
        Ok(Self::from_board(board))
    }

    fn position_text(&self) -> String {
        self.board().to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        let mv = self.parse_move_beyond_draws(text)?;
        if self.is_drawn_by_rule() {
            return Err(NotationError::illegal(text, "the game is drawn here"));
        }
        Ok(mv)
    }

    fn move_text(&self, mv: Move) -> String {
        Move { to: moves::destination(self.board(), mv), ..mv }.to_string()
    }

    fn move_written(&self, mv: Move) -> String {
        self.algebraic(mv)
    }

    /// Accepts every move that the rules of moving allow, even where the game is drawn: the engine that wrote
    /// a log may have searched on.
    fn decode(&self, code: i64) -> Result<Move> {
        let mut list = Vec::new();
        moves::all(self.board(), &mut list);
        let found = list.into_iter().find(|&mv| moves::code(self.board(), mv) == code);
        found.ok_or_else(|| self.unknown_code(code))
    }

    fn draw(&self) -> String {
        let mut drawing = String::new();
        for rank in (0..8).rev() {
            let _ = write!(drawing, "{:>2}", rank + 1);
            for file in 0..8 {
                let square = Square::index(rank * 8 + file);
                let _ = write!(drawing, " {}", self.letter(square));
            }
            drawing.push('\n');
        }
        drawing.push_str("  ");
        for file in 0..8 {
            let _ = write!(drawing, " {}", file_letter(file));
        }
        let _ = writeln!(drawing, "\n{} to move", color_name(self.board().side_to_move()));
        drawing
    }

    fn into_search_root(mut self) -> Self {
        self.search_root = self.earlier.len();
        self
    }

    fn make_logged_null(&mut self) -> Option<Before> {
        self.pass()
    }
}

impl Chess {
    /// Reads a move that the rules of moving allow, even where the game is drawn: people and other programs may have
    /// played on.
    pub(crate) fn parse_move_beyond_draws(&self, text: &str) -> Result<Move> {
        let trimmed = text.trim();
        if let Some(mv) = self.parse_uci(trimmed) {
            return Ok(mv);
        }
        let mover = color_name(self.board().side_to_move());
        match self.meant(trimmed) {
            Meant::One(mv) => Ok(mv),
            Meant::Several => {
                let problem = "more than one piece can go there; name its file or rank too, as in Nbd2";
                Err(NotationError::illegal(text, problem))
            }
            Meant::Nothing if util::parse_uci_move(self.board(), trimmed).is_ok() => {
                Err(NotationError::illegal(text, format!("{mover} has no such legal move here")))
            }
            Meant::Nothing => {
                let problem = format!("no legal move of {mover} is written so; {MOVE_FORM}");
                Err(NotationError::syntax(text, problem))
            }
        }
    }

    fn parse_uci(&self, text: &str) -> Option<Move> {
        let mv = util::parse_uci_move(self.board(), text).ok()?;
        // In texts, castling is not written as the king taking his own rook.
        let spoken = Move { to: moves::destination(self.board(), mv), ..mv };
        (self.board().is_legal(mv) && spoken.to_string() == text).then_some(mv)
    }

    fn letter(&self, square: Square) -> char {
        let Some((piece, color)) = self.board().piece_on(square).zip(self.board().color_on(square)) else {
            return '.';
        };
        let letter = char::from(piece);
        if color == Color::White { letter.to_ascii_uppercase() } else { letter }
    }
}

/// `cozy-chess` checks for attacks by every piece but the king; where kings touch, the mover could take one.
fn check_kings(board: &Board, text: &str, field: &str) -> Result<()> {
    let [white, black] = Color::ALL.map(|color| board.king(color));
    if get_king_moves(white).has(black) {
        let problem = format!("the kings stand side by side, on {white} and {black}");
        return Err(NotationError::impossible(text, problem).at(span_in(text, field)));
    }
    Ok(())
}

/// UCI's `e1g1` and the log's numbers are unambiguous only under the rules of ordinary chess.
fn check_castling(board: &Board, text: &str, field: &str) -> Result<()> {
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        if (rights.short.is_some() || rights.long.is_some()) && board.king(color).file() != File::E {
            let problem = format!("{} may castle only with his king on the e-file", color_name(color));
            return Err(NotationError::impossible(text, problem).at(span_in(text, field)));
        }
    }
    Ok(())
}

fn refused(text: &str, fields: &[&str], error: &FenParseError) -> NotationError {
    use FenParseError::*;
    let (place, problem) = match error {
        InvalidBoard => (
            0,
            "the board needs 8 squares a rank, one king a side, at most 16 men and 8 pawns a side, \
             no pawn on an end rank, and the mover's opponent not in check",
        ),
        InvalidSideToMove => (1, "the mover is `w` or `b`"),
        InvalidCastlingRights => (2, "castling is `-` or some of KQkq, with king and rook at home"),
        InvalidEnPassant => {
            (3, "en passant is `-` or the square behind a pawn that has just gone two squares")
        }
        InvalidHalfMoveClock => (4, "the half-move clock is a number from 0 to 100"),
        InvalidFullmoveNumber => (5, "the move number is a number from 1 to 65535"),
        MissingField | TooManyFields => (0, FIELDS),
    };
    let wrong = fields.get(place).copied().unwrap_or(text);
    NotationError::new(crate::ErrorKind::ImpossiblePosition, text, problem).at(span_in(text, wrong))
}
