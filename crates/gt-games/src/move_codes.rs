//! A log's move numbers as texts and places, and back, without a position.
//!
//! The numbers contain squares (see the table on the crate's page), so a column of `last_move` can be shown wherever
//! in a tree the nodes are. This module does not check whether a move is legal; that takes a position.

use crate::amazons::Square;
use crate::notation::{NULL_MOVE_CODE, ROOT_CODE};
use crate::registry::GameKind;
use crate::thorns::Card;

const ROOT_TEXT: &str = "root";
const NULL_MOVE_TEXT: &str = "null";
const CHESS_PROMOTIONS: [&str; 5] = ["", "n", "b", "r", "q"];
const STAR_PASS_CODE: i64 = 16_383;
const STAR_PASS_TEXT: &str = "pass";
/// The holes in each row of the star of Chinese checkers.
const STAR_ROWS: [i64; 17] = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];

impl GameKind {
    /// Whether players write moves down in another way than tools do: in chess, `Nf3` for `g1f3`.
    ///
    /// The written form of a move then depends on the position; a [`Scribe`](crate::registry::Scribe) writes it.
    #[must_use]
    pub const fn has_written_moves(self) -> bool {
        matches!(self, Self::Chess)
    }

    /// Returns how a move is written without a position, as the end of a sentence.
    #[must_use]
    pub fn move_form(self) -> &'static str {
        match self {
            Self::TicTacToe => "a move of tic-tac-toe is a square from a1 to c3",
            Self::ConnectFour => "a move of connect four is a column, from a to g on the usual board",
            Self::Amazons => "a move of Amazons is written d1-d7/g7",
            Self::Chess => {
                "a move of chess is written from square to square, as e2e4, e7e8q or e1g1 (not Nf3: that depends on \
                 the position)"
            }
            Self::ChineseCheckers => "a move of Chinese checkers is written e1-f1, or pass",
            Self::Thorns => "a move of Thorns is a card, its rank (9TJQKA) and its suit (cdhs), as in Qs",
            Self::Tree => "a move of a tree has the name that the tree's text gives it",
        }
    }

    /// Returns the text of a move by its number in a log: `root` and `null` for those two.
    ///
    /// Returns `None` if no move has the number, or if the text depends on the position (a tree's moves are named by its log).
    ///
    /// ```
    /// use gt_games::GameKind;
    /// assert_eq!(GameKind::Chess.move_text(12 | 28 << 6).as_deref(), Some("e2e4"));
    /// assert_eq!(GameKind::Chess.move_code("e2e4"), Some(12 | 28 << 6));
    /// ```
    #[must_use]
    pub fn move_text(self, code: i64) -> Option<String> {
        match code {
            NULL_MOVE_CODE => return Some(NULL_MOVE_TEXT.to_owned()),
            ROOT_CODE => return Some(ROOT_TEXT.to_owned()),
            STAR_PASS_CODE if self == Self::ChineseCheckers => return Some(STAR_PASS_TEXT.to_owned()),
            _ if self == Self::Thorns => return card_text(code),
            _ => {}
        }
        let places = self.move_places(code)?;
        match (self, &places[..]) {
            (Self::Amazons, [from, to, arrow]) => Some(format!("{from}-{to}/{arrow}")),
            (Self::ChineseCheckers, [from, to]) => Some(format!("{from}-{to}")),
            (Self::Chess, [from, to]) => {
                let promotion = CHESS_PROMOTIONS.get(usize::try_from(code >> 12).ok()?)?;
                Some(format!("{from}{to}{promotion}"))
            }
            _ => Some(places.concat()),
        }
    }

    /// Returns the number of a move written without a position.
    #[must_use]
    pub fn move_code(self, text: &str) -> Option<i64> {
        match text.trim() {
            NULL_MOVE_TEXT => Some(NULL_MOVE_CODE),
            ROOT_TEXT => Some(ROOT_CODE),
            text => self.read(text),
        }
    }

    /// Returns the places that a move touches, in order: from, to, arrow; the square where a mark is put; in connect
    /// four the column alone. `None` if no move has the number, or it touches no place.
    #[must_use]
    pub fn move_places(self, code: i64) -> Option<Vec<String>> {
        match self {
            Self::TicTacToe => Some(vec![square_name(code - 1, 3, 3)?]),
            Self::ConnectFour => {
                let column = (1..=12).contains(&code).then_some(code - 1)?;
                Some(vec![letter(column).to_string()])
            }
            Self::Amazons => {
                let square = |number: i64| {
                    let number = usize::try_from(number).ok().filter(|number| *number < 100)?;
                    Some(Square::new(number % 10, number / 10).to_string())
                };
                [code & 127, code >> 7 & 127, code >> 14].into_iter().map(square).collect()
            }
            Self::Chess => {
                let (from, to) = (code & 63, code >> 6 & 63);
                let legal = from != to && (0..CHESS_PROMOTIONS.len() as i64).contains(&(code >> 12));
                legal.then(|| Some(vec![square_name(from, 8, 8)?, square_name(to, 8, 8)?]))?
            }
            Self::ChineseCheckers => Some(vec![hole_name(code & 127)?, hole_name(code >> 7)?]),
            Self::Thorns | Self::Tree => None,
        }
    }

    fn read(self, text: &str) -> Option<i64> {
        match self {
            Self::TicTacToe => square_number(text, 3, 3).map(|square| square + 1),
            Self::ConnectFour => match *text.as_bytes() {
                [letter @ b'a'..=b'l'] => Some(i64::from(letter - b'a') + 1),
                _ => None,
            },
            Self::Amazons => {
                let (from, rest) = text.split_once('-')?;
                let (to, arrow) = rest.split_once('/')?;
                let [from, to, arrow] = [from, to, arrow].map(|name| square_number(name, 10, 10));
                Some(from? | to? << 7 | arrow? << 14)
            }
            Self::Chess => {
                let (from, rest) = text.split_at_checked(2)?;
                let (to, piece) = rest.split_at_checked(2)?;
                let (from, to) = (square_number(from, 8, 8)?, square_number(to, 8, 8)?);
                let promotion = CHESS_PROMOTIONS.iter().position(|letter| *letter == piece)?;
                (from != to).then_some(from | to << 6 | (promotion as i64) << 12)
            }
            Self::ChineseCheckers if text == STAR_PASS_TEXT => Some(STAR_PASS_CODE),
            Self::ChineseCheckers => {
                let (from, to) = text.split_once('-')?;
                Some(hole_number(from)? | hole_number(to)? << 7)
            }
            Self::Thorns => (1..=24).find(|&code| card_text(code).is_some_and(|name| name == text)),
            Self::Tree => None,
        }
    }
}

/// A card of Thorns by its number.
fn card_text(code: i64) -> Option<String> {
    let index = usize::try_from(code).ok()?.checked_sub(1)?;
    Some(Card::numbered(index)?.to_string())
}

/// `b3` on a board of this many files and ranks, counted row by row from 0.
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
    let mut place = (number >= 0).then_some(number)?;
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
