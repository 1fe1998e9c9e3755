//! Splits a description at its commas.

/// A part, without the quotes around its value, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) at: usize,
}

/// Splits at commas outside quotes. The first part keeps its quotes: it may be a command, which uses them itself.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, (usize, String)> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some((letter, at)),
            (_, Some((open, _))) if open == letter => quote = None,
            (',', None) => {
                parts.push(part(text, start, at, parts.is_empty()));
                start = at + 1;
            }
            _ => (),
        }
    }
    if let Some((letter, at)) = quote {
        return Err((at, format!("the quote {letter} is not closed")));
    }
    parts.push(part(text, start, text.len(), parts.is_empty()));
    match parts.iter().find(|part| part.text.is_empty()) {
        Some(empty) => Err((empty.at, "something is missing here".to_owned())),
        None => Ok(parts),
    }
}

fn part(whole: &str, start: usize, end: usize, keeps_quotes: bool) -> Part {
    let written = &whole[start..end];
    let at = start + written.len() - written.trim_start().len();
    let written = written.trim();
    let text = if keeps_quotes { written.to_owned() } else { written.replace(['"', '\''], "") };
    Part { text, at }
}
