//! Trees in text, queries and their answers: `tests/gtql/*.gtql`, and the examples of the manual.
//!
//! A golden is a tree, `====`, a query, `----`, its answer, and so on with `====` and the next query. Where an answer
//! has changed on purpose, the variable `GTQL_UPDATE=1` makes the test write it.

use std::fs;
use std::path::{Path, PathBuf};

fn goldens() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("gtql");
    let entries = fs::read_dir(folder).expect("the folder of goldens");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn updating() -> bool {
    std::env::var_os("GTQL_UPDATE").is_some_and(|value| value == "1")
}

#[test]
fn goldens_are_as_they_were() {
    let mut changed = Vec::new();
    let paths = goldens();
    assert!(paths.len() >= 10, "the goldens are not all there");
    for path in paths {
        let before = fs::read_to_string(&path).expect("a golden");
        assert!(before.contains("\n----\n"), "{} asks nothing", path.display());
        let now = crate::support::renew(&before);
        if now != before {
            if updating() {
                fs::write(&path, &now).expect("writing a golden");
            }
            changed.push(format!("{}\n{}", path.display(), first_difference(&before, &now)));
        }
    }
    assert!(changed.is_empty() || updating(), "GTQL_UPDATE=1 accepts:\n{}", changed.join("\n"));
}

#[test]
fn the_examples_of_the_manual_are_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/gtql.md");
    let before = fs::read_to_string(&path).expect("the manual");
    let mut out = String::new();
    let mut examples = 0;
    let mut rest = before.as_str();
    while let Some(start) = rest.find("```gtql\n") {
        let (text, after) = rest.split_at(start + "```gtql\n".len());
        let end = after.find("```").expect("the end of an example");
        out += text;
        out += &crate::support::renew(&after[..end]);
        examples += 1;
        rest = &after[end..];
    }
    out += rest;
    assert!(examples >= 10, "only {examples} examples");
    if out != before && updating() {
        fs::write(&path, &out).expect("writing the manual");
    }
    assert!(out == before || updating(), "{}", first_difference(&before, &out));
}

#[test]
fn the_manual_names_every_word() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/gtql.md");
    let manual = fs::read_to_string(path).expect("the manual");
    let (_, grammar) = manual.split_once("## Grammar").expect("the grammar");
    for word in gt_query::tools::vocabulary::WORDS {
        let is_written = |part: &str| grammar.contains(&format!("\"{part}\""));
        // Names of structure, attributes and relatives are of one form each.
        let is_word = word.spelling.starts_with(|c: char| c.is_ascii_lowercase());
        let is_name = matches!(word.spelling, "node_id" | "last_move" | "true" | "false");
        let is_there = !is_word || is_name || word.spelling.split(' ').all(is_written);
        assert!(is_there, "the grammar lacks `{}`", word.spelling);
        let form = word.form.replace('|', "\\|");
        let row = format!("| `{form}` | {} |", word.doc);
        assert!(manual.contains(&row), "the manual lacks the row\n{row}");
    }
}

fn first_difference(before: &str, now: &str) -> String {
    let line = before.lines().zip(now.lines()).take_while(|(a, b)| a == b).count();
    let show =
        |text: &str| text.lines().skip(line).take(8).map(|line| format!("    {line}\n")).collect::<String>();
    format!("line {}, before:\n{}now:\n{}", line + 1, show(before), show(now))
}
