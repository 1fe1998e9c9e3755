//! Parquet files made to keep the importer busy or to exhaust its memory: each is refused with a sentence, soon.
//!
//! A footer is Thrift's compact form: `field` writes the number and type of a field, `list` the count and type of a
//! list's elements.

use bytes::Bytes;
use gt_convert::{Format, ImportOptions, import, import_bytes, unwatched};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::{
    ParquetMetaData, ParquetMetaDataBuilder, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;

const TRUE: u8 = 1;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

const SENSELESS: &str = "this is not well-formed Parquet: its footer or a page's header makes no sense";

/// Bytes in Thrift's compact form.
#[derive(Clone, Default)]
struct Thrift(Vec<u8>);

impl Thrift {
    /// The head of a field by its number.
    fn field(mut self, number: i16, kind: u8) -> Self {
        self.0.push(kind);
        self.varint(u64::from(number.unsigned_abs()) << 1)
    }

    fn varint(mut self, mut value: u64) -> Self {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    fn integer(self, number: i16, kind: u8, value: u64) -> Self {
        self.field(number, kind).varint(value << 1)
    }

    fn text(self, number: i16, text: &str) -> Self {
        let mut written = self.field(number, BINARY).varint(text.len() as u64);
        written.0.extend_from_slice(text.as_bytes());
        written
    }

    /// The head of a list.
    fn list(mut self, count: u64, kind: u8) -> Self {
        self.0.push(0xf0 | kind);
        self.varint(count)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn stop(self) -> Self {
        self.bytes(&[0])
    }

    /// A group of the schema with so many children.
    fn group(self, children: u64) -> Self {
        const REQUIRED: u64 = 0;
        self.integer(3, I32, REQUIRED).text(4, "g").integer(5, I32, children).stop()
    }

    /// A column of the schema.
    fn column(self) -> Self {
        const INT64: u64 = 2;
        self.integer(1, I32, INT64).integer(3, I32, 0).text(4, "c").stop()
    }
}

/// The first fields of a footer, with a schema of one column.
fn footer() -> Thrift {
    Thrift::default().integer(1, I32, 1).field(2, LIST).list(2, STRUCT).group(1).column().integer(3, I64, 1)
}

/// A file of this footer and nothing else.
fn file(footer: &Thrift) -> Vec<u8> {
    let length = (footer.0.len() as u32).to_le_bytes();
    [b"PAR1", &footer.0[..], &length, b"PAR1"].concat()
}

#[track_caller]
fn check(file: &[u8], expected: &str) {
    assert_eq!(import_bytes(file, Format::Parquet).unwrap_err().to_string(), expected);
}

/// The library skips Booleans in a list without consuming a byte: two billion of them take six.
#[test]
fn lists_of_booleans_are_not_counted_through() {
    let list = |thrift: Thrift| thrift.list(i32::MAX as u64, TRUE);
    let unknown = list(footer().field(100, LIST)).stop();
    check(&file(&unknown), SENSELESS);
    let nested = (0..20).fold(footer().field(100, LIST), |thrift, _| thrift.list(1, LIST));
    check(&file(&list(nested).stop()), SENSELESS);
    let map = footer().field(100, MAP).varint(i32::MAX as u64).bytes(&[TRUE << 4 | TRUE]).stop();
    check(&file(&map), SENSELESS);
    let in_a_struct = list(footer().field(100, STRUCT).field(1, LIST)).stop().stop();
    check(&file(&in_a_struct), SENSELESS);
    let in_the_schema = list(Thrift::default().field(2, LIST).list(1, STRUCT).field(77, LIST)).stop().stop();
    check(&file(&in_the_schema), SENSELESS);
}

/// The library reads known fields by the types it expects; a walk by the declared types would see other values.
#[test]
fn known_fields_have_their_types() {
    // Declared to be text, read as a list of row groups.
    let hidden = Thrift::default().list(i32::MAX as u64, STRUCT).0;
    let disguised = footer().field(4, BINARY).varint(hidden.len() as u64).bytes(&hidden).stop();
    check(&file(&disguised), SENSELESS);
    // A field that comes twice: the library keeps the last.
    check(&file(&footer().integer(1, I32, 2).stop()), SENSELESS);
}

#[test]
fn claims_are_held_against_what_follows() {
    check(&file(&footer().field(4, LIST).list(i32::MAX as u64, STRUCT).stop()), SENSELESS);
    let schema = Thrift::default().integer(1, I32, 1).field(2, LIST).list(2, STRUCT);
    let crowded = schema.group(i32::MAX as u64).column().integer(3, I64, 1).stop();
    check(&file(&crowded), "this is not well-formed Parquet: its schema claims more columns than it has");
}

/// The library recurses into groups: a hundred thousand of them exhaust the stack.
#[test]
fn deep_schemas_are_refused() {
    const DEPTH: u64 = 100_000;
    let schema = Thrift::default().integer(1, I32, 1).field(2, LIST).list(DEPTH + 1, STRUCT);
    let groups = (0..DEPTH).fold(schema, |thrift, _| thrift.group(1));
    let deep = groups.column().integer(3, I64, 1).stop();
    check(&file(&deep), "this is not well-formed Parquet: its columns lie more than 64 groups deep");
}

fn writer_properties() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()))
}

