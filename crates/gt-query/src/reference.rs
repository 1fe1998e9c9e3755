//! The reference evaluator: the thesis's one-pass algorithm as printed, and the rest of the language in the shortest
//! obviously correct code. It is the oracle of the tests, and slow.
//!
//! The children's and descendants' aggregates of a query are counted in *query instances* on a stack, one for each
//! node on the path that can still match, as in the thesis. Everything beyond the thesis (derived columns, ancestors,
//! relatives) is computed from the whole tree on demand.

use crate::accumulator::Accumulator;
use crate::answer::{Answer, Collector};
use crate::evaluate::{Evaluated, Frame, RunError, evaluate, passes};
use crate::ir::{AggregateId, Anchor, Expr, Field, Operand, Program, Scope, Step, TwinId};
use crate::plain_tree::{PlainTree, Visit};
use crate::value::Value;
use crate::vocabulary::{Part, Structure};

/// Answers every query of the program.
///
/// ```
/// use gt_query::{Environment, compile, plain_tree, reference};
///
/// let (tree, _) = plain_tree::parse("start best=1\n  e2e4 best=2\n  d2d4 best=2\n").unwrap();
/// let program = compile("child: count([]best = 2) > 1", &Environment::new(tree.schema())).unwrap();
/// let answers = reference::answer(&program, &tree);
/// assert_eq!(answers, [Ok(gt_query::Answer::Nodes(vec![0]))]);
/// ```
#[must_use]
pub fn answer(program: &Program, tree: &PlainTree) -> Vec<Result<Answer, RunError>> {
    let mut columns = Columns { program, tree, values: Vec::new() };
    for column in &program.columns {
        let value = |node| {
            evaluate(&column.expr, &PlainFrame { columns: &columns, node, other: None, counters: None })
        };
        let values = (0..tree.nodes().len()).map(value).collect();
        columns.values.push(values);
    }
    (0..program.queries.len()).map(|query| dft_final(&columns, query)).collect()
}

/// A query instance: the counters of an open node.
struct QueryInstance {
    node: usize,
    /// One counter for each aggregate of the program; those that the query does not name stay unused.
    counters: Vec<Accumulator>,
}

/// Algorithm 6, DFT-FINAL, with the recursion unrolled into a walk.
fn dft_final(columns: &Columns<'_>, index: usize) -> Result<Answer, RunError> {
    let (program, tree) = (columns.program, columns.tree);
    let query = &program.queries[index];
    let mut result = Collector::new(program, index);
    let mut stack: Vec<QueryInstance> = Vec::new();
    for visit in tree.walk() {
        match visit {
            Visit::Enter(node) => {
                let frame = PlainFrame { columns, node, other: None, counters: None };
                let node_part = query.filters.iter().find(|(part, _)| *part == Part::Node);
                // An overflow is an error, unless another part turns out not to be true.
                if node_part.is_none_or(|(_, filter)| passes(filter, &frame) != Ok(false)) {
                    let counters = program.aggregates.iter().map(Accumulator::new).collect();
                    stack.push(QueryInstance { node, counters });
                }
            }
            Visit::Leave(node) => {
                if let Some(instance) = stack.pop_if(|instance| instance.node == node) {
                    let counters = Some(&instance.counters[..]);
                    let frame = PlainFrame { columns, node, other: None, counters };
                    let parts: Vec<_> = query.filters().map(|filter| passes(filter, &frame)).collect();
                    match parts.iter().filter_map(|part| part.err()).min() {
                        _ if parts.contains(&Ok(false)) => {}
                        Some(overflow) => result.fail(overflow.at(node as u64)),
                        None => result.add(program, node as u64, &frame),
                    }
                }
                eval_counter_exprs(columns, &mut stack, node);
            }
        }
    }
    result.finish(program)
}

/// Counts a node that was left: as a child of its parent, and as a descendant of every open node.
fn eval_counter_exprs(columns: &Columns<'_>, stack: &mut [QueryInstance], node: usize) {
    let parent = columns.tree.nodes()[node].parent;
    for instance in stack {
        for (aggregate, counter) in columns.program.aggregates.iter().zip(&mut instance.counters) {
            let frame = match aggregate.scope {
                Scope::Subtree => PlainFrame { columns, node, other: None, counters: None },
                Scope::Child if parent == Some(instance.node) => {
                    PlainFrame { columns, node: instance.node, other: Some(node), counters: None }
                }
                Scope::Child | Scope::Before | Scope::After | Scope::Path => continue,
                Scope::Tree | Scope::Twin(_) | Scope::Matches => continue,
            };
            counter.take(aggregate, &frame);
        }
    }
}

/// The derived columns computed so far, for all nodes of the tree.
struct Columns<'a> {
    program: &'a Program,
    tree: &'a PlainTree,
    values: Vec<Vec<Evaluated>>,
}

/// A node, with one of its children, siblings or twins in an aggregate over these, and the counters of a query
/// instance if there is one.
struct PlainFrame<'a> {
    columns: &'a Columns<'a>,
    node: usize,
    other: Option<usize>,
    counters: Option<&'a [Accumulator]>,
}

