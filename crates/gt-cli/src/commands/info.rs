//! `gt info`: what a log holds.

mod columns;
mod overview;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gt_log::{Alias, Log, Metadata, Schema, Tree};
use gt_report::{counted, grouped, missing_text};
use serde_json::json;

use super::files::open_as_is;
use super::trees::{self, Condition, TreeChoice};
use crate::failure::{Failure, Outcome};
use crate::printable;
use columns::{Summary, columns, stored_bytes};
use overview::TREES_DESCRIBED;

/// Show what a log holds: game, attributes, aliases, metadata, trees, sizes and encodings
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gt info tree.gtf\n  gt info run.gtf --tree last\n  gt info run.gtf --where 'nominal_depth >= 8'\n  gt info --format json run/*.gtf"
)]
pub(crate) struct Arguments {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Only this tree: a number from 0, `last`, `largest`, -1 for the last, or `depth=9`; may be repeated
    #[arg(long = "tree", value_name = "TREE", allow_hyphen_values = true, value_parser = TreeChoice::read)]
    trees: Vec<TreeChoice>,
    /// Only trees whose metadata say so: `nominal_depth >= 8`
    #[arg(long = "where", value_name = "CONDITION", value_parser = Condition::read)]
    condition: Option<Condition>,
    /// Describe all trees, however many
    #[arg(long)]
    full: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// How many names of moves are shown.
const MOVE_NAMES_SHOWN: usize = 8;

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut objects = Vec::new();
    for (number, path) in arguments.logs.iter().enumerate() {
        let log = open_as_is(path)?;
        let trees = trees::several(&log, path, &arguments.trees, arguments.condition.as_ref())?;
        match arguments.format {
            Format::Json => objects.push(json_of(path, &log, &trees)?),
            Format::Text => {
                if number > 0 {
                    writeln!(out)?;
                }
                let described =
                    if arguments.full || !arguments.trees.is_empty() { usize::MAX } else { TREES_DESCRIBED };
                print(path, &log, &trees, described, out)?;
            }
        }
    }
    if arguments.format == Format::Json {
        let text = serde_json::to_string_pretty(&objects).map_err(|error| Failure::new(error.to_string()))?;
        writeln!(out, "{}", printable::json(&text))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Describes the log and its trees; of more trees than so many the largest, below a list of all.
fn print(
    path: &Path,
    log: &Log,
    trees: &[Tree<'_>],
    trees_described: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
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
    for (place, aliases) in alias_lines(log.schema()).iter().enumerate() {
        let label = if place == 0 { "aliases" } else { "" };
        writeln!(out, "  {label:<10}  {}", printable::line(aliases))?;
    }
    print_move_names(log, out)?;
    let ((major, minor), writer) = (log.version(), &log.header().writer);
    let writer = if writer.is_empty() { String::new() } else { format!("{writer}, ") };
    writeln!(out, "  written by  {}format {major}.{minor}", printable::line(&writer))?;
    print_metadata(log.metadata(), out)?;
    if trees.len() > trees_described {
        overview::print(trees, out)?;
        let largest = trees.iter().max_by_key(|tree| tree.nodes());
        return largest.map_or(Ok(()), |tree| print_tree(path, *tree, out));
    }
    for &tree in trees {
        print_tree(path, tree, out)?;
    }
    Ok(())
}

/// The aliases of all attributes on a line, and those of each attribute on one of its own.
fn alias_lines(schema: &Schema) -> Vec<String> {
    let of = |attribute: Option<usize>| {
        let aliases = schema.aliases().iter().filter(|alias| alias.attribute == attribute);
        let aliases: Vec<String> = aliases.map(|alias| format!("{}={}", alias.name, alias.value)).collect();
        (!aliases.is_empty()).then(|| aliases.join(", "))
    };
    let mut lines: Vec<String> = of(None).into_iter().collect();
    for (place, attribute) in schema.attributes().iter().enumerate() {
        lines.extend(of(Some(place)).map(|aliases| format!("{}: {aliases}", attribute.name)));
    }
    if lines.is_empty() { vec!["none".to_owned()] } else { lines }
}

/// The names that the log has for its moves; of many, the first few.
fn print_move_names(log: &Log, out: &mut dyn Write) -> Result<(), Failure> {
    let names = log.move_names();
    if names.is_empty() {
        return Ok(());
    }
    let mut shown: Vec<String> =
        names.iter().take(MOVE_NAMES_SHOWN).map(|(number, name)| format!("{number}={name}")).collect();
    if names.len() > MOVE_NAMES_SHOWN {
        shown.push("…".to_owned());
    }
    let count = counted(names.len() as u64, "name");
    writeln!(out, "  moves       {count}: {}", printable::line(&shown.join(", ")))?;
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
    let mut missing = Vec::new();
    for (name, column, kind) in columns(tree) {
        let (name, summary) = (printable::line(&name), Summary::of(tree, column, kind).map_err(about)?);
        if summary.missing > 0 {
            let share = 100.0 * summary.missing as f64 / tree.nodes() as f64;
            missing.push(format!("{name} {} ({share:.1}%)", grouped(summary.missing)));
        }
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
    if !missing.is_empty() {
        writeln!(out, "  missing values: {}", missing.join(", "))?;
    }
    Ok(())
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
            let summary = Summary::of(tree, column, kind).map_err(|error| Failure::about(path, error))?;
            rows.push(json!({
                "name": name, "type": kind.name(), "bytes": summary.bytes, "min": summary.least,
                "max": summary.greatest, "encodings": summary.encodings, "missing": summary.missing,
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
        "writer": log.header().writer, "format": format!("{}.{}", log.version().0, log.version().1),
        "aliases": schema.aliases().iter().map(|a| (a.name.clone(), json!(a.value))).collect::<serde_json::Map<_, _>>(),
        "alias_attributes": alias_attributes(schema),
        "move_names": log.move_names().iter().map(|(number, name)| (number.to_string(), json!(name))).collect::<serde_json::Map<_, _>>(),
        "metadata": metadata(log.metadata()), "trees": trees,
    }))
}

/// Which attribute each alias belongs to that belongs to one.
fn alias_attributes(schema: &Schema) -> serde_json::Map<String, serde_json::Value> {
    let named = |alias: &Alias| {
        let attribute = &schema.attributes()[alias.attribute?];
        Some((alias.name.clone(), json!(attribute.name)))
    };
    schema.aliases().iter().filter_map(named).collect()
}
