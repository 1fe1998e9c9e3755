//! The thread that reads the logs for quick calls.
//!
//! One thread for all of them: what they decode comes from one heap, and goes back to it. On a thread each, every thread's
//! heap keeps the largest picture that it ever made, which is more than all that is cached.
//!
//! Non-goal: calls that may take long. They would hold up the others; they run on threads of their own.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs one after the other, on a thread of its own that ends with it.
pub(crate) struct Reader(Sender<Job>);

impl Reader {
    pub(crate) fn start() -> io::Result<Self> {
        let (sender, jobs) = channel::<Job>();
        std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
            for job in jobs {
                // Who waits for it is told by the answer that never comes; the next job is another one.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        })?;
        Ok(Self(sender))
    }

    /// What the job gives; `None` where it panicked.
    pub(crate) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        let job = move || {
            // Nobody waits any more where the browser has gone.
            let _ = sender.send(job());
        };
        self.0.send(Box::new(job)).ok()?;
        answer.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    #[test]
    fn a_job_that_panics_holds_up_nobody() {
        let reader = Reader::start().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            assert_eq!(reader.run(|| 1).await, Some(1));
            assert_eq!(reader.run(|| -> u8 { panic!("a fault, on purpose") }).await, None);
            assert_eq!(reader.run(|| 2).await, Some(2));
        });
    }
}
