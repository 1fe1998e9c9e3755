//! The line format: one game per line of fields, for every game.
//!
//! ```text
//! game=amazons⇥board=6x6⇥player0=gt⇥player1=Ann⇥result=1-0⇥end=no move left⇥moves=b1-b4/e4 e6-e5/d5 {a comment} …
//! ```
//!
//! Fields are `key=value`, separated by tabs; `game` comes first and `moves` last. In values, `\t`, `\n`, `\r` and
//! `\\` stand for a tab, line ends and a backslash; in comments `\}` stands for a brace.

use super::error::Problem;
use super::{SavedGame, SavedMove, SavedResult, UNKNOWN};
use crate::GameKind;

/// The prefix of a line in this format.
pub(super) const BEGINNING: &str = "game=";
const TAG_PREFIX: &str = "tag.";
const PLAYER_PREFIX: &str = "player";
const KEYS: &str = "game, board, players, position, player0, player1 …, result, end, tag.NAME and moves";
/// More players than any game has.
const PLAYERS_MAX: usize = 16;

/// A game as a line, with its end.
pub(super) fn text(saved: &SavedGame) -> String {
    let mut fields = vec![format!("{BEGINNING}{}", saved.kind)];
    let mut push = |key: &str, value: &str| fields.push(format!("{key}={}", escaped(value)));
    if let Some(board) = &saved.setup.board {
        push("board", board);
    }
    if let Some(players) = saved.setup.players {
        push("players", &players.to_string());
    }
    if !saved.setup.position.is_empty() {
        push("position", &saved.setup.position);
    }
    for (number, name) in saved.players.iter().enumerate() {
        push(&format!("{PLAYER_PREFIX}{number}"), name);
    }
    if let Some(result) = &saved.result {
        push("result", &result.to_string());
    }
    if let Some(end) = &saved.end {
        push("end", end);
    }
    for (name, value) in &saved.tags {
        push(&format!("{TAG_PREFIX}{}", escaped(name).replace('=', "_")), value);
    }
    let moves: Vec<String> = saved.moves.iter().map(move_text).collect();
    fields.push(format!("moves={}", moves.join(" ")));
    fields.join("\t") + "\n"
}

fn move_text(saved: &SavedMove) -> String {
    let text = escaped(&saved.text);
    match &saved.comment {
        Some(comment) => format!("{text} {{{}}}", escaped(comment).replace('}', "\\}")),
        None => text,
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('t') => plain.push('\t'),
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some(other) => plain.push(other),
            None => plain.push('\\'),
        }
    }
    plain
}

/// The game of a line.
pub(super) fn read(line: &str, number: usize) -> Result<SavedGame, Problem> {
    let wrong = |problem: String| Problem::new(number, problem);
    let fields = Fields::of(line).map_err(wrong)?;
    let kind: GameKind =
        fields.game.parse().map_err(|error: crate::NotationError| wrong(error.to_string()))?;
    let mut saved = SavedGame::new(kind);
    let mut result = None;
    for (key, value) in fields.others {
        match key {
            "board" => saved.setup.board = Some(value),
            "players" => {
                let count = value.parse().map_err(|_| wrong(format!("`{value}` is no number of players")))?;
                saved.setup.players = Some(count);
            }
            "position" => saved.setup.position = value,
            "result" => result = Some(value),
            "end" => saved.end = Some(value),
            _ => set_name_or_tag(&mut saved, key, value).map_err(wrong)?,
        }
    }
    let mut game = kind.open(&saved.setup).map_err(|error| wrong(error.to_string()))?;
    if saved.players.len() > game.players() {
        return Err(wrong(format!("{} players are named, and {} play", saved.players.len(), game.players())));
    }
    if let Some(text) = result {
        saved.result = Some(parse_result(&text, game.players()).map_err(wrong)?);
    }
    saved.moves = parse_moves(fields.moves).map_err(wrong)?;
    for (index, mv) in saved.moves.iter().enumerate() {
        game.play(&mv.text).map_err(|error| wrong(format!("move {}: {error}", index + 1)))?;
    }
    Ok(saved)
}

/// A line's fields, with the first and the last separate.
struct Fields<'a> {
    game: &'a str,
    others: Vec<(&'a str, String)>,
    moves: &'a str,
}

impl<'a> Fields<'a> {
    fn of(line: &'a str) -> Result<Self, String> {
        let mut fields = Vec::new();
        for field in line.split('\t') {
            let (key, value) = field
                .split_once('=')
                .ok_or_else(|| format!("`{}`: a field is written key=value", shortened(field)))?;
            if fields.iter().any(|&(known, _)| known == key) {
                return Err(format!("the field `{}` stands here twice", shortened(key)));
            }
            fields.push((key, value));
        }
        let Some(("moves", moves)) = fields.pop() else {
            return Err("the last field of a game is `moves`".to_owned());
        };
        let others = fields.iter().skip(1).map(|&(key, value)| (key, unescaped(value))).collect();
        let game = fields.first().map_or("", |&(_, game)| game);
        Ok(Self { game, others, moves })
    }
}

fn set_name_or_tag(saved: &mut SavedGame, key: &str, value: String) -> Result<(), String> {
    if let Some(name) = key.strip_prefix(TAG_PREFIX) {
        saved.tags.push((unescaped(name), value));
        return Ok(());
    }
    let player = key.strip_prefix(PLAYER_PREFIX).and_then(|number| number.parse::<usize>().ok());
    let Some(player) = player.filter(|&player| player < PLAYERS_MAX) else {
        return Err(format!("there is no field `{}`; the fields are {KEYS}", shortened(key)));
    };
    if saved.players.len() <= player {
        saved.players.resize(player + 1, UNKNOWN.to_owned());
    }
    saved.players[player] = value;
    Ok(())
}

fn parse_result(text: &str, players: usize) -> Result<SavedResult, String> {
    SavedResult::parse(text, players).ok_or_else(|| {
        let form = if players == 2 { "1-0, 0-1 or 1/2-1/2" } else { "a place for each player, as in 2 1 3" };
        format!("`{}`: the result of {players} players is {form}", shortened(text))
    })
}

fn parse_moves(text: &str) -> Result<Vec<SavedMove>, String> {
    let mut moves: Vec<SavedMove> = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while !rest.is_empty() {
        let after = if let Some(inside) = rest.strip_prefix('{') {
            let end = end_of_comment(inside).ok_or("a comment `{` is never closed by `}`")?;
            let last = moves.last_mut().filter(|last| last.comment.is_none());
            let last = last.ok_or("a comment stands behind a move, one behind each")?;
            last.comment = Some(unescaped(&inside[..end]));
            &inside[end + 1..]
        } else {
            let end = rest.find(' ').unwrap_or(rest.len());
            moves.push(SavedMove { text: unescaped(&rest[..end]), comment: None });
            &rest[end..]
        };
        rest = after.trim_start_matches(' ');
    }
    Ok(moves)
}

/// The index of the first `}` that is not escaped by a backslash.
fn end_of_comment(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == '}' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends.then_some(at)
    })
}

/// The beginning of a possibly long text, made printable.
fn shortened(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}
