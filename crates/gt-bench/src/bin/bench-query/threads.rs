//! One thread against two, and both against what the memory can deliver.
//!
//! A form at the memory's speed reads its columns as fast as a plain sum over a large buffer reads that. The bytes of a
//! form are those its columns take in the log: what is unpacked from them stays in the processor's caches.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use gt_log::Log;
use gt_query::{Environment, compile};

use crate::QUERIES;
use crate::forms::forms;
use crate::timing::{best_of, measure_wall};

/// Larger than any cache.
const BUFFER_BYTES: usize = 1 << 29;

/// Prints the nodes a second of the thesis's queries and of all forms, by the clock, with one thread and with two.
pub(crate) fn print_threads(log: &Log, name: &str, with: &str, runs: usize) -> Result<(), Box<dyn Error>> {
    let nodes = log.tree(0)?.nodes() as f64;
    let buffer = vec![1_u64; BUFFER_BYTES / size_of::<u64>()];
    let bandwidths = [1, 2].map(|threads| bandwidth(&buffer, threads, runs));
    drop(buffer);
    println!("\n1 and 2 threads on {name}, by the clock");
    println!(
        "  a sum over {} MB reads {:.1} and {:.1} GB/s",
        BUFFER_BYTES >> 20,
        bandwidths[0] / 1e9,
        bandwidths[1] / 1e9
    );
    println!(
        "  {:<100}{:>12}{:>12}{:>8}  share of the sum's GB/s",
        "query", "1: nodes/s", "2: nodes/s", "2 / 1"
    );
    let queries = QUERIES.iter().map(|query| query.gtql.to_owned());
    for text in queries.chain(forms("").into_iter().map(|form| form.gtql)).filter(|text| text.contains(with))
    {
        let Ok(program) = compile(&text, &Environment::new(log.schema())) else { continue };
        let (mut rates, mut shares) = ([0.0; 2], [0.0; 2]);
        for (place, threads) in [1, 2].into_iter().enumerate() {
            let (seconds, stats) = measure_wall(&program, log, threads, runs.min(3))?;
            rates[place] = nodes / seconds;
            shares[place] = 100.0 * stats.bytes_read as f64 / seconds / bandwidths[place];
        }
        println!(
            "  {text:<100}{:>12.2e}{:>12.2e}{:>8.2}{:>8.1}%{:>8.1}%",
            rates[0],
            rates[1],
            rates[1] / rates[0],
            shares[0],
            shares[1]
        );
    }
    Ok(())
}

/// The bytes a second that so many threads sum up.
fn bandwidth(buffer: &[u64], threads: usize, runs: usize) -> f64 {
    let run = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for part in buffer.chunks(buffer.len().div_ceil(threads)) {
                scope
                    .spawn(move || black_box(part.iter().fold(0_u64, |sum, value| sum.wrapping_add(*value))));
            }
        });
        Ok::<f64, std::convert::Infallible>(start.elapsed().as_secs_f64())
    };
    let Ok(seconds) = best_of(runs, run);
    size_of_val(buffer) as f64 / seconds
}
