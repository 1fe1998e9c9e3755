//! What a log does not know is shown as such, and what it knows of itself is shown.

mod command;

use std::path::Path;

use command::says;
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
  1 a1 size=1 best=? type=2 never=?
  2 Sb2 size=1 best=-7 type=2 never=?
  3 3 size=1 best=9 type=2 never=?
"
    );
    assert!(says(folder.path(), &["dump", "t.gtf", "--node", "2"]).starts_with("line: Sb2\n"));
}
