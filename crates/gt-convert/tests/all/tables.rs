//! Tables of any columns, read back by the readers of the Parquet and Arrow libraries, and by pyarrow where it is there.

use std::io::Cursor;
use std::process::Command;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::DataType;
use bytes::Bytes;
use gt_convert::{ErrorKind, Result, TableColumn, TableFile, TableType};
use gt_log::Value;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

#[derive(Clone, Copy, Debug)]
enum Form {
    Parquet,
    ArrowFile,
    ArrowStream,
}

const FORMS: [Form; 3] = [Form::Parquet, Form::ArrowFile, Form::ArrowStream];

fn columns(columns: &[(&str, TableType)]) -> Vec<TableColumn> {
    let column = |(name, value_type): &(&str, TableType)| TableColumn {
        name: (*name).to_owned(),
        value_type: *value_type,
    };
    columns.iter().map(column).collect()
}

fn written(form: Form, columns: &[TableColumn], rows: &[Vec<Value>]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut table = match form {
        Form::Parquet => TableFile::parquet(columns, &mut bytes)?,
        Form::ArrowFile => TableFile::arrow_file(columns, &mut bytes)?,
        Form::ArrowStream => TableFile::arrow_stream(columns, &mut bytes)?,
    };
    rows.iter().try_for_each(|row| table.row(row.clone()))?;
    table.finish()?;
    Ok(bytes)
}

/// The names of the columns, and the rows.
type Table = (Vec<String>, Vec<Vec<Value>>);

fn read(form: Form, bytes: Vec<u8>) -> Table {
    let of_batches = |schema: arrow_schema::SchemaRef, batches: Vec<RecordBatch>| {
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        (names, batches.iter().flat_map(rows_of).collect())
    };
    match form {
        Form::Parquet => read_parquet(bytes),
        Form::ArrowFile => {
            let reader = FileReader::try_new(Cursor::new(bytes), None).unwrap();
            of_batches(reader.schema(), reader.map(|batch| batch.unwrap()).collect())
        }
        Form::ArrowStream => {
            let reader = StreamReader::try_new(Cursor::new(bytes), None).unwrap();
            of_batches(reader.schema(), reader.map(|batch| batch.unwrap()).collect())
        }
    }
}

fn rows_of(batch: &RecordBatch) -> Vec<Vec<Value>> {
    let value = |array: &dyn Array, row: usize| match array.data_type() {
        _ if array.is_null(row) => Value::Missing,
        DataType::Int64 => Value::Int(array.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => Value::UInt(array.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => Value::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row).to_owned()),
        other => panic!("a column of type {other}"),
    };
    let row = |row| batch.columns().iter().map(|array| value(array, row)).collect();
    (0..batch.num_rows()).map(row).collect()
}

fn read_parquet(bytes: Vec<u8>) -> Table {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let schema = reader.metadata().file_metadata().schema().clone();
    let names = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let value = |field: &Field| match field {
        Field::Null => Value::Missing,
        Field::Long(value) => Value::Int(*value),
        Field::ULong(value) => Value::UInt(*value),
        Field::Double(value) => Value::Float(*value),
        Field::Bool(value) => Value::Bool(*value),
        Field::Str(value) => Value::Text(value.clone()),
        other => panic!("a cell {other:?}"),
    };
    let rows = reader.get_row_iter(None).unwrap();
    (names, rows.map(|row| row.unwrap().get_column_iter().map(|(_, cell)| value(cell)).collect()).collect())
}

const TYPES: [(&str, TableType); 5] = [
    ("best", TableType::Integer),
    ("hash", TableType::Unsigned),
    ("avg(score)", TableType::Float),
    ("is won", TableType::Boolean),
    ("@line", TableType::Text),
];

fn rows() -> Vec<Vec<Value>> {
    let text = |text: &str| Value::Text(text.to_owned());
    vec![
        vec![
            Value::Int(i64::MIN),
            Value::UInt(u64::MAX),
            Value::Float(0.1),
            Value::Bool(true),
            text("e2e4 ♞"),
        ],
        vec![const { Value::Missing }; 5],
        vec![Value::Int(i64::MAX), Value::UInt(0), Value::Float(f64::INFINITY), Value::Bool(false), text("")],
    ]
}