impl Frame for PlainFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let anchor = match operand.anchor {
            Anchor::Node => Some(self.node),
            Anchor::Other => self.other,
        };
        let node = anchor.and_then(|node| step(self.columns.tree, node, operand.step));
        node.map_or(Ok(None), |node| self.columns.field(node, operand.field))
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let aggregate = &self.columns.program.aggregates[id.0];
        let is_counted = matches!(aggregate.scope, Scope::Child | Scope::Subtree);
        if let Some(counters) = self.counters.filter(|_| is_counted) {
            return counters[id.0].value(aggregate.origin.0);
        }
        let (columns, tree) = (self.columns, self.columns.tree);
        if let Scope::Twin(id) = aggregate.scope {
            // A key that overflows at this node leaves no answer; another node at which a key overflows is no twin.
            columns.program.twins[id.0].iter().try_for_each(|key| evaluate(key, self).map(drop))?;
        }
        let mut accumulator = Accumulator::new(aggregate);
        let all = 0..tree.nodes().len();
        let siblings =
            tree.nodes()[self.node].parent.map_or(&[][..], |parent| &tree.nodes()[parent].children);
        let looked_at: Vec<usize> = match aggregate.scope {
            Scope::Child => tree.nodes()[self.node].children.clone(),
            Scope::Before => siblings.iter().copied().filter(|sibling| *sibling < self.node).collect(),
            Scope::After => siblings.iter().copied().filter(|sibling| *sibling > self.node).collect(),
            Scope::Subtree => tree.descendants(self.node).collect(),
            Scope::Path => tree.ancestors(self.node).collect(),
            Scope::Tree => all.collect(),
            Scope::Twin(id) => all.filter(|other| columns.are_twins(id, self.node, *other)).collect(),
            Scope::Matches => Vec::new(),
        };
        for node in looked_at {
            let (node, other) = match aggregate.scope.anchor() {
                Anchor::Node => (node, None),
                Anchor::Other => (self.node, Some(node)),
            };
            accumulator.take(aggregate, &PlainFrame { columns, node, other, counters: None });
        }
        accumulator.value(aggregate.origin.0)
    }
}

fn step(tree: &PlainTree, node: usize, step: Step) -> Option<usize> {
    let parent = tree.nodes()[node].parent;
    match step {
        Step::Here => Some(node),
        Step::Parent => parent,
        Step::Grandparent => parent.and_then(|parent| tree.nodes()[parent].parent),
        Step::Sibling(places) => tree.sibling(node, places as isize),
        Step::Child(place) => {
            let children = &tree.nodes()[node].children;
            let from_front =
                if place < 0 { children.len().checked_add_signed(place as isize)? } else { place as usize };
            children.get(from_front).copied()
        }
    }
}

impl Columns<'_> {
    /// Whether two different nodes have equal, known values of the keys.
    fn are_twins(&self, id: TwinId, node: usize, other: usize) -> bool {
        let key = |expr: &Expr, node| {
            evaluate(expr, &PlainFrame { columns: self, node, other: None, counters: None })
        };
        let equal = |expr: &Expr| matches!((key(expr, node), key(expr, other)), (Ok(Some(one)), Ok(two)) if Some(&one) == two.as_ref());
        node != other && self.program.twins[id.0].iter().all(equal)
    }

    fn field(&self, node: usize, field: Field) -> Evaluated {
        let record = &self.tree.nodes()[node];
        Ok(match field {
            Field::Attribute(position) => record.values.get(position).cloned().flatten(),
            Field::LastMove => Some(Value::Integer(record.last_move.into())),
            Field::NodeId => Some(Value::Integer(node as i128)),
            Field::Structure(structure) => self.structure(node, structure),
            Field::Column(id) => return self.values[id.0][node].clone(),
        })
    }

    fn structure(&self, node: usize, structure: Structure) -> Option<Value> {
        let tree = self.tree;
        let record = &tree.nodes()[node];
        let integer = |value: usize| Some(Value::Integer(value as i128));
        let size = tree.descendants(node).len() + 1;
        match structure {
            Structure::Ply => integer(tree.ply(node)),
            Structure::Size => integer(size),
            Structure::Height => {
                let deepest = tree.descendants(node).map(|node| tree.ply(node)).max();
                integer(deepest.map_or(0, |deepest| deepest - tree.ply(node)))
            }
            Structure::Children => integer(record.children.len()),
            Structure::Index => integer(tree.index(node)),
            Structure::Parent => record.parent.and_then(integer),
            Structure::Line => Some(Value::Line(tree.line(node).into_iter().collect())),
            Structure::Unfinished => Some(Value::Boolean(record.unfinished)),
            Structure::LeftOut => Some(Value::Integer(record.left_out.into())),
            Structure::Total => {
                let subtree = std::iter::once(node).chain(tree.descendants(node));
                let left_out: i128 = subtree.map(|node| i128::from(tree.nodes()[node].left_out)).sum();
                Some(Value::Integer(size as i128 + left_out))
            }
        }
    }
}
