//! The part of the tree that a game has reached.

use super::tree::{NOBODY, Tree, TreeNode};

impl<M: Copy + Eq> Tree<M> {
    /// The node that these moves lead to, if the tree has it.
    pub(super) fn find(&self, moves: &[M]) -> Option<usize> {
        moves.iter().try_fold(Self::ROOT, |at, &mv| {
            self.children(at).find(|&child| self.nodes[child].last_move == Some(mv))
        })
    }

    /// Makes a node the root, and drops everything not below it. The remaining nodes keep their order.
    pub(super) fn keep_below(&mut self, root: usize) {
        // Parents lie before their children, so one pass finds every node's new place.
        let mut places = vec![NOBODY; self.nodes.len()];
        let mut kept = 0;
        for at in root..self.nodes.len() {
            if at == root || places[self.nodes[at].parent as usize] != NOBODY {
                places[at] = kept as u32;
                self.rewards.copy_within(at * self.players..(at + 1) * self.players, kept * self.players);
                self.nodes.swap(at, kept);
                kept += 1;
            }
        }
        self.candidates.clear();
        self.nodes.truncate(kept);
        self.rewards.truncate(kept * self.players);
        let place = |old: u32| if old == NOBODY { NOBODY } else { places[old as usize] };
        for node in &mut self.nodes {
            let TreeNode { parent, first, last, next, .. } = node;
            (*parent, *first, *last, *next) = (place(*parent), place(*first), place(*last), place(*next));
        }
        let root = &mut self.nodes[Self::ROOT];
        (root.parent, root.next, root.last_move) = (Self::ROOT as u32, NOBODY, None);
    }
}
