//! The attributes of the merged tree.

use gt_log::{Alias, Kind, Schema};

use crate::cause::Cause;
use crate::error::Result;

/// The attributes of a merged node besides its values in A and B.
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

/// Whether the key of a node in one tree only is also in the other tree; present only if a key was requested.
const TRANSPOSED: &str = "transposed";

/// Begins the names of B's attributes.
const OTHER: &str = "other_";

/// The names of the values of `difference`.
const DIFFERENCES: [(&str, i64); 4] = [("Same", 0), ("Changed", 1), ("OnlyA", 2), ("OnlyB", 3)];

/// A's attributes, B's as `other_NAME`, and [`OWN`]; the aliases of both. An alias that means the same in A and B is
/// stored once. An alias of B that means something else in A becomes `other_NAME`, an alias of A that the merged tree
/// itself needs becomes `own_NAME`.
pub(super) fn merged_schema(a: &Schema, b: &Schema, has_key: bool) -> Result<Schema> {
    let of_a = a.attributes().iter().map(|attribute| (attribute.name.clone(), attribute.kind));
    let of_b = b.attributes().iter().map(|attribute| (other(&attribute.name), attribute.kind));
    let own = OWN.iter().map(|(name, kind)| ((*name).to_owned(), *kind));
    let transposed = has_key.then(|| (TRANSPOSED.to_owned(), Kind::Bool));
    let mut schema = Schema::new(of_a.chain(of_b).chain(own).chain(transposed))?;
    schema = schema.with_aliases_of("difference", DIFFERENCES)?;
    schema = schema.with_aliases_of("cause", Cause::ALL.map(|cause| (cause.alias(), cause as i64)))?;
    for alias in a.aliases() {
        schema = with_alias(schema, attribute(a, alias).map(str::to_owned), alias, "own_")?;
    }
    for alias in b.aliases() {
        let is_shared = a
            .alias_named(&alias.name)
            .is_some_and(|of_a| of_a.value == alias.value && attribute(a, of_a) == attribute(b, alias));
        if !is_shared {
            schema = with_alias(schema, attribute(b, alias).map(other), alias, OTHER)?;
        }
    }
    Ok(schema)
}

fn other(name: &str) -> String {
    format!("{OTHER}{name}")
}

/// The name of the attribute that an alias belongs to.
fn attribute<'a>(schema: &'a Schema, alias: &Alias) -> Option<&'a str> {
    alias.attribute.map(|place| schema.attributes()[place].name.as_str())
}

/// Adds an alias, with as many prefixes as make its name a new one.
fn with_alias(schema: Schema, attribute: Option<String>, alias: &Alias, prefix: &str) -> Result<Schema> {
    let mut name = alias.name.clone();
    while schema.position(&name).is_some() || schema.alias(&name).is_some() {
        name.insert_str(0, prefix);
    }
    Ok(match attribute {
        Some(attribute) => schema.with_aliases_of(&attribute, [(name, alias.value)])?,
        None => schema.with_aliases([(name, alias.value)])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The aliases of the merged schema that are A's or B's: attribute, name, number.
    fn merged(a: &[(&'static str, i64)], b: &[(&'static str, i64)]) -> Vec<(String, String, i64)> {
        let schema = |aliases: &[(&'static str, i64)]| {
            let schema = Schema::new([("type", Kind::U8)]).unwrap();
            schema.with_aliases_of("type", aliases.iter().copied()).unwrap()
        };
        let merged = merged_schema(&schema(a), &schema(b), false).unwrap();
        let own = |alias: &&Alias| attribute(&merged, alias).is_some_and(|name| name.ends_with("type"));
        let shown =
            |alias: &Alias| (attribute(&merged, alias).unwrap().into(), alias.name.clone(), alias.value);
        merged.aliases().iter().filter(own).map(shown).collect()
    }

    fn rows(expected: &[(&str, &str, i64)]) -> Vec<(String, String, i64)> {
        expected.iter().map(|&(attribute, name, value)| (attribute.into(), name.into(), value)).collect()
    }

    #[test]
    fn a_name_of_both_is_stored_once() {
        let expected = [("type", "PV", 1), ("type", "Cut", 2), ("other_type", "Null", 4)];
        assert_eq!(merged(&[("PV", 1), ("Cut", 2)], &[("PV", 1), ("Null", 4)]), rows(&expected));
    }

    #[test]
    fn a_name_with_two_meanings_is_kept_twice() {
        let expected = [
            ("type", "PV", 1),
            ("type", "Cut", 2),
            ("other_type", "other_PV", 2),
            ("other_type", "other_Cut", 1),
        ];
        assert_eq!(merged(&[("PV", 1), ("Cut", 2)], &[("PV", 2), ("Cut", 1)]), rows(&expected));
    }

    #[test]
    fn names_that_the_merged_tree_needs_are_its_own() {
        let expected =
            [("type", "own_Same", 1), ("type", "own_changed", 2), ("other_type", "other_OnlyA", 3)];
        assert_eq!(merged(&[("Same", 1), ("changed", 2)], &[("Same", 1), ("OnlyA", 3)]), rows(&expected));
    }
}
