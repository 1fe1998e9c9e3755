//! `--format parquet` and `--format arrow`, read back by the libraries' own readers.

use std::fs::File;
use std::io::Cursor;

use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};
use parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::folder::Folder;

const ALL: &str = "node: * select node_id, last_move, best, score, hash, label, @line";

fn batches(folder: &Folder, name: &str) -> Vec<RecordBatch> {
    let reader = FileReader::try_new(File::open(folder.path().join(name)).unwrap(), None).unwrap();
    reader.map(|batch| batch.unwrap()).collect()
}

/// Names with types, and rows, as texts.
fn shown(batch: &RecordBatch) -> (Vec<String>, Vec<String>) {
    let schema = batch.schema();
    let columns = schema.fields().iter().map(|field| format!("{} {}", field.name(), field.data_type()));
    let cell = |column: &dyn Array, row: usize| {
        use arrow_array::cast::AsArray;
        use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
        use arrow_schema::DataType;
        match column.data_type() {
            _ if column.is_null(row) => "null".to_owned(),
            DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
            DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).to_string(),
            DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
            DataType::Boolean => column.as_boolean().value(row).to_string(),
            DataType::Utf8 => format!("'{}'", column.as_string::<i32>().value(row)),
            other => panic!("{other}"),
        }
    };
    let row = |row| batch.columns().iter().map(|column| cell(column, row)).collect::<Vec<_>>().join(" ");
    (columns.collect(), (0..batch.num_rows()).map(row).collect())
}

const ALL_COLUMNS: [&str; 7] = [
    "node_id Int64",
    "last_move Utf8",
    "best Int64",
    "score Float64",
    "hash UInt64",
    "label Utf8",
    "@line Utf8",
];
const ALL_ROWS: [&str; 5] = [
    "0 'root' 10 0.5 18446744073709551615 'start' ''",
    "1 'e2e4' -10 null 1 'a, b' 'e2e4'",
    "2 'd7d5' 20 1.5 2 'x' 'e2e4 d7d5'",
    "3 'c7c5' -5 -2.25 3 '' 'e2e4 c7c5'",
    "4 'd2d4' 7 inf 9223372036854775808 'say \"hi\"' 'd2d4'",
];

