//! The pass over the blocks in which each value is computed.
//!
//! A *crossing* node lies in more than one block; all others, the *inner* ones, lie in one with their whole subtree
//! (see [`crossing`](super::crossing)). Inner nodes are computed in a pass over the blocks, crossing nodes in the
//! step that follows it:
//!
//! ```text
//! survey ─ step 0 ─ pass 1 ─ step 1 ─ pass 2 ─ step 2 …
//!   attributes of       aggregates of inner      what flows down from values
//!   crossing nodes      nodes, then of crossing   that flowed up, and so on
//! ```
//!
//! If nothing flows down or across in the first pass, that pass is the survey as well, and step 0 comes after it.
//!
//! **Invariant:** a pass reads from other blocks only values of a crossing node or of a child of one, which were
//! computed in an earlier pass or step.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::ir::{Aggregate, AggregateId, Anchor, ColumnId, Expr, Field, Operand, Program, Scope, Step};
use crate::vocabulary::Structure;

/// The pass that computes a value of inner nodes, and the pass after which the value of crossing nodes is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    pub(super) inner: u32,
    pub(super) crossing: u32,
}

impl When {
    /// Values that the survey finds.
    const SURVEYED: Self = Self { inner: 1, crossing: 0 };
    /// Values that are folded upward from the leaves.
    const FOLDED: Self = Self { inner: 1, crossing: 1 };

    fn and(self, other: Self) -> Self {
        Self { inner: self.inner.max(other.inner), crossing: self.crossing.max(other.crossing) }
    }
}

/// The passes in which an aggregate is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AggregateTimes {
    pub(super) value: When,
    /// The pass in which inner nodes are added to the aggregates of crossing nodes, the tree or twins; 0 if they are
    /// not.
    pub(super) partial: u32,
}

/// A value that every node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Task {
    Aggregate(AggregateId),
    Column(ColumnId),
}

/// The work of one pass over the blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Aggregates for which inner nodes are gathered.
    pub(super) partials: Vec<AggregateId>,
    /// Columns whose values at the children of crossing nodes are put aside.
    pub(super) columns: Vec<ColumnId>,
    /// Queries whose matches are found.
    pub(super) queries: Vec<usize>,
    /// Whether heights and totals of the children of crossing nodes are put aside, and added up for crossing nodes.
    pub(super) height: bool,
    pub(super) total: bool,
}

/// How many of the first and of the last nodes of a segment other blocks may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fringe {
    /// As siblings of nodes before or after the segment.
    siblings: [usize; 2],
    /// As the parent's first or last children.
    children: [usize; 2],
}

impl Fringe {
    /// All nodes.
    const ALL: Self = Self { siblings: [usize::MAX; 2], children: [usize::MAX; 2] };

    /// The nodes that a step may reach from another block.
    fn reached_by(step: Step) -> Option<Self> {
        let none = Self::default();
        let reach = |places: i32| places.unsigned_abs() as usize;
        match step {
            Step::Here | Step::Parent | Step::Grandparent => None,
            Step::Sibling(places) if places < 0 => Some(Self { siblings: [0, reach(places)], ..none }),
            Step::Sibling(places) => Some(Self { siblings: [reach(places), 0], ..none }),
            Step::Child(place) if place < 0 => Some(Self { children: [0, reach(place)], ..none }),
            Step::Child(place) => Some(Self { children: [reach(place) + 1, 0], ..none }),
        }
    }

    fn or(self, other: Self) -> Self {
        let most = |one: [usize; 2], other: [usize; 2]| [one[0].max(other[0]), one[1].max(other[1])];
        Self { siblings: most(self.siblings, other.siblings), children: most(self.children, other.children) }
    }

    /// Whether any node is kept. Even where none is, segments are known: they tell how many siblings precede a node.
    pub(super) fn keeps_any(self) -> bool {
        self != Self::default()
    }

    /// How many nodes of a segment are kept: of the first ones, and of the last ones among the rest. `ends` says
    /// whether the segment has the parent's first child and its last child, if that is known.
    pub(super) fn of(self, count: usize, ends: [Option<bool>; 2]) -> [usize; 2] {
        let kept = |side: usize| {
            // No node beyond the parent's first or last child reads siblings; and if only that child is read, only
            // its segment keeps it.
            let siblings = if ends[side] == Some(true) { 0 } else { self.siblings[side] };
            let is_elsewhere = ends[side] == Some(false) && self.children[side] <= 1;
            let children = if is_elsewhere { 0 } else { self.children[side] };
            siblings.max(children)
        };
        let first = kept(0).min(count);
        [first, kept(1).min(count - first)]
    }
}

