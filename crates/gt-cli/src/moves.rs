//! Moves as the game writes them, or as players do; where the game is not known by the log's own names, or as numbers.

mod named;

use std::path::Path;

use gt_games::registry::{GameKind, Scribe};
use gt_log::{Log, Tree};
use gt_report::NodeNames;

use crate::tell::tell;
pub(crate) use named::{Namers, TreeMoves};

/// How moves are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Moves {
    /// In the game's notation or by the log's names; those that have none as numbers
    Text,
    /// As players write them down: in chess `Nf3`, where the position is known, else as text
    San,
    /// As the numbers that the log has
    Number,
}

/// What writes the moves of a tree down as players do; nothing if they do not write them in a way of their own, and a
/// sentence if they do, and the position is not known.
fn scribe(log: &Log, tree: Tree<'_>) -> Result<Option<Scribe>, String> {
    if !log.game().parse().is_ok_and(GameKind::has_written_moves) {
        return Ok(None);
    }
    gt_picture::position::root(log, tree).map(|root| Some(Scribe::new(root)))
}

/// Says why the moves of a tree cannot be written down as players do, if that is asked for and they could in another
/// tree of the game.
pub(crate) fn tell_unknown_position(moves: Moves, path: &Path, log: &Log, tree: Tree<'_>) {
    if moves != Moves::San {
        return;
    }
    if let Err(why) = scribe(log, tree) {
        let (path, tree) = (path.display(), tree.number());
        tell(format_args!("{path}, tree {tree}: moves are printed as their squares: {why}"));
    }
}

/// What the nodes of a tree call their moves, if they do and its game is not known.
pub(crate) fn node_names<'a>(log: &Log, tree: Tree<'a>) -> Option<NodeNames<'a>> {
    if log.game().parse::<GameKind>().is_ok() { None } else { NodeNames::of(tree) }
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
