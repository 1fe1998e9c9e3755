//! The scans of one block: tests into bitmaps, numbers into vectors, each computed once and on demand.

mod best;
mod counts;
mod folds;
mod numbers;
mod pairs;
mod ranked;
mod relatives;
mod shape;
mod states;
mod stored;

mod tests;
mod totals;
mod twins;

use std::collections::HashMap;

use crate::engine::Failure;
use crate::engine::bits::{Bitmap, NodeSet, Ranks};
use crate::engine::crossing::{Details, JointId, Twins};
use crate::engine::folds::Relations;
use crate::engine::plan::Plan;
use crate::engine::scan::dictionary::{Counting, Tables};
use crate::engine::scan::graph::{Compiled, Number, NumberId, Part, Relative, Scalar, Test, TestId};
use crate::engine::scan::sums::Sums;
use crate::engine::twins::Results;
use crate::engine::vector::{Lanes, Vector};
use crate::evaluate::Evaluated;
use crate::ir::Program;
use crate::value::{Overflow, Value};
pub(in crate::engine) use shape::{Shape, ShapeRoom};

/// The buffers that a thread reuses from block to block.
#[derive(Default)]
pub(in crate::engine) struct Buffers {
    pub(in crate::engine) shape: ShapeRoom,
    tests: Vec<Bitmap>,
    ranks: Vec<Ranks>,
    numbers: Vec<Vector>,
    /// By number: the rows at which it has a value, and those at which it overflows.
    has_value: Vec<Bitmap>,
    overflows: Vec<Bitmap>,
    done: Done,
    sums: Sums,
    pub(in crate::engine::scan) tables: Tables,
    pub(in crate::engine::scan) counting: Counting,
    /// By query with a limit, an order word: as far as this thread knows, rows with this word or a later one cannot be
    /// shown.
    pub(in crate::engine::scan) not_shown: HashMap<usize, u64>,
    /// Buffers for the values of a column in place of the rows.
    of_values: Option<Box<Buffers>>,
}

/// The values computed for the current block.
#[derive(Default)]
struct Done {
    tests: Vec<bool>,
    ranks: Vec<bool>,
    numbers: Vec<bool>,
}

/// The values known from other blocks.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Elsewhere<'a> {
    pub(in crate::engine) plan: &'a Plan,
    pub(in crate::engine) details: &'a Details<'a>,
    /// By aggregate: the values for the whole tree, and for twins.
    pub(in crate::engine) told: &'a [Evaluated],
    pub(in crate::engine) twins: &'a [Option<Twins>],
    pub(in crate::engine) twin_results: &'a [Option<Results>],
    /// The nodes that can match, if not all can.
    pub(in crate::engine) chosen: Option<&'a NodeSet>,
}

/// The scans of one block.
pub(in crate::engine::scan) struct Scanner<'a> {
    pub(in crate::engine::scan) program: &'a Program,
    pub(in crate::engine::scan) compiled: &'a Compiled,
    pub(in crate::engine::scan) elsewhere: Elsewhere<'a>,
    pub(in crate::engine::scan) shape: Shape<'a>,
    pub(in crate::engine::scan) buffers: &'a mut Buffers,
    relations: Option<Relations>,
    /// The nodes of other blocks that rows refer to, and their indices.
    ghosts: Vec<JointId>,
    ghost_places: HashMap<JointId, u32>,
    /// By number and by test, the values at the ghosts that are known so far: pairs ask for them batch by batch.
    ghost_numbers: HashMap<NumberId, Vector>,
    ghost_tests: HashMap<TestId, Bitmap>,
    indexes: HashMap<Relative, Vec<u32>>,
    /// The current pairs of siblings: the nodes, and the siblings that they look at.
    pairs: [Vec<u32>; 2],
    /// By aggregate over twins, the value at each row.
    twin_values: HashMap<usize, Vec<Evaluated>>,
}

