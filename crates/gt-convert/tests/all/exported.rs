//! What exports look like to other programs.

use std::ops::ControlFlow;

use gt_convert::{DotOptions, ErrorKind, Format, MoveTexts, Selection, export_dot, export_to, unwatched};
use gt_log::{Header, Kind, Log, LogWriter, Marks, Metadata, Options, Schema, Value};

/// Root, two children, one grandchild that is unfinished; nodes left out below the second child.
fn log() -> Log {
    let schema =
        Schema::new([("best", Kind::I16), ("note", Kind::Text), ("hash", Kind::U64), ("eval", Kind::F32)])
            .unwrap()
            .with_aliases([("Cut", 2)])
            .unwrap();
    let log = LogWriter::to_memory(Header::new("nim", schema).with("engine", "e")).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new().with("depth", 2), Options::default()).unwrap();
    let values = |best: i64, note: &str, eval: f64| {
        [Value::Int(best), Value::Text(note.to_owned()), Value::UInt(u64::MAX), Value::Float(eval)]
    };
    tree.enter(0).unwrap();
    tree.enter(1).unwrap();
    tree.enter(2).unwrap();
    tree.leave_unfinished().unwrap();
    tree.leave_values(&values(-1, "say \"a\\b\"\n& go", 0.1)).unwrap();
    tree.enter(3).unwrap();
    tree.leave_marked(Marks { unfinished: false, left_out: 12 }, |_, row| {
        row.put(&7_i16);
        row.put(&"");
        row.put(&5_u64);
        row.put(&f32::NEG_INFINITY);
        Ok(())
    })
    .unwrap();
    tree.leave_values(&values(1, "♞", f64::NAN)).unwrap();
    tree.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn exported(format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    export_to(&log(), &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
    bytes
}

fn of_this_version(text: &str) -> String {
    text.replace("VERSION", env!("CARGO_PKG_VERSION"))
}

#[test]
fn csv() {
    let expected = r#"# gt-tools {"version":1,"writer":"GT-Tools VERSION","game":"nim","attributes":{"best":"i16","note":"text","hash":"u64","eval":"f32"},"aliases":{"Cut":2},"metadata":{"engine":"e"},"trees":[{"number":0,"metadata":{"depth":"2"}}]}
node_id,parent_id,ply,size,last_move,unfinished,left_out,best,note,hash,eval
0,-1,0,4,0,false,0,1,♞,18446744073709551615,NaN
1,0,1,2,1,false,0,-1,"say ""a\b""
& go",18446744073709551615,0.1
2,1,2,1,2,true,0,,,,
3,0,1,1,3,false,12,7,"",5,-inf
"#;
    assert_eq!(String::from_utf8(exported(Format::Csv)).unwrap(), of_this_version(expected));
}

#[test]
fn json_lines() {
    let expected = r#"{"gt_tools":{"version":1,"writer":"GT-Tools VERSION","game":"nim","attributes":{"best":"i16","note":"text","hash":"u64","eval":"f32"},"aliases":{"Cut":2},"metadata":{"engine":"e"},"trees":[{"number":0,"metadata":{"depth":"2"}}]}}
{"node_id":0,"parent_id":-1,"ply":0,"size":4,"last_move":0,"unfinished":false,"left_out":0,"best":1,"note":"♞","hash":18446744073709551615,"eval":"NaN"}
{"node_id":1,"parent_id":0,"ply":1,"size":2,"last_move":1,"unfinished":false,"left_out":0,"best":-1,"note":"say \"a\\b\"\n& go","hash":18446744073709551615,"eval":0.1}
{"node_id":2,"parent_id":1,"ply":2,"size":1,"last_move":2,"unfinished":true,"left_out":0,"best":null,"note":null,"hash":null,"eval":null}
{"node_id":3,"parent_id":0,"ply":1,"size":1,"last_move":3,"unfinished":false,"left_out":12,"best":7,"note":"","hash":5,"eval":"-inf"}
"#;
    assert_eq!(String::from_utf8(exported(Format::JsonLines)).unwrap(), of_this_version(expected));
}

#[test]
fn parquet_declares_its_types() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let bytes = bytes::Bytes::from(exported(Format::Parquet));
    let reader = SerializedFileReader::new(bytes).unwrap();
    let mut schema = Vec::new();
    parquet::schema::printer::print_schema(&mut schema, reader.metadata().file_metadata().schema());
    let expected = "\
message schema {
  REQUIRED INT64 node_id;
  REQUIRED INT64 parent_id;
  REQUIRED INT32 ply;
  REQUIRED INT64 size;
  REQUIRED INT64 last_move;
  REQUIRED BOOLEAN unfinished;
  REQUIRED INT64 left_out (INTEGER(64,false));
  OPTIONAL INT32 best (INTEGER(16,true));
  OPTIONAL BYTE_ARRAY note (STRING);
  OPTIONAL INT64 hash (INTEGER(64,false));
  OPTIONAL FLOAT eval;
}
";
    assert_eq!(String::from_utf8(schema).unwrap(), expected);
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(
        rows[3],
        "{node_id: 3, parent_id: 0, ply: 1, size: 1, last_move: 3, unfinished: false, left_out: 12, best: 7, \
         note: \"\", hash: 5, eval: -inf}"
    );
    assert!(
        rows[2].ends_with("unfinished: true, left_out: 0, best: null, note: null, hash: null, eval: null}")
    );
}

