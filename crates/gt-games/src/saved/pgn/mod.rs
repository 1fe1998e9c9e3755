//! Portable Game Notation, the standard format of chess games.
//!
//! ```text
//! [Event "?"]                 tags: seven that every game has, then any others
//! [White "gt"]
//! …
//! 1. e4 e5 {a comment} 2. Nf3 (2. f4 exf4) Nc6 $1 1-0
//!                             moves in algebraic notation, comments, variations, marks, the result
//! ```
//!
//! Variations, marks and comments before the first move are read and discarded: a saved game is one line of moves.

mod read;
mod token;

pub(super) use read::PgnReader;

use super::{SavedGame, UNKNOWN};
use crate::{Chess, Notation};
use gt_search::Game;
use std::fmt::Write as _;

const UNKNOWN_DATE: &str = "????.??.??";
/// The maximum length of a line of moves, unless a single word is longer.
const LINE_CHARS_MAX: usize = 80;

/// A game of chess as PGN, with an empty line at its end.
pub(super) fn text(saved: &SavedGame) -> String {
    let start = saved.start_position();
    let mut text = tags(saved, start.as_ref());
    text.push('\n');
    let result = saved.result.as_ref().map_or_else(|| "*".to_owned(), ToString::to_string);
    let mut words = move_words(saved, start.unwrap_or_default());
    words.push(result);
    text.push_str(&wrapped(&words));
    text.push('\n');
    text
}

impl SavedGame {
    /// The position that the setup describes, if it is a chess position.
    fn start_position(&self) -> Option<Chess> {
        let text = self.setup.position.trim();
        if text.is_empty() { Some(Chess::new()) } else { Chess::parse_position(text).ok() }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn player(&self, player: usize) -> &str {
        self.players.get(player).map_or(UNKNOWN, String::as_str)
    }
}

fn tags(saved: &SavedGame, start: Option<&Chess>) -> String {
    let mut text = String::new();
    for name in ["Event", "Site", "Date", "Round"] {
        let unknown = if name == "Date" { UNKNOWN_DATE } else { UNKNOWN };
        push_tag(&mut text, name, saved.tag(name).unwrap_or(unknown));
    }
    push_tag(&mut text, "White", saved.player(0));
    push_tag(&mut text, "Black", saved.player(1));
    let result = saved.result.as_ref().map_or_else(|| "*".to_owned(), ToString::to_string);
    push_tag(&mut text, "Result", &result);
    let position = start.map_or_else(|| saved.setup.position.clone(), Notation::position_text);
    if position != Chess::new().position_text() {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &position);
    }
    if let Some(end) = &saved.end {
        push_tag(&mut text, "Termination", end);
    }
    let written =
        ["Event", "Site", "Date", "Round", "White", "Black", "Result", "SetUp", "FEN", "Termination"];
    for (name, value) in saved.tags.iter().filter(|(name, _)| !written.contains(&name.as_str())) {
        push_tag(&mut text, name, value);
    }
    text
}

/// Writes a tag: the name has only letters, digits and `_`, and the value stays on its line.
fn push_tag(text: &mut String, name: &str, value: &str) {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let value = value.replace(['\n', '\r', '\t'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// The moves with their numbers and comments. A move that cannot be played, and those after it, are written as given.
fn move_words(saved: &SavedGame, mut game: Chess) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_number_due = true;
    let mut is_sound = true;
    for saved_move in &saved.moves {
        let number = game.board().fullmove_number();
        if game.to_move() == 0 {
            words.push(format!("{number}."));
        } else if is_number_due {
            words.push(format!("{number}..."));
        }
        let mv = game.parse_move(&saved_move.text).ok().filter(|_| is_sound);
        words.push(mv.map_or_else(|| saved_move.text.clone(), |mv| game.algebraic(mv)));
        match mv {
            Some(mv) => drop(game.make(mv)),
            None => is_sound = false,
        }
        let comment = saved_move.comment.as_deref().map(comment_words).unwrap_or_default();
        is_number_due = !comment.is_empty();
        words.extend(comment);
    }
    words
}

/// A comment in braces, word by word.
fn comment_words(comment: &str) -> Vec<String> {
    let plain = token::plain_spaces(&comment.replace('}', ")"));
    if plain.is_empty() {
        return Vec::new();
    }
    format!("{{{plain}}}").split(' ').map(str::to_owned).collect()
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut room = LINE_CHARS_MAX;
    for word in words {
        let length = word.chars().count();
        // A `%` at the beginning of a line would hide the line.
        if text.is_empty() || (length >= room && !word.starts_with('%')) {
            if !text.is_empty() {
                text.push('\n');
            }
            room = LINE_CHARS_MAX;
        } else {
            text.push(' ');
            room = room.saturating_sub(1);
        }
        text.push_str(word);
        room = room.saturating_sub(length);
    }
    text.push('\n');
    text
}