/// A chain of nodes with these notes, by the library's own writer.
fn table(notes: &[ByteArray], properties: WriterPropertiesBuilder) -> Vec<u8> {
    let schema =
        "message m { required int64 node_id; required int64 parent_id; required binary note (STRING); }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema.into(), properties.build().into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let rows = notes.len() as i64;
    for first in [0, -1] {
        let mut column = group.next_column().unwrap().unwrap();
        let values: Vec<i64> = (first..first + rows).collect();
        column.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(notes, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// The file with other row groups in its footer.
fn with_groups(bytes: &[u8], groups: impl FnOnce(&RowGroupMetaData) -> Vec<RowGroupMetaData>) -> Vec<u8> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap();
    let metadata: &ParquetMetaData = reader.metadata();
    let groups = groups(metadata.row_group(0));
    let metadata =
        ParquetMetaDataBuilder::new(metadata.file_metadata().clone()).set_row_groups(groups).build();
    let [.., a, b, c, d, _, _, _, _] = bytes else { panic!("it is a Parquet file") };
    let pages = bytes.len() - 8 - u32::from_le_bytes([*a, *b, *c, *d]) as usize;
    let mut crafted = bytes[..pages].to_vec();
    // The writer gives its footer's place by how far it has come itself.
    let mut footer = Vec::new();
    ParquetMetaDataWriter::new(&mut footer, &metadata).finish().unwrap();
    crafted.extend_from_slice(&footer);
    crafted
}

const TOO_MUCH: &str =
    "its pages hold far more than a file of its length should; write it anew with less compression";

#[test]
fn row_groups_that_share_their_pages_are_counted() {
    // Sixteen megabytes of zeros, written once and claimed a thousand times.
    let notes = vec![ByteArray::from(vec![b'0'; 60_000]); 280];
    let bytes = table(&notes, writer_properties().set_dictionary_enabled(false));
    let crafted = with_groups(&bytes, |group| vec![group.clone(); 1000]);
    assert!(crafted.len() < 1 << 20, "{}", crafted.len());
    let error = import_bytes(&crafted, Format::Parquet).unwrap_err().to_string();
    assert!(error.ends_with(TOO_MUCH), "{error}");
}

#[test]
fn texts_that_share_their_beginnings_are_counted() {
    let beginning = "0".repeat(60_000);
    let text = |node: u32| ByteArray::from(format!("{beginning}{node}").into_bytes());
    let notes: Vec<ByteArray> = (0..12_000).map(text).collect();
    let properties =
        writer_properties().set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY);
    let properties = ["node_id", "parent_id"].into_iter().fold(properties, |properties, name| {
        properties.set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED)
    });
    let bytes = table(&notes, properties);
    assert!(bytes.len() < 1 << 17, "{}", bytes.len());
    let error = import_bytes(&bytes, Format::Parquet).unwrap_err().to_string();
    assert!(error.ends_with(TOO_MUCH), "{error}");
}

