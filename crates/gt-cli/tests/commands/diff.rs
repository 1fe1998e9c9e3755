//! `gt diff` as it is called.

use std::path::Path;

use crate::command::{gt, says};
use serde_json::Value;

/// A folder with two logs of one position: `old.gtf`, and `new.gtf` with another evaluation.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, evaluation) in [("old.gtf", "six-terms"), ("new.gtf", "material")] {
        says(folder.path(), &["search", "chess", "--depth", "3", "--eval", evaluation, "--log", name]);
    }
    folder
}

fn json(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["diff"];
    all.extend(arguments);
    all.extend(["--format", "json"]);
    let (code, out, errors) = gt(folder, &all);
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}")))
}

#[test]
fn the_exit_code_says_whether_trees_are_the_same() {
    let folder = folder();
    let (code, same) = json(folder.path(), &["old.gtf", "old.gtf"]);
    assert_eq!((code, &same["same"], &same["first"]), (0, &Value::Bool(true), &Value::Null));
    let (code, other) = json(folder.path(), &["old.gtf", "new.gtf"]);
    assert_eq!((code, &other["same"]), (1, &Value::Bool(false)));
    let number = |key: &str| other[key].as_u64().unwrap();
    assert_eq!(other["nodes"]["a"].as_u64().unwrap(), number("matched") + number("only_a"));
    assert_eq!(other["nodes"]["b"].as_u64().unwrap(), number("matched") + number("only_b"));
    let explained: u64 =
        other["causes"].as_object().unwrap().values().map(|one| one["nodes"].as_u64().unwrap()).sum();
    assert_eq!(explained, number("only_a") + number("only_b") + number("changed_nodes"));
    let line = other["first"]["line"].as_array().unwrap();
    assert!(line.iter().all(Value::is_string), "moves are named: {line:?}");
    assert!(other["changed"]["best"].is_u64());
}

#[test]
fn trees_are_chosen_in_every_way() {
    let folder = folder();
    let label = |arguments: &[&str]| {
        let (_, out) = json(folder.path(), arguments);
        (out["a"].as_str().unwrap().to_owned(), out["b"].as_str().unwrap().to_owned())
    };
    let labels = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(label(&["old.gtf", "new.gtf"]), labels("old.gtf tree 3", "new.gtf tree 2"));
    assert_eq!(
        label(&["old.gtf", "--tree-a", "0", "--tree-b", "-2"]),
        labels("old.gtf tree 0", "old.gtf tree 2")
    );
    assert_eq!(label(&["old.gtf", "new.gtf", "--tree", "1"]), labels("old.gtf tree 1", "new.gtf tree 1"));
    let both = ["old.gtf", "new.gtf", "--tree-a", "last", "--tree-b", "largest"];
    assert_eq!(label(&both), labels("old.gtf tree 3", "new.gtf tree 2"));
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = folder();
    says(folder.path(), &["search", "tic-tac-toe", "--depth", "2", "--log", "small.gtf"]);
    let moved = ["search", "chess", "--depth", "1", "--moves", "e2e4", "--log", "moved.gtf"];
    says(folder.path(), &moved);
    let check = |arguments: &[&str], sentence: &str| {
        let mut all = vec!["diff"];
        all.extend(arguments);
        let (code, out, errors) = gt(folder.path(), &all);
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(sentence), "{arguments:?}: {errors}");
    };
    let whole = std::fs::read(folder.path().join("old.gtf")).unwrap();
    std::fs::write(folder.path().join("cut.gtf"), &whole[..600]).unwrap();
    check(&["old.gtf", "cut.gtf"], "cut.gtf: there is no tree in it");
    check(&["old.gtf", "small.gtf"], "different games, chess and tic-tac-toe");
    check(&["old.gtf", "moved.gtf"], "different positions");
    check(&["old.gtf"], "name a second log, or two trees");
    check(&["old.gtf", "none.gtf"], "none.gtf: ");
    check(&["old.gtf", "new.gtf", "--tree", "9"], "the log holds 4 trees");
    check(&["old.gtf", "new.gtf", "--tree", "first"], "a tree is a number from 0");
    check(&["old.gtf", "new.gtf", "--ignore", "bets"], "`bets` is no attribute");
    check(&["old.gtf", "new.gtf", "--format", "csv"], "there is no query");
    check(&["old.gtf", "new.gtf", "--format", "gtf"], "name it with `-o`");
    check(&["old.gtf", "new.gtf", "node: other.bets > 0"], "did you mean `other.best` or");
    check(&["old.gtf", "new.gtf", "-o", "new.gtf", "--force"], "replace the input");
}

#[test]
fn the_merged_tree_is_an_ordinary_log() {
    let folder = folder();
    let (code, out, errors) = gt(folder.path(), &["diff", "old.gtf", "new.gtf", "-o", "merged.gtf"]);
    assert_eq!(code, 1, "{errors}");
    assert!(out.starts_with("merged.gtf: "), "{out}");
    says(folder.path(), &["verify", "merged.gtf"]);
    let (_, numbers) = json(folder.path(), &["old.gtf", "new.gtf"]);
    let count = |query: &str| -> u64 {
        let text = says(folder.path(), &["query", "merged.gtf", query]);
        text.trim().parse().unwrap()
    };
    assert_eq!(numbers["only_a"], count("node: count(only_a)"));
    assert_eq!(numbers["only_b"], count("node: count(difference = OnlyB)"));
    assert_eq!(numbers["changed_nodes"], count("node: count(changed)"));
    assert_eq!(numbers["changed"]["best"], count("node: count(matched and best != other.best)"));
    let causes = numbers["causes"].as_object().unwrap();
    let of_order = causes.get("order").map_or(0, |cause| cause["nodes"].as_u64().unwrap());
    assert_eq!(of_order, count("node: count(cause = CauseOrder)"));
}

