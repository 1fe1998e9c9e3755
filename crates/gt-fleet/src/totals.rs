//! One answer over all logs: partial answers of each, from this or another machine, and their total.

use gt_log::Log;
use gt_query::engine::{self, Options};
use gt_query::{Answer, Program};

use crate::answers::{Part, Row, Words, rows_of};
use crate::beside::Beside;
use crate::join::{Joint, Totals, Unjoinable};
use crate::notation::Notation;
use crate::question::Unanswered;
use crate::run::Fleet;

impl Fleet<'_> {
    /// Queries every log for its part of one answer over all of them, and calls `told` with every log.
    ///
    /// # Errors
    /// Returns an error if the query fits none of the logs, its form cannot be joined, or the run was
    /// stopped.
    pub fn join(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        match self.partials(told)? {
            Ok(partials) => self.total(&partials),
            Err(unjoinable) => Ok(Err(unjoinable)),
        }
    }

    /// Returns the parts of the trees of all logs in one answer: rows of keys and partial aggregates, for
    /// [`Fleet::total`] on this or another machine.
    ///
    /// # Errors
    /// Returns the errors of [`Fleet::join`].
    pub fn partials(&self, told: &mut dyn FnMut(&Part)) -> Result<Result<Vec<Row>, Unjoinable>, Unanswered> {
        let joint = match Joint::of(&self.first()?.1) {
            Ok(joint) => joint,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        // A log's parts are added once all of its trees have answered: one that fails halfway adds nothing.
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

    /// Returns the total of partial answers, with the columns of the first log that the query fits.
    ///
    /// # Errors
    /// Returns the errors of [`Fleet::join`], and an error if a row is not from [`Fleet::partials`].
    pub fn total(&self, partials: &[Row]) -> Result<Result<Totals, Unjoinable>, Unanswered> {
        let (log, program) = self.first()?;
        let joint = match Joint::of(&program) {
            Ok(joint) => joint,
            Err(unjoinable) => return Ok(Err(unjoinable)),
        };
        let mut gathered = joint.start();
        partials.iter().try_for_each(|row| gathered.add_row(row))?;
        let shared = self.shared_of(&log, &program);
        // Groups of several logs have no ply from which a mate could be counted.
        let words = Words {
            notation: Notation::of(&log),
            schema: log.schema(),
            columns: &shared.columns,
            beside: Beside::default(),
            mates: None,
            names: None,
        };
        let mut totals = joint.finish(&program, gathered).map_err(|error| self.question.overflow(&error))?;
        totals.columns = shared.shown();
        for row in &mut totals.rows {
            words.put(row, &shared);
        }
        Ok(Ok(totals))
    }
}
