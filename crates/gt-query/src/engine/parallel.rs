//! Blocks in parallel: any thread takes the next few, and the results are consumed in the order of the blocks.
//!
//! Several blocks make one item of work, because waking the consuming thread costs as much as scanning a
//! block.
//!
//! **Invariant:** no thread is more than a window ahead of the consumer, so few results wait for an earlier block.
//! The results, and their order, do not depend on the number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, PoisonError};

use super::Failure;

/// The maximum number of blocks in an item of work.
const BATCH_MAX: usize = 8;

/// The threads that work on blocks.
#[derive(Clone, Copy)]
pub(super) struct Workers<'a> {
    pub(super) threads: usize,
    /// Ends the work when it is set.
    pub(super) cancel: Option<&'a AtomicBool>,
    /// Whether the result of a block takes far more memory than the block, as rows do. Few of them may then wait.
    pub(super) results_are_large: bool,
}

/// Calls `work` for each of `0..count` with a state per thread, and `consume` with each result in order.
///
/// # Errors
/// Returns the first error in the order of the work, or that `cancel` was set.
pub(super) fn in_order<S, T: Send>(
    count: usize,
    workers: Workers<'_>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, Failure> + Sync,
    mut consume: impl FnMut(usize, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Workers { threads, cancel, results_are_large } = workers;
    let threads = threads.clamp(1, count.max(1));
    if threads == 1 {
        let mut state = state();
        for item in 0..count {
            check(cancel)?;
            consume(item, work(&mut state, item)?)?;
        }
        return Ok(());
    }
    let (batch_max, batches_ahead) =
        if results_are_large { (1, 2 * threads) } else { (BATCH_MAX, 4 * threads) };
    let batch = (count / (16 * threads)).clamp(1, batch_max);
    let batches = count.div_ceil(batch);
    let queue = Queue::new(batches, batches_ahead);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, queue, state, work) = (sender.clone(), &queue, &state, &work);
            scope.spawn(move || {
                let mut state = state();
                while let Some(item) = queue.take() {
                    let blocks = item * batch..count.min((item + 1) * batch);
                    let scan = |block| check(cancel).and_then(|()| work(&mut state, block));
                    let results: Result<Vec<T>, Failure> = blocks.map(scan).collect();
                    if sender.send((item, results)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut next = 0;
        let handed_over = hand_over(batches, &receiver, &queue, &mut |_, results: Vec<T>| {
            results.into_iter().try_for_each(|result| {
                next += 1;
                consume(next - 1, result)
            })
        });
        queue.stop();
        handed_over
    })
}

fn hand_over<T>(
    count: usize,
    receiver: &mpsc::Receiver<(usize, Result<T, Failure>)>,
    queue: &Queue,
    consume: &mut impl FnMut(usize, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    for item in 0..count {
        let result = loop {
            if let Some(result) = waiting.remove(&item) {
                break result;
            }
            match receiver.recv() {
                Ok((done, result)) => waiting.insert(done, result),
                // A thread panicked; the scope propagates it.
                Err(_) => return Ok(()),
            };
        };
        consume(item, result?)?;
        queue.handed_over(item + 1);
    }
    Ok(())
}

/// Returns an error if the run was cancelled.
pub(super) fn check(cancel: Option<&AtomicBool>) -> Result<(), Failure> {
    match cancel {
        Some(cancel) if cancel.load(Ordering::Relaxed) => Err(Failure::Cancelled),
        _ => Ok(()),
    }
}

/// Like [`check`], for a loop over nodes: checks every few thousand of them.
pub(super) fn check_at(place: usize, cancel: Option<&AtomicBool>) -> Result<(), Failure> {
    if place.is_multiple_of(4096) { check(cancel) } else { Ok(()) }
}

struct Queue {
    count: usize,
    window: usize,
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    next: usize,
    handed_over: usize,
}

impl Queue {
    fn new(count: usize, window: usize) -> Self {
        let state = Mutex::new(State { next: 0, handed_over: 0 });
        Self { count, window, state, moved: Condvar::new() }
    }

    /// The next item, once it is not too far ahead; `None` if there is none.
    fn take(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next < self.count && state.next >= state.handed_over + self.window {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let item = state.next;
        state.next += usize::from(item < self.count);
        (item < self.count).then_some(item)
    }

    fn handed_over(&self, count: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).handed_over = count;
        self.moved.notify_all();
    }

    fn stop(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).next = self.count;
        self.moved.notify_all();
    }
}
