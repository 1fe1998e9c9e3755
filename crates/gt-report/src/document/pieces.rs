//! The words and the `code` of a text.

/// The pieces of a text, with `code` separate from words: `a `b` c` is word, code, word. An unmatched mark is a
/// character.
pub(super) fn pieces(text: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`')
        && let Some((code, next)) = after.split_once('`')
    {
        pieces.push((false, before));
        pieces.push((true, code));
        rest = next;
    }
    pieces.push((false, rest));
    pieces.into_iter().filter(|(_, piece)| !piece.is_empty()).collect()
}
