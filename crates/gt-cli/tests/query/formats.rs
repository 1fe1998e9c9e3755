//! Each format, of each kind of answer.

use crate::folder::{Folder, without_seconds};

const ALL: &str = "node: * select node_id, last_move, best, score, hash, label, @line";

#[test]
fn a_table_is_aligned_and_writes_moves() {
    let folder = Folder::with_log();
    assert_eq!(
        folder.prints(&["query", "t.gtf", ALL, "--tree", "0"]),
        r#"node_id  last_move  best   score                  hash  label     @line
      0  root         10   0.500  18446744073709551615  start
      1  e2e4        -10       -                     1  a, b      e2e4
      2  d7d5         20   1.500                     2  x         e2e4 d7d5
      3  c7c5         -5  -2.250                     3            e2e4 c7c5
      4  d2d4          7     inf   9223372036854775808  say "hi"  d2d4
5 rows
"#
    );
    assert_eq!(
        folder.prints(&["query", "t.gtf", "--tree", "0", "node: best > 5"]),
        "node_id\n      0\n      2\n      4\n3 nodes\n"
    );
    assert_eq!(folder.prints(&["query", "t.gtf", "--tree", "0", "node: count(best > 5)"]), "3\n");
    assert_eq!(folder.prints(&["query", "t.gtf", "--tree", "0", "node: avg(best)"]), "4.4\n");
    assert_eq!(folder.prints(&["query", "t.gtf", "--tree", "0", "node: min(best where best = 8)"]), "-\n");
}

#[test]
fn a_table_can_be_cut_and_says_so() {
    let folder = Folder::with_log();
    assert_eq!(
        folder.prints(&["query", "t.gtf", "--tree", "0", "node: *", "--limit", "2"]),
        "node_id\n      0\n      1\n5 nodes; only 2 nodes printed: `--limit 0` prints all\n"
    );
    assert!(
        folder.prints(&["query", "t.gtf", "--tree", "0", "node: *", "--limit", "0"]).ends_with("\n5 nodes\n")
    );
}

