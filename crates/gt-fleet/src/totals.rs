//! One answer over all logs: the contribution of each, found on this or another machine, and their total.
//!
//! ```text
//! group by @ply select @ply, avg(best), 100.0 * count(type & PVNode) / count(*)
//!   each tree    by @ply: sum and count of best · count · count
//!   joined       by @ply: these added up
//!   at the end   the columns as they are written, order and limit
//! ```

use gt_log::Log;
use gt_query::Program;
use gt_query::answer::{OtherForm, Partial};
use gt_query::engine::{self, Failure, Options};

use crate::Unjoinable;
use crate::answers::{Answers, Part, Row, Words, rows_of};
use crate::beside::Beside;
use crate::column::Column;
use crate::notation::Notation;
use crate::question::Unanswered;
use crate::run::Fleet;

/// One answer over all logs.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
}

impl Fleet<'_> {
    /// Queries every log for its part of one answer over all of them, and calls `told` with every log.
    ///
    /// # Errors
    /// Returns an error if the query fits none of the logs, its form cannot be joined, the groups exceed the memory, or
    /// the run was stopped.
    pub fn join(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        let (log, program) = self.first()?;
        let partial = match self.gather(&program, told)? {
            Ok(partial) => partial,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        self.finish(&log, &program, partial).map(Ok)
    }

    /// Returns the contribution of all logs to one answer, as bytes for [`Fleet::total`] on this or another machine.
    ///
    /// # Errors
    /// Returns the errors of [`Fleet::join`].
    pub fn partials(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Vec<u8>, Unjoinable>, Unanswered> {
        Ok(self.gather(&self.first()?.1, told)?.map(Partial::encode))
    }

    /// Returns the total of partial answers, with the columns of the first log that the query fits.
    ///
    /// # Errors
    /// Returns the errors of [`Fleet::join`], and an error if some bytes are not from [`Fleet::partials`].
    pub fn total<'b>(
        &self,
        partials: impl IntoIterator<Item = &'b [u8]>,
    ) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        let (log, program) = self.first()?;
        let mut total = match Partial::new(&program) {
            Ok(total) => total,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        for bytes in partials {
            let partial = Partial::decode(&program, bytes).ok_or_else(|| {
                Unanswered::Query("these bytes are no partial answer to this query".to_owned())
            })?;
            self.add(&program, &mut total, partial)?;
        }
        self.finish(&log, &program, total).map(Ok)
    }

    /// The contribution of all logs to one answer; `program` is the query bound to the first of them.
    fn gather(
        &self,
        program: &Program,
        told: &mut dyn FnMut(&Part),
    ) -> Result<Result<Partial, Unjoinable>, Unanswered> {
        let nothing = match Partial::new(program) {
            Ok(nothing) => nothing,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        // A log's part is added once all of its trees have answered: a log that fails halfway adds nothing.
        let of_log = |log: &Log, options: &Options<'_>| self.gather_log(log, options, (program, &nothing));
        let mut total = nothing.clone();
        total.use_threads(self.all_threads());
        let mut failure = None;
        let asked = self.each(&of_log, &mut |path, found| {
            let (answers, partial) = match found {
                Ok((answers, partial)) => (Ok(answers), Some(partial)),
                Err(error) => (Err(error), None),
            };
            told(&Part { path, answers });
            let added = partial.map_or(Ok(()), |partial| self.add(program, &mut total, partial));
            added.map_err(|error| failure = Some(error)).is_ok()
        });
        failure.map_or(asked, Err)?;
        Ok(Ok(total))
    }

    /// The contribution of a log's trees, in the form of the first log's.
    fn gather_log(
        &self,
        log: &Log,
        options: &Options<'_>,
        (first, nothing): (&Program, &Partial),
    ) -> Result<(Answers, Partial), Unanswered> {
        let mut answers = Answers { metadata: log.metadata().clone(), trees: Vec::new(), nodes: 0 };
        let mut all = nothing.clone();
        all.use_threads(options.threads);
        for tree in self.question.trees_of(log)? {
            let program = self.question.bind(log, tree)?;
            let mut partial = engine::gather(&program, tree, options)?.map_err(|_| other_form(OtherForm))?;
            if let Some(error) = partial.failure(&program) {
                return Err(self.question.overflow(&error));
            }
            self.add(first, &mut all, partial)?;
            answers.nodes += tree.nodes();
            answers.trees.push((tree.number(), tree.metadata().clone(), Vec::new()));
        }
        Ok((answers, all))
    }

    fn add(&self, program: &Program, all: &mut Partial, more: Partial) -> Result<(), Unanswered> {
        all.merge(program, more).map_err(other_form)?;
        match all.exceeds(self.memory) {
            Some((what, bytes)) => Err(Failure::TooLarge { what, bytes }.into()),
            None => Ok(()),
        }
    }

    fn finish(&self, log: &Log, program: &Program, total: Partial) -> Result<Totals, Unanswered> {
        let answer = total.finish(program).map_err(|error| self.question.overflow(&error))?;
        let shared = self.shared_of(log, program);
        // Groups of several logs have no ply from which a mate could be counted.
        let words = Words {
            notation: Notation::of(log),
            schema: log.schema(),
            columns: &shared.columns,
            beside: Beside::default(),
            mates: None,
            names: None,
        };
        let mut rows = rows_of(answer);
        rows.iter_mut().for_each(|row| words.put(row, &shared));
        Ok(Totals { columns: shared.shown(), rows })
    }
}

fn other_form(_: OtherForm) -> Unanswered {
    Unanswered::Query("the query comes to another form here than on the first log".to_owned())
}
