//! What the benchmarks share: repeated timings and a table.
//!
//! Machines are shared and noisy, so every figure is the best of several runs, and what is promised are ratios
//! to a peer measured in the same run.

/// The CPU time of the shortest of `runs` runs on this thread, in seconds, and what the last of them gave.
pub fn best_of<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..runs.max(1) {
        let start = thread_seconds();
        result = Some(run());
        best = best.min(thread_seconds() - start);
    }
    match result {
        Some(result) => (best, result),
        None => unreachable!("at least one run"),
    }
}

/// The CPU time that this thread has used, user and system.
#[cfg(unix)]
#[must_use]
pub fn thread_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Unix and `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Where the system does not tell, the time that has passed.
#[cfg(not(unix))]
#[must_use]
pub fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// The most memory this process has had resident, in bytes; 0 where the system does not tell.
#[must_use]
pub fn resident_bytes_max() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Rows of a table: what, the figure, and what it is held against.
pub fn row(what: &str, figure: &str, against: &str) {
    println!("  {what:<58} {figure:>16}   {against}");
}
