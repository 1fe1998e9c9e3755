//! Tables of somebody else's making: types from values, columns by their names, options.

use gt_convert::{Format, ImportOptions, import, import_bytes, unwatched};
use gt_log::{Kind, Log, Metadata, Value, Walker};

fn imported(name: &str, content: &str, options: &ImportOptions) -> (gt_convert::ImportReport, Log) {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join(name), folder.path().join("tree.gtf"));
    std::fs::write(&source, content).unwrap();
    let report =
        import(&source, None, options, &target, &mut unwatched).unwrap_or_else(|error| panic!("{error}"));
    (report, Log::open(&target).unwrap())
}

fn kinds(log: &Log) -> Vec<(&str, Kind)> {
    log.schema().attributes().iter().map(|attribute| (attribute.name.as_str(), attribute.kind)).collect()
}

/// The type of a CSV column of these values.
fn csv_kind(values: &[&str]) -> Kind {
    let mut table = String::from("node_id,parent_id,x\n");
    for (node, value) in values.iter().enumerate() {
        table += &format!("{node},{},{value}\n", if node == 0 { "-1" } else { "0" });
    }
    kinds(&imported("a.csv", &table, &ImportOptions::default()).1)[0].1
}

#[test]
fn types_come_from_all_values() {
    let cases: [(&[&str], Kind); 17] = [
        (&["1", "-128"], Kind::I8),
        (&["1", "128"], Kind::I16),
        (&["-32769", "5"], Kind::I32),
        (&["2147483648"], Kind::I64),
        (&["9223372036854775807"], Kind::I64),
        (&["9223372036854775808", "0"], Kind::U64),
        (&["18446744073709551615"], Kind::U64),
        (&["1", "2.5"], Kind::F64),
        (&["1e3"], Kind::F64),
        (&["1", "NaN"], Kind::F64),
        (&["-inf", "0.5"], Kind::F64),
        (&["NaN", "inf"], Kind::Text),
        (&["true", "False"], Kind::Bool),
        (&["true", "1"], Kind::Text),
        (&["1", "x"], Kind::Text),
        (&["", ""], Kind::Text),
        (&["", "7"], Kind::I8),
    ];
    for (values, kind) in cases {
        assert_eq!(csv_kind(values), kind, "{values:?}");
    }
}

#[test]
fn json_lines_take_types_as_they_are_written() {
    let table = concat!(
        "{\"node_id\": 0, \"parent_id\": null, \"a\": 1, \"b\": \"1\", \"c\": true, \"d\": \"NaN\", \"e\": 1.0}\n\n",
        "{\"parent_id\": 0, \"node_id\": 1, \"e\": -0.0, \"d\": 18446744073709551615e0, \"c\": false, \"b\": \"\", \"a\": 300}",
    );
    let (_, log) = imported("a.ndjson", table, &ImportOptions::default());
    let expected =
        [("a", Kind::I16), ("b", Kind::Text), ("c", Kind::Bool), ("d", Kind::F64), ("e", Kind::F64)];
    assert_eq!(kinds(&log), expected);
}

#[test]
fn ply_is_an_attribute_and_size_is_checked() {
    let (report, log) =
        imported("a.csv", "node_id,parent_id,ply,size\n0,-1,10,2\n1,0,11,1\n", &ImportOptions::default());
    assert_eq!(kinds(&log), [("ply", Kind::I8)]);
    assert_eq!((report.nodes, report.sorted, report.renumbered), (2, false, false));
}

#[test]
fn columns_can_be_renamed_and_left_out() {
    let options = ImportOptions {
        game: Some("go".to_owned()),
        aliases: vec![("Won".to_owned(), 1)],
        metadata: Metadata::new().with("engine", "e"),
        renames: [("id", "node_id"), ("up", "parent_id"), ("size", "size"), ("win %", "win")]
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .to_vec(),
        omit: vec!["junk".to_owned()],
        ..ImportOptions::default()
    };
    let (_, log) = imported("a.csv", "id,up,size,win %,junk\n0,,19,0.5,\n", &options);
    assert_eq!(kinds(&log), [("size", Kind::I8), ("win", Kind::F64)]);
    assert_eq!(
        (log.game(), log.schema().alias("Won"), log.metadata().get("engine")),
        ("go", Some(1), Some("e"))
    );
}

