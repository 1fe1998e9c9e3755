//! Rows of a result: the matches of a block that can be among those that are shown, with the values they carry.

use gt_log::Column;

use super::block::Scanner;
use super::graph::{Cell, NumberId};
use super::ids::listed_ids;
use super::runs::Parent;
use crate::answer::Collector;
use crate::engine::Failure;
use crate::engine::collect::Recorded;
use crate::evaluate::Evaluated;
use crate::ir::Expr;
use crate::value::Value;

/// What is made of matches, and for which expressions.
pub(super) struct RowsWanted<'a> {
    pub(super) leaves: &'a [&'a Expr],
    pub(super) cells: &'a [Cell],
    pub(super) order: Option<&'a [(NumberId, bool)]>,
    pub(super) limit: usize,
}

/// Adds the matches of a block, whose rows are listed in the buffers, to a collector.
///
/// # Errors
/// Where the log is damaged or cannot be read.
pub(super) fn collect_rows(
    scanner: &mut Scanner<'_, '_>,
    wanted: &RowsWanted<'_>,
    collector: &mut Collector,
) -> Result<(), Failure> {
    // What is computed below makes lists of its own.
    let rows = scanner.buffers.listed().to_vec();
    scanner.plies()?;
    for (number, _) in wanted.order.into_iter().flatten() {
        scanner.number(*number)?;
    }
    let mut matches: Vec<(u64, u32)> = listed_ids(scanner, &rows).into_iter().zip(rows).collect();
    choose(scanner, wanted, &mut matches);
    load(scanner, wanted.cells)?;
    let needs_parents = wanted.cells.iter().any(|cell| matches!(cell, Cell::Parent | Cell::Line));
    let parents = if needs_parents { parents(scanner)? } else { Vec::new() };
    let carried = Carried { scanner, parents: &parents };
    for (node_id, row) in matches {
        let values: Vec<Evaluated> =
            wanted.cells.iter().map(|cell| Ok(carried.value(*cell, node_id, row as usize))).collect();
        let frame = Recorded { leaves: wanted.leaves, values: &values };
        collector.add(scanner.program, node_id, &frame);
    }
    Ok(())
}

/// Keeps the matches that come first in the order; the block shows no others.
fn choose(scanner: &Scanner<'_, '_>, wanted: &RowsWanted<'_>, matches: &mut Vec<(u64, u32)>) {
    let Some(order) = wanted.order else { return };
    if wanted.limit >= matches.len() {
        return;
    }
    if wanted.limit == 0 {
        return matches.clear();
    }
    matches.select_nth_unstable_by(wanted.limit - 1, |left, right| {
        for (number, descending) in order {
            let numbers = scanner.buffers.numbers(*number);
            let order = numbers[left.1 as usize].cmp(&numbers[right.1 as usize]);
            if order.is_ne() {
                return if *descending { order.reverse() } else { order };
            }
        }
        left.0.cmp(&right.0)
    });
    matches.truncate(wanted.limit);
}

fn load(scanner: &mut Scanner<'_, '_>, cells: &[Cell]) -> Result<(), Failure> {
    for cell in cells {
        match *cell {
            Cell::Number(number) => scanner.number(number)?,
            Cell::Test(test) => scanner.test(test)?,
            Cell::Attribute(attribute) => scanner.columns.load(Column::Attribute(attribute))?,
            Cell::Line => scanner.columns.load(Column::LastMove)?,
            Cell::NodeId | Cell::Parent => {}
        }
    }
    Ok(())
}

/// The parent of every inner node of the block.
fn parents(scanner: &mut Scanner<'_, '_>) -> Result<Vec<Parent>, Failure> {
    scanner.sizes()?;
    let mut parents = vec![Parent::Joint(None); scanner.head.rows as usize];
    scanner.each_run(|_, parent, _, range| parents[range].fill(parent));
    Ok(parents)
}

/// The values that matches carry.
struct Carried<'a, 's, 'c> {
    scanner: &'a Scanner<'s, 'c>,
    /// Where they are needed.
    parents: &'a [Parent],
}

impl Carried<'_, '_, '_> {
    fn value(&self, cell: Cell, node_id: u64, row: usize) -> Option<Value> {
        let buffers = &*self.scanner.buffers;
        match cell {
            Cell::Number(number) => Some(Value::Integer(buffers.numbers(number)[row].into())),
            Cell::Test(test) => Some(Value::Boolean(buffers.test(test).get(row))),
            Cell::Attribute(attribute) => self.scanner.columns.value(attribute, row),
            Cell::NodeId => Some(Value::Integer(node_id.into())),
            Cell::Parent => match self.parents[row] {
                Parent::Row(parent) => {
                    let ids = listed_ids(self.scanner, &[parent as u32]);
                    ids.first().map(|id| Value::Integer((*id).into()))
                }
                Parent::Joint(joint) => {
                    joint.map(|joint| Value::Integer(self.scanner.skeleton.joints[joint].node_id().into()))
                }
            },
            Cell::Line => Some(self.line(row)),
        }
    }

    fn line(&self, row: usize) -> Value {
        let mut moves = Vec::new();
        let mut row = row;
        loop {
            // The root's own move, if any, leads to the root and not from it.
            if self.parents[row] == Parent::Joint(None) {
                break;
            }
            moves.push(self.scanner.columns.integer(Column::LastMove, row));
            match self.parents[row] {
                // A parent comes after its children.
                Parent::Row(parent) if parent > row => row = parent,
                Parent::Row(_) => break,
                Parent::Joint(joint) => {
                    self.scanner.details.line(joint, &mut moves);
                    break;
                }
            }
        }
        moves.reverse();
        Value::Line(moves.into())
    }
}
