//! Reading a proof back out of the table: a line, and the tree around it.

use super::numbers::Numbers;
use super::search::{Child, combined};
use super::{ProofSearch, Verdict};
use crate::game::Game;
use crate::limits::{Clock, Limits};

/// A node of the tree that a search has in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofRow<M> {
    /// The row of the parent; `None` at the root.
    pub parent: Option<usize>,
    /// The move that led here; `None` at the root.
    pub last_move: Option<M>,
    /// Distance from the root.
    pub ply: u16,
    /// Whether the player to move is the one whose goal it is.
    pub is_or: bool,
    /// The verdict on the node.
    pub verdict: Verdict,
    /// The proof number; `None` if the goal cannot be reached.
    pub proof_number: Option<u32>,
    /// The disproof number; `None` if the goal is reached.
    pub disproof_number: Option<u32>,
}

impl<G: Game> ProofSearch<G> {
    /// Follows the answer: the deciding move if one is enough, or the move that took the most work if all must be refuted. Nodes that the
    /// table has forgotten are searched again.
    pub(super) fn line(&mut self, limits: &Limits, clock: &mut Clock) -> Vec<G::Move> {
        let mut game = self.root.clone();
        let mut line = Vec::new();
        for ply in 0..limits.depth_max {
            if game.outcome().is_some() {
                break;
            }
            let is_or = game.to_move() == self.root.to_move();
            let mut children = self.children(&mut game, ply, limits);
            if ply > 0 && !combined(&children, is_or).is_decided() && self.is_root_decided() {
                self.prove(&mut game, ply, limits, clock);
                children = self.children(&mut game, ply, limits);
            }
            let Some(mv) = followed(&children, is_or) else { break };
            line.push(mv);
            game.make(mv);
        }
        line
    }

    fn is_root_decided(&self) -> bool {
        self.table.get(self.key(&self.root, 0)).is_some_and(|(numbers, _)| numbers.is_decided())
    }

    /// Returns the tree of known nodes, parents before children, with at most `rows_max` rows: below a decided node
    /// the children that decide it, below others everything in the table.
    pub fn rows(&mut self, limits: &Limits, rows_max: usize) -> Vec<ProofRow<G::Move>> {
        let is_or = true;
        let numbers = match self.root.outcome() {
            Some(_) => self.prove_root(limits, &mut Clock::start(limits)),
            None => self.table.get(self.key(&self.root, 0)).map_or(Numbers::UNKNOWN, |(numbers, _)| numbers),
        };
        let mut rows = vec![row(None, None, 0, is_or, numbers)];
        let mut positions = vec![self.root.clone()];
        let mut at = 0;
        while at < rows.len() {
            let ProofRow { ply, is_or, verdict, .. } = rows[at];
            let mut game = positions[at].clone();
            for child in self.shown(&mut game, ply, (is_or, verdict), limits) {
                if rows.len() >= rows_max {
                    return rows;
                }
                let mut position = game.clone();
                position.make(child.mv);
                let is_or = position.to_move() == self.root.to_move();
                rows.push(row(Some(at), Some(child.mv), ply + 1, is_or, child.numbers));
                positions.push(position);
            }
            at += 1;
        }
        rows
    }

    /// The children of a node that belong to the tree.
    fn shown(
        &mut self,
        game: &mut G,
        ply: u16,
        (is_or, verdict): (bool, Verdict),
        limits: &Limits,
    ) -> Vec<Child<G::Move>> {
        if game.outcome().is_some() || ply >= limits.depth_max {
            return Vec::new();
        }
        let children = self.children(game, ply, limits);
        let deciding = match verdict {
            Verdict::Proven if is_or => children.iter().find(|child| child.numbers.is_proven()),
            Verdict::Disproven if !is_or => children.iter().find(|child| child.numbers.is_disproven()),
            Verdict::Proven | Verdict::Disproven | Verdict::Unknown => None,
        };
        match deciding {
            Some(&child) => vec![child],
            None if children.iter().all(|child| child.work == 0 && !child.is_leaf) => Vec::new(),
            None => children,
        }
    }
}

/// The move that the line takes.
fn followed<M: Copy>(children: &[Child<M>], is_or: bool) -> Option<M> {
    let numbers = combined(children, is_or);
    let decides = |child: &&Child<M>| match is_or {
        true => child.numbers.is_proven(),
        false => child.numbers.is_disproven(),
    };
    let one_is_enough = if is_or { numbers.is_proven() } else { numbers.is_disproven() };
    let all_are_needed = numbers.is_decided() && !one_is_enough;
    let found = if one_is_enough {
        children.iter().filter(decides).min_by_key(|child| child.work)
    } else if all_are_needed {
        children.iter().rev().max_by_key(|child| child.work)
    } else {
        let cost = |child: &&Child<M>| if is_or { child.numbers.proof } else { child.numbers.disproof };
        let is_known = children.iter().any(|child| child.work > 0);
        children.iter().filter(|_| is_known).min_by_key(cost)
    };
    found.map(|child| child.mv)
}

fn row<M>(
    parent: Option<usize>,
    last_move: Option<M>,
    ply: u16,
    is_or: bool,
    numbers: Numbers,
) -> ProofRow<M> {
    let verdict = match numbers {
        _ if numbers.is_proven() => Verdict::Proven,
        _ if numbers.is_disproven() => Verdict::Disproven,
        _ => Verdict::Unknown,
    };
    let (proof_number, disproof_number) = (numbers.shown_proof(), numbers.shown_disproof());
    ProofRow { parent, last_move, ply, is_or, verdict, proof_number, disproof_number }
}
