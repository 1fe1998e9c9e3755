//! Which queries can be answered by scans of whole columns, and what those scans compute.
//!
//! A scan knows integers and two truth values, and no overflow: an expression is taken only where the extremes of the
//! columns, which the heads of the blocks tell, prove that there is none. What can be unknown is compiled into a test
//! of where it is true and another of where it is false; every other query goes node by node. Equal parts of all
//! queries are one: they are computed once for a block.
//!
//! ```text
//! not best = 0               ──▶  where `best = 0` is false: best is known, and not 0
//! subtree: max(best) > 8     ──▶  how many below have best > 8, at least 1
//! child: count(type=[]type)  ──▶  how many children equal the number that stands at their parent
//! subtree: count(*) > 300    ──▶  size > 301
//! ```

mod aggregates;
mod knowledge;
mod numbers;
mod outcome;
mod simplify;

use std::collections::{HashMap, HashSet};

use gt_log::{Column, Kind, Tree};

use super::Wanted;
use super::graph::{Compiled, Number, NumberId, Quantity, ScanQuery, Test, TestId};
use crate::ir::{AggregateId, Anchor, ColumnId, Expr, Field, Operand, Operation, Program, Scope, Step};
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::{Type, Value};
use crate::vocabulary::Structure;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At a node.
    Node,
    /// At a child of the node.
    Child,
}

/// Makes scans of queries.
pub(super) struct Compiler<'a> {
    pub(super) program: &'a Program,
    tree: Tree<'a>,
    pub(super) compiled: Compiled,
    known_numbers: HashMap<Number, NumberId>,
    known_tests: HashMap<Test, TestId>,
    known_gathered: HashSet<AggregateId>,
    /// What the columns that the query at hand has read so far are; none where scans cannot tell.
    column_numbers: HashMap<ColumnId, Option<Quantity>>,
    columns_known: HashMap<ColumnId, Option<TestId>>,
    /// By column, and whether it is asked where it is true or where it is false.
    column_tests: HashMap<(ColumnId, bool), Option<TestId>>,
}

/// Beyond this size, written out, a query goes node by node: what is known of crossing nodes is computed part by part.
const SIZE_MAX: u64 = 1 << 12;

impl<'a> Compiler<'a> {
    pub(super) fn new(program: &'a Program, tree: Tree<'a>) -> Self {
        let compiled = Compiled::default();
        Self {
            program,
            tree,
            compiled,
            known_numbers: HashMap::new(),
            known_tests: HashMap::new(),
            known_gathered: HashSet::new(),
            column_numbers: HashMap::new(),
            columns_known: HashMap::new(),
            column_tests: HashMap::new(),
        }
    }

    pub(super) fn finish(mut self) -> Compiled {
        let attributes = 0..self.tree.schema().attributes().len();
        let columns = [Column::Size, Column::LastMove, Column::Status, Column::LeftOut];
        let columns = columns.into_iter().chain(attributes.map(Column::Attribute));
        self.compiled.asked_once = columns.map(|column| self.compiled.is_asked_once(column)).collect();
        self.compiled
    }

    /// Takes a query, if a scan can answer it.
    pub(super) fn add(&mut self, query: usize, wanted: &Wanted<'_>) -> Option<()> {
        let before = self.compiled.gathered.len();
        let filters = self.program.queries[query].filters();
        let tests: Option<Vec<TestId>> = filters.map(|filter| self.test(filter, Place::Node, true)).collect();
        let Some(tests) = tests else {
            self.forget_gathered(before);
            return None;
        };
        let test = self.all(tests);
        let output = self.output(query, wanted).filter(|output| {
            let compiled = &self.compiled;
            let gathered = compiled.gathered[before..].iter();
            let gathered = gathered.map(|gathered| compiled.largest_part(|visit| gathered.each(visit)));
            let parts = [compiled.test_sizes[test], compiled.largest_part(|visit| output.each(visit))];
            parts.into_iter().chain(gathered).all(|size| size <= SIZE_MAX)
        });
        let Some(output) = output else {
            self.forget_gathered(before);
            return None;
        };
        let is_local = self.compiled.test_is_local(test) && self.compiled.output_is_local(&output);
        if is_local {
            // Crossing nodes are like any others.
            self.forget_gathered(before);
        }
        self.compiled.queries.push(ScanQuery { query, test, is_local, output });
        Some(())
    }

