//! The tree that a profile is about, its search, and the other searches of the log.

use super::iteration_table::range;
use super::report::Profile;
use crate::document::Table;
use crate::number::grouped;

/// The maximum number of searches listed.
const SEARCHES_MAX: usize = 32;

impl Profile<'_> {
    /// The tree, and its metadata: position, engine, depth.
    pub(super) fn about(&self) -> String {
        let trees = self.searches.get(self.search).map_or(&[][..], |search| &search.trees);
        let is_largest =
            trees.iter().all(|&tree| self.log.tree(tree).is_ok_and(|tree| tree.nodes() <= self.tree.nodes()));
        let number = self.tree.number();
        let which = match (trees.len(), is_largest) {
            (0 | 1, _) => format!("Tree {number}"),
            (trees, true) => format!("Tree {number}, the largest of {}", grouped(trees as u64)),
            (trees, false) => format!("Tree {number} of {}", grouped(trees as u64)),
        };
        let search = match self.searches.len() {
            0 | 1 if trees.len() == 1 => String::new(),
            0 | 1 => format!("{which} in the log's search. "),
            searches => {
                format!("{which} in search {} of the log's {}. ", self.search, grouped(searches as u64))
            }
        };
        let metadata = self.tree.metadata().iter().map(|(key, value)| format!("{key} {value}"));
        let about: Vec<String> = metadata.collect();
        if about.is_empty() { search.trim_end().to_owned() } else { format!("{search}{}.", about.join(", ")) }
    }

    /// The searches of the log; only the first if there are many.
    pub(super) fn search_table(&self) -> Table {
        let mut table = Table::new([">search", ">trees", ">depth", ">nodes", "thread", "position"]);
        for (number, search) in self.searches.iter().enumerate().take(SEARCHES_MAX) {
            let first = search.trees.first().and_then(|&tree| self.log.tree(tree).ok());
            let about = |key: &str| first.and_then(|tree| tree.metadata().get(key)).unwrap_or("-").to_owned();
            let depth = search.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string());
            let trees = range(&search.trees);
            table.row([
                number.to_string(),
                trees,
                depth,
                grouped(search.nodes),
                about("thread"),
                about("position"),
            ]);
        }
        let cut = match self.searches.len() {
            searches if searches > SEARCHES_MAX => {
                format!(" (The first {SEARCHES_MAX} of {}.)", grouped(searches as u64))
            }
            _ => String::new(),
        };
        let note =
            format!("This profile is that of search {}; `--search` chooses another.{cut}", self.search);
        table.with_note(&note, "")
    }
}
