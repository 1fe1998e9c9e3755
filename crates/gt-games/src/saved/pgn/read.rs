//! A game of chess from PGN, in two steps: the text, then its meaning.
//!
//! The first step continues to the end of the game even if it has errors, so that the next game can be read.

use super::token::{self, Placed, Token};
use crate::saved::cursor::Cursor;
use crate::saved::error::Problem;
use crate::saved::{SavedGame, SavedMove, SavedResult, UNKNOWN};
use crate::{Chess, GameKind, Notation};
use gt_search::Game;
use std::io::BufRead;

/// The contents of a game's text.
#[derive(Default)]
pub(in crate::saved) struct Written {
    line: usize,
    tags: Vec<(usize, String, String)>,
    moves: Vec<WrittenMove>,
    result: Option<String>,
    problem: Option<Problem>,
}

struct WrittenMove {
    line: usize,
    text: String,
    comments: Vec<String>,
}

/// Reads PGN, game by game.
pub(in crate::saved) struct PgnReader {
    /// A tag found at the end of the previous game.
    next: Option<Placed>,
}

impl PgnReader {
    pub(in crate::saved) fn new() -> Self {
        Self { next: None }
    }

    /// Whether the beginning of a game was already read.
    pub(in crate::saved) fn has_begun(&self) -> bool {
        self.next.is_some()
    }

    /// The text of the next game; none at the end of the input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read further.
    pub(in crate::saved) fn written<R: BufRead>(
        &mut self,
        cursor: &mut Cursor<R>,
    ) -> Result<Option<Written>, Problem> {
        let mut written = Written::default();
        let mut is_empty = true;
        // The lines of the open variations.
        let mut open: Vec<usize> = Vec::new();
        while let Some(placed) = self.take(cursor)? {
            if std::mem::take(&mut is_empty) {
                written.line = placed.line;
            }
            match placed.token {
                Token::Tag(name, value) => {
                    if written.ends_before(&name) {
                        let token = Token::Tag(name, value);
                        self.next = Some(Placed { line: placed.line, token });
                        break;
                    }
                    written.tags.push((placed.line, name, value));
                }
                Token::Open => open.push(placed.line),
                Token::Close if open.pop().is_none() => {
                    written.blame(placed.line, "a `)` closes a variation that was not opened");
                }
                Token::Wrong(problem) => written.blame(placed.line, problem),
                Token::Word(word) if open.is_empty() => {
                    if written.word(placed.line, word) {
                        break;
                    }
                }
                Token::Comment(text) if open.is_empty() => written.comment(text),
                Token::Close | Token::Word(_) | Token::Comment(_) => {}
            }
        }
        if let Some(&line) = open.first() {
            written.blame(line, "a variation `(` is never closed by `)`");
        }
        Ok((!is_empty).then_some(written))
    }

    fn take<R: BufRead>(&mut self, cursor: &mut Cursor<R>) -> Result<Option<Placed>, Problem> {
        match self.next.take() {
            Some(placed) => Ok(Some(placed)),
            None => token::next(cursor),
        }
    }
}

impl Written {
    /// The line where the game begins.
    pub(in crate::saved) fn line(&self) -> usize {
        self.line
    }

    /// Whether a tag of this name belongs to the next game.
    fn ends_before(&self, name: &str) -> bool {
        !self.moves.is_empty() || self.tags.iter().any(|(_, known, _)| known == name)
    }

    /// Records a problem; only the first one is kept.
    fn blame(&mut self, line: usize, problem: impl Into<String>) {
        self.problem.get_or_insert_with(|| Problem::new(line, problem));
    }

    /// Takes a word of the moves, and returns whether it ends the game.
    fn word(&mut self, line: usize, word: String) -> bool {
        if matches!(word.as_str(), "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.result = Some(word);
            return true;
        }
        let text = without_number(&word);
        if !is_mark(text) {
            self.moves.push(WrittenMove { line, text: text.to_owned(), comments: Vec::new() });
        }
        false
    }

    /// Adds a comment to the move before it.
    fn comment(&mut self, text: String) {
        if let Some(last) = self.moves.last_mut().filter(|_| !text.is_empty()) {
            last.comments.push(text);
        }
    }

    fn tag(&self, name: &str) -> Option<(usize, &str)> {
        let found = self.tags.iter().find(|(_, known, _)| known == name);
        found.map(|(line, _, value)| (*line, value.as_str()))
    }

    /// Interprets the text as a game.
    pub(in crate::saved) fn game(self) -> Result<SavedGame, Problem> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        self.check_variant()?;
        let mut saved = SavedGame::new(GameKind::Chess);
        let mut game = Chess::new();
        if let Some((line, fen)) = self.tag("FEN") {
            game = Chess::parse_position(fen).map_err(|error| Problem::new(line, error.to_string()))?;
            saved.setup.position = fen.to_owned();
        }
        let result = self.result.as_deref().filter(|text| *text != "*");
        let result = result.or(self.tag("Result").map(|(_, text)| text));
        saved.result = result.and_then(|text| SavedResult::parse(text, 2));
        saved.end = self.tag("Termination").map(|(_, text)| text.to_owned());
        let name = |tag| self.tag(tag).map_or(UNKNOWN, |(_, name)| name).to_owned();
        saved.set_players(vec![name("White"), name("Black")]);
        saved.tags =
            self.tags.iter().filter(|tag| is_free(tag)).map(|tag| (tag.1.clone(), tag.2.clone())).collect();
        saved.moves = moves(&mut game, self.moves)?;
        Ok(saved)
    }

    fn check_variant(&self) -> Result<(), Problem> {
        let ordinary = ["standard", "chess", "normal", "from position"];
        match self.tag("Variant") {
            Some((line, name)) if !ordinary.contains(&name.to_lowercase().as_str()) => {
                Err(Problem::new(line, format!("`{name}` is another game than chess")))
            }
            _ => Ok(()),
        }
    }
}

/// Plays the moves. Moves beyond a draw by rule are checked, and dropped.
fn moves(game: &mut Chess, written: Vec<WrittenMove>) -> Result<Vec<SavedMove>, Problem> {
    let mut moves = Vec::with_capacity(written.len());
    let mut is_drawn = false;
    for WrittenMove { line, text, comments } in written {
        is_drawn |= game.is_drawn_by_rule();
        let mv =
            game.parse_move_beyond_draws(&text).map_err(|error| Problem::new(line, error.to_string()))?;
        if !is_drawn {
            let comment = (!comments.is_empty()).then(|| comments.join(" "));
            moves.push(SavedMove { text: game.move_text(mv), comment });
        }
        game.make(mv);
    }
    Ok(moves)
}

/// Whether a tag holds something that no field of a saved game has.
fn is_free((_, name, value): &(usize, String, String)) -> bool {
    match name.as_str() {
        "White" | "Black" | "Result" | "FEN" | "SetUp" | "Termination" => false,
        "Event" | "Site" | "Round" => value != UNKNOWN,
        "Date" => value != super::UNKNOWN_DATE,
        _ => true,
    }
}

/// `e4` for `1.e4`, nothing for `12...`; castling with zeros is not a number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Whether a word is a mark for the move before it, or empty.
fn is_mark(word: &str) -> bool {
    matches!(word, "e.p." | "ep") || (word != "--" && word.chars().all(|c| "!?+-=/#±∓∞□".contains(c)))
}
