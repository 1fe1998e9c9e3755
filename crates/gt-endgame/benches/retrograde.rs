//! How fast endings of four pieces are solved: positions that differ by more than how the board is held, legal ones only, both sides to
//! move, for each second of the clock and of the processors.
//!
//! `cargo bench -p gt-endgame --bench retrograde -- KQKR KPKP` solves these; without names, some of every sort.

use gt_endgame::chess::build;
use std::time::Duration;

const USUAL: [&str; 4] = ["KBNK", "KQKR", "KRKP", "KPKP"];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|word| word.starts_with('K')).collect();
    let names = if named.is_empty() { USUAL.map(str::to_owned).to_vec() } else { named };
    println!(
        "{:<6} {:>12} {:>9} {:>9} {:>12} {:>14}",
        "ending", "positions", "seconds", "CPU s", "M pos./s", "M pos./CPU s"
    );
    for name in names {
        let mut cpu_before = cpu();
        let (mut positions, mut elapsed, mut used) = (0, Duration::ZERO, 0.0);
        let solved = build(name.parse().expect("an ending"), |built| {
            let cpu_now = cpu();
            if built.solved.material().pieces() == 4 {
                let spent = cpu_now - cpu_before;
                positions += built.positions;
                elapsed += built.elapsed;
                used += spent;
                print(
                    &built.solved.material().to_string(),
                    built.positions,
                    built.elapsed.as_secs_f64(),
                    spent,
                );
            }
            cpu_before = cpu();
        });
        drop(solved.expect("an ending that can be solved"));
        print("all", positions, elapsed.as_secs_f64(), used);
    }
    println!("memory at most: {}", memory_most());
}

fn print(name: &str, positions: u64, seconds: f64, cpu: f64) {
    let rate = |seconds: f64| positions as f64 / seconds.max(1e-9) / 1e6;
    println!(
        "{name:<6} {positions:>12} {seconds:>9.3} {cpu:>9.2} {:>12.1} {:>14.1}",
        rate(seconds),
        rate(cpu)
    );
}

/// The processor's time that this process has taken, in seconds; Linux counts it in hundredths.
fn cpu() -> f64 {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS_A_SECOND
}

fn memory_most() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "not known".to_owned(), |line| line.trim().to_owned())
}
