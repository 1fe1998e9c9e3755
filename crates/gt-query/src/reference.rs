//! The reference evaluator: the thesis's one-pass algorithm, as plain as it is printed, and the rest of the language
//! by the shortest code that is plainly right. It is the oracle of the tests, and slow.
//!
//! The children's and descendants' aggregates of a query are counted in *query instances* on a stack, one for each
//! node on the path that can still match, as in the thesis. Everything that the thesis does not have (derived
//! columns, ancestors, relatives) is computed from the whole tree where it is needed.

use crate::accumulator::Accumulator;
use crate::answer::{Answer, Collector};
use crate::evaluate::{Evaluated, Frame, RunError, evaluate, passes};
use crate::ir::{AggregateId, Anchor, Field, Operand, Program, Scope, Step};
use crate::plain_tree::{PlainTree, Visit};
use crate::value::{Overflow, Value};
use crate::vocabulary::Structure;

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
            evaluate(&column.expr, &PlainFrame { columns: &columns, node, child: None, counters: None })
        };
        let values = (0..tree.nodes().len()).map(value).collect();
        columns.values.push(values);
    }
    (0..program.queries.len()).map(|query| dft_final(&columns, query)).collect()
}

/// A query instance: the counters of a node that is open.
struct QueryInstance {
    node: usize,
    /// One for each aggregate of the program; those that the query does not name stay as they are.
    counters: Vec<Accumulator>,
    /// The node-expression overflowed: an error, unless another part is not true.
    overflow: Option<Overflow>,
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
                let frame = PlainFrame { columns, node, child: None, counters: None };
                let matched = passes(&query.node, &frame);
                if matched != Ok(false) {
                    let counters = program.aggregates.iter().map(Accumulator::new).collect();
                    stack.push(QueryInstance { node, counters, overflow: matched.err() });
                }
            }
            Visit::Leave(node) => {
                if let Some(instance) = stack.pop_if(|instance| instance.node == node) {
                    let counters = Some(&instance.counters[..]);
                    let frame = PlainFrame { columns, node, child: None, counters };
                    let parts = [&query.subtree, &query.child, &query.path].map(|part| passes(part, &frame));
                    let overflow = instance.overflow.or(parts.iter().find_map(|part| part.err()));
                    match overflow {
                        _ if parts.contains(&Ok(false)) => {}
                        Some(overflow) => result.fail(overflow),
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
                Scope::Subtree => PlainFrame { columns, node, child: None, counters: None },
                Scope::Child if parent == Some(instance.node) => {
                    PlainFrame { columns, node: instance.node, child: Some(node), counters: None }
                }
                _ => continue,
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

/// A node, in an aggregate over children with a child, and the counters of a query instance where there is one.
struct PlainFrame<'a> {
    columns: &'a Columns<'a>,
    node: usize,
    child: Option<usize>,
    counters: Option<&'a [Accumulator]>,
}

impl Frame for PlainFrame<'_> {
    fn read(&self, operand: Operand) -> Evaluated {
        let anchor = match operand.anchor {
            Anchor::Node => Some(self.node),
            Anchor::Child => self.child,
        };
        let node = anchor.and_then(|node| step(self.columns.tree, node, operand.step));
        node.map_or(Ok(None), |node| self.columns.field(node, operand.field))
    }

    fn aggregate(&self, id: AggregateId) -> Evaluated {
        let aggregate = &self.columns.program.aggregates[id.0];
        if let Some(counters) = self.counters.filter(|_| aggregate.scope != Scope::Path) {
            return counters[id.0].value(aggregate.origin.0);
        }
        let (columns, tree) = (self.columns, self.columns.tree);
        let mut accumulator = Accumulator::new(aggregate);
        let mut take = |node, child| {
            accumulator.take(aggregate, &PlainFrame { columns, node, child, counters: None });
        };
        match aggregate.scope {
            Scope::Child => tree.nodes()[self.node].children.iter().for_each(|c| take(self.node, Some(*c))),
            Scope::Subtree => tree.descendants(self.node).for_each(|node| take(node, None)),
            Scope::Path => tree.ancestors(self.node).for_each(|node| take(node, None)),
            Scope::Matches => {}
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
        Step::Previous => tree.sibling(node, -1),
        Step::Next => tree.sibling(node, 1),
        Step::FirstChild => tree.nodes()[node].children.first().copied(),
        Step::LastChild => tree.nodes()[node].children.last().copied(),
    }
}

impl Columns<'_> {
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
