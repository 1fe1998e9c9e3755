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
"
    );
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
        "gt: result files are written by `gt query --format gti -o DIR`\n",
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
