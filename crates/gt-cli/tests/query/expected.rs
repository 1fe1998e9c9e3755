//! `--expect`: exit codes for scripts.

use crate::folder::Folder;

/// The exit code, and what is said on standard error.
fn code(folder: &Folder, words: &[&str]) -> (Option<i32>, String) {
    let output = folder.gt(words);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_exit_code_tells_whether_the_number_is_as_expected() {
    let folder = Folder::with_log();
    for (query, test, found) in [
        ("node: count(best > 0)", "= 3", None),
        ("node: count(best > 0)", "1..3", None),
        ("node: count(best > 0)", "< 3", Some("3")),
        ("node: best > 0", ">= 3", None),
        ("node: best > 0", "!= 3", Some("3")),
        ("node: best > 0 limit 2", "= 2", None),
        ("node: best > 0 select best", "= 3", None),
        ("node: best > 0 select best order by best limit 1", "= 3", Some("1")),
        ("group by type select type, count(*)", "= 3", None),
        ("node: min(best)", "<= -10", None),
        ("node: avg(best)", "> 4.5", Some("4.4")),
    ] {
        let words = ["query", "t.gtf", "--tree", "0", query, "--expect", test];
        let expected = match found {
            None => (Some(0), String::new()),
            Some(found) => (Some(1), format!("gt: t.gtf, tree 0, query 1: expected {test}, found {found}\n")),
        };
        assert_eq!(code(&folder, &words), expected, "{query} {test}");
    }
    // What is printed is no matter, and no less than without.
    let words =
        ["query", "t.gtf", "--tree", "0", "node: best > 0 select best", "--limit", "1", "--expect", "= 3"];
    assert_eq!(folder.prints(&words), "best\n  10\n3 rows; only 1 row printed: `--limit 0` prints all\n");
}

#[test]
fn every_query_on_every_tree_is_held_against_it() {
    let folder = Folder::with_log();
    folder.write("q.gtql", "[all]\nnode: count(*)\n\nnode: best > 15 and type = 1\n");
    let (exit, errors) = code(&folder, &["query", "t.gtf", "-f", "q.gtql", "--expect", "0..2"]);
    assert_eq!((exit, errors.as_str()), (Some(1), "gt: t.gtf, tree 0, query all: expected 0..2, found 5\n"));
    let (exit, errors) =
        code(&folder, &["query", "t.gtf", "node: min(best where best = 19)", "--expect", "= 0"]);
    assert_eq!(exit, Some(1));
    assert_eq!(errors.lines().count(), 2, "{errors}");
    assert!(errors.contains("tree 1, query 1: expected = 0, and the value is unknown"), "{errors}");
    // A file is written all the same, and holds the answer that was not expected.
    let (exit, _) = code(
        &folder,
        &["query", "t.gtf", "--tree", "0", "node: *", "--expect", "= 0", "--format", "ids", "-o", "ids"],
    );
    assert_eq!((exit, folder.read("ids").lines().count()), (Some(1), 5));
}

#[test]
fn errors_are_no_unexpected_numbers() {
    let folder = Folder::with_log();
    for (words, error) in [
        (&["node: count(*)", "--expect", "5"][..], "write a comparison and a number, as in `< 5`"),
        (&["node: count(*)", "--expect", "3..1"], "nothing lies in 3..1"),
        (&["node: max(label)", "--expect", "= 1"], "query 1 gives a text, and `--expect` compares numbers"),
        (&["node: count(nope)", "--expect", "= 1"], "`nope` is not an attribute or alias"),
        // One of the queries has no answer: the other, which is not as expected, is told as well.
        (
            &["node: count(*)\n\nnode: best + 9223372036854775807 > 0", "--expect", "= 0"],
            "gt: t.gtf, tree 0, query 1: expected = 0, found 5",
        ),
        (&["node: count(*)", "--expect", "= 1", "--explain"], "cannot be used with"),
    ] {
        let errors = folder.fails(&[&["query", "t.gtf"], words].concat());
        assert!(errors.contains(error), "{words:?}: {errors}");
    }
}
