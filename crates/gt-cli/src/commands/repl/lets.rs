//! The `let`s that a session keeps.
//!
//! ```text
//! let size = subtree: count(*)      kept
//! let share = 100 * size / @total   kept; made of `size`
//! node: share > 3                   both stand above this query, unseen
//! ```
//!
//! A query gets those that it names, and those that these name: one that is of no use to it cannot harm it.
//!
//! **Invariant:** no `let` is made of itself.

use std::collections::BTreeSet;

use gt_query::tools::ast::Item;
use gt_query::tools::lex;
use gt_query::tools::parse;
use gt_query::tools::token::TokenKind;

use crate::failure::Failure;

/// Derived columns, in the order of their definition.
#[derive(Debug, Default)]
pub(super) struct Lets(Vec<KeptLet>);

#[derive(Debug)]
struct KeptLet {
    name: String,
    /// `let name = …`, on one line.
    text: String,
}

impl Lets {
    /// Keeps the `let`s of a text that was bound; one with the name of another takes its place.
    pub(super) fn keep(&mut self, text: &str) {
        for (name, text) in lets_of(text) {
            match self.0.iter_mut().find(|kept| kept.name == name) {
                Some(kept) => kept.text = text,
                None => self.0.push(KeptLet { name, text }),
            }
        }
    }

    /// Forgets the one with this name, or with `*` all.
    pub(super) fn forget(&mut self, name: &str) -> Result<(), Failure> {
        if name == "*" {
            self.0.clear();
            return Ok(());
        }
        let Some(place) = self.0.iter().position(|kept| kept.name == name) else {
            return Err(Failure::new(format!("there is no `let {name}`; `.let` lists those that are kept")));
        };
        self.0.remove(place);
        Ok(())
    }

    /// The names of the `let`s whose text names this one.
    pub(super) fn made_of(&self, name: &str) -> Vec<&str> {
        let names_it = |kept: &&KeptLet| kept.name != name && names_in(&kept.text).contains(name);
        self.0.iter().filter(names_it).map(|kept| kept.name.as_str()).collect()
    }

    /// All of them, a line each.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|kept| format!("{}\n", kept.text)).collect()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|kept| kept.name.as_str())
    }

    /// The lines to stand above a text: the `let`s that it needs, each below those that it is made of, and a blank line.
    pub(super) fn above(&self, text: &str) -> Result<String, Failure> {
        let anew: BTreeSet<String> = lets_of(text).map(|(name, _)| name).collect();
        let mut lines = Vec::new();
        for name in names_in(text).difference(&anew) {
            self.add(name, &anew, &mut lines)?;
        }
        let above: String = lines.iter().map(|place: &usize| format!("{}\n", self.0[*place].text)).collect();
        Ok(if above.is_empty() { above } else { above + "\n" })
    }

    /// Adds the `let` of this name, where there is one, after those that it is made of.
    fn add(&self, name: &str, anew: &BTreeSet<String>, lines: &mut Vec<usize>) -> Result<(), Failure> {
        let Some(place) = self.0.iter().position(|kept| kept.name == name) else { return Ok(()) };
        if lines.contains(&place) {
            return Ok(());
        }
        for needed in names_in(&self.0[place].text).iter().filter(|needed| *needed != name) {
            if anew.contains(needed) {
                return Err(Failure::new(format!(
                    "`{name}` is made of `{needed}`, which is defined anew here: they cannot stand together; \
                     `.forget {name}` forgets the one of before"
                )));
            }
            self.add(needed, anew, lines)?;
        }
        lines.push(place);
        Ok(())
    }
}

fn lets_of(text: &str) -> impl Iterator<Item = (String, String)> {
    parse(text).file.items.into_iter().filter_map(|item| match item {
        Item::Let(item) => Some((item.name.text.clone(), item.to_string())),
        Item::Query(_) => None,
    })
}

fn names_in(text: &str) -> BTreeSet<String> {
    let names = lex(text).tokens.into_iter().filter(|token| token.kind == TokenKind::Name);
    names.map(|token| token.span.of(text).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &[&str]) -> Lets {
        let mut lets = Lets::default();
        lines.iter().for_each(|line| lets.keep(line));
        lets
    }

    #[test]
    fn a_query_gets_what_it_names_in_order() {
        let lets = kept(&["let a = i", "let b = 2*a", "let c = 3", "let a = c + i"]);
        assert_eq!(lets.text(), "let a = c + i\nlet b = 2 * a\nlet c = 3\n");
        assert_eq!(lets.above("node: b > 1").unwrap(), "let c = 3\nlet a = c + i\nlet b = 2 * a\n\n");
        assert_eq!(lets.above("node: i > c").unwrap(), "let c = 3\n\n");
        assert_eq!(lets.above("node: i > 1 # a").unwrap(), "");
    }

    #[test]
    fn none_is_made_of_itself() {
        let lets = kept(&["let a = i", "let b = 2 * a"]);
        let refused = lets.above("let a = b + 1").unwrap_err().to_string();
        assert!(refused.starts_with("`b` is made of `a`, which is defined anew here"), "{refused}");
        assert_eq!(lets.above("let a = i + 1").unwrap(), "");
        assert_eq!(lets.above("let a = a + 1").unwrap(), "", "the binder says that `a` is not known");
    }

    #[test]
    fn one_or_all_are_forgotten() {
        let mut lets = kept(&["let a = i", "let b = 2", "let c = 3"]);
        lets.forget("b").unwrap();
        assert_eq!(kept(&["let a = i", "let b = 2 * a"]).made_of("a"), ["b"]);
        assert_eq!(lets.names().collect::<Vec<_>>(), ["a", "c"]);
        assert!(lets.forget("b").is_err());
        lets.forget("*").unwrap();
        assert_eq!(lets.text(), "");
    }
}
