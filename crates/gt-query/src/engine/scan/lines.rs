//! The lines of some nodes, computed once it is known which rows are shown.
//!
//! ```text
//! node_ids ──▶ blocks that can hold them ──▶ rows ──parents──▶ crossing nodes ──▶ root
//! ```
//!
//! Lines share their common beginnings ([`Line`]), and so does the work: every node on the way to a requested one is
//! visited once. A block that can hold none of the nodes is read only for crossing nodes that lead to one.

use std::collections::HashMap;

use gt_log::{Column, Tree};

use super::block::{Shape, ShapeRoom};
use super::ids::{in_block, listed_ids};
use super::runs::Parent;
use crate::engine::crossing::{JointId, Skeleton, damaged};
use crate::engine::parallel::{check, check_at};
use crate::engine::{Failure, Options};
use crate::line::Line;

/// The lines of nodes, whose ids are ascending and distinct.
///
/// # Errors
/// Returns an error if the log is damaged or cannot be read, or the run was cancelled.
pub(in crate::engine) fn lines_of(
    tree: Tree<'_>,
    skeleton: &Skeleton,
    ids: &[u64],
    options: &Options<'_>,
) -> Result<Vec<Line>, Failure> {
    let mut making = Making { tree, skeleton, options, ids, lines: vec![None; ids.len()] };
    let joints = making.of_crossing_nodes()?;
    making.of_inner_nodes(&joints)?;
    let made = making.lines.into_iter().zip(ids);
    made.map(|(line, id)| line.ok_or_else(|| damaged(tree, *id))).collect()
}

struct Making<'a> {
    tree: Tree<'a>,
    skeleton: &'a Skeleton,
    options: &'a Options<'a>,
    ids: &'a [u64],
    /// The lines, by index of the ids.
    lines: Vec<Option<Line>>,
}

