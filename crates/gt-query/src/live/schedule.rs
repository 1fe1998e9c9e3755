//! The work to do for each node: in which order and when.

use super::moment::{Moment, Moments, reads_both};
use crate::ir::{AggregateId, Anchor, ColumnId, Expr, Field, Program, Scope, Step};

/// One piece of work for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Count the node in its parent's aggregate (and, for descendants, everything counted in its own).
    Contribute(AggregateId),
    /// Compute the node's contribution to its descendants' aggregate over ancestors.
    Offer(AggregateId),
    /// Compute the node's aggregate over ancestors from its parent's, and the parent's contribution.
    Path(AggregateId),
    /// Compute the node's aggregate over siblings. It comes from what the parent has gathered, to which the node is
    /// then added; or from the siblings themselves, if values of the node are read together with theirs.
    Beside(AggregateId),
    /// Only hold the node until then, because siblings read it.
    Hold(AggregateId),
    /// Compute a derived column.
    Column(ColumnId),
    /// Evaluate one of a query's filters.
    Check { query: usize, filter: usize },
    /// Pass the node to the query's collector: all filters are true.
    Deliver { query: usize },
}

/// Work and its moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) work: Work,
    pub(super) moment: Moment,
    /// Whether other nodes need it done; work that only the node's own queries need is dropped with them.
    pub(super) shared: bool,
}

/// The work of a program.
pub(super) struct Schedule {
    /// The items in the order of dependence.
    pub(super) items: Vec<Item>,
    /// The indices of the items that are done when a node is entered.
    pub(super) items_on_enter: Vec<usize>,
    /// The number of items that other nodes need.
    pub(super) items_shared: usize,
    /// For each attribute of the schema that is read, its index among the kept values.
    pub(super) attribute_places: Vec<Option<usize>>,
    /// The number of attributes kept.
    pub(super) attributes_kept: usize,
    /// The moment when each query delivers a match.
    pub(super) deliveries: Vec<Moment>,
    /// The number of levels below a left node at which there can be work, unless it is the root.
    pub(super) levels: u32,
    /// Whether there is work when a next sibling is left.
    pub(super) waits_for_next: bool,
    /// The relatives that are read.
    pub(super) reads: Reads,
}

/// The relatives that some expression reads: how many siblings before and after, how many of the first and last children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reads {
    pub(super) previous: u64,
    pub(super) next: u64,
    pub(super) first_children: u64,
    pub(super) last_children: u64,
}

impl Schedule {
    pub(super) fn new(program: &Program) -> Self {
        let moments = Moments::of(program);
        let mut items =
            Items { program, moments: &moments, shared: shared_columns(program), list: Vec::new() };
        for (id, column) in program.columns.iter().enumerate() {
            items.aggregates_in(&column.expr);
            let shared = items.shared[id];
            items.push(Work::Column(ColumnId(id)), moments.columns[id], shared);
        }
        let deliveries = (0..program.queries.len()).map(|query| items.query(query)).collect();
        let items = items.list;
        let finite = items.iter().map(|item| item.moment).filter(|moment| *moment != Moment::END);
        let mut schedule = Self {
            levels: finite.clone().map(|moment| moment.0 / 2).max().unwrap_or(0),
            waits_for_next: finite.clone().any(|moment| moment.0 > 0 && moment.0 % 2 == 0),
            items_on_enter: (0..items.len()).filter(|place| items[*place].moment == Moment::ENTER).collect(),
            items_shared: items.iter().filter(|item| item.shared).count(),
            items,
            attribute_places: Vec::new(),
            attributes_kept: 0,
            deliveries,
            reads: Reads::default(),
        };
        schedule.note_reads(program);
        schedule
    }

