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

use std::collections::{HashMap, HashSet};

use gt_log::{Column, Kind, Tree};

use super::Wanted;
use super::graph::{Compiled, Gathered, Number, NumberId, ScanQuery, Test, TestId, What};
use crate::ir::{Aggregate, AggregateId, Anchor, Expr, Field, Operand, Outcome, Program, Scope, Step};
use crate::span::Span;
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::{Type, Value};
use crate::vocabulary::{Function, Structure};

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
}

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
        let Some(make) = self.make(query, wanted) else {
            self.forget_gathered(before);
            return None;
        };
        let is_local = self.compiled.test_is_local(test) && self.compiled.make_is_local(&make);
        if is_local && matches!(self.program.queries[query].outcome, Outcome::Count) {
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
            Expr::NotZero(inner) => self.compare(Comparison::NotEqual, inner, &ZERO, place),
            Expr::In(item, list) => {
                let equal =
                    |compiler: &mut Self, value| compiler.compare(Comparison::Equal, item, value, place);
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
                self.compare(*operator, left, right, place)
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
                self.test(&self.program.columns[id.0].expr, Place::Node, positive)
            }
            Field::Attribute(attribute) if own && self.kind(attribute)? == Kind::Bool => {
                let number = self.column(Column::Attribute(attribute));
                let zero = self.within(number, 0, 0);
                Some(self.not(zero))
            }
            _ => None,
        }
    }

    fn compare(&mut self, operator: Comparison, left: &Expr, right: &Expr, place: Place) -> Option<TestId> {
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

    /// An aggregate against a constant, where only what is true counts.
    fn compare_aggregate(&mut self, operator: Comparison, id: AggregateId, constant: i64) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        let largest = match aggregate.function {
            Function::Max => true,
            Function::Min => false,
            _ => {
                let number = self.aggregate(id)?;
                return Some(self.compare_constant(operator, number, constant));
            }
        };
        let (filter, number) = self.argument(aggregate)?;
        let what = What::Extreme { largest, filter, number };
        self.gather(Gathered { id, scope: aggregate.scope, what });
        // What lies further out than the constant, and what is not further in.
        let (beyond, not_within, towards) = if largest {
            (Comparison::Greater, Comparison::GreaterEqual, operator)
        } else {
            (Comparison::Less, Comparison::LessEqual, mirrored(operator))
        };
        let some = |compiler: &mut Self, comparison: Option<Comparison>| {
            let test = match comparison {
                None => filter,
                Some(comparison) => {
                    let test = compiler.compare_constant(comparison, number, constant);
                    compiler.all(vec![filter, test])
                }
            };
            let count = compiler.count(aggregate.scope, test)?;
            Some(compiler.compare_constant(Comparison::Greater, count, 0))
        };
        let some_beyond = some(self, Some(beyond))?;
        let some_not_within = some(self, Some(not_within))?;
        let some_at_all = some(self, None)?;
        let (none_beyond, all_within) = (self.not(some_beyond), self.not(some_not_within));
        Some(match towards {
            Comparison::Greater => some_beyond,
            Comparison::GreaterEqual => some_not_within,
            Comparison::Less => self.all(vec![some_at_all, all_within]),
            Comparison::LessEqual => self.all(vec![some_at_all, none_beyond]),
            Comparison::Equal => self.all(vec![some_not_within, none_beyond]),
            Comparison::NotEqual => {
                let less = self.all(vec![some_at_all, all_within]);
                self.any(vec![some_beyond, less])
            }
        })
    }

    fn truth_aggregate(&mut self, id: AggregateId) -> Option<TestId> {
        let aggregate = &self.program.aggregates[id.0];
        let place = place_of(aggregate.scope)?;
        let filter = self.test(&aggregate.filter, place, true)?;
        let is_any = match aggregate.function {
            Function::Any => true,
            Function::All => false,
            _ => return None,
        };
        let mut argument = self.test(&aggregate.argument, place, is_any)?;
        if !is_any {
            argument = self.not(argument);
        }
        let test = self.all(vec![filter, argument]);
        self.gather(Gathered { id, scope: aggregate.scope, what: What::Truth(test, is_any) });
        let count = self.count(aggregate.scope, test)?;
        let comparison = if is_any { Comparison::Greater } else { Comparison::Equal };
        Some(self.compare_constant(comparison, count, 0))
    }

    /// The value of an aggregate that is an integer and always known.
    fn aggregate(&mut self, id: AggregateId) -> Option<NumberId> {
        let aggregate = &self.program.aggregates[id.0];
        let scope = aggregate.scope;
        match aggregate.function {
            Function::Count => {
                let place = place_of(scope)?;
                let tests = vec![
                    self.test(&aggregate.filter, place, true)?,
                    self.test(&aggregate.argument, place, true)?,
                ];
                let test = self.all(tests);
                self.gather(Gathered { id, scope, what: What::Count(test) });
                self.count(scope, test)
            }
            Function::Sum if scope == Scope::Subtree && aggregate.filter.is_true() => {
                let (_, number) = self.argument(aggregate)?;
                self.gather(Gathered { id, scope, what: What::Sum(number) });
                let (low, high) = self.compiled.bounds[number];
                let most = i128::from(low).abs().max(i128::from(high).abs());
                let most = most.checked_mul(i128::from(self.tree.nodes()))?;
                self.put_bounded(Number::SubtreeSum(number), -most, most)
            }
            _ => None,
        }
    }

    fn argument(&mut self, aggregate: &Aggregate) -> Option<(TestId, NumberId)> {
        let place = place_of(aggregate.scope)?;
        let filter = self.test(&aggregate.filter, place, true)?;
        Some((filter, self.number(&aggregate.argument, place)?))
    }

    fn count(&mut self, scope: Scope, test: TestId) -> Option<NumberId> {
        let nodes = self.tree.nodes() as i64;
        let always = match self.compiled.tests[test] {
            Test::Always(value) => Some(value),
            _ => None,
        };
        match (scope, always) {
            (_, Some(false)) => Some(self.constant(0)),
            (Scope::Subtree, Some(true)) => {
                let (size, one) = (self.column(Column::Size), self.constant(1));
                self.put_bounded(Number::Subtract(size, one), 0, i128::from(nodes))
            }
            (Scope::Subtree, None) => self.put_bounded(Number::SubtreeCount(test), 0, nodes.into()),
            (Scope::Child, _) => self.put_bounded(Number::ChildCount(test), 0, nodes.into()),
            (Scope::Path, Some(true)) => Some(self.ply()),
            // Crossing nodes must be able to tell alone.
            (Scope::Path, None) if !self.compiled.test_is_told_alone(test) => None,
            (Scope::Path, None) => self.put_bounded(Number::PathCount(test), 0, nodes.into()),
            (Scope::Matches, _) => None,
        }
    }

    pub(super) fn number(&mut self, expr: &Expr, place: Place) -> Option<NumberId> {
        match expr {
            Expr::Constant(_) => integer(expr).map(|constant| self.constant(constant)),
            Expr::Read(operand) => self.read(*operand, place),
            Expr::Aggregate(id) if place == Place::Node => self.aggregate(*id),
            Expr::Negate(inner, _) => {
                let (zero, number) = (self.constant(0), self.number(inner, place)?);
                self.arithmetic(Arithmetic::Subtract, zero, number)
            }
            Expr::Arithmetic(operator, left, right, _) => {
                let (left, right) = (self.number(left, place)?, self.number(right, place)?);
                self.arithmetic(*operator, left, right)
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: NumberId, right: NumberId) -> Option<NumberId> {
        let [(a, b), (c, d)] = [left, right].map(|id| {
            let (low, high) = self.compiled.bounds[id];
            (i128::from(low), i128::from(high))
        });
        let numbers = &self.compiled.numbers;
        if let (&Number::Constant(left), &Number::Constant(right)) = (&numbers[left], &numbers[right]) {
            let (left, right) = (Value::Integer(left.into()), Value::Integer(right.into()));
            let value = operator.apply(&left, &right, Span::default()).ok()?;
            return integer(&Expr::Constant(value)).map(|constant| self.constant(constant));
        }
        match operator {
            Arithmetic::Add => self.put_bounded(Number::Add(left, right), a + c, b + d),
            Arithmetic::Subtract => self.put_bounded(Number::Subtract(left, right), a - d, b - c),
            Arithmetic::Multiply => {
                let ends = [a * c, a * d, b * c, b * d];
                let (low, high) = (ends.iter().min()?, ends.iter().max()?);
                self.put_bounded(Number::Multiply(left, right), *low, *high)
            }
            Arithmetic::BitAnd => {
                self.put_bounded(Number::And(left, right), i64::MIN.into(), i64::MAX.into())
            }
            Arithmetic::BitOr => self.put_bounded(Number::Or(left, right), i64::MIN.into(), i64::MAX.into()),
            Arithmetic::Divide | Arithmetic::Remainder => None,
        }
    }

    fn read(&mut self, operand: Operand, place: Place) -> Option<NumberId> {
        if operand.step != Step::Here {
            return None;
        }
        if let Field::Column(id) = operand.field {
            let column = &self.program.columns[id.0];
            let own = (operand.anchor == Anchor::Child) == (place == Place::Child);
            return if own { self.number(&column.expr, Place::Node) } else { None };
        }
        let number = match operand.field {
            Field::Attribute(attribute) => match self.kind(attribute)? {
                Kind::F32 | Kind::F64 | Kind::Bool | Kind::Text => return None,
                // Numbers beyond the signed ones look negative.
                Kind::U64 if self.is_beyond_signed(attribute) => return None,
                _ => self.column(Column::Attribute(attribute)),
            },
            Field::LastMove => self.column(Column::LastMove),
            Field::Structure(Structure::Size) => self.column(Column::Size),
            Field::Structure(Structure::Ply) => self.ply(),
            // Of crossing nodes it is known too late for their children.
            Field::Structure(Structure::Children) if place == Place::Node => {
                let always = self.put_test(Test::Always(true));
                return self.count(Scope::Child, always);
            }
            _ => return None,
        };
        if place == Place::Child && operand.anchor == Anchor::Node {
            let (low, high) = self.compiled.bounds[number];
            return match self.compiled.numbers[number] {
                Number::Constant(_) => Some(number),
                _ => self.put_bounded(Number::OfParent(number), low.into(), high.into()),
            };
        }
        Some(number)
    }

    pub(super) fn kind(&self, attribute: usize) -> Option<Kind> {
        self.tree.schema().attributes().get(attribute).map(|attribute| attribute.kind)
    }

    fn is_beyond_signed(&self, attribute: usize) -> bool {
        let number = Column::Attribute(attribute).number();
        self.tree.blocks().any(|head| head.columns[number].min < 0 || head.columns[number].max < 0)
    }

    /// A stored column; a constant where it is the same in the whole tree.
    fn column(&mut self, column: Column) -> NumberId {
        let heads =
            || self.tree.blocks().filter(|head| head.rows > 0).map(|head| &head.columns[column.number()]);
        let low = heads().map(|head| head.min).min().unwrap_or(0);
        let high = heads().map(|head| head.max).max().unwrap_or(0);
        if low == high {
            return self.constant(low);
        }
        self.put_number(Number::Column(column), (low, high))
    }

    fn ply(&mut self) -> NumberId {
        let depth = i64::from(self.tree.depth());
        self.put_number(Number::Ply, (0, depth))
    }

    fn constant(&mut self, constant: i64) -> NumberId {
        self.put_number(Number::Constant(constant), (constant, constant))
    }

    fn put_bounded(&mut self, number: Number, low: i128, high: i128) -> Option<NumberId> {
        let bounds = (i64::try_from(low).ok()?, i64::try_from(high).ok()?);
        Some(self.put_number(number, bounds))
    }

    fn put_number(&mut self, number: Number, bounds: (i64, i64)) -> NumberId {
        if let Some(&id) = self.known_numbers.get(&number) {
            return id;
        }
        let id = self.compiled.numbers.len();
        self.known_numbers.insert(number.clone(), id);
        self.compiled.numbers.push(number);
        self.compiled.bounds.push(bounds);
        id
    }

    fn put_test(&mut self, test: Test) -> TestId {
        if let Some(&id) = self.known_tests.get(&test) {
            return id;
        }
        let id = self.compiled.tests.len();
        self.known_tests.insert(test.clone(), id);
        self.compiled.tests.push(test);
        id
    }

    fn within(&mut self, number: NumberId, low: i64, high: i64) -> TestId {
        let (least, most) = self.compiled.bounds[number];
        if low <= least && most <= high {
            return self.put_test(Test::Always(true));
        }
        if high < least || most < low {
            return self.put_test(Test::Always(false));
        }
        let (low, high) = (low.max(least), high.min(most));
        match self.compiled.numbers[number] {
            Number::Subtract(inner, other) => {
                if let Number::Constant(constant) = self.compiled.numbers[other] {
                    let (low, high) = (low.checked_add(constant), high.checked_add(constant));
                    if let (Some(low), Some(high)) = (low, high) {
                        return self.within(inner, low, high);
                    }
                }
            }
            // All children count: there are some where the size says so.
            Number::ChildCount(test) if self.compiled.tests[test] == Test::Always(true) => {
                let size = self.column(Column::Size);
                match (low, high) {
                    (0, 0) => return self.within(size, 1, 1),
                    (1, high) if high == most => return self.within(size, 2, i64::MAX),
                    _ => {}
                }
            }
            _ => {}
        }
        self.put_test(Test::Within(number, low, high))
    }

    fn not(&mut self, test: TestId) -> TestId {
        match self.compiled.tests[test] {
            Test::Always(value) => self.put_test(Test::Always(!value)),
            Test::Not(inner) => inner,
            // The other side of a range that starts or ends with the numbers is a range.
            Test::Within(number, low, high) => {
                let (least, most) = self.compiled.bounds[number];
                if low == least {
                    self.within(number, high + 1, most)
                } else if high == most {
                    self.within(number, least, low - 1)
                } else {
                    self.put_test(Test::Not(test))
                }
            }
            _ => self.put_test(Test::Not(test)),
        }
    }

    fn all(&mut self, tests: Vec<TestId>) -> TestId {
        self.join(tests, true)
    }

    fn any(&mut self, tests: Vec<TestId>) -> TestId {
        self.join(tests, false)
    }

    /// Conjunction where `neutral` is true, disjunction where it is false.
    fn join(&mut self, mut tests: Vec<TestId>, neutral: bool) -> TestId {
        if tests.iter().any(|&test| self.compiled.tests[test] == Test::Always(!neutral)) {
            return self.put_test(Test::Always(!neutral));
        }
        tests.retain(|&test| self.compiled.tests[test] != Test::Always(neutral));
        tests.sort_unstable();
        tests.dedup();
        match tests[..] {
            [] => self.put_test(Test::Always(neutral)),
            [test] => test,
            _ if neutral => self.put_test(Test::All(tests)),
            _ => self.put_test(Test::Any(tests)),
        }
    }

    fn gather(&mut self, gathered: Gathered) {
        if self.known_gathered.insert(gathered.id) {
            self.compiled.gathered.push(gathered);
        }
    }

    /// Gathers no more than the first so many.
    fn forget_gathered(&mut self, kept: usize) {
        for gathered in self.compiled.gathered.drain(kept..) {
            self.known_gathered.remove(&gathered.id);
        }
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

const fn place_of(scope: Scope) -> Option<Place> {
    match scope {
        Scope::Child => Some(Place::Child),
        Scope::Subtree | Scope::Path => Some(Place::Node),
        Scope::Matches => None,
    }
}
