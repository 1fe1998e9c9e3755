//! Each kind of bad input, and the sentence it gets.

use crate::common::refused::{check, check_with};
use gt_convert::{Format, ImportOptions, import, unwatched};

#[test]
fn columns() {
    check(
        "a.csv",
        "id,parent_id,best\n0,-1,1\n",
        "a.csv: there is no column `node_id` (it has: id, parent_id, best); `--rename COLUMN=node_id` names the one \
         that is meant",
    );
    check(
        "a.jsonl",
        "{\"node_id\": 0}\n",
        "a.jsonl: there is no column `parent_id` (it has: node_id); `--rename COLUMN=parent_id` names the one that \
         is meant",
    );
    check(
        "a.csv",
        "node_id,parent_id,best,best\n0,-1,1,1\n",
        "a.csv: there are two columns `best`; rename or drop one of them",
    );
    check(
        "a.csv",
        "node_id,parent_id,count\n0,-1,1\n",
        "a.csv, column `count`: `count` is a word of the query language or of every log; choose another name; use \
         --rename count=count_value",
    );
    check(
        "a.csv",
        "node_id,parent_id,static eval\n0,-1,1\n",
        "a.csv, column `static eval`: `static eval` cannot name an attribute or alias: a name is a letter, then \
         letters, digits or `_`, at most 255 in all; use --rename 'static eval'=static_eval",
    );
    let options = ImportOptions { renames: vec![("x".into(), "y".into())], ..ImportOptions::default() };
    check_with(
        "a.csv",
        b"node_id,parent_id\n0,-1\n",
        &options,
        "a.csv: --rename names a column `x` that is not there (it has: node_id, parent_id)",
    );
    let options = ImportOptions { aliases: vec![("best".into(), 1)], ..ImportOptions::default() };
    check_with(
        "a.csv",
        b"node_id,parent_id,best\n0,-1,1\n",
        &options,
        "a.csv: `best` names two things; attributes and aliases share one set of names",
    );
}

#[test]
fn structure() {
    check(
        "a.csv",
        "node_id,parent_id\n0,-1\n1,0\n1,0\n",
        "a.csv, line 4, column `node_id`: node_id 1 is there twice, first in line 3; every node has its own",
    );
    check(
        "a.csv",
        "node_id,parent_id\n0,-1\n1,7\n",
        "a.csv, line 3, column `parent_id`: node 1 has the parent 7, which has no row; add it, or mark a root by \
         parent_id -1",
    );
    check(
        "a.csv",
        "node_id,parent_id\n0,-1\n1,\n",
        "a.csv, line 3, column `parent_id`: node 1 is a second root, the first is in line 2; give it a parent, or \
         tell trees apart by a column `tree`",
    );
    check(
        "a.csv",
        "node_id,parent_id\n5,-1\n1,\n",
        "a.csv, line 3, column `parent_id`: node 1 is a second root, the first is in line 2; give it a parent, or \
         tell trees apart by a column `tree`",
    );
    check(
        "a.csv",
        "node_id,parent_id\n0,-1\n1,2\n2,3\n3,1\n",
        "a.csv, line 3, column `parent_id`: node 1 is its own ancestor; a root has parent_id -1, null or nothing",
    );
    check(
        "a.csv",
        "node_id,parent_id\n0,0\n",
        "a.csv, line 2, column `parent_id`: node 0 is its own ancestor; a root has parent_id -1, null or nothing",
    );
    check(
        "a.csv",
        "node_id,parent_id,size\n0,-1,3\n1,0,1\n",
        "a.csv, line 2, column `size`: node 0 has size 3, but by the parents it is 2; mend it or leave the column \
         out with --omit size",
    );
    check(
        "a.csv",
        "node_id,parent_id\n-3,-1\n",
        "a.csv, line 2, column `node_id`: -3 is out of range: it has to be 0 or more",
    );
}

