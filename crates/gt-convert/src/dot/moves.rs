//! The moves of a graph as texts, each made once: the graph is walked depth-first, a move down and a move back.

use gt_log::Log;

use super::choice::Shown;

/// Follows the moves of a tree, to write each in its game's notation.
///
/// Calls come as a search would make them, from the tree's root: each [`enter`](MoveTexts::enter) goes a move further
/// down, each [`leave`](MoveTexts::leave) takes back the last one.
pub trait MoveTexts {
    /// Goes down a move and returns its text.
    fn enter(&mut self, last_move: i64) -> String;
    /// Takes back the last entered move.
    fn leave(&mut self);
}

/// Moves by their log's names for them, or by their numbers.
pub(super) struct LoggedNames<'a>(pub(super) &'a Log);

impl MoveTexts for LoggedNames<'_> {
    fn enter(&mut self, last_move: i64) -> String {
        self.0.move_name(last_move).map_or_else(|| last_move.to_string(), str::to_owned)
    }

    fn leave(&mut self) {}
}

/// The texts of the moves to all shown nodes; `line` leads to the first of them, which has an empty text if it is the
/// tree's root.
pub(super) fn texts(shown: &[Shown], line: &[i64], moves: &mut dyn MoveTexts) -> Vec<String> {
    let mut texts = vec![String::new(); shown.len()];
    for &last_move in line {
        texts[0] = moves.enter(last_move);
    }
    let mut open: Vec<(usize, usize)> = vec![(0, shown[0].first_child)];
    while let Some((place, next)) = open.last_mut() {
        if *next < shown[*place].end_child {
            let child = *next;
            *next += 1;
            texts[child] = moves.enter(shown[child].last_move);
            open.push((child, shown[child].first_child));
        } else {
            if *place > 0 {
                moves.leave();
            }
            open.pop();
        }
    }
    line.iter().for_each(|_| moves.leave());
    texts
}