impl Making<'_> {
    /// The range of the ids that inner nodes of a block can have.
    fn within(&self, block: usize) -> std::ops::Range<usize> {
        let head = self.tree.block(block);
        // An id is the first row of the subtree, plus the ply.
        let end = head.end_row().saturating_add(head.ply_max.into());
        let place = |id: u64| self.ids.partition_point(|known| *known < id);
        place(head.first_row)..place(end)
    }

    /// Makes the lines of the crossing nodes that lead to the nodes, or are among them.
    fn of_crossing_nodes(&mut self) -> Result<Vec<Option<Line>>, Failure> {
        let needed = self.needed_joints()?;
        let moves = self.moves_of(&needed)?;
        let mut lines: Vec<Option<Line>> = vec![None; needed.len()];
        // Parents come before children.
        for (id, joint) in self.skeleton.joints.iter().enumerate() {
            check_at(id, self.options.cancel)?;
            if !needed[id] {
                continue;
            }
            let line = match joint.parent() {
                // The root's own move, if any, leads to the root and not from it.
                None => Line::default(),
                Some(parent) => {
                    lines[parent].as_ref().map_or_else(Line::default, |line| line.then(moves[id]))
                }
            };
            if let Ok(place) = self.ids.binary_search(&joint.node_id()) {
                self.lines[place] = Some(line.clone());
            }
            lines[id] = Some(line);
        }
        Ok(lines)
    }

    fn needed_joints(&self) -> Result<Vec<bool>, Failure> {
        let skeleton = self.skeleton;
        let mut needed = vec![false; skeleton.joints.len()];
        let mut mark = |joint: JointId| {
            let mut next = Some(joint);
            while let Some(joint) = next.filter(|&joint| !std::mem::replace(&mut needed[joint], true)) {
                next = skeleton.joints[joint].parent();
            }
        };
        for block in 0..self.tree.block_count() {
            check(self.options.cancel)?;
            if !self.within(block).is_empty() {
                skeleton.kept(block).into_iter().for_each(&mut mark);
                let closed = skeleton.closed(block).iter().map(|joint| *joint as JointId);
                skeleton.added(block).chain(closed).for_each(&mut mark);
            }
        }
        for (id, joint) in skeleton.joints.iter().enumerate() {
            check_at(id, self.options.cancel)?;
            if self.ids.binary_search(&joint.node_id()).is_ok() {
                mark(id);
            }
        }
        Ok(needed)
    }

    /// The moves that lead to crossing nodes, by joint.
    fn moves_of(&self, needed: &[bool]) -> Result<Vec<i64>, Failure> {
        let mut moves = vec![0; needed.len()];
        let mut room = ShapeRoom::default();
        for block in 0..self.tree.block_count() {
            check(self.options.cancel)?;
            let closed = self.skeleton.closed(block);
            if !closed.iter().any(|&joint| needed[joint as JointId]) {
                continue;
            }
            in_block(self.tree, self.skeleton, &mut room, block, |shape| {
                shape.columns.load(Column::LastMove)?;
                for (&row, &joint) in shape.regions.closed.iter().zip(closed) {
                    moves[joint as JointId] = shape.columns.integer(Column::LastMove, row);
                }
                Ok(())
            })?;
        }
        Ok(moves)
    }

    /// Makes the lines of the inner nodes among the nodes.
    fn of_inner_nodes(&mut self, joints: &[Option<Line>]) -> Result<(), Failure> {
        let mut room = ShapeRoom::default();
        for block in 0..self.tree.block_count() {
            check(self.options.cancel)?;
            let within = self.within(block);
            if within.is_empty() {
                continue;
            }
            let (tree, ids) = (self.tree, &self.ids[within.clone()]);
            let lines = &mut self.lines[within];
            in_block(tree, self.skeleton, &mut room, block, |shape| {
                shape.plies()?;
                shape.columns.load(Column::LastMove)?;
                let places: HashMap<u64, usize> = ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
                let mut climb = Climb::new(tree, shape, joints)?;
                for (id, row) in climb.inner_ids() {
                    if let Some(&place) = places.get(&id) {
                        lines[place] = Some(climb.line(row as usize)?);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// The way from rows of a block up to crossing nodes.
struct Climb<'a, 's> {
    tree: Tree<'a>,
    shape: &'a Shape<'s>,
    parents: Vec<Parent>,
    joints: &'a [Option<Line>],
    /// The lines by row, as far as they are computed.
    lines: Vec<Option<Line>>,
}

impl<'a, 's> Climb<'a, 's> {
    fn new(tree: Tree<'a>, shape: &'a mut Shape<'s>, joints: &'a [Option<Line>]) -> Result<Self, Failure> {
        let parents = parents(shape)?;
        let lines = vec![None; parents.len()];
        Ok(Self { tree, shape, parents, joints, lines })
    }

    /// The ids of the block's inner nodes, with their rows.
    fn inner_ids(&self) -> Vec<(u64, u32)> {
        let closed = &self.shape.regions.closed;
        let rows = 0..self.parents.len() as u32;
        let rows: Vec<u32> = rows.filter(|row| closed.binary_search(&(*row as usize)).is_err()).collect();
        listed_ids(self.shape, &rows).into_iter().zip(rows).collect()
    }

    fn line(&mut self, row: usize) -> Result<Line, Failure> {
        let mut way = Vec::new();
        let mut at = row;
        let mut line = loop {
            if let Some(line) = &self.lines[at] {
                break line.clone();
            }
            way.push(at);
            match self.parents[at] {
                // A parent comes after its children.
                Parent::Row(parent) if parent > at => at = parent,
                Parent::Joint(Some(joint)) => match &self.joints[joint] {
                    Some(line) => break line.clone(),
                    None => return Err(self.damaged(at)),
                },
                Parent::Joint(None) if self.is_root(at) => break Line::default(),
                Parent::Row(_) | Parent::Joint(None) => return Err(self.damaged(at)),
            }
        };
        for row in way.into_iter().rev() {
            if !self.is_root(row) {
                line = line.then(self.shape.columns.integer(Column::LastMove, row));
            }
            self.lines[row] = Some(line.clone());
        }
        Ok(line)
    }

    fn is_root(&self, row: usize) -> bool {
        self.shape.head.first_row + row as u64 + 1 == self.tree.nodes()
    }

    fn damaged(&self, row: usize) -> Failure {
        damaged(self.tree, self.shape.head.first_row + row as u64)
    }
}

/// The parent of every inner node of a block.
fn parents(shape: &mut Shape<'_>) -> Result<Vec<Parent>, Failure> {
    shape.sizes()?;
    let mut parents = vec![Parent::Joint(None); shape.rows()];
    shape.each_run(|parent, _, range| parents[range].fill(parent));
    Ok(parents)
}
