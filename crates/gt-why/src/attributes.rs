//! A log's names for the attributes that an explanation needs.
//!
//! Attributes and aliases are those that [`gt_report`]'s profile also knows: `best`, `alpha`, `beta`, `depth`,
//! `reduction`, `extension`, `ended`, `type` with its flags. Any may be missing.

use gt_log::{Kind, Schema};

/// Flags of `type`. Logs of version 1.0 have aliases that belong to no attribute; these are then not names of
/// `ended`.
const FLAGS: [&str; 8] =
    ["PVNode", "CutNode", "AllNode", "QNode", "QRootNode", "ResearchNode", "NullMove", "Excluded"];

/// The indices of the attributes, and the numbers of the aliases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) best: Option<usize>,
    pub(crate) alpha: Option<usize>,
    pub(crate) beta: Option<usize>,
    pub(crate) depth: Option<usize>,
    pub(crate) reduction: Option<usize>,
    pub(crate) extension: Option<usize>,
    pub(crate) ended: Option<usize>,
    pub(crate) node_type: Option<usize>,
    pub(crate) table_depth: Option<usize>,
    pub(crate) visits: Option<usize>,
    /// Names of the values of `ended`.
    pub(crate) endings: Vec<(i64, String)>,
    pub(crate) null_move: i64,
    pub(crate) excluded: i64,
    pub(crate) research: i64,
    pub(crate) quiescence: i64,
}

impl Attributes {
    pub(crate) fn of(schema: &Schema) -> Self {
        let number = |name: &str| {
            let is_number = |place: &usize| {
                let kind = schema.attributes()[*place].kind;
                kind.is_integer() || kind.is_float()
            };
            schema.position(name).filter(is_number)
        };
        let whole = |name: &str| number(name).filter(|&place| !schema.attributes()[place].kind.is_float());
        let node_type = whole("type");
        let flag = |name: &str| {
            let is_its = |alias: &&gt_log::Alias| alias.attribute.is_none() || alias.attribute == node_type;
            node_type.and_then(|_| schema.alias_named(name).filter(is_its)).map_or(0, |alias| alias.value)
        };
        Self {
            best: number("best"),
            alpha: number("alpha"),
            beta: number("beta"),
            depth: number("depth"),
            reduction: whole("reduction"),
            extension: whole("extension"),
            ended: whole("ended").or_else(|| text(schema, "ended")),
            node_type,
            table_depth: number("table_depth"),
            visits: number("visits"),
            endings: endings(schema),
            null_move: flag("NullMove"),
            excluded: flag("Excluded"),
            research: flag("ResearchNode"),
            quiescence: flag("QNode") | flag("QRootNode"),
        }
    }
}

fn text(schema: &Schema, name: &str) -> Option<usize> {
    schema.position(name).filter(|&place| schema.attributes()[place].kind == Kind::Text)
}

/// The names of the values of `ended`: its own aliases, or else those that belong to no attribute.
fn endings(schema: &Schema) -> Vec<(i64, String)> {
    let place = schema.position("ended");
    let named = |alias: &gt_log::Alias| (alias.value, alias.name.clone());
    let aliases = schema.aliases().iter();
    let own: Vec<_> =
        aliases.filter(|alias| place.is_some() && alias.attribute == place).map(named).collect();
    if !own.is_empty() {
        return own;
    }
    let free = |alias: &&gt_log::Alias| alias.attribute.is_none() && !FLAGS.contains(&alias.name.as_str());
    schema.aliases().iter().filter(free).map(named).collect()
}
