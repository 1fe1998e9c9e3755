//! The format does not drift: files written once open for ever, and the document says what the code does.

use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value, Walker};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/");

/// What the samples hold: every kind, two trees, an unfinished node, nodes left out; since version 1.1 missing values,
/// values given at entry, aliases of an attribute, names of moves.
fn write_sample() -> Vec<u8> {
    let kinds = Kind::ALL.iter().map(|kind| (format!("a_{}", kind.name()), *kind));
    let schema = Schema::new(kinds).unwrap().with_aliases([("PVNode", 1), ("Lowest", i64::MIN)]).unwrap();
    let schema = schema.with_aliases_of("a_u8", [("CutNode", 2)]).unwrap();
    let log = LogWriter::to_memory(Header::new("sample", schema).with("engine", "frozen 1")).unwrap();
    log.name_moves([(7, "castle"), (-1, "pass")]).unwrap();
    for tree in 0..2 {
        let flush = gt_log::Flush { nodes_max: 700, time_ms_max: None };
        let metadata = Metadata::new().with("tree", tree);
        let mut writer = log.dynamic_tree(&metadata, Options { flush, ..Options::default() }).unwrap();
        let mut at_entry = vec![Value::Missing; Kind::ALL.len()];
        at_entry[1] = Value::Int(-321);
        at_entry[11] = Value::Text("given at entry".to_owned());
        writer.enter_values(-1, &at_entry).unwrap();
        for child in 0..1500 {
            writer.enter(child % 40).unwrap();
            writer.leave_values(&sample_values(child)).unwrap();
        }
        let marks = gt_log::Marks { unfinished: false, left_out: 12 };
        writer.enter(7).unwrap();
        writer
            .leave_marked(marks, |_, row| {
                store(&values(9), row);
                Ok(())
            })
            .unwrap();
        writer.abandon(&Metadata::new().with("value", 3)).unwrap();
    }
    log.into_memory().unwrap()
}

fn store(values: &[Value], row: &mut gt_log::Row<'_>) {
    for (value, kind) in values.iter().zip(Kind::ALL) {
        match (value, kind) {
            (Value::Int(v), Kind::I8) => row.put(&(*v as i8)),
            (Value::Int(v), Kind::I16) => row.put(&(*v as i16)),
            (Value::Int(v), Kind::I32) => row.put(&(*v as i32)),
            (Value::Int(v), Kind::I64) => row.put(v),
            (Value::Int(v), Kind::U8) => row.put(&(*v as u8)),
            (Value::Int(v), Kind::U16) => row.put(&(*v as u16)),
            (Value::Int(v), Kind::U32) => row.put(&(*v as u32)),
            (Value::UInt(v), _) => row.put(v),
            (Value::Float(v), Kind::F32) => row.put(&(*v as f32)),
            (Value::Float(v), _) => row.put(v),
            (Value::Bool(v), _) => row.put(v),
            (Value::Text(v), _) => row.put(v),
            _ => unreachable!("the sample's own values"),
        }
    }
}

/// The values of a child, of which every eleventh lacks one.
fn sample_values(child: i64) -> Vec<Value> {
    let mut values = values(child);
    if child % 11 == 0 {
        values[child as usize % Kind::ALL.len()] = Value::Missing;
    }
    values
}

fn values(i: i64) -> Vec<Value> {
    vec![
        Value::Int(i % 7 - 3),
        Value::Int(i * 11 % 1000 - 500),
        Value::Int(if i % 50 == 0 { 1 << 30 } else { i % 3 }),
        Value::Int(i64::MIN + i),
        Value::Int(i % 250),
        Value::Int(i * 37 % 60_000),
        Value::Int(4_000_000_000 + i % 2),
        Value::UInt(u64::MAX - (i % 4) as u64),
        Value::Float(f64::from(i as f32) / 4.0),
        Value::Float([0.0, -0.0, f64::INFINITY, f64::NAN][(i % 4) as usize]),
        Value::Bool(i % 3 == 0),
        Value::Text(["", "fail high", "þýðing"][(i % 3) as usize].to_owned()),
    ]
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FOLDER}{name}")).unwrap()
}

