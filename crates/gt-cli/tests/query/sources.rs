//! Where queries, logs, trees and parameters come from.

use crate::folder::Folder;

#[test]
fn several_logs_and_trees_are_labelled() {
    let folder = Folder::with_log();
    std::fs::copy(folder.path().join("t.gtf"), folder.path().join("u.gtf")).unwrap();
    assert_eq!(
        folder.prints(&["query", "t.gtf", "u.gtf", "node: count(best > 5)"]),
        "\
t.gtf, tree 0, query 1: node: count(best > 5)
3

t.gtf, tree 1, query 1: node: count(best > 5)
0

u.gtf, tree 0, query 1: node: count(best > 5)
3

u.gtf, tree 1, query 1: node: count(best > 5)
0
"
    );
    assert_eq!(
        folder.prints(&["query", "t.gtf", "node: count(*)", "--tree", "1", "--tree", "0", "--format", "csv"]),
        "log,tree,query,count\nt.gtf,1,1,2\nt.gtf,0,1,5\n"
    );
    assert_eq!(
        folder.prints(&["query", "t.gtf", "node: count(*)", "--tree", "1", "--tree", "1"]),
        "2\n",
        "a tree is asked once, however often it is named"
    );
    assert!(folder.fails(&["query", "t.gtf", "node: *", "--tree", "2"]).starts_with("gt: t.gtf: "));
}

#[test]
fn parameters_come_from_the_command_line_then_from_the_metadata() {
    let folder = Folder::with_log();
    let count = |more: &[&str], query: &str| {
        let words = [&["query", "t.gtf", query, "--tree", "1"], more].concat();
        folder.prints(&words)
    };
    assert_eq!(count(&[], "node: count(best > $x)"), "2\n");
    assert_eq!(count(&["--param", "x=3"], "node: count(best > $x)"), "1\n");
    assert_eq!(count(&["--param", "x=3", "--param", "x=4"], "node: count(best > $x)"), "0\n");
    assert_eq!(count(&["--param", "m=e2e4"], "node: count(last_move = $m)"), "1\n");
    assert_eq!(count(&[], "node: count($tree = 1)"), "2\n", "of the tree's own metadata");
}

#[test]
fn a_parameter_in_quotes_is_a_text() {
    let folder = Folder::new();
    folder.write("t.csv", "node_id,parent_id,k\n0,-1,a\n1,0,12\n2,0,true\n");
    folder.prints(&["import", "t.csv", "-o", "t.gtf"]);
    let ids = |parameter: &str| {
        folder.prints(&["query", "t.gtf", "node: k = $x", "--param", parameter, "--format", "ids"])
    };
    assert_eq!([ids("x=\"12\""), ids("x=\"true\""), ids("$x=a")], ["1\n", "2\n", "0\n"]);
    let refused = |parameter: &str| folder.fails(&["query", "t.gtf", "node: k = $x", "--param", parameter]);
    assert!(refused("x=99999999999999999999").contains("is too large; in double quotes it is a text"));
    assert!(refused("x y=3").contains("`x y` cannot be a parameter's name"));
    assert!(refused("x=\"12").contains("begins like a text and is none"));
    let script = ".param x=\"12\"\nnode: count(k = $x)\n.param\n.param x y=3\n";
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], script);
    assert_eq!((code, out.as_str()), (Some(2), "1\n$x = \"12\"\n"));
    assert!(errors.starts_with("gt: `x y` cannot be a parameter's name"), "{errors}");
}

#[test]
fn moves_are_written_in_the_games_notation() {
    let folder = Folder::with_log();
    let count = |query: &str| folder.prints(&["query", "t.gtf", query, "--tree", "0"]);
    assert_eq!(count("node: count(last_move = \"d7d5\")"), "1\n");
    assert_eq!(count("node: count([^]last_move = \"e2e4\")"), "2\n");
    assert_eq!(count("node: count(last_move in (\"e2e4\", \"d2d4\"))"), "2\n");
    assert_eq!(count("node: count(last_move = \"root\" or last_move = 1804)"), "2\n");
}

