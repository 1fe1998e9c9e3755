//! Numbers and texts of every row, into vectors.

use std::cmp::Ordering;

use gt_log::{Column, Kind};

use super::{Scanner, kind_of};
use crate::engine::Failure;
use crate::engine::crossing::damaged;
use crate::engine::folds::NOBODY;
use crate::engine::scan::graph::{Constant, Elementary, Lane, Number, NumberId};
use crate::engine::vector::{
    self, Vector, absolute, arithmetic, choose, convert, is_finite, logarithm, lower_case, pick, read_column,
    read_texts, round, square_root, truth,
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
        let compiled = self.compiled;
        let mut operands = Ok(());
        // The parts of a fold are computed in the code that knows how.
        if !matches!(compiled.numbers[id], Number::Fold(_)) {
            compiled.numbers[id].each(&mut |part| {
                if operands.is_ok() {
                    operands = match part {
                        crate::engine::scan::graph::Part::Number(number) => self.operand(number),
                        crate::engine::scan::graph::Part::Test(test) => self.test(test),
                    };
                }
            });
        }
        operands?;
        let mut out = std::mem::take(&mut self.buffers.numbers[id]);
        let computed = self.compute(id, &mut out);
        self.buffers.numbers[id] = out;
        self.buffers.done.numbers[id] = true;
        computed
    }

    fn compute(&mut self, id: NumberId, out: &mut Vector) -> Result<(), Failure> {
        let (compiled, rows) = (self.compiled, self.rows());
        match &compiled.numbers[id] {
            Number::Constant(constant) => fill(constant, rows, out),
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
            Number::Convert(lane, number) => convert(self.vector(*number), kind_of(*lane), out),
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

    fn column(&mut self, column: Column, as_wide: bool, out: &mut Vector) -> Result<(), Failure> {
        let rows = self.rows();
        self.shape.columns.load(column)?;
        let kind = match column {
            Column::Attribute(attribute) => self.shape.tree.schema().attributes()[attribute].kind,
            Column::LeftOut => Kind::U64,
            Column::Size | Column::LastMove | Column::Status => Kind::I64,
        };
        let decoded = self.shape.columns.get(column);
        match (kind, column) {
            (Kind::Text, Column::Attribute(attribute)) => {
                read_texts(self.shape.columns.texts(attribute), decoded, rows, out);
            }
            _ => read_column(decoded, kind, as_wide, rows, out),
        }
        if let (Vector::Float(lanes), Column::Attribute(attribute)) = (out, column) {
            self.shape.columns.load_missing(attribute)?;
            let words = self.shape.columns.missing(attribute).unwrap_or_default();
            for (place, word) in words.iter().enumerate() {
                let mut left = *word;
                while left != 0 {
                    if let Some(lane) = lanes.get_mut(place * 64 + left.trailing_zeros() as usize) {
                        *lane = f64::NAN;
                    }
                    left &= left - 1;
                }
            }
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
                fill(value, self.rows(), &mut constant);
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
            let mut one = Vector::default();
            one.set_values(kind_of(lane), &[value]);
            let zeros = vec![0; rows];
            let ghosts = Vector::empty(kind_of(lane));
            vector::gather(&zeros, &one, &ghosts, out);
            return Ok(());
        }
        self.told_of_twins(id, lane, out)
    }

    /// The relations of the rows.
    pub(in crate::engine::scan) fn damaged(&self, row: usize) -> Failure {
        damaged(self.shape.tree, self.shape.head.first_row + row as u64)
    }
}

fn fill(constant: &Constant, rows: usize, out: &mut Vector) {
    match constant {
        Constant::Integer(value) => *out = Vector::Integer(vec![*value; rows]),
        Constant::Wide(value) => *out = Vector::Wide(vec![*value; rows]),
        Constant::Float(bits) => *out = Vector::Float(vec![f64::from_bits(*bits); rows]),
        Constant::Text(text) => {
            let mut one = Vector::default();
            one.set_values(
                crate::engine::vector::VectorKind::Text,
                &[Some(crate::value::Value::Text(text.clone()))],
            );
            vector::gather(
                &vec![0; rows],
                &one,
                &Vector::empty(crate::engine::vector::VectorKind::Text),
                out,
            );
        }
    }
}
