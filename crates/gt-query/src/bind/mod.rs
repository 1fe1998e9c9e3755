//! Binds syntax to [queries](crate::ir): looks up names, checks types, lists aggregates, evaluates constants.
//!
//! It reports every error of the file once: an expression that contains a wrong one is not reported again.

mod context;
mod expression;
mod names;
mod notes;
mod operators;
mod outcome;
mod prune;
mod typed;

use std::collections::{BTreeMap, HashMap, HashSet};

use gt_log::{RESERVED, Schema};

use crate::error::{Error, ErrorKind};
use crate::ir::{Aggregate, AggregateId, Column, ColumnId, Expr, Operation, Outcome, Program, Query, Scope};
use crate::syntax::ast::{self, ExprKind, Item, Let, QueryFile};
use crate::value::Value;
use crate::vocabulary::{Function, Part};
use context::Context;
pub use names::{VALUE_NAMES, holds_values};
use typed::{Typed, joined};

/// A game's notation: moves as numbers, as logs hold them, and as texts, as people write them.
pub trait MoveCodec {
    /// Returns the number of the move with this text.
    fn number(&self, text: &str) -> Option<i64>;
    /// Returns the text of the move with this number.
    fn text(&self, number: i64) -> Option<String>;
}

/// The value that a query reads with `$name`.
#[derive(Clone, Debug)]
struct Parameter {
    value: Value,
    /// The text of the value, if it was given as text.
    text: Option<String>,
    /// Whether the caller gave it with the queries, which should then use it.
    is_asked_for: bool,
}

/// The names that a query can refer to.
#[derive(Clone)]
pub struct Environment<'a> {
    schema: &'a Schema,
    parameters: BTreeMap<String, Parameter>,
    moves: Option<&'a dyn MoveCodec>,
    ranges: Vec<Option<(i64, i64)>>,
}

impl<'a> Environment<'a> {
    /// Makes an environment with the attributes and aliases of a log.
    #[must_use]
    pub const fn new(schema: &'a Schema) -> Self {
        Self { schema, parameters: BTreeMap::new(), moves: None, ranges: Vec::new() }
    }

    /// Gives `$name` a value, unless it already has one.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, value: Value) -> Self {
        self.parameters.entry(name.to_owned()).or_insert(Parameter { value, text: None, is_asked_for: true });
        self
    }

    /// Like [`Environment::with_parameter`], with a value in a person's spelling: a number or a truth value if it
    /// looks like one (see [`Value::of_parameter`]), but a text if it is compared with texts.
    #[must_use]
    pub fn with_parameter_text(self, name: &str, text: &str) -> Self {
        self.with_text(name, text, true)
    }

    /// Like [`Environment::with_parameter_text`], for a log's metadata: no note reports it if no query uses it.
    #[must_use]
    pub fn with_metadata(self, name: &str, text: &str) -> Self {
        self.with_text(name, text, false)
    }

    fn with_text(mut self, name: &str, text: &str, is_asked_for: bool) -> Self {
        let given =
            || Parameter { value: Value::of_parameter(text), text: Some(text.to_owned()), is_asked_for };
        self.parameters.entry(name.to_owned()).or_insert_with(given);
        self
    }

    /// Sets the smallest and largest value of each integer attribute over all trees that will be queried, so that
    /// notes can report comparisons that never hold. A range is `None` if it is unknown or exceeds the signed integers.
    #[must_use]
    pub fn with_ranges(mut self, ranges: Vec<Option<(i64, i64)>>) -> Self {
        self.ranges = ranges;
        self
    }

    /// Allows moves to be written as texts.
    #[must_use]
    pub const fn with_moves(mut self, moves: &'a dyn MoveCodec) -> Self {
        self.moves = Some(moves);
        self
    }
}

/// Binds a query file.
///
/// # Errors
/// Returns all errors, in the order of the text.
pub(crate) fn bind(file: &QueryFile, environment: &Environment<'_>) -> Result<Program, Vec<Error>> {
    let mut binder = Binder::new(file, environment);
    for item in &file.items {
        match item {
            Item::Let(item) => binder.bind_let(item),
            Item::Query(query) => binder.bind_query(query),
        }
    }
    if binder.errors.is_empty() {
        binder.note_unused();
        binder.program.notes.sort_by_key(|note| note.span);
        return Ok(prune::prune(binder.program));
    }
    binder.errors.sort_by_key(|error| error.span);
    Err(binder.errors)
}

struct Binder<'a> {
    environment: &'a Environment<'a>,
    /// The names of all `let`s in the file.
    let_names: HashSet<&'a str>,
    /// The `let`s so far; one with an error has no column.
    lets: HashMap<&'a str, Option<ColumnId>>,
    /// The `let`s as written, by column.
    let_lines: Vec<&'a Let>,
    query_names: HashSet<&'a str>,
    parameters_used: HashSet<String>,
    /// The aggregates so far. Aggregates over matches are told apart by their spelling too, so that trees with
    /// different parameters have the same aggregates and their answers can be joined.
    aggregate_ids: HashMap<(Aggregate, String), AggregateId>,
    program: Program,
    errors: Vec<Error>,
}

impl<'a> Binder<'a> {
    fn new(file: &'a QueryFile, environment: &'a Environment<'a>) -> Self {
        let let_names = file.items.iter().filter_map(|item| match item {
            Item::Let(item) => Some(item.name.text.as_str()),
            Item::Query(_) => None,
        });
        Self {
            environment,
            let_names: let_names.collect(),
            lets: HashMap::new(),
            let_lines: Vec::new(),
            query_names: HashSet::new(),
            parameters_used: HashSet::new(),
            aggregate_ids: HashMap::new(),
            program: Program::default(),
            errors: Vec::new(),
        }
    }

