//! The table of many logs' answers: where each row comes from, the row, and why a log has none.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use gt_fleet::{Column, Part};

use crate::values;

/// A batch is made of so many rows.
const BATCH_ROWS: usize = 1 << 16;

/// The columns, the rows, and the logs that have no answer, each with the reason.
pub(super) type Joined = (SchemaRef, Vec<RecordBatch>, Vec<(PathBuf, String)>);

/// The table of answers with their sources.
pub(super) struct Listed<'a> {
    metadata: &'a [String],
    own: SchemaRef,
    pub(super) schema: SchemaRef,
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
    pub(super) fn new(columns: &[Column], metadata: &'a [String]) -> Self {
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

    pub(super) fn take(&mut self, part: Part) -> Result<(), ArrowError> {
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

    pub(super) fn finish(mut self) -> Result<Joined, ArrowError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        Ok((self.schema, self.batches, self.errors))
    }
}
