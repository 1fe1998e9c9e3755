//! Moves as the game writes them, and positions along a line, as far as the game can be followed.

use gt_games::registry::AnyGame;
use gt_games::{GameKind, ROOT_CODE};
use gt_log::Log;
use gt_query::MoveCodec;

use crate::work::Cancel;

/// How the moves of a log are written: in its game's notation, by the names that the log has for them, or as numbers.
#[derive(Clone, Copy)]
pub(crate) struct Notation<'a> {
    game: Option<GameKind>,
    log: &'a Log,
}

impl<'a> Notation<'a> {
    pub(crate) fn new(game: Option<GameKind>, log: &'a Log) -> Self {
        Self { game, log }
    }

    /// Whether moves have texts.
    pub(crate) fn has_texts(self) -> bool {
        self.game.is_some() || !self.log.move_names().is_empty()
    }

    /// The text of a move.
    pub(crate) fn write(self, code: i64) -> String {
        self.text(code).unwrap_or_else(|| code.to_string())
    }

    /// The text of the move that led to a node: the root's is `root` in every game.
    pub(crate) fn of_node(self, ply: u64, code: i64) -> String {
        if ply == 0 { "root".to_owned() } else { self.write(code) }
    }
}

impl MoveCodec for Notation<'_> {
    fn number(&self, text: &str) -> Option<i64> {
        let named =
            || self.log.move_names().into_iter().find(|(_, name)| *name == text).map(|(code, _)| code);
        self.game.and_then(|kind| kind.move_code(text)).or_else(named)
    }

    fn text(&self, number: i64) -> Option<String> {
        let named = || self.log.move_name(number).map(str::to_owned);
        self.game.and_then(|kind| kind.move_text(number)).or_else(named)
    }
}

/// A line that leaves what the game allows: the sentence says where.
pub(crate) type Followed = Result<Box<dyn AnyGame>, String>;

/// No line of a game is followed further than this.
const LINE_MAX: usize = 100_000;
/// The number of moves made between two checks whether the call was cancelled.
const MOVES_PER_LOOK: usize = 1024;

/// The position after a line of moves from the root.
pub(crate) fn follow(mut game: Box<dyn AnyGame>, codes: &[i64], cancel: &Cancel) -> Followed {
    if codes.len() > LINE_MAX {
        return Err(format!(
            "the line has {} moves; positions are followed over {LINE_MAX} at most",
            codes.len()
        ));
    }
    for (index, &code) in codes.iter().enumerate() {
        if index % MOVES_PER_LOOK == 0 && cancel.is_set() {
            return Err("the call was cancelled".to_owned());
        }
        play(&mut *game, index, code)?;
    }
    Ok(game)
}

/// Makes the move at a place of a line.
pub(crate) fn play(game: &mut dyn AnyGame, index: usize, code: i64) -> Result<(), String> {
    let unplayable = |error: gt_games::NotationError| {
        let root = if code == ROOT_CODE { " (0 is the root's)" } else { "" };
        format!("move {} of the line cannot be played{root}: {error}", index + 1)
    };
    game.play_code(code).map(|_| ()).map_err(unplayable)
}
