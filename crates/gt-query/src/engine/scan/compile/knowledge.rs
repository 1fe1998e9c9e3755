//! What is known where, and what a value is in its window.

use gt_log::{Column, Kind};

use super::{Compiler, Owner, Place, mirrored, owner};
use crate::engine::scan::graph::{Number, Scalar, Test, TestId};
use crate::ir::{AggregateId, Expr, Field, Operand, Operation};
use crate::syntax::ast::Comparison;
use crate::value::{BoundKind, Value};
use crate::vocabulary::{Function, Structure};

/// The tests of what a value is in its window.
#[derive(Clone, Copy)]
struct BoundTests {
    /// By [`BoundKind`], in the order of [`BoundKind::ALL`].
    kinds: [TestId; 3],
    known: TestId,
}

impl Compiler<'_> {
    /// The rows for which an expression has a value.
    pub(super) fn known(&mut self, expr: &Expr, place: Place) -> Option<TestId> {
        match expr {
            Expr::Constant(value) => Some(self.put_test(Test::Always(value.is_some()))),
            Expr::Read(operand) => self.operand_known(*operand, place),
            Expr::Aggregate(id) if place == Place::Node => self.aggregate_known(*id),
            Expr::Apply(Operation::Bound, bound, _) => {
                self.bound_tests(bound, place).map(|tests| tests.known)
            }
            Expr::Apply(Operation::Not | Operation::NotZero, inner, _) => self.known(&inner[0], place),
            Expr::Apply(Operation::Known, inner, _) => {
                // What cannot be computed without overflow is not told here.
                self.known(&inner[0], place)?;
                Some(self.put_test(Test::Always(true)))
            }
            Expr::Apply(Operation::Compare(_), sides, _) => {
                let sides = vec![self.known(&sides[0], place)?, self.known(&sides[1], place)?];
                Some(self.all(sides))
            }
            Expr::Apply(Operation::In | Operation::And | Operation::Or, parts, _) => {
                let mut always = true;
                for inner in parts {
                    let known = self.known(inner, place)?;
                    always &= self.compiled.tests[known] == Test::Always(true);
                }
                if always {
                    return Some(self.put_test(Test::Always(true)));
                }
                let senses = vec![self.test(expr, place, true)?, self.test(expr, place, false)?];
                Some(self.any(senses))
            }
            _ => {
                let known = self.number(expr, place)?.known;
                Some(known.unwrap_or_else(|| self.put_test(Test::Always(true))))
            }
        }
    }

    fn operand_known(&mut self, operand: Operand, place: Place) -> Option<TestId> {
        let owner = owner(operand, place)?;
        let known = match operand.field {
            // A float can be known to the log and still not be a number.
            Field::Attribute(attribute) if self.kind(attribute)?.is_float() => return None,
            Field::Attribute(attribute) => self.column_known(attribute),
            Field::Structure(Structure::Parent) if owner == Owner::Row => self.below_root(),
            Field::Structure(Structure::Parent | Structure::Line) => return None,
            Field::LastMove | Field::NodeId | Field::Structure(_) => self.put_test(Test::Always(true)),
            Field::Column(id) if owner == Owner::Row => {
                if let Some(&known) = self.columns_known.get(&id) {
                    return known;
                }
                let known = self.known(&self.program.columns[id.0].expr, Place::Node);
                self.columns_known.insert(id, known);
                return known;
            }
            Field::Column(_) => return None,
        };
        self.known_at(known, owner)
    }

    /// Where something is known to the owner of an operand, by where it is known to the rows.
    pub(super) fn known_at(&mut self, known: TestId, owner: Owner) -> Option<TestId> {
        let always = self.compiled.tests[known] == Test::Always(true);
        match owner {
            Owner::Row => Some(known),
            Owner::Parent if always => Some(known),
            Owner::ParentIfAny if always => Some(self.below_root()),
            // The root's parent counts as 0: it knows nothing.
            Owner::Parent | Owner::ParentIfAny => {
                let truth = self.put_bounded(Number::Truth(known), 0, 1)?;
                let of_parent = self.put_bounded(Number::OfParent(truth), 0, 1)?;
                Some(self.within(of_parent, 1, 1))
            }
        }
    }

    /// The rows that have a parent.
    fn below_root(&mut self) -> TestId {
        let size = self.column(Column::Size);
        self.within(size, i64::MIN, self.tree.nodes() as i64 - 1)
    }

    /// The rows in which an attribute has a value.
    pub(super) fn column_known(&mut self, attribute: usize) -> TestId {
        let number = Column::Attribute(attribute).number();
        let may_lack = self.tree.blocks().any(|head| head.columns[number].missing);
        self.put_test(if may_lack { Test::Known(attribute) } else { Test::Always(true) })
    }

    /// The values that are `Bound`s, of the row itself or of a relative.
    pub(super) fn bound_scalar(&mut self, expr: &Expr, place: Place) -> Option<Scalar> {
        let (bound, place) = self.bound_of(expr, place)?;
        let BoundTests { kinds: [_, lower, upper], known } = self.bound_tests(&bound, place)?;
        Some(Scalar::Bound { lower, upper, known: self.unless_always(known) })
    }

    /// A test of where something is known; none where that is everywhere.
    pub(super) fn unless_always(&self, known: TestId) -> Option<TestId> {
        (self.compiled.tests[known] != Test::Always(true)).then_some(known)
    }

    /// The bound that an expression is, or that a column is which it reads.
    fn bound_of(&self, expr: &Expr, place: Place) -> Option<(Vec<Expr>, Place)> {
        match expr {
            Expr::Apply(Operation::Bound, bound, _) => Some((bound.clone(), place)),
            Expr::Read(operand) if owner(*operand, place) == Some(Owner::Row) => match operand.field {
                Field::Column(id) => self.bound_of(&self.program.columns[id.0].expr, Place::Node),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison of `@bound` with a text.
    pub(super) fn compare_bound(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        place: Place,
        sense: bool,
    ) -> Option<TestId> {
        let (operator, bound, text) = match (left, right) {
            (bound, Expr::Constant(Some(text @ Value::Text(_)))) => (operator, bound, text),
            (Expr::Constant(Some(text @ Value::Text(_))), bound) => (mirrored(operator), bound, text),
            _ => return None,
        };
        let (bound, place) = self.bound_of(bound, place)?;
        let tests = self.bound_tests(&bound, place)?;
        let holds = |kind: BoundKind| operator.holds(kind.value().order(text)) == sense;
        let kinds = BoundKind::ALL.into_iter().zip(tests.kinds);
        let kinds = kinds.filter_map(|(kind, test)| holds(kind).then_some(test)).collect();
        Some(self.any(kinds))
    }

    fn bound_tests(&mut self, bound: &[Expr], place: Place) -> Option<BoundTests> {
        let [value, alpha, beta] = bound else { return None };
        let [value, alpha, beta] = [value, alpha, beta].map(|number| self.number(number, place));
        let (value, alpha, beta) = (value?, alpha?, beta?);
        let always = self.put_test(Test::Always(true));
        let known = self.where_known([value, alpha, beta], always);
        let reaches_beta = self.compare_numbers(Comparison::GreaterEqual, value.number, beta.number);
        let below_beta = self.not(reaches_beta);
        let reaches_alpha = self.compare_numbers(Comparison::LessEqual, value.number, alpha.number);
        let above_alpha = self.not(reaches_alpha);
        let exact = self.all(vec![known, below_beta, above_alpha]);
        let lower = self.all(vec![known, reaches_beta]);
        let upper = self.all(vec![known, below_beta, reaches_alpha]);
        Some(BoundTests { kinds: [exact, lower, upper], known })
    }

    fn aggregate_known(&mut self, id: AggregateId) -> Option<TestId> {
        match self.program.aggregates[id.0].function {
            Function::Min | Function::Max => self.some_at_all(id),
            Function::Count | Function::Sum => {
                self.aggregate(id)?;
                Some(self.put_test(Test::Always(true)))
            }
            Function::Any | Function::All => {
                self.truth_aggregate(id)?;
                Some(self.put_test(Test::Always(true)))
            }
            _ => None,
        }
    }

    /// An attribute that is a text or a truth value can be asked whether it is known, and nothing else here.
    pub(super) fn is_number(&self, attribute: usize) -> Option<bool> {
        Some(!matches!(self.kind(attribute)?, Kind::F32 | Kind::F64 | Kind::Bool | Kind::Text))
    }
}
