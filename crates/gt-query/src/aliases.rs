//! Names that a log gives to the values of its attributes.

use gt_log::{Alias, Schema};

use crate::syntax::token::of_first_tree;
use crate::value::Value;

/// The aliases that name the values of an attribute: first its own, then, if the attribute is of the other tree, those
/// of the first tree's attribute. Aliases that mean the same in both trees are stored once.
pub(crate) fn aliases_of(schema: &Schema, attribute: usize) -> impl Iterator<Item = &Alias> {
    let name = schema.attributes().get(attribute).and_then(|found| of_first_tree(&found.name));
    let first = name.and_then(|name| schema.position(name));
    let of = |place: Option<usize>| {
        schema.aliases().iter().filter(move |alias| place.is_some() && alias.attribute == place)
    };
    of(Some(attribute)).chain(of(first))
}

/// Returns the names that an attribute's aliases give to one of its values: the name of the value itself, or those of
/// its bits. `None` if there are none. The aliases of `x` also name the values of `other_x`, which in a log of two
/// merged trees belongs to the second tree.
///
/// ```
/// use gt_log::{Kind, Schema};
/// use gt_query::Value;
/// use gt_query::alias_text;
/// let schema = Schema::new([("type", Kind::U8), ("other_type", Kind::U8)])?;
/// let schema = schema.with_aliases_of("type", [("PVNode", 1), ("QNode", 8)])?;
/// assert_eq!(alias_text(&schema, 0, &Value::Integer(9)).as_deref(), Some("PVNode|QNode"));
/// assert_eq!(alias_text(&schema, 0, &Value::Integer(2)), None);
/// assert_eq!(alias_text(&schema, 1, &Value::Integer(8)).as_deref(), Some("QNode"));
/// let schema = schema.with_aliases_of("other_type", [("other_QNode", 1)])?;
/// assert_eq!(alias_text(&schema, 1, &Value::Integer(9)).as_deref(), Some("other_QNode|QNode"));
/// # Ok::<(), gt_log::SchemaError>(())
/// ```
#[must_use]
pub fn alias_text(schema: &Schema, attribute: usize, value: &Value) -> Option<String> {
    let Value::Integer(value) = *value else { return None };
    let aliases = || aliases_of(schema, attribute);
    if let Some(alias) = aliases().find(|alias| i128::from(alias.value) == value) {
        return Some(alias.name.clone());
    }
    let mut left = u64::try_from(value).ok().filter(|value| *value > 0)?;
    let mut names = Vec::new();
    for alias in aliases().filter(|alias| alias.value.cast_unsigned().is_power_of_two()) {
        let bit = alias.value.cast_unsigned();
        if left & bit != 0 {
            left &= !bit;
            names.push(alias.name.as_str());
        }
    }
    (left == 0).then(|| names.join("|"))
}
