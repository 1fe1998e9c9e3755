//! What a user is told when something is wrong.

use crate::folder::Folder;

#[test]
fn errors_of_a_query_file_are_drawn_and_nothing_runs() {
    let folder = Folder::with_log();
    folder.write("bad.gtql", "node: count(*)\n\nnode: typ & PVNode\n\nnode: best => 3\n");
    let output = folder.gt(&["query", "t.gtf", "-f", "bad.gtql", "--tree", "0"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "\
error: `typ` is not an attribute or alias of this log
  --> bad.gtql:3:7
   |
 3 | node: typ & PVNode
   |       ^^^ did you mean `type`?
   = this log has: node_id, last_move, best, type, score, hash, label, PVNode, CutNode

error: `=>` is written `>=`
  --> bad.gtql:5:12
   |
 5 | node: best => 3
   |            ^^ write `>=`
"
    );
}

#[test]
fn the_same_error_on_many_trees_is_told_once() {
    let folder = Folder::with_log();
    folder.prints(&["gen", "--depth", "2", "--branching", "2", "--seed", "1", "-o", "g.gtf"]);
    let errors = folder.fails(&["query", "t.gtf", "g.gtf", "node: hash = 1"]);
    assert!(errors.starts_with("gt: g.gtf, tree 0:\nerror: `hash` is not an attribute"), "{errors}");
    assert_eq!(errors.matches("error:").count(), 1);
    let errors = folder.fails(&["query", "t.gtf", "node: $nothing = 1"]);
    assert_eq!(errors.matches("error:").count(), 1, "{errors}");
}

#[test]
fn overflow_names_the_query_and_spares_the_others() {
    let folder = Folder::with_log();
    let text = "[big]\nnode: best * 9223372036854775807 > 1\n\n[all]\nnode: count(*)";
    let output = folder.gt(&["query", "t.gtf", text, "--tree", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "t.gtf, tree 0, query all: node: count(*)\n5\n");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.starts_with(
            "gt: t.gtf, tree 0:\nerror: query big: a result is outside the 64-bit integers, at node 0\n"
        ),
        "{errors}"
    );
    let output = folder.gt(&["query", "t.gtf", text, "--tree", "0", "--format", "json"]);
    let out = String::from_utf8(output.stdout).unwrap();
    let object: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(object["error"], "query big: a result is outside the 64-bit integers, at node 0");
}

#[test]
fn a_text_that_is_no_move_is_explained() {
    let folder = Folder::with_log();
    let errors = folder.fails(&["query", "t.gtf", "node: last_move = \"Nf3\"", "--tree", "0"]);
    assert!(errors.contains("`Nf3` is not a move of this game"), "{errors}");
    assert!(errors.contains("a move of chess is written from square to square"), "{errors}");
}

#[test]
fn what_is_missing_is_said_in_a_sentence() {
    let folder = Folder::with_log();
    let cases: [(&[&str], &str); 9] = [
        (&["t.gtf"], "t.gtf: no query is given; write it after the log, or name a query file with `-f`"),
        (&["node: *"], "no log is given; write `gt query LOG... 'QUERY'`"),
        (&["u.gtf"], "u.gtf: there is no such log, and no query after it; write `gt query LOG... 'QUERY'`"),
        (
            &["t.gtf", "t.csv"],
            "t.csv: the last argument is the query, and this is a file; write the query after the logs, or name a \
             query file with `-f`",
        ),
        (
            &["t.gtf", "node: *", "-f", "t.csv"],
            "node: *: the queries come from `-f`, so this is taken for a log, and there is none of that name; leave \
             it or `-f` away",
        ),
        (&["t.gtf", "# nothing"], "query: there is no query in it"),
        (
            &["t.gtf", "node: *", "--format", "gti"],
            "`--format gti` writes files: name a folder with `-o DIR`",
        ),
        (&["t.gtf", "node: *", "-o", "d"], "`-o` is the folder of `--format gti`; other formats are printed"),
        (
            &["t.gtf", "node: *", "--format", "ids", "--count"],
            "`--count` gives numbers and `--format ids` node_ids; leave one of them away",
        ),
    ];
    for (words, sentence) in cases {
        assert_eq!(folder.fails(&[&["query"], words].concat()), format!("gt: {sentence}\n"));
    }
    folder.write("latin.gtql", b"node: label = \"\xe9\"");
    let errors = folder.fails(&["query", "t.gtf", "-f", "latin.gtql"]);
    let sentence = "queries are in UTF-8, and the byte e9 here is not; save them as UTF-8";
    assert_eq!(
        errors,
        format!("gt: latin.gtql:1:16: {sentence}\n  node: label = \"\u{fffd}\"\n                 ^\n")
    );
    folder.write("latin.gtql", b"node: *\r\n\n\tnode: label = \"\xc3\xa9\xe9\"\nnode: *");
    let errors = folder.fails(&["query", "t.gtf", "-f", "latin.gtql"]);
    assert!(errors.starts_with(&format!("gt: latin.gtql:3:18: {sentence}\n")), "{errors}");
}

#[test]
fn what_looks_like_a_query_among_the_logs_is_told() {
    let folder = Folder::with_log();
    let errors = folder.fails(&["query", "t.gtf", "node:count(*)", "node: best > 0"]);
    assert!(
        errors.starts_with("gt: node:count(*): only the last argument is the query, so this is taken"),
        "{errors}"
    );
    let errors = folder.fails(&["query", "t.gtf", "missing.gtf", "node: best > 0"]);
    assert!(errors.starts_with("gt: missing.gtf: ") && !errors.contains("only the last"), "{errors}");
}
