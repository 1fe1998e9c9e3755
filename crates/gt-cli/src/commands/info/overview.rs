//! Many trees on a screen: a line for each, with what their metadata say differently; of very many, the first and the last.

use std::io::Write;

use gt_log::Tree;
use gt_report::{counted, grouped};

use super::columns::stored_bytes;
use crate::failure::Failure;
use crate::printable;

/// More trees than this are listed, and the largest alone is described.
pub(super) const TREES_DESCRIBED: usize = 3;
/// More trees than this are not all listed.
const LINES_MAX: usize = 20;
/// Of metadata, so many keys with values of at most so many characters are shown.
const KEYS_SHOWN: usize = 5;
const VALUE_CHARACTERS: usize = 14;

/// Prints the list.
pub(super) fn print(trees: &[Tree<'_>], out: &mut dyn Write) -> Result<(), Failure> {
    let keys = telling_keys(trees);
    let mut rows = vec![heading(&keys)];
    let half = LINES_MAX / 2;
    let left_out = if trees.len() > LINES_MAX { half..trees.len() - half } else { 0..0 };
    rows.extend(
        trees
            .iter()
            .enumerate()
            .filter(|(place, _)| !left_out.contains(place))
            .map(|(_, tree)| row(*tree, &keys)),
    );
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    writeln!(out)?;
    for (place, row) in rows.iter().enumerate() {
        if !left_out.is_empty() && place == half + 1 {
            writeln!(out, "  … {} more; `--full` describes all", counted(left_out.len() as u64, "tree"))?;
        }
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

fn heading(keys: &[String]) -> Vec<String> {
    let mut heading = ["tree", "nodes", "depth", "bytes/node"].map(str::to_owned).to_vec();
    heading.extend(keys.iter().map(|key| printable::line(key).into_owned()));
    heading
}

fn row(tree: Tree<'_>, keys: &[String]) -> Vec<String> {
    let per_node = stored_bytes(tree) as f64 / tree.nodes().max(1) as f64;
    let mut row = vec![
        tree.number().to_string(),
        grouped(tree.nodes()),
        tree.depth().to_string(),
        format!("{per_node:.2}"),
    ];
    row.extend(keys.iter().map(|key| printable::line(tree.metadata().get(key).unwrap_or("")).into_owned()));
    row
}

/// The keys whose values are short and not the same everywhere, in the order in which they come.
fn telling_keys(trees: &[Tree<'_>]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in trees.iter().flat_map(|tree| tree.metadata().iter()) {
        if !keys.iter().any(|other| other == key) {
            keys.push(key.to_owned());
        }
    }
    keys.retain(|key| {
        let values = || trees.iter().map(|tree| tree.metadata().get(key));
        let first = values().next().flatten();
        values().any(|value| value != first)
            && values().flatten().all(|value| value.chars().count() <= VALUE_CHARACTERS)
    });
    keys.truncate(KEYS_SHOWN);
    keys
}
