//! Moves as the game writes them, where the game and its position are known; else by the log's own names, or as numbers.

use std::rc::Rc;

use gt_games::registry::AnyGame;
use gt_log::{Log, Tree};

/// A position along a line of a log, as far as the game can be followed.
#[derive(Clone)]
pub(crate) struct Position<'a> {
    game: Option<Rc<Box<dyn AnyGame>>>,
    /// It may have names of its own for moves of a game that is not known here.
    log: &'a Log,
}

impl<'a> Position<'a> {
    /// The position at a tree's root, where the log tells it.
    pub(crate) fn root(log: &'a Log, tree: Tree<'_>) -> Self {
        Self { game: gt_picture::position::root(log, tree).ok().map(Rc::new), log }
    }

    /// The text of a move from here, and the position after it.
    pub(crate) fn play(&self, code: i64) -> (String, Self) {
        if let Some(game) = &self.game {
            let mut game = Box::clone(game);
            // Another engine's numbers, or another position than we think, are not followed any further.
            if let Ok(text) = game.play_code(code) {
                return (text, Self { game: Some(Rc::new(game)), ..*self });
            }
        }
        let text = self.log.move_name(code).map_or_else(|| code.to_string(), str::to_owned);
        (text, Self { game: None, ..*self })
    }

    /// The texts of a line of moves, and the position at its end.
    pub(crate) fn play_all(&self, codes: &[i64]) -> (Vec<String>, Self) {
        let mut position = self.clone();
        let mut texts = Vec::with_capacity(codes.len());
        for &code in codes {
            let (text, next) = position.play(code);
            texts.push(text);
            position = next;
        }
        (texts, position)
    }
}

/// Moves of a line that are printed before its middle is left out, and after.
const LINE_ENDS: usize = 30;

/// A line of moves; of a very long one, the two ends.
pub(crate) fn line_text(moves: &[String]) -> String {
    if moves.len() <= 2 * LINE_ENDS {
        return moves.join(" ");
    }
    let (first, rest) = moves.split_at(LINE_ENDS);
    let (middle, last) = rest.split_at(rest.len() - LINE_ENDS);
    format!("{} … {} moves … {}", first.join(" "), middle.len(), last.join(" "))
}
