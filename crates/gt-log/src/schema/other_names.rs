//! Other names for attributes and aliases that an engine names in its own way: `best=value, type=nodeType, PVNode=pv`.
//!
//! Figures, recipes and checks use the names `best`, `type`, `PVNode` and so on. If an engine uses other names, the log says once which is
//! which, in its metadata under [`OTHER_NAMES_KEY`], or the reader of the log says so. From then on, both names work.

use super::second_name::{Of, OtherName};
use super::{Schema, SchemaError};

/// The key of a log's metadata under which it keeps other names for its attributes and aliases.
pub const OTHER_NAMES_KEY: &str = "names";

impl Schema {
    /// Returns the schema with other names added: pairs `other=own`, separated by commas, semicolons or line ends.
    ///
    /// ```
    /// use gt_log::{Kind, Schema};
    /// let schema = Schema::new([("value", Kind::I32)])?.with_other_names("best=value")?;
    /// assert_eq!(schema.position("best"), schema.position("value"));
    /// # Ok::<(), gt_log::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// A text is not a pair, its own name does not exist, or its other name is taken.
    pub fn with_other_names(mut self, pairs: &str) -> Result<Self, SchemaError> {
        for pair in split(pairs) {
            self.add_other_name(pair)?;
        }
        Ok(self)
    }

    /// Adds the names that a log itself states; skips those that do not fit the log, which must stay readable.
    pub(crate) fn add_said_names(&mut self, pairs: &str) {
        for pair in split(pairs) {
            let _ = self.add_other_name(pair);
        }
    }

    /// The other names with what they stand for, in the order in which they were given.
    pub fn other_names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.other_names.iter().map(|other| {
            let own = match other.of {
                Of::Attribute(place) => &self.attributes[place].name,
                Of::Alias(place) => &self.aliases[place].name,
            };
            (other.name.as_str(), own.as_str())
        })
    }

    fn add_other_name(&mut self, pair: &str) -> Result<(), SchemaError> {
        let (other, own) = pair.split_once('=').ok_or_else(|| SchemaError::NoPair(pair.to_owned()))?;
        let (other, own) = (other.trim(), own.trim());
        let of = match (self.position(own), self.alias_place(own)) {
            (Some(place), _) => Of::Attribute(place),
            (None, Some(place)) => Of::Alias(place),
            (None, None) => return Err(SchemaError::NothingOfThatName(own.to_owned())),
        };
        // Stating the same name twice, or one that holds anyway, does no harm.
        if other == own || self.of_other_name(other) == Some(of) {
            return Ok(());
        }
        self.admit(other).map_err(|error| match error {
            SchemaError::NameTwice(other) => SchemaError::OtherNameTaken { other, own: own.to_owned() },
            error => error,
        })?;
        self.other_names.push(OtherName { name: other.to_owned(), of });
        Ok(())
    }

    pub(super) fn of_other_name(&self, name: &str) -> Option<Of> {
        self.other_names.iter().find(|other| other.name == name).map(|other| other.of)
    }
}

/// The pairs of a text; spaces around `=` belong to a pair.
fn split(pairs: &str) -> impl Iterator<Item = &str> {
    pairs.split([',', ';', '\n']).map(str::trim).filter(|pair| !pair.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn schema() -> Schema {
        let schema = Schema::new([("value", Kind::I32), ("nodeType", Kind::U8)]).unwrap();
        schema.with_aliases_of("nodeType", [("pv", 1), ("cut", 2)]).unwrap()
    }

    #[test]
    fn either_name_does() {
        let schema = schema().with_other_names("best=value, type = nodeType,PVNode=pv").unwrap();
        assert_eq!(schema.position("best"), Some(0));
        assert_eq!((schema.position("type"), schema.position("nodeType")), (Some(1), Some(1)));
        assert_eq!((schema.alias("PVNode"), schema.alias("pv")), (Some(1), Some(1)));
        assert_eq!(
            schema.other_names().collect::<Vec<_>>(),
            [("best", "value"), ("type", "nodeType"), ("PVNode", "pv")]
        );
        assert_eq!(schema.attributes().len(), 2);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let error = |pairs| schema().with_other_names(pairs).unwrap_err().to_string();
        assert!(error("best=vlaue").contains("no attribute or alias `vlaue`"));
        assert!(error("value=nodeType").contains("`value` cannot stand for `nodeType`"));
        assert!(error("best").contains("`best` is no pair"));
        assert!(error("count=value").contains("word of the query language"));
        assert!(error("best=value,best=nodeType").contains("`best` cannot stand for `nodeType`"));
        assert_eq!(schema().with_other_names("value=value").unwrap(), schema());
    }

    #[test]
    fn a_log_with_wrong_names_keeps_the_right_ones() {
        let mut schema = schema();
        schema.add_said_names("best=vlaue, nonsense, type=nodeType");
        assert_eq!((schema.position("best"), schema.position("type")), (None, Some(1)));
    }
}