#[test]
fn json_is_an_object_a_line() {
    let folder = Folder::with_log();
    let query = |text: &str| {
        without_seconds(&folder.prints(&["query", "t.gtf", text, "--tree", "0", "--format", "json"]))
    };
    assert_eq!(
        query(ALL),
        concat!(
            r#"{"log":"t.gtf","tree":0,"name":null,"query":"node: * select node_id, last_move, best, score, hash, "#,
            r#"label, @line","columns":["node_id","last_move","best","score","hash","label","@line"],"#,
            r#""rows":[[0,0,10,0.5,18446744073709551615,"start",[]],[1,1804,-10,null,1,"a, b",[1804]],"#,
            r#"[2,2291,20,1.5,2,"x",[1804,2291]],[3,2226,-5,-2.25,3,"",[1804,2226]],"#,
            r#"[4,1739,7,"Infinity",9223372036854775808,"say \"hi\"",[1739]]],"count":5}"#,
            "\n"
        )
    );
    assert_eq!(
        query("[good]\nnode: best>5"),
        r#"{"log":"t.gtf","tree":0,"name":"good","query":"node: best > 5","count":3,"nodes":[0,2,4]}"#
            .to_owned()
            + "\n"
    );
    assert_eq!(
        query("node: count(best > 5)"),
        r#"{"log":"t.gtf","tree":0,"name":null,"query":"node: count(best > 5)","count":3}"#.to_owned() + "\n"
    );
    assert_eq!(
        query("node: max(hash)"),
        r#"{"log":"t.gtf","tree":0,"name":null,"query":"node: max(hash)","count":5,"value":18446744073709551615}"#
            .to_owned()
            + "\n"
    );
    for line in query(ALL).lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn csv_is_one_table_where_it_can_be() {
    let folder = Folder::with_log();
    assert_eq!(
        folder.prints(&["query", "t.gtf", ALL, "--tree", "0", "--format", "csv"]),
        r#"node_id,last_move,best,score,hash,label,@line
0,0,10,0.5,18446744073709551615,start,""
1,1804,-10,,1,"a, b",1804
2,2291,20,1.5,2,x,1804 2291
3,2226,-5,-2.25,3,"",1804 2226
4,1739,7,inf,9223372036854775808,"say ""hi""",1739
"#
    );
    assert_eq!(
        folder.prints(&["query", "t.gtf", "[a]\nnode: best > 5\n\n[b]\nnode: count(*)", "--format", "csv"]),
        "log,tree,query,node_id\nt.gtf,0,a,0\nt.gtf,0,a,2\nt.gtf,0,a,4\n\
         \nlog,tree,query,count\nt.gtf,0,b,5\n\
         \nlog,tree,query,node_id\n\
         \nlog,tree,query,count\nt.gtf,1,b,2\n"
    );
}

#[test]
fn ids_are_bare() {
    let folder = Folder::with_log();
    assert_eq!(
        folder.prints(&["query", "t.gtf", "node: best > 5", "--tree", "0", "--format", "ids"]),
        "0\n2\n4\n"
    );
    assert_eq!(
        folder.prints(&["query", "t.gtf", "node: best < 4", "--format", "ids"]),
        "# t.gtf, tree 0, query 1: node: best < 4\n1\n3\n\n# t.gtf, tree 1, query 1: node: best < 4\n0\n"
    );
    assert_eq!(
        folder.fails(&["query", "t.gtf", "node: count(*)", "--format", "ids"]),
        "gt: query 1 gives a number, not nodes; `--format table`, json or csv print that\n"
    );
}

#[test]
fn counting_does_not_collect() {
    let folder = Folder::with_log();
    let count = |query: &str| folder.prints(&["query", "t.gtf", query, "--tree", "0", "--count"]);
    assert_eq!(count("node: best > 5"), "3\n");
    assert_eq!(count("node: best > 5 select node_id, @line"), "3\n");
    assert_eq!(
        without_seconds(&folder.prints(&[
            "query",
            "t.gtf",
            "node: best > 5",
            "--tree",
            "0",
            "--count",
            "--format",
            "json"
        ])),
        "{\"log\":\"t.gtf\",\"tree\":0,\"name\":null,\"query\":\"node: best > 5\",\"count\":3}\n"
    );
}

#[test]
fn moves_are_texts_or_numbers_in_every_format() {
    let folder = Folder::with_log();
    let query = |more: &[&str]| {
        let words = ["query", "t.gtf", "--tree", "0", "node: @ply < 3 select last_move, @line limit 3"];
        folder.prints(&[words.as_slice(), more].concat())
    };
    let texts = "last_move,@line\nroot,\"\"\ne2e4,e2e4\nd7d5,e2e4 d7d5\n";
    let numbers = "last_move,@line\n0,\"\"\n1804,1804\n2291,1804 2291\n";
    assert_eq!(query(&["--format", "csv", "--moves", "text"]), texts);
    assert_eq!(query(&["--format", "csv", "--moves", "number"]), numbers);
    assert_eq!(query(&["--format", "csv"]), numbers);
    let rows = |more: &[&str]| {
        let out = query(&[&["--format", "json"], more].concat());
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["rows"].to_string()
    };
    assert_eq!(rows(&["--moves", "text"]), r#"[["root",[]],["e2e4",["e2e4"]],["d7d5",["e2e4","d7d5"]]]"#);
    assert_eq!(rows(&[]), "[[0,[]],[1804,[1804]],[2291,[1804,2291]]]");
    assert!(
        query(&["--moves", "number"]).contains("\n1804       1804\n"),
        "{}",
        query(&["--moves", "number"])
    );

    let script = ".moves\n.format csv\nnode: @ply = 1 select last_move\n.moves text\n.moves\nnode: @ply = 1 select last_move\n";
    let (code, out, errors) = folder.reads(&["repl", "t.gtf"], &format!("{script}.moves both\n"));
    assert_eq!(code, Some(2));
    assert_eq!(
        out,
        "text in tables, number in json and csv\nlast_move\n1804\n1739\ntext\nlast_move\ne2e4\nd2d4\n"
    );
    assert_eq!(
        errors,
        "gt: `both` is no way to print moves; write `.moves text`, `.moves san` or `.moves number`\n"
    );
    let (_, out, _) =
        folder.reads(&["repl", "t.gtf", "--moves", "number"], "node: @ply = 1 select last_move limit 1");
    assert_eq!(out, "last_move\n1804\n1 row\n");
}

#[test]
fn a_game_without_notation_keeps_its_numbers() {
    let folder = Folder::new();
    folder.prints(&["gen", "--depth", "1", "--branching", "2", "--seed", "1", "-o", "g.gtf"]);
    let words = ["query", "g.gtf", "select @line", "--format", "json", "--moves", "text"];
    let output = folder.gt(&words);
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains(r#""rows":[[[]],[[0]],[[1]]]"#), "{out}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "gt: g.gtf: the notation of its game is not known here; moves are printed as numbers\n"
    );
}

#[test]
fn count_counts_rows_of_every_kind() {
    let folder = Folder::with_log();
    let count = |query: &str| folder.prints(&["query", "t.gtf", "--tree", "0", "--count", query]);
    assert_eq!(count("group by type select type, count(*)"), "3\n");
    assert_eq!(count("group by type select type, count(*) limit 2"), "2\n");
    assert_eq!(count("select count(*)"), "1\n");
    assert_eq!(count("node: best > 5 select best"), "3\n");
    assert_eq!(count("node: count(best > 5)"), "3\n");
    let json = folder.prints(&[
        "query",
        "t.gtf",
        "--tree",
        "0",
        "--count",
        "group by type select type",
        "--format",
        "json",
    ]);
    assert!(json.contains(r#""count":3"#) && !json.contains("rows") && !json.contains("columns"), "{json}");
    assert_eq!(
        folder.fails(&["query", "t.gtf", "--tree", "0", "--count", "node: max(best)"]),
        "gt: query 1 gives a value, and `--count` counts nodes and rows; leave `--count` away\n"
    );
}

/// What is unknown and an empty text are not the same, and a line is never empty.
#[test]
fn csv_tells_empty_texts_from_unknown_ones() {
    let folder = Folder::new();
    folder.write("m.csv", "node_id,parent_id,note,best\n0,-1,\"\",1\n1,0,,2\n2,0,#x,\n");
    folder.prints(&["import", "m.csv", "-o", "m.gtf"]);
    let query = |text: &str| folder.prints(&["query", "m.gtf", text, "--format", "csv"]);
    assert_eq!(query("select note, best"), "note,best\n\"\",1\n,2\n\"#x\",\n");
    assert_eq!(query("select best"), "best\n1\n2\n\"\"\n");
    assert_eq!(
        query("node: best is unknown select best\n\nnode: count(*)"),
        "log,tree,query,best\nm.gtf,0,1,\n\nlog,tree,query,count\nm.gtf,0,2,3\n"
    );
}

#[test]
fn a_limit_holds_for_every_format_that_is_printed() {
    let folder = Folder::with_log();
    let query = |text: &str, format: &str| {
        folder.prints(&["query", "t.gtf", "--tree", "0", text, "--limit", "2", "--format", format])
    };
    assert_eq!(query("node: *", "csv"), "node_id\n0\n1\n");
    assert_eq!(query("select best", "csv"), "best\n10\n-10\n");
    assert_eq!(query("node: *", "ids"), "0\n1\n");
    for (text, list) in [("node: *", r#""nodes":[0,1]"#), ("select best", r#""rows":[[10],[-10]]"#)] {
        let json = query(text, "json");
        assert!(json.contains(r#""count":5,"#) && json.contains(list), "{json}");
    }
    let words = ["query", "t.gtf", "node: *", "--limit", "2", "--format", "gti", "-o", "d"];
    assert!(folder.fails(&words).starts_with("gt: result files are whole"));
    let script = ".limit\n.format csv\n.limit\nnode: *\n.limit 1\nnode: *\n";
    let (_, out, _) = folder.reads(&["repl", "t.gtf"], script);
    assert_eq!(out, "1000\n0\nnode_id\n0\n1\n2\n3\n4\nnode_id\n0\n");
}

/// Of rows that are not printed only the number is kept.
#[test]
fn a_limit_to_what_is_printed_leaves_the_number() {
    let folder = Folder::with_log();
    for (query, all) in
        [("select best", 5), ("order by best", 5), ("select best order by best desc limit 3", 3)]
    {
        let count = folder.prints(&["query", "t.gtf", "--tree", "0", "--count", query]);
        assert_eq!(count, format!("{all}\n"), "{query}");
        let json =
            folder.prints(&["query", "t.gtf", "--tree", "0", "--limit", "2", "--format", "json", query]);
        assert!(json.contains(&format!("\"count\":{all},")), "{json}");
        let table = folder.prints(&["query", "t.gtf", "--tree", "0", "--limit", "2", query]);
        assert_eq!(table.lines().count(), 4, "{table}");
        assert!(table.contains(&format!("{all} ")) && table.contains("only 2"), "{table}");
    }
}
