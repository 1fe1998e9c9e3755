//! One query on many logs: see gt-fleet.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gt_fleet::{Column, Fleet, Part, Question, Unanswered};
use gt_query::engine::MEMORY_DEFAULT;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::Answer;
use crate::error::{self, LogError, QueryError};
use crate::work::interruptible;
use crate::{parameters, values};

/// The files that patterns stand for, in the order of their names.
#[pyfunction]
pub(crate) fn expand(patterns: Vec<PathBuf>) -> PyResult<Vec<PathBuf>> {
    Ok(gt_fleet::expand(&patterns).map_err(LogError::new_err)?.paths)
}

/// A batch is made of so many rows.
const BATCH_ROWS: usize = 1 << 16;

/// Asks a query of many logs.
#[pyfunction]
#[pyo3(signature = (paths, text, *, combine = false, raise_errors = false, metadata = Vec::new(), trees = Vec::new(),
    threads = 0, memory = MEMORY_DEFAULT, parameters = None))]
#[allow(clippy::too_many_arguments)] // They are keywords of a Python function.
pub(crate) fn query_many(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: &str,
    combine: bool,
    raise_errors: bool,
    metadata: Vec<String>,
    trees: Vec<usize>,
    threads: usize,
    memory: usize,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Answer, Vec<(PathBuf, String)>)> {
    let started = Instant::now();
    let paths = gt_fleet::expand(&paths).map_err(LogError::new_err)?.paths;
    let question =
        Question { parameters: parameters::of_keywords(parameters)?, trees, ..Question::new(text) };
    let run = interruptible(py, |cancel| {
        let fleet = Fleet { threads, memory, cancel: Some(cancel), ..Fleet::new(&paths, &question) };
        if combine { joined(&fleet, raise_errors) } else { listed(&fleet, &metadata, raise_errors) }
    })?;
    let (schema, batches, errors) = run.map_err(|failure| match failure {
        Failed::Unanswered(error) => error::unanswered(&error),
        Failed::Sentence(sentence) => QueryError::new_err(sentence),
    })?;
    Ok((Answer::of_rows(text, schema, batches, started.elapsed().as_secs_f64()), errors))
}

