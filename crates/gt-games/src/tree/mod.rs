//! A hand-written game: a tree with values at its leaves, for two or more players.
//!
//! ```text
//! (left:(3 7) right:(1 X:9))          a bracket holds the moves of one player, a number ends the game
//!
//!            .   player 1
//!      left / \ right
//!          .   .   player 2           a position is a node of the tree; a move is the name of a child
//!        3  7  1  X:9
//! ```
//!
//! The figures of books and articles are such trees, so every search can be watched on them. `read` describes the
//! text of a tree, `notation` writes it back on one line: a log's `position` holds the whole tree, so readers of the
//! log need no other file.
//!
//! **Invariant:** entries are in the order of the text, a reference leads to an entry that is not a reference, no
//! line from the root is longer than [`DEPTH_MAX`], and with two players turns alternate.

mod evaluate;
mod notation;
mod read;
mod written;

pub use evaluate::Values;
pub use written::{DEPTH_MAX, ENTRIES_MAX, PLAYERS_MAX};

use crate::zobrist::{key, mix};
use gt_search::{Game, Outcome};
use std::sync::Arc;
use written::{Worth, Written};

/// A position in a hand-written tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    written: Arc<Written>,
    /// The current entry; never a reference.
    at: u32,
}

/// A move: the number of the entry that it leads to, in the order of the text, the root being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branch(u32);

/// The default tree: Knuth and Moore's smallest example of a cut-off.
const SMALL: &str = "(left:(3 7) right:(1 X:9))";

impl Tree {
    /// Returns a small tree for two players, as a default.
    #[must_use]
    pub fn small() -> Self {
        read::read(SMALL).unwrap_or_else(|_| Self { written: Arc::new(Written::leaf()), at: 0 })
    }

    /// A small tree for any supported number of players.
    pub(crate) fn small_for(players: usize) -> Option<Self> {
        if !(2..=PLAYERS_MAX).contains(&players) {
            return None;
        }
        let leaf = |number: usize| {
            let points = (0..players).map(|player| ((7 * number + 3 * player) % 10).to_string());
            points.collect::<Vec<_>>().join(",")
        };
        let [a, b, c, d] = [1, 2, 3, 4].map(leaf);
        match players {
            2 => Some(Self::small()),
            _ => read::read(&format!("players {players} (left:({a} {b}) right:({c} {d}))")).ok(),
        }
    }

    /// Returns the number of moves in the longest line below the position.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.written.entries[self.at as usize].height
    }

    /// Returns a name for each move of the whole tree, by its number in logs: its name in the text if that is unique,
    /// otherwise the path to it, joined by dots.
    #[must_use]
    pub fn move_names(&self) -> Vec<(i64, String)> {
        self.written.move_names()
    }
}

impl Game for Tree {
    type Move = Branch;
    /// The previous entry.
    type Undo = u32;

    fn players(&self) -> usize {
        usize::from(self.written.players)
    }

    fn to_move(&self) -> usize {
        usize::from(self.written.entries[self.at as usize].mover)
    }

    fn outcome(&self) -> Option<Outcome> {
        let entry = &self.written.entries[self.at as usize];
        if !entry.children.is_empty() {
            return None;
        }
        Some(match &entry.worth {
            Some(Worth::Won(player)) => Outcome::Win(usize::from(*player)),
            Some(Worth::Points(points)) => most(points),
            None => Outcome::Draw,
        })
    }

    fn final_value(&self, player: usize) -> Option<i32> {
        match &self.written.entries[self.at as usize].worth {
            Some(Worth::Points(points)) => points.get(player).copied(),
            Some(Worth::Won(_)) | None => None,
        }
    }

    fn moves(&self, moves: &mut Vec<Branch>) {
        moves.extend(self.written.entries[self.at as usize].children.iter().copied().map(Branch));
    }

    fn make(&mut self, Branch(entry): Branch) -> u32 {
        std::mem::replace(&mut self.at, self.written.entries[entry as usize].node)
    }

    fn undo(&mut self, _: Branch, from: u32) {
        self.at = from;
    }

    fn hash(&self) -> u64 {
        mix(self.written.key ^ key(30, u64::from(self.at)))
    }

    /// The place of the entry in the text, the root's being 0.
    fn encode(&self, Branch(entry): Branch) -> i64 {
        i64::from(entry)
    }
}

/// The outcome: the player with the most points wins, if there is only one.
fn most(points: &[i32]) -> Outcome {
    let best = points.iter().copied().max().unwrap_or(0);
    let mut winners = (0..points.len()).filter(|&player| points[player] == best);
    match (winners.next(), winners.next()) {
        (Some(winner), None) => Outcome::Win(winner),
        _ => Outcome::Draw,
    }
}

#[cfg(test)]
mod tests;
