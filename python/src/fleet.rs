//! One query on many logs: see gt-fleet.

mod listed;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gt_fleet::{Fleet, Part, Question, Unanswered};
use gt_query::engine::MEMORY_DEFAULT;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answer::Answer;
use crate::error::{self, LogError, QueryError};
use crate::work::{guarded, interruptible};
use crate::{parameters, values};
use listed::Listed;

/// The files that patterns stand for, in the order of their names.
#[pyfunction]
pub(crate) fn expand(patterns: Vec<PathBuf>) -> PyResult<Vec<PathBuf>> {
    Ok(gt_fleet::expand(&patterns).map_err(LogError::new_err)?.paths)
}

/// Asks a query of many logs.
#[pyfunction]
#[pyo3(signature = (paths, text, *, combine = false, raise_errors = false, metadata = Vec::new(), trees = Vec::new(),
    takes_cut_logs = false, blocks = None, threads = 0, memory = MEMORY_DEFAULT, parameters = None))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn query_many(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: &str,
    combine: bool,
    raise_errors: bool,
    metadata: Vec<String>,
    trees: Vec<usize>,
    takes_cut_logs: bool,
    blocks: Option<(usize, usize)>,
    threads: usize,
    memory: usize,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Answer, Vec<(PathBuf, String)>)> {
    let started = Instant::now();
    let paths = gt_fleet::expand(&paths).map_err(LogError::new_err)?.paths;
    let question =
        Question { parameters: parameters::of_keywords(parameters)?, trees, ..Question::new(text) };
    let run = interruptible(py, |cancel| {
        let fleet = Fleet::new(&paths, &question);
        let fleet = Fleet { threads, memory, takes_cut_logs, blocks, cancel: Some(cancel), ..fleet };
        if combine { joined(&fleet, raise_errors) } else { listed(&fleet, &metadata, raise_errors) }
    })?;
    let (schema, batches, errors) = run.map_err(|failure| match failure {
        Failed::Unanswered(error) => error::unanswered(&error),
        Failed::Sentence(sentence) => QueryError::new_err(sentence),
    })?;
    Ok((Answer::of_rows(text, schema, batches, started.elapsed().as_secs_f64()), errors))
}

/// The columns that the answer of many logs will have, as an answer without rows, and whether parts of a tree can be
/// asked by themselves; nothing is run.
#[pyfunction]
#[pyo3(signature = (paths, text, *, combine = false, metadata = Vec::new(), trees = Vec::new(), takes_cut_logs = false,
    parameters = None))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn describe_many(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: &str,
    combine: bool,
    metadata: Vec<String>,
    trees: Vec<usize>,
    takes_cut_logs: bool,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Answer, bool)> {
    let parameters = parameters::of_keywords(parameters)?;
    let question = Question { parameters, trees, ..Question::new(text) };
    let described = interruptible(py, |cancel| {
        let fleet = Fleet { takes_cut_logs, cancel: Some(cancel), ..Fleet::new(&paths, &question) };
        let columns = fleet.columns()?;
        if !combine {
            return Ok(Ok((Listed::new(&columns, &metadata).schema, fleet.is_divisible()?)));
        }
        // What cannot be joined is told now.
        Ok(fleet.total([])?.map(|_| (with_error(&values::schema(&columns)), true)))
    })?;
    let described = described.map_err(|error: Unanswered| error::unanswered(&error))?;
    let (schema, is_divisible) = described.map_err(|unjoinable| QueryError::new_err(unjoinable.0))?;
    Ok((Answer::of_rows(text, schema, Vec::new(), 0.0), is_divisible))
}

/// A joined answer's columns, and one for what was wrong with some logs.
fn with_error(schema: &SchemaRef) -> SchemaRef {
    let error = Field::new("error", DataType::Utf8, true);
    let fields: Vec<Field> = schema.fields().iter().map(|field| (**field).clone()).chain([error]).collect();
    let names = values::own_names(fields.iter().map(|field| field.name().clone()));
    let named = fields.into_iter().zip(names).map(|(field, name)| field.with_name(name));
    Arc::new(Schema::new(named.collect::<Vec<_>>()))
}

/// A log without an answer, and why.
type FailedLog = (PathBuf, String);

