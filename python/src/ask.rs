//! Queries on a tree, run; rows become batches of Arrow while they are found.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use gt_fleet::{Column, Notation, Question, Row, Unanswered};
use gt_log::Log;
use gt_query::engine::{Finding, Options};
use gt_query::ir::ResultColumn;
use gt_query::stream::{RowSink, stream};
use gt_query::{Program, Type};

use crate::answer::{Answer, Content};
use crate::values;

/// A query on a tree, before it is run.
pub(crate) struct Asked<'a> {
    pub(crate) log: &'a Log,
    pub(crate) number: usize,
    pub(crate) question: &'a Question,
    pub(crate) threads: usize,
    pub(crate) memory: usize,
}

impl Asked<'_> {
    /// Binds and runs; an answer for each query of the text.
    pub(crate) fn run(&self, cancel: &AtomicBool) -> Result<Vec<Answer>, Unanswered> {
        let started = Instant::now();
        let tree = self.log.tree(self.number)?;
        let program = self.question.bind(self.log, tree)?;
        let options = Options {
            threads: self.threads,
            memory: self.memory,
            cancel: Some(cancel),
            ..Options::default()
        };
        let notation = Notation::of(self.log);
        let mut sink = Batches::new(self.log, &program, notation);
        let findings = stream(&program, tree, &options, &mut sink)?;
        let mut answers = Vec::with_capacity(program.queries.len());
        for (place, found) in findings.found.into_iter().enumerate() {
            let found = found.map_err(|error| self.question.overflow(&error))?;
            let matches = findings.stats.matches.get(place).copied().unwrap_or(0);
            let content = sink.content(place, found, matches, &options)?;
            let query = &program.queries[place];
            answers.push(Answer {
                name: query.name.clone().unwrap_or_else(|| (place + 1).to_string()),
                text: query.text.clone(),
                schema: Arc::clone(&sink.queries[place].schema),
                content,
                seconds: started.elapsed().as_secs_f64(),
            });
        }
        Ok(answers)
    }
}

/// Rows become a batch when they are so many.
const BATCH_ROWS: usize = 1 << 16;

/// Takes rows as they are found, and makes batches of them.
struct Batches<'a> {
    notation: Option<Notation<'a>>,
    queries: Vec<QueryBatches>,
    failure: Option<ArrowError>,
}

struct QueryBatches {
    columns: Vec<Column>,
    schema: SchemaRef,
    rows: Vec<Row>,
    batches: Vec<RecordBatch>,
    has_begun: bool,
}

impl<'a> Batches<'a> {
    fn new(log: &Log, program: &Program, notation: Option<Notation<'a>>) -> Self {
        let query = |place| {
            let columns = Column::all_of(program, place, log.schema(), false);
            let shown = columns.iter().map(|column| Column {
                value_type: match column.value_type {
                    Type::Move if notation.is_some() => Type::Text,
                    other => other,
                },
                ..column.clone()
            });
            let schema = values::schema(&shown.collect::<Vec<_>>());
            QueryBatches { columns, schema, rows: Vec::new(), batches: Vec::new(), has_begun: false }
        };
        let queries = (0..program.queries.len()).map(query).collect();
        Self { notation, queries, failure: None }
    }

    fn take(&mut self, place: usize, mut rows: Vec<Row>) -> Result<(), ArrowError> {
        let query = &mut self.queries[place];
        if let Some(notation) = &self.notation {
            values::put_into_words(&mut rows, &query.columns, notation);
        }
        query.rows.append(&mut rows);
        if query.rows.len() >= BATCH_ROWS { query.flush() } else { Ok(()) }
    }

    /// What a query came to.
    fn content(
        &mut self,
        place: usize,
        found: Finding<'_>,
        matches: u64,
        options: &Options<'_>,
    ) -> Result<Content, Unanswered> {
        if let Some(error) = self.failure.take() {
            return Err(Unanswered::Query(error.to_string()));
        }
        let broken = |error: ArrowError| Unanswered::Query(error.to_string());
        if !self.queries[place].has_begun {
            let ids = match found {
                Finding::Matches(found) => found.into_ids(options)?.into_vec(options.threads),
                Finding::Answer(gt_query::Answer::Nodes(ids)) => ids,
                Finding::Answer(gt_query::Answer::Count(count)) => return Ok(Content::Count(count)),
                Finding::Answer(gt_query::Answer::Value(value)) => return Ok(Content::Value(value, matches)),
                Finding::Answer(gt_query::Answer::Rows { rows, .. }) => {
                    self.take(place, rows).map_err(broken)?;
                    return self.queries[place].rows().map_err(broken);
                }
            };
            // A node_id is below 2^40. The list keeps its memory.
            return Ok(Content::Nodes(Arc::new(ids.into_iter().map(|id| id as i64).collect())));
        }
        self.queries[place].rows().map_err(broken)
    }
}

impl QueryBatches {
    fn flush(&mut self) -> Result<(), ArrowError> {
        let rows = std::mem::take(&mut self.rows);
        self.batches.push(values::batch(&self.schema, &rows)?);
        Ok(())
    }

    fn rows(&mut self) -> Result<Content, ArrowError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        Ok(Content::Rows(std::mem::take(&mut self.batches)))
    }
}

impl RowSink for Batches<'_> {
    fn begin(&mut self, query: usize, _: &[ResultColumn]) {
        self.queries[query].has_begun = true;
    }

    fn rows(&mut self, query: usize, rows: Vec<Row>) -> ControlFlow<()> {
        match self.take(query, rows) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
