//! What goes along with the rows, so that a log comes back as it was: game, types, aliases, metadata.
//!
//! ```text
//! Parquet      key-value metadata  gt-tools = {…}
//! CSV          first line          # gt-tools {…}
//! JSON Lines   first line          {"gt_tools": {…}}
//!
//! {…} = {"version": 1, "game": "chess", "attributes": {"best": "i32"}, "aliases": {"PVNode": 1},
//!        "metadata": {"engine": "Fruit"}, "trees": [{"number": 0, "metadata": {"depth": "8"}}]}
//! ```
//!
//! Names that the description gives as attributes are attributes, whatever they are called: that tells an
//! attribute `ply` from the `ply` that every export has.

use gt_log::{Header, Kind, Log, Metadata};
use serde_json::{Map, Value, json};

use crate::{Error, ErrorKind, Result};

/// The key in Parquet, and the word after `#` in CSV.
pub(crate) const KEY: &str = "gt-tools";
/// The key of the first line of JSON Lines.
pub(crate) const JSON_KEY: &str = "gt_tools";

const VERSION: u64 = 1;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Description {
    pub(crate) game: String,
    pub(crate) attributes: Vec<(String, Kind)>,
    pub(crate) aliases: Vec<(String, i64)>,
    pub(crate) metadata: Metadata,
    pub(crate) trees: Vec<TreeDescription>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TreeDescription {
    /// What it is called in the column `tree`.
    pub(crate) number: i64,
    pub(crate) metadata: Metadata,
}

impl Description {
    /// Of these trees of a log.
    pub(crate) fn of(log: &Log, trees: &[usize]) -> Result<Self> {
        let Header { game, schema, metadata, .. } = log.header();
        let mut description = Self {
            game: game.clone(),
            attributes: schema.attributes().iter().map(|a| (a.name.clone(), a.kind)).collect(),
            aliases: schema.aliases().iter().map(|a| (a.name.clone(), a.value)).collect(),
            metadata: metadata.clone(),
            trees: Vec::new(),
        };
        for &tree in trees {
            let metadata = log.tree(tree)?.metadata().clone();
            description.trees.push(TreeDescription { number: tree as i64, metadata });
        }
        Ok(description)
    }

    pub(crate) fn has_attribute(&self, name: &str) -> bool {
        self.kind_of(name).is_some()
    }

    pub(crate) fn kind_of(&self, name: &str) -> Option<Kind> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, kind)| *kind)
    }

    /// On one line.
    pub(crate) fn to_json(&self) -> Value {
        let attributes: Map<String, Value> =
            self.attributes.iter().map(|(name, kind)| (name.clone(), json!(kind.name()))).collect();
        let aliases: Map<String, Value> =
            self.aliases.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let trees: Vec<Value> = self
            .trees
            .iter()
            .map(|tree| json!({"number": tree.number, "metadata": metadata_json(&tree.metadata)}))
            .collect();
        json!({
            "version": VERSION,
            "game": self.game,
            "attributes": attributes,
            "aliases": aliases,
            "metadata": metadata_json(&self.metadata),
            "trees": trees,
        })
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        Self::from_json(&value)
    }

    pub(crate) fn from_json(value: &Value) -> Result<Self> {
        let Value::Object(fields) = value else { return Err(broken("it is not an object")) };
        match fields.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(version) => {
                return Err(broken(format!(
                    "it has version {version}, and this program reads version {VERSION}; a newer GT-Tools reads it"
                )));
            }
            None => return Err(broken("it has no version")),
        }
        let mut description = Self { metadata: metadata(fields.get("metadata"))?, ..Self::default() };
        if let Some(game) = fields.get("game") {
            description.game = game.as_str().ok_or_else(|| broken("`game` is not a text"))?.to_owned();
        }
        for (name, kind) in object(fields.get("attributes"), "attributes")? {
            let kind = Kind::ALL.into_iter().find(|known| Some(known.name()) == kind.as_str());
            let kind =
                kind.ok_or_else(|| broken(format!("the type of the attribute `{name}` is unknown")))?;
            description.attributes.push((name.clone(), kind));
        }
        for (name, value) in object(fields.get("aliases"), "aliases")? {
            let value = value.as_i64();
            let value = value.ok_or_else(|| broken(format!("the alias `{name}` is not a whole number")))?;
            description.aliases.push((name.clone(), value));
        }
        for tree in fields.get("trees").and_then(Value::as_array).into_iter().flatten() {
            let number = tree.get("number").and_then(Value::as_i64);
            let number = number.ok_or_else(|| broken("a tree has no number"))?;
            description.trees.push(TreeDescription { number, metadata: metadata(tree.get("metadata"))? });
        }
        Ok(description)
    }
}

fn metadata_json(metadata: &Metadata) -> Map<String, Value> {
    metadata.iter().map(|(key, value)| (key.to_owned(), json!(value))).collect()
}

fn metadata(value: Option<&Value>) -> Result<Metadata> {
    let texts = object(value, "metadata")?.map(|(key, value)| match value {
        Value::String(text) => Ok((key.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok((key.clone(), value.to_string())),
        _ => Err(broken(format!("the metadata `{key}` is not a text"))),
    });
    texts.collect()
}

/// The entries of an object that may not be there.
fn object<'a>(
    value: Option<&'a Value>,
    name: &str,
) -> Result<Box<dyn Iterator<Item = (&'a String, &'a Value)> + 'a>> {
    match value {
        None => Ok(Box::new(std::iter::empty())),
        Some(Value::Object(entries)) => Ok(Box::new(entries.iter())),
        Some(_) => Err(broken(format!("`{name}` is not an object"))),
    }
}

fn broken(what: impl Into<String>) -> Error {
    ErrorKind::BrokenDescription { what: what.into() }.into()
}