#[test]
fn queries_come_from_a_file_or_a_pipe() {
    let folder = Folder::with_log();
    folder.write("queries.gtql", "\u{feff}# two\n[first]\nnode: count(*)\n\nnode: type & PVNode\n");
    let expected = "\
t.gtf, tree 0, query first: node: count(*)
5

t.gtf, tree 0, query 2: node: type & PVNode
node_id
      0
      1
2 nodes
";
    assert_eq!(folder.prints(&["query", "-f", "queries.gtql", "t.gtf", "--tree", "0"]), expected);
    let (code, out, _) = folder.reads(&["query", "t.gtf", "-f", "-", "--tree", "1"], "node: count(*)");
    assert_eq!((code, out.as_str()), (Some(0), "2\n"));
}

#[test]
fn a_log_that_was_cut_off_answers_and_warns() {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "8", "--branching", "5", "--seed", "1", "-o", "whole.gtf"]);
    let bytes = std::fs::read(folder.path().join("whole.gtf")).unwrap();
    folder.write("cut.gtf", &bytes[..bytes.len() / 2]);
    let output = folder.gt(&["query", "cut.gtf", "node: count(*)\n\nnode: count(@unfinished)"]);
    assert!(output.status.success());
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.starts_with("gt: cut.gtf: this log was not closed"), "{warning}");
    let out = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<u64> = out.lines().filter_map(|line| line.parse().ok()).collect();
    let whole: u64 = folder.prints(&["query", "whole.gtf", "node: count(*)"]).trim().parse().unwrap();
    assert!(numbers[0] > 1000 && numbers[0] < whole && numbers[1] > 0, "{out}");
}

#[test]
fn threads_change_nothing_but_time() {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "7", "--branching", "6", "--seed", "3", "-o", "t.gtf"]);
    let query = "node: best = 0; child: count([]best = 0) > 1; subtree: count(best = 1) > 2";
    let answers = ["1", "2", "3", "0"]
        .map(|threads| folder.prints(&["query", "t.gtf", query, "--format", "ids", "--threads", threads]));
    assert!(answers[0].lines().count() > 10);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn plans_and_figures_are_told_on_request() {
    let folder = Folder::with_log();
    let plan =
        folder.prints(&["query", "t.gtf", "--explain", "node: best > $x; child: count([]type = 2) > 0"]);
    assert!(plan.contains("best") && plan.contains("type") && !plan.contains("hash"), "{plan}");
    let plans = folder.prints(&["query", "t.gtf", "--explain", "node: @size > 3"]);
    assert!(plans.starts_with("t.gtf, tree"), "every tree is explained: {plans}");
    let output = folder.gt(&["query", "t.gtf", "--tree", "0", "node: count(best > 5)", "--stats"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "3\n");
    let stats = String::from_utf8(output.stderr).unwrap();
    assert!(stats.starts_with("t.gtf, tree 0: 5 nodes in 1 block, "), "{stats}");
}

#[test]
fn a_query_that_falls_into_several_is_noted() {
    let folder = Folder::with_log();
    let errors = |query: &str| {
        let output = folder.gt(&["query", "t.gtf", "--tree", "0", query]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let note = "gt: these are 2 queries: parts stand in the order node, child, before, after, subtree, path, tree, twin, each at most once, and \
                clauses after them\n";
    assert_eq!(errors("subtree: count(*) > 1; child: count(*) > 1"), note);
    assert_eq!(errors("node: best > 0; node: best < 3"), note);
    assert_eq!(errors("node: best > 0 select best; child: count(*) > 1"), note);
    for right in [
        "node: best > 0; child: count(*) > 1;",
        "node: best > 0\nnode: best < 3",
        "node: best > 0;\n\nnode: best < 3",
        "[a]\nnode: best > 0;\n[b]\nnode: best < 3",
        "let a = best; node: a > 0; path: count(*) > 1",
    ] {
        assert_eq!(errors(right), "", "{right}");
    }
    let file = folder.reads(&["query", "t.gtf", "--tree", "0", "-f", "-"], "node: best > 0; node: best < 3");
    assert_eq!(file.2, "");
}