fn dot(options: &DotOptions<'_>) -> String {
    let mut text = Vec::new();
    export_dot(&log(), options, None, &mut text, &mut unwatched).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn graphviz() {
    let expected = r#"digraph tree {
  graph [label="nim, tree 0, from node 0", labelloc=t, ordering=out, fontname="sans-serif"]
  node [shape=box, fontname="sans-serif", fontsize=10]
  edge [fontname="sans-serif", fontsize=10, arrowhead=none]
  n0 [label="0: root\nbest 1\nnote ♞\nhash 18446744073709551615\neval NaN"]
  n1 [label="1\nbest -1\nnote say \"a\\b\"\n&amp; go\nhash 18446744073709551615\neval 0.1"]
  n0 -> n1 [label="1"]
  n3 [label="3\nbest 7\nnote \nhash 5\neval -inf"]
  n0 -> n3 [label="3"]
  h3 [label="12 left out of the log", shape=plaintext]
  n3 -> h3 [style=dotted]
  n2 [label="2\nunfinished", style=dashed]
  n1 -> n2 [label="2"]
}
"#;
    assert_eq!(dot(&DotOptions::default()), expected);
}

/// Writes moves with their distance from the tree's root.
#[derive(Default)]
struct CountedMoves {
    line: Vec<i64>,
    entered: usize,
}

impl MoveTexts for CountedMoves {
    fn enter(&mut self, last_move: i64) -> String {
        self.line.push(last_move);
        self.entered += 1;
        format!("after {} moves: {last_move}", self.line.len())
    }

    fn leave(&mut self) {
        self.line.pop().expect("a move was entered");
    }
}

#[test]
fn graphviz_writes_moves_along_their_lines() {
    let mut text = Vec::new();
    let mut moves = CountedMoves::default();
    let options = DotOptions { attributes: Some(&[]), ..DotOptions::default() };
    export_dot(&log(), &options, Some(&mut moves), &mut text, &mut unwatched).unwrap();
    let text = String::from_utf8(text).unwrap();
    for edge in ["n0 -> n1 [label=\"after 1 moves: 1\"]", "n1 -> n2 [label=\"after 2 moves: 2\"]"] {
        assert!(text.contains(edge), "{text}");
    }
    assert!(text.contains("n0 -> n3 [label=\"after 1 moves: 3\"]"), "{text}");
    assert_eq!((moves.entered, moves.line.len()), (3, 0));
}

/// On a chain, each move is entered once: the line to a node is not gone through again for the next.
#[test]
fn graphviz_of_a_deep_chain_and_of_a_wide_node() {
    const NODES: u64 = 80_000;
    let chain = |deep: bool| {
        let log = LogWriter::to_memory(Header::new("", Schema::new([("best", Kind::I8)]).unwrap())).unwrap();
        log.name_moves([(0, "pass")]).unwrap();
        let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        tree.enter(0).unwrap();
        for node in 1..NODES {
            tree.enter((node % 7) as i64).unwrap();
            if !deep {
                tree.leave_values(&[Value::Int(1)]).unwrap();
            }
        }
        while tree.open_nodes() > 0 {
            tree.leave_values(&[Value::Int(1)]).unwrap();
        }
        tree.finish().unwrap();
        Log::from_bytes(log.into_memory().unwrap()).unwrap()
    };
    let options = DotOptions { nodes_max: usize::MAX, attributes: Some(&[]), ..DotOptions::default() };
    for (deep, last) in [(true, "n79998 -> n79999 ["), (false, "n0 -> n79999 [")] {
        let mut moves = CountedMoves::default();
        let mut text = Vec::new();
        let log = chain(deep);
        let report = export_dot(&log, &options, Some(&mut moves), &mut text, &mut unwatched).unwrap();
        assert_eq!((report.nodes, moves.entered, moves.line.len()), (NODES, NODES as usize - 1, 0));
        assert!(String::from_utf8(text).unwrap().contains(last));
        // The first children are shown, and the log's own names without others.
        let few = DotOptions { nodes_max: 8, ..options };
        let mut text = Vec::new();
        let report = export_dot(&log, &few, None, &mut text, &mut unwatched).unwrap();
        assert_eq!((report.nodes, report.nodes_hidden), (8, NODES - 8));
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("n7 [label=\"pass\"]") && text.contains("n1 [label=\"1\"]"), "{text}");
        let stopped = export_dot(&log, &options, None, &mut Vec::new(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(*stopped.unwrap_err().kind, ErrorKind::Stopped));
    }
}

#[test]
fn graphviz_of_a_part() {
    let attributes = ["best".to_owned()];
    let options =
        DotOptions { root: 1, depth_max: Some(0), attributes: Some(&attributes), ..DotOptions::default() };
    let mut text = Vec::new();
    let mut moves = CountedMoves::default();
    export_dot(&log(), &options, Some(&mut moves), &mut text, &mut unwatched).unwrap();
    let text = String::from_utf8(text).unwrap();
    let expected = r#"  n1 [label="1: after 1 moves: 1\nbest -1"]
  h1 [label="1 more", shape=plaintext]
  n1 -> h1 [style=dotted]
}
"#;
    assert!(text.ends_with(expected), "{text}");
    let limited = dot(&DotOptions { nodes_max: 2, attributes: Some(&[]), ..DotOptions::default() });
    assert!(
        limited.contains("n0 -> n1") && !limited.contains("n3") && limited.contains("\"1 more\""),
        "{limited}"
    );
    let error = export_dot(
        &log(),
        &DotOptions { attributes: Some(&["bets".to_owned()]), ..DotOptions::default() },
        None,
        &mut Vec::new(),
        &mut unwatched,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "there is no attribute `bets` in this log (it has: best, note, hash, eval)"
    );
}
