//! What is computed in which pass over the blocks.
//!
//! A *crossing* node lies in more than one block; all others, the *inner* ones, lie in one with their whole subtree
//! (see [`skeleton`](super::skeleton)). Inner nodes are computed in a pass over the blocks, crossing nodes in the
//! step that follows it:
//!
//! ```text
//! survey ─ step 0 ─ pass 1 ─ step 1 ─ pass 2 ─ step 2 …
//!   attributes of       aggregates of inner      what flows down from values
//!   crossing nodes      nodes, then of crossing   that flowed up, and so on
//! ```
//!
//! **Invariant:** what a pass reads of other blocks is a value of a crossing node, or of one at the edge of a block,
//! and was computed in an earlier pass or step.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::ir::{Aggregate, AggregateId, Anchor, ColumnId, Expr, Field, Operand, Program, Scope, Step};
use crate::vocabulary::Structure;

/// In which pass a value of inner nodes, and after which one that of crossing nodes is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    pub(super) inner: u32,
    pub(super) crossing: u32,
}

impl When {
    /// What the survey finds out.
    const SURVEYED: Self = Self { inner: 1, crossing: 0 };
    /// What is folded upward from the leaves.
    const FOLDED: Self = Self { inner: 1, crossing: 1 };

    fn and(self, other: Self) -> Self {
        Self { inner: self.inner.max(other.inner), crossing: self.crossing.max(other.crossing) }
    }
}

/// When an aggregate is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AggregateTimes {
    pub(super) value: When,
    /// The pass in which inner nodes are added to what crossing nodes gather.
    pub(super) partial: u32,
}

/// A value that every node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Aggregate(AggregateId),
    Column(ColumnId),
}

/// What one pass over the blocks has to do.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// Its number, from 1.
    pub(super) number: u32,
    /// What is computed for inner nodes, in the order of dependence.
    pub(super) tasks: Vec<Task>,
    /// Aggregates for which inner nodes are added to what crossing nodes gather.
    pub(super) partials: Vec<AggregateId>,
    /// Queries whose matches are found.
    pub(super) queries: Vec<usize>,
    /// Which attributes are read.
    pub(super) attributes: Vec<usize>,
    pub(super) height: bool,
    pub(super) total: bool,
    pub(super) last_move: bool,
    /// Whether parents or siblings are read, which are known only after a node's own row.
    pub(super) beside: bool,
}

/// The passes of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// All tasks in the order of dependence.
    pub(super) tasks: Vec<Task>,
    /// Where a task is among them.
    places: HashMap<Task, usize>,
    pub(super) columns: Vec<When>,
    pub(super) aggregates: Vec<AggregateTimes>,
    pub(super) queries: Vec<When>,
    pub(super) passes: Vec<Pass>,
    /// All attributes that are read, ascending.
    pub(super) attributes: Vec<usize>,
    pub(super) height: bool,
    pub(super) total: bool,
    /// Whether moves are read.
    pub(super) last_move: bool,
    /// Whether parents or siblings are.
    pub(super) beside: bool,
}

impl Plan {
    /// The plan for the queries at these places in the program.
    pub(super) fn new(program: &Program, queries: &[usize]) -> Self {
        let mut plan = Self {
            columns: vec![When::default(); program.columns.len()],
            aggregates: vec![AggregateTimes::default(); program.aggregates.len()],
            queries: vec![When::default(); program.queries.len()],
            ..Self::default()
        };
        let roots: Vec<&Expr> = queries.iter().flat_map(|&query| exprs_of(program, query)).collect();
        plan.order_tasks(program, &roots);
        plan.set_times(program);
        for &query in queries {
            let none = When { inner: 1, crossing: 0 };
            let when = exprs_of(program, query).iter().map(|expr| plan.of_expr(expr)).fold(none, When::and);
            plan.queries[query] = when;
        }
        plan.make_passes(program, queries);
        plan
    }

    /// The place of an attribute among those that are read.
    pub(super) fn place(&self, attribute: usize) -> Option<usize> {
        self.attributes.binary_search(&attribute).ok()
    }

    fn order_tasks(&mut self, program: &Program, roots: &[&Expr]) {
        let mut columns = vec![false; program.columns.len()];
        roots.iter().for_each(|expr| mark_columns(program, expr, &mut columns));
        for (id, column) in program.columns.iter().enumerate() {
            if columns[id] {
                self.add_aggregates(program, &column.expr);
                self.add_task(Task::Column(ColumnId(id)));
            }
        }
        roots.iter().for_each(|expr| self.add_aggregates(program, expr));
    }

    fn add_aggregates(&mut self, program: &Program, expr: &Expr) {
        expr.leaves(&mut |leaf| {
            if let Expr::Aggregate(id) = leaf
                && program.aggregates[id.0].scope != Scope::Matches
            {
                self.add_task(Task::Aggregate(*id));
            }
        });
    }

