//! A description as JSON, on one line, and back.
//!
//! **Invariant:** reading takes time and memory in proportion to the length: lists that are searched are short.

use gt_log::{ATTRIBUTES_MAX, Kind, Metadata};
use serde_json::{Map, Value, json};

use super::{AliasDescription, Description, TreeDescription};
use crate::{Error, ErrorKind, Result};

const VERSION: u64 = 1;
/// The maximum number of metadata entries of a log or a tree here: each key is searched for among the earlier ones.
const METADATA_MAX: usize = 1 << 14;

impl Description {
    /// Writes the description on one line.
    ///
    /// Parts that a log does not have are omitted, except those that every description has had.
    pub(crate) fn to_json(&self) -> Value {
        let attributes = self.attributes.iter().map(|(name, kind)| (name.clone(), json!(kind.name())));
        let aliases = self.aliases.iter().map(|alias| (alias.name.clone(), alias.to_json()));
        let trees = self
            .trees
            .iter()
            .map(|tree| json!({"number": tree.number, "metadata": metadata_json(&tree.metadata)}));
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        put("version", json!(VERSION));
        if !self.writer.is_empty() {
            put("writer", json!(self.writer));
        }
        put("game", json!(self.game));
        put("attributes", Value::Object(attributes.collect()));
        put("aliases", Value::Object(aliases.collect()));
        put("metadata", metadata_json(&self.metadata));
        if !self.move_names.is_empty() {
            let names = self.move_names.iter().map(|(code, name)| (code.to_string(), json!(name)));
            put("moves", Value::Object(names.collect()));
        }
        put("trees", Value::Array(trees.collect()));
        Value::Object(fields)
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        Self::from_json(&value)
    }

    pub(crate) fn from_json(value: &Value) -> Result<Self> {
        let Value::Object(fields) = value else { return Err(broken("it is not an object")) };
        check_version(fields)?;
        let text = |name: &str| match fields.get(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(broken(format!("`{name}` is not a text"))),
        };
        let mut description = Self {
            writer: text("writer")?,
            game: text("game")?,
            metadata: metadata(fields.get("metadata"))?,
            ..Self::default()
        };
        for (name, kind) in object(fields.get("attributes"), "attributes")? {
            let kind = Kind::ALL.into_iter().find(|known| Some(known.name()) == kind.as_str());
            let kind =
                kind.ok_or_else(|| broken(format!("the type of the attribute `{name}` is unknown")))?;
            description.attributes.push((name.clone(), kind));
        }
        if description.attributes.len() > ATTRIBUTES_MAX {
            return Err(broken(format!("it has more than {ATTRIBUTES_MAX} attributes")));
        }
        for (name, value) in object(fields.get("aliases"), "aliases")? {
            description.aliases.push(AliasDescription::from_json(name, value)?);
        }
        for (code, name) in object(fields.get("moves"), "moves")? {
            let named = code.parse().ok().zip(name.as_str());
            let (code, name) =
                named.ok_or_else(|| broken(format!("the move `{code}` has no number or no name")))?;
            description.move_names.push((code, name.to_owned()));
        }
        for tree in fields.get("trees").and_then(Value::as_array).into_iter().flatten() {
            let number = tree.get("number").and_then(Value::as_i64);
            let number = number.ok_or_else(|| broken("a tree has no number"))?;
            description.trees.push(TreeDescription { number, metadata: metadata(tree.get("metadata"))? });
        }
        Ok(description)
    }
}

fn check_version(fields: &Map<String, Value>) -> Result<()> {
    match fields.get("version").and_then(Value::as_u64) {
        Some(VERSION) => Ok(()),
        Some(version) => Err(broken(format!(
            "it has version {version}, and this program reads version {VERSION}; a newer GT-Tools reads it"
        ))),
        None => Err(broken("it has no version")),
    }
}

impl AliasDescription {
    fn to_json(&self) -> Value {
        match &self.attribute {
            None => json!(self.value),
            Some(attribute) => json!({"attribute": attribute, "value": self.value}),
        }
    }

    fn from_json(name: &str, value: &Value) -> Result<Self> {
        let (value, attribute) = match value.as_object() {
            None => (value.as_i64(), None),
            Some(fields) => {
                let attribute = fields.get("attribute").and_then(Value::as_str);
                let attribute = attribute
                    .ok_or_else(|| broken(format!("the alias `{name}` does not name its attribute")))?;
                (fields.get("value").and_then(Value::as_i64), Some(attribute.to_owned()))
            }
        };
        let value = value.ok_or_else(|| broken(format!("the alias `{name}` is not a whole number")))?;
        Ok(Self { name: name.to_owned(), value, attribute })
    }
}

fn metadata_json(metadata: &Metadata) -> Value {
    Value::Object(metadata.iter().map(|(key, value)| (key.to_owned(), json!(value))).collect())
}

fn metadata(value: Option<&Value>) -> Result<Metadata> {
    if let Some(Value::Object(entries)) = value
        && entries.len() > METADATA_MAX
    {
        return Err(broken(format!("it has more than {METADATA_MAX} entries of metadata")));
    }
    let texts = object(value, "metadata")?.map(|(key, value)| match value {
        Value::String(text) => Ok((key.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok((key.clone(), value.to_string())),
        _ => Err(broken(format!("the metadata `{key}` is not a text"))),
    });
    texts.collect()
}

/// The entries of an optional object.
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
