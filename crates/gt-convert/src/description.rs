//! The description that accompanies the rows, so that a log can be restored: game, types, aliases, metadata, names of
//! moves.
//!
//! ```text
//! Parquet      key-value metadata  gt-tools = {…}
//! CSV          first line          # gt-tools {…}
//! JSON Lines   first line          {"gt_tools": {…}}
//!
//! {…} = {"version": 1, "writer": "GT-Tools 0.2.0", "game": "chess", "attributes": {"best": "i32", "type": "u8"},
//!        "aliases": {"Mate": 32000, "PVNode": {"attribute": "type", "value": 1}}, "metadata": {"engine": "Fruit"},
//!        "moves": {"796": "e2e4"}, "trees": [{"number": 0, "metadata": {"depth": "8"}}]}
//! ```
//!
//! Names that the description lists as attributes are attributes, whatever they are called: that distinguishes an
//! attribute `ply` from the `ply` that every export has. The writer is that of the exported log; a log made from the
//! table names its own.

mod json;

use gt_log::{Alias, Header, Kind, Log, Metadata, Schema};

use crate::Result;

/// The key in Parquet, and the word after `#` in CSV.
pub(crate) const KEY: &str = "gt-tools";
/// The key of the first line of JSON Lines.
pub(crate) const JSON_KEY: &str = "gt_tools";

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Description {
    pub(crate) writer: String,
    pub(crate) game: String,
    pub(crate) attributes: Vec<(String, Kind)>,
    pub(crate) aliases: Vec<AliasDescription>,
    pub(crate) metadata: Metadata,
    pub(crate) move_names: Vec<(i64, String)>,
    pub(crate) trees: Vec<TreeDescription>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AliasDescription {
    pub(crate) name: String,
    pub(crate) value: i64,
    /// The attribute whose values it names; `None` if it names a number of any attribute.
    pub(crate) attribute: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TreeDescription {
    /// Its number in the column `tree`.
    pub(crate) number: i64,
    pub(crate) metadata: Metadata,
}

impl Description {
    /// Describes these trees of a log.
    pub(crate) fn of(log: &Log, trees: &[usize]) -> Result<Self> {
        let Header { game, schema, metadata, writer } = log.header();
        let mut description = Self {
            writer: writer.clone(),
            game: game.clone(),
            attributes: schema.attributes().iter().map(|a| (a.name.clone(), a.kind)).collect(),
            aliases: schema.aliases().iter().map(|alias| AliasDescription::of(schema, alias)).collect(),
            metadata: metadata.clone(),
            move_names: log.move_names().into_iter().map(|(code, name)| (code, name.to_owned())).collect(),
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
}

impl AliasDescription {
    fn of(schema: &Schema, alias: &Alias) -> Self {
        let attribute = alias.attribute.map(|place| schema.attributes()[place].name.clone());
        Self { name: alias.name.clone(), value: alias.value, attribute }
    }
}
