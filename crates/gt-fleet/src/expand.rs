//! Path patterns that the shell did not expand: `logs/**/*.gtf`.

use std::path::{Path, PathBuf};

/// The paths of patterns and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Each path once, those of a pattern in the order of their names.
    pub paths: Vec<PathBuf>,
    /// Whether one of the words was a pattern.
    pub had_pattern: bool,
}

/// Whether a word is a pattern, and not the name of a file.
#[must_use]
pub fn is_pattern(word: &Path) -> bool {
    word.to_str().is_some_and(|text| text.contains(['*', '?', '['])) && !word.exists()
}

/// Returns the files that words of a command line stand for: patterns are expanded (`**` is any number of folders),
/// other words are taken unchanged.
///
/// # Errors
/// Returns a sentence that names the pattern if it is invalid, or no file matches it.
pub fn expand<P: AsRef<Path>>(words: &[P]) -> Result<Expanded, String> {
    let mut expanded = Expanded::default();
    for word in words.iter().map(AsRef::as_ref) {
        if !is_pattern(word) {
            expanded.paths.push(word.to_owned());
            continue;
        }
        expanded.had_pattern = true;
        let text = word.to_string_lossy();
        let found = glob::glob(&text).map_err(|error| format!("{text}: this is no pattern: {error}"))?;
        let mut files: Vec<PathBuf> = found.flatten().filter(|path| path.is_file()).collect();
        if files.is_empty() {
            return Err(format!("{text}: no file has a name of this form"));
        }
        files.sort();
        expanded.paths.extend(files);
    }
    let mut seen = std::collections::HashSet::new();
    expanded.paths.retain(|path| seen.insert(path.clone()));
    Ok(expanded)
}
