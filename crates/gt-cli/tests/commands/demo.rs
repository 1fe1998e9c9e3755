//! `gt demo`, as a newcomer runs it.

use std::process::Command;

use crate::command::{gt, says};

/// The numbers of the trees that the demo tells of.
fn trees_told_of(shown: &str) -> Vec<&str> {
    let numbers = shown
        .lines()
        .filter_map(|line| line.strip_prefix("The largest tree, number ")?.strip_suffix(", in words:"));
    numbers.collect()
}

/// One run of the demo serves all: it searches half a million nodes twice.
#[test]
fn the_demo_tells_what_two_searches_did() {
    let folder = tempfile::tempdir().unwrap();
    let shown = says(folder.path(), &["demo", "--dir", "the tour"]);
    for part in [
        "$ gt search chess --position 'rn3rk1/",
        "best move    h5h7",
        "$ gt search amazons",
        "Three commands to try next:",
    ] {
        assert!(shown.contains(part), "{part} is missing in:\n{shown}");
    }
    // What is told comes from the log: ask it again.
    let log = "the tour/chess.gtf";
    let trees = trees_told_of(&shown);
    let count =
        |query: &str| says(folder.path(), &["query", log, "--tree", trees[0], query]).trim().to_owned();
    let nodes: u64 = count("node: count(*)").parse().unwrap();
    let quiescence: u64 = count("node: count(type & (QNode | QRootNode))").parse().unwrap();
    let share =
        format!("Quiescence search took {:.1}% of the nodes", 100.0 * quiescence as f64 / nodes as f64);
    assert!(shown.contains(&share), "{share} is missing in:\n{shown}");
    assert!(shown.contains(" on the move is h5h7; until depth "), "{shown}");

    assert_eq!(says(folder.path(), &["verify", log, "the tour/amazons.gtf"]).matches("sound").count(), 2);
    for (log, tree) in ["the tour/chess.gtf", "the tour/amazons.gtf"].into_iter().zip(trees) {
        let answers = says(folder.path(), &["query", log, "--tree", tree, "-f", "the tour/questions.gtql"]);
        assert!(answers.contains("first-move-cutoffs"), "{answers}");
    }
    let page = std::fs::read_to_string(folder.path().join("the tour/report.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains(&share) && page.contains("Amazons"),
        "the page lacks something"
    );
    // A pattern or a gradient of a picture stands in the page itself.
    let elsewhere = page.replace("url(#", "(#");
    for outside in ["src=", "href=\"http", "<script", "<link", "@import", "url("] {
        assert!(!elsewhere.contains(outside), "the page fetches something: {outside}");
    }

    // The commands to try are commands: they are typed as printed, but for the two that wait for a person.
    let next: Vec<&str> = shown.lines().rev().take(3).map(str::trim).collect();
    assert_eq!(next.iter().filter(|line| line.starts_with("gt ")).count(), 3, "{next:?}");
    let query = next.iter().find(|line| line.starts_with("gt query")).unwrap();
    let typed = query.replacen("gt", env!("CARGO_BIN_EXE_gt"), 1);
    let ran = Command::new("sh").args(["-c", &typed]).current_dir(folder.path()).output().unwrap();
    assert!(ran.status.success(), "{query}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (code, _, errors) = gt(folder.path(), &["demo", "--dir", "file/tour"]);
    assert_eq!(code, 2);
    assert!(errors.starts_with("gt: file/tour: "), "{errors}");
}
