//! The names of a tree's moves, each in its place.

use std::cell::RefCell;

use gt_fleet::Notation;
use gt_games::registry::{AnyGame, Scribe};
use gt_log::{Log, Tree};
use gt_query::MoveCodec;
use gt_report::{NameMoves, NodeNames};

use super::{Moves, node_names, scribe};

/// What names the moves of a tree by more than their numbers.
#[derive(Default)]
pub(crate) struct Namers<'a> {
    /// What writes moves down as players do, where that is asked for and their positions are known.
    scribe: Option<RefCell<Scribe>>,
    /// What nodes call their moves, if they do and no game's notation is known.
    nodes: Option<Box<dyn NamesOfNodes + Send + 'a>>,
}

/// The names of the moves that lead to a node.
type NodeLine = Vec<Option<String>>;

/// What nodes call their moves. Where a log is damaged its rows are shown all the same: a name that cannot be read is
/// left to the notation.
trait NamesOfNodes {
    /// The moves that lead to a node.
    fn line(&self, node: u64) -> Option<NodeLine>;
    /// A move after others.
    fn after(&self, before: &[i64], number: i64) -> Option<String>;
}

impl NamesOfNodes for RefCell<NodeNames<'_>> {
    fn line(&self, node: u64) -> Option<NodeLine> {
        self.borrow_mut().line(node).ok()
    }

    fn after(&self, before: &[i64], number: i64) -> Option<String> {
        self.borrow_mut().after(before, number).ok().flatten()
    }
}

impl<'a> Namers<'a> {
    pub(crate) fn new(log: &Log, tree: Tree<'a>, moves: Moves) -> Self {
        let scribe = (moves == Moves::San).then(|| scribe(log, tree).ok().flatten()).flatten();
        let names = (moves != Moves::Number).then(|| node_names(log, tree)).flatten();
        let nodes = names.map(|names| Box::new(RefCell::new(names)) as Box<dyn NamesOfNodes + Send + 'a>);
        Self { scribe: scribe.map(RefCell::new), nodes }
    }

    /// What writes moves down as players do after a position, where they do so in a way of their own.
    pub(crate) fn after_position(game: Box<dyn AnyGame>) -> Self {
        let scribe = game.kind().has_written_moves().then(|| RefCell::new(Scribe::new(game)));
        Self { scribe, nodes: None }
    }

    /// Whether the lines to nodes are needed for that.
    pub(crate) fn needs_lines(&self) -> bool {
        self.scribe.is_some()
    }

    /// Whether nodes name their moves.
    pub(crate) fn are_named_by_nodes(&self) -> bool {
        self.nodes.is_some()
    }

    /// A move after others, as players write it down.
    pub(crate) fn written(&self, before: &[i64], number: i64) -> Option<String> {
        self.scribe.as_ref()?.borrow_mut().after(before, number)
    }

    /// What nodes call a move after others.
    fn called(&self, before: &[i64], number: i64) -> Option<String> {
        self.nodes.as_ref()?.after(before, number)
    }

    /// The moves to a node.
    pub(crate) fn line(&self, moves: &[i64], node: Option<u64>) -> NodeLine {
        if let Some(scribe) = &self.scribe {
            return scribe.borrow_mut().line(moves).into_iter().map(Some).collect();
        }
        self.nodes.as_ref().zip(node).and_then(|(nodes, node)| nodes.line(node)).unwrap_or_default()
    }
}

/// The names of a tree's moves: as players write them down, in the game's notation, or by the log's names.
pub(crate) struct TreeMoves<'a> {
    /// Nothing where moves are printed as numbers, or have no texts.
    notation: Option<Notation<'a>>,
    namers: Namers<'a>,
}

impl<'a> TreeMoves<'a> {
    pub(crate) fn new(log: &'a Log, tree: Tree<'a>, moves: Moves) -> Self {
        let notation = Notation::of(log).filter(|_| moves != Moves::Number);
        Self { notation, namers: Namers::new(log, tree, moves) }
    }

    /// A move after others, whatever the nodes of the tree call it.
    pub(crate) fn text(&self, before: &[i64], number: i64) -> Option<String> {
        self.namers.written(before, number).or_else(|| self.notation?.text(number))
    }

    /// The moves that lead to a node.
    pub(crate) fn line(&self, moves: &[i64], node: u64) -> Vec<String> {
        let mut named = self.namers.line(moves, Some(node)).into_iter();
        let text = |number: i64| self.notation.and_then(|notation| notation.text(number));
        let mut name = |number: i64| named.next().flatten().or_else(|| text(number));
        moves.iter().map(|&number| name(number).unwrap_or_else(|| number.to_string())).collect()
    }
}

impl NameMoves for TreeMoves<'_> {
    fn name(&self, before: &[i64], number: i64) -> Option<String> {
        self.namers.called(before, number).or_else(|| self.text(before, number))
    }
}
