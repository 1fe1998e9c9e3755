//! The attributes of the merged tree.

use gt_log::{Kind, Schema};

use crate::cause::Cause;
use crate::error::Result;

/// The attributes of a merged node beside its values in A and B.
pub(super) const OWN: [(&str, Kind); 10] = [
    ("only_a", Kind::Bool),
    ("only_b", Kind::Bool),
    ("matched", Kind::Bool),
    ("changed", Kind::Bool),
    ("difference", Kind::U8),
    ("cause", Kind::U8),
    ("node_a", Kind::U64),
    ("node_b", Kind::U64),
    ("size_a", Kind::U64),
    ("size_b", Kind::U64),
];

/// Whether the key of a node in one tree only is in the other; only if a key was requested.
const TRANSPOSED: &str = "transposed";

/// The names of the values of `difference`.
const DIFFERENCES: [(&str, i64); 4] = [("Same", 0), ("Changed", 1), ("OnlyA", 2), ("OnlyB", 3)];

/// A's attributes, B's as `other_NAME`, and [`OWN`]; the aliases of both, A's if a name is in both.
pub(super) fn merged_schema(a: &Schema, b: &Schema, has_key: bool) -> Result<Schema> {
    let of_a = a.attributes().iter().map(|attribute| (attribute.name.clone(), attribute.kind));
    let of_b = b.attributes().iter().map(|attribute| (other(&attribute.name), attribute.kind));
    let own = OWN.iter().map(|(name, kind)| ((*name).to_owned(), *kind));
    let transposed = has_key.then(|| (TRANSPOSED.to_owned(), Kind::Bool));
    let mut schema = Schema::new(of_a.chain(of_b).chain(own).chain(transposed))?;
    schema = schema.with_aliases_of("difference", DIFFERENCES)?;
    schema = schema.with_aliases_of("cause", Cause::ALL.map(|cause| (cause.alias(), cause as i64)))?;
    let attributes = |of: &Schema, place: usize| of.attributes()[place].name.clone();
    for alias in a.aliases() {
        let name = alias.attribute.map(|place| attributes(a, place));
        schema = with_alias(schema, name, &alias.name, alias.value)?;
    }
    for alias in b.aliases().iter().filter(|alias| a.alias(&alias.name).is_none()) {
        let name = alias.attribute.map(|place| other(&attributes(b, place)));
        schema = with_alias(schema, name, &alias.name, alias.value)?;
    }
    Ok(schema)
}

fn other(name: &str) -> String {
    format!("other_{name}")
}

fn with_alias(schema: Schema, attribute: Option<String>, name: &str, value: i64) -> Result<Schema> {
    Ok(match attribute {
        Some(attribute) => schema.with_aliases_of(&attribute, [(name, value)])?,
        None => schema.with_aliases([(name, value)])?,
    })
}
