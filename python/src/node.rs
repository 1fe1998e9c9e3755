//! Single nodes: values, relatives, the way to them, the board.

use std::sync::{Arc, Mutex, PoisonError};

use gt_fleet::Notation;
use gt_games::GameKind;
use gt_games::registry::{Setup, replay};
use gt_log::{Log, Walker};
use gt_query::MoveCodec;
use pyo3::exceptions::{PyAttributeError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use self_cell::self_cell;

use crate::error::{self, GameError, LogError};
use crate::game::Position;
use crate::handle::Handle;
use crate::html::escaped;
use crate::values;
use crate::work::guarded;

self_cell!(
    struct WalkerOf {
        owner: Arc<Log>,
        #[not_covariant]
        dependent: Walker,
    }
);

/// What the nodes of a tree share: a walker that keeps the blocks it used last.
pub(crate) struct Walk {
    handle: Arc<Handle>,
    number: usize,
    nodes: u64,
    walker: Mutex<WalkerOf>,
}

impl Walk {
    pub(crate) fn new(handle: Arc<Handle>, log: Arc<Log>, number: usize) -> PyResult<Self> {
        let nodes = log.tree(number).map_err(|error| error::reading(&error))?.nodes();
        let walker = WalkerOf::try_new(log, |log| log.tree(number).map(Walker::new));
        let walker = walker.map_err(|error| error::reading(&error))?;
        Ok(Self { handle, number, nodes, walker: Mutex::new(walker) })
    }

    /// Reads something, unless the log was closed.
    fn read<T>(&self, read: impl FnOnce(&mut Walker<'_>) -> gt_log::Result<T>) -> PyResult<T> {
        self.handle.log()?;
        guarded(|| {
            let mut walker = self.walker.lock().unwrap_or_else(PoisonError::into_inner);
            walker.with_dependent_mut(|_, walker| read(walker)).map_err(|error| error::reading(&error))
        })
    }

    fn move_text(&self, number: i64) -> PyResult<String> {
        let log = self.handle.log()?;
        let text = Notation::of(&log).and_then(|notation| notation.text(number));
        Ok(text.unwrap_or_else(|| number.to_string()))
    }
}

/// A node of a tree.
#[pyclass(frozen, module = "gt_tools")]
pub(crate) struct Node {
    walk: Arc<Walk>,
    /// Its node_id.
    id: u64,
    row: u64,
    /// The moves from the root.
    codes: Vec<i64>,
    /// The rows of its ancestors, root first.
    ancestors: Vec<u64>,
}

impl Node {
    pub(crate) fn find(walk: Arc<Walk>, node_id: i64) -> PyResult<Self> {
        let nodes = walk.nodes;
        let id = if node_id < 0 {
            nodes.checked_sub(node_id.unsigned_abs())
        } else {
            Some(node_id.unsigned_abs())
        };
        let Some(id) = id.filter(|id| *id < nodes) else {
            return Err(LogError::new_err(format!(
                "there is no node {node_id} in this tree: it has {nodes}, numbered from 0"
            )));
        };
        let located = walk.read(|walker| walker.find(id))?;
        let (codes, ancestors) = (located.line, located.ancestors);
        Ok(Self { walk, id: located.node, row: located.row, codes, ancestors })
    }

    fn child(&self, row: u64, id: u64, code: i64) -> Self {
        let mut codes = self.codes.clone();
        codes.push(code);
        let mut ancestors = self.ancestors.clone();
        ancestors.push(self.row);
        Self { walk: Arc::clone(&self.walk), id, row, codes, ancestors }
    }

    fn attribute(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let log = self.walk.handle.log()?;
        let Some(place) = log.schema().position(name) else { return Ok(None) };
        let value = self.walk.read(|walker| walker.value(self.row, place))?;
        values::of_log(py, &value).map(Some)
    }
}

#[pymethods]
impl Node {
    /// Its node_id: its place in the order of entering, the root being 0.
    #[getter]
    fn id(&self) -> u64 {
        self.id
    }

    /// Its distance from the root.
    #[getter]
    fn ply(&self) -> usize {
        self.ancestors.len()
    }

    /// How many nodes its subtree has, itself included.
    #[getter]
    fn size(&self) -> PyResult<u64> {
        self.walk.read(|walker| walker.size(self.row))
    }

    /// The number of the move that led to it.
    #[getter]
    fn last_move(&self) -> PyResult<i64> {
        self.walk.read(|walker| walker.last_move(self.row))
    }

    /// The move that led to it, in the game's notation or by the log's name; `None` at the root.
    #[getter]
    fn r#move(&self) -> PyResult<Option<String>> {
        if self.ancestors.is_empty() {
            return Ok(None);
        }
        self.walk.move_text(self.last_move()?).map(Some)
    }

    /// The moves from the root to it.
    #[getter]
    fn line(&self) -> PyResult<Vec<String>> {
        self.codes.iter().map(|&code| self.walk.move_text(code)).collect()
    }

    /// Its parent; `None` of the root.
    #[getter]
    fn parent(&self) -> PyResult<Option<Self>> {
        let Some((&row, above)) = self.ancestors.split_last() else { return Ok(None) };
        let size = self.walk.read(|walker| walker.size(row))?;
        let codes = self.codes[..self.codes.len().saturating_sub(1)].to_vec();
        // A node's number is its row, and those of its open ancestors that come before it, less its subtree.
        let id = row + above.len() as u64 + 1 - size;
        Ok(Some(Self { walk: Arc::clone(&self.walk), id, row, codes, ancestors: above.to_vec() }))
    }

    /// Its children, in the order of the search.
    #[getter]
    fn children(&self) -> PyResult<Vec<Self>> {
        let rows = self.walk.read(|walker| {
            let rows = walker.children(self.row)?;
            rows.into_iter()
                .map(|row| Ok((row, walker.size(row)?, walker.last_move(row)?)))
                .collect::<gt_log::Result<Vec<_>>>()
        })?;
        let mut id = self.id + 1;
        let child = |(row, size, code): (u64, u64, i64)| {
            let child = self.child(row, id, code);
            id += size;
            child
        };
        Ok(rows.into_iter().map(child).collect())
    }

    /// The nodes from the root to it, both included.
    #[getter]
    fn path(&self) -> PyResult<Vec<Self>> {
        let mut path = vec![Self {
            walk: Arc::clone(&self.walk),
            id: self.id,
            row: self.row,
            codes: self.codes.clone(),
            ancestors: self.ancestors.clone(),
        }];
        while let Some(parent) = path.last().map(Self::parent).transpose()?.flatten() {
            path.push(parent);
        }
        path.reverse();
        Ok(path)
    }

    /// The values of its attributes; `None` where it lacks one.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let log = self.walk.handle.log()?;
        let values = PyDict::new(py);
        for attribute in log.schema().attributes() {
            values.set_item(&attribute.name, self.attribute(py, &attribute.name)?)?;
        }
        Ok(values)
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.attribute(py, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let unknown =
            || PyAttributeError::new_err(format!("the nodes of this log have no attribute `{name}`"));
        // What Python itself looks for is never an attribute of a log.
        if name.starts_with('_') {
            return Err(unknown());
        }
        self.attribute(py, name)?.ok_or_else(unknown)
    }

    /// The position at it: a board as text and as a picture, and the rules from there on.
    #[getter]
    fn position(&self) -> PyResult<Position> {
        let log = self.walk.handle.log()?;
        let kind: GameKind = log.game().parse().map_err(|_| {
            GameError::new_err(format!("`{}` is not a game whose rules are known here", log.game()))
        })?;
        guarded(|| {
            let tree = log.tree(self.walk.number).map_err(|error| error::reading(&error))?;
            let said = |name: &str| tree.metadata().get(name).or(log.metadata().get(name));
            let setup = Setup::position(said("position").unwrap_or(""));
            let replayed = replay(kind, &setup, &self.codes).map_err(|error| error::game(&error))?;
            Ok(Position::new(replayed.game, replayed.moves.last().cloned()))
        })
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id
            && self.walk.number == other.walk.number
            && Arc::ptr_eq(&self.walk.handle, &other.walk.handle)
    }

    fn __hash__(&self) -> u64 {
        self.id
    }

    fn __repr__(&self) -> String {
        let line = self.line().unwrap_or_default().join(" ");
        let line = if line.is_empty() { "the root".to_owned() } else { line };
        format!("<gt_tools.Node {}: {line}>", self.id)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut rows = String::new();
        for (name, value) in self.values(py)?.iter() {
            let (name, value) = (name.str()?.to_string(), value.str()?.to_string());
            let (name, value) = (escaped(&name), escaped(&value));
            rows += &format!("<tr><th style=\"text-align:left\">{name}</th><td>{value}</td></tr>");
        }
        let board = self.position().map(|position| position._repr_svg_()).unwrap_or_default();
        let line = escaped(&self.line()?.join(" "));
        Ok(format!("<p>node {}: {line}</p>{board}<table><tbody>{rows}</tbody></table>", self.id))
    }
}