/// What one log adds to an answer over many: rows of keys and partial aggregates, to be sent anywhere.
#[pyfunction]
pub(crate) fn partials(
    py: Python<'_>,
    path: PathBuf,
    text: &str,
    trees: Vec<usize>,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Vec<Vec<Py<PyAny>>>> {
    let parameters = parameters::of_keywords(Some(parameters))?;
    let (paths, question) = ([path], Question { parameters, trees, ..Question::new(text) });
    let partials = interruptible(py, |cancel| {
        let fleet = Fleet { threads: 1, cancel: Some(cancel), ..Fleet::new(&paths, &question) };
        let mut wrong = None;
        let partials = fleet.partials(&mut |part| wrong = part.answers.as_ref().err().cloned())?;
        wrong.map_or(Ok(partials), Err)
    })?;
    let partials = partials.map_err(|error| error::unanswered(&error))?;
    let partials = partials.map_err(|unjoinable| QueryError::new_err(unjoinable.0))?;
    let row = |row: &gt_fleet::Row| row.iter().map(|cell| values::of_answer(py, cell.as_ref())).collect();
    partials.iter().map(row).collect()
}

/// The answer that partial ones come to, in the words of the log at `path`.
#[pyfunction]
pub(crate) fn total(
    py: Python<'_>,
    path: PathBuf,
    text: &str,
    trees: Vec<usize>,
    partials: Vec<Vec<Bound<'_, PyAny>>>,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Answer> {
    let started = Instant::now();
    let parameters = parameters::of_keywords(Some(parameters))?;
    let cell =
        |cell: &Bound<'_, PyAny>| if cell.is_none() { Ok(None) } else { parameters::value(cell).map(Some) };
    let rows = partials.iter().map(|row| row.iter().map(cell).collect::<PyResult<gt_fleet::Row>>());
    let rows = rows.collect::<PyResult<Vec<_>>>()?;
    let (paths, question) = ([path], Question { parameters, trees, ..Question::new(text) });
    let totals = interruptible(py, |_| Fleet::new(&paths, &question).total(&rows))?;
    let totals = totals.map_err(|error| error::unanswered(&error))?;
    let totals = totals.map_err(|unjoinable| QueryError::new_err(unjoinable.0))?;
    let schema = values::schema(&totals.columns);
    let batch =
        values::batch(&schema, &totals.rows).map_err(|error| QueryError::new_err(error.to_string()))?;
    Ok(Answer::of_rows(text, schema, vec![batch], started.elapsed().as_secs_f64()))
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

/// The columns, the rows, and the logs that have no answer, each with the reason.
type Joined = (SchemaRef, Vec<RecordBatch>, Vec<(PathBuf, String)>);

/// The table of answers with their sources.
struct Listed<'a> {
    metadata: &'a [String],
    own: SchemaRef,
    schema: SchemaRef,
    source: Source,
    rows: Vec<gt_fleet::Row>,
    batches: Vec<RecordBatch>,
    errors: Vec<(PathBuf, String)>,
}

/// What stands before and after an answer's columns.
#[derive(Default)]
struct Source {
    log: StringBuilder,
    tree: Int64Builder,
    metadata: Vec<StringBuilder>,
    error: StringBuilder,
}

impl<'a> Listed<'a> {
    fn new(columns: &[Column], metadata: &'a [String]) -> Self {
        let own = values::schema(columns);
        let before = [Field::new("log", DataType::Utf8, false), Field::new("tree", DataType::Int64, true)];
        let about = metadata.iter().map(|name| Field::new(name, DataType::Utf8, true));
        let error = Field::new("error", DataType::Utf8, true);
        let fields =
            before.into_iter().chain(about).chain(own.fields().iter().map(|field| (**field).clone()));
        let fields: Vec<Field> = fields.chain([error]).collect();
        let names = values::own_names(fields.iter().map(|field| field.name().clone()));
        let fields: Vec<Field> =
            fields.into_iter().zip(names).map(|(field, name)| field.with_name(name)).collect();
        let source =
            Source { metadata: metadata.iter().map(|_| StringBuilder::new()).collect(), ..Source::default() };
        let schema = Arc::new(Schema::new(fields));
        Self { metadata, own, schema, source, rows: Vec::new(), batches: Vec::new(), errors: Vec::new() }
    }

    fn take(&mut self, part: Part) -> Result<(), ArrowError> {
        let log = part.path.display().to_string();
        match part.answers {
            Err(error) => {
                let error = error.to_string();
                self.row(&log, None, &[None], Some(&error), Vec::new())?;
                self.errors.push((part.path, error));
            }
            Ok(answers) => {
                for (tree, about, rows) in answers.trees {
                    let said =
                        |name: &String| about.get(name).or(answers.metadata.get(name)).map(str::to_owned);
                    let said: Vec<Option<String>> = self.metadata.iter().map(said).collect();
                    for row in rows {
                        self.row(&log, Some(tree as i64), &said, None, row)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        log: &str,
        tree: Option<i64>,
        said: &[Option<String>],
        error: Option<&str>,
        row: gt_fleet::Row,
    ) -> Result<(), ArrowError> {
        self.source.log.append_value(log);
        self.source.tree.append_option(tree);
        for (place, builder) in self.source.metadata.iter_mut().enumerate() {
            builder.append_option(said.get(place).and_then(Option::as_deref));
        }
        self.source.error.append_option(error);
        self.rows.push(row);
        if self.rows.len() >= BATCH_ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ArrowError> {
        let rows = std::mem::take(&mut self.rows);
        let own = values::batch(&self.own, &rows)?;
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(self.source.log.finish()), Arc::new(self.source.tree.finish())];
        arrays.extend(self.source.metadata.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        arrays.extend(own.columns().iter().cloned());
        arrays.push(Arc::new(self.source.error.finish()));
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        self.batches.push(RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?);
        Ok(())
    }

    fn finish(mut self) -> Result<Joined, ArrowError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        Ok((self.schema, self.batches, self.errors))
    }
}
