//! Logs in parallel: each thread takes the next, and the answers come in the order of the paths.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use gt_games::registry::GameKind;
use gt_log::{Limits, Log};
use gt_query::engine::{self, Options};
use gt_query::{Answer, Program};
use gt_report::{Mates, NodeNames, missing_text, move_names};

use crate::answers::{Answers, Part, Row, Shared, Words, rows_of};
use crate::beside::{Beside, Needs};
use crate::column::Column;
use crate::notation::Notation;
use crate::question::{Question, Unanswered};

/// A query on many logs.
pub struct Fleet<'a> {
    /// The logs.
    pub paths: &'a [PathBuf],
    /// The query; exactly one.
    pub question: &'a Question,
    /// The number of threads; 0 for the number of processors.
    pub threads: usize,
    /// The maximum number of bytes for the groups and ordered rows of one tree, and for joined groups.
    pub memory: usize,
    /// The limits for opening logs.
    pub limits: Limits,
    /// Whether a log that was not closed or lost a part is queried as far as it goes; otherwise it has no
    /// answer.
    pub takes_cut_logs: bool,
    /// The range of blocks to search in each tree, from the first to before the second. The answers from the parts of a
    /// tree add up if [`Fleet::is_divisible`] holds, and as [`Fleet::partials`].
    pub blocks: Option<(usize, usize)>,
    /// Whether moves stay numbers, and lines lists of them.
    pub raw_moves: bool,
    /// Whether values become texts if they have words: aliases, and `mate in 3`. For people, not for programs.
    pub in_words: bool,
    /// Set it to stop the run.
    pub cancel: Option<&'a AtomicBool>,
}

impl<'a> Fleet<'a> {
    /// Makes a query on logs, with all cores.
    #[must_use]
    pub fn new(paths: &'a [PathBuf], question: &'a Question) -> Self {
        let (memory, limits) = (engine::MEMORY_DEFAULT, Limits::default());
        Self {
            paths,
            question,
            threads: 0,
            memory,
            limits,
            takes_cut_logs: false,
            blocks: None,
            raw_moves: false,
            in_words: false,
            cancel: None,
        }
    }

    /// Whether the lists from the parts of a tree make up the list from the whole tree.
    ///
    /// # Errors
    /// Returns the errors of [`Fleet::columns`].
    pub fn is_divisible(&self) -> Result<bool, Unanswered> {
        self.first().map(|(_, program)| engine::is_divisible(&program.queries[0].outcome))
    }

    /// Returns the columns of the answers: those of the first log that the query fits. Moves are texts if that log
    /// has a notation, and lines always.
    ///
    /// # Errors
    /// Returns the first log's error if the query fits none of the logs.
    pub fn columns(&self) -> Result<Vec<Column>, Unanswered> {
        self.shared().map(|shared| shared.shown())
    }

    /// Queries every log, and calls `consume` with its part in the order of the paths; `consume` returns
    /// whether to continue.
    ///
    /// # Errors
    /// Returns an error if the query fits none of the logs, or the run was stopped.
    pub fn ask(&self, consume: &mut dyn FnMut(Part) -> bool) -> Result<(), Unanswered> {
        let shared = self.shared()?;
        self.each(&|log, options| self.ask_log(&shared, log, options), &mut |path, answers| {
            consume(Part { path, answers })
        })
    }

    fn shared(&self) -> Result<Shared, Unanswered> {
        let (log, program) = self.first()?;
        Ok(self.shared_of(&log, &program))
    }

    /// What the logs share if this is the first of them.
    pub(crate) fn shared_of(&self, log: &Log, program: &Program) -> Shared {
        Shared {
            columns: Column::all_of(program, 0, log.schema(), false),
            moves_are_texts: !self.raw_moves && (Notation::of(log).is_some() || self.names_of(log).is_some()),
            values_are_texts: self.in_words,
        }
    }

    /// The attribute with the names that nodes give to their moves, if these are shown and the game has no notation.
    fn names_of(&self, log: &Log) -> Option<usize> {
        let is_unknown = log.game().parse::<GameKind>().is_err();
        move_names(log.schema()).filter(|_| is_unknown && self.in_words && !self.raw_moves)
    }

