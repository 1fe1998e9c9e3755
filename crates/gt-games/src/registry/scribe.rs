//! Writes a log's moves as players write them down, which takes the position in which they are made.
//!
//! ```text
//! e2e4 e7e5 g1f3 ──Scribe──▶ e4 e5 Nf3
//! e2e4 e7e5 f1c4             Bc4            the positions after e2e4 e7e5 are known already
//! ```

use super::AnyGame;
use crate::notation::ROOT_CODE;

/// Writes the moves of lines that begin at one position.
///
/// It keeps the positions of the last line, so that lines that share their beginnings, like those of a tree's nodes in order, cost one move
/// each.
pub struct Scribe {
    root: Box<dyn AnyGame>,
    /// The line that was followed last, as far as possible.
    way: Vec<Step>,
}

struct Step {
    code: i64,
    text: String,
    /// The position after the move.
    game: Box<dyn AnyGame>,
}

/// The maximum length of a line that is followed. Every position on the way is kept, with what its game keeps of the positions before it.
const LINE_MAX: usize = 1000;

impl Scribe {
    /// Makes a scribe for lines that begin at this position.
    #[must_use]
    pub fn new(root: Box<dyn AnyGame>) -> Self {
        Self { root, way: Vec::new() }
    }

    /// Returns the move with this number after a line of moves; `None` if the line cannot be followed, or no legal move
    /// has the number.
    ///
    /// ```
    /// use gt_games::registry::{GameKind, Scribe, Setup};
    ///
    /// let mut scribe = Scribe::new(GameKind::Chess.open(&Setup::default())?);
    /// let (e2e4, e7e5, g1f3) = (12 | 28 << 6, 52 | 36 << 6, 6 | 21 << 6);
    /// assert_eq!(scribe.after(&[e2e4, e7e5], g1f3).as_deref(), Some("Nf3"));
    /// assert_eq!(scribe.after(&[e2e4], g1f3), None);
    /// # Ok::<(), gt_games::NotationError>(())
    /// ```
    pub fn after(&mut self, line: &[i64], code: i64) -> Option<String> {
        if self.follow(line) < line.len() {
            return None;
        }
        match self.way.last() {
            Some(last) => written(&*last.game, code, Some(last)),
            None => written(&*self.root, code, None),
        }
    }

    /// Returns the moves of a line, as far as it can be followed.
    pub fn line(&mut self, line: &[i64]) -> Vec<String> {
        let followed = self.follow(line);
        self.way[..followed].iter().map(|step| step.text.clone()).collect()
    }

    /// Makes the moves of a line; returns how many of them could be made. The way then ends there.
    fn follow(&mut self, line: &[i64]) -> usize {
        let line = &line[..line.len().min(LINE_MAX)];
        let shared = self.way.iter().zip(line).take_while(|(step, code)| step.code == **code).count();
        self.way.truncate(shared);
        for &code in &line[shared..] {
            let last = self.way.last();
            let before = last.map_or(&*self.root, |last| &*last.game);
            let Some(text) = written(before, code, last) else { break };
            let mut game = before.boxed_clone();
            if game.play_code(code).is_err() {
                break;
            }
            self.way.push(Step { code, text, game });
        }
        self.way.len()
    }
}

/// A move as players write it down; a move that a log repeats is written as before.
fn written(game: &dyn AnyGame, code: i64, last: Option<&Step>) -> Option<String> {
    if code == ROOT_CODE {
        return None;
    }
    let repeated = || last.filter(|last| last.code == code).map(|last| last.text.clone());
    game.written_code(code).ok().or_else(repeated)
}