    /// The rows for which a truth value is `sense`; for others it is the opposite, or unknown.
    pub(super) fn test(&mut self, expr: &Expr, place: Place, sense: bool) -> Option<TestId> {
        match expr {
            Expr::Constant(Some(Value::Boolean(value))) => Some(self.put_test(Test::Always(*value == sense))),
            Expr::Constant(None) => Some(self.put_test(Test::Always(false))),
            // One that is false is enough for an `and` to be false, and so on.
            Expr::Apply(Operation::And, list, _) => {
                self.tests(list, place, sense).map(|tests| self.join(tests, sense))
            }
            Expr::Apply(Operation::Or, list, _) => {
                self.tests(list, place, sense).map(|tests| self.join(tests, !sense))
            }
            Expr::Apply(Operation::Not, inner, _) => self.test(&inner[0], place, !sense),
            Expr::Apply(Operation::Known, inner, _) => {
                let known = self.known(&inner[0], place)?;
                Some(self.in_sense(known, sense))
            }
            Expr::Apply(Operation::NotZero, inner, _) => {
                self.compare(Comparison::NotEqual, &inner[0], &ZERO, place, sense)
            }
            Expr::Apply(Operation::In, list, _) => {
                let equal = |compiler: &mut Self, value| {
                    compiler.compare(Comparison::Equal, &list[0], value, place, sense)
                };
                let tests = list[1..].iter().map(|value| equal(self, value)).collect::<Option<_>>()?;
                Some(self.join(tests, !sense))
            }
            Expr::Apply(Operation::Compare(operator), sides, _) => {
                self.compare(*operator, &sides[0], &sides[1], place, sense)
            }
            Expr::Read(operand) => self.read_test(*operand, place, sense),
            Expr::Aggregate(id) if place == Place::Node => {
                let test = self.truth_aggregate(*id)?;
                Some(self.in_sense(test, sense))
            }
            _ => None,
        }
    }

    fn tests(&mut self, list: &[Expr], place: Place, sense: bool) -> Option<Vec<TestId>> {
        list.iter().map(|inner| self.test(inner, place, sense)).collect()
    }

    /// A test that is never unknown, or its opposite.
    fn in_sense(&mut self, test: TestId, sense: bool) -> TestId {
        if sense { test } else { self.not(test) }
    }

    fn read_test(&mut self, operand: Operand, place: Place, sense: bool) -> Option<TestId> {
        if owner(operand, place)? != Owner::Row {
            return None;
        }
        match operand.field {
            Field::Column(id) if self.program.columns[id.0].value_type == Type::Boolean => {
                if let Some(&known) = self.column_tests.get(&(id, sense)) {
                    return known;
                }
                let test = self.test(&self.program.columns[id.0].expr, Place::Node, sense);
                self.column_tests.insert((id, sense), test);
                test
            }
            Field::Structure(Structure::Unfinished) => {
                let (status, mask) = (self.column(Column::Status), i64::from(gt_log::status::UNFINISHED));
                let test = match self.compiled.numbers[status] {
                    Number::Constant(status) => self.put_test(Test::Always(status & mask != 0)),
                    _ => self.put_test(Test::Masked(Column::Status, mask)),
                };
                Some(self.in_sense(test, sense))
            }
            Field::Attribute(attribute) if self.kind(attribute)? == Kind::Bool => {
                let number = self.column(Column::Attribute(attribute));
                let is_false = self.within(number, 0, 0);
                let (test, known) = (self.in_sense(is_false, !sense), self.column_known(attribute));
                Some(self.all(vec![test, known]))
            }
            _ => None,
        }
    }