    /// The first log that the query fits, and the query bound to its first tree.
    pub(crate) fn first(&self) -> Result<(Log, Program), Unanswered> {
        let mut error: Option<(&Path, Unanswered)> = None;
        for path in self.paths {
            match self.bound(path) {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                // An error in the query is more informative than one in a log.
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

    /// Opens a log, which must be complete.
    fn open(&self, path: &Path) -> Result<Log, Unanswered> {
        let log = Log::open_with(path, self.limits)?;
        match missing_text(log.condition()) {
            Some(what) if !self.takes_cut_logs => {
                Err(Unanswered::Log(format!("{what}; `gt recover` makes a whole log of what is there")))
            }
            _ => Ok(log),
        }
    }

    fn bound(&self, path: &Path) -> Result<Option<(Log, Program)>, Unanswered> {
        let log = self.open(path)?;
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
        let mates = Mates::of(log, tree).filter(|_| self.in_words);
        let needs = Needs { plies: mates.is_some(), lines: false, names: self.names_of(log) };
        let mut program = Cow::Borrowed(program);
        let beside = match needs.plies || needs.names.is_some() {
            true => Beside::add(program.to_mut(), 0, log.schema(), needs),
            false => Beside::default(),
        };
        let outcome = engine::run(&program, tree, options)?;
        let answer = outcome.answers.into_iter().next().unwrap_or(Ok(Answer::Nodes(Vec::new())));
        let mut rows = rows_of(answer.map_err(|error| self.question.overflow(&error))?);
        let words = Words {
            notation: Notation::of(log),
            schema: log.schema(),
            columns: &columns,
            beside,
            mates,
            names: needs.names.and_then(|_| NodeNames::of(tree)).map(RefCell::new),
        };
        rows.iter_mut().for_each(|row| words.put(row, shared));
        Ok(rows)
    }

    /// The number of threads.
    pub(crate) fn all_threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { processors() } else { self.threads }
    }

    /// Opens every log and calls `answer`; passes on the results in order.
    pub(crate) fn each<T: Send>(
        &self,
        answer: &(dyn Fn(&Log, &Options<'_>) -> Result<T, Unanswered> + Sync),
        consume: &mut dyn FnMut(PathBuf, Result<T, Unanswered>) -> bool,
    ) -> Result<(), Unanswered> {
        let all = self.all_threads();
        let threads = all.min(self.paths.len()).max(1);
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let is_stopped = || {
            stopped.load(Ordering::Relaxed)
                || self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        };
        std::thread::scope(|scope| {
            // This bounds the results that wait to be passed on, besides those that each thread holds.
            let (sender, receiver) = sync_channel(4 * threads);
            for _ in 0..threads {
                let (sender, next, is_stopped) = (sender.clone(), &next, &is_stopped);
                scope.spawn(move || {
                    let options = Options {
                        threads: (all / threads).max(1),
                        memory: self.memory,
                        cancel: self.cancel,
                        blocks: self.blocks,
                        ..Options::default()
                    };
                    while !is_stopped() {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = self.paths.get(place) else { return };
                        let answered = self.open(path).and_then(|log| answer(&log, &options));
                        if sender.send((place, answered)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut turn) = (BTreeMap::new(), 0);
            for (place, answered) in receiver {
                waiting.insert(place, answered);
                while let Some(answered) = waiting.remove(&turn) {
                    let path = self.paths[turn].clone();
                    turn += 1;
                    if matches!(answered, Err(Unanswered::Stopped)) || !consume(path, answered) {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(Unanswered::Stopped);
                    }
                }
            }
            if is_stopped() { Err(Unanswered::Stopped) } else { Ok(()) }
        })
    }

    /// The rows of a log's trees.
    fn ask_log(&self, shared: &Shared, log: &Log, options: &Options<'_>) -> Result<Answers, Unanswered> {
        let mut answers = Answers { metadata: log.metadata().clone(), trees: Vec::new(), nodes: 0 };
        for tree in self.question.trees_of(log)? {
            let program = self.question.bind(log, tree)?;
            let rows = self.rows(shared, log, &program, tree, options)?;
            answers.nodes += tree.nodes();
            answers.trees.push((tree.number(), tree.metadata().clone(), rows));
        }
        Ok(answers)
    }
}
