//! What logging costs a C program with nine attributes: `crates/gt-log-c/benches/cost.c`, compiled and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use gt_bench::row;

/// The least of so many runs counts; all ways take turns, so that a busy moment is not one way's alone.
const RUNS: usize = 5;

pub(crate) fn run(folder: &Path) {
    match measure(folder) {
        Ok(()) => {}
        Err(why) => println!("  skipped: {why}"),
    }
}

fn measure(folder: &Path) -> Result<(), String> {
    let on = compile(folder, &[])?;
    let off = compile(folder, &["-DGTL_OFF"])?;
    let mut alone = f64::INFINITY;
    let ways = [
        ("NULL as the handle", "null", "at most 1 ns"),
        ("switched off (`gtl_setEnabled(h, 0)`)", "off", "at most 2 ns"),
        ("9 attributes, encoded in the background", "background", "at most 30 ns"),
        ("9 attributes, encoded by the searching thread", "foreground", "at most 50 ns"),
    ];
    let mut costs = ways.map(|_| f64::INFINITY);
    for _ in 0..RUNS {
        alone = alone.min(cost(&off, "null", folder)?);
        for (least, (_, way, _)) in costs.iter_mut().zip(ways) {
            *least = least.min(cost(&on, way, folder)?);
        }
    }
    row("the search itself, calls compiled out", &format!("{alone:.1} ns/node"), "");
    for ((what, _, at_most), cost) in ways.into_iter().zip(costs) {
        row(what, &format!("{:.1} ns/node", cost - alone), at_most);
    }
    Ok(())
}

fn compile(folder: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../gt-log-c");
    let library = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("libgt_log_c.a");
    if !library.exists() {
        return Err(format!("there is no {}", library.display()));
    }
    let program = folder.join(if flags.is_empty() { "cost" } else { "cost-off" });
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-O2", "-Wall", "-Wextra"]).args(flags);
    compiler.arg("-I").arg(crate_folder.join("include")).arg(crate_folder.join("benches/cost.c"));
    compiler.arg("-o").arg(&program).arg(library);
    compiler.args(["-lpthread", "-lm", "-ldl"]);
    let output = compiler.output().map_err(|error| format!("cc cannot be called: {error}"))?;
    match output.status.success() {
        true => Ok(program),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Nanoseconds for each node.
fn cost(program: &Path, way: &str, folder: &Path) -> Result<f64, String> {
    let log = folder.join("from-c.gtf");
    let _ = std::fs::remove_file(&log);
    let output = Command::new(program).arg(way).arg(&log).output().map_err(|error| error.to_string())?;
    let nanoseconds = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
    nanoseconds.map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}
