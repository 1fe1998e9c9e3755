//! An aggregate over twins in parts, each of which reads only one node.
//!
//! ```text
//! count([]node_id < node_id and []depth >= depth where []type = 1)
//!   of the twin   type = 1
//!   of a pair     node_id < node_id,  depth >= depth
//! ```

use crate::ir::{Aggregate, Anchor, Comparison, Expr, Field, Operand, Operation};
use crate::value::Value;
use crate::vocabulary::Function;

/// An aggregate over twins in parts.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Form {
    /// The conditions on a twin, with whether each must be true or must not be.
    pub(in crate::engine) of_twin: Vec<(Expr, bool)>,
    /// The conditions on the node, with whether each must be true or must not be.
    pub(in crate::engine) of_node: Vec<(Expr, bool)>,
    /// The comparisons that must hold: of a twin on the left, of the node on the right.
    pub(in crate::engine) pairs: Vec<(Comparison, Expr, Expr)>,
    /// The value taken from a twin, for all but counts.
    pub(in crate::engine) argument: Option<Expr>,
}

/// The node that an expression reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sees {
    /// The node, or none.
    Node,
    Twin,
    Both,
}

impl Form {
    /// The parts of an aggregate; `None` if it cannot be split.
    pub(in crate::engine) fn of(aggregate: &Aggregate) -> Option<Self> {
        let mut form = Self::default();
        form.add(&aggregate.filter)?;
        match aggregate.function {
            Function::Count | Function::Any => form.add(&aggregate.argument)?,
            // The nodes that violate it are counted.
            Function::All => match sees(&aggregate.argument) {
                Sees::Twin => form.of_twin.push((aggregate.argument.clone(), false)),
                Sees::Node => form.of_node.push((aggregate.argument.clone(), false)),
                Sees::Both => return None,
            },
            Function::Sum | Function::Avg | Function::Min | Function::Max => {
                if sees(&aggregate.argument) != Sees::Twin {
                    return None;
                }
                form.argument = Some(aggregate.argument.clone());
            }
            Function::Stddev
            | Function::Median
            | Function::Quantile
            | Function::Corr
            | Function::Distinct
            | Function::First
            | Function::Last
            | Function::ArgMin
            | Function::ArgMax => return None,
        }
        Some(form)
    }

    /// Whether it reads only stored values and positions, so that nothing has to be computed for it.
    pub(in crate::engine) fn reads_stored_values(&self) -> bool {
        let conditions = self.of_twin.iter().chain(&self.of_node).map(|(expr, _)| expr);
        let pairs = self.pairs.iter().flat_map(|(_, twin, node)| [twin, node]);
        let mut stored = true;
        for expr in conditions.chain(pairs).chain(&self.argument) {
            expr.leaves(&mut |leaf| match leaf {
                Expr::Read(Operand { field, .. }) => {
                    stored &= matches!(field, Field::Attribute(_) | Field::LastMove | Field::NodeId);
                }
                Expr::Aggregate(_) => stored = false,
                Expr::Constant(_) | Expr::Key(_) | Expr::Apply(..) => {}
            });
        }
        stored
    }

    /// Adds a condition.
    fn add(&mut self, expr: &Expr) -> Option<()> {
        match (expr, sees(expr)) {
            (Expr::Constant(Some(Value::Boolean(true))), _) => {}
            (_, Sees::Twin) => self.of_twin.push((expr.clone(), true)),
            (_, Sees::Node) => self.of_node.push((expr.clone(), true)),
            (Expr::Apply(Operation::And, parts, _), Sees::Both) => {
                parts.iter().try_for_each(|part| self.add(part))?;
            }
            (Expr::Apply(Operation::Compare(comparison), sides, _), Sees::Both) => {
                let [left, right] = &sides[..] else { return None };
                let pair = match (sees(left), sees(right)) {
                    (Sees::Twin, Sees::Node) => (*comparison, left.clone(), right.clone()),
                    (Sees::Node, Sees::Twin) => (comparison.mirrored(), right.clone(), left.clone()),
                    _ => return None,
                };
                self.pairs.push(pair);
            }
            (_, Sees::Both) => return None,
        }
        Some(())
    }
}

fn sees(expr: &Expr) -> Sees {
    let (mut node, mut twin) = (false, false);
    expr.leaves(&mut |leaf| match leaf {
        Expr::Read(Operand { anchor: Anchor::Other, .. }) => twin = true,
        Expr::Read(Operand { anchor: Anchor::Node, .. }) | Expr::Aggregate(_) => node = true,
        Expr::Constant(_) | Expr::Key(_) | Expr::Apply(..) => {}
    });
    match (node, twin) {
        (_, false) => Sees::Node,
        (false, true) => Sees::Twin,
        (true, true) => Sees::Both,
    }
}
