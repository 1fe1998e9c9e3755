//! What there is to ask: the schema, the trees, the parameters.

use gt_log::Tree;
use gt_report::counted;

use super::session::Session;

impl Session<'_> {
    pub(super) fn schema_text(&self) -> String {
        let schema = self.source.log.schema();
        let mut text = String::new();
        for attribute in schema.attributes() {
            text += &format!("attribute  {} {}\n", attribute.name, attribute.kind);
        }
        for alias in schema.aliases() {
            text += &format!("alias      {} = {}\n", alias.name, alias.value);
        }
        for line in self.parameters_text().lines() {
            text += &format!("parameter  {line}\n");
        }
        text
    }

    /// A line for each tree; the one that is asked is marked.
    pub(super) fn trees_text(&self) -> String {
        let line = |tree: Tree<'_>| {
            let mark = if tree.number() == self.tree.number() { "*" } else { " " };
            let metadata = tree.metadata().iter().map(|(key, value)| format!("{key}={value}"));
            let metadata = metadata.collect::<Vec<_>>().join(" ");
            let text = format!("{mark} {}  {}  {metadata}", tree.number(), counted(tree.nodes(), "node"));
            format!("{}\n", text.trim_end())
        };
        self.source.log.trees().map(line).collect()
    }

    pub(super) fn parameters_text(&self) -> String {
        self.known_parameters().iter().map(|(name, value)| format!("${name} = {value}\n")).collect()
    }

    /// The parameters that have a value, each once.
    pub(super) fn known_parameters(&self) -> Vec<(&str, &str)> {
        let mut known: Vec<(&str, &str)> = Vec::new();
        for (name, value) in self.source.parameters(self.tree, &self.parameters) {
            if known.iter().all(|(before, _)| *before != name) {
                known.push((name, value));
            }
        }
        known
    }
}
