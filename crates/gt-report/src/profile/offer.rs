//! What a log's names allow: the expressions that figures are made of.
//!
//! The same question is asked of different logs in different words: a cut-off is `ended = Cutoff` where the engine said
//! so, and `best >= beta` with children where it only logged its window.

use gt_log::Schema;

/// Expressions over the names of one schema.
pub(super) struct Offer<'a> {
    schema: &'a Schema,
}

/// The flags of `type` that tell kinds of nodes apart, and what they are called in charts.
pub(super) const EXPECTATIONS: [(&str, &str); 3] =
    [("PVNode", "principal variation"), ("CutNode", "cut"), ("AllNode", "all")];

impl<'a> Offer<'a> {
    pub(super) const fn of(schema: &'a Schema) -> Self {
        Self { schema }
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

    /// Whether an alias stands for a value of an attribute.
    pub(super) fn has_alias(&self, attribute: &str, alias: &str) -> bool {
        self.has(attribute) && self.schema.alias(alias).is_some()
    }

    /// Whether `type` has this flag.
    pub(super) fn flag(&self, alias: &str) -> bool {
        self.has_alias("type", alias) && self.schema.alias(alias) != Some(0)
    }

    /// Which of these names are not there.
    pub(super) fn missing(&self, names: &[&'static str]) -> Vec<&'static str> {
        let there = |name: &&str| self.has_truth(name) || self.schema.alias(name).is_some();
        names.iter().filter(|name| !there(name)).copied().collect()
    }

    /// A name for a `let` that the log does not use itself.
    pub(super) fn free(&self, name: &str) -> String {
        let mut free = name.to_owned();
        while self.schema.position(&free).is_some() || self.schema.alias(&free).is_some() {
            free.push('_');
        }
        free
    }

    /// Whether the node is one of quiescence search.
    pub(super) fn quiescence(&self) -> Option<&'static str> {
        match (self.flag("QNode"), self.flag("QRootNode")) {
            (true, true) => Some("type & (QNode | QRootNode)"),
            (true, false) => Some("type & QNode"),
            (false, true) => Some("type & QRootNode"),
            (false, false) => None,
        }
    }

    /// Whether the node is one of the main search; `None` where all are.
    pub(super) fn main(&self) -> Option<String> {
        self.quiescence().map(|quiescence| format!("not {quiescence}"))
    }

    /// These conditions and that the node is one of the main search.
    pub(super) fn main_and(&self, condition: &str) -> String {
        self.main().map_or_else(|| condition.to_owned(), |main| format!("{main} and {condition}"))
    }

    /// Whether a move failed high and ended the node.
    pub(super) fn cutoff(&self) -> Option<String> {
        if self.has_alias("ended", "Cutoff") {
            return Some("ended = Cutoff".to_owned());
        }
        if !self.has("best") || !self.has("beta") {
            return None;
        }
        let by_a_move = if self.flag("NullMove") { " and not [-1]type & NullMove" } else { "" };
        Some(format!("best >= beta and @children > 0{by_a_move}"))
    }

    /// Whether all moves were searched: what is not cut off. Without values, whether there are children.
    pub(super) fn expanded(&self) -> String {
        if self.has_alias("ended", "Searched") {
            return "ended = Searched and @children > 0".to_owned();
        }
        match self.has("best") && self.has("beta") {
            true => "best < beta and @children > 0".to_owned(),
            false => "@children > 0".to_owned(),
        }
    }

    /// How many moves of the node were searched, those searched again counted once.
    pub(super) fn moves_searched(&self) -> String {
        if self.has("move_index") {
            return "child: max([]move_index) + 1".to_owned();
        }
        match (self.flag("ResearchNode"), self.flag("NullMove")) {
            (true, true) => "child: count(not []type & (ResearchNode | NullMove))".to_owned(),
            (true, false) => "child: count(not []type & ResearchNode)".to_owned(),
            (false, true) => "child: count(not []type & NullMove)".to_owned(),
            (false, false) => "@children".to_owned(),
        }
    }

    /// The place, from 1, of the last move searched: at a cut-off, of the move that made it.
    pub(super) fn rank_of_last(&self) -> String {
        if self.has("move_index") {
            return "[-1]move_index + 1".to_owned();
        }
        if self.flag("NullMove") {
            return "@children - ([0]type & NullMove) / NullMove".to_owned();
        }
        "@children".to_owned()
    }

    /// What figures "per depth" are grouped by, and its name on the axis.
    pub(super) fn depth_key(&self) -> (&'static str, &'static str) {
        if self.has("depth") { ("depth", "remaining depth") } else { ("@ply", "ply") }
    }

    pub(super) const fn schema(&self) -> &Schema {
        self.schema
    }
}
