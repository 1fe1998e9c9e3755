//! Rows of a result: the matches of a block that can be among those that are shown, with the values they carry.

use super::block::{Scanner, value_of};
use super::graph::{Cell, Quantity, Scalar};
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
    pub(super) order: Option<&'a [(Quantity, bool)]>,
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
    for (quantity, _) in wanted.order.into_iter().flatten() {
        scanner.scalar(&Scalar::Number(*quantity))?;
    }
    let mut matches: Vec<(u64, u32)> = listed_ids(scanner, &rows).into_iter().zip(rows).collect();
    choose(scanner, wanted, &mut matches);
    load(scanner, wanted.cells)?;
    let needs_parents = wanted.cells.contains(&Cell::Parent);
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
        for (quantity, descending) in order {
            let key = Scalar::Number(*quantity);
            let codes = [left, right].map(|(_, row)| scanner.buffers.code(&key, *row as usize));
            let order = match codes {
                [Some(left), Some(right)] if *descending => right.cmp(&left),
                [Some(left), Some(right)] => left.cmp(&right),
                // What is unknown comes last in either direction.
                [left, right] => left.is_none().cmp(&right.is_none()),
            };
            if order.is_ne() {
                return order;
            }
        }
        left.0.cmp(&right.0)
    });
    matches.truncate(wanted.limit);
}

fn load(scanner: &mut Scanner<'_, '_>, cells: &[Cell]) -> Result<(), Failure> {
    for cell in cells {
        match cell {
            Cell::Scalar(scalar) => scanner.scalar(scalar)?,
            Cell::Attribute(attribute) => scanner.columns.load_value(*attribute)?,
            Cell::NodeId | Cell::Parent => {}
        }
    }
    Ok(())
}

/// The parent of every inner node of the block.
pub(super) fn parents(scanner: &mut Scanner<'_, '_>) -> Result<Vec<Parent>, Failure> {
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
            Cell::Scalar(scalar) => buffers.code(&scalar, row).and_then(|code| value_of(&scalar, code)),
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
        }
    }
}