    /// The rows for which a comparison is `sense`; it is unknown where one of its sides is.
    fn compare(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        place: Place,
        sense: bool,
    ) -> Option<TestId> {
        if let Some(bound) = self.compare_bound(operator, left, right, place, sense) {
            return Some(bound);
        }
        if place == Place::Node {
            if let (Expr::Aggregate(id), Some(constant)) = (left, integer(right)) {
                return self.compare_aggregate(operator, *id, constant, sense);
            }
            if let (Some(constant), Expr::Aggregate(id)) = (integer(left), right) {
                return self.compare_aggregate(mirrored(operator), *id, constant, sense);
            }
        }
        if let Some(masked) = self.compare_masked(operator, left, right, place, sense) {
            return Some(masked);
        }
        let (left, right) = (self.number(left, place)?, self.number(right, place)?);
        let test = self.compare_numbers(operator, left.number, right.number);
        let test = self.in_sense(test, sense);
        Some(self.where_known([left, right], test))
    }

    /// A test, where these numbers are known.
    pub(super) fn where_known<const N: usize>(&mut self, numbers: [Quantity; N], test: TestId) -> TestId {
        let known = numbers.into_iter().filter_map(|quantity| quantity.known);
        let tests = known.chain([test]).collect();
        self.all(tests)
    }

    /// `column & mask = 0`, from the column as it is stored.
    fn compare_masked(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        place: Place,
        sense: bool,
    ) -> Option<TestId> {
        let (Some(0), Expr::Apply(Operation::Arithmetic(Arithmetic::BitAnd), sides, _)) =
            (integer(right), left)
        else {
            return None;
        };
        let is_equal = match operator {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return None,
        };
        let (Some(mask), Expr::Read(operand)) = (integer(&sides[1]), &sides[0]) else { return None };
        let quantity = self.read(*operand, place)?;
        let Number::Column(column) = self.compiled.numbers[quantity.number] else { return None };
        let masked = self.put_test(Test::Masked(column, mask));
        let test = self.in_sense(masked, sense != is_equal);
        Some(self.where_known([quantity], test))
    }

    fn compare_numbers(&mut self, operator: Comparison, left: NumberId, right: NumberId) -> TestId {
        match (&self.compiled.numbers[left], &self.compiled.numbers[right]) {
            (_, &Number::Constant(constant)) => self.compare_constant(operator, left, constant),
            (&Number::Constant(constant), _) => self.compare_constant(mirrored(operator), right, constant),
            _ => self.put_test(Test::Compare(operator, left, right)),
        }
    }

    fn compare_constant(&mut self, operator: Comparison, number: NumberId, constant: i64) -> TestId {
        match operator {
            Comparison::Equal => self.within(number, constant, constant),
            Comparison::NotEqual => {
                let equal = self.within(number, constant, constant);
                self.not(equal)
            }
            Comparison::LessEqual => self.within(number, i64::MIN, constant),
            Comparison::GreaterEqual => self.within(number, constant, i64::MAX),
            Comparison::Less => {
                let at_least = self.within(number, constant, i64::MAX);
                self.not(at_least)
            }
            Comparison::Greater => {
                let at_most = self.within(number, i64::MIN, constant);
                self.not(at_most)
            }
        }
    }
}

/// Whose value an operand is, as seen from a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Row,
    /// Its parent; every child has one.
    Parent,
    /// Its parent, where it is not the root.
    ParentIfAny,
}

/// Whose value an operand is; none where scans do not go there.
fn owner(operand: Operand, place: Place) -> Option<Owner> {
    match (place, operand.anchor, operand.step) {
        (Place::Node, Anchor::Node, Step::Here) | (Place::Child, Anchor::Other, Step::Here) => {
            Some(Owner::Row)
        }
        (Place::Child, Anchor::Node, Step::Here) => Some(Owner::Parent),
        (Place::Node, Anchor::Node, Step::Parent) => Some(Owner::ParentIfAny),
        _ => None,
    }
}

const ZERO: Expr = Expr::Constant(Some(Value::Integer(0)));

fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Constant(Some(Value::Integer(value))) => i64::try_from(*value).ok(),
        _ => None,
    }
}

const fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}

const fn opposite(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

const fn place_of(scope: Scope) -> Option<Place> {
    match scope {
        Scope::Child => Some(Place::Child),
        Scope::Subtree | Scope::Path => Some(Place::Node),
        Scope::Before | Scope::After | Scope::Tree | Scope::Twin(_) | Scope::Matches => None,
    }
}