/// The passes of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// All tasks in the order of dependence.
    pub(super) tasks: Vec<Task>,
    places: HashMap<Task, ()>,
    pub(super) columns: Vec<When>,
    pub(super) aggregates: Vec<AggregateTimes>,
    pub(super) queries: Vec<When>,
    pub(super) passes: Vec<Pass>,
    /// All attributes that are read, ascending.
    pub(super) attributes: Vec<usize>,
    pub(super) height: bool,
    pub(super) total: bool,
    pub(super) last_move: bool,
    /// The inner children of crossing nodes that are kept; present if siblings, or children by their index, are read.
    pub(super) fringe: Option<Fringe>,
    /// Whether the values of crossing nodes are kept from pass to pass.
    pub(super) survey: bool,
    /// Whether values flow down or across in the first pass: then crossing nodes are surveyed before it, not in it.
    pub(super) survey_first: bool,
}

impl Plan {
    /// Makes the plan for the queries at these indices in the program. Crossing nodes of streamed queries are settled
    /// before inner matches are found.
    pub(super) fn new(program: &Program, queries: &[usize], streamed: &[usize]) -> Self {
        let mut plan = Self {
            columns: vec![When::default(); program.columns.len()],
            aggregates: vec![AggregateTimes::default(); program.aggregates.len()],
            queries: vec![When::default(); program.queries.len()],
            ..Self::default()
        };
        for &query in queries {
            exprs_of(program, query).into_iter().for_each(|expr| plan.add(program, expr));
        }
        for task in plan.tasks.clone() {
            match task {
                Task::Column(id) => plan.columns[id.0] = plan.of_expr(&program.columns[id.0].expr),
                Task::Aggregate(id) => {
                    plan.aggregates[id.0] = plan.of_aggregate(program, &program.aggregates[id.0]);
                }
            }
        }
        for &query in queries {
            let exprs = exprs_of(program, query);
            plan.queries[query] =
                exprs.into_iter().map(|expr| plan.of_expr(expr)).fold(When::SURVEYED, When::and);
            if streamed.contains(&query) {
                let when = &mut plan.queries[query];
                when.inner = when.inner.max(when.crossing + 1);
                plan.survey = true;
            }
        }
        plan.attributes.sort_unstable();
        plan.attributes.dedup();
        plan.make_passes(queries);
        plan
    }

    /// Whether a pass surveys the crossing nodes as well.
    pub(super) fn surveys_in(&self, pass: &Pass) -> bool {
        pass.number == 1 && !self.survey_first
    }

    /// The index of an attribute among those that are read.
    pub(super) fn place(&self, attribute: usize) -> Option<usize> {
        self.attributes.binary_search(&attribute).ok()
    }

    /// Adds the tasks of an expression, after those that it reads, and notes its other reads.
    fn add(&mut self, program: &Program, expr: &Expr) {
        expr.leaves(&mut |leaf| match leaf {
            Expr::Aggregate(id) => {
                let aggregate = &program.aggregates[id.0];
                if aggregate.scope != Scope::Matches && self.is_new(Task::Aggregate(*id)) {
                    let keys = match aggregate.scope {
                        Scope::Twin(twin) => &program.twins[twin.0][..],
                        _ => &[],
                    };
                    aggregate.each().chain(keys).for_each(|expr| self.add(program, expr));
                    if matches!(aggregate.scope, Scope::Before | Scope::After) {
                        self.keep(Fringe::ALL);
                    }
                    self.survey |= aggregate.scope == Scope::Path;
                    self.tasks.push(Task::Aggregate(*id));
                }
            }
            Expr::Read(operand) => self.note(program, *operand),
            Expr::Constant(_) | Expr::Key(_) | Expr::Apply(..) => {}
        });
    }

