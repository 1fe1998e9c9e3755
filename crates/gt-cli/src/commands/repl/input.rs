//! When what was typed is a whole query, and when it goes on.
//!
//! A command (`.help`) is one line. A query goes on where its last line ends with `\`, where it stops in the middle of
//! something (`node: best >`, an open parenthesis), or where only `let`s are there. An empty line ends it in any case.

use gt_query::ErrorKind;
use gt_query::syntax::{ast::Item, parse};

/// Whether more lines are to come.
pub(super) fn is_incomplete(text: &str) -> bool {
    let first = text.trim_start();
    if first.is_empty() || first.starts_with('.') {
        return false;
    }
    let last_line = text.rsplit('\n').next().unwrap_or("");
    if last_line.trim().is_empty() {
        return false;
    }
    if last_line.trim_end().ends_with('\\') {
        return true;
    }
    let text = joined(text);
    let parsed = parse(&text);
    let end = text.trim_end().len();
    let cut_short = parsed.errors.iter().any(|error| {
        matches!(error.kind, ErrorKind::UnclosedParenthesis | ErrorKind::NameWithoutQuery)
            || error.span.start >= end
    });
    // An error elsewhere is not mended by writing on.
    let wrong = parsed.errors.iter().any(|error| {
        error.span.start < end
            && !matches!(error.kind, ErrorKind::UnclosedParenthesis | ErrorKind::NameWithoutQuery)
    });
    let only_lets = !parsed.file.items.iter().any(|item| matches!(item, Item::Query(_)));
    !wrong && (cut_short || only_lets)
}

/// The text without the `\` at the ends of lines; every byte keeps its place.
pub(super) fn joined(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let end = line.trim_end();
        end.strip_suffix('\\')
            .map_or_else(|| line.to_owned(), |start| format!("{start} {}", &line[end.len()..]))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stops_in_the_middle_goes_on() {
        let on = [
            "node: best >",
            "node:",
            "child: count([]best = 2",
            "let size = subtree: count(*)",
            "node: best = 1 and",
            "node: best = 1 \\",
            "node: * select",
            "[name]",
            "# only a comment",
        ];
        for text in on {
            assert!(is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn what_is_whole_or_wrong_runs() {
        let whole = [
            "",
            ".help",
            "node: best = 1",
            "node: best = 1;",
            "node: best >\n",
            "node: best => 1",
            "node: best => 1 and",
            "best = 1",
            "let size = subtree: count(*)\nnode: size > 3",
        ];
        for text in whole {
            assert!(!is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn joining_keeps_places() {
        assert_eq!(joined("node: a \\\n= 1"), "node: a  \n= 1");
        assert_eq!(joined("a \\ "), "a   ");
    }
}
