//! A log of a thousand million nodes: what queries take of time, and a process of their own of memory.

use std::error::Error;
use std::ffi::CString;
use std::path::Path;
use std::process::Command;

use gt_bench::resident_bytes_max;
use gt_log::{Artificial, Log, Shape};
use gt_query::engine;
use serde_json::{Value as Json, json};

use crate::timing::{best_of, compiled, options, timed};
use crate::trees::generated;
use crate::{QUERIES, THREADS};

/// Depth and branching of a full tree of 1,111,111,111 nodes.
const TREE: (usize, u64) = (9, 10);
/// More than a node takes.
const BYTES_PER_NODE: u64 = 2;
const MEMORY_MAX: u64 = 64_000_000;
const RUNS: usize = 2;

/// Beside Q1 to Q8; the log has `best` and `type` alone.
const FORMS: [&str; 5] = [
    "node: count(best % 7 = 3)",
    "node: * group by best / 5 select best / 5, count(*), avg(best)",
    "node: count([<]best > best)",
    "node: count(*); child: avg([]best) > best",
    "node: count(*); subtree: max(best) = best",
];

/// Makes the log where it is not there yet, and has each query answered by a process of its own.
pub(crate) fn measure_billion(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (depth, branching) = TREE;
    let nodes = Artificial { shape: Shape::Full, depth, branching, seed: 1 }.nodes().unwrap_or(u64::MAX);
    let (needed, free) = (nodes.saturating_mul(BYTES_PER_NODE), free_bytes(folder)?);
    let is_made = folder.join(format!("full-{depth}-{branching}.gtf")).exists();
    if !is_made && free < needed {
        println!("a log of {nodes} nodes may take {} MB; {} are free", needed >> 20, free >> 20);
        return Ok(());
    }
    let path = generated(folder, depth, branching)?;
    println!("\n{nodes} nodes, {} MB", std::fs::metadata(&path)?.len() >> 20);
    println!("  {:<70}{:>12}{:>10}{:>12}", "query", "nodes/s", "seconds", "memory: MB");
    let mut memory_max = 0;
    for text in QUERIES[..8].iter().map(|query| query.gtql).chain(FORMS) {
        let child = Command::new(std::env::current_exe()?).arg("--alone").arg(&path).arg(text).output()?;
        if !child.status.success() {
            let told = String::from_utf8_lossy(&child.stderr);
            println!("  {text:<70} not answered: {}", told.lines().last().unwrap_or_default());
            continue;
        }
        let told: Json = serde_json::from_slice(&child.stdout)?;
        let (Some(seconds), Some(memory)) = (told["seconds"].as_f64(), told["memory_bytes"].as_u64()) else {
            return Err("a process for one query printed no figures".into());
        };
        memory_max = memory_max.max(memory);
        println!("  {text:<70}{:>12.2e}{seconds:>10.2}{:>12.1}", nodes as f64 / seconds, memory as f64 / 1e6);
    }
    let reached = if memory_max <= MEMORY_MAX { "" } else { "NOT REACHED" };
    println!(
        "  memory at most {:.1} MB   at most {} MB {reached}",
        memory_max as f64 / 1e6,
        MEMORY_MAX / 1_000_000
    );
    Ok(())
}

/// Answers one query and prints, as JSON, the CPU seconds of the best run for each thread and the memory that this
/// process had at most when it had answered once, as a command does.
pub(crate) fn answer_alone(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let log = Log::open(path)?;
    let tree = log.tree(0)?;
    let program = compiled(text, &log)?;
    let mut memory = None;
    let seconds = best_of(RUNS, || {
        let seconds = timed(|| engine::find(&program, tree, &options(THREADS)).map(drop));
        memory.get_or_insert_with(resident_bytes_max);
        seconds
    })?;
    println!("{}", json!({"seconds": seconds, "memory_bytes": memory}));
    Ok(())
}

/// The bytes that are free on the disk of a folder.
fn free_bytes(folder: &Path) -> Result<u64, Box<dyn Error>> {
    let path = CString::new(folder.as_os_str().as_encoded_bytes())?;
    // SAFETY: all of `statvfs` is numbers, for which zeros are values.
    let mut found: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path ends in a zero byte and `found` is writable.
    match unsafe { libc::statvfs(path.as_ptr(), &mut found) } {
        0 => Ok(found.f_bavail as u64 * found.f_frsize as u64),
        _ => Err(std::io::Error::last_os_error().into()),
    }
}
