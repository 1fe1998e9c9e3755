//! The moves of a log as texts and back, for the games whose rules we have.
//!
//! The numbers that `gt_games` gives to moves hold squares, so that most need no position to be read: a column of
//! `last_move` can be shown, and `last_move = "e2e4"` compared, wherever in the tree the node stands. That a text is
//! a legal move somewhere is not checked: a query for a move that was never played has no matches.

use gt_games::amazons::Square;
use gt_games::{GameKind, NULL_MOVE_CODE, ROOT_CODE};
use gt_query::{MoveCodec, Type, Value};

/// How the moves of one game are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation(GameKind);

const ROOT_TEXT: &str = "root";
const NULL_MOVE_TEXT: &str = "null";
const CHESS_PROMOTIONS: [&str; 5] = ["", "n", "b", "r", "q"];
const STAR_PASS_CODE: i64 = 16_383;
const STAR_PASS_TEXT: &str = "pass";
/// The holes in each row of the star of Chinese checkers.
const STAR_ROWS: [i64; 17] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];

impl Notation {
    /// That of the game with this name, if it is one of ours.
    pub(crate) fn of_game(game: &str) -> Option<Self> {
        game.parse().ok().map(Self)
    }

    /// How a move is written, as the end of a sentence.
    pub(crate) fn form(self) -> &'static str {
        match self.0 {
            GameKind::TicTacToe => "a move of tic-tac-toe is a square from a1 to c3",
            GameKind::ConnectFour => "a move of connect four is a column from a to g",
            GameKind::Amazons => "a move of Amazons is written d1-d7/g7",
            GameKind::Chess => {
                "a move of chess is written from square to square, as e2e4, e7e8q or e1g1 (not Nf3: that depends on \
                 the position)"
            }
            GameKind::ChineseCheckers => "a move of Chinese checkers is written e1-f1, or pass",
        }
    }

    fn read(self, text: &str) -> Option<i64> {
        match self.0 {
            GameKind::TicTacToe => square_number(text, 3, 3).map(|square| square + 1),
            GameKind::ConnectFour => match *text.as_bytes() {
                [letter @ b'a'..=b'g'] => Some(i64::from(letter - b'a') + 1),
                _ => None,
            },
            GameKind::Amazons => {
                let (from, rest) = text.split_once('-')?;
                let (to, arrow) = rest.split_once('/')?;
                let [from, to, arrow] = [from, to, arrow].map(|name| square_number(name, 10, 10));
                Some(from? | to? << 7 | arrow? << 14)
            }
            GameKind::Chess => {
                let (from, rest) = text.split_at_checked(2)?;
                let (to, piece) = rest.split_at_checked(2)?;
                let (from, to) = (square_number(from, 8, 8)?, square_number(to, 8, 8)?);
                let promotion = CHESS_PROMOTIONS.iter().position(|letter| *letter == piece)?;
                (from != to).then_some(from | to << 6 | (promotion as i64) << 12)
            }
            GameKind::ChineseCheckers if text == STAR_PASS_TEXT => Some(STAR_PASS_CODE),
            GameKind::ChineseCheckers => {
                let (from, to) = text.split_once('-')?;
                Some(hole_number(from)? | hole_number(to)? << 7)
            }
        }
    }

    fn write(self, number: i64) -> Option<String> {
        match self.0 {
            GameKind::TicTacToe => square_name(number - 1, 3, 3),
            GameKind::ConnectFour => {
                let column = u8::try_from(number).ok().filter(|column| (1..=7).contains(column))?;
                Some(char::from(b'a' + column - 1).to_string())
            }
            GameKind::Amazons => {
                let square = |number: i64| {
                    let number = usize::try_from(number).ok().filter(|number| *number < 100)?;
                    Some(Square::new(number % 10, number / 10))
                };
                let [from, to, arrow] = [number & 127, number >> 7 & 127, number >> 14].map(square);
                Some(format!("{}-{}/{}", from?, to?, arrow?))
            }
            GameKind::Chess => {
                let promotion = CHESS_PROMOTIONS.get(usize::try_from(number >> 12).ok()?)?;
                let (from, to) = (number & 63, number >> 6 & 63);
                let names = square_name(from, 8, 8)? + &square_name(to, 8, 8)?;
                (from != to).then(|| names + promotion)
            }
            GameKind::ChineseCheckers if number == STAR_PASS_CODE => Some(STAR_PASS_TEXT.to_owned()),
            GameKind::ChineseCheckers => {
                Some(format!("{}-{}", hole_name(number & 127)?, hole_name(number >> 7)?))
            }
        }
    }
}

impl MoveCodec for Notation {
    fn number(&self, text: &str) -> Option<i64> {
        match text.trim() {
            NULL_MOVE_TEXT => Some(NULL_MOVE_CODE),
            ROOT_TEXT => Some(ROOT_CODE),
            text => self.read(text),
        }
    }

    fn text(&self, number: i64) -> Option<String> {
        match number {
            NULL_MOVE_CODE => Some(NULL_MOVE_TEXT.to_owned()),
            ROOT_CODE => Some(ROOT_TEXT.to_owned()),
            number => self.write(number),
        }
    }
}

/// A value for people: moves in the game's notation where there is one, and as numbers where there is none.
pub(crate) fn shown(value: &Value, value_type: Type, notation: Option<Notation>) -> String {
    let text = |number: i64| {
        let known = notation.and_then(|notation| notation.text(number));
        known.unwrap_or_else(|| number.to_string())
    };
    match value {
        Value::Integer(number) if value_type == Type::Move => {
            i64::try_from(*number).map_or_else(|_| number.to_string(), text)
        }
        Value::Line(moves) => moves.iter().map(|number| text(*number)).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// `b3` on a board of so many files and ranks, counted row by row from 0.
fn square_number(name: &str, files: i64, ranks: i64) -> Option<i64> {
    let (&letter, digits) = name.as_bytes().split_first()?;
    let file = i64::from(letter) - i64::from(b'a');
    let rank = place_number(digits)?;
    ((0..files).contains(&file) && rank < ranks).then_some(rank * files + file)
}

fn square_name(number: i64, files: i64, ranks: i64) -> Option<String> {
    let inside = (0..files * ranks).contains(&number);
    inside.then(|| format!("{}{}", letter(number % files), number / files + 1))
}

/// `e1`, the first hole of the fifth row, is 10.
fn hole_number(name: &str) -> Option<i64> {
    let (&letter, digits) = name.as_bytes().split_first()?;
    let row = usize::from(letter.checked_sub(b'a')?);
    let place = place_number(digits)?;
    (place < *STAR_ROWS.get(row)?).then(|| STAR_ROWS[..row].iter().sum::<i64>() + place)
}

fn hole_name(number: i64) -> Option<String> {
    let mut place = u64::try_from(number).ok()?.cast_signed();
    for (row, holes) in (0..).zip(STAR_ROWS) {
        if place < holes {
            return Some(format!("{}{}", letter(row), place + 1));
        }
        place -= holes;
    }
    None
}

/// `1` is 0, `10` is 9; no sign, no leading zero.
fn place_number(digits: &[u8]) -> Option<i64> {
    let plain = matches!(digits, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
    plain.then(|| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')) - 1)
}

fn letter(index: i64) -> char {
    char::from(b'a' + index as u8)
}

#[cfg(test)]
mod tests;
