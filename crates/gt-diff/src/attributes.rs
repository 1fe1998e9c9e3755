//! The compared attributes of two trees, and the meaning of a difference in one.
//!
//! ```text
//! known on entering   alpha beta · depth · reduction · extension · move_index · type ply
//! known on leaving    static_eval · table_hit table_depth · best · ended · all others
//! ```

use gt_log::{Kind, Schema};

use crate::error::{Error, Result};

/// A pair of attributes with the same name, one of each tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The name.
    pub name: String,
    /// Its index in A's schema.
    pub place_a: usize,
    /// Its index in B's schema.
    pub place_b: usize,
    /// Its type in A.
    pub kind_a: Kind,
    /// Its type in B.
    pub kind_b: Kind,
    /// Its meaning for a node.
    pub role: Role,
    /// The value that means that the transposition table ended the node.
    table_hit: Option<i64>,
}

impl Compared {
    /// The role of a difference, from the integers of both nodes; if one lacks the value, nothing was evaluated,
    /// found in a table, or returned.
    pub(crate) fn role_of(&self, values: Option<(i64, i64)>) -> Role {
        match (self.role, values) {
            (Role::Evaluation | Role::Table, None) => Role::Other,
            (Role::Value, None) => Role::Ended,
            (Role::Ended, Some((a, b))) if [a, b].into_iter().any(|end| Some(end) == self.table_hit) => {
                Role::Table
            }
            (role, _) => role,
        }
    }
}

/// The meaning of an attribute for a node, by its name. The number is the bit that represents a difference in
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[allow(missing_docs)] // The names say it.
pub enum Role {
    Window = 1 << 0,
    Depth = 1 << 1,
    Reduction = 1 << 2,
    Extension = 1 << 3,
    Order = 1 << 4,
    OtherEntry = 1 << 5,
    Evaluation = 1 << 6,
    Table = 1 << 7,
    Value = 1 << 8,
    Ended = 1 << 9,
    Other = 1 << 10,
}

/// The roles that are known when a node is entered.
pub(crate) const ENTRY: u16 = Role::Window as u16
    | Role::Depth as u16
    | Role::Reduction as u16
    | Role::Extension as u16
    | Role::Order as u16
    | Role::OtherEntry as u16;

/// The possible names of the attribute with a node's value; the first that both trees have is used.
const VALUE_NAMES: [&str; 3] = ["best", "value", "score"];

/// The alias of the value of `ended` for an answer from the transposition table.
const TABLE_HIT: &str = "TableHit";

/// The attribute with the flags of a node, and the flag of one that was entered in a test of singular extensions.
const FLAGS: &str = "type";
const EXCLUDED: &str = "Excluded";

/// Where a tree marks nodes that were entered in a test of singular extensions. Such a test leaves out a move, so it
/// does not search its own move in earnest, and matches no search that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TestFlag {
    pub(crate) place: usize,
    pub(crate) bit: i64,
}

impl TestFlag {
    pub(crate) fn of(schema: &Schema) -> Option<Self> {
        let place = schema.position(FLAGS).filter(|place| schema.attributes()[*place].kind.is_integer())?;
        let alias = schema.alias_named(EXCLUDED)?;
        alias.attribute.is_none_or(|of| of == place).then_some(Self { place, bit: alias.value })
    }
}

impl Role {
    fn of(name: &str, value_name: Option<&str>) -> Self {
        match name {
            "alpha" | "beta" => Self::Window,
            "depth" => Self::Depth,
            "reduction" => Self::Reduction,
            "extension" => Self::Extension,
            "move_index" => Self::Order,
            "type" | "ply" => Self::OtherEntry,
            "static_eval" => Self::Evaluation,
            "table_hit" | "table_depth" => Self::Table,
            "ended" => Self::Ended,
            _ if Some(name) == value_name => Self::Value,
            _ => Self::Other,
        }
    }

    /// Whether these roles include this one.
    pub(crate) fn is_in(self, roles: u16) -> bool {
        roles & self as u16 != 0
    }

    /// Whether an attribute of this role is known when the search enters a node.
    #[must_use]
    pub fn is_known_on_entry(self) -> bool {
        self as u16 & ENTRY != 0
    }
}

