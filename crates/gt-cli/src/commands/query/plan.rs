//! What answering a program takes: what is read, and what is folded over which nodes.

use std::collections::BTreeSet;

use gt_log::Schema;
use gt_query::ir::{Expr, Field, Program, Scope};

/// The plan in words.
pub(crate) fn explain(program: &Program, schema: &Schema) -> String {
    let mut read = BTreeSet::new();
    let mut exprs: Vec<&Expr> = program.columns.iter().map(|column| &column.expr).collect();
    exprs.extend(program.aggregates.iter().flat_map(|aggregate| [&aggregate.argument, &aggregate.filter]));
    for query in &program.queries {
        exprs.extend(query.filters());
        exprs.extend(query.outcome.per_match(program));
    }
    for expr in exprs {
        expr.leaves(&mut |leaf| {
            if let Expr::Read(operand) = leaf {
                read.extend(field_name(operand.field, program, schema));
            }
        });
    }
    let read: Vec<String> = read.into_iter().collect();
    let mut text =
        format!("read: {}\n", if read.is_empty() { "sizes alone".to_owned() } else { read.join(", ") });
    for column in &program.columns {
        text += &format!("derive {} for every node\n", column.name);
    }
    for (scope, name) in [
        (Scope::Child, "children"),
        (Scope::Subtree, "descendants"),
        (Scope::Path, "ancestors"),
        (Scope::Matches, "matches"),
    ] {
        let count = program.aggregates.iter().filter(|aggregate| aggregate.scope == scope).count();
        if count > 0 {
            text += &format!("aggregates over {name}: {count}\n");
        }
    }
    for (place, query) in program.queries.iter().enumerate() {
        let name = query.name.clone().unwrap_or_else(|| (place + 1).to_string());
        text += &format!("query {name}: {}\n", query.text);
    }
    text
}

fn field_name(field: Field, program: &Program, schema: &Schema) -> Option<String> {
    match field {
        Field::Attribute(place) => schema.attributes().get(place).map(|attribute| attribute.name.clone()),
        Field::LastMove => Some("last_move".to_owned()),
        Field::NodeId => Some("node_id".to_owned()),
        Field::Structure(structure) => Some(format!("@{structure:?}").to_lowercase()),
        Field::Column(id) => program.columns.get(id.0).map(|column| column.name.clone()),
    }
}