#[test]
fn every_type_comes_back_and_what_is_missing_is_null() {
    for form in FORMS {
        let (names, read) = read(form, written(form, &columns(&TYPES), &rows()).unwrap());
        assert_eq!(names, TYPES.map(|(name, _)| name), "{form:?}");
        assert_eq!(read, rows(), "{form:?}");
    }
}

#[test]
fn tables_may_be_empty_and_of_many_batches() {
    let numbers = columns(&[("n", TableType::Integer), ("t", TableType::Text)]);
    let row = |number: i64| match number % 3 {
        0 => vec![Value::Missing, Value::Text(number.to_string())],
        _ => vec![Value::Int(number), Value::Missing],
    };
    for form in FORMS {
        for count in [0, 1, (1 << 17) - 1, 1 << 17, 300_000] {
            let rows: Vec<Vec<Value>> = (0..count).map(row).collect();
            let (names, read) = read(form, written(form, &numbers, &rows).unwrap());
            assert_eq!(names, ["n", "t"]);
            assert!(read == rows, "{form:?}: {count} rows came back as {}", read.len());
        }
    }
}

#[test]
fn columns_have_names_of_their_own() {
    let same = ["a", "a_2", "a", "a", "b"].map(|name| (name, TableType::Integer));
    for form in FORMS {
        let (names, _) = read(form, written(form, &columns(&same), &[]).unwrap());
        assert_eq!(names, ["a", "a_2", "a_3", "a_4", "b"], "{form:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let cases = [
        (TableType::Integer, Value::UInt(1 << 63), "row 2, column `x`: 9223372036854775808 is out of range"),
        (TableType::Unsigned, Value::Int(-1), "row 2, column `x`: -1 is out of range"),
    ];
    for (value_type, value, told) in cases {
        let error =
            written(Form::Parquet, &columns(&[("x", value_type)]), &[vec![Value::Int(1)], vec![value]])
                .unwrap_err();
        assert!(error.to_string().starts_with(told), "{error}");
    }
    let text = vec![Value::Text("7".to_owned())];
    let error = written(Form::ArrowFile, &columns(&[("x", TableType::Float)]), &[text]).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::WrongValue { .. }), "{error}");
}

/// A target that cannot be written is told as such.
#[test]
fn a_full_disk_is_an_error_of_the_system() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let columns = columns(&TYPES);
    let mut full = Full;
    let error = TableFile::arrow_stream(&columns, &mut full).and_then(TableFile::finish).unwrap_err();
    assert!(matches!(&*error.kind, ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::StorageFull));
}

#[test]
fn pyarrow_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (form, name) in FORMS.into_iter().zip(["t.parquet", "t.arrow", "t.arrows"]) {
        std::fs::write(folder.path().join(name), written(form, &columns(&TYPES), &rows()).unwrap()).unwrap();
    }
    let script = r#"
import sys
try:
    import pyarrow as pa, pyarrow.parquet as pq
except ImportError:
    sys.exit(77)
tables = [pq.read_table("t.parquet"), pa.ipc.open_file("t.arrow").read_all(), pa.ipc.open_stream("t.arrows").read_all()]
for table in tables:
    print([str(field.type) for field in table.schema], table.to_pydict())
"#;
    let python = Command::new("python3").args(["-c", script]).current_dir(folder.path()).output();
    let output = match python {
        Ok(output) if output.status.code() != Some(77) => output,
        _ => return println!("skipped: python3 with pyarrow is not installed"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let out = String::from_utf8(output.stdout).unwrap();
    let expected = "['int64', 'uint64', 'double', 'bool', 'string'] {'best': [-9223372036854775808, None, \
                    9223372036854775807], 'hash': [18446744073709551615, None, 0], 'avg(score)': [0.1, None, inf], \
                    'is won': [True, None, False], '@line': ['e2e4 ♞', None, '']}";
    assert_eq!(out.lines().collect::<Vec<_>>(), [expected; 3]);
}