/// What some logs add to an answer over more of them, as bytes to be sent anywhere; and the logs that add nothing, each with
/// the reason.
#[pyfunction]
#[pyo3(signature = (paths, text, *, trees = Vec::new(), takes_cut_logs = false, blocks = None, threads = 0,
    parameters = None))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn partials<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    text: &str,
    trees: Vec<usize>,
    takes_cut_logs: bool,
    blocks: Option<(usize, usize)>,
    threads: usize,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Bound<'py, PyBytes>, Vec<FailedLog>)> {
    let parameters = parameters::of_keywords(parameters)?;
    let question = Question { parameters, trees, ..Question::new(text) };
    let mut errors = Vec::new();
    let partials = interruptible(py, |cancel| {
        let fleet = Fleet::new(&paths, &question);
        let fleet = Fleet { threads, takes_cut_logs, blocks, cancel: Some(cancel), ..fleet };
        fleet.partials(&mut |part| {
            if let Err(error) = &part.answers {
                errors.push((part.path.clone(), error.to_string()));
            }
        })
    })?;
    let partials = partials.map_err(|error| error::unanswered(&error))?;
    let partials = partials.map_err(|unjoinable| QueryError::new_err(unjoinable.0))?;
    Ok((PyBytes::new(py, &partials), errors))
}

/// The answer that partial ones come to, in the words of the log at `path`.
#[pyfunction]
#[pyo3(signature = (path, text, partials, *, trees = Vec::new(), takes_cut_logs = false, parameters = None))]
pub(crate) fn total(
    path: PathBuf,
    text: &str,
    partials: Vec<Bound<'_, PyBytes>>,
    trees: Vec<usize>,
    takes_cut_logs: bool,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answer> {
    let started = Instant::now();
    let parameters = parameters::of_keywords(parameters)?;
    let (paths, question) = ([path], Question { parameters, trees, ..Question::new(text) });
    guarded(|| {
        let fleet = Fleet { takes_cut_logs, ..Fleet::new(&paths, &question) };
        let totals = fleet.total(partials.iter().map(|bytes| bytes.as_bytes()));
        let totals = totals.map_err(|error| error::unanswered(&error))?;
        let totals = totals.map_err(|unjoinable| QueryError::new_err(unjoinable.0))?;
        let schema = values::schema(&totals.columns);
        let batch = values::batch(&schema, &totals.rows);
        let batch = batch.map_err(|error| QueryError::new_err(error.to_string()))?;
        Ok(Answer::of_rows(text, schema, vec![batch], started.elapsed().as_secs_f64()))
    })
}

enum Failed {
    Unanswered(Unanswered),
    Sentence(String),
}

impl From<ArrowError> for Failed {
    fn from(error: ArrowError) -> Self {
        Self::Sentence(error.to_string())
    }
}

type Ran = Result<(SchemaRef, Vec<RecordBatch>, Vec<(PathBuf, String)>), Failed>;

/// A row for each row of each log, with where it comes from, and one for each log without an answer.
fn listed(fleet: &Fleet<'_>, metadata: &[String], raise_errors: bool) -> Ran {
    let columns = fleet.columns().map_err(Failed::Unanswered)?;
    let mut table = Listed::new(&columns, metadata);
    let mut failed = None;
    let asked = fleet.ask(&mut |part| {
        if let (true, Err(error)) = (raise_errors, &part.answers) {
            failed = Some(Failed::Unanswered(at(&part, error)));
            return false;
        }
        table.take(part).map_err(|error| failed = Some(error.into())).is_ok()
    });
    if let Some(failed) = failed {
        return Err(failed);
    }
    asked.map_err(Failed::Unanswered)?;
    table.finish().map_err(Failed::from)
}

/// One answer over all logs.
fn joined(fleet: &Fleet<'_>, raise_errors: bool) -> Ran {
    let mut errors = Vec::new();
    let mut first = None;
    let totals = fleet.join(&mut |part| {
        if let Err(error) = &part.answers {
            first.get_or_insert_with(|| at(part, error));
            errors.push((part.path.clone(), error.to_string()));
        }
    });
    if let (true, Some(error)) = (raise_errors, first) {
        return Err(Failed::Unanswered(error));
    }
    let totals = totals.map_err(Failed::Unanswered)?.map_err(|unjoinable| Failed::Sentence(unjoinable.0))?;
    let schema = values::schema(&totals.columns);
    let batch = values::batch(&schema, &totals.rows)?;
    Ok((schema, vec![batch], errors))
}

/// An error with the log that it is of.
fn at(part: &Part, error: &Unanswered) -> Unanswered {
    let path = part.path.display();
    match error {
        Unanswered::Log(text) => Unanswered::Log(format!("{path}: {text}")),
        Unanswered::Query(text) => Unanswered::Query(format!("{path}:\n{text}")),
        Unanswered::Overflow(text) => Unanswered::Overflow(format!("{path}:\n{text}")),
        Unanswered::Stopped => Unanswered::Stopped,
    }
}
