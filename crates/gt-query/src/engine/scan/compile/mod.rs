//! Compiles a program for scans: every expression becomes numbers and tests of the [graph](super::graph).
//!
//! ```text
//! not best = 0               ──▶  where `best = 0` is false: best is known, and not 0
//! subtree: max(best) > 8     ──▶  how many below have best > 8, at least 1
//! child: count(type=[]type)  ──▶  how many children equal the number that stands at their parent
//! subtree: count(*) > 300    ──▶  size > 301
//! best / 50 = 2              ──▶  best in 100 to 149
//! ```
//!
//! The extremes of the columns, from the heads of the blocks, prove that most operations do not overflow. Equal parts
//! of all queries are shared: they are computed once per block.

mod aggregates;
mod domain;
mod fields;
mod numbers;
mod outcome;
mod simplify;
mod truths;
mod twins;

use std::collections::HashMap;

use gt_log::{Column, Tree};

use super::MatchDetail;
use super::graph::{
    Compiled, Contribution, Errors, Lane, MatchOutput, Number, NumberId, Quantity, Scalar, ScanQuery, Test,
    TestId, Truth,
};
use crate::engine::plan::{Plan, Task};
use crate::ir::{AggregateId, ColumnId, Expr, Field, Operand, Operation, Program};
use crate::value::{Type, Value};
use crate::vocabulary::Structure;

/// The meaning of a row in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The node.
    Node,
    /// In an aggregate over children, the child.
    Child,
    /// In an aggregate over siblings that reads nothing of the node, the sibling.
    Sibling,
    /// A pair of a node and a sibling; each lane stands for one pair.
    Pair,
}

/// Compiles a program to scans.
pub(super) struct Compiler<'a> {
    program: &'a Program,
    tree: Tree<'a>,
    compiled: Compiled,
    known_numbers: HashMap<Number, NumberId>,
    known_tests: HashMap<Test, TestId>,
    columns: HashMap<ColumnId, Scalar>,
    contributions: HashMap<AggregateId, Contribution>,
}

impl<'a> Compiler<'a> {
    /// Compiles the tasks of a plan and the queries of its program. If `chosen` is set, only some nodes can
    /// match.
    pub(super) fn compile(
        program: &'a Program,
        tree: Tree<'a>,
        plan: &Plan,
        wanted: &[MatchDetail],
        chosen: bool,
    ) -> Compiled {
        let mut compiler = Self {
            program,
            tree,
            compiled: Compiled::default(),
            known_numbers: HashMap::new(),
            known_tests: HashMap::new(),
            columns: HashMap::new(),
            contributions: HashMap::new(),
        };
        compiler.compiled.gathered = vec![None; program.aggregates.len()];
        compiler.compiled.columns = vec![None; program.columns.len()];
        compiler.compiled.twins = vec![None; program.aggregates.len()];
        compiler.compiled.twin_columns = vec![None; program.aggregates.len()];
        for task in &plan.tasks {
            match task {
                Task::Column(id) => compiler.compiled.columns[id.0] = Some(compiler.column_value(*id)),
                Task::Aggregate(id) => {
                    compiler.compiled.twin_columns[id.0] = compiler.twin_columns(*id, plan);
                    if compiler.compiled.twin_columns[id.0].is_some() {
                        continue;
                    }
                    compiler.compiled.gathered[id.0] = Some(compiler.gathered(*id));
                    compiler.compiled.twins[id.0] = compiler.twin_parts(*id);
                }
            }
        }
        for (query, wanted) in wanted.iter().enumerate() {
            let query = compiler.query(query, wanted, chosen);
            compiler.compiled.queries.push(query);
        }
        compiler.finish()
    }

    fn finish(mut self) -> Compiled {
        let attributes = 0..self.tree.schema().attributes().len();
        let columns = [Column::Size, Column::LastMove, Column::Status, Column::LeftOut];
        let columns = columns.into_iter().chain(attributes.map(Column::Attribute));
        self.compiled.note_used_once(columns);
        self.compiled.note_pairs();
        self.compiled.note_taken_pairs();
        self.compiled.note_one_column();
        self.compiled
    }

    fn query(&mut self, query: usize, wanted: &MatchDetail, chosen: bool) -> ScanQuery {
        let mut filters: Vec<Truth> =
            self.program.queries[query].filters().map(|filter| self.truth(filter, Place::Node)).collect();
        if chosen {
            let yes = self.put_test(Test::Chosen);
            filters.push(Truth { yes, no: self.not(yes), errors: Errors::new() });
        }
        let test = self.all(filters.iter().map(|filter| filter.yes).collect());
        // Only `true` passes a filter; an overflow in a filter counts unless another filter excludes the node.
        let open: Vec<TestId> = filters
            .iter()
            .map(|filter| {
                let may_pass = filter.errors.iter().map(|(_, test)| *test).chain([filter.yes]);
                self.any(may_pass.collect())
            })
            .collect();
        let open = self.all(open);
        let errors: Vec<&Errors> = filters.iter().map(|filter| &filter.errors).collect();
        let errors = self.errors_where(&joined(&errors), open);
        let output = self.output(query, wanted);
        let is_local = self.compiled.test_is_local(test)
            && errors.iter().all(|(_, test)| self.compiled.test_is_local(*test))
            && self.compiled.output_is_local(&output)
            && !self.needs_ids(&output);
        ScanQuery { query, test, errors, is_local, output }
    }

