//! What a log's nodes carry: named, typed attributes, and aliases for numbers.
//!
//! Every log has `node_id` and `last_move`; they need no declaration.

mod other_names;
mod second_name;

use std::fmt;

pub use other_names::OTHER_NAMES_KEY;
use second_name::{Of, OtherName};

/// The maximum number of attributes in a schema.
pub const ATTRIBUTES_MAX: usize = 256;
/// The maximum number of aliases in a schema.
pub const ALIASES_MAX: usize = 4096;
/// The maximum length of the name of an attribute or alias, in bytes.
pub const NAME_BYTES_MAX: usize = 255;

/// Names that no attribute or alias may take: GTQL's own words, and the two attributes of every log.
pub const RESERVED: [&str; 9] =
    ["node", "child", "subtree", "count", "and", "or", "not", "node_id", "last_move"];

/// The type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names say what they are.
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    Bool,
    Text,
}

impl Kind {
    /// Every kind, in the order of its number in the file.
    pub const ALL: [Kind; 12] = [
        Kind::I8,
        Kind::I16,
        Kind::I32,
        Kind::I64,
        Kind::U8,
        Kind::U16,
        Kind::U32,
        Kind::U64,
        Kind::F32,
        Kind::F64,
        Kind::Bool,
        Kind::Text,
    ];

    /// The name used in messages, listings and exports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::I8 => "i8",
            Kind::I16 => "i16",
            Kind::I32 => "i32",
            Kind::I64 => "i64",
            Kind::U8 => "u8",
            Kind::U16 => "u16",
            Kind::U32 => "u32",
            Kind::U64 => "u64",
            Kind::F32 => "f32",
            Kind::F64 => "f64",
            Kind::Bool => "bool",
            Kind::Text => "text",
        }
    }

    /// The number of bytes that a value takes in a record; for a text, its number in the dictionary.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 | Kind::Bool => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 | Kind::Text => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
        }
    }

    /// The column's integer for a value that has these bytes in a record, little-endian.
    pub(crate) fn integer_of(self, bytes: &[u8]) -> i64 {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let integer = i64::from_le_bytes(wide);
        match self {
            Kind::I8 => i64::from(integer as i8),
            Kind::I16 => i64::from(integer as i16),
            Kind::I32 => i64::from(integer as i32),
            Kind::I64 | Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => integer,
            Kind::F32 | Kind::F64 | Kind::Text => integer,
            Kind::Bool => i64::from(integer != 0),
        }
    }

    /// Whether values are whole numbers (Booleans are not).
    #[must_use]
    pub const fn is_integer(self) -> bool {
        !matches!(self, Kind::F32 | Kind::F64 | Kind::Bool | Kind::Text)
    }

    /// Whether a column's integer is a value of this type; a text's integer is a place in some dictionary.
    #[must_use]
    pub const fn holds(self, integer: i64) -> bool {
        let (least, most) = match self {
            Kind::I8 => (i8::MIN as i64, i8::MAX as i64),
            Kind::I16 => (i16::MIN as i64, i16::MAX as i64),
            Kind::I32 => (i32::MIN as i64, i32::MAX as i64),
            Kind::U8 => (0, u8::MAX as i64),
            Kind::U16 => (0, u16::MAX as i64),
            Kind::U32 | Kind::F32 | Kind::Text => (0, u32::MAX as i64),
            Kind::Bool => (0, 1),
            Kind::I64 | Kind::U64 | Kind::F64 => (i64::MIN, i64::MAX),
        };
        least <= integer && integer <= most
    }

    /// Whether values are floating-point numbers.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One attribute of every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name, `[A-Za-z][A-Za-z0-9_]*`.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
}

/// A name for a number, for use in queries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The name, `[A-Za-z][A-Za-z0-9_]*`.
    pub name: String,
    /// The number that the alias stands for.
    pub value: i64,
    /// The place of the attribute whose values it names; `None` if it names a number of any attribute.
    pub attribute: Option<usize>,
}

/// The attributes and aliases of a log; every name is legal and used once.
///
/// ```
/// use gt_log::{Kind, Schema};
/// let schema = Schema::new([("depth", Kind::I8), ("best", Kind::I32)])?.with_aliases([("PVNode", 1)])?;
/// assert_eq!(schema.position("best"), Some(1));
/// assert_eq!(schema.alias("PVNode"), Some(1));
/// # Ok::<(), gt_log::SchemaError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    attributes: Vec<Attribute>,
    aliases: Vec<Alias>,
    other_names: Vec<OtherName>,
}

impl Schema {
    /// Makes a schema with these attributes, in this order.
    pub fn new<N: Into<String>>(
        attributes: impl IntoIterator<Item = (N, Kind)>,
    ) -> Result<Self, SchemaError> {
        let mut schema = Self::default();
        for (name, kind) in attributes {
            let name = name.into();
            schema.admit(&name)?;
            if schema.attributes.len() == ATTRIBUTES_MAX {
                return Err(SchemaError::TooManyAttributes);
            }
            schema.attributes.push(Attribute { name, kind });
        }
        Ok(schema)
    }

    /// Returns the schema with these aliases added.
    pub fn with_aliases<N: Into<String>>(
        mut self,
        aliases: impl IntoIterator<Item = (N, i64)>,
    ) -> Result<Self, SchemaError> {
        for (name, value) in aliases {
            self.add_alias(name.into(), value, None)?;
        }
        Ok(self)
    }

