//! What the columns of a tree hold: least and greatest values, bytes, encodings, and how many values are missing.

use std::collections::BTreeMap;

use gt_log::{BlockHead, Column, Kind, Scratch, Tree, Value};

/// Of how many blocks of a tree the encodings are looked at.
const BLOCKS_SAMPLED: usize = 64;

/// The columns of a tree: name, place, type.
pub(super) fn columns(tree: Tree<'_>) -> Vec<(String, Column, Kind)> {
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

pub(super) fn stored_bytes(tree: Tree<'_>) -> u64 {
    tree.blocks().flat_map(|head| head.columns.iter()).map(|column| column.stored_bytes).sum()
}

pub(super) struct Summary {
    pub(super) bytes: u64,
    pub(super) least: String,
    pub(super) greatest: String,
    pub(super) encodings: String,
    /// How many nodes lack the value.
    pub(super) missing: u64,
}

impl Summary {
    pub(super) fn of(tree: Tree<'_>, column: Column, kind: Kind) -> gt_log::Result<Self> {
        let mut summary = Self {
            bytes: 0,
            least: "-".to_owned(),
            greatest: "-".to_owned(),
            encodings: String::new(),
            missing: 0,
        };
        let mut extremes: Option<(i64, i64)> = None;
        let mut scratch = Scratch::default();
        for (block, head) in tree.blocks().enumerate().filter(|(_, head)| head.rows > 0) {
            let missing = missing(tree, block, head, column, &mut scratch)?;
            let column = head.columns[column.number()];
            summary.bytes += column.stored_bytes;
            summary.missing += missing;
            // Of nothing there is no least and no greatest.
            if missing < u64::from(head.rows) {
                let (least, greatest) = extremes.unwrap_or((column.min, column.max));
                extremes = Some((lesser(kind, least, column.min), greater(kind, greatest, column.max)));
            }
        }
        if let Some((least, greatest)) = extremes.filter(|_| kind != Kind::Text) {
            summary.least = Value::of_integer(kind, least, &[]).to_string();
            summary.greatest = Value::of_integer(kind, greatest, &[]).to_string();
        }
        summary.encodings = encodings(tree, column)?;
        Ok(summary)
    }
}

/// How many rows of a block lack the value.
fn missing(
    tree: Tree<'_>,
    block: usize,
    head: &BlockHead,
    column: Column,
    scratch: &mut Scratch,
) -> gt_log::Result<u64> {
    let Column::Attribute(attribute) = column else { return Ok(0) };
    if !head.columns[column.number()].missing {
        return Ok(0);
    }
    let rows = tree.missing_with(block, attribute, scratch)?.unwrap_or_default();
    Ok(rows.iter().map(|word| u64::from(word.count_ones())).sum())
}

fn lesser(kind: Kind, one: i64, other: i64) -> i64 {
    if number(kind, other) < number(kind, one) { other } else { one }
}

fn greater(kind: Kind, one: i64, other: i64) -> i64 {
    if number(kind, other) > number(kind, one) { other } else { one }
}

/// A value as a number to compare by; exact enough to find the greatest of a few.
fn number(kind: Kind, integer: i64) -> f64 {
    match Value::of_integer(kind, integer, &[]) {
        Value::Int(value) => value as f64,
        Value::UInt(value) => value as f64,
        Value::Float(value) => value,
        Value::Bool(value) => f64::from(u8::from(value)),
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
