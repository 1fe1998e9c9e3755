//! An observer behind a pointer, so that a search is compiled once for all observers.

use crate::observer::{EntryRecord, Observer, Record};

/// An [`Observer`] that can be pointed to. Every observer that can be sent to another thread implements it.
trait Watch<M>: Send {
    fn begin(&mut self, depth: i16);
    fn begin_line(&mut self, depth: i16, line: usize);
    fn enter(&mut self, last_move: Option<M>);
    /// Each function is called at most once.
    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: &mut dyn FnMut() -> EntryRecord,
        code: &mut dyn FnMut() -> i64,
        key: &mut dyn FnMut() -> u64,
    );
    fn leave(&mut self, record: &Record);
    fn leave_valued(&mut self, record: &Record, values: &[i32]);
}

impl<M, O: Observer<M> + Send> Watch<M> for O {
    fn begin(&mut self, depth: i16) {
        Observer::begin(self, depth);
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        Observer::begin_line(self, depth, line);
    }

    fn enter(&mut self, last_move: Option<M>) {
        Observer::enter(self, last_move);
    }

    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: &mut dyn FnMut() -> EntryRecord,
        code: &mut dyn FnMut() -> i64,
        key: &mut dyn FnMut() -> u64,
    ) {
        Observer::enter_known(self, last_move, known, code, key);
    }

    fn leave(&mut self, record: &Record) {
        Observer::leave(self, record);
    }

    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        Observer::leave_valued(self, record, values);
    }
}

/// Passes everything to the observer that it points to, if there is one.
pub struct Watched<'a, M>(Option<&'a mut dyn Watch<M>>);

impl<'a, M> Watched<'a, M> {
    /// Points to this observer.
    pub fn by<O: Observer<M> + Send>(observer: &'a mut O) -> Self {
        Self(Some(observer))
    }

    /// Points to this observer, if there is one.
    pub(crate) fn by_some<O: Observer<M> + Send>(observer: Option<&'a mut O>) -> Self {
        Self(observer.map(|observer| observer as &mut dyn Watch<M>))
    }
}

impl<M> Observer<M> for Watched<'_, M> {
    fn begin(&mut self, depth: i16) {
        if let Some(watch) = &mut self.0 {
            watch.begin(depth);
        }
    }

    fn begin_line(&mut self, depth: i16, line: usize) {
        if let Some(watch) = &mut self.0 {
            watch.begin_line(depth, line);
        }
    }

    fn enter(&mut self, last_move: Option<M>) {
        if let Some(watch) = &mut self.0 {
            watch.enter(last_move);
        }
    }

    fn enter_known(
        &mut self,
        last_move: Option<M>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        key: impl FnOnce() -> u64,
    ) {
        let Some(watch) = &mut self.0 else { return };
        let (mut known, mut code, mut key) = (Some(known), Some(code), Some(key));
        watch.enter_known(
            last_move,
            &mut || known.take().map(|known| known()).unwrap_or_default(),
            &mut || code.take().map_or(0, |code| code()),
            &mut || key.take().map_or(0, |key| key()),
        );
    }

    fn leave(&mut self, record: &Record) {
        if let Some(watch) = &mut self.0 {
            watch.leave(record);
        }
    }

    fn leave_valued(&mut self, record: &Record, values: &[i32]) {
        if let Some(watch) = &mut self.0 {
            watch.leave_valued(record, values);
        }
    }
}
