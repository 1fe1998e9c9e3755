//! `--only`: some checks, some subjects.

use crate::error::{Error, Result};
use crate::suite::Suite;

/// The part of a suite that the patterns name. A pattern that names checks excludes the others, and likewise for
/// subjects; if no pattern names a subject, all stay.
pub(super) fn select(suite: &Suite, patterns: &[String]) -> Result<Suite> {
    let mut selected = suite.clone();
    if patterns.is_empty() {
        return Ok(selected);
    }
    let any = |name: &str| patterns.iter().any(|pattern| is_match(pattern, name));
    for pattern in patterns {
        let names = suite.checks.iter().map(|check| &check.name);
        let names: Vec<&String> = names.chain(suite.subjects.iter().map(|subject| &subject.name)).collect();
        if !names.iter().any(|name| is_match(pattern, name)) {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let sentence =
                format!("no check, log or position is called `{pattern}`; there are {}", names.join(", "));
            return Err(Error::of(&suite.path, sentence));
        }
    }
    if suite.checks.iter().any(|check| any(&check.name)) {
        selected.checks.retain(|check| any(&check.name));
    }
    if suite.subjects.iter().any(|subject| any(&subject.name)) {
        selected.subjects.retain(|subject| any(&subject.name));
        selected.is_partial = selected.subjects.len() < suite.subjects.len();
    }
    Ok(selected)
}

/// Whether a name contains the pattern or, if that has a `*`, matches it as a whole, `*` standing for anything.
fn is_match(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return name.contains(pattern) };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::is_match;

    #[test]
    fn a_pattern_is_a_part_or_has_stars() {
        let name = "first-move cut-offs";
        for pattern in ["first", "cut", name, "first*", "*offs", "f*move*s", "*"] {
            assert!(is_match(pattern, name), "{pattern}");
        }
        for pattern in ["second", "move*", "*first", "f*x*s", "first-move cut-offs*s"] {
            assert!(!is_match(pattern, name), "{pattern}");
        }
    }
}
