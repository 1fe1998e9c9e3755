//! A log's moves as players write them down, which takes the position that they are made in.
//!
//! ```text
//! e2e4 e7e5 g1f3 ──Scribe──▶ e4 e5 Nf3
//! e2e4 e7e5 f1c4             Bc4            the positions after e2e4 e7e5 are known already
//! ```

use super::AnyGame;
use crate::notation::ROOT_CODE;

/// Writes the moves of lines that begin at one position. The positions of the last line are kept, so that lines that
/// share their beginnings, as those of a tree's nodes in order do, cost a move each.
pub struct Scribe {
    root: Box<dyn AnyGame>,
    /// The line that was followed last, as far as it can be followed.
    way: Vec<Step>,
}

struct Step {
    code: i64,
    text: String,
    /// The position after the move.
    game: Box<dyn AnyGame>,
}

/// Lines are followed no further than this. Every position on the way is kept, with what its game keeps of those
/// before it.
const LINE_MAX: usize = 1000;

impl Scribe {
    /// Returns one for lines that begin at this position.
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

/// A move as players write it down; one that a log repeats, as it was written before.
fn written(game: &dyn AnyGame, code: i64, last: Option<&Step>) -> Option<String> {
    if code == ROOT_CODE {
        return None;
    }
    let repeated = || last.filter(|last| last.code == code).map(|last| last.text.clone());
    game.written_code(code).ok().or_else(repeated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::NULL_MOVE_CODE;
    use crate::registry::{GameKind, Setup};

    fn codes(game: &dyn AnyGame, line: &str) -> Vec<i64> {
        let mut game = game.boxed_clone();
        let words = line.split_whitespace();
        words.map(|word| game.encode(word).inspect(|_| game.play(word).unwrap()).unwrap()).collect()
    }

    /// What is written is what the position itself writes, whatever line was followed before.
    #[test]
    fn lines_in_any_order_are_written_as_their_positions_write_them() {
        let root = GameKind::Chess.open(&Setup::default()).unwrap();
        let lines = [
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O",
            "e4 e5 Nf3 Nf6",
            "d4",
            "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
            "",
            "e4",
        ];
        let mut scribe = Scribe::new(root.boxed_clone());
        for line in lines.iter().chain(lines.iter().rev()) {
            let codes = codes(&*root, line);
            assert_eq!(scribe.line(&codes).join(" "), *line);
            if let Some((last, before)) = codes.split_last() {
                assert_eq!(scribe.after(before, *last).as_deref(), line.split(' ').next_back());
            }
        }
    }

    #[test]
    fn null_moves_and_repeated_moves_are_followed() {
        let root = GameKind::Chess.open(&Setup::default()).unwrap();
        let (e4, nf3) = (12 | 28 << 6, 6 | 21 << 6);
        let mut scribe = Scribe::new(root);
        assert_eq!(scribe.line(&[e4, NULL_MOVE_CODE, nf3]), ["e4", "null", "Nf3"]);
        assert_eq!(
            scribe.line(&[e4, e4, NULL_MOVE_CODE]),
            ["e4", "e4", "null"],
            "the search of e4 was verified"
        );
        assert_eq!(scribe.line(&[e4, nf3, nf3]), ["e4"], "it is not White's turn");
        assert_eq!(scribe.after(&[e4, nf3], e4), None);
        assert_eq!(scribe.after(&[], ROOT_CODE), None);
    }

    #[test]
    fn very_long_lines_are_not_followed_to_their_end() {
        let root = GameKind::Chess.open(&Setup::default()).unwrap();
        let there_and_back = codes(&*root, "Nf3 Nf6 Ng1 Ng8");
        let line: Vec<i64> = there_and_back.iter().copied().cycle().take(LINE_MAX + 4).collect();
        let mut scribe = Scribe::new(root);
        assert_eq!(scribe.line(&line).len(), LINE_MAX);
        assert_eq!(scribe.after(&line, line[0]), None);
        assert_eq!(scribe.after(&line[..4], line[0]).as_deref(), Some("Nf3"));
    }
}