#[test]
fn rows_have_types_moves_are_texts_and_what_is_unknown_is_null() {
    let folder = Folder::with_log();
    let words = ["query", "t.gtf", "--tree", "0", ALL, "--format"];
    folder.prints(&[&words[..], &["arrow", "-o", "t.arrow"]].concat());
    let (columns, rows) = shown(&batches(&folder, "t.arrow")[0]);
    assert_eq!((columns, rows), (ALL_COLUMNS.map(String::from).into(), ALL_ROWS.map(String::from).into()));

    let stream = folder.gt(&[&words[..], &["arrow"]].concat()).stdout;
    let batch = StreamReader::try_new(Cursor::new(stream), None).unwrap().next().unwrap().unwrap();
    assert_eq!(shown(&batch).1, ALL_ROWS);

    folder.prints(&[&words[..], &["arrow", "--raw", "-o", "raw.arrow"]].concat());
    let (columns, rows) = shown(&batches(&folder, "raw.arrow")[0]);
    assert_eq!((columns[1].as_str(), columns[6].as_str()), ("last_move Int64", "@line Utf8"));
    assert_eq!(rows[2], "2 2291 20 1.5 2 'x' '1804 2291'");

    folder.prints(&[&words[..], &["parquet", "-o", "t.parquet"]].concat());
    let reader = SerializedFileReader::new(File::open(folder.path().join("t.parquet")).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(
        rows[1],
        r#"{node_id: 1, last_move: "e2e4", best: -10, score: null, hash: 1, label: "a, b", @line: "e2e4"}"#
    );
    assert!(rows[0].contains("hash: 18446744073709551615"), "{}", rows[0]);
}

/// Every kind of answer is a table; several answers of one query name their sources.
#[test]
fn counts_values_nodes_and_groups_are_tables_too() {
    let folder = Folder::with_log();
    let table = |words: &[&str]| {
        folder.prints(&[&["query", "t.gtf", "--format", "arrow", "-o", "a.arrow"], words].concat());
        let (columns, rows) = shown(&batches(&folder, "a.arrow")[0]);
        (columns.join(", "), rows.join(", "))
    };
    let of = |columns: &str, rows: &str| (columns.to_owned(), rows.to_owned());
    assert_eq!(table(&["--tree", "0", "node: count(best > 5)"]), of("count Int64", "3"));
    assert_eq!(table(&["--tree", "0", "node: best > 5", "--count"]), of("count Int64", "3"));
    assert_eq!(table(&["--tree", "0", "node: max(hash)"]), of("value UInt64", "18446744073709551615"));
    assert_eq!(table(&["--tree", "0", "node: avg(best)"]), of("value Float64", "4.4"));
    assert_eq!(table(&["--tree", "0", "node: best > 5"]), of("node_id Int64", "0, 2, 4"));
    assert_eq!(
        table(&["--tree", "0", "group by type select type, max(hash), type + 1"]),
        of(
            "type Int64, max(hash) UInt64, type + 1 Int64",
            "1 18446744073709551615 2, 2 9223372036854775808 3, 4 3 5"
        )
    );
    assert_eq!(
        table(&["node: best > 7 or best = 4 select last_move, hash & 3"]),
        of(
            "log Utf8, tree Int64, query Utf8, last_move Utf8, hash & 3 Int64",
            "'t.gtf' 0 '1' 'root' 3, 't.gtf' 0 '1' 'd7d5' 2, 't.gtf' 1 '1' 'e2e4' 0"
        )
    );
}

#[test]
fn what_makes_no_table_is_refused() {
    let folder = Folder::with_log();
    let refused = |words: &[&str]| folder.fails(&[&["query", "t.gtf"], words].concat());
    let told = refused(&["node: *\n\nnode: count(*)", "--format", "arrow"]);
    assert!(told.starts_with("gt: a table holds the answers of one query, and these are 2;"), "{told}");
    let told = refused(&["node: *", "--format", "parquet"]);
    assert_eq!(told, "gt: `--format parquet` writes a file: name it with `-o FILE`\n");
    let told = refused(&["node: *", "--format", "parquet", "-o", "x", "--limit", "3"]);
    assert!(told.starts_with("gt: result files are whole"), "{told}");
    // A number that its column cannot hold leaves no file, and the one that was there as it was.
    folder.write("x.parquet", "old");
    let told = refused(&["select best | hash", "--format", "parquet", "-o", "x.parquet"]);
    assert!(
        told.contains("column `best | hash`: 18446744073709551615 is") && told.contains("csv can hold it"),
        "{told}"
    );
    assert_eq!(folder.read("x.parquet"), "old");
    // Logs whose attributes have other types.
    folder.write("u.csv", "node_id,parent_id,hash\n0,-1,abc\n");
    folder.prints(&["import", "u.csv", "-o", "u.gtf"]);
    let told = refused(&["u.gtf", "select hash", "--format", "arrow"]);
    assert_eq!(
        told,
        "gt: the answers of t.gtf and u.gtf have columns of different types; write a file for each\n"
    );
}

/// A log of a game that is not known here, with names for its moves, and an attribute with aliases of its own.
fn named_log(folder: &Folder) {
    let schema = Schema::new([("type", Kind::U8), ("best", Kind::I16)]).unwrap();
    let schema = schema.with_aliases_of("type", [("Pv", 1), ("Cut", 2), ("Quiet", 8)]).unwrap();
    let log = LogWriter::create(folder.path().join("go.gtf"), Header::new("go", schema)).unwrap();
    log.name_moves([(72, "q16"), (361, "pass")]).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let values = |kind, best| [Value::UInt(kind), Value::Int(best)];
    tree.enter(0).unwrap();
    for (number, kind) in [(72, 10), (361, 2), (5, 4)] {
        tree.enter(number).unwrap();
        tree.leave_values(&values(kind, number)).unwrap();
    }
    tree.leave_values(&values(1, 3)).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

#[test]
fn a_logs_own_names_are_shown_and_understood() {
    let folder = Folder::new();
    named_log(&folder);
    let query = "node: * select last_move, type, best, @line";
    let table = "\
last_move  type       best  @line
0          Pv            3
q16        Cut|Quiet    72  q16
pass       Cut         361  pass
5          4             5  5
4 rows
";
    assert_eq!(folder.prints(&["query", "go.gtf", query]), table);
    let (_, out, errors) = folder.reads(&["repl", "go.gtf"], query);
    assert_eq!((out.as_str(), errors.as_str()), (table, ""));
    let raw = folder.prints(&["query", "go.gtf", query, "--raw"]);
    assert!(raw.contains("\n72           10    72  72\n"), "{raw}");
    assert_eq!(
        folder.prints(&["query", "go.gtf", "node: last_move = \"pass\""]),
        "node_id\n      2\n1 node\n"
    );
    assert_eq!(
        folder.prints(&[
            "query",
            "go.gtf",
            "group by type select type, max(type), count(*)",
            "--format",
            "table"
        ]),
        "type       max(type)  count(*)\nPv         Pv                1\nCut        Cut               1\n\
         4          4                 1\nCut|Quiet  Cut|Quiet         1\n4 rows\n"
    );
    let csv = |more: &[&str]| folder.prints(&[&["query", "go.gtf", query, "--format", "csv"], more].concat());
    assert!(csv(&["--raw"]).contains("\n72,10,72,72\n"), "{}", csv(&["--raw"]));
    assert!(csv(&[]).contains("\n72,Cut|Quiet,72,72\n"), "{}", csv(&[]));
    folder.prints(&["query", "go.gtf", query, "--format", "arrow", "-o", "go.arrow"]);
    assert_eq!(shown(&batches(&folder, "go.arrow")[0]).1[1], "'q16' 10 72 'q16'");
    let (_, out, _) =
        folder.reads(&["repl", "go.gtf"], ".raw\nnode: last_move = \"q16\" select type\n.raw\n");
    assert_eq!(out, "numbers stay numbers\ntype\n  10\n1 row\nnumbers have their names\n");
}
