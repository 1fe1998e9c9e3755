//! How much memory a query takes beside its answer: what is allocated at most while it runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use gt_log::Log;
use gt_query::{Environment, compile, engine};

use crate::{QUERIES, THREADS};

/// The system's allocator, with a count of what is allocated now and at most.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is the system's allocator's doing; only numbers are kept beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the same.
        unsafe { System.dealloc(place, layout) }
    }
}

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

/// Prints the most that is allocated for a count over subtrees, and for a collection.
pub(crate) fn measure_memory(log: &Log) -> Result<(), Box<dyn Error>> {
    let tree = log.tree(0)?;
    let environment = Environment::new(log.schema());
    let below = QUERIES[8].1;
    for (what, text) in [("subtree:count(best=0)>30", below), ("collecting node:best=0", "node:best=0")] {
        let program = compile(text, &environment).map_err(|errors| format!("{errors:?}"))?;
        let before = NOW.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let options = engine::Options { threads: THREADS, ..engine::Options::default() };
        let outcome = engine::run(&program, tree, &options)?;
        let most = MOST.load(Ordering::Relaxed) - before;
        let result = NOW.load(Ordering::Relaxed) - before;
        let beside = most - result;
        println!(
            "  memory for {what}: {} kB at most beside the answer of {} kB, {:.2} bits for each node",
            beside / 1000,
            result / 1000,
            8.0 * beside as f64 / tree.nodes() as f64
        );
        drop(outcome);
    }
    Ok(())
}