impl<'a> Scanner<'a> {
    pub(in crate::engine::scan) fn new(
        program: &'a Program,
        compiled: &'a Compiled,
        elsewhere: Elsewhere<'a>,
        shape: Shape<'a>,
        buffers: &'a mut Buffers,
    ) -> Self {
        buffers.begin(compiled);
        Self {
            program,
            compiled,
            elsewhere,
            shape,
            buffers,
            relations: None,
            ghosts: Vec::new(),
            ghost_places: HashMap::new(),
            ghost_numbers: HashMap::new(),
            ghost_tests: HashMap::new(),
            indexes: HashMap::new(),
            pairs: [Vec::new(), Vec::new()],
            twin_values: HashMap::new(),
        }
    }

    pub(in crate::engine::scan) fn rows(&self) -> usize {
        self.shape.rows()
    }

    /// Computes the parts of a scalar.
    pub(in crate::engine::scan) fn scalar(&mut self, scalar: &Scalar) -> Result<(), Failure> {
        let mut parts = Vec::new();
        scalar.each(&mut |part| parts.push(part));
        parts.into_iter().try_for_each(|part| match part {
            Part::Number(number) => self.operand(number),
            Part::Test(test) => self.test(test),
        })
    }

    /// The value of a scalar at a row; it must have been computed.
    pub(in crate::engine::scan) fn evaluated(&self, scalar: &Scalar, row: usize) -> Evaluated {
        if let Some((span, _)) = scalar.errors().iter().find(|(_, test)| self.bit(*test, row)) {
            return Err(Overflow::new(*span));
        }
        Ok(match scalar {
            Scalar::Number(quantity) if quantity.known.is_some_and(|known| !self.bit(known, row)) => None,
            Scalar::Number(quantity) => self.value_at(quantity.number, row),
            Scalar::Truth(truth) if self.bit(truth.yes, row) => Some(Value::Boolean(true)),
            Scalar::Truth(truth) => self.bit(truth.no, row).then_some(Value::Boolean(false)),
        })
    }

    /// Whether a test holds for every row of every block.
    pub(in crate::engine::scan) fn holds_always(&self, test: TestId) -> bool {
        self.compiled.tests[test] == Test::Always(true)
    }

    /// Whether a test, which must have been computed, holds at a row or pair. A test that always holds has no lane per
    /// pair.
    fn bit(&self, test: TestId, row: usize) -> bool {
        match self.compiled.tests[test] {
            Test::Always(holds) => holds,
            _ => self.buffers.tests[test].get(row),
        }
    }

    fn value_at(&self, number: NumberId, row: usize) -> Option<Value> {
        match &self.compiled.numbers[number] {
            Number::Constant(constant) => constant.value(),
            _ => self.buffers.numbers[number].value_at(row),
        }
    }

    /// The rows that satisfy a test, which must have been computed.
    pub(in crate::engine::scan) fn known_test(&self, test: TestId) -> &Bitmap {
        &self.buffers.tests[test]
    }

    /// The vector of a number, which must have been computed and not be a constant.
    pub(in crate::engine::scan) fn vector(&self, number: NumberId) -> &Vector {
        &self.buffers.numbers[number]
    }

    /// A number as an operand; it must have been computed.
    pub(in crate::engine::scan) fn lanes(&self, number: NumberId) -> Lanes<'_> {
        match &self.compiled.numbers[number] {
            Number::Constant(constant) => constant.lanes(),
            _ => Lanes::Vector(&self.buffers.numbers[number]),
        }
    }

    /// The node_ids of some inner rows.
    pub(in crate::engine::scan) fn ids_of(&mut self, rows: &[u32]) -> Result<Vec<u64>, Failure> {
        self.shape.plies()?;
        Ok(super::ids::listed_ids(&self.shape, rows))
    }
}

impl Buffers {
    /// Forgets the previous block.
    fn begin(&mut self, compiled: &Compiled) {
        let (tests, numbers) = (compiled.tests.len(), compiled.numbers.len());
        self.tests.resize_with(tests, Bitmap::default);
        self.ranks.resize_with(tests, Ranks::default);
        self.numbers.resize_with(numbers, Vector::default);
        self.has_value.resize_with(numbers, Bitmap::default);
        self.overflows.resize_with(numbers, Bitmap::default);
        for (list, length) in
            [(&mut self.done.tests, tests), (&mut self.done.ranks, tests), (&mut self.done.numbers, numbers)]
        {
            list.clear();
            list.resize(length, false);
        }
    }
}