#[test]
fn values() {
    let described = "# gt-tools {\"version\": 1, \"attributes\": {\"best\": \"i8\"}}\n";
    check(
        "a.csv",
        &format!("{described}node_id,parent_id,best\n0,-1,300\n"),
        "a.csv, line 3, column `best`: 300 is out of range: it has to be a whole number of type i8, -128 to 127",
    );
    check(
        "a.csv",
        &format!("{described}node_id,parent_id,best\n0,-1,good\n"),
        "a.csv, line 3, column `best`: `good` is not a whole number of type i8, -128 to 127",
    );
    check(
        "a.csv",
        "node_id,parent_id,best\n0,-1,123456789012345678901234567890\n",
        "a.csv, line 2, column `best`: 123456789012345678901234567890 is out of range: it has to be a number of 64 \
         bits",
    );
    check(
        "a.csv",
        "node_id,parent_id,best\n0,-1,9007199254740993\n1,0,0.5\n",
        "a.csv, line 2, column `best`: 9007199254740993 is out of range: it has to be exact as a float, which this \
         column's type is by its other values",
    );
    check(
        "a.csv",
        "node_id,parent_id,best\n0,-1,1\n,0,2\n",
        "a.csv, line 3, column `node_id`: there is no value, and every row needs one here; fill it in",
    );
    check(
        "a.csv",
        "node_id,parent_id\nroot,-1\n",
        "a.csv, line 2, column `node_id`: `root` is not a whole number of type i64, -9223372036854775808 to \
         9223372036854775807",
    );
    check(
        "a.jsonl",
        "{\"node_id\": 0, \"parent_id\": null, \"best\": 1}\n{\"node_id\": 1, \"parent_id\": 0, \"best\": \"x\"}\n",
        "a.jsonl, line 2, column `best`: this is a text, but line 1 has a number; a column has one type, mend one of \
         them",
    );
    check(
        "a.jsonl",
        "{\"node_id\": 0, \"parent_id\": null, \"pv\": [1, 2]}\n",
        "a.jsonl, line 1, column `pv`: its type object or list has no counterpart in a log; cast it to a number, a \
         Boolean or a text, or leave it out with --omit COLUMN",
    );
    let long = "x".repeat(65_536);
    check(
        "a.csv",
        &format!("node_id,parent_id,note\n0,-1,{long}\n"),
        "a.csv, line 2, column `note`: the text has 65536 bytes, and at most 65535 are kept; shorten it",
    );
}

#[test]
fn files() {
    check("a.csv", "", "a.csv: there is no row in it; a tree has at least its root");
    check("a.csv", "node_id,parent_id\n", "a.csv: there is no row in it; a tree has at least its root");
    check("a.jsonl", "\n\n", "a.jsonl: there is no row in it; a tree has at least its root");
    check(
        "a.txt",
        "node_id\n",
        "a.txt: the name does not say what it holds; let it end in .parquet, .csv, .jsonl or .ndjson, or name the \
         format with --format",
    );
    check(
        "a.csv",
        "node_id,parent_id\n0,-1\n1,0,5\n",
        "a.csv, line 3: this is not well-formed CSV: the row has 3 fields, the line of names 2; texts with commas \
         need quotes",
    );
    check_with(
        "a.csv",
        b"node_id,parent_id,x\n0,-1,\xff\n",
        &ImportOptions::default(),
        "a.csv, line 2, column `x`: this is not well-formed CSV: it is not UTF-8 text",
    );
    check(
        "a.csv",
        "# gt-tools {\"version\": 9}\nnode_id,parent_id\n",
        "a.csv, line 1: what the file says of its log (gt-tools) cannot be understood: it has version 9, and this \
         program reads version 1; a newer GT-Tools reads it; mend it or take it out",
    );
    check(
        "a.jsonl",
        "{\"node_id\": 0, \"parent_id\": -1}\n{\"node_id\": 1, \n",
        "a.jsonl, line 2: this is not well-formed JSON Lines: EOF while parsing a value at character 14",
    );
    check(
        "a.jsonl",
        "[1, 2]\n",
        "a.jsonl, line 1: this is not well-formed JSON Lines: invalid type: sequence, expected an object with a \
         node's fields",
    );
    check(
        "a.jsonl",
        "{\"node_id\": 0, \"node_id\": 0}\n",
        "a.jsonl, line 1, column `node_id`: this is not well-formed JSON Lines: the object has this field twice",
    );
    check(
        "a.parquet",
        "PAR1 is how it starts, but nothing follows",
        "a.parquet: this is not well-formed Parquet: Invalid Parquet file. Corrupt footer",
    );
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    let error =
        import(&source, Some(Format::Csv), &ImportOptions::default(), &target, &mut unwatched).unwrap_err();
    assert!(error.to_string().ends_with("a.csv: No such file or directory (os error 2)"), "{error}");
}
