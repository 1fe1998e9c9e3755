//! Result files, and the thesis's own command.

use crate::folder::Folder;

/// The lines of a result file after the date, its time taken out.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (clock, date) = lines[0].split_once(' ').unwrap();
    assert!(clock.contains(':') && date.split('.').count() == 3, "{}", lines[0]);
    assert!(lines[3].parse::<f64>().unwrap() >= 0.0);
    lines.remove(3);
    lines.remove(0);
    lines
}

#[test]
fn a_query_file_and_a_log_give_a_file_for_each_query() {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "2", "--branching", "2", "--seed", "1", "-o", "tree10.gtf"]);
    folder.write(
        "queries.txt",
        "node: count(*)\n\nsubtree: count(*) > 1\n\n[my own/name]\nnode: * select node_id, @line limit 2\n",
    );
    let out =
        folder.prints(&["query", "-f", "queries.txt", "tree10.gtf", "--format", "gti", "-o", "results/all"]);
    assert_eq!(
        out,
        "results/all/tree10-1.gti\nresults/all/tree10-2.gti\nresults/all/tree10-my_own_name.gti\n"
    );
    assert_eq!(
        lines(&folder.read("results/all/tree10-1.gti")),
        ["tree10.gtf", "node: count(*)", "stat", "7"]
    );
    assert_eq!(
        lines(&folder.read("results/all/tree10-2.gti")),
        ["tree10.gtf", "subtree: count(*) > 1", "nodes:3", "0", "1", "4"]
    );
    assert_eq!(
        lines(&folder.read("results/all/tree10-my_own_name.gti")),
        ["tree10.gtf", "node: * select node_id, @line limit 2", "rows:2", "node_id\t@line", "0\t", "1\t0"]
    );
}

#[test]
fn as_many_folders_as_are_needed_tell_logs_apart() {
    let folder = Folder::new();
    for place in ["a/x", "b/x", "b/y"] {
        std::fs::create_dir_all(folder.path().join(place)).unwrap();
        let log = format!("{place}/t.gtf");
        folder.prints(&["gen", "--depth", "1", "--branching", "2", "--seed", "1", "-o", &log]);
    }
    let logs = ["a/x/t.gtf", "./b/x/t.gtf", "b/y/t.gtf"];
    let words = [&["query"], logs.as_slice(), &["node: count(*)", "--format", "gti", "-o", "d"]].concat();
    assert_eq!(folder.prints(&words), "d/a_x_t-1.gti\nd/b_x_t-1.gti\nd/y_t-1.gti\n");
    assert_eq!(lines(&folder.read("d/b_x_t-1.gti"))[0], "./b/x/t.gtf");
}

#[test]
fn trees_and_logs_of_one_name_do_not_overwrite_each_other() {
    let folder = Folder::with_log();
    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::copy(folder.path().join("t.gtf"), folder.path().join("other/t.gtf")).unwrap();
    let query = "node: last_move = \"e2e4\" select last_move, @line";
    let out = folder.prints(&["query", "t.gtf", "other/t.gtf", query, "--format", "gti", "-o", "d"]);
    assert_eq!(out, "d/t-tree0-1.gti\nd/t-tree1-1.gti\nd/other_t-tree0-1.gti\nd/other_t-tree1-1.gti\n");
    assert_eq!(lines(&folder.read("d/t-tree1-1.gti"))[0], "t.gtf, tree 1");
    assert_eq!(
        lines(&folder.read("d/other_t-tree0-1.gti")),
        ["other/t.gtf, tree 0", query, "rows:1", "last_move\t@line", "e2e4\te2e4"]
    );
    let again = ["query", "t.gtf", "t.gtf", query, "--tree", "1", "--format", "gti", "-o", "e"];
    assert_eq!(folder.prints(&again), "e/t-tree1-1.gti\ne/t-tree1-1-2.gti\n");
    let numbers = ["query", "t.gtf", query, "--tree", "1", "--format", "gti", "--moves", "number", "-o", "f"];
    folder.prints(&numbers);
    assert_eq!(lines(&folder.read("f/t-tree1-1.gti"))[3..], ["last_move\t@line", "1804\t1804"]);
}
