//! What a log does not know is shown as such, and what it knows of itself is shown.

use std::path::Path;

use crate::command::says;
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};

/// A game that nobody knows, with names for its moves, and values that are missing.
fn write_log(folder: &Path) {
    let schema = Schema::new([("best", Kind::I32), ("type", Kind::U8), ("never", Kind::F64)]).unwrap();
    let schema =
        schema.with_aliases([("Mate", 1000)]).unwrap().with_aliases_of("type", [("Leaf", 2)]).unwrap();
    let log = LogWriter::create(folder.join("t.gtf"), Header::new("tak", schema)).unwrap();
    log.name_moves([(1, "a1"), (2, "Sb2")]).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let missing = Value::Missing;
    tree.enter(0).unwrap();
    tree.enter(1).unwrap();
    tree.leave_values(&[missing.clone(), Value::Int(2), missing.clone()]).unwrap();
    tree.enter(2).unwrap();
    tree.leave_values(&[Value::Int(-7), Value::Int(2), missing.clone()]).unwrap();
    tree.enter(3).unwrap();
    tree.leave_values(&[Value::Int(9), Value::Int(2), missing.clone()]).unwrap();
    tree.leave_values(&[missing.clone(), Value::Int(0), missing]).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

#[test]
fn info_tells_what_a_log_says_of_itself_and_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    let info = says(folder.path(), &["info", "t.gtf"]);
    for line in [
        "  aliases     Mate=1000\n              type: Leaf=2\n",
        "  moves       2 names: 1=a1, 2=Sb2\n",
        "  missing values: best 2 (50.0%), never 4 (100.0%)\n",
    ] {
        assert!(info.contains(line), "{line} is missing in:\n{info}");
    }
    let writer = format!("  written by  GT-Tools {}, format 1.2\n", env!("CARGO_PKG_VERSION"));
    assert!(info.contains(&writer), "{info}");
    let extremes = |name: &str| {
        let line = info.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let dots = words.iter().position(|word| *word == "..").unwrap();
        (words[dots - 1].to_owned(), words[dots + 1].to_owned())
    };
    assert_eq!(extremes("best "), ("-7".to_owned(), "9".to_owned()));
    assert_eq!(extremes("never "), ("-".to_owned(), "-".to_owned()), "of nothing there is no least");

    let json = says(folder.path(), &["info", "--format", "json", "t.gtf"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["format"], "1.2");
    assert_eq!(json[0]["alias_attributes"], serde_json::json!({"Leaf": "type"}));
    assert_eq!(json[0]["move_names"]["2"], "Sb2");
    assert_eq!(json[0]["trees"][0]["columns"][4]["missing"], 2);
}

#[test]
fn dump_names_moves_and_marks_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path());
    assert_eq!(
        says(folder.path(), &["dump", "t.gtf"]),
        "\
0 root size=4 best=? type=0 never=?
  1 a1 size=1 best=? type=Leaf never=?
  2 Sb2 size=1 best=-7 type=Leaf never=?
  3 3 size=1 best=9 type=Leaf never=?
"
    );
    assert!(says(folder.path(), &["dump", "t.gtf", "--node", "2"]).starts_with("line: Sb2\n"));
}

/// A game that nobody knows, whose nodes say what their moves are: two moves have one number, one has no name.
fn write_named_by_nodes(folder: &Path, names: Option<&str>) {
    let schema = Schema::new([("best", Kind::I32), ("label", Kind::Text)]).unwrap();
    let mut header = Header::new("tak", schema);
    if let Some(names) = names {
        header = header.with("names", names);
    }
    let log = LogWriter::create(folder.join("named.gtf"), header).unwrap();
    log.name_moves([(2, "two")]).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let record = |best: i64, label: &str| [Value::Int(best), Value::Text(label.to_owned())];
    tree.enter(0).unwrap();
    tree.enter(1).unwrap();
    tree.enter(1).unwrap();
    tree.leave_values(&record(3, "Cb2+")).unwrap();
    tree.leave_values(&record(-3, "a1")).unwrap();
    tree.enter(2).unwrap();
    tree.leave_values(&[Value::Int(7), Value::Missing]).unwrap();
    tree.enter(5).unwrap();
    tree.leave_values(&record(9, "")).unwrap();
    tree.leave_values(&record(3, "")).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

/// The names of a node's text are shown for its move; then those of the table of names; then numbers.
#[test]
fn nodes_name_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let says = |words: &[&str]| says(folder.path(), words);
    write_named_by_nodes(folder.path(), Some("move_name=label"));
    let query = "node: @ply > 0 select last_move, @line, [^]last_move, best";
    assert_eq!(
        says(&["query", "named.gtf", query, "--format", "csv", "--moves", "text"]),
        "last_move,@line,[^]last_move,best\na1,a1,0,-3\nCb2+,a1 Cb2+,a1,3\ntwo,two,0,7\n5,5,0,9\n"
    );
    let table = says(&["query", "named.gtf", "node: @ply = 2 select last_move, @line"]);
    assert_eq!(table, "last_move  @line\nCb2+       a1 Cb2+\n1 row\n");
    let numbers = says(&["query", "named.gtf", "node: @ply = 2 select last_move, @line", "--raw"]);
    assert_eq!(numbers, "last_move  @line\n1          1 1\n1 row\n");
    let json =
        says(&["query", "named.gtf", "node: @ply = 2 select @line", "--format", "json", "--moves", "text"]);
    assert!(json.contains("[[[\"a1\",\"Cb2+\"]]]"), "{json}");
    let many = says(&["query", "n*.gtf", "node: @ply = 2 select last_move, @line"]);
    assert_eq!(many, "log        tree  last_move  @line\nnamed.gtf     0  Cb2+       a1 Cb2+\n1 row\n");
    let dump = says(&["dump", "named.gtf", "--node", "2"]);
    assert_eq!(dump, "line: a1 Cb2+\n2 Cb2+ size=1 best=3 label=\"Cb2+\"\n");
    assert!(says(&["dump", "named.gtf", "--node", "2", "--moves", "number"]).starts_with("line: 1 1\n2 1 "));

    says(&["picture", "named.gtf", "-o", "named.svg", "--node", "1"]);
    let svg = std::fs::read_to_string(folder.path().join("named.svg")).unwrap();
    assert!(svg.contains("Cb2+") && svg.contains("below a1 (node 1)"), "{svg}");
}

