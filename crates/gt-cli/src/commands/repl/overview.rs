//! What there is to ask: the schema, the trees, the parameters, the `let`s.

use gt_log::Tree;
use gt_report::counted;

use super::session::Session;
use crate::printable;

impl Session<'_> {
    pub(super) fn schema_text(&self) -> String {
        let schema = self.source.log.schema();
        let mut text = String::new();
        for attribute in schema.attributes() {
            text += &format!("attribute  {} {}\n", printable::line(&attribute.name), attribute.kind);
        }
        for alias in schema.aliases() {
            text += &format!("alias      {} = {}\n", printable::line(&alias.name), alias.value);
        }
        for line in self.parameters_text().lines() {
            text += &format!("parameter  {line}\n");
        }
        for line in self.lets.text().lines() {
            text += &format!("derived    {}\n", line.trim_start_matches("let "));
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
            format!("{}\n", printable::line(text.trim_end()))
        };
        self.source.log.trees().map(line).collect()
    }

    pub(super) fn parameters_text(&self) -> String {
        let line =
            |(name, value): &(&str, &str)| format!("{}\n", printable::line(&format!("${name} = {value}")));
        self.known_parameters().iter().map(line).collect()
    }

    /// The parameters that have a value, each once.
    pub(super) fn known_parameters(&self) -> Vec<(&str, &str)> {
        let mut known: Vec<(&str, &str)> = Vec::new();
        // The last of two of one name was given later.
        let by_hand = self.parameters.iter().rev();
        let by_hand = by_hand.map(|parameter| (parameter.name.as_str(), parameter.written.as_str()));
        for (name, value) in by_hand.chain(self.source.metadata(self.tree)) {
            if known.iter().all(|(before, _)| *before != name) {
                known.push((name, value));
            }
        }
        known
    }
}