    fn note_reads(&mut self, program: &Program) {
        for_each_operand(program, &mut |step, field| {
            let (most, count) = match step {
                Step::Sibling(places @ ..=0) => (&mut self.reads.previous, places.unsigned_abs()),
                Step::Sibling(places) => (&mut self.reads.next, places.unsigned_abs()),
                Step::Child(place @ ..=-1) => (&mut self.reads.last_children, place.unsigned_abs()),
                Step::Child(place) => (&mut self.reads.first_children, place.unsigned_abs() + 1),
                Step::Here | Step::Parent | Step::Grandparent => (&mut self.reads.previous, 0),
            };
            *most = (*most).max(count.into());
            if let Field::Attribute(position) = field {
                let places = &mut self.attribute_places;
                places.resize(places.len().max(position + 1), None);
                if places[position].is_none() {
                    places[position] = Some(self.attributes_kept);
                    self.attributes_kept += 1;
                }
            }
        });
    }
}

struct Items<'a> {
    program: &'a Program,
    moments: &'a Moments,
    shared: Vec<bool>,
    list: Vec<Item>,
}

impl Items<'_> {
    fn push(&mut self, work: Work, moment: Moment, shared: bool) {
        if !self.list.iter().any(|item| item.work == work) {
            self.list.push(Item { work, moment, shared });
        }
    }

    fn aggregates_in(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        expr.leaves(&mut |leaf| {
            if let Expr::Aggregate(id) = leaf {
                found.push(*id);
            }
        });
        for id in found {
            let (aggregate, value) = (&self.program.aggregates[id.0], self.moments.values[id.0]);
            match aggregate.scope {
                Scope::Child | Scope::Subtree | Scope::Tree => {
                    self.push(Work::Contribute(id), self.moments.contributions[id.0], true);
                }
                Scope::Before | Scope::After => {
                    self.push(Work::Beside(id), value, true);
                    if reads_both(aggregate) {
                        self.push(Work::Hold(id), value.max(Moment::PARENT), true);
                    }
                }
                Scope::Path => {
                    self.push(Work::Offer(id), self.moments.contributions[id.0], true);
                    self.push(Work::Path(id), value, false);
                }
                Scope::Twin(_) | Scope::Matches => {}
            }
        }
    }

    /// Adds the work of a query, and returns when it delivers.
    fn query(&mut self, query: usize) -> Moment {
        let bound = &self.program.queries[query];
        let mut delivery = Moment::LEAVE;
        for (filter, expr) in bound.filters().enumerate() {
            self.aggregates_in(expr);
            let moment = self.moments.of_expr(expr).max(Moment::LEAVE);
            delivery = delivery.max(moment);
            self.list.push(Item { work: Work::Check { query, filter }, moment, shared: false });
        }
        for expr in bound.outcome.per_match(self.program) {
            delivery = delivery.max(self.moments.of_expr(expr));
        }
        self.list.push(Item { work: Work::Deliver { query }, moment: delivery, shared: false });
        delivery
    }
}

/// For each column, whether nodes other than its own read it.
fn shared_columns(program: &Program) -> Vec<bool> {
    let mut shared = vec![false; program.columns.len()];
    let mark = |shared: &mut Vec<bool>, expr: &Expr, by_others: bool| {
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf
                && let Field::Column(id) = operand.field
            {
                let own = operand.step == Step::Here && operand.anchor == Anchor::Node;
                shared[id.0] |= by_others || !own;
            }
        });
    };
    for aggregate in &program.aggregates {
        let by_others = aggregate.scope != Scope::Matches;
        aggregate.each().for_each(|expr| mark(&mut shared, expr, by_others));
    }
    for query in &program.queries {
        query.filters().for_each(|expr| mark(&mut shared, expr, false));
        query.outcome.per_match(program).into_iter().for_each(|expr| mark(&mut shared, expr, false));
    }
    // A column that a shared one reads is shared; columns read only earlier ones.
    for id in (0..program.columns.len()).rev() {
        let by_others = shared[id];
        mark(&mut shared, &program.columns[id].expr, by_others);
    }
    shared
}

fn for_each_operand(program: &Program, visit: &mut dyn FnMut(Step, Field)) {
    for expr in program.each() {
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf {
                visit(operand.step, operand.field);
            }
        });
    }
}