fn check_sample(bytes: Vec<u8>, minor: u16) {
    let log = Log::from_bytes(bytes).unwrap();
    assert_eq!(log.version(), (1, minor));
    log.verify(|_| {}).unwrap();
    if minor > 0 {
        assert_eq!(log.schema().aliases()[2].attribute, Some(4));
        assert_eq!((log.move_name(7), log.move_name(8)), (Some("castle"), None));
        assert!(log.header().writer.starts_with("GT-Tools "));
    }
    assert_eq!((log.game(), log.metadata().get("engine")), ("sample", Some("frozen 1")));
    assert_eq!(log.schema().alias("Lowest"), Some(i64::MIN));
    assert_eq!(log.tree_count(), 2);
    for tree in log.trees() {
        assert_eq!(tree.nodes(), 1502);
        assert_eq!(tree.left_out().unwrap(), 12);
        assert_eq!(tree.metadata().get("tree"), Some(tree.number().to_string().as_str()));
        assert_eq!(tree.metadata().get("value"), Some("3"));
        let mut walker = Walker::new(tree);
        for child in 0..1500 {
            let row = walker.find(child + 1).unwrap().row;
            assert_eq!(walker.last_move(row).unwrap(), child as i64 % 40);
            let expected = if minor == 0 { values(child as i64) } else { sample_values(child as i64) };
            for (attribute, expected) in expected.into_iter().enumerate() {
                let read = walker.value(row, attribute).unwrap();
                assert_eq!(format!("{read:?}"), format!("{expected:?}"), "node {child}");
            }
        }
        assert_eq!(tree.verify(|_| {}).unwrap().unfinished, 1);
        let root = walker.root();
        let known = if minor == 0 { Value::Missing } else { Value::Int(-321) };
        assert_eq!((walker.value(root, 1).unwrap(), walker.value(root, 0).unwrap()), (known, Value::Missing));
    }
}

#[test]
fn version_1_0_opens() {
    check_sample(sample("v1.gtf"), 0);
    check_sample(sample("v1-compact.gtf"), 0);
}

#[test]
fn version_1_1_opens() {
    check_sample(sample("v1.1.gtf"), 1);
    check_sample(sample("v1.1-compact.gtf"), 1);
}

#[test]
fn version_1_2_opens() {
    check_sample(sample("v1.2.gtf"), 2);
    check_sample(sample("v1.2-compact.gtf"), 2);
    for name in ["v1.2-encodings.gtf", "v1.2-encodings-compact.gtf"] {
        check_encodings(Log::from_bytes(sample(name)).unwrap());
    }
}