/// The attributes of two trees.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// The compared attributes.
    pub compared: Vec<Compared>,
    /// Names that only A has.
    pub only_a: Vec<String>,
    /// Names that only B has.
    pub only_b: Vec<String>,
    /// Names that both have with types that cannot be compared, and these types.
    pub unlike: Vec<(String, Kind, Kind)>,
    /// Attributes that would reveal more causes, but are not in both logs.
    pub causes_missing: Vec<&'static str>,
}

/// The attributes from which causes are derived.
const CAUSES: [&str; 9] =
    ["alpha", "beta", "depth", "move_index", "static_eval", "table_hit", "reduction", "extension", "ended"];

impl Attributes {
    /// The attributes that both trees have, without the ignored ones.
    pub(crate) fn of(a: &Schema, b: &Schema, only: Option<&[String]>, ignore: &[String]) -> Result<Self> {
        let common = common(a, b);
        let known = || common.iter().map(|attribute| attribute.name.clone()).collect::<Vec<_>>();
        let named = only.unwrap_or_default().iter().chain(ignore);
        for name in named {
            if !common.iter().any(|attribute| attribute.name == *name) {
                return Err(Error::UnknownAttribute { name: name.clone(), known: known() });
            }
        }
        let missing = |name: &&str| !common.iter().any(|attribute| attribute.name == **name);
        let causes_missing = CAUSES.into_iter().filter(missing).collect();
        let is_asked = |attribute: &Compared| {
            only.is_none_or(|only| only.contains(&attribute.name)) && !ignore.contains(&attribute.name)
        };
        let absent = |of: &Schema, from: &Schema| {
            let names = of.attributes().iter().map(|attribute| attribute.name.clone());
            names.filter(|name| from.position(name).is_none()).collect()
        };
        Ok(Self {
            only_a: absent(a, b),
            only_b: absent(b, a),
            unlike: unlike(a, b),
            causes_missing,
            compared: common.into_iter().filter(is_asked).collect(),
        })
    }

    /// The attributes in which rows of two trees with these schemas must agree to match one to one; `None` if the
    /// schemas mark tests in different ways.
    pub(crate) fn decisive(&self, a: &Schema, b: &Schema) -> Option<Vec<Compared>> {
        let mut decisive = self.compared.clone();
        let [flag_a, flag_b] = [a, b].map(TestFlag::of);
        if flag_a.map(|flag| flag.bit) != flag_b.map(|flag| flag.bit) {
            return None;
        }
        if flag_a.is_some() && decisive.iter().all(|attribute| attribute.name != FLAGS) {
            decisive.extend(common(a, b).into_iter().filter(|attribute| attribute.name == FLAGS));
        }
        Some(decisive)
    }

    /// Returns the attribute with a node's value.
    #[must_use]
    pub fn value(&self) -> Option<&Compared> {
        self.compared.iter().find(|attribute| attribute.role == Role::Value)
    }
}

/// The attributes that both schemas have with comparable types.
pub(crate) fn common(a: &Schema, b: &Schema) -> Vec<Compared> {
    let value_name =
        VALUE_NAMES.into_iter().find(|name| a.position(name).is_some() && b.position(name).is_some());
    let pair = |(place_a, attribute): (usize, &gt_log::Attribute)| {
        let place_b = b.position(&attribute.name)?;
        let (kind_a, kind_b) = (attribute.kind, b.attributes()[place_b].kind);
        let role = Role::of(&attribute.name, value_name);
        let name = attribute.name.clone();
        let table_hit = a.alias(TABLE_HIT).filter(|value| b.alias(TABLE_HIT) == Some(*value));
        let pair = Compared { name, place_a, place_b, kind_a, kind_b, role, table_hit };
        are_alike(kind_a, kind_b).then_some(pair)
    };
    a.attributes().iter().enumerate().filter_map(pair).collect()
}

fn unlike(a: &Schema, b: &Schema) -> Vec<(String, Kind, Kind)> {
    let pairs = a.attributes().iter().filter_map(|one| {
        let other = &b.attributes()[b.position(&one.name)?];
        Some((one.name.clone(), one.kind, other.kind))
    });
    pairs.filter(|(_, a, b)| !are_alike(*a, *b)).collect()
}

/// Whether values of two types can be equal: whole numbers of any width, floats of any width.
fn are_alike(a: Kind, b: Kind) -> bool {
    a == b || (a.is_integer() && b.is_integer()) || (a.is_float() && b.is_float())
}
