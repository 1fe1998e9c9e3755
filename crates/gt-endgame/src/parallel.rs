//! Parallel work over the parts of a slice.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Calls `body` with every part of `length` elements and its number, and returns the threads' results.
pub(crate) fn over_parts<T: Send, R: Send + Default>(
    data: &mut [T],
    length: usize,
    body: impl Fn(&mut R, usize, &mut [T]) + Sync,
) -> Vec<R> {
    let parts = Mutex::new(data.chunks_mut(length).enumerate());
    let work = || {
        let mut made = R::default();
        loop {
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, part)) = next else { return made };
            body(&mut made, number, part);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let join = |other: std::thread::ScopedJoinHandle<'_, R>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(own).chain(others.into_iter().map(join)).collect()
    })
}