    /// Whether an output needs node_ids, which are computed from more than a row's columns.
    fn needs_ids(&self, output: &MatchOutput) -> bool {
        let MatchOutput::Groups { keys, folds, .. } = output else { return false };
        let tells_apart = |id: AggregateId| self.program.aggregates[id.0].function.tells_nodes_apart();
        keys.iter().any(|key| !key.errors().is_empty())
            || folds.iter().any(|fold| tells_apart(fold.id) || !fold.errors.is_empty())
    }

    /// The value of a derived column at each row.
    fn column_value(&mut self, id: ColumnId) -> Scalar {
        if let Some(value) = self.columns.get(&id) {
            return value.clone();
        }
        let column = &self.program.columns[id.0];
        let value = self.scalar_of_type(&column.expr, column.value_type, Place::Node);
        self.columns.insert(id, value.clone());
        value
    }

    fn scalar_of_type(&mut self, expr: &Expr, value_type: Type, place: Place) -> Scalar {
        if value_type == Type::Boolean {
            Scalar::Truth(self.truth(expr, place))
        } else {
            Scalar::Number(self.number(expr, place))
        }
    }

    /// An expression of any type.
    fn scalar(&mut self, expr: &Expr, place: Place) -> Scalar {
        let value_type = if self.is_truth(expr) { Type::Boolean } else { Type::Integer };
        self.scalar_of_type(expr, value_type, place)
    }

    fn is_truth(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(value) => matches!(value, Some(Value::Boolean(_))),
            Expr::Read(Operand { field, .. }) => match field {
                Field::Attribute(attribute) => self.kind(*attribute) == gt_log::Kind::Bool,
                Field::Column(id) => self.program.columns[id.0].value_type == Type::Boolean,
                Field::Structure(structure) => *structure == Structure::Unfinished,
                Field::LastMove | Field::NodeId => false,
            },
            Expr::Aggregate(id) => self.program.aggregates[id.0].value_type == Type::Boolean,
            Expr::Key(_) => false,
            Expr::Apply(operation, arguments, _) => match operation {
                Operation::Compare(_)
                | Operation::StartsWith
                | Operation::Contains
                | Operation::In
                | Operation::NotZero
                | Operation::Known
                | Operation::Not
                | Operation::And
                | Operation::Or => true,
                Operation::If => arguments[1..].iter().any(|branch| self.is_truth(branch)),
                Operation::Negate
                | Operation::Abs
                | Operation::Sqrt
                | Operation::Log
                | Operation::Round
                | Operation::Lower
                | Operation::Arithmetic(_)
                | Operation::Bound
                | Operation::Least
                | Operation::Greatest => false,
            },
        }
    }

    /// The errors, restricted to the rows where a test holds.
    fn errors_where(&mut self, errors: &Errors, test: TestId) -> Errors {
        errors.iter().map(|(span, error)| (*span, self.all(vec![*error, test]))).collect()
    }

    /// The rows at which none of these errors occurs.
    fn no_error(&mut self, errors: &Errors) -> TestId {
        let any = self.any(errors.iter().map(|(_, test)| *test).collect());
        self.not(any)
    }

    /// A number that is known wherever it is not an error.
    fn quantity(&mut self, number: NumberId, known: TestId, errors: Errors) -> Quantity {
        let no_error = self.no_error(&errors);
        let known = self.all(vec![known, no_error]);
        Quantity { number, known: self.unless_always(known), errors }
    }

    /// A test of where a value is known; `None` if that is everywhere.
    fn unless_always(&self, known: TestId) -> Option<TestId> {
        (self.compiled.tests[known] != Test::Always(true)).then_some(known)
    }

    fn always(&mut self, value: bool) -> TestId {
        self.put_test(Test::Always(value))
    }

    fn known_of(&mut self, known: Option<TestId>) -> TestId {
        known.unwrap_or_else(|| self.always(true))
    }

    /// The rows at which a number is known; a float must also not be NaN.
    fn value_known(&mut self, quantity: &Quantity) -> TestId {
        let known = self.known_of(quantity.known);
        let has_value = match self.compiled.lanes[quantity.number] {
            Lane::Float => self.has_value(quantity.number),
            Lane::Integer | Lane::Wide | Lane::Text => self.always(true),
        };
        self.all(vec![known, has_value])
    }

    fn has_value(&mut self, number: NumberId) -> TestId {
        match &self.compiled.numbers[number] {
            Number::Constant(_) => self.always(true),
            Number::Convert(..) => self.always(true),
            _ => self.put_test(Test::HasValue(number)),
        }
    }
}

/// Joins the errors of several parts, each once, in order of precedence.
fn joined(parts: &[&Errors]) -> Errors {
    let mut all = Errors::new();
    for error in parts.iter().copied().flatten() {
        if !all.contains(error) {
            all.push(*error);
        }
    }
    all
}
