//! The thesis's 5.2: its queries Q1 to Q24 on trees of the chess engine Fruit, where the data is there.

use std::error::Error;
use std::path::{Path, PathBuf};

use gt_log::Log;
use gt_query::{Environment, Value, compile};

use crate::timing::measure;
use crate::trees::kept;

/// The trees, and the nominal depths of their searches.
pub(crate) const TREES: [(&str, i128); 4] =
    [("pos15_d8", 8), ("pos16_d2", 2), ("pos17_d6", 6), ("pos19_d5", 5)];

const ALIASES: [(&str, i64); 7] = [
    ("PVNode", 1),
    ("CutNode", 2),
    ("AllNode", 4),
    ("QNode", 8),
    ("QRootNode", 16),
    ("ResearchNode", 32),
    ("NullMove", 64),
];

/// Measures Q1 to Q24 as one file, and the slowest of them alone.
pub(crate) fn measure_fruit(folder: &Path, runs: usize) -> Result<(), Box<dyn Error>> {
    println!("\nTrees of the engine Fruit 2.1, Q1 to Q24 of section 5.2");
    println!("  {:<12}{:>12}{:>16}{:>12}  slowest alone", "tree", "nodes", "24 as one: ms", "nodes/s");
    for (name, depth) in TREES {
        let Some(path) = imported(folder, name)? else {
            println!("  skipped: {name} is not in the data");
            continue;
        };
        let log = Log::open(&path)?;
        let nodes = log.tree(0)?.nodes() as f64;
        let environment = Environment::new(log.schema()).with_parameter("x", Value::Integer(depth));
        let compiled = |text: &str| compile(text, &environment).map_err(|errors| format!("{errors:?}"));
        let queries = queries();
        let (together, _) = measure(&compiled(&queries.join("\n\n"))?, &log, runs)?;
        let mut slowest = (0.0, 0);
        for (number, query) in queries.iter().enumerate() {
            let (seconds, _) = measure(&compiled(query)?, &log, runs)?;
            if seconds > slowest.0 {
                slowest = (seconds, number + 1);
            }
        }
        println!(
            "  {name:<12}{nodes:>12}{:>16.2}{:>12.2e}  Q{}, {:.2} ms, {:.2e} nodes/s",
            together * 1e3,
            nodes / together,
            slowest.1,
            slowest.0 * 1e3,
            nodes / slowest.0
        );
    }
    Ok(())
}

/// The log of a tree, where its data is there.
pub(crate) fn imported(folder: &Path, name: &str) -> Result<Option<PathBuf>, Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fruit");
    let source = data.join(name).with_extension("parquet");
    if !source.is_file() {
        return Ok(None);
    }
    let mut options = gt_convert::ImportOptions { game: Some("chess".to_owned()), ..Default::default() };
    options.aliases = ALIASES.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let path = kept(folder.join(name).with_extension("gtf"), |path| {
        gt_convert::import(&source, None, &options, path, &mut gt_convert::unwatched)
            .map_err(|error| error.to_string())?;
        Ok(())
    })?;
    Ok(Some(path))
}

fn queries() -> Vec<String> {
    let mut queries: Vec<String> = [
        "node:count(*)",
        "node:count(type & PVNode)",
        "node:count(type & CutNode)",
        "node:count(type & AllNode)",
    ]
    .map(str::to_owned)
    .into();
    queries.push("node:type & QNode".to_owned());
    queries.push("node:ply<=$x and not type & QNode".to_owned());
    queries.extend([0, 5, 10, 20, 25, 30].map(|more| format!("node:ply>$x+{more} and not type & QNode")));
    queries.extend(
        [0, 50, 100, 150, 200, 250].map(|least| format!("node:type & QRootNode; subtree:count(*)>{least}")),
    );
    queries.extend(
        [2, 5, 7, 8, 9].map(|least| format!("node:type & PVNode; child:count([]type & PVNode)>{least}")),
    );
    queries.push("node:count(type & ResearchNode)".to_owned());
    queries
}