#[test]
fn rows_that_are_only_claimed_are_missed() {
    let bytes = table(&[ByteArray::from("x")], writer_properties());
    for claimed in [2, 1 << 40, i64::MAX] {
        let crafted = with_groups(&bytes, |group| {
            vec![group.clone().into_builder().set_num_rows(claimed).build().unwrap()]
        });
        let error = import_bytes(&crafted, Format::Parquet).unwrap_err().to_string();
        assert!(error.ends_with("it has fewer rows than it says"), "{error}");
    }
}

/// Imports a file of two columns that takes next to nothing: all rows but the root hang below the first.
fn import_star(ids: &[i64], copies: usize, expected: &str) {
    let schema = "message m { required int64 node_id; required int64 parent_id; }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    let properties = writer_properties()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BINARY_PACKED)
        .set_data_page_row_count_limit(usize::MAX)
        .set_data_page_size_limit(usize::MAX);
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema.into(), properties.build().into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let parents: Vec<i64> = ids.iter().map(|id| if *id == 0 { -1 } else { 0 }).collect();
    for values in [ids, &parents] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let bytes = with_groups(&bytes, |group| vec![group.clone(); copies]);
    assert!(bytes.len() < 20_000, "{}", bytes.len());
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.parquet"), folder.path().join("a.gtf"));
    std::fs::write(&source, bytes).unwrap();
    let error = import(&source, None, &ImportOptions::default(), &target, &mut unwatched).unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn rows_are_limited_by_the_length_of_the_file() {
    let ids: Vec<i64> = (0..8_000_000).collect();
    import_star(&ids, 1, "rows, the most that is taken from a file of this length");
}

#[test]
fn memory_for_sorting_is_limited_by_the_length_of_the_file() {
    let ids = vec![5; 1_000_000];
    import_star(&ids, 50, "sorting them takes more than 268435456 bytes");
}

/// A page's header that names its size twice: the library believes the second.
#[test]
fn a_page_has_one_size() {
    let bytes = table(&[ByteArray::from("x")], WriterProperties::builder().set_dictionary_enabled(false));
    let header = Thrift::default().integer(1, I32, 0).integer(2, I32, 8).integer(3, I32, 8);
    let data =
        Thrift::default().integer(1, I32, 1).integer(2, I32, 0).integer(3, I32, 3).integer(4, I32, 3).stop();
    let page = |header: Thrift| header.field(5, STRUCT).bytes(&data.0).stop().bytes(&0_i64.to_le_bytes()).0;
    for (page, sound) in [(page(header.clone()), true), (page(header.integer(2, I32, 1 << 30)), false)] {
        // The new page stands behind the old ones, and the first column is said to lie there.
        let crafted = with_groups(&bytes, |group| {
            let offset = bytes.len() as i64;
            let column = group.column(0).clone().into_builder();
            let column = column
                .set_data_page_offset(offset)
                .set_total_compressed_size(page.len() as i64)
                .build()
                .unwrap();
            let mut group = group.clone().into_builder();
            let mut columns = group.take_columns();
            columns[0] = column;
            vec![group.set_column_metadata(columns).build().unwrap()]
        });
        let footer = crafted[crafted.len() - 8..]
            .first_chunk::<4>()
            .map(|length| u32::from_le_bytes(*length))
            .unwrap();
        let footer = &crafted[crafted.len() - 8 - footer as usize..];
        let mut file = bytes.clone();
        file.extend_from_slice(&page);
        file.extend_from_slice(footer);
        match import_bytes(&file, Format::Parquet) {
            Ok(_) => assert!(sound, "the second size was believed"),
            Err(error) => assert!(!sound && error.to_string().ends_with(SENSELESS), "{error}"),
        }
    }
}