#[test]
fn a_query_is_asked_of_both() {
    let folder = folder();
    let query = "node: matched and best != other.best select @line, best, other.best limit 2";
    let (code, out, errors) = gt(folder.path(), &["diff", "old.gtf", "new.gtf", query]);
    assert_eq!(code, 0, "{errors}");
    assert!(out.starts_with("@line"), "{out}");
    let csv = says(folder.path(), &["diff", "old.gtf", "new.gtf", "node: count(only_b)", "--format", "csv"]);
    let (_, numbers) = json(folder.path(), &["old.gtf", "new.gtf"]);
    assert!(csv.trim().ends_with(&numbers["only_b"].to_string()), "{csv}");
    let trees = ["diff", "old.gtf", "node: count(*)", "--tree-a", "0", "--tree-b", "0"];
    assert!(says(folder.path(), &trees).trim().parse::<u64>().unwrap() > 0);
}

/// The values of both trees have names.
#[test]
fn aliases_name_the_values_of_the_other_tree_too() {
    let folder = folder();
    let query = "node: matched and type = other.type and type & CutNode \
                 select type, other.type, [^]other.ended limit 1";
    let csv = says(folder.path(), &["diff", "old.gtf", "new.gtf", query, "--format", "csv"]);
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert!(row[0].contains("CutNode") && row[0] == row[1], "{csv}");
    assert!(row[2].parse::<i64>().is_err(), "{csv}");
    let raw = says(folder.path(), &["diff", "old.gtf", "new.gtf", query, "--format", "json"]);
    assert!(!raw.contains("CutNode\""), "{raw}");
}

#[test]
fn the_page_needs_nothing_else() {
    let folder = folder();
    let arguments = ["diff", "old.gtf", "new.gtf", "--format", "html", "-o", "diff.html"];
    assert_eq!(gt(folder.path(), &arguments).0, 1);
    let page = std::fs::read_to_string(folder.path().join("diff.html")).unwrap();
    assert!(page.contains("First divergence") && page.contains("By cause"), "{page}");
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
}

/// Moves as players write them, values by what they mean: in the report, in its JSON, and in a query's answers.
#[test]
fn moves_and_values_are_written_as_people_do() {
    let folder = folder();
    let at = folder.path();
    let (_, text, errors) = gt(at, &["diff", "old.gtf", "new.gtf"]);
    let (code, written, none) = gt(at, &["diff", "old.gtf", "new.gtf", "--moves", "san"]);
    assert_eq!((code, errors, none.as_str()), (1, none.clone(), ""));
    let (_, plain) = json(at, &["old.gtf", "new.gtf"]);
    let (_, san) = json(at, &["old.gtf", "new.gtf", "--moves", "san"]);
    let (_, numbers) = json(at, &["old.gtf", "new.gtf", "--moves", "number"]);
    let lines = |of: &Value| -> Vec<Value> {
        of["grown"].as_array().unwrap().iter().map(|grown| grown["line"].clone()).collect()
    };
    let has = |line: &Value, name: &str| line.as_array().unwrap().iter().any(|one| one == name);
    assert!(lines(&plain).iter().any(|line| has(line, "d2d4")), "{plain}");
    assert!(lines(&san).iter().any(|line| has(line, "d4")), "{san}");
    assert!(lines(&numbers).iter().flat_map(|line| line.as_array().unwrap()).all(Value::is_i64), "{numbers}");
    assert!(text.contains("d2d4") && written.contains("  d4 d5\n") && !written.contains("d2d4"), "{written}");
    let query = ["diff", "old.gtf", "new.gtf", "node: @ply = 1 select last_move", "--moves", "san"];
    assert!(says(at, &query).contains("\nNf3\n"));

    // Aliases name the numbers of attributes; JSON keeps the numbers.
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
    assert!(row("type ").contains("PVNode"), "{text}");
    assert!(plain["first"]["attributes"]["type"]["a"].is_u64(), "{plain}");
}

#[test]
fn mates_are_told_in_both_trees() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, depth) in [("a.gtf", "1"), ("b.gtf", "3")] {
        let position = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        says(at, &["search", "chess", "--position", position, "--depth", depth, "--log", name]);
    }
    let (_, text, _) = gt(at, &["diff", "a.gtf", "b.gtf", "--moves", "san"]);
    let way = text.lines().find(|line| line.starts_with("the root ")).unwrap_or_else(|| panic!("{text}"));
    assert!(way.contains("mate in 2"), "{text}");
    let (_, told) = json(at, &["a.gtf", "b.gtf"]);
    assert_eq!(told["way"][0]["value_b"], 999_997, "{told}");
}