#[test]
fn trees_are_told_apart_by_their_column() {
    let table = "tree,node_id,parent_id,best\n7,0,-1,1\n3,10,11,2\n7,1,0,3\n3,11,,4\n3,12,11,5\n";
    let (report, log) = imported("a.csv", table, &ImportOptions::default());
    assert_eq!((report.trees, report.nodes, report.sorted, report.renumbered), (2, 5, true, true));
    let trees: Vec<(Option<&str>, u64)> =
        log.trees().map(|tree| (tree.metadata().get("tree"), tree.nodes())).collect();
    assert_eq!(trees, [(Some("3"), 3), (Some("7"), 2)]);
}

/// Sizes that look wrong while rows are still to come, out of order: the cases that property tests found.
#[test]
fn sizes_are_judged_when_all_rows_are_there() {
    let breadth_first = "node_id,parent_id,size\n0,-1,4\n1,0,2\n2,0,1\n3,1,1\n";
    let (report, _) = imported("a.csv", breadth_first, &ImportOptions::default());
    assert_eq!((report.nodes, report.sorted, report.renumbered), (4, true, true));
    let interleaved = "tree,node_id,parent_id,size\n0,0,-1,2\n1,0,-1,1\n0,1,0,1\n";
    let (report, _) = imported("a.csv", interleaved, &ImportOptions::default());
    assert_eq!((report.trees, report.nodes, report.sorted, report.renumbered), (2, 3, true, false));
}

/// An empty field of CSV, `null` and a field that is not there are no values; an empty text stands in quotes.
#[test]
fn missing_values_are_missing() {
    let values = |name: &str, table: &str| -> Vec<Vec<Value>> {
        let (_, log) = imported(name, table, &ImportOptions::default());
        let mut walker = Walker::new(log.tree(0).unwrap());
        let rows: Vec<u64> = (0..4).map(|node| walker.find(node).unwrap().row).collect();
        rows.iter().map(|&row| (0..3).map(|a| walker.value(row, a).unwrap()).collect()).collect()
    };
    let text = |text: &str| Value::Text(text.to_owned());
    let expected = [
        [Value::Int(5), text("x"), Value::Float(0.5)],
        [Value::Missing, text(""), Value::Missing],
        [Value::Int(0), Value::Missing, Value::Float(0.0)],
        [Value::Missing, Value::Missing, Value::Missing],
    ];
    let csv = "node_id,parent_id,a,b,c\n0,-1,5,x,0.5\n1,0,,\"\", \n2,0,0,,0\n3,0,\"\",,\n";
    assert_eq!(values("a.csv", csv), expected);
    let json = "{\"node_id\":0,\"parent_id\":-1,\"a\":5,\"b\":\"x\",\"c\":0.5}\n\
                {\"node_id\":1,\"parent_id\":0,\"a\":null,\"b\":\"\"}\n\
                {\"node_id\":2,\"parent_id\":0,\"a\":0,\"c\":0}\n\
                {\"node_id\":3,\"parent_id\":0,\"b\":null}\n";
    assert_eq!(values("a.jsonl", json), expected);
    // In another order, the rows are collected and sorted.
    let mut lines: Vec<&str> = csv.lines().collect();
    lines[1..].reverse();
    assert_eq!(values("a.csv", &lines.join("\n")), expected);
}

#[test]
fn what_tables_are_wrapped_in_is_taken_off() {
    // A byte-order mark, comments, Windows line ends, whole numbers that became floats.
    let table = "\u{feff}# made by hand\r\n# twice\r\nnode_id,parent_id,last_move\r\n0,,\r\n1,0.0,7\r\n";
    let (report, log) = imported("a.csv", table, &ImportOptions::default());
    assert_eq!(report.nodes, 2);
    assert!(crate::common::contents(&log).ends_with("1 < 0, ply 1, size 1: 0x7 0x0 0x0\n"));
    // Further down, a line that starts with # is a row.
    let rows = "note,node_id,parent_id\nx,0,-1\n#y,1,0\n";
    assert_eq!(imported("a.csv", rows, &ImportOptions::default()).0.nodes, 2);
}

