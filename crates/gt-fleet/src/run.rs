//! Logs side by side: each core takes the next, the answers come in the order of the paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};

use gt_log::{Limits, Log, Metadata};
use gt_query::engine::{self, Options};
use gt_query::{Answer, MoveCodec, Program, Type, Value};

use crate::column::Column;
use crate::join::{Joint, Totals, Unjoinable};
use crate::notation::Notation;
use crate::question::{Question, Unanswered};

/// A row of an answer; `None` is unknown.
pub type Row = Vec<Option<Value>>;

/// The answers of one log.
#[derive(Clone, Debug)]
pub struct Answers {
    /// What is said about the whole log.
    pub metadata: Metadata,
    /// For each tree that was asked its number, what is said about it, and its rows.
    pub trees: Vec<(usize, Metadata, Vec<Row>)>,
    /// How many nodes these trees have.
    pub nodes: u64,
}

/// What one log came to.
#[derive(Clone, Debug)]
pub struct Part {
    /// The log.
    pub path: PathBuf,
    /// Its answers, or why it has none.
    pub answers: Result<Answers, Unanswered>,
}

/// A query that is asked of many logs.
pub struct Fleet<'a> {
    /// The logs.
    pub paths: &'a [PathBuf],
    /// The query; one.
    pub question: &'a Question,
    /// How many threads work; 0 for as many as there are processors.
    pub threads: usize,
    /// How many bytes the groups and ordered rows of one tree may take.
    pub memory: usize,
    /// Within these limits logs are opened.
    pub limits: Limits,
    /// Set it to stop.
    pub cancel: Option<&'a AtomicBool>,
}

/// What the logs share: the columns of the first that the query fits.
struct Shared {
    columns: Vec<Column>,
    /// Whether moves become texts.
    moves_are_texts: bool,
}

impl Shared {
    /// The columns as they are handed over.
    fn shown(&self) -> Vec<Column> {
        let shown = |column: &Column| {
            let is_text = match column.value_type {
                Type::Move => self.moves_are_texts,
                Type::Line => true,
                Type::Integer | Type::Bits | Type::Float | Type::Boolean | Type::Text => false,
            };
            let value_type = if is_text { Type::Text } else { column.value_type };
            Column { value_type, ..column.clone() }
        };
        self.columns.iter().map(shown).collect()
    }
}

impl<'a> Fleet<'a> {
    /// A question to logs, on all cores.
    #[must_use]
    pub fn new(paths: &'a [PathBuf], question: &'a Question) -> Self {
        let memory = engine::MEMORY_DEFAULT;
        Self { paths, question, threads: 0, memory, limits: Limits::default(), cancel: None }
    }

    /// The columns of the answers: of the first log that the query fits. Moves are texts where that log has a notation, and
    /// lines always.
    ///
    /// # Errors
    /// The query fits none of the logs: what the first one says.
    pub fn columns(&self) -> Result<Vec<Column>, Unanswered> {
        self.shared().map(|shared| shared.shown())
    }

    /// Asks every log, and hands its part over in the order of the paths; `consume` says whether to go on.
    ///
    /// # Errors
    /// The query fits none of the logs, or the run was stopped.
    pub fn ask(&self, consume: &mut dyn FnMut(Part) -> bool) -> Result<(), Unanswered> {
        let shared = self.shared()?;
        self.each(&|log, program, tree, options| self.rows(&shared, log, program, tree, options), consume)
    }

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
        let gathered = Mutex::new(joint.start());
        let answer = |_: &Log, program: &Program, tree: gt_log::Tree<'_>, options: &Options<'_>| {
            let partial = Joint::partial(program, &joint)?;
            let outcome = engine::run(&partial, tree, options)?;
            let answer = outcome.answers.into_iter().next().unwrap_or(Ok(Answer::Count(0)));
            let answer = answer.map_err(|error| self.question.overflow(&error))?;
            gathered.lock().unwrap_or_else(PoisonError::into_inner).add(&answer)?;
            Ok(Vec::new())
        };
        self.each(&answer, &mut |part| {
            told(&part);
            true
        })?;
        Ok(Ok(gathered.into_inner().unwrap_or_else(PoisonError::into_inner).into_rows()))
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

    fn shared(&self) -> Result<Shared, Unanswered> {
        let (log, program) = self.first()?;
        let columns = Column::all_of(&program, 0, log.schema(), false);
        Ok(Shared { columns, moves_are_texts: Notation::of(&log).is_some() })
    }

