//! How much memory a query takes beside its answer: what is allocated at most while it runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use gt_log::Log;
use gt_query::engine;

use crate::timing::{compiled, options};
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

    /// The provided method would allocate a second place and copy, which the system's allocator need not.
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the same.
        unsafe { System.realloc(place, layout, size) }
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

/// Prints the most that is allocated for each query, and for a collection; gives the most of all queries, in bits for
/// each node.
pub(crate) fn measure_memory(log: &Log) -> Result<f64, Box<dyn Error>> {
    let nodes = log.tree(0)?.nodes() as f64;
    let bits = |bytes: usize| 8.0 * bytes as f64 / nodes;
    let (mut each, mut most) = (Vec::new(), 0_f64);
    for query in &QUERIES {
        let (beside, _) = taken(log, query.gtql)?;
        each.push(format!("{} {:.2}", query.name, bits(beside)));
        most = most.max(bits(beside));
    }
    println!("  memory at most, buffers of blocks included, in bits for each node: {}", each.join(", "));
    let (beside, result) = taken(log, "node:best=0")?;
    println!(
        "  memory for collecting node:best=0: {:.2} bits for each node beside the answer of {} kB",
        bits(beside),
        result / 1000
    );
    Ok(most)
}

/// How many bytes are allocated at most beside the answer, and how many for it.
fn taken(log: &Log, text: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let program = compiled(text, log)?;
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let outcome = engine::run(&program, log.tree(0)?, &options(THREADS))?;
    let most = MOST.load(Ordering::Relaxed) - before;
    let result = NOW.load(Ordering::Relaxed) - before;
    drop(outcome);
    Ok((most - result, result))
}
