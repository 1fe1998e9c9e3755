//! One question of a search: why a line was not played, and which positions were searched again.

use std::path::Path;

use gt_bench::row;
use gt_log::Log;
use gt_query::engine::{self, Options};
use gt_query::{Environment, compile};
use gt_why::TreeChoice;

use crate::Outcome;
use crate::pack::best;

const TWINS: [&str; 6] = [
    "twin(key): count(*) > 0",
    "twin(key): count([]depth >= depth) > 0",
    "twin(key): count([]node_id < node_id and []depth >= depth) > 0",
    "twin(key): min([]best) != max([]best)",
    "let n = twin(key): count(*) node: n > 3",
    "twin(key, depth): count(*) > 0",
];

/// `gt why`: the log opened, the move that was played and its rivals explained.
pub(crate) fn why(path: &Path) -> Outcome<()> {
    let log = Log::open(path)?;
    let nodes: u64 = log.trees().map(|tree| tree.nodes()).sum();
    println!("gt why: a log of {:.1} million nodes", nodes as f64 / 1e6);
    let seconds = best(|| {
        let log = Log::open(path)?;
        gt_why::explain(&log, TreeChoice::LastComplete, &[])?;
        Ok(())
    })?;
    row("the move that was played", &format!("{seconds:.4} s"), "at most 0.1 s");
    Ok(())
}

/// Positions that occur more than once in the largest tree.
pub(crate) fn twins(path: &Path) -> Outcome<()> {
    let log = Log::open(path)?;
    let tree = log.trees().max_by_key(|tree| tree.nodes()).ok_or("the log has no tree")?;
    println!("twin(key): a tree of {:.1} million nodes", tree.nodes() as f64 / 1e6);
    for query in TWINS {
        let program =
            compile(query, &Environment::new(log.schema())).map_err(|errors| errors[0].to_string())?;
        let seconds = best(|| {
            engine::find(&program, tree, &Options { count_only: true, ..Options::default() })?;
            Ok(())
        })?;
        row(query, &format!("{:.1} M nodes/s", tree.nodes() as f64 / seconds / 1e6), "at least 20 M nodes/s");
    }
    Ok(())
}