    fn add_task(&mut self, task: Task) {
        if let Entry::Vacant(place) = self.places.entry(task) {
            place.insert(self.tasks.len());
            self.tasks.push(task);
        }
    }

    /// How many passes each of all queries takes alone; the plan is one for all.
    pub(super) fn passes_alone(&self, program: &Program) -> Vec<u32> {
        // In the order of dependence: what a task reads comes before it.
        let mut of_tasks: Vec<u32> = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            let (own, exprs) = match task {
                Task::Column(id) => (self.columns[id.0].inner, vec![&program.columns[id.0].expr]),
                Task::Aggregate(id) => {
                    let (times, aggregate) = (self.aggregates[id.0], &program.aggregates[id.0]);
                    (times.value.inner.max(times.partial), aggregate.each().collect())
                }
            };
            of_tasks.push(exprs.iter().map(|expr| self.last_of(expr, &of_tasks)).fold(own, u32::max));
        }
        let of_query = |query: usize| {
            let exprs = exprs_of(program, query);
            exprs.iter().map(|expr| self.last_of(expr, &of_tasks)).fold(self.queries[query].inner, u32::max)
        };
        (0..program.queries.len()).map(of_query).collect()
    }

    /// The last pass among those of the tasks that an expression reads.
    fn last_of(&self, expr: &Expr, of_tasks: &[u32]) -> u32 {
        let mut last = 1;
        expr.leaves(&mut |leaf| {
            let task = match leaf {
                Expr::Aggregate(id) => Task::Aggregate(*id),
                Expr::Read(Operand { field: Field::Column(id), .. }) => Task::Column(*id),
                _ => return,
            };
            let place = self.places.get(&task).and_then(|place| of_tasks.get(*place));
            last = last.max(place.copied().unwrap_or(1));
        });
        last
    }

    fn set_times(&mut self, program: &Program) {
        for task in self.tasks.clone() {
            match task {
                Task::Column(id) => self.columns[id.0] = self.of_expr(&program.columns[id.0].expr),
                Task::Aggregate(id) => {
                    self.aggregates[id.0] = self.of_aggregate(&program.aggregates[id.0]);
                }
            }
        }
    }

    fn of_aggregate(&self, aggregate: &Aggregate) -> AggregateTimes {
        let each = aggregate.each().map(|expr| self.of_expr(expr));
        let contribution = each.fold(When { inner: 1, crossing: 0 }, When::and);
        let (value, partial) = match aggregate.scope {
            Scope::Path => {
                let inner = contribution.inner.max(contribution.crossing + 1);
                (When { inner, crossing: contribution.crossing }, 0)
            }
            Scope::Child => {
                let partial = aggregate.each().map(|expr| self.of_pair_across(expr)).max().unwrap_or(1);
                let crossing = contribution.crossing.max(partial);
                (When { inner: contribution.inner, crossing }, partial)
            }
            _ => {
                let crossing = contribution.crossing.max(contribution.inner);
                (When { inner: contribution.inner, crossing }, contribution.inner)
            }
        };
        AggregateTimes { value, partial }
    }

    /// When an expression over a crossing node and one of its inner children is known: the pass.
    fn of_pair_across(&self, expr: &Expr) -> u32 {
        let mut latest = 1;
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf {
                let when = self.of_operand(*operand);
                latest = latest.max(match operand.anchor {
                    Anchor::Node => when.crossing + 1,
                    Anchor::Other => when.inner,
                });
            }
        });
        latest
    }

    fn of_expr(&self, expr: &Expr) -> When {
        let mut latest = When { inner: 1, crossing: 0 };
        expr.leaves(&mut |leaf| {
            latest = latest.and(match leaf {
                Expr::Read(operand) => self.of_operand(*operand),
                Expr::Aggregate(id) => self.aggregates[id.0].value,
                _ => When::default(),
            });
        });
        latest
    }

    fn of_operand(&self, operand: Operand) -> When {
        let field = self.of_field(operand.field);
        // Values of nodes at the edges of blocks are known to other blocks one pass after.
        let computed = matches!(
            operand.field,
            Field::Column(_) | Field::Structure(Structure::Height | Structure::Total)
        );
        let edge = if computed { field.inner } else { 0 };
        match operand.step {
            Step::Here => field,
            Step::Child(_) => When { inner: field.inner, crossing: field.crossing.max(edge) },
            Step::Parent | Step::Grandparent => {
                When { inner: field.inner.max(field.crossing + 1), crossing: field.crossing }
            }
            Step::Sibling(_) => When {
                inner: field.inner.max(field.crossing + 1).max(edge + 1),
                crossing: field.crossing.max(edge),
            },
        }
    }

    fn of_field(&self, field: Field) -> When {
        match field {
            Field::Column(id) => self.columns[id.0],
            Field::Structure(Structure::Height | Structure::Total) => When::FOLDED,
            _ => When::SURVEYED,
        }
    }

    fn make_passes(&mut self, program: &Program, queries: &[usize]) {
        let of_task = |task: &Task| match task {
            Task::Column(id) => self.columns[id.0].inner,
            Task::Aggregate(id) => self.aggregates[id.0].value.inner.max(self.aggregates[id.0].partial),
        };
        let last_query = queries.iter().map(|&query| self.queries[query].inner);
        let last = self.tasks.iter().map(of_task).chain(last_query).max().unwrap_or(1);
        let passes: Vec<Pass> = (1..=last).map(|number| self.pass(program, queries, number)).collect();
        // The survey reads whatever any pass reads.
        self.attributes = passes.iter().flat_map(|pass| pass.attributes.iter().copied()).collect();
        self.attributes.sort_unstable();
        self.attributes.dedup();
        self.height = passes.iter().any(|pass| pass.height);
        self.total = passes.iter().any(|pass| pass.total);
        self.last_move = passes.iter().any(|pass| pass.last_move);
        self.beside = passes.iter().any(|pass| pass.beside);
        self.passes = passes;
    }

    fn pass(&self, program: &Program, queries: &[usize], number: u32) -> Pass {
        let mut pass = Pass { number, ..Pass::default() };
        let mut needed = vec![false; self.tasks.len()];
        let mut exprs: Vec<&Expr> = Vec::new();
        for &query in queries {
            if self.queries[query].inner == number {
                pass.queries.push(query);
                exprs.extend(exprs_of(program, query));
            }
        }
        exprs.iter().for_each(|expr| self.note(expr, &mut needed, &mut pass));
        for (place, task) in self.tasks.iter().enumerate().rev() {
            let due = match task {
                Task::Column(id) => self.columns[id.0].inner == number,
                Task::Aggregate(id) => {
                    let times = self.aggregates[id.0];
                    let scope = program.aggregates[id.0].scope;
                    if times.partial == number && scope != Scope::Path {
                        pass.partials.push(*id);
                    }
                    times.partial == number
                }
            };
            if !(due || needed[place]) {
                continue;
            }
            match task {
                Task::Column(id) => self.note(&program.columns[id.0].expr, &mut needed, &mut pass),
                Task::Aggregate(id) => {
                    let aggregate = &program.aggregates[id.0];
                    aggregate.each().for_each(|expr| self.note(expr, &mut needed, &mut pass));
                }
            }
            let known = match task {
                Task::Column(id) => self.columns[id.0].inner <= number,
                Task::Aggregate(id) => self.aggregates[id.0].value.inner <= number,
            };
            if known {
                pass.tasks.push(*task);
            }
        }
        pass.tasks.reverse();
        pass.attributes.sort_unstable();
        pass.attributes.dedup();
        pass
    }

    /// Notes what an expression reads.
    fn note(&self, expr: &Expr, needed: &mut [bool], pass: &mut Pass) {
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf {
                pass.beside |= !matches!(operand.step, Step::Here | Step::Child(_));
            }
            let task = match leaf {
                Expr::Aggregate(id) => Task::Aggregate(*id),
                Expr::Read(operand) => match operand.field {
                    Field::Column(id) => Task::Column(id),
                    Field::Attribute(attribute) => return pass.attributes.push(attribute),
                    Field::LastMove | Field::Structure(Structure::Line) => return pass.last_move = true,
                    Field::Structure(Structure::Height) => return pass.height = true,
                    Field::Structure(Structure::Total) => return pass.total = true,
                    _ => return,
                },
                _ => return,
            };
            if let Some(&place) = self.places.get(&task) {
                needed[place] = true;
            }
        });
    }
}

/// The expressions that are evaluated at nodes for a query.
pub(super) fn exprs_of(program: &Program, query: usize) -> Vec<&Expr> {
    let query = &program.queries[query];
    let mut exprs: Vec<&Expr> = query.filters().collect();
    exprs.extend(query.outcome.per_match(program));
    exprs
}

fn mark_columns(program: &Program, expr: &Expr, marked: &mut [bool]) {
    expr.leaves(&mut |leaf| match leaf {
        Expr::Read(Operand { field: Field::Column(id), .. }) if !marked[id.0] => {
            marked[id.0] = true;
            mark_columns(program, &program.columns[id.0].expr, marked);
        }
        Expr::Aggregate(id) => {
            program.aggregates[id.0].each().for_each(|expr| mark_columns(program, expr, marked));
        }
        _ => {}
    });
}