/// Without the name in the log, `--map` gives it; a game that is known keeps its notation.
#[test]
fn names_of_moves_are_mapped() {
    let folder = tempfile::tempdir().unwrap();
    write_named_by_nodes(folder.path(), None);
    let query =
        ["query", "named.gtf", "node: @ply = 2 select last_move", "--format", "csv", "--moves", "text"];
    assert_eq!(says(folder.path(), &query), "last_move\n1\n");
    let mapped = [&query[..], &["--map", "move_name=label"]].concat();
    assert_eq!(says(folder.path(), &mapped), "last_move\nCb2+\n");
    let dump = ["dump", "named.gtf", "--map", "move_name=label"];
    assert!(says(folder.path(), &dump).contains("    2 Cb2+ size=1"));

    std::fs::write(
        folder.path().join("c.csv"),
        "node_id,parent_id,last_move,move_name\n0,-1,0,\n1,0,1804,king pawn\n",
    )
    .unwrap();
    says(folder.path(), &["import", "c.csv", "-o", "c.gtf", "--game", "chess"]);
    assert_eq!(
        says(folder.path(), &["query", "c.gtf", "node: @ply = 1 select last_move"]),
        "last_move\ne2e4\n1 row\n"
    );
}

/// A game of which nobody knows the rules, whose nodes name their moves: searched with windows, so that there is a move to
/// explain.
fn write_searched(folder: &Path) {
    std::fs::write(
        folder.join("s.csv"),
        "node_id,parent_id,last_move,move_name,depth,alpha,beta,best\n\
         0,-1,0,,2,-9999,9999,5\n\
         1,0,1,R-e4,1,-9999,9999,-5\n\
         2,1,1,N-c3,0,-9999,9999,5\n\
         3,1,2,N-d5,0,-9999,9999,8\n\
         4,0,2,pass,1,-9999,-5,7\n\
         5,4,1,N-h1,0,5,9999,-7\n",
    )
    .unwrap();
    says(folder, &["import", "s.csv", "-o", "s.gtf", "--game", "shogi"]);
}

#[test]
fn why_and_profile_call_moves_by_what_their_nodes_call_them() {
    let folder = tempfile::tempdir().unwrap();
    write_searched(folder.path());
    let says = |words: &[&str]| says(folder.path(), words);
    let why = says(&["why", "s.gtf"]);
    let words = why.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("R-e4 is played: it is worth 5, and no other of the 2 moves"), "{why}");
    assert!(words.contains("its closest rival is pass (at most -7)"), "{why}");
    assert!(words.contains("the reply N-h1 would have to be wrong"), "{why}");
    // The same number is another move elsewhere, and names can be written in the line.
    let reply = says(&["why", "s.gtf", "pass N-h1"]);
    assert!(reply.contains("pass is refuted by N-h1: it is worth at most -7"), "{reply}");
    assert_eq!(reply, says(&["why", "s.gtf", "2 1"]));
    let numbers = says(&["why", "s.gtf", "pass", "--moves", "number"]);
    assert!(numbers.contains("2 is refuted by 1: "), "{numbers}");
    let (code, _, errors) = crate::command::gt(folder.path(), &["why", "s.gtf", "pass N-c3"]);
    let sentence = "gt: move 2 of the line: `N-c3` is not a move; write a move that was searched there as its node \
                    calls it, or any by its number\n";
    assert_eq!((code, errors.as_str()), (2, sentence));

    let profile = says(&["profile", "s.gtf"]);
    assert!(profile.contains("R-e4  the move that the search chose"), "{profile}");
    let json: serde_json::Value =
        serde_json::from_str(&says(&["profile", "s.gtf", "--format", "json"])).unwrap();
    let heaviest =
        json["tables"].as_array().unwrap().iter().find(|one| one["name"] == "heaviest-moves").unwrap();
    assert_eq!(heaviest["rows"][0][1], "R-e4", "{heaviest}");
}