    /// The first log that the query fits, and the query bound to its first tree.
    fn first(&self) -> Result<(Log, Program), Unanswered> {
        let mut error: Option<(&Path, Unanswered)> = None;
        for path in self.paths {
            match self.bound(path) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                // What is wrong with the query says more than what is wrong with a log.
                Err(new) => {
                    let replaces = matches!(
                        (&error, &new),
                        (None, _) | (Some((_, Unanswered::Log(_))), Unanswered::Query(_))
                    );
                    if replaces {
                        error = Some((path, new));
                    }
                }
            }
        }
        Err(match error {
            Some((path, Unanswered::Log(text))) => Unanswered::Log(format!("{}: {text}", path.display())),
            Some((_, other)) => other,
            None => Unanswered::Log("there is no tree in any of the logs".to_owned()),
        })
    }

    fn bound(&self, path: &Path) -> Result<Option<(Log, Program)>, Unanswered> {
        let log = Log::open_with(path, self.limits)?;
        let Some(tree) = self.question.trees_of(&log)?.into_iter().next() else { return Ok(None) };
        let program = self.question.bind(&log, tree)?;
        match program.queries.len() {
            1 => Ok(Some((log, program))),
            0 => Err(Unanswered::Query("there is no query in the text".to_owned())),
            count => Err(Unanswered::Query(format!(
                "many logs are asked one query at a time, and these are {count}"
            ))),
        }
    }

    fn rows(
        &self,
        shared: &Shared,
        log: &Log,
        program: &Program,
        tree: gt_log::Tree<'_>,
        options: &Options<'_>,
    ) -> Result<Vec<Row>, Unanswered> {
        let columns = Column::all_of(program, 0, log.schema(), false);
        let same = |(own, first): (&Column, &Column)| {
            own.heading == first.heading
                && own.value_type == first.value_type
                && own.is_unsigned == first.is_unsigned
        };
        if columns.len() != shared.columns.len() || !columns.iter().zip(&shared.columns).all(same) {
            return Err(Unanswered::Query(
                "the columns of its answer have other types than those of the first log".to_owned(),
            ));
        }
        let outcome = engine::run(program, tree, options)?;
        let answer = outcome.answers.into_iter().next().unwrap_or(Ok(Answer::Nodes(Vec::new())));
        let mut rows = rows_of(answer.map_err(|error| self.question.overflow(&error))?);
        let notation = Notation::of(log);
        rows.iter_mut().for_each(|row| worded(row, shared, notation.as_ref()));
        Ok(rows)
    }

    /// Opens every log, binds the query to each of its trees and calls `answer`; hands over in order.
    fn each(&self, answer: &Answering<'_>, consume: &mut dyn FnMut(Part) -> bool) -> Result<(), Unanswered> {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let all = if self.threads == 0 { processors() } else { self.threads };
        let threads = all.min(self.paths.len()).max(1);
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let is_stopped = || {
            stopped.load(Ordering::Relaxed)
                || self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        };
        std::thread::scope(|scope| {
            // What waits to be handed over is bounded by this, and by what each thread has in its hands.
            let (sender, receiver) = sync_channel(4 * threads);
            for _ in 0..threads {
                let (sender, next, is_stopped) = (sender.clone(), &next, &is_stopped);
                scope.spawn(move || {
                    let options = Options {
                        threads: (all / threads).max(1),
                        memory: self.memory,
                        cancel: self.cancel,
                        ..Options::default()
                    };
                    while !is_stopped() {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = self.paths.get(place) else { return };
                        let part = Part { path: path.clone(), answers: self.one(path, &options, answer) };
                        if sender.send((place, part)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut turn) = (BTreeMap::new(), 0);
            for (place, part) in receiver {
                waiting.insert(place, part);
                while let Some(part) = waiting.remove(&turn) {
                    turn += 1;
                    if matches!(part.answers, Err(Unanswered::Stopped)) || !consume(part) {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(Unanswered::Stopped);
                    }
                }
            }
            if is_stopped() { Err(Unanswered::Stopped) } else { Ok(()) }
        })
    }

    fn one(&self, path: &Path, options: &Options<'_>, answer: &Answering<'_>) -> Result<Answers, Unanswered> {
        let log = Log::open_with(path, self.limits)?;
        let mut answers = Answers { metadata: log.metadata().clone(), trees: Vec::new(), nodes: 0 };
        for tree in self.question.trees_of(&log)? {
            let program = self.question.bind(&log, tree)?;
            let rows = answer(&log, &program, tree, options)?;
            answers.nodes += tree.nodes();
            answers.trees.push((tree.number(), tree.metadata().clone(), rows));
        }
        Ok(answers)
    }
}

type Answering<'f> =
    dyn Fn(&Log, &Program, gt_log::Tree<'_>, &Options<'_>) -> Result<Vec<Row>, Unanswered> + Sync + 'f;

/// An answer as rows: a count, a value and a list of nodes are tables of one column.
fn rows_of(answer: Answer) -> Vec<Row> {
    let integer = |number: u64| vec![Some(Value::Integer(number.into()))];
    match answer {
        Answer::Count(count) => vec![integer(count)],
        Answer::Value(value) => vec![vec![value]],
        Answer::Nodes(nodes) => nodes.into_iter().map(integer).collect(),
        Answer::Rows { rows, .. } => rows,
    }
}

/// Puts moves and lines into words; without a notation, lines are the numbers of their moves.
fn worded(row: &mut Row, shared: &Shared, notation: Option<&Notation<'_>>) {
    let word = |number: i64| {
        notation.and_then(|notation| notation.text(number)).unwrap_or_else(|| number.to_string())
    };
    for (cell, column) in row.iter_mut().zip(&shared.columns) {
        let text = match (&*cell, column.value_type) {
            (Some(Value::Integer(number)), Type::Move) if shared.moves_are_texts => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), word)
            }
            (Some(Value::Line(line)), _) => line.moves().into_iter().map(word).collect::<Vec<_>>().join(" "),
            _ => continue,
        };
        *cell = Some(Value::text(&text));
    }
}
