//! Parallel work whose results do not depend on the number of threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::Result;

/// The number of adjacent pieces that a thread takes at a time.
const PIECES_TOGETHER: usize = 8;

/// The requested number of threads, or one per processor for 0.
pub(crate) fn threads(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        asked => asked,
    }
}

/// Calls `work` for each of `0..count` with a state per thread, and returns the results in order, or the first error.
pub(crate) fn map<S, T: Send>(
    count: usize,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = state();
        let mut done = Vec::new();
        loop {
            let from = next.fetch_add(PIECES_TOGETHER, Ordering::Relaxed);
            if from >= count {
                return done;
            }
            for piece in from..count.min(from + PIECES_TOGETHER) {
                let result = work(&mut state, piece);
                let is_failure = result.is_err();
                done.push((piece, result));
                if is_failure {
                    next.store(count, Ordering::Relaxed);
                    return done;
                }
            }
        }
    };
    let threads = threads.clamp(1, count.div_ceil(PIECES_TOGETHER).max(1));
    let mut done = match threads {
        1 => run(),
        _ => thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let mut done = run();
            for other in others {
                match other.join() {
                    Ok(results) => done.extend(results),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        }),
    };
    done.sort_unstable_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}