    /// Returns the schema with names for the values of one attribute added.
    ///
    /// ```
    /// use gt_log::{Kind, Schema};
    /// let schema = Schema::new([("type", Kind::U8)])?.with_aliases_of("type", [("PVNode", 1)])?;
    /// assert_eq!(schema.aliases()[0].attribute, Some(0));
    /// # Ok::<(), gt_log::SchemaError>(())
    /// ```
    pub fn with_aliases_of<N: Into<String>>(
        mut self,
        attribute: &str,
        aliases: impl IntoIterator<Item = (N, i64)>,
    ) -> Result<Self, SchemaError> {
        let place = self.position(attribute);
        let place = place.ok_or_else(|| SchemaError::NoSuchAttribute(attribute.to_owned()))?;
        for (name, value) in aliases {
            self.add_alias(name.into(), value, Some(place))?;
        }
        Ok(self)
    }

    fn add_alias(&mut self, name: String, value: i64, attribute: Option<usize>) -> Result<(), SchemaError> {
        self.admit(&name)?;
        if self.aliases.len() == ALIASES_MAX {
            return Err(SchemaError::TooManyAliases);
        }
        self.aliases.push(Alias { name, value, attribute });
        Ok(())
    }

    /// Sets which attribute an alias belongs to; `false` if there is no such attribute.
    pub(crate) fn set_alias_attribute(&mut self, alias: usize, attribute: u64) -> bool {
        let place = usize::try_from(attribute).ok().filter(|place| *place < self.attributes.len());
        self.aliases[alias].attribute = place;
        place.is_some()
    }

    /// The attributes, in the order of the record.
    #[must_use]
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The aliases, in the order in which they were given.
    #[must_use]
    pub fn aliases(&self) -> &[Alias] {
        &self.aliases
    }

    /// The place of the attribute with this name, or with this other name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        let own = self.attributes.iter().position(|a| a.name == name);
        own.or_else(|| match self.of_other_name(name)? {
            Of::Attribute(place) => Some(place),
            Of::Alias(_) => None,
        })
    }

    /// The number for which the alias with this name, or with this other name, stands.
    #[must_use]
    pub fn alias(&self, name: &str) -> Option<i64> {
        self.alias_named(name).map(|alias| alias.value)
    }

    /// The alias with this name, or with this other name.
    #[must_use]
    pub fn alias_named(&self, name: &str) -> Option<&Alias> {
        self.alias_place(name).map(|place| &self.aliases[place])
    }

    fn alias_place(&self, name: &str) -> Option<usize> {
        let own = self.aliases.iter().position(|a| a.name == name);
        own.or_else(|| match self.of_other_name(name)? {
            Of::Alias(place) => Some(place),
            Of::Attribute(_) => None,
        })
    }

    fn admit(&self, name: &str) -> Result<(), SchemaError> {
        let mut bytes = name.bytes();
        let legal = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
            && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.len() <= NAME_BYTES_MAX;
        if !legal {
            return Err(SchemaError::IllegalName(name.to_owned()));
        }
        if RESERVED.contains(&name) {
            return Err(SchemaError::ReservedName(name.to_owned()));
        }
        if self.position(name).is_some() || self.alias(name).is_some() {
            return Err(SchemaError::NameTwice(name.to_owned()));
        }
        Ok(())
    }
}

/// The reason why a schema was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaError {
    /// Not of the form `[A-Za-z][A-Za-z0-9_]*`, or longer than 255 bytes.
    IllegalName(String),
    /// One of [`RESERVED`].
    ReservedName(String),
    /// Two attributes, two aliases, or an attribute and an alias have this name.
    NameTwice(String),
    /// Another name was given that already names something else.
    OtherNameTaken {
        /// The other name.
        other: String,
        /// The log's own name for what it should stand for.
        own: String,
    },
    /// Aliases were given for an attribute that the schema does not have.
    NoSuchAttribute(String),
    /// Another name was given for something that the schema does not have.
    NothingOfThatName(String),
    /// Other names are given as pairs `other=own`, and this is not one.
    NoPair(String),
    /// More than 256 attributes.
    TooManyAttributes,
    /// More than 4096 aliases.
    TooManyAliases,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalName(name) => write!(
                f,
                "`{}` cannot name an attribute or alias: a name is a letter, then letters, digits or `_`, \
                 at most {NAME_BYTES_MAX} in all",
                name.escape_debug()
            ),
            Self::ReservedName(name) => {
                write!(f, "`{name}` is a word of the query language or of every log; choose another name")
            }
            Self::NameTwice(name) => {
                write!(f, "`{name}` names two things; attributes and aliases share one set of names")
            }
            Self::OtherNameTaken { other, own } => {
                write!(f, "`{other}` cannot stand for `{own}`: it names something else in this log")
            }
            Self::NoSuchAttribute(name) => {
                write!(f, "there is no attribute `{}` that aliases could belong to", name.escape_debug())
            }
            Self::NothingOfThatName(name) => {
                write!(
                    f,
                    "the log has no attribute or alias `{}` that could have another name",
                    name.escape_debug()
                )
            }
            Self::NoPair(text) => {
                write!(
                    f,
                    "`{}` is no pair of names; another name is given as in `best=value`",
                    text.escape_debug()
                )
            }
            Self::TooManyAttributes => write!(f, "a log has at most {ATTRIBUTES_MAX} attributes"),
            Self::TooManyAliases => write!(f, "a log has at most {ALIASES_MAX} aliases"),
        }
    }
}

impl std::error::Error for SchemaError {}
