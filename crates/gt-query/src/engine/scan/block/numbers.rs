//! Numbers and texts of every row, into vectors.

use std::cmp::Ordering;

use super::Scanner;
use crate::engine::Failure;
use crate::engine::crossing::damaged;
use crate::engine::folds::NOBODY;
use crate::engine::scan::graph::{Elementary, Lane, Number, NumberId, Part};
use crate::engine::vector::{
    self, Vector, absolute, arithmetic, choose, convert, is_finite, logarithm, lower_case, pick, round,
    square_root, truth,
};
use crate::ir::{AggregateId, Scope};

impl Scanner<'_> {
    /// Computes a number, unless it is constant.
    pub(in crate::engine::scan) fn operand(&mut self, id: NumberId) -> Result<(), Failure> {
        match self.compiled.numbers[id] {
            Number::Constant(_) => Ok(()),
            _ => self.number(id),
        }
    }

    /// Whether a number has been computed for each row.
    pub(in crate::engine::scan) fn is_computed(&self, id: NumberId) -> bool {
        self.buffers.done.numbers[id]
    }

    /// Computes a number for each row.
    pub(in crate::engine::scan) fn number(&mut self, id: NumberId) -> Result<(), Failure> {
        if self.buffers.done.numbers[id] {
            return Ok(());
        }
        let mut out = std::mem::take(&mut self.buffers.numbers[id]);
        let computed = match self.number_of_stored(id, &mut out) {
            Ok(false) => self.operands(id).and_then(|()| self.compute(id, &mut out)),
            stored => stored.map(drop),
        };
        self.buffers.numbers[id] = out;
        self.buffers.done.numbers[id] = true;
        computed
    }

    fn operands(&mut self, id: NumberId) -> Result<(), Failure> {
        let compiled = self.compiled;
        let mut operands = Ok(());
        // A fold's parts are computed by the code that folds.
        if !matches!(compiled.numbers[id], Number::Fold(_)) {
            compiled.numbers[id].each(&mut |part| {
                if operands.is_ok() {
                    operands = match part {
                        Part::Number(number) => self.operand(number),
                        Part::Test(test) => self.test(test),
                    };
                }
            });
        }
        operands
    }

    fn compute(&mut self, id: NumberId, out: &mut Vector) -> Result<(), Failure> {
        let (compiled, rows) = (self.compiled, self.rows());
        match &compiled.numbers[id] {
            Number::Constant(constant) => constant.fill(rows, out),
            Number::Column(column) => self.column(*column, compiled.lanes[id] == Lane::Wide, out)?,
            Number::Ply => {
                let plies = self.shape.plies()?;
                plies.numbers_into(rows, out.integers_mut());
            }
            Number::NodeId => self.node_ids(out.integers_mut())?,
            Number::ParentId => self.parent_ids(out.integers_mut())?,
            Number::Index => {
                let relations = self.relations()?;
                *out = Vector::Integer(relations.indexes());
            }
            Number::Height => {
                let (heights, _) = self.relations()?.heights();
                let lanes = out.integers_mut();
                lanes.clear();
                lanes.extend(heights.iter().map(|height| i64::from(*height)));
            }
            Number::Convert(lane, number) => convert(self.vector(*number), lane.kind(), out),
            Number::Arithmetic(operator, a, b) => arithmetic(*operator, self.lanes(*a), self.lanes(*b), out),
            Number::Function(function, number) => self.function(id, *function, *number, out),
            Number::Truth(test) => truth(&self.buffers.tests[*test], out),
            Number::Choose(test, a, b) => {
                choose(&self.buffers.tests[*test], self.lanes(*a), self.lanes(*b), out);
            }
            Number::Least(a, b) => pick(Ordering::Less, self.lanes(*a), self.lanes(*b), out),
            Number::Greatest(a, b) => pick(Ordering::Greater, self.lanes(*a), self.lanes(*b), out),
            Number::Of(relative, number, field) => {
                // A constant float is still unknown where there is no node.
                self.number(*number)?;
                self.gather_number(*relative, *number, *field, out)?;
            }
            Number::Fold(fold) => self.fold(id, fold, out)?,
            Number::Gathered(aggregate, lane) => self.told(*aggregate, *lane, out)?,
        }
        Ok(())
    }

    fn node_ids(&mut self, out: &mut Vec<i64>) -> Result<(), Failure> {
        let rows: Vec<u32> = (0..self.rows() as u32).collect();
        let ids = self.ids_of(&rows)?;
        out.clear();
        out.extend(ids.into_iter().map(|id| id as i64));
        Ok(())
    }

    fn parent_ids(&mut self, out: &mut Vec<i64>) -> Result<(), Failure> {
        let mut ids = Vec::new();
        self.node_ids(&mut ids)?;
        self.relations()?;
        let Some(relations) = &self.relations else { return Ok(()) };
        let of = |parent: &u32| match self.ghosts.get((*parent as usize).wrapping_sub(ids.len())) {
            Some(&joint) => self.shape.skeleton.joints[joint].node_id() as i64,
            None if *parent == NOBODY => 0,
            None => ids[*parent as usize],
        };
        out.clear();
        out.extend(relations.parents().iter().map(of));
        Ok(())
    }

    fn function(&mut self, id: NumberId, function: Elementary, number: NumberId, out: &mut Vector) {
        let mut constant = Vector::default();
        let source = match &self.compiled.numbers[number] {
            Number::Constant(value) => {
                value.fill(self.rows(), &mut constant);
                &constant
            }
            _ => &self.buffers.numbers[number],
        };
        match function {
            Elementary::Abs => absolute(source, out),
            Elementary::Sqrt => square_root(source, out),
            Elementary::Log => logarithm(source, out),
            Elementary::Lower => lower_case(source, out),
            Elementary::Round => {
                let mut overflows = std::mem::take(&mut self.buffers.overflows[id]);
                let mut finite = std::mem::take(&mut self.buffers.has_value[id]);
                round(source, out, &mut overflows);
                is_finite(source, &mut finite);
                (self.buffers.overflows[id], self.buffers.has_value[id]) = (overflows, finite);
            }
        }
    }

    /// An aggregate that an earlier pass has gathered.
    fn told(&mut self, id: AggregateId, lane: Lane, out: &mut Vector) -> Result<(), Failure> {
        let rows = self.rows();
        if self.program.aggregates[id.0].scope == Scope::Tree {
            let value = self.elsewhere.told.get(id.0).cloned().and_then(Result::ok).flatten();
            let mut single = Vector::default();
            single.set_values(lane.kind(), &[value]);
            let zeros = vec![0; rows];
            let ghosts = Vector::empty(lane.kind());
            vector::gather(&zeros, &single, &ghosts, out);
            return Ok(());
        }
        self.told_of_twins(id, lane, out)
    }

    /// The failure of a log in which the size of this row's subtree does not fit the rows around it.
    pub(in crate::engine::scan) fn damaged(&self, row: usize) -> Failure {
        damaged(self.shape.tree, self.shape.head.first_row + row as u64)
    }
}