/// An attribute: its name, its type, and its value by row and ply.
type Sampled = (&'static str, Kind, fn(i64, i64) -> i64);

/// What the encodings of version 1.2 are made for, by name. The tree is a chain of 900 nodes, each with a leaf before it.
const ENCODINGS: [Sampled; 6] = [
    ("sparse", Kind::I32, |row, _| if row * 37 % 64 < 9 { row * 101 % 5000 - 2500 } else { 77 }),
    ("alternating", Kind::I32, |row, _| if row % 2 == 0 { row * 1009 } else { -row * 1009 }),
    ("ply-delta", Kind::I16, |_, ply| 1000 - ply),
    ("dictionary", Kind::I64, |row, _| [1 << 40, -7, 1 << 41, 12, 1 << 42][(row * 29 % 31 % 5) as usize]),
    // The next is 5 in half of the rows, and this one tells in which.
    ("key", Kind::Bool, |row, _| scattered(row) & 1),
    ("grouped", Kind::I32, |row, _| if scattered(row) & 1 == 0 { 5 } else { scattered(row) >> 4 & 1023 }),
];

/// A number in no order.
fn scattered(row: i64) -> i64 {
    (row + 1).wrapping_mul(0x5851_f42d_4c95_7f2d) >> 33 & 0xffff
}

fn encodings_sample() -> Vec<u8> {
    let schema = Schema::new(ENCODINGS.map(|(name, kind, _)| (name.replace('-', "_"), kind))).unwrap();
    let log = LogWriter::to_memory(Header::new("encodings", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let values = |row, ply| {
        ENCODINGS.map(|(_, kind, value)| match kind {
            Kind::Bool => Value::Bool(value(row, ply) == 1),
            _ => Value::Int(value(row, ply)),
        })
    };
    for ply in 0..900 {
        tree.enter(ply).unwrap();
        tree.enter(1).unwrap();
        tree.leave_values(&values(ply, ply + 1)).unwrap();
    }
    for ply in (0..900).rev() {
        tree.leave_values(&values(1799 - ply, ply)).unwrap();
    }
    tree.finish().unwrap();
    log.into_memory().unwrap()
}

fn check_encodings(log: Log) {
    log.verify(|_| {}).unwrap();
    let tree = log.tree(0).unwrap();
    assert_eq!(tree.nodes(), 1800);
    for (attribute, (name, _, value)) in ENCODINGS.into_iter().enumerate() {
        let column = tree.decode(0, gt_log::Column::Attribute(attribute)).unwrap();
        for row in 0..1800_i64 {
            let ply = if row < 900 { row + 1 } else { 1799 - row };
            assert_eq!(column.get(row as usize), value(row, ply), "{name}, row {row}");
        }
    }
}

#[test]
fn today_chooses_the_encodings_of_version_1_2() {
    let light = Log::from_bytes(encodings_sample()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compact.gtf");
    gt_log::compact(&light, std::fs::File::create(&path).unwrap(), 9, |_| {}).unwrap();
    let compact = Log::open(&path).unwrap();
    for (attribute, (name, ..)) in ENCODINGS.into_iter().enumerate() {
        // Only what is kept for long is grouped.
        let log = if name == "grouped" { &compact } else { &light };
        let chosen =
            log.tree(0).unwrap().encoding(0, gt_log::Column::Attribute(attribute)).unwrap().to_string();
        assert!(name == "key" || chosen.contains(name), "{name} was written as {chosen}");
    }
    check_encodings(light);
    check_encodings(compact);
}

/// A log of version 1.1 whose writer was killed: the open path has what its nodes were entered with.
#[test]
fn version_1_1_cut_off_opens() {
    let log = Log::from_bytes(sample("v1.1-cut.gtf")).unwrap();
    assert!(!log.condition().is_whole());
    let tree = log.tree(0).unwrap();
    assert_eq!((tree.nodes(), tree.verify(|_| {}).unwrap().unfinished), (701, 1));
    let mut walker = Walker::new(tree);
    assert_eq!(walker.value(700, 11).unwrap(), Value::Text("given at entry".to_owned()));
    assert_eq!(walker.value(700, 10).unwrap(), Value::Missing);
}

/// A log of version 1 whose writer was killed: no index, an open path.
#[test]
fn version_1_cut_off_opens() {
    let log = Log::from_bytes(sample("v1-cut.gtf")).unwrap();
    assert!(!log.condition().is_whole());
    assert_eq!(log.tree(0).unwrap().nodes(), 701);
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, 1);
}

/// What is written today is still the same form; the encodings may choose better, the reader must agree.
#[test]
fn today_writes_what_it_reads() {
    check_sample(write_sample(), gt_log::VERSION_MINOR);
}

/// Run with `GT_FREEZE=1` to write the samples of a new version; those of old versions are never written again.
#[test]
fn samples_are_frozen() {
    let path = format!("{FOLDER}v{}.{}.gtf", gt_log::VERSION_MAJOR, gt_log::VERSION_MINOR);
    if std::env::var_os("GT_FREEZE").is_some() && !std::path::Path::new(&path).exists() {
        let bytes = write_sample();
        for (bytes, end) in [(bytes.clone(), ""), (encodings_sample(), "-encodings")] {
            std::fs::write(path.replace(".gtf", &format!("{end}.gtf")), &bytes).unwrap();
            let compact = std::fs::File::create(path.replace(".gtf", &format!("{end}-compact.gtf"))).unwrap();
            gt_log::compact(&Log::from_bytes(bytes).unwrap(), compact, 9, |_| {}).unwrap();
        }
        let frames: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i..].starts_with(b"GTfr")).collect();
        std::fs::write(path.replace(".gtf", "-cut.gtf"), &bytes[..frames[3] + 100]).unwrap();
    }
    assert!(std::path::Path::new(&path).exists(), "freeze samples of this version: GT_FREEZE=1");
}

#[test]
fn the_document_says_what_the_code_does() {
    let document = include_str!("../../../../docs/format.md");
    let contains = |text: &str| assert!(document.contains(text), "docs/format.md lacks {text:?}");
    let magic: Vec<String> = gt_log::MAGIC.iter().map(|byte| format!("{byte:02X}")).collect();
    contains(&format!("`{}`", magic.join(" ")));
    contains(&format!("major version: {}", gt_log::VERSION_MAJOR));
    contains(&format!("minor version: {}", gt_log::VERSION_MINOR));
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    contains(&kinds.join(" | "));
    contains(&format!("| nodes of a tree | 2^{} |", gt_log::NODES_MAX.ilog2()));
    contains(&format!("| nodes open at once | 2^{} |", gt_log::DEPTH_MAX.ilog2()));
    contains(&format!("| rows of a block | 2^{} |", gt_log::BLOCK_ROWS_MAX.ilog2()));
    contains(&format!("| attributes | {} |", gt_log::ATTRIBUTES_MAX));
    contains("| aliases | 4,096 |");
    assert_eq!(gt_log::ALIASES_MAX, 4096);
    contains("| a text of a node | 65,535 bytes |");
    assert_eq!(gt_log::TEXT_BYTES_MAX, 65_535);
    let words = gt_log::RESERVED.join(" ");
    assert!(document.replace('\n', " ").contains(&words), "docs/format.md lacks the reserved names");
    // The bytes themselves: the parts stand where the tables say.
    let bytes = write_sample();
    assert_eq!(&bytes[bytes.len() - 8..], b"GTF end\n");
    let payload = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    assert_eq!(&bytes[32 + payload..36 + payload], b"GTfr");
    assert_eq!(bytes[36 + payload], 5, "names of moves come first");
    let index = u64::from_le_bytes(bytes[bytes.len() - 24..bytes.len() - 16].try_into().unwrap()) as usize;
    assert_eq!((&bytes[index..index + 4], bytes[index + 4]), (&b"GTfr"[..], 4));
}
