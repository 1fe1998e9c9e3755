//! `gt info`: what a log holds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_log::{Column, Kind, Log, Metadata, Tree, Value};
use gt_report::{counted, grouped, missing_text};
use serde_json::json;

use super::Outcome;
use super::files::tree;
use crate::failure::Failure;
use crate::printable;

/// Show what a log holds: game, attributes, aliases, metadata, trees, sizes and encodings
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt info tree.gtf\n  gt info run.gtf --tree 7\n  gt info --format json run/*.gtf"
)]
pub(crate) struct Arguments {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Of the trees only this one, from 0
    #[arg(long, value_name = "K")]
    tree: Option<usize>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Of how many blocks of a tree the encodings are looked at.
const BLOCKS_SAMPLED: usize = 64;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut objects = Vec::new();
    for (number, path) in arguments.logs.iter().enumerate() {
        let log = Log::open(path).map_err(|error| Failure::about(path, error))?;
        let trees = match arguments.tree {
            Some(number) => vec![tree(&log, path, number)?],
            None => log.trees().collect(),
        };
        match arguments.format {
            Format::Json => objects.push(json_of(path, &log, &trees)?),
            Format::Text => {
                if number > 0 {
                    writeln!(out)?;
                }
                print(path, &log, &trees, out)?;
            }
        }
    }
    if arguments.format == Format::Json {
        let text = serde_json::to_string_pretty(&objects).map_err(|error| Failure::new(error.to_string()))?;
        writeln!(out, "{}", printable::json(&text))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(path: &Path, log: &Log, trees: &[Tree<'_>], out: &mut dyn Write) -> Result<(), Failure> {
    let game = if log.game().is_empty() { "no game named".into() } else { printable::line(log.game()) };
    let nodes: u64 = log.trees().map(|tree| tree.nodes()).sum();
    writeln!(
        out,
        "{}: {game}, {}, {}, {} bytes",
        printable::path(path),
        counted(log.tree_count() as u64, "tree"),
        counted(nodes, "node"),
        grouped(log.condition().bytes)
    )?;
    if let Some(text) = missing_text(log.condition()) {
        writeln!(out, "  condition   {text}")?;
    }
    let list = |items: Vec<String>| match items.join(", ") {
        none if none.is_empty() => "none".to_owned(),
        items => printable::line(&items).into_owned(),
    };
    let attributes = log.schema().attributes().iter().map(|a| format!("{} {}", a.name, a.kind)).collect();
    writeln!(out, "  attributes  {}", list(attributes))?;
    let aliases = log.schema().aliases().iter().map(|a| format!("{}={}", a.name, a.value)).collect();
    writeln!(out, "  aliases     {}", list(aliases))?;
    print_metadata(log.metadata(), out)?;
    for &tree in trees {
        print_tree(path, tree, out)?;
    }
    Ok(())
}

fn print_metadata(metadata: &Metadata, out: &mut dyn Write) -> Result<(), Failure> {
    for (place, (key, value)) in metadata.iter().enumerate() {
        let label = if place == 0 { "metadata" } else { "" };
        writeln!(out, "  {label:<10}  {} = {}", printable::line(key), printable::line(value))?;
    }
    Ok(())
}

fn print_tree(path: &Path, tree: Tree<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let about = |error| Failure::about(path, error);
    let bytes = stored_bytes(tree);
    writeln!(
        out,
        "\ntree {}: {}, depth {}, {}, branching {:.2}, {}, {:.2} bytes/node",
        tree.number(),
        counted(tree.nodes(), "node"),
        tree.depth(),
        if tree.leaves() == 1 { "1 leaf".to_owned() } else { format!("{} leaves", grouped(tree.leaves())) },
        tree.branching(),
        counted(tree.block_count() as u64, "block"),
        bytes as f64 / tree.nodes() as f64
    )?;
    let left_out = tree.left_out().map_err(about)?;
    if left_out > 0 {
        writeln!(
            out,
            "  left out    {}, {} in all",
            counted(left_out, "node"),
            grouped(tree.nodes() + left_out)
        )?;
    }
    print_metadata(tree.metadata(), out)?;
    let width = columns(tree).iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    writeln!(
        out,
        "  {:<width$}  type  bytes/node  {:>20} .. {:<20}  encodings",
        "column", "least", "greatest"
    )?;
    for (name, column, kind) in columns(tree) {
        let (name, summary) = (printable::line(&name), summary(tree, column, kind).map_err(about)?);
        let per_node = summary.bytes as f64 / tree.nodes() as f64;
        writeln!(
            out,
            "  {name:<width$}  {:<4}  {per_node:>10.3}  {:>20} .. {:<20}  {}",
            kind.name(),
            summary.least,
            summary.greatest,
            summary.encodings
        )?;
    }
    Ok(())
}

fn columns(tree: Tree<'_>) -> Vec<(String, Column, Kind)> {
    let mut columns = vec![
        ("(size)".to_owned(), Column::Size, Kind::U64),
        ("last_move".to_owned(), Column::LastMove, Kind::I64),
        ("(status)".to_owned(), Column::Status, Kind::U8),
        ("(left_out)".to_owned(), Column::LeftOut, Kind::U64),
    ];
    let attributes = tree.schema().attributes().iter().enumerate();
    columns.extend(attributes.map(|(i, a)| (a.name.clone(), Column::Attribute(i), a.kind)));
    columns
}

struct Summary {
    bytes: u64,
    least: String,
    greatest: String,
    encodings: String,
}

fn summary(tree: Tree<'_>, column: Column, kind: Kind) -> gt_log::Result<Summary> {
    let heads = || tree.blocks().filter(|head| head.rows > 0).map(|head| head.columns[column.number()]);
    let extreme = |values: Vec<i64>, greatest: bool| match kind {
        Kind::Text => "-".to_owned(),
        _ => {
            let value = |&integer: &i64| number(&Value::of_integer(kind, integer, &[]));
            let better = |a: &&i64, b: &&i64| value(a).total_cmp(&value(b));
            let chosen = if greatest { values.iter().max_by(better) } else { values.iter().min_by(better) };
            chosen.map_or_else(String::new, |&integer| Value::of_integer(kind, integer, &[]).to_string())
        }
    };
    Ok(Summary {
        bytes: heads().map(|head| head.stored_bytes).sum(),
        least: extreme(heads().map(|head| head.min).collect(), false),
        greatest: extreme(heads().map(|head| head.max).collect(), true),
        encodings: encodings(tree, column)?,
    })
}

/// A value as a number to compare by; exact enough to find the greatest of a few.
fn number(value: &Value) -> f64 {
    match value {
        Value::Int(value) => *value as f64,
        Value::UInt(value) => *value as f64,
        Value::Float(value) => *value,
        Value::Bool(value) => f64::from(u8::from(*value)),
        Value::Text(_) | Value::Missing => 0.0,
    }
}

/// The encodings of a column's blocks, the most frequent first.
fn encodings(tree: Tree<'_>, column: Column) -> gt_log::Result<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let step = tree.block_count().div_ceil(BLOCKS_SAMPLED).max(1);
    for block in (0..tree.block_count()).step_by(step) {
        if tree.block(block).rows > 0 {
            *counts.entry(tree.encoding(block, column)?.to_string()).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let only = counts.len() == 1;
    let name = |(name, count): (String, usize)| if only { name } else { format!("{name} ({count})") };
    Ok(counts.into_iter().map(name).collect::<Vec<_>>().join(", "))
}

fn stored_bytes(tree: Tree<'_>) -> u64 {
    tree.blocks().flat_map(|head| head.columns.iter()).map(|column| column.stored_bytes).sum()
}

fn json_of(path: &Path, log: &Log, trees_shown: &[Tree<'_>]) -> Result<serde_json::Value, Failure> {
    let metadata = |metadata: &Metadata| {
        let entries = metadata.iter().map(|(key, value)| (key.to_owned(), json!(value)));
        serde_json::Value::Object(entries.collect())
    };
    let mut trees = Vec::new();
    for &tree in trees_shown {
        let mut rows = Vec::new();
        for (name, column, kind) in columns(tree) {
            let summary = summary(tree, column, kind).map_err(|error| Failure::about(path, error))?;
            rows.push(json!({
                "name": name, "type": kind.name(), "bytes": summary.bytes, "min": summary.least,
                "max": summary.greatest, "encodings": summary.encodings,
            }));
        }
        trees.push(json!({
            "tree": tree.number(), "nodes": tree.nodes(), "depth": tree.depth(), "leaves": tree.leaves(),
            "branching": tree.branching(), "blocks": tree.block_count(), "bytes": stored_bytes(tree),
            "left_out": tree.left_out().map_err(|error| Failure::about(path, error))?,
            "metadata": metadata(tree.metadata()), "columns": rows,
        }));
    }
    let schema = log.schema();
    Ok(json!({
        "log": path.display().to_string(), "game": log.game(), "bytes": log.condition().bytes,
        "whole": log.condition().is_whole(), "condition": missing_text(log.condition()),
        "attributes": schema.attributes().iter().map(|a| json!({"name": a.name, "type": a.kind.name()})).collect::<Vec<_>>(),
        "aliases": schema.aliases().iter().map(|a| (a.name.clone(), json!(a.value))).collect::<serde_json::Map<_, _>>(),
        "metadata": metadata(log.metadata()), "trees": trees,
    }))
}