/// Aliases of an attribute go where it goes: to its new name, or away with it.
#[test]
fn aliases_follow_their_attribute() {
    let table = "# gt-tools {\"version\":1,\"attributes\":{\"type\":\"u8\",\"b\":\"i8\"},\"aliases\":{\"Any\":7,\
                 \"PV\":{\"attribute\":\"type\",\"value\":1},\"Cut\":{\"attribute\":\"type\",\"value\":2}}}\n\
                 node_id,parent_id,type,b\n0,-1,1,5\n";
    let aliases = |options: &ImportOptions| -> Vec<(String, i64, Option<usize>)> {
        let (_, log) = imported("a.csv", table, options);
        log.schema().aliases().iter().map(|a| (a.name.clone(), a.value, a.attribute)).collect()
    };
    let named = |name: &str, value, attribute| (name.to_owned(), value, attribute);
    let renamed = ImportOptions {
        renames: vec![("type".to_owned(), "sort".to_owned())],
        aliases: vec![("Cut".to_owned(), 4)],
        ..ImportOptions::default()
    };
    assert_eq!(aliases(&renamed), [named("Any", 7, None), named("PV", 1, Some(0)), named("Cut", 4, Some(0))]);
    let omitted = ImportOptions { omit: vec!["type".to_owned()], ..ImportOptions::default() };
    assert_eq!(aliases(&omitted), [named("Any", 7, None)]);
}

/// A description as long as a file can make it is read in time that grows with its length.
#[test]
fn long_descriptions() {
    use std::fmt::Write;
    let list = |count: u32, entry: &dyn Fn(u32) -> String| -> String {
        (0..count).map(entry).collect::<Vec<String>>().join(",")
    };
    let refused = |description: &str, expected: &str| {
        let table = format!("# gt-tools {{\"version\":1,{description}}}\nnode_id,parent_id\n0,-1\n");
        let error = import_bytes(table.as_bytes(), Format::Csv).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let attributes = list(300_000, &|number| format!("\"a{number}\":\"i8\""));
    refused(&format!("\"attributes\":{{{attributes}}}"), "more than 256 attributes");
    let metadata = list(300_000, &|number| format!("\"a{number}\":\"\""));
    refused(&format!("\"metadata\":{{{metadata}}}"), "more than 16384 entries");
    // Every tree finds what is said of it at once.
    const TREES: u32 = 100_000;
    let trees = list(TREES, &|number| format!("{{\"number\":{number},\"metadata\":{{\"k\":\"{number}\"}}}}"));
    let mut table = format!("# gt-tools {{\"version\":1,\"trees\":[{trees}]}}\ntree,node_id,parent_id\n");
    (0..TREES).for_each(|tree| writeln!(table, "{tree},0,-1").unwrap());
    let log = Log::from_bytes(import_bytes(table.as_bytes(), Format::Csv).unwrap()).unwrap();
    assert_eq!(log.tree(TREES as usize - 1).unwrap().metadata().get("k"), Some("99999"));
}

#[test]
fn an_attribute_whose_column_is_gone_is_reported() {
    let table = "# gt-tools {\"version\":1,\"game\":\"go\",\"attributes\":{\"a\":\"u8\",\"b\":\"f32\"}}\n\
                 node_id,parent_id,ply,b,c\n0,-1,0,0.1,5\n";
    let (report, log) = imported("a.csv", table, &ImportOptions::default());
    assert_eq!(report.attributes_lost, ["a"]);
    assert_eq!(kinds(&log), [("b", Kind::F32), ("c", Kind::I8)]);
}

#[test]
fn a_small_file_of_many_rows_is_stopped() {
    use parquet::data_type::Int64Type;
    use parquet::file::writer::SerializedFileWriter;
    let schema = "message m { required int64 node_id; required int64 parent_id; }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema.into(), Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for value in [5, 0] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&vec![value; 3_000_000], None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    assert!(bytes.len() < 20_000, "{}", bytes.len());
    let error = import_bytes(&bytes, Format::Parquet).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are more than 1048576 rows, the most that is taken from a file of this length"
    );
}