    fn bind_let(&mut self, item: &'a Let) {
        let name = item.name.text.as_str();
        let taken = self.taken(name);
        let value = self.expression(&item.value, &Context::derived());
        if let Some(by) = taken {
            return self
                .errors
                .push(Error::new(item.name.span, ErrorKind::NameTaken { name: name.to_owned(), by }));
        }
        let column = value.map(|value| {
            let column = Column { name: name.to_owned(), value_type: value.value_type, expr: value.expr };
            self.program.columns.push(column);
            self.let_lines.push(item);
            ColumnId(self.program.columns.len() - 1)
        });
        self.lets.insert(name, column);
    }

    /// The existing meaning of a name, if any.
    fn taken(&self, name: &str) -> Option<&'static str> {
        let schema = self.environment.schema;
        if RESERVED.contains(&name) {
            Some("a word of the language")
        } else if schema.position(name).is_some() {
            Some("an attribute of this log")
        } else if schema.alias(name).is_some() {
            Some("an alias of this log")
        } else {
            self.lets.contains_key(name).then_some("defined by a `let` above")
        }
    }

    fn bind_query(&mut self, query: &'a ast::Query) {
        if let Some(name) = &query.name
            && !self.query_names.insert(&name.text)
        {
            self.errors.push(Error::new(name.span, ErrorKind::QueryNameTwice(name.text.clone())));
        }
        let node = query.part(Part::Node);
        let result = node.filter(|expr| matches!(expr.kind, ExprKind::Aggregate { .. }));
        let (node, outcome) = match result {
            Some(aggregate) => self.aggregate_result(aggregate, query),
            None => (self.node_part(node), self.outcome(query)),
        };
        let mut filters = vec![node.map(|node| (Part::Node, node))];
        for (scope, expr) in query.parts.iter().filter(|(scope, _)| scope.part != Part::Node) {
            filters.push(self.aggregate_part(scope, expr).map(|filter| (scope.part, filter)));
        }
        let filters: Option<Vec<_>> = filters.into_iter().collect();
        let (Some(mut filters), Some(outcome)) = (filters, outcome) else { return };
        filters.retain(|(_, filter)| !filter.is_true());
        let name = query.name.as_ref().map(|name| name.text.clone());
        let text = self.text_with_lets(query);
        self.program.queries.push(Query { name, span: query.span, text, filters, outcome });
    }

    /// Binds `node:` without an aggregate.
    fn node_part(&mut self, expr: Option<&ast::Expr>) -> Option<Expr> {
        let Some(expr) = expr else { return Some(Expr::TRUE) };
        self.truth(expr, &Context::refusing(ErrorKind::NodeComparesAggregate))
    }

    /// Binds `child:` and similar parts.
    fn aggregate_part(&mut self, scope: &ast::Scope, expr: &ast::Expr) -> Option<Expr> {
        let context = self.scope_of(scope).map(|bound| Context::of_part(scope.part, bound))?;
        let bound = self.truth(expr, &context)?;
        // `*` is always true, in every part.
        if expr.aggregate().is_none() && expr.kind != ExprKind::Wildcard {
            return self.refuse(expr.span, ErrorKind::PartWithoutAggregate(scope.part));
        }
        Some(bound)
    }

    /// Binds `node:count(E)` and similar; returns the filter of nodes and the result of the query.
    fn aggregate_result(&mut self, expr: &ast::Expr, query: &ast::Query) -> (Option<Expr>, Option<Outcome>) {
        let clauses = [
            ("select", query.select.first().map(|selected| &selected.expr)),
            ("group by", query.group_by.first()),
            ("order by", query.order_by.first().map(|key| &key.expr)),
            ("limit", query.limit.as_ref()),
        ];
        for (clause, written) in clauses {
            if let Some(written) = written {
                self.errors.push(Error::new(written.span, ErrorKind::ClauseWithAggregateResult(clause)));
            }
        }
        let Some(Typed { expr: Expr::Aggregate(id), .. }) = self.expression(expr, &Context::of_matches())
        else {
            return (None, None);
        };
        let aggregate = &self.program.aggregates[id.0];
        if aggregate.function == Function::Count {
            let both = vec![aggregate.argument.clone(), aggregate.filter.clone()];
            return (Some(joined(Operation::And, both, expr.span)), Some(Outcome::Count));
        }
        (Some(Expr::TRUE), Some(Outcome::Aggregate(id)))
    }

    fn aggregate_id(&mut self, aggregate: Aggregate, written: &ast::Expr) -> AggregateId {
        let written = if aggregate.scope == Scope::Matches { written.to_string() } else { String::new() };
        let next = AggregateId(self.program.aggregates.len());
        *self.aggregate_ids.entry((aggregate, written)).or_insert_with_key(|(aggregate, _)| {
            self.program.aggregates.push(aggregate.clone());
            next
        })
    }

    /// The query on one line, after the `let`s that it names.
    fn text_with_lets(&self, query: &ast::Query) -> String {
        let mut used = HashSet::new();
        let mut open: Vec<&ast::Expr> = query.each().collect();
        // Each `let` may name earlier ones, in chains of any length.
        while let Some(expr) = open.pop() {
            if let ExprKind::Name(_, name) = &expr.kind
                && let Some(Some(id)) = self.lets.get(name.as_str())
                && used.insert(*id)
            {
                open.push(&self.let_lines[id.0].value);
            }
            expr.kind.each(&mut |inner| open.push(inner));
        }
        let mut lets: Vec<ColumnId> = used.into_iter().collect();
        lets.sort_unstable();
        let lines = lets.into_iter().map(|id| self.let_lines[id.0].to_string());
        lines.chain([query.to_string()]).collect::<Vec<_>>().join(" ")
    }
}
