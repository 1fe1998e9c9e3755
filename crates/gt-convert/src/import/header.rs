//! The header of an imported log: the file's description, and the options.

use gt_log::{Header, Kind, Schema, SchemaError};

use super::layout::Layout;
use super::options::ImportOptions;
use crate::description::{AliasDescription, Description};
use crate::{ErrorKind, Result};

/// The header for a table with columns of these names and attributes of these types.
pub(super) fn header(
    names: &[String],
    layout: &Layout,
    kinds: &[Kind],
    description: Option<&Description>,
    options: &ImportOptions,
) -> Result<Header> {
    let described = description.cloned().unwrap_or_default();
    let aliases = aliases(described.aliases, options);
    let mut metadata = described.metadata;
    for (key, value) in options.metadata.iter() {
        metadata.set(key, value);
    }
    let attributes = layout.attributes.iter().map(|(name, _)| name.as_str()).zip(kinds.iter().copied());
    let schema = Schema::new(attributes).and_then(|schema| with_aliases(schema, aliases, names, layout));
    Ok(Header {
        game: options.game.clone().unwrap_or(described.game),
        schema: schema.map_err(ErrorKind::Schema)?,
        metadata,
        ..Header::default()
    })
}

/// The file's aliases and the options'.
fn aliases(mut aliases: Vec<AliasDescription>, options: &ImportOptions) -> Vec<AliasDescription> {
    for (name, value) in &options.aliases {
        match aliases.iter_mut().find(|alias| alias.name == *name) {
            Some(alias) => alias.value = *value,
            None => aliases.push(AliasDescription { name: name.clone(), value: *value, attribute: None }),
        }
    }
    aliases
}

/// Adds aliases in their order. Those of an attribute follow it to its new name; if it is gone, they are
/// dropped.
fn with_aliases(
    mut schema: Schema,
    aliases: Vec<AliasDescription>,
    names: &[String],
    layout: &Layout,
) -> std::result::Result<Schema, SchemaError> {
    for AliasDescription { name, value, attribute } in aliases {
        let Some(attribute) = attribute else {
            schema = schema.with_aliases([(name, value)])?;
            continue;
        };
        let own = |(_, column): &&(String, usize)| names[*column] == attribute;
        if let Some((attribute, _)) = layout.attributes.iter().find(own) {
            schema = schema.with_aliases_of(attribute, [(name, value)])?;
        }
    }
    Ok(schema)
}
