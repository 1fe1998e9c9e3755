//! Which queries can be answered by scans of whole columns, and what those scans compute.
//!
//! A scan knows integers and two truth values: no overflow and nothing unknown. So an expression is taken only where
//! the extremes of the columns, which the heads of the blocks tell, prove that neither can come up; every other query
//! goes node by node. Equal parts of all queries are one: they are computed once for a block.
//!
//! ```text
//! subtree: max(best) > 8     ──▶  how many below have best > 8, at least 1
//! child: count(type=[]type)  ──▶  how many children equal the number that stands at their parent
//! subtree: count(*) > 300    ──▶  size > 301
//! ```

mod aggregates;
mod numbers;
mod outcome;
mod simplify;

use std::collections::{HashMap, HashSet};

use gt_log::{Column, Kind, Tree};

use super::Wanted;
use super::graph::{Compiled, Number, NumberId, ScanQuery, Test, TestId};
use crate::ir::{AggregateId, Anchor, ColumnId, Expr, Field, Operand, Program, Scope, Step};
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::{Type, Value};
use crate::vocabulary::Structure;

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At a node.
    Node,
    /// At a node that has a parent.
    BelowRoot,
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
    column_numbers: HashMap<ColumnId, Option<NumberId>>,
    /// By column, and whether only what is true counts.
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
        let tests: Option<Vec<TestId>> =
            filters.iter().map(|filter| self.test(filter, Place::Node, true)).collect();
        let Some(tests) = tests else {
            self.forget_gathered(before);
            return None;
        };
        let test = self.all(tests);
        let make = self.make(query, wanted).filter(|make| {
            let compiled = &self.compiled;
            let gathered =
                compiled.gathered[before..].iter().map(|gathered| compiled.size_of_gathered(gathered));
            let parts = [compiled.test_sizes[test], compiled.size_of_make(make)];
            parts.into_iter().chain(gathered).all(|size| size <= SIZE_MAX)
        });
        let Some(make) = make else {
            self.forget_gathered(before);
            return None;
        };
        let is_local = self.compiled.test_is_local(test) && self.compiled.make_is_local(&make);
        if is_local {
            // Crossing nodes are like any others.
            self.forget_gathered(before);
        }
        self.compiled.queries.push(ScanQuery { query, test, is_local, make });
        Some(())
    }

    /// A truth value. Where it is not `positive`, what is unknown would have to be told from what is false.
    pub(super) fn test(&mut self, expr: &Expr, place: Place, positive: bool) -> Option<TestId> {
        match expr {
            Expr::Constant(Some(Value::Boolean(value))) => Some(self.put_test(Test::Always(*value))),
            Expr::And(list) => {
                let tests =
                    list.iter().map(|inner| self.test(inner, place, positive)).collect::<Option<_>>()?;
                Some(self.all(tests))
            }
            Expr::Or(list) => {
                let tests =
                    list.iter().map(|inner| self.test(inner, place, positive)).collect::<Option<_>>()?;
                Some(self.any(tests))
            }
            Expr::Not(inner) => {
                let test = self.test(inner, place, false)?;
                Some(self.not(test))
            }
            Expr::NotZero(inner) => self.compare(Comparison::NotEqual, inner, &ZERO, (place, positive)),
            Expr::In(item, list) => {
                let equal = |compiler: &mut Self, value| {
                    compiler.compare(Comparison::Equal, item, value, (place, positive))
                };
                let tests = list.iter().map(|value| equal(self, value)).collect::<Option<_>>()?;
                Some(self.any(tests))
            }
            Expr::Compare(operator, left, right) => {
                if positive && place == Place::Node {
                    if let (Expr::Aggregate(id), Some(constant)) = (&**left, integer(right)) {
                        return self.compare_aggregate(*operator, *id, constant);
                    }
                    if let (Some(constant), Expr::Aggregate(id)) = (integer(left), &**right) {
                        return self.compare_aggregate(mirrored(*operator), *id, constant);
                    }
                }
                self.compare(*operator, left, right, (place, positive))
            }
            Expr::Read(operand) => self.read_test(*operand, place, positive),
            Expr::Aggregate(id) if place == Place::Node => self.truth_aggregate(*id),
            _ => None,
        }
    }

    fn read_test(&mut self, operand: Operand, place: Place, positive: bool) -> Option<TestId> {
        let own = operand.step == Step::Here && (operand.anchor == Anchor::Child) == (place == Place::Child);
        match operand.field {
            Field::Column(id) if own && self.program.columns[id.0].value_type == Type::Boolean => {
                if let Some(&known) = self.column_tests.get(&(id, positive)) {
                    return known;
                }
                let test = self.test(&self.program.columns[id.0].expr, Place::Node, positive);
                self.column_tests.insert((id, positive), test);
                test
            }
            Field::Structure(Structure::Unfinished) if own => {
                let (status, mask) = (self.column(Column::Status), i64::from(gt_log::status::UNFINISHED));
                Some(match self.compiled.numbers[status] {
                    Number::Constant(status) => self.put_test(Test::Always(status & mask != 0)),
                    _ => self.put_test(Test::Masked(Column::Status, mask)),
                })
            }
            Field::Attribute(attribute) if own && self.kind(attribute)? == Kind::Bool => {
                let number = self.column(Column::Attribute(attribute));
                let zero = self.within(number, 0, 0);
                Some(self.not(zero))
            }
            _ => None,
        }
    }

    /// A comparison. One that reads the node's parent is unknown at the root, which has none: where only what is true
    /// counts, it holds there for no value.
    fn compare(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        (place, positive): (Place, bool),
    ) -> Option<TestId> {
        let reads_parent = [left, right].into_iter().any(reads_parent);
        if !reads_parent || !positive || place != Place::Node {
            return self.compare_known(operator, left, right, place);
        }
        let compared = self.compare_known(operator, left, right, Place::BelowRoot)?;
        let size = self.column(Column::Size);
        let below_root = self.within(size, i64::MIN, self.tree.nodes() as i64 - 1);
        Some(self.all(vec![compared, below_root]))
    }

    /// A comparison of values that are known.
    fn compare_known(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        place: Place,
    ) -> Option<TestId> {
        if let (Some(0), Comparison::Equal | Comparison::NotEqual) = (integer(right), operator)
            && let Expr::Arithmetic(Arithmetic::BitAnd, column, mask, _) = left
            && let (Some(mask), Expr::Read(operand)) = (integer(mask), &**column)
        {
            let number = self.read(*operand, place)?;
            if let Number::Column(column) = self.compiled.numbers[number] {
                let masked = self.put_test(Test::Masked(column, mask));
                return Some(if operator == Comparison::Equal { self.not(masked) } else { masked });
            }
        }
        let (left, right) = (self.number(left, place)?, self.number(right, place)?);
        Some(self.compare_numbers(operator, left, right))
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

/// Whether an expression reads something of the parent.
fn reads_parent(expr: &Expr) -> bool {
    let mut found = false;
    expr.leaves(&mut |leaf| {
        found |= matches!(leaf, Expr::Read(Operand { anchor: Anchor::Node, step: Step::Parent, .. }));
    });
    found
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

const fn place_of(scope: Scope) -> Option<Place> {
    match scope {
        Scope::Child => Some(Place::Child),
        Scope::Subtree | Scope::Path => Some(Place::Node),
        Scope::Matches => None,
    }
}
