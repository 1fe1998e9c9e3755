//! The moves of a line, as a user writes them.
//!
//! ```text
//! e2e4 e7e5      the game's notation, from the position at the root
//! 1. e4 e5       as in a book: numbers of moves are passed over
//! R-e4 pass      names that the log or its nodes give, where the game is not known
//! 796 2364       numbers
//! ```

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::{Log, Tree};
use gt_report::NodeNames;

use crate::commands::query::source::Source;
use crate::failure::Failure;
use crate::moves::node_names;

/// What logs and the game's texts call a null move.
const NULL_MOVE: &str = "null";

/// The numbers of the moves.
pub(super) fn numbers(source: &Source, tree: Tree<'_>, text: &str) -> Result<Vec<i64>, Failure> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_move_number(word)).collect();
    let mut position = position(&source.log, tree);
    let mut of_nodes = node_names(&source.log, tree);
    let mut numbers = Vec::with_capacity(words.len());
    for (place, word) in words.iter().enumerate() {
        let number = match &mut position {
            Some(game) => played(source, &mut **game, word)
                .map_err(|error| Failure::new(format!("move {} of the line: {error}", place + 1)))?,
            None => called(of_nodes.as_mut(), &numbers, word)
                .map_err(|error| Failure::about(&source.path, error))?
                .or_else(|| named(source, word))
                .ok_or_else(|| unknown(source, of_nodes.is_some(), place, word))?,
        };
        numbers.push(number);
    }
    Ok(numbers)
}

/// `12.` or `12...`, which books put before a move.
fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The position at the root, where the game is known and the log says which position was searched.
fn position(log: &Log, tree: Tree<'_>) -> Option<Box<dyn AnyGame>> {
    let kind: GameKind = log.game().parse().ok()?;
    let text = tree.metadata().get("position").or(log.metadata().get("position"))?;
    kind.open(&Setup::position(text)).ok()
}

/// The number of a legal move, which is made.
fn played(source: &Source, game: &mut dyn AnyGame, word: &str) -> Result<i64, String> {
    let number = match game.encode(word) {
        Ok(number) => number,
        Err(error) if word != NULL_MOVE => return Err(error.to_string()),
        Err(error) => named(source, word).ok_or_else(|| error.to_string())?,
    };
    game.play_code(number).map_err(|error| error.to_string())?;
    Ok(number)
}

/// The number of a move by what its node calls it.
fn called(names: Option<&mut NodeNames<'_>>, before: &[i64], word: &str) -> gt_log::Result<Option<i64>> {
    names.map_or(Ok(None), |names| names.number(before, word))
}

/// The number of a move by its name in the log or its form, or the number itself.
fn named(source: &Source, word: &str) -> Option<i64> {
    source.moves().and_then(|moves| moves.number(word)).or_else(|| word.parse().ok())
}

fn unknown(source: &Source, is_named_by_nodes: bool, place: usize, word: &str) -> Failure {
    let form = match source.notation() {
        _ if is_named_by_nodes => {
            "write a move that was searched there as its node calls it, or any by its number"
        }
        Some(notation) => notation.form().unwrap_or("write a move by the log's name for it, or its number"),
        None => "moves of this log are numbers",
    };
    Failure::new(format!("move {} of the line: `{}` is not a move; {form}", place + 1, word.escape_debug()))
}
