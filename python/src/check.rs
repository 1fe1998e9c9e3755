//! Checks of suites on logs of a fleet: see gt-check.

use std::path::PathBuf;

use gt_check::{Checks, Moves, PlainCheck, TreeNumber};
use gt_fleet::Notation;
use gt_log::Log;
use gt_query::MoveCodec;
use gt_query::engine::{Failure, Options};
use gt_report::missing_text;
use pyo3::prelude::*;

use crate::error::{self, LogError, QueryError};
use crate::work::interruptible;

/// Checks that can be asked of any log, and sent to other machines.
#[pyclass(frozen, module = "gt_tools._gt_tools")]
pub(crate) struct CheckList(Checks);

/// A check as Python sends it: name, query, of, expect, over, parameters, pack.
type Sent = (String, String, Option<String>, String, String, Vec<(String, String)>, Option<String>);

/// What a check came to on a tree: check, tree, nodes, number, of, compared, holds, sentence.
type CheckRow = (String, usize, u64, Option<f64>, Option<f64>, Option<f64>, Option<bool>, Option<String>);

#[pymethods]
impl CheckList {
    #[new]
    fn new(checks: Vec<Sent>) -> PyResult<Self> {
        let plain = |(name, query, of, expect, over, parameters, pack): Sent| PlainCheck {
            name,
            query,
            of,
            expect,
            over,
            parameters,
            pack,
        };
        let checks = Checks::of_plain(checks.into_iter().map(plain).collect());
        checks.map(Self).map_err(QueryError::new_err)
    }

    /// Those of a suite's file.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        Checks::read(&path).map(Self).map_err(|error| QueryError::new_err(error.to_string()))
    }

    /// Each as the constructor takes it.
    fn sent(&self) -> Vec<Sent> {
        let sent = |check: PlainCheck| {
            (check.name, check.query, check.of, check.expect, check.over, check.parameters, check.pack)
        };
        self.0.plain().map(sent).collect()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (Vec<Sent>,))> {
        Ok((slf.get_type().into_any().unbind(), (slf.get().sent(),)))
    }

    /// The numbers of all checks on the trees of a log.
    #[pyo3(signature = (path, *, takes_cut_logs = false, threads = 0))]
    fn on_log(
        &self,
        py: Python<'_>,
        path: PathBuf,
        takes_cut_logs: bool,
        threads: usize,
    ) -> PyResult<Vec<CheckRow>> {
        let log = Log::open(&path).map_err(|error| error::reading(&error))?;
        if let (false, Some(what)) = (takes_cut_logs, missing_text(log.condition())) {
            return Err(LogError::new_err(what));
        }
        let found = interruptible(py, |cancel| {
            self.0.on_log(&log, &GameMoves, &Options { threads, cancel: Some(cancel), ..Options::default() })
        })?;
        let found = found.map_err(|failure| match failure {
            Failure::Log(error) => error::reading(&error),
            other => QueryError::new_err(other.to_string()),
        })?;
        let names: Vec<String> = self.0.plain().map(|check| check.name).collect();
        let told = |found: TreeNumber| {
            let (compared, holds) =
                (found.judged.map(|judged| judged.0), found.judged.map(|judged| judged.1));
            let name = names[found.check].clone();
            (name, found.tree, found.nodes, found.number, found.of, compared, holds, found.sentence)
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// The numbers of all trees added up: as they are compared, and whether that is as expected; nothing of nothing.
    fn sum(&self, name: &str, number: f64, of: Option<f64>, nodes: u64) -> Option<(f64, bool)> {
        let place = self.0.plain().position(|check| check.name == name)?;
        self.0.sum(place, number, of, nodes)
    }
}

/// How the moves of logs are written.
struct GameMoves;

impl Moves for GameMoves {
    fn codec<'a>(&self, log: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        Notation::of(log).map(|notation| Box::new(notation) as Box<dyn MoveCodec + 'a>)
    }
}
