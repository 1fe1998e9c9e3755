//! Logs written anew: made smaller, or saved from damage.

use std::io::Write;
use std::sync::Arc;

use crate::columns::Effort;
use crate::columns::{Narrow, extremes, missing};
use crate::encode::{BlockEncoder, Position, Rows};
use crate::error::Place;
use crate::error::{Error, Result};
use crate::format::{Column, names_bytes, put_metadata};
use crate::read::{Checker, Log, Tree, TreeEnding, column_of, truncated};
use crate::wire::put_unsigned;
use crate::write::Sink;
use crate::{Kind, Metadata};

/// The compression level of [`compact`], unless the caller asks for another.
pub const COMPACT_LEVEL: i32 = 9;

/// The result of writing a log anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcoded {
    /// The trees, in order.
    pub trees: Vec<TranscodedTree>,
    /// The length of the old log.
    pub bytes_before: u64,
    /// The length of the new log.
    pub bytes_after: u64,
}

/// A tree in the new log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscodedTree {
    /// Its rows in the new log.
    pub nodes: u64,
    /// How many of them were open where the tree ends early; they are marked unfinished.
    pub nodes_completed: u64,
    /// The rows of the old log that could not be saved.
    pub nodes_lost: u64,
}

/// Writes a log anew with a general compressor for its columns: smaller and slower to read, but with the same content.
///
/// Calls `progress` with the number of rows done.
pub fn compact(
    log: &Log,
    target: impl Write + Send + 'static,
    level: i32,
    progress: impl FnMut(u64),
) -> Result<Transcoded> {
    transcode(log, Box::new(target), Effort::Compact { level }, false, progress)
}

/// Writes a log anew with everything that can be read of it.
///
/// Trees that end early or have a damaged block are saved up to there; their open nodes are completed and marked unfinished.
pub fn recover(
    log: &Log,
    target: impl Write + Send + 'static,
    progress: impl FnMut(u64),
) -> Result<Transcoded> {
    transcode(log, Box::new(target), Effort::Light, true, progress)
}

pub(crate) fn transcode(
    log: &Log,
    target: Box<dyn Write + Send>,
    effort: Effort,
    salvage: bool,
    mut progress: impl FnMut(u64),
) -> Result<Transcoded> {
    let sink = Arc::new(Sink::new(target, &log.header().to_bytes())?);
    let mut report = Transcoded { bytes_before: log.condition().bytes, ..Transcoded::default() };
    let names = log.move_names();
    if !names.is_empty() {
        sink.append_names(&names_bytes(names))?;
    }
    let mut done = 0;
    for (tree, ending) in log.trees().zip(&log.condition().trees) {
        let completed = match ending {
            TreeEnding::Finished => 0,
            TreeEnding::CutOff { nodes_completed } => *nodes_completed,
        };
        let mut summary = TranscodedTree { nodes: tree.nodes(), nodes_completed: completed, nodes_lost: 0 };
        let mut step = |rows| {
            done += rows;
            progress(done);
        };
        match first_damaged_block(tree, salvage)? {
            None => copy_tree(tree, &sink, effort, &mut step)?,
            Some(block) => {
                let (parts, completed) = truncated(tree.parts, block, log.schema());
                let kept = parts.nodes - completed;
                summary = TranscodedTree {
                    nodes: parts.nodes,
                    nodes_completed: completed,
                    nodes_lost: tree.nodes() - kept,
                };
                if parts.nodes > 0 {
                    copy_tree(Tree::new(log.opened(), &parts, tree.number()), &sink, effort, &mut step)?;
                }
            }
        }
        report.trees.push(summary);
    }
    report.bytes_after = sink.close()?;
    Ok(report)
}

/// The first block that is not sound, if the blocks before it are to be saved; otherwise the block's fault is an error.
fn first_damaged_block(tree: Tree<'_>, salvage: bool) -> Result<Option<usize>> {
    let mut checker = Checker::new(tree);
    for block in 0..tree.block_count() {
        match checker.check(block) {
            Ok(_) => {}
            Err(Error::Damaged { .. }) if salvage => return Ok(Some(block)),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn copy_tree(tree: Tree<'_>, sink: &Sink, effort: Effort, step: &mut dyn FnMut(u64)) -> Result<()> {
    let mut head = Vec::new();
    put_metadata(&mut head, tree.metadata());
    let number = sink.begin_tree(&head)?;
    let mut encoder = BlockEncoder::new(tree.schema(), effort);
    for block in 0..tree.block_count() {
        let BlockColumns { columns, missing, texts, plies } = read_block(tree, block)?;
        let head = tree.block(block);
        let texts: Vec<&[String]> = texts.iter().map(Vec::as_slice).collect();
        let first_row = head.first_row;
        let ends: Vec<(i64, i64)> = columns.iter().map(|column| extremes(column)).collect();
        let columns: Vec<Narrow> = columns.into_iter().map(Narrow::from).collect();
        let rows = Rows {
            first_row,
            columns: &columns,
            extremes: &ends,
            missing: &missing,
            texts: &texts,
            ply_ends: extremes(&plies),
            plies: &Narrow::from(plies),
        };
        let position = Position {
            first_row,
            path_kept: head.path_kept as usize,
            path_added: head.path_added.clone(),
            entry_values: head.entry_values.clone(),
        };
        let (head, body) = encoder.encode(&rows, position);
        sink.append_block(number, &head.to_bytes(tree.schema()), &body)?;
        step(u64::from(head.rows));
    }
    let mut head = Vec::new();
    put_unsigned(&mut head, tree.nodes());
    put_metadata(&mut head, &Metadata::new());
    sink.end_tree(number, &head)
}

struct BlockColumns {
    columns: Vec<Vec<i64>>,
    missing: Vec<Vec<u64>>,
    texts: Vec<Vec<String>>,
    plies: Vec<i64>,
}

/// Reads everything in a block.
fn read_block(tree: Tree<'_>, block: usize) -> Result<BlockColumns> {
    let rows = tree.block(block).rows as usize;
    let attributes = tree.schema().attributes();
    let count = Column::FIXED + attributes.len();
    let bytes = (rows * count * size_of::<i64>()) as u64;
    if bytes > tree.limits().block_bytes_max {
        return Err(Error::TooLarge { place: Place::Block { tree: tree.number() as u32, block }, bytes });
    }
    let mut columns = Vec::with_capacity(count);
    let mut missing = vec![Vec::new(); attributes.len()];
    let mut texts = vec![Vec::new(); attributes.len()];
    for number in 0..count {
        let column = column_of(number);
        let decoded = match column {
            Column::Attribute(position) if attributes[position].kind == Kind::Text => {
                let (own, codes) = tree.texts(block, position)?;
                texts[position] = own;
                codes
            }
            column => tree.decode(block, column)?,
        };
        let mut values = decoded.widened(rows);
        if let Column::Attribute(position) = column
            && let Some(words) = tree.missing(block, position)?
        {
            missing::fill(&mut values, &words);
            missing[position] = words;
        }
        columns.push(values);
    }
    Ok(BlockColumns { columns, missing, texts, plies: tree.plies(block)? })
}
