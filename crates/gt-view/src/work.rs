//! Threads for work that takes a while, so that the threads that talk HTTP are always free.
//!
//! ```text
//! request ──try_send──▶ queue, bounded ──▶ a thread of the lane ──▶ answer
//!    │ full: 503                              ▲ looks at `Cancel` every few thousand nodes
//!    └─ the client leaves, or the time is over: sets `Cancel`
//! ```
//!
//! **Invariant:** a lane has a fixed number of threads and a fixed number of places in its queue. A request whose client
//! has gone costs no more than the time to the next look at its `Cancel`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::error::{Answer, Kind, Refusal};
use crate::limits::Limits;

/// Tells work that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, as gt-query takes it.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// Cancels when it is dropped, as a request's future is when its client leaves.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The lanes of the server: what holds up one does not hold up the others.
pub(crate) struct Lanes {
    /// Calls that look at nodes. One thread for all of them: what they decode comes from one heap, and goes back to it.
    /// On a thread each, every thread's heap keeps the largest picture that it ever made, which is more than all that
    /// is cached.
    pub(crate) nodes: Lane,
    /// Calls that read a query's text.
    pub(crate) texts: Lane,
    /// Calls that go over a whole tree: charts, and pictures whose colour is computed.
    pub(crate) scans: Lane,
    /// Calls about the game that is played. One thread: one call after the other.
    pub(crate) games: Lane,
}

/// A scan takes every core for itself; two let a short one pass a long one.
const SCANS_AT_ONCE: usize = 2;

impl Lanes {
    pub(crate) fn start(limits: &Limits) -> io::Result<Self> {
        let lane = |name, threads| Lane::start(name, threads, limits.queued_max, limits.work_time_max);
        Ok(Self {
            nodes: lane("nodes", 1)?,
            texts: lane("texts", 1)?,
            scans: lane("scans", SCANS_AT_ONCE)?,
            games: lane("games", 1)?,
        })
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Some threads that take jobs from one queue. They end with it.
pub(crate) struct Lane {
    queue: SyncSender<Job>,
    time_max: Duration,
}

impl Lane {
    fn start(name: &str, threads: usize, queued_max: usize, time_max: Duration) -> io::Result<Self> {
        let (queue, jobs) = sync_channel::<Job>(queued_max);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new().name(name.to_owned()).spawn(move || work_off(&jobs))?;
        }
        Ok(Self { queue, time_max })
    }

    /// What the work answers; a refusal if the queue is full, the time is over, or the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let cancel = Cancel::default();
        let _leaving = CancelOnDrop(cancel.clone());
        let (sender, answer) = oneshot::channel();
        let job = move || {
            if !cancel.is_set() {
                // If the client leaves meanwhile, nobody receives it.
                let _ = sender.send(work(&cancel));
            }
        };
        match self.queue.try_send(Box::new(job)) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(Refusal::busy("requests wait for an answer")),
            Err(TrySendError::Disconnected(_)) => return Err(failed()),
        }
        let asked = Instant::now();
        match tokio::time::timeout(self.time_max, answer).await {
            Ok(Err(_)) => Err(failed()),
            Ok(Ok(answer)) if asked.elapsed() <= self.time_max => answer,
            // Late is late, whether the clock was looked at before the answer came or after.
            Ok(Ok(_)) | Err(_) => Err(Refusal::new(
                Kind::Late,
                format!("this took longer than {} s and was given up", self.time_max.as_secs_f64()),
            )),
        }
    }
}

/// Does jobs until the queue's sender is gone.
fn work_off(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // The request of a job that panics sees a closed channel; the next job is another one.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

/// A panic is our fault, whatever was asked.
fn failed() -> Refusal {
    Refusal::new(Kind::Log, "the viewer failed to answer this; please report it")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn lane(queued_max: usize, time_ms_max: u64) -> Lane {
        Lane::start("test", 1, queued_max, Duration::from_millis(time_ms_max)).unwrap()
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
    }

    #[test]
    fn a_job_that_panics_holds_up_nobody() {
        let lane = lane(4, 60_000);
        block_on(async {
            assert_eq!(lane.run(|_| Ok(1)).await, Ok(1));
            let panicked = lane.run(|_| -> Answer<u8> { panic!("a fault, on purpose") }).await;
            assert_eq!(panicked.map_err(|refusal| refusal.kind), Err(Kind::Log));
            assert_eq!(lane.run(|_| Ok(2)).await, Ok(2));
        });
    }

    #[test]
    fn beyond_the_queue_requests_are_refused() {
        let lane = lane(1, 60_000);
        let (begin, begun) = channel::<()>();
        let (go_on, may_go_on) = channel::<()>();
        block_on(async {
            let mut first = Box::pin(lane.run(move |_| {
                begin.send(()).unwrap();
                may_go_on.recv().unwrap();
                Ok(())
            }));
            poll_once(&mut first).await;
            begun.recv().unwrap();
            let mut second = Box::pin(lane.run(|_| Ok(())));
            poll_once(&mut second).await;
            assert_eq!(lane.run(|_| Ok(())).await.map_err(|refusal| refusal.kind), Err(Kind::Busy));
            go_on.send(()).unwrap();
            assert_eq!((first.await, second.await), (Ok(()), Ok(())));
        });
    }

    #[test]
    fn work_whose_time_is_over_or_whose_client_has_gone_is_cancelled() {
        let (tell, told) = channel();
        let until_cancelled = move || {
            let tell = tell.clone();
            move |cancel: &Cancel| -> Answer<()> {
                tell.send("begun").unwrap();
                while !cancel.is_set() {
                    std::thread::yield_now();
                }
                tell.send("ended").unwrap();
                Ok(())
            }
        };
        let short = lane(1, 200);
        let late = block_on(short.run(until_cancelled()));
        assert_eq!(late.map_err(|refusal| refusal.kind), Err(Kind::Late));
        assert_eq!((told.recv().unwrap(), told.recv().unwrap()), ("begun", "ended"));
        let long = lane(1, 3_600_000);
        block_on(async {
            let mut left = Box::pin(long.run(until_cancelled()));
            poll_once(&mut left).await;
            assert_eq!(told.recv().unwrap(), "begun");
        });
        assert_eq!(told.recv().unwrap(), "ended");
    }

    async fn poll_once<F: Future + Unpin>(future: &mut F) {
        let mut polled = false;
        std::future::poll_fn(|context| {
            if !polled {
                polled = true;
                assert!(std::pin::Pin::new(&mut *future).poll(context).is_pending());
            }
            std::task::Poll::Ready(())
        })
        .await;
    }
}
