//! Packs: named sets of checks that come with the program.
//!
//! A pack is a file like a suite's, with only checks and a reason for each. On a log that lacks an attribute or
//! alias, a check of a pack is skipped: a pack is for many engines, and no engine logs everything.

use std::path::PathBuf;
use std::sync::OnceLock;

use gt_query::tools::nearest;

use crate::check::Check;
use crate::error::Result;
use crate::keys::SourceFile;

/// A predefined set of checks.
#[derive(Debug)]
pub struct Pack {
    name: &'static str,
    text: &'static str,
    checks: OnceLock<Vec<Check>>,
}

static PACKS: [Pack; 1] = [Pack::new("alpha-beta", include_str!("../packs/alpha-beta.toml"))];

impl Pack {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, checks: OnceLock::new() }
    }

    /// Returns the pack of this name.
    ///
    /// # Errors
    /// Returns a sentence if there is none.
    pub fn named(name: &str) -> std::result::Result<&'static Self, String> {
        PACKS.iter().find(|pack| pack.name == name).ok_or_else(|| {
            let names: Vec<&str> = PACKS.iter().map(|pack| pack.name).collect();
            format!("there is no pack `{name}`; there is {}", names.join(", "))
        })
    }

    /// Returns its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the text of its file.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the names of its checks.
    pub fn check_names(&self) -> impl Iterator<Item = &str> {
        self.checks().iter().map(|check| check.name.as_str())
    }

    /// Returns its queries, each with the name of its check and its parameters; for a check with `of`, both.
    pub fn queries(&self) -> impl Iterator<Item = (&str, &str, &[(String, String)])> {
        self.checks().iter().flat_map(|check| {
            let texts = [Some(&check.query), check.of.as_ref()].into_iter().flatten();
            texts.map(move |text| (check.name.as_str(), text.as_str(), check.parameters.as_slice()))
        })
    }

    pub(crate) fn checks(&self) -> &[Check] {
        // A pack that cannot be read has no checks; the tests read every pack.
        self.checks.get_or_init(|| self.read().unwrap_or_default())
    }

    fn read(&self) -> Result<Vec<Check>> {
        let path = PathBuf::from(format!("{}.toml", self.name));
        let file = SourceFile { path, text: self.text.to_owned() };
        let mut keys = file.keys()?;
        let mut checks = Vec::new();
        for keys in keys.tables("check", "[[check]]")? {
            let check = Check::read(keys, &file)?;
            checks.push(Check { pack: Some(self.name.to_owned()), ..check });
        }
        keys.finish()?;
        Ok(checks)
    }

    /// The error for a name that none of its checks has.
    pub(crate) fn has_no_check(&self, name: &str) -> String {
        let mend = match nearest(name, self.check_names()).first() {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("it has {}", self.check_names().collect::<Vec<_>>().join(", ")),
        };
        format!("the pack `{}` has no check `{name}`; {mend}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_can_be_read_and_says_why() {
        for pack in &PACKS {
            let checks = pack.read().unwrap();
            assert!(!checks.is_empty());
            assert!(checks.iter().all(|check| check.why.is_some()), "{}", pack.name);
        }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        assert!(Pack::named("alfa").unwrap_err().contains("alpha-beta"));
        let pack = Pack::named("alpha-beta").unwrap();
        assert!(pack.has_no_check("empty window").contains("did you mean `empty windows`?"));
    }
}