    fn is_new(&mut self, task: Task) -> bool {
        match self.places.entry(task) {
            Entry::Vacant(place) => {
                place.insert(());
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    fn keep(&mut self, fringe: Fringe) {
        self.fringe = Some(self.fringe.map_or(fringe, |kept| kept.or(fringe)));
    }

    fn note(&mut self, program: &Program, operand: Operand) {
        self.survey |= matches!(operand.step, Step::Parent | Step::Grandparent);
        Fringe::reached_by(operand.step).into_iter().for_each(|fringe| self.keep(fringe));
        match operand.field {
            Field::Attribute(attribute) => self.attributes.push(attribute),
            Field::LastMove => self.last_move = true,
            Field::NodeId => {}
            Field::Column(id) => {
                if self.is_new(Task::Column(id)) {
                    self.add(program, &program.columns[id.0].expr);
                    self.tasks.push(Task::Column(id));
                }
            }
            Field::Structure(structure) => match structure {
                Structure::Height => self.height = true,
                Structure::Total => self.total = true,
                // The index of a child of a crossing node is known once all before it have been seen.
                Structure::Index => self.keep(Fringe::default()),
                Structure::Line => self.last_move = true,
                Structure::Ply
                | Structure::Size
                | Structure::Children
                | Structure::Parent
                | Structure::Unfinished
                | Structure::LeftOut => {}
            },
        }
    }

    fn of_aggregate(&mut self, program: &Program, aggregate: &Aggregate) -> AggregateTimes {
        let mut exprs: Vec<&Expr> = aggregate.each().collect();
        if let Scope::Twin(twin) = aggregate.scope {
            exprs.extend(&program.twins[twin.0]);
        }
        let all = exprs.iter().map(|expr| self.of_expr(expr)).fold(When::SURVEYED, When::and);
        let (value, partial) = match aggregate.scope {
            Scope::Path => (When { inner: all.inner.max(all.crossing + 1), crossing: all.crossing }, 0),
            Scope::Child => {
                let partial = exprs.iter().map(|expr| self.of_pair_across(expr)).fold(1, u32::max);
                self.survey |= aggregate.reads_node();
                (When { inner: all.inner, crossing: all.crossing.max(partial) }, partial)
            }
            // The values of a sibling in another block are known one pass later.
            Scope::Before | Scope::After => {
                let crossing = all.crossing.max(self.known_across(&exprs));
                (When { inner: all.inner.max(crossing + 1), crossing }, 0)
            }
            Scope::Tree | Scope::Twin(_) => {
                let crossing = all.inner.max(all.crossing);
                (When { inner: crossing + 1, crossing }, all.inner)
            }
            Scope::Subtree | Scope::Matches => {
                (When { inner: all.inner, crossing: all.inner.max(all.crossing) }, all.inner)
            }
        };
        AggregateTimes { value, partial }
    }

    /// The pass after which everything that these expressions read of the children of crossing nodes is known.
    fn known_across(&self, exprs: &[&Expr]) -> u32 {
        let mut latest = 0;
        for expr in exprs {
            expr.leaves(&mut |leaf| {
                if let Expr::Read(operand) = leaf {
                    latest = latest.max(self.edge(operand.field));
                }
            });
        }
        latest
    }

    /// The pass in which an expression over a crossing node and one of its inner children is known.
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

    /// When an expression over nodes is known.
    pub(super) fn of_expr(&self, expr: &Expr) -> When {
        let mut latest = When::SURVEYED;
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
        let edge = self.edge(operand.field);
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

    /// The pass after which a field of the children of crossing nodes is known to other blocks.
    fn edge(&self, field: Field) -> u32 {
        match field {
            Field::Column(_) | Field::Structure(Structure::Height | Structure::Total) => {
                self.of_field(field).inner
            }
            Field::Attribute(_) | Field::LastMove | Field::NodeId | Field::Structure(_) => 0,
        }
    }

    fn of_field(&self, field: Field) -> When {
        match field {
            Field::Column(id) => self.columns[id.0],
            Field::Structure(Structure::Height | Structure::Total) => When::FOLDED,
            Field::Attribute(_) | Field::LastMove | Field::NodeId | Field::Structure(_) => When::SURVEYED,
        }
    }

    fn make_passes(&mut self, queries: &[usize]) {
        self.survey |= self.fringe.is_some();
        self.survey_first = self.survey;
        let of_task = |task: &Task| match task {
            Task::Column(id) => self.columns[id.0].inner,
            Task::Aggregate(id) => self.aggregates[id.0].partial,
        };
        let last_query = queries.iter().map(|&query| self.queries[query].inner);
        let last = self.tasks.iter().map(of_task).chain(last_query).max().unwrap_or(1);
        self.survey |= last > 1;
        self.passes = (1..=last).map(|number| self.pass(queries, number)).collect();
    }

    fn pass(&self, queries: &[usize], number: u32) -> Pass {
        let mut pass = Pass {
            number,
            height: number == 1 && self.height,
            total: number == 1 && self.total,
            ..Pass::default()
        };
        pass.queries.extend(queries.iter().filter(|&&query| self.queries[query].inner == number));
        let keeps_any = self.fringe.is_some_and(Fringe::keeps_any);
        for task in &self.tasks {
            match task {
                Task::Column(id) if keeps_any && self.columns[id.0].inner == number => pass.columns.push(*id),
                Task::Aggregate(id) if self.aggregates[id.0].partial == number => pass.partials.push(*id),
                Task::Column(_) | Task::Aggregate(_) => {}
            }
        }
        pass
    }
}

/// The expressions that are evaluated at nodes for a query.
pub(super) fn exprs_of(program: &Program, query: usize) -> Vec<&Expr> {
    let query = &program.queries[query];
    query.filters().chain(query.outcome.per_match(program)).collect()
}
