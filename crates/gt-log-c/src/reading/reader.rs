//! A log opened for reading.

use std::ffi::{c_char, c_int};
use std::path::Path;

use gt_log::{Column, Error, Kind, Log, Metadata, Tree, Walker};
use gt_query::engine::{self, Options};
use gt_query::{Environment, compile, render_all, render_run};

use super::answer::Table;
use super::handle::{Kept, Texts};
use super::value::type_of_kind;
use crate::abi::{
    GTL_COLUMN_MOVE, GTL_COLUMN_PARENT, GTL_COLUMN_PLY, GTL_COLUMN_SIZE, GTL_WHOLE_LOG, GTNode, GTValue,
};
use crate::boundary::Fault;

/// The stand-in for a file name in messages about queries.
const SOURCE: &str = "gtl_query";

/// A reader, as C holds it.
pub type GTReader = Kept<Reader>;

/// A log, and its texts that were passed to C.
pub struct Reader {
    log: Log,
    texts: Texts,
}

/// A node and how it was found.
struct Found<'a> {
    walker: Walker<'a>,
    located: gt_log::Located,
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Self, Fault> {
        let log = Log::open(path).map_err(|error| Fault::damaged(format!("{}: {error}", path.display())))?;
        Ok(Self { log, texts: Texts::default() })
    }

    pub(crate) fn trees(&self) -> u64 {
        self.log.tree_count() as u64
    }

    pub(crate) fn nodes(&self, tree: usize) -> Result<u64, Fault> {
        Ok(self.tree(tree)?.nodes())
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.log.condition().is_whole()
    }

    pub(crate) fn game(&mut self) -> *const c_char {
        self.texts.keep(self.log.game())
    }

    /// A metadata entry of a tree, or of the log.
    pub(crate) fn metadata(&mut self, tree: i64, key: &str) -> Result<Option<*const c_char>, Fault> {
        let metadata = match tree {
            GTL_WHOLE_LOG => self.log.metadata(),
            tree => {
                let tree = usize::try_from(tree).map_err(|_| self.no_such_tree(tree))?;
                self.tree(tree)?.metadata()
            }
        };
        let value = metadata.get(key).map(str::to_owned);
        Ok(value.map(|value| self.texts.keep(&value)))
    }

    pub(crate) fn attributes(&self) -> u64 {
        self.log.schema().attributes().len() as u64
    }

    /// The name, type and size of an attribute.
    pub(crate) fn attribute(&mut self, index: usize) -> Result<(*const c_char, c_int, usize), Fault> {
        let attribute = &self.log.schema().attributes()[self.checked_attribute(index)?];
        let (code, size) = type_of_kind(attribute.kind);
        Ok((self.texts.keep(&attribute.name), code, size))
    }

    pub(crate) fn attribute_index(&self, name: &str) -> Result<u64, Fault> {
        let attributes = self.log.schema().attributes();
        let place = attributes.iter().position(|attribute| attribute.name == name);
        place.map(|place| place as u64).ok_or_else(|| {
            let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name.as_str()).collect();
            Fault::argument(format!("the log has no attribute `{name}`; it has {}", names.join(", ")))
        })
    }

    pub(crate) fn node(&self, tree: usize, node: u64) -> Result<GTNode, Fault> {
        let Found { mut walker, located } = self.find(tree, node)?;
        let parent = match located.ancestors.last() {
            None => -1,
            Some(&row) => self.parent_id(&mut walker, row, &located)?,
        };
        Ok(GTNode {
            id: node,
            parent,
            last_move: walker.last_move(located.row).map_err(unreadable)?,
            size: walker.size(located.row).map_err(unreadable)?,
            ply: located.ancestors.len() as u64,
        })
    }

    /// The preorder number of a node's parent: between a parent and its child are only the subtrees of earlier children.
    fn parent_id(&self, walker: &mut Walker<'_>, row: u64, child: &gt_log::Located) -> Result<i64, Fault> {
        let mut before = 0;
        for sibling in walker.children(row).map_err(unreadable)? {
            if sibling == child.row {
                break;
            }
            before += walker.size(sibling).map_err(unreadable)?;
        }
        Ok((child.node - before - 1) as i64)
    }

    /// The node_ids of a node's children.
    pub(crate) fn children(&self, tree: usize, node: u64) -> Result<Vec<u64>, Fault> {
        let Found { mut walker, located } = self.find(tree, node)?;
        let mut next = node + 1;
        let mut children = Vec::new();
        for row in walker.children(located.row).map_err(unreadable)? {
            children.push(next);
            next += walker.size(row).map_err(unreadable)?;
        }
        Ok(children)
    }

    /// The moves from the root to a node.
    pub(crate) fn line(&self, tree: usize, node: u64) -> Result<Vec<i64>, Fault> {
        Ok(self.find(tree, node)?.located.line)
    }

    pub(crate) fn value(&mut self, tree: usize, node: u64, attribute: usize) -> Result<GTValue, Fault> {
        let attribute = self.checked_attribute(attribute)?;
        let Found { mut walker, located } = self.find(tree, node)?;
        let value = walker.value(located.row, attribute).map_err(unreadable)?;
        Ok(GTValue::of_attribute(&value, &mut self.texts))
    }

    /// Calls `put` with the values of a column, in the order of the nodes; `None` is unknown.
    pub(crate) fn column(
        &self,
        tree: usize,
        column: c_int,
        mut put: impl FnMut(Option<f64>, i64) -> bool,
    ) -> Result<(), Fault> {
        let (columns, kind) = match column {
            GTL_COLUMN_PARENT | GTL_COLUMN_PLY | GTL_COLUMN_SIZE => (Vec::new(), Kind::I64),
            GTL_COLUMN_MOVE => (vec![Column::LastMove], Kind::I64),
            column => {
                let attribute = self.checked_attribute(usize::try_from(column).unwrap_or(usize::MAX))?;
                (vec![Column::Attribute(attribute)], self.log.schema().attributes()[attribute].kind)
            }
        };
        if kind == Kind::Text {
            return Err(Fault::argument("a column of texts has no numbers; ask gtl_readValue or gtl_visit"));
        }
        let ended = self.tree(tree)?.preorder(&columns, |batch| {
            for place in 0..batch.len() {
                let integer = match column {
                    GTL_COLUMN_PARENT => batch.parents[place],
                    GTL_COLUMN_PLY => batch.plies[place],
                    GTL_COLUMN_SIZE => batch.sizes[place],
                    _ => batch.cells[0].integers[place],
                };
                let is_missing = !batch.cells.is_empty() && batch.cells[0].is_missing(place);
                let number = match gt_log::Value::of_integer(kind, integer, &[]) {
                    gt_log::Value::Float(value) => value,
                    gt_log::Value::UInt(value) => value as f64,
                    _ => integer as f64,
                };
                let integer = if kind.is_float() { number as i64 } else { integer };
                if !put((!is_missing).then_some(number), integer) {
                    return Err(Visit::Ended);
                }
            }
            Ok(())
        });
        Visit::outcome(ended)
    }

    /// Calls `show` with every node and the values of all attributes, in the order of the nodes, until it stops.
    pub(crate) fn visit(
        &mut self,
        tree: usize,
        mut show: impl FnMut(&GTNode, &[GTValue]) -> bool,
    ) -> Result<(), Fault> {
        let kinds: Vec<Kind> =
            self.log.schema().attributes().iter().map(|attribute| attribute.kind).collect();
        let mut columns = vec![Column::LastMove];
        columns.extend((0..kinds.len()).map(Column::Attribute));
        let tree = self.log.tree(tree).map_err(unreadable)?;
        let texts = &mut self.texts;
        let mut values = Vec::new();
        let ended = tree.preorder(&columns, |batch| {
            for place in 0..batch.len() {
                let node = GTNode {
                    id: batch.first_node + place as u64,
                    parent: batch.parents[place],
                    last_move: batch.cells[0].integers[place],
                    size: batch.sizes[place] as u64,
                    ply: batch.plies[place] as u64,
                };
                values.clear();
                let cells = batch.cells[1..].iter().zip(&kinds);
                values.extend(
                    cells.map(|(cells, kind)| GTValue::of_attribute(&cells.value(*kind, place), texts)),
                );
                if !show(&node, &values) {
                    return Err(Visit::Ended);
                }
            }
            Ok(())
        });
        Visit::outcome(ended)
    }

    /// Runs the queries of a text; the value of `$name` comes from the caller, or else the tree's metadata, or else the log's.
    pub(crate) fn query(&self, tree: usize, text: &str, parameters: &Metadata) -> Result<Vec<Table>, Fault> {
        let tree = self.tree(tree)?;
        let given =
            parameters.iter().fold(Environment::new(self.log.schema()), |environment, (name, value)| {
                environment.with_parameter_text(name, value)
            });
        let metadata = tree.metadata().iter().chain(self.log.metadata().iter());
        let environment =
            metadata.fold(given, |environment, (key, value)| environment.with_metadata(key, value));
        let program = compile(text, &environment)
            .map_err(|errors| Fault::query(render_all(&errors, SOURCE, text).trim_end()))?;
        let outcome = engine::run(&program, tree, &Options::default())
            .map_err(|failure| Fault::query(failure.to_string()))?;
        let answers = outcome.answers.into_iter();
        let answers =
            answers.map(|answer| answer.map_err(|error| Fault::query(render_run(&error, SOURCE, text))));
        answers.map(|answer| answer.map(Table::of)).collect()
    }

    fn tree(&self, tree: usize) -> Result<Tree<'_>, Fault> {
        self.log.tree(tree).map_err(|_| self.no_such_tree(tree as i64))
    }

    fn no_such_tree(&self, tree: i64) -> Fault {
        let trees = self.log.tree_count();
        Fault::argument(format!("there is no tree {tree}: the log has {trees}, and the first is number 0"))
    }

    fn checked_attribute(&self, index: usize) -> Result<usize, Fault> {
        let attributes = self.log.schema().attributes().len();
        if index < attributes {
            return Ok(index);
        }
        Err(Fault::argument(format!(
            "there is no such attribute: the log has {attributes}, and the first is number 0"
        )))
    }

    fn find(&self, tree: usize, node: u64) -> Result<Found<'_>, Fault> {
        let mut walker = Walker::new(self.tree(tree)?);
        let located = walker.find(node).map_err(unreadable)?;
        Ok(Found { walker, located })
    }
}

fn unreadable(error: Error) -> Fault {
    match error {
        Error::NoSuchNode { .. } => error.into(),
        error => Fault::damaged(error.to_string()),
    }
}

/// The reason why a visit ended before the last node.
enum Visit {
    Ended,
    Failed(Error),
}

impl From<Error> for Visit {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Visit {
    fn outcome(ended: Result<(), Self>) -> Result<(), Fault> {
        match ended {
            Ok(()) | Err(Self::Ended) => Ok(()),
            Err(Self::Failed(error)) => Err(unreadable(error)),
        }
    }
}
