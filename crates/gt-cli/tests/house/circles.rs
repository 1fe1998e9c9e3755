//! Modules of a crate that use each other in a circle.
//!
//! ```text
//! sources ──words──▶ mod, use, paths ──▶ who uses what of which module ──▶ circles
//! ```
//!
//! A module uses another if its code names what the other defines; names that a module hands on (`pub use`) count for the
//! module that they come from, and a module that only hands names on uses none. Tests count for nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::words::{Use, Words};

/// A module of a crate: its path below the crate, as in `import::csv`; the crate's own is empty.
type Name = String;

/// The modules of a crate.
pub(crate) struct Modules(BTreeMap<Name, Words>);

/// Which names a module uses of which other.
type Uses = BTreeMap<Name, BTreeMap<Name, BTreeSet<String>>>;

impl Modules {
    /// Reads the modules of a crate, beginning with `lib.rs` or `main.rs`.
    pub(crate) fn read(root: &Path) -> Self {
        let mut modules = BTreeMap::new();
        read(root, &root.with_file_name(""), String::new(), &mut modules);
        Self(modules)
    }

    /// The modules with these paths and texts.
    fn of(modules: &[(&str, &str)]) -> Self {
        Self(modules.iter().map(|(name, text)| ((*name).to_owned(), Words::read(text))).collect())
    }

    /// The circles, each as the number of its modules, and lines that say which module uses what of which.
    pub(crate) fn circles(&self) -> Vec<(usize, String)> {
        let uses = self.uses();
        let reached: BTreeMap<&Name, BTreeSet<&Name>> =
            self.0.keys().map(|name| (name, reached(name, &uses))).collect();
        let mut told = BTreeSet::new();
        let mut circles = Vec::new();
        for name in self.0.keys() {
            if !reached[name].contains(name) || told.contains(name) {
                continue;
            }
            let circle: BTreeSet<&Name> =
                reached[name].iter().copied().filter(|other| reached[*other].contains(name)).collect();
            let mut lines = String::new();
            for user in &circle {
                for (used, names) in uses[*user].iter().filter(|(used, _)| circle.contains(used)) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    lines.push_str(&format!(
                        "  {} uses {} of {}\n",
                        shown(user),
                        names.join(", "),
                        shown(used)
                    ));
                }
            }
            circles.push((circle.len(), lines));
            told.extend(circle);
        }
        circles
    }

    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (name, words) in &self.0 {
            let used = uses.entry(name.clone()).or_default();
            let mut add = |path: &[String]| {
                if let Some((owner, item)) = self.owner(name, path, 0)
                    && owner != *name
                {
                    used.entry(owner).or_default().insert(item);
                }
            };
            for one in words.uses.iter().filter(|one| !one.is_handed_on || words.names(&one.name)) {
                add(&one.path);
            }
            words.paths.iter().for_each(|path| add(path));
        }
        uses
    }

    /// The module that defines what a path names in a module, and its name there; nothing where that is a module, or no
    /// part of the crate.
    fn owner(&self, module: &str, path: &[String], steps: usize) -> Option<(Name, String)> {
        let (first, rest) = path.split_first()?;
        // Names that are handed on in a circle lead nowhere.
        if steps > 20 {
            return None;
        }
        match first.as_str() {
            "crate" => self.item("", rest, steps),
            "self" => self.item(module, rest, steps),
            "super" => self.item(parent(module)?, rest, steps),
            _ if self.0.contains_key(&child(module, first)) => self.item(module, path, steps),
            _ => {
                let aliased =
                    self.0[module].uses.iter().find(|one| one.name == *first && one.path != path)?;
                let whole: Vec<String> = aliased.path.iter().chain(rest).cloned().collect();
                self.owner(module, &whole, steps + 1)
            }
        }
    }

    /// The same for a path that begins in a module.
    fn item(&self, module: &str, path: &[String], steps: usize) -> Option<(Name, String)> {
        let (first, rest) = path.split_first()?;
        if first == "super" {
            return self.item(parent(module)?, rest, steps);
        }
        let below = child(module, first);
        if self.0.contains_key(&below) {
            return self.item(&below, rest, steps);
        }
        let words = &self.0[module];
        match words.uses.iter().find(|one| one.name == *first) {
            Some(Use { path: source, .. }) => {
                let whole: Vec<String> = source.iter().chain(rest).cloned().collect();
                self.owner(module, &whole, steps + 1)
            }
            None => Some((module.to_owned(), first.clone())),
        }
    }
}

/// All modules that one leads to.
fn reached<'u>(name: &Name, uses: &'u Uses) -> BTreeSet<&'u Name> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Name> = uses[name].keys().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(uses[next].keys());
        }
    }
    reached
}

fn read(file: &Path, folder: &Path, name: Name, modules: &mut BTreeMap<Name, Words>) {
    let text = std::fs::read_to_string(file).unwrap();
    let words = Words::read(&text);
    for below in &words.modules {
        let own: PathBuf = folder.join(format!("{below}.rs"));
        let own = if own.exists() { own } else { folder.join(below).join("mod.rs") };
        // What is elsewhere by `#[path]` is another crate's.
        if own.exists() {
            read(&own, &folder.join(below), child(&name, below), modules);
        }
    }
    modules.insert(name, words);
}

fn child(module: &str, name: &str) -> Name {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn parent(module: &str) -> Option<&str> {
    if module.is_empty() { None } else { Some(module.rsplit_once("::").map_or("", |(above, _)| above)) }
}

fn shown(module: &str) -> &str {
    if module.is_empty() { "the crate's root" } else { module }
}

#[test]
fn what_modules_define_ties_them() {
    let modules = Modules::of(&[
        ("", "mod a; mod b; pub use b::Table;"),
        ("a", "use crate::Table; fn rows(table: &Table) {}"),
        ("b", "mod c; pub(crate) struct Table; fn read() { super::a::rows(); }"),
        ("b::c", "// use crate::a;\nconst TEXT: &str = \"crate::a::rows\";"),
    ]);
    let circles = modules.circles();
    assert_eq!(circles.len(), 1, "{circles:?}");
    assert_eq!(circles[0], (2, "  a uses Table of b\n  b uses rows of a\n".to_owned()));
}

#[test]
fn a_module_that_hands_names_on_ties_nothing() {
    let modules = Modules::of(&[
        ("", "mod a;"),
        ("a", "mod b; mod c; pub use b::{Table, Row as Line}; pub(crate) use c::*; use std::fmt;"),
        ("a::b", "use super::c::Cell; pub struct Table(Cell); pub struct Row;"),
        ("a::c", "pub struct Cell; #[cfg(test)] mod tests { use super::super::Table; }"),
    ]);
    assert_eq!(modules.circles(), []);
}

#[test]
fn a_parent_and_its_child_can_be_tied() {
    let modules = Modules::of(&[
        ("", "mod a;"),
        ("a", "mod b; pub struct Log; fn open() -> b::Reader { b::Reader }"),
        ("a::b", "use super::{self as above, Log}; pub struct Reader; fn of(log: &'static above::Log) {}"),
    ]);
    assert_eq!(modules.circles()[0].0, 2);
}
