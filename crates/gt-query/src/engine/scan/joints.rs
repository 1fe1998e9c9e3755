//! Tests and numbers at crossing nodes, as far as blocks read them.

use gt_log::Column;

use super::graph::{Compiled, Number, NumberId, Test, TestId};
use crate::engine::details::Details;
use crate::engine::plan::Plan;
use crate::engine::skeleton::{JointId, Skeleton};
use crate::syntax::ast::Comparison;
use crate::value::Value;

/// The crossing nodes, surveyed.
#[derive(Clone, Copy)]
pub(super) struct Joints<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) plan: &'a Plan,
    pub(super) skeleton: &'a Skeleton,
    pub(super) details: &'a Details,
}

impl Joints<'_> {
    /// How many nodes on the path to the children of each crossing node satisfy a test.
    pub(super) fn path_counts(&self, test: TestId) -> Vec<i64> {
        let mut counts: Vec<i64> = Vec::with_capacity(self.skeleton.joints.len());
        // Parents come before children.
        for (joint, place) in self.skeleton.joints.iter().enumerate() {
            let above = place.parent.map_or(0, |parent| counts[parent]);
            counts.push(above + i64::from(self.test(test, joint)));
        }
        counts
    }

    /// The number at a crossing node; one that a row tells alone.
    pub(super) fn number(&self, number: NumberId, id: JointId) -> i64 {
        let joint = &self.details[id];
        match self.compiled.numbers[number] {
            Number::Constant(value) => value,
            Number::Column(Column::Size) => joint.size() as i64,
            Number::Column(Column::LastMove) => joint.values.last_move,
            Number::Column(Column::Attribute(attribute)) => self.attribute(attribute, id),
            Number::Ply => self.skeleton.joints[id].ply as i64,
            Number::Add(a, b) => self.number(a, id).wrapping_add(self.number(b, id)),
            Number::Subtract(a, b) => self.number(a, id).wrapping_sub(self.number(b, id)),
            Number::Multiply(a, b) => self.number(a, id).wrapping_mul(self.number(b, id)),
            Number::And(a, b) => self.number(a, id) & self.number(b, id),
            Number::Or(a, b) => self.number(a, id) | self.number(b, id),
            Number::Truth(test) => i64::from(self.test(test, id)),
            Number::Where(test, number) if self.test(test, id) => self.number(number, id),
            Number::Where(..) => 0,
            // Blocks read nothing of crossing nodes that a row does not tell alone.
            Number::Column(Column::Status | Column::LeftOut)
            | Number::OfParent(_)
            | Number::SubtreeCount(_)
            | Number::ChildCount(_)
            | Number::PathCount(_)
            | Number::SubtreeSum(_) => 0,
        }
    }

    fn attribute(&self, attribute: usize, id: JointId) -> i64 {
        let values = &self.details[id].values.attributes;
        match self.plan.place(attribute).and_then(|place| values.get(place)) {
            Some(Some(Value::Integer(value))) => *value as i64,
            Some(Some(Value::Boolean(value))) => i64::from(*value),
            _ => 0,
        }
    }

    fn test(&self, test: TestId, id: JointId) -> bool {
        match &self.compiled.tests[test] {
            Test::Always(value) => *value,
            Test::Within(number, low, high) => (*low..=*high).contains(&self.number(*number, id)),
            Test::Masked(column, mask) => {
                let value = match column {
                    Column::Attribute(attribute) => self.attribute(*attribute, id),
                    Column::LastMove => self.details[id].values.last_move,
                    Column::Status if self.details[id].values.unfinished => gt_log::status::UNFINISHED.into(),
                    Column::Status => 0,
                    _ => self.details[id].size() as i64,
                };
                value & mask != 0
            }
            Test::Known(attribute) => {
                let values = &self.details[id].values.attributes;
                self.plan.place(*attribute).and_then(|place| values.get(place)).is_some_and(Option::is_some)
            }
            Test::Compare(operator, left, right) => {
                let (left, right) = (self.number(*left, id), self.number(*right, id));
                Comparison::holds(*operator, left.cmp(&right))
            }
            Test::Not(inner) => !self.test(*inner, id),
            Test::All(tests) => tests.iter().all(|test| self.test(*test, id)),
            Test::Any(tests) => tests.iter().any(|test| self.test(*test, id)),
        }
    }
}
