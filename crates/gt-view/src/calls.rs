//! The calls of the API, a module each: what is asked comes in plain types, what is answered can be written as JSON.
//!
//! No call knows HTTP; `docs/api.md` says what each gives.

pub(crate) mod board;
pub(crate) mod children;
pub(crate) mod drawn;
pub(crate) mod evaluation;
pub(crate) mod find;
pub(crate) mod logs;
pub(crate) mod moment;
pub(crate) mod names;
mod naming;
pub(crate) mod node;
pub(crate) mod root_moves;
pub(crate) mod why;

use crate::bound::{Bound, Window};
use crate::error::Answer;
use crate::logs::{Logs, Opened};
use crate::moves::Notation;
use crate::nodes::Nodes;
use crate::values::{self, Attributes, Scalar};
use crate::work::Cancel;
use gt_log::Tree;
use names::Names;

/// The tree that a call is about.
pub(crate) struct Subject<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) tree: Tree<'a>,
    pub(crate) nodes: Nodes<'a>,
    pub(crate) notation: Notation<'a>,
    pub(crate) names: Names,
    /// Where values and their windows are, if the log has them.
    pub(crate) window: Option<Window>,
    /// Set when nobody waits for the answer any more.
    pub(crate) cancel: &'a Cancel,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(logs: &'a Logs, opened: &'a Opened, tree: usize, cancel: &'a Cancel) -> Answer<Self> {
        let tree = opened.tree(tree)?;
        let nodes = opened.nodes(tree, &logs.blocks, cancel);
        Ok(Self {
            opened,
            tree,
            nodes,
            notation: opened.notation(),
            names: Names::new(opened.game, tree.schema()),
            window: Window::of(tree.schema()),
            cancel,
        })
    }

    /// All attributes of a row, by name.
    fn attributes(&mut self, row: u64) -> Answer<Attributes> {
        let mut values = Vec::with_capacity(self.tree.schema().attributes().len());
        for (place, attribute) in self.tree.schema().attributes().iter().enumerate() {
            values.push((attribute.name.clone(), values::shown_attribute(&self.nodes.value(row, place)?)));
        }
        Ok(Attributes(values))
    }

    /// Whether the value of a row's node is exact or a bound; nothing where that cannot be told.
    pub(crate) fn bound(&mut self, row: u64) -> Answer<Option<Bound>> {
        self.bound_in(self.window, row)
    }

    /// Whether a value is exact or a bound, with the window and the value taken from these attributes.
    pub(crate) fn bound_in(&mut self, window: Option<Window>, row: u64) -> Answer<Option<Bound>> {
        let Some(window) = window else { return Ok(None) };
        let mut value = |place| self.nodes.value(row, place);
        Ok(Bound::of(&value(window.alpha)?, &value(window.beta)?, &value(window.value)?))
    }

    /// The value of a row's node, if the log has values with windows.
    fn value(&mut self, row: u64) -> Answer<Scalar> {
        let Some(window) = self.window else { return Ok(Scalar::Null) };
        Ok(values::attribute(&self.nodes.value(row, window.value)?))
    }

    /// The moves that lead from the root to a node.
    fn codes(&mut self, located: &crate::nodes::Located) -> Answer<Vec<i64>> {
        let mut codes = Vec::with_capacity(located.ancestors.len());
        for node in located.line().skip(1) {
            self.nodes.hop()?;
            codes.push(self.nodes.last_move(node.row)?);
        }
        Ok(codes)
    }
}
