//! `[[position]]`: one position, a list of them, or a file with one per line.
//!
//! A line of a file is the text of a position. If it has operations (`bm Nxd6; id "LCTII.15";`) it is EPD, whose
//! position is the first four fields and whose `id` is the name. Empty lines and those that begin with `#` are
//! skipped.

use std::path::Path;

use super::limits::Limits;
use super::subjects::{Position, Source, Subject, TreeChoice};
use crate::error::{Error, Result};
use crate::keys::{Keys, SourceFile};

pub(super) fn read(
    mut keys: Keys<'_>,
    file: &SourceFile,
    folder: &Path,
    defaults: &Limits,
    trees: TreeChoice,
    subjects: &mut Vec<Subject>,
) -> Result<()> {
    let name = keys.text("name")?.map(|name| name.value);
    let text = keys.text("position")?.map(|text| text.value);
    let moves = keys.text("moves")?.map(|moves| moves.value);
    let list = keys.texts("list")?;
    let list_file = keys.text("file")?;
    let limits = Limits::read(&mut keys, file, defaults)?;
    let is_single = text.is_some() || moves.is_some();
    if usize::from(is_single) + usize::from(list.is_some()) + usize::from(list_file.is_some()) > 1 {
        return Err(keys.error("[[position]] has `position` and `moves`, or `list`, or `file`, not several"));
    }
    let next = subjects.len() + 1;
    let mut add = |name: String, text: Option<String>, moves: Option<String>| {
        let source = Source::Search(Position { text, moves, limits: limits.clone() });
        subjects.push(Subject { name, source, trees });
    };
    if let Some(path) = list_file {
        let prefix = name.unwrap_or_else(|| path.value.clone());
        let path = folder.join(&path.value);
        let list = SourceFile::read(&path)?;
        let mut is_empty = true;
        for (number, line) in list.text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (text, id) = position_of(line);
            add(id.unwrap_or_else(|| format!("{prefix}:{}", number + 1)), Some(text), None);
            is_empty = false;
        }
        if is_empty {
            return Err(Error::of(&path, "there is no position in it"));
        }
    } else if let Some(list) = list {
        let prefix = name.unwrap_or_else(|| "position".to_owned());
        for (place, line) in list.iter().enumerate() {
            let (text, id) = position_of(line.value.trim());
            add(id.unwrap_or_else(|| format!("{prefix} {}", next + place)), Some(text), None);
        }
    } else {
        add(name.unwrap_or_else(|| format!("position {next}")), text, moves);
    }
    keys.finish()
}

/// The position of a line, and the name that its operations give it.
fn position_of(line: &str) -> (String, Option<String>) {
    if !line.contains(';') {
        return (line.to_owned(), None);
    }
    let mut rest = line;
    for _ in 0..4 {
        rest = rest.trim_start_matches(|letter: char| !letter.is_whitespace()).trim_start();
    }
    let position = line[..line.len() - rest.len()].trim_end().to_owned();
    let id = rest.split(';').find_map(|operation| operation.trim().strip_prefix("id "));
    (position, id.map(|id| id.trim().trim_matches('"').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_position_or_epd() {
        let epd = r#"1r4k1/8/8/8/8/8/8/6K1 w - - bm Nxd6; id "LCTII.15";"#;
        assert_eq!(position_of(epd), ("1r4k1/8/8/8/8/8/8/6K1 w - -".to_owned(), Some("LCTII.15".to_owned())));
        let fen = "1r4k1/8/8/8/8/8/8/6K1 w - - 0 1";
        assert_eq!(position_of(fen), (fen.to_owned(), None));
        assert_eq!(position_of("x;"), ("x;".to_owned(), None));
    }
}
