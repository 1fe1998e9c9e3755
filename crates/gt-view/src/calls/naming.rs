//! The names of the moves of a tree's nodes.

use gt_log::Value;

use super::Subject;
use crate::error::Answer;
use crate::nodes::{Located, Node};
use crate::values::cut;

impl Subject<'_> {
    /// From now on moves are written down as players do, where they do so in a way of their own and the position is
    /// known.
    pub(crate) fn write_down(&mut self) {
        self.names.scribe = self.opened.scribe(self.tree);
    }

    /// The moves to a node's parent, if the names of moves need them.
    pub(crate) fn codes_before(&mut self, located: &Located) -> Answer<Vec<i64>> {
        let mut codes = self.codes_to(located)?;
        codes.pop();
        Ok(codes)
    }

    /// The moves to a node, if the names of moves need them.
    pub(crate) fn codes_to(&mut self, located: &Located) -> Answer<Vec<i64>> {
        if self.names.scribe.is_some() { self.codes(located) } else { Ok(Vec::new()) }
    }

    /// The name of the move to a node with this number, which is made after those `before` it.
    pub(crate) fn name(&mut self, before: &[i64], node: Node, code: i64) -> Answer<String> {
        if let Some(written) = self.names.scribe.as_mut().and_then(|scribe| scribe.after(before, code)) {
            return Ok(written);
        }
        if let Some(place) = self.names.attribute
            && let Value::Text(text) = self.nodes.value(node.row, place)?
            && !text.is_empty()
        {
            return Ok(cut(&text));
        }
        Ok(self.notation.write(code))
    }

    /// The same of any node: the root's is `root`.
    pub(crate) fn name_at(&mut self, ply: u64, before: &[i64], node: Node, code: i64) -> Answer<String> {
        if ply == 0 { Ok(self.notation.of_node(0, code)) } else { self.name(before, node, code) }
    }

    /// The name of the move to a node that was found.
    pub(crate) fn name_of(&mut self, located: &Located) -> Answer<String> {
        let code = self.nodes.last_move(located.node.row)?;
        let before = self.codes_before(located)?;
        self.name_at(located.ply(), &before, located.node, code)
    }

    /// The names of the moves to a node, at its plies from 1 on.
    pub(crate) fn line_names(&mut self, located: &Located) -> Answer<Vec<String>> {
        let codes = self.codes(located)?;
        let mut names = Vec::with_capacity(codes.len());
        for (ply, node) in located.line().skip(1).enumerate() {
            self.nodes.hop()?;
            names.push(self.name(&codes[..ply], node, codes[ply])?);
        }
        Ok(names)
    }
}
