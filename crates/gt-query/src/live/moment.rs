//! The moments at which a node's values become known while the tree is growing.
//!
//! A search reports a node's move when it enters the node and everything else when it leaves it. For a node `x`:
//!
//! ```text
//! time ──▶  enter x … leave x … leave next(x) … leave parent(x) … leave next(parent(x)) … leave root
//! moment    0         1         2               3                 4                        END
//! ```
//!
//! If there is no next sibling, its moment is that of the parent.

use crate::ir::{Aggregate, Anchor, Expr, Field, Operand, Program, Scope, Step};
use crate::vocabulary::Structure;

/// A point in time, relative to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(pub(super) u32);

impl Moment {
    /// The node is entered.
    pub(super) const ENTER: Self = Self(0);
    /// The node is left.
    pub(super) const LEAVE: Self = Self(1);
    /// Its next sibling is left.
    const NEXT: Self = Self(2);
    /// Its parent is left.
    pub(super) const PARENT: Self = Self(3);
    /// The root is left.
    pub(super) const END: Self = Self(u32::MAX);

    /// The moment when the node's ancestor this many levels up is left.
    pub(super) fn leave_of_ancestor(levels: u32) -> Self {
        Self(levels.saturating_mul(2).saturating_add(1))
    }

    /// The moment when the next sibling of that ancestor is left.
    pub(super) fn leave_after_ancestor(levels: u32) -> Self {
        Self(levels.saturating_mul(2).saturating_add(2))
    }

    /// A moment of the parent, relative to the child.
    fn of_parent(self) -> Self {
        if self == Self::ENTER { self } else { Self(self.0.saturating_add(2)) }
    }

    /// A moment of a child, relative to the parent; never before the parent is left.
    fn of_child(self) -> Self {
        match self {
            Self::END => Self::END,
            moment if moment <= Self::PARENT => Self::LEAVE,
            moment => Self(moment.0 - 2),
        }
    }

    /// A moment of the previous sibling, relative to the node.
    fn of_previous(self) -> Self {
        match self {
            Self::ENTER | Self::LEAVE => Self::ENTER,
            Self::NEXT => Self::LEAVE,
            later => later,
        }
    }

    /// A moment of the next sibling, relative to the node.
    fn of_next(self) -> Self {
        match self {
            Self::ENTER | Self::LEAVE => Self::NEXT,
            Self::NEXT => Self::PARENT,
            later => later,
        }
    }
}

/// The moments of a program's columns and aggregates, as far as they are known.
#[derive(Default)]
pub(super) struct Moments {
    /// The moment when a column's value is known at its node.
    pub(super) columns: Vec<Moment>,
    /// The moment when an aggregate's value is known at its node.
    pub(super) values: Vec<Moment>,
    /// The moment when a node can be counted in an aggregate, relative to the counted node.
    pub(super) contributions: Vec<Moment>,
}

impl Moments {
    /// All moments of a program.
    pub(super) fn of(program: &Program) -> Self {
        let mut moments = Self {
            columns: vec![Moment::ENTER; program.columns.len()],
            values: vec![Moment::ENTER; program.aggregates.len()],
            contributions: vec![Moment::ENTER; program.aggregates.len()],
        };
        // Aggregates depend on columns and columns on aggregates, but never in a cycle: repeating settles both.
        loop {
            let mut changed = false;
            for (id, aggregate) in program.aggregates.iter().enumerate() {
                let (contribution, value) = moments.of_aggregate(aggregate);
                changed |= (moments.contributions[id], moments.values[id]) != (contribution, value);
                (moments.contributions[id], moments.values[id]) = (contribution, value);
            }
            for (id, column) in program.columns.iter().enumerate() {
                let moment = moments.of_expr(&column.expr);
                changed |= moments.columns[id] != moment;
                moments.columns[id] = moment;
            }
            if !changed {
                return moments;
            }
        }
    }

    /// The moment when an expression is known, relative to the node at which it is evaluated.
    pub(super) fn of_expr(&self, expr: &Expr) -> Moment {
        self.latest(expr, |operand| self.of_operand(operand))
    }

    fn latest(&self, expr: &Expr, of_operand: impl Fn(Operand) -> Moment) -> Moment {
        let mut latest = Moment::ENTER;
        expr.leaves(&mut |leaf| {
            latest = latest.max(match leaf {
                Expr::Read(operand) => of_operand(*operand),
                Expr::Aggregate(id) => self.values[id.0],
                _ => Moment::ENTER,
            });
        });
        latest
    }

    fn of_operand(&self, operand: Operand) -> Moment {
        let moment = self.of_field(operand.field);
        match operand.step {
            Step::Here => moment,
            Step::Parent => moment.of_parent(),
            Step::Grandparent => moment.of_parent().of_parent(),
            // Beyond the third sibling nothing changes.
            Step::Sibling(places @ ..=0) => {
                (0..places.unsigned_abs().min(3)).fold(moment, |moment, _| moment.of_previous())
            }
            Step::Sibling(places) => (0..places.min(3)).fold(moment, |moment, _| moment.of_next()),
            Step::Child(_) => moment.of_child(),
        }
    }

    fn of_field(&self, field: Field) -> Moment {
        match field {
            Field::LastMove | Field::NodeId => Moment::ENTER,
            Field::Structure(structure) => match structure {
                Structure::Ply | Structure::Index | Structure::Parent | Structure::Line => Moment::ENTER,
                _ => Moment::LEAVE,
            },
            Field::Attribute(_) => Moment::LEAVE,
            Field::Column(id) => self.columns[id.0],
        }
    }

    /// The moment when a node can be counted, relative to that node; and when the aggregate is known, relative to its
    /// own node.
    fn of_aggregate(&self, aggregate: &Aggregate) -> (Moment, Moment) {
        // For siblings, relative to the node that the aggregate belongs to; for all others, to the counted node.
        let is_paired = reads_both(aggregate);
        let of_operand = |operand: Operand| match (aggregate.scope, operand.anchor) {
            (Scope::Child, Anchor::Node) => self.of_operand(operand).of_parent(),
            (Scope::Before, Anchor::Other) if is_paired => self.of_operand(operand).of_previous(),
            _ => self.of_operand(operand),
        };
        let each = aggregate.each().map(|expr| self.latest(expr, of_operand));
        let contribution = each.max().unwrap_or(Moment::ENTER);
        match aggregate.scope {
            Scope::Child | Scope::Subtree => {
                let contribution = contribution.max(Moment::LEAVE);
                (contribution, contribution.of_child())
            }
            Scope::Path if contribution == Moment::ENTER => (contribution, contribution),
            Scope::Path => (contribution, Moment::END),
            Scope::Before if is_paired => (contribution, contribution),
            Scope::Before => (contribution.max(Moment::LEAVE), contribution.max(Moment::LEAVE)),
            Scope::After => (contribution.max(Moment::PARENT), contribution.max(Moment::PARENT)),
            Scope::Tree => (contribution.max(Moment::LEAVE), Moment::END),
            Scope::Matches | Scope::Twin(_) => (contribution, contribution),
        }
    }
}

/// Whether an aggregate over children, siblings or twins reads values of the node that it belongs to.
pub(super) fn reads_both(aggregate: &Aggregate) -> bool {
    let mut reads = false;
    for expr in aggregate.each() {
        expr.leaves(&mut |leaf| reads |= matches!(leaf, Expr::Read(Operand { anchor: Anchor::Node, .. })));
    }
    aggregate.scope.anchor() == Anchor::Other && reads
}
