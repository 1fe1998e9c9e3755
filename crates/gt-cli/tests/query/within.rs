//! `--within`: queries of the nodes of a result.

use crate::folder::Folder;

/// With `r/t-tree0-1.gti`, a result that has all nodes of tree 0 but the root.
fn with_result(query: &str) -> Folder {
    let folder = Folder::with_log();
    folder.prints(&["query", "t.gtf", "--tree", "0", query, "--format", "gti", "-o", "r"]);
    folder
}

#[test]
fn only_nodes_of_the_result_match() {
    for query in ["node: @ply > 0", "node: @ply > 0 select best, node_id order by best"] {
        let folder = with_result(query);
        let within = |query: &str, more: &[&str]| {
            folder.prints(&[&["query", "t.gtf", "--within", "r/t-tree0-1.gti", query], more].concat())
        };
        assert_eq!(within("node: type = 1", &["--format", "ids"]), "1\n");
        assert_eq!(within("node: count(*)", &[]), "4\n");
        // The root is seen by its children, though it is no match.
        assert_eq!(within("node: [^]best = 10", &["--format", "ids"]), "1\n4\n");
        assert_eq!(within("node: count(*); tree: max(best) = 20", &[]), "4\n");
        assert_eq!(within("node: max(node_id)", &[]), "4\n");
        assert_eq!(
            within("select @line, best order by best desc limit 1", &["--format", "csv"]),
            "@line,best\n1804 2291,20\n"
        );
        assert_eq!(
            within("group by type select type, count(*)", &["--format", "csv"]),
            "type,count(*)\n1,1\n2,2\n4,1\n"
        );
    }
}

#[test]
fn a_result_of_another_tree_is_refused() {
    let folder = with_result("node: @ply > 0");
    folder.prints(&["gen", "--depth", "1", "--branching", "2", "--seed", "1", "-o", "small.gtf"]);
    let gti = |name: &str, log: &str, rest: &str| {
        folder.write(name, format!("1:02 3.4.2005\n{log}\nnode: *\n0.1\n{rest}\n"));
    };
    gti("stat.gti", "t.gtf", "stat\n4");
    gti("rows.gti", "t.gtf", "rows:1\nbest\n4");
    gti("beyond.gti", "small.gtf", "nodes:2\n1\n3");
    gti("no_tree.gti", "t.gtf", "nodes:1\n1");
    gti("cut.gti", "t.gtf", "nodes:3\n1");
    for (words, error) in [
        (
            &["t.gtf", "--within", "r/t-tree0-1.gti", "--tree", "1"][..],
            "r/t-tree0-1.gti: it is of tree 0, which is not asked",
        ),
        (&["t.gtf", "--within", "stat.gti"], "stat.gti: the result is a number, not nodes"),
        (&["t.gtf", "--within", "rows.gti"], "rows.gti: its rows have no column `node_id`"),
        (
            &["small.gtf", "--within", "beyond.gti"],
            "beyond.gti: it names node 3, and tree 0 of small.gtf has only 3 nodes; it is the result of another log",
        ),
        (
            &["t.gtf", "--within", "no_tree.gti"],
            "no_tree.gti: a result is of one tree, and 2 trees are asked; name one with `--tree K`",
        ),
        (&["t.gtf", "--within", "cut.gti"], "cut.gti: it ends before line 7"),
        (&["t.gtf", "--within", "t.gtf"], "t.gtf: it is not text in UTF-8, so it is no result file"),
        (&["t.gtf", "--within", "none.gti"], "none.gti: "),
    ] {
        let errors = folder.fails(&[&["query"], words, &["node: *"]].concat());
        assert!(errors.starts_with(&format!("gt: {error}")), "{words:?}: {errors}");
    }
    // Of a log of another name it is told, and no more.
    let output = folder.gt(&["query", "small.gtf", "--within", "no_tree.gti", "node: *", "--format", "ids"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"1\n"[..]));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors,
        "gt: no_tree.gti: it says that it is of t.gtf; its nodes are taken for those of small.gtf\n"
    );
}

#[test]
fn a_result_is_not_replaced_by_what_is_asked_of_it() {
    let folder = with_result("node: @ply > 0");
    let before = folder.read("r/t-tree0-1.gti");
    let words =
        ["query", "t.gtf", "--within", "r/t-tree0-1.gti", "node: best > 0", "--format", "gti", "-o", "r"];
    assert!(folder.fails(&words).contains("t-tree0-1.gti"));
    assert_eq!(folder.read("r/t-tree0-1.gti"), before);
}
