//! One answer over all logs: partial answers of each, here or on another machine, and what they come to.

use gt_log::Log;
use gt_query::engine::{self, Options};
use gt_query::{Answer, Program};

use crate::answers::{Part, Row, Shared, rows_of, worded};
use crate::column::Column;
use crate::join::{Joint, Totals, Unjoinable};
use crate::notation::Notation;
use crate::question::Unanswered;
use crate::run::Fleet;

impl Fleet<'_> {
    /// Asks every log for what its trees add to one answer over all of them; `told` hears of every log.
    ///
    /// # Errors
    /// The query fits none of the logs, its form cannot be joined, or the run was stopped.
    pub fn join(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        match self.partials(told)? {
            Ok(partials) => self.total(&partials),
            Err(unjoinable) => Ok(Err(unjoinable)),
        }
    }

    /// What the trees of all logs add to one answer: rows of keys and partial aggregates, for [`Fleet::total`] of this or of
    /// another machine.
    ///
    /// # Errors
    /// As [`Fleet::join`].
    pub fn partials(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Vec<Row>, Unjoinable>, Unanswered> {
        let joint = match Joint::of(&self.first()?.1) {
            Ok(joint) => joint,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        // A log's parts are added when all of its trees have answered: one that fails in the middle adds nothing.
        let answer = |_: &Log, program: &Program, tree: gt_log::Tree<'_>, options: &Options<'_>| {
            let partial = Joint::partial(program, &joint)?;
            let outcome = engine::run(&partial, tree, options)?;
            let answer = outcome.answers.into_iter().next().unwrap_or(Ok(Answer::Count(0)));
            Ok(rows_of(answer.map_err(|error| self.question.overflow(&error))?))
        };
        let (mut gathered, mut failure) = (joint.start(), None);
        let asked = self.each(&answer, &mut |part| {
            told(&part);
            let trees = part.answers.iter().flat_map(|answers| &answers.trees);
            let added = trees.flat_map(|(_, _, rows)| rows).try_for_each(|row| gathered.add_row(row));
            added.map_err(|error| failure = Some(error)).is_ok()
        });
        failure.map_or(asked, Err)?;
        Ok(Ok(gathered.into_rows()))
    }

    /// The answer that partial ones come to, in the words of the first log that the query fits.
    ///
    /// # Errors
    /// As [`Fleet::join`]; and where a row is none that [`Fleet::partials`] gives.
    pub fn total(&self, partials: &[Row]) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        let (log, program) = self.first()?;
        let joint = match Joint::of(&program) {
            Ok(joint) => joint,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        let mut gathered = joint.start();
        partials.iter().try_for_each(|row| gathered.add_row(row))?;
        let columns = Column::all_of(&program, 0, log.schema(), false);
        let shared = Shared { columns, moves_are_texts: Notation::of(&log).is_some() };
        let notation = Notation::of(&log);
        let mut totals = joint.finish(&program, gathered).map_err(|error| self.question.overflow(&error))?;
        totals.columns = shared.shown();
        for row in &mut totals.rows {
            worded(row, &shared, notation.as_ref());
        }
        Ok(Ok(totals))
    }
}
