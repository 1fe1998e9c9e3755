//! `gt repl` without a terminal.

use crate::folder::Folder;

#[test]
fn commands_and_queries_from_a_pipe() {
    let folder = Folder::with_log();
    let script = "\
.tree
node: count(*)
.tree 1
node: count(*)
.param y=4
node: best = $y
let size = subtree: count(*)
node: size > 0 \\
  select node_id, size
.format json
.format
.format table
.limit 1
node: *
node: best \\
  > 3

.param
.schema
.quit
node: count(*)
";
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], script);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "\
* 0  5 nodes  tree=0
  1  2 nodes  tree=1
5
2
node_id
      1
1 node
node_id  size
      0     1
1 row
json
node_id
      0
2 nodes; only 1 node printed: `.limit 0` prints all
node_id
      1
1 node
$y = 4
$tree = 1
$x = 2
attribute  best i8
attribute  type i8
attribute  score f64
attribute  hash u64
attribute  label text
alias      PVNode = 1
alias      CutNode = 2
parameter  $y = 4
parameter  $tree = 1
parameter  $x = 2
derived    size = subtree:count(*)
"
    );
}

/// The same text, asked of the repl and as a query file.
#[test]
fn a_pipe_is_read_like_a_query_file() {
    let folder = Folder::with_log();
    let cases = [
        "node: best > 5;\nchild: count(*) > 0\n",
        "let qsize = subtree: count(*)\nnode: qsize > 0\nselect node_id, qsize order by qsize desc\n",
        "node: best\n  > 5\nand\n  best < 15",
        "# alone\n\nnode: count(*)",
        "\u{feff}node: best > 5;\r\nchild: count(*) > 0\r\n",
    ];
    for text in cases {
        let repl = folder.reads(&["repl", "t.gtf"], text);
        let file = folder.reads(&["query", "t.gtf", "--tree", "0", "-f", "-"], text);
        assert_eq!(repl, file, "{text}");
        assert_eq!(repl.0, Some(0), "{text}");
    }
    let (_, out, _) = folder
        .reads(&["repl", "t.gtf"], "node: count(*)\nnode: count(best > 5)\n[few]\n\nnode: count(best > 9)");
    assert_eq!(out, "5\n3\nt.gtf, tree 0, query few: node: count(best > 9)\n2\n");
}

#[test]
fn a_let_is_kept_until_it_is_forgotten() {
    let folder = Folder::with_log();
    let script = "\
let z = best
node: count(z > 9)
node: count(z > 5)
let twice = 2 * z
let z = best + 1
.let
node: count(twice > 20)
.explain node: twice > 20
.forget z
node: count(twice > 20)
.forget z
.forget *
.let
.forget
.let z = 1
node: count(*)
";
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], script);
    assert_eq!(code, Some(2));
    assert!(out.starts_with("2\n3\nlet z = best + 1\nlet twice = 2 * z\n2\n"), "{out}");
    assert!(out.ends_with("\n5\n"), "{out}");
    assert!(
        errors.starts_with(
            "gt: `twice` is made of `z`, which is not known any more\n\
             error: `z` is not an attribute or alias of this log\n  --> the session's lets:1:17\n"
        ),
        "{errors}"
    );
    let sentences = [
        "gt: there is no `let z`; `.let` lists those that are kept\n",
        "gt: say which `let`, as in `.forget size`; `.forget *` forgets all\n",
        "gt: a `let` is written without the point; `.let` lists them\n",
    ];
    assert!(errors.ends_with(&sentences.concat()), "{errors}");
}

#[test]
fn errors_name_the_line_of_the_pipe() {
    let folder = Folder::with_log();
    let script = "let z = best\n\nnode: z > 1\n  and typ = 2\n\nlet big = 9223372036854775807 * best\nnode: best * 9223372036854775807 > 1\n.quit";
    let (_, _, errors) = folder.reads(&["repl", "t.gtf"], script);
    assert!(errors.contains("--> standard input:4:7\n   |\n 4 |   and typ = 2\n"), "{errors}");
    assert!(errors.contains("--> standard input:7:7\n"), "{errors}");
    let (_, _, errors) = folder.reads(&["repl", "t.gtf"], "node: count(*)\n\n.explain node: typ = 2");
    assert!(errors.contains("--> query:1:7\n"), "what a command is given has no line of its own: {errors}");
    let (code, _, errors) =
        folder.reads(&["repl", "t.gtf"], "let big = 9223372036854775807 * best\nnode: big > 1");
    assert!(code == Some(2) && errors.contains("--> the session's lets:1:11\n"), "{errors}");
}

#[test]
fn errors_are_told_and_the_session_goes_on() {
    let folder = Folder::with_log();
    let script = ".nothing\nnode: typ = 1\n.tree 9\n.format gti\n.limit many\nnode: count(*)\nnode: best >";
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], script);
    assert_eq!((code, out.as_str()), (Some(2), "5\n"));
    let sentences = [
        "gt: `.nothing` is no command; `.help` lists them\n",
        "^^^ did you mean `type`?\n",
        "gt: t.gtf: ",
        "gt: files are written by `gt query --format gti -o …`\n",
        "gt: `many` is no whole number from 0; write `.limit 100`\n",
        "error: ",
    ];
    let mut rest = errors.as_str();
    for sentence in sentences {
        let at = rest.find(sentence).unwrap_or_else(|| panic!("{sentence} in {errors}"));
        rest = &rest[at + sentence.len()..];
    }
}

#[test]
fn plans_and_figures() {
    let folder = Folder::with_log();
    let (code, out, _) = folder.reads(
        &["repl", "t.gtf"],
        "node: best = 1\n.explain\n.explain node: hash = 1\n.stats\nnode: count(*)",
    );
    assert_eq!(code, Some(0));
    assert!(
        out.contains("best")
            && out.contains("hash")
            && out.contains("stats are on\n5\nt.gtf, tree 0: 5 nodes"),
        "{out}"
    );
}

#[test]
fn only_formats_that_are_printed_are_offered() {
    let folder = Folder::with_log();
    let help = folder.prints(&["repl", "--help"]);
    assert!(help.contains("- ids:") && !help.contains("gti"), "{help}");
    let errors = folder.fails(&["repl", "t.gtf", "--format", "gti"]);
    assert!(errors.contains("possible values: table, json, csv, ids"), "{errors}");
}

#[test]
fn bytes_that_are_no_text_are_shown_where_they_stand() {
    let folder = Folder::with_log();
    folder.write("latin.gtql", b"node: count(*)\n\nnode: label = \"\xe9\"\n");
    let input = std::fs::File::open(folder.path().join("latin.gtql")).unwrap();
    let output = folder.command(&["repl", "t.gtf"]).stdin(input).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), b"5\n".as_slice()));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.starts_with("gt: standard input:3:16: queries are in UTF-8, and the byte e9 here is not"),
        "{errors}"
    );
}

#[test]
fn words_that_everybody_tries() {
    let folder = Folder::with_log();
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], "help\n\nquit\n\nnode: count(*)\n");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(out.contains(".quit") && !out.ends_with("5\n"), "{out}");
}
