//! The expressions for figures that a log's names allow.
//!
//! The same question takes different words for different logs: a cut-off is `ended = Cutoff` if the engine records
//! it, and `best >= beta` with children if it only logs its window.

use gt_log::Schema;

/// Expressions over the names of one schema.
pub(super) struct Offer<'a> {
    schema: &'a Schema,
    /// Whether nodes were left out of the log: then a node's children may be incomplete.
    is_partial: bool,
}

/// The flags of `type` for the kinds of nodes, and their names in charts.
pub(super) const EXPECTATIONS: [(&str, &str); 3] =
    [("PVNode", "principal variation"), ("CutNode", "cut"), ("AllNode", "all")];

impl<'a> Offer<'a> {
    pub(super) const fn of(schema: &'a Schema) -> Self {
        Self { schema, is_partial: false }
    }

    /// The offer of logs with this schema from which nodes were left out.
    pub(super) const fn of_partial(schema: &'a Schema) -> Self {
        Self { schema, is_partial: true }
    }

    /// Whether nodes were left out of the log.
    pub(super) const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The condition, and that all children of the node are in the log.
    pub(super) fn whole(&self, condition: &str) -> String {
        if self.is_partial { format!("{condition} and @left_out = 0") } else { condition.to_owned() }
    }

    /// The number of nodes of the search in a node's subtree.
    pub(super) const fn size(&self) -> &'static str {
        if self.is_partial { "@total" } else { "@size" }
    }

    /// Whether the log has the windows of the values.
    pub(super) fn has_windows(&self) -> bool {
        ["best", "alpha", "beta"].into_iter().all(|name| self.has(name))
    }

    /// The condition that the search left a node in the ordinary way, neither stopped nor cut off by the end of the
    /// log. `node` is empty or a relative such as `[^]`.
    pub(super) fn completed(&self, node: &str) -> String {
        let stopped = if self.has_alias("ended", "Stopped") {
            format!(" and {node}ended != Stopped")
        } else {
            String::new()
        };
        format!("not {node}@unfinished{stopped}")
    }

    /// Whether there is a number of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|kind| kind.is_integer())
    }

    /// Whether there is a truth value, or a number, of this name.
    pub(super) fn has_truth(&self, name: &str) -> bool {
        self.has(name) || self.attribute(name) == Some(gt_log::Kind::Bool)
    }

    fn attribute(&self, name: &str) -> Option<gt_log::Kind> {
        self.schema.position(name).map(|place| self.schema.attributes()[place].kind)
    }

    /// Whether an alias stands for a value of this attribute, or of any.
    pub(super) fn has_alias(&self, attribute: &str, alias: &str) -> bool {
        let place = self.schema.position(attribute);
        let is_its = |found: &gt_log::Alias| found.attribute.is_none() || found.attribute == place;
        self.has(attribute) && self.schema.alias_named(alias).is_some_and(is_its)
    }

    /// The names of an attribute's values: its own aliases or, if it has none, the possible ones: the usual aliases,
    /// and others whose value no second alias has.
    pub(super) fn names_of(&self, attribute: &str, usual: &[&str]) -> Vec<(i64, String)> {
        let place = self.schema.position(attribute);
        let aliases = || self.schema.aliases().iter();
        let named = |alias: &gt_log::Alias| (alias.value, alias.name.clone());
        let own: Vec<_> =
            aliases().filter(|alias| place.is_some() && alias.attribute == place).map(named).collect();
        if !own.is_empty() {
            return own;
        }
        let free = || aliases().filter(|alias| alias.attribute.is_none());
        let is_usual = |alias: &&gt_log::Alias| usual.contains(&alias.name.as_str());
        let is_alone =
            |alias: &&gt_log::Alias| free().filter(|other| other.value == alias.value).count() == 1;
        free().filter(|alias| is_usual(alias) || is_alone(alias)).map(named).collect()
    }

    /// Whether `type` has this flag.
    pub(super) fn flag(&self, alias: &str) -> bool {
        self.has_alias("type", alias) && self.schema.alias(alias) != Some(0)
    }

    /// The names that do not exist.
    pub(super) fn missing(&self, names: &[&'static str]) -> Vec<&'static str> {
        let there = |name: &&str| self.has_truth(name) || self.schema.alias(name).is_some();
        names.iter().filter(|name| !there(name)).copied().collect()
    }

    /// A name for a `let` that the log itself does not use.
    pub(super) fn free(&self, name: &str) -> String {
        let mut free = name.to_owned();
        while self.schema.position(&free).is_some() || self.schema.alias(&free).is_some() {
            free.push('_');
        }
        free
    }

    /// The condition that the node belongs to quiescence search.
    pub(super) fn quiescence(&self) -> Option<&'static str> {
        match (self.flag("QNode"), self.flag("QRootNode")) {
            (true, true) => Some("type & (QNode | QRootNode)"),
            (true, false) => Some("type & QNode"),
            (false, true) => Some("type & QRootNode"),
            (false, false) => None,
        }
    }

    /// The condition that the node belongs to the main search; `None` if all do.
    pub(super) fn main(&self) -> Option<String> {
        self.quiescence().map(|quiescence| format!("not {quiescence}"))
    }

    /// This condition, and that the node belongs to the main search.
    pub(super) fn main_and(&self, condition: &str) -> String {
        self.main().map_or_else(|| condition.to_owned(), |main| format!("{main} and {condition}"))
    }

    /// The condition that a move failed high and ended the node.
    pub(super) fn cutoff(&self) -> Option<String> {
        if self.has_alias("ended", "Cutoff") {
            return Some(self.whole("ended = Cutoff"));
        }
        if !self.has("best") || !self.has("beta") {
            return None;
        }
        let by_a_move =
            self.no_move().map_or_else(String::new, |flags| format!(" and not [-1]type & {flags}"));
        Some(self.whole(&format!("best >= beta and @children > 0{by_a_move}")))
    }

    /// The condition that all moves were searched, that is, no cut-off. Without values, that there are
    /// children.
    pub(super) fn expanded(&self) -> String {
        if self.has_alias("ended", "Searched") {
            return self.whole("ended = Searched and @children > 0");
        }
        match self.has("best") && self.has("beta") {
            true => self.whole("best < beta and @children > 0"),
            false => self.whole("@children > 0"),
        }
    }

    /// The number of different moves that the node searched: its children, without those that repeat the move of the
    /// previous child (a move searched again) or that no move leads to. At a cut-off the last of them cut, so this is
    /// its rank.
    pub(super) fn moves_searched(&self) -> String {
        let again = "[]last_move = [<]last_move";
        match self.no_move() {
            Some(flags) => format!("child: @children - count([]type & {flags} or {again})"),
            None => format!("child: @children - count({again})"),
        }
    }

    /// The flags of children that no move of the player leads to: a null move, and the same position searched without
    /// one of its moves (singular extensions).
    pub(super) fn no_move(&self) -> Option<&'static str> {
        match (self.flag("NullMove"), self.flag("Excluded")) {
            (true, true) => Some("(NullMove | Excluded)"),
            (true, false) => Some("NullMove"),
            (false, true) => Some("Excluded"),
            (false, false) => None,
        }
    }

    /// The grouping key of figures "per depth", and its name on the axis.
    pub(super) fn depth_key(&self) -> (&'static str, &'static str) {
        if self.has("depth") { ("depth", "remaining depth") } else { ("@ply", "ply") }
    }

    pub(super) const fn schema(&self) -> &Schema {
        self.schema
    }
}
