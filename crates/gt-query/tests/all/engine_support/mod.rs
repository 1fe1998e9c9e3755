//! What the tests of the engine share: plain trees written into logs.

use gt_log::{Flush, Header, Kind, Log, LogWriter, Marks, Metadata, Options, Row};
use gt_query::engine::{self, Finding};
use gt_query::plain_tree::{PlainTree, Visit};
use gt_query::{Answer, Program, RunError, Value};

/// How a tree is cut into blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// The rows of a block.
    pub(crate) rows: usize,
    /// Also end a block at every so many nodes that are entered; 0 for never.
    pub(crate) at_every_enter: usize,
    /// Whether the log is compacted.
    pub(crate) compact: bool,
}

impl Cut {
    pub(crate) fn rows(rows: usize) -> Self {
        Self { rows, at_every_enter: 0, compact: false }
    }
}

/// Writes a tree into a log.
pub(crate) fn log_of(tree: &PlainTree, cut: Cut) -> Log {
    let log = Log::from_bytes(bytes_of(tree, cut)).expect("a log");
    if !cut.compact {
        return log;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("compact.gtf");
    gt_log::compact(&log, std::fs::File::create(&path).expect("a new file"), gt_log::COMPACT_LEVEL, |_| {})
        .expect("a compacted log");
    Log::from_bytes(std::fs::read(path).expect("its bytes")).expect("a compacted log")
}

/// The bytes of the log, not compacted.
pub(crate) fn bytes_of(tree: &PlainTree, cut: Cut) -> Vec<u8> {
    let header = Header::new("random", tree.schema().clone());
    let log = LogWriter::to_memory(header).expect("a log in memory");
    let flush = Flush { nodes_max: cut.rows, time_ms_max: None };
    let options = Options { flush, ..Options::default() };
    let mut writer = log.dynamic_tree(&Metadata::new(), options).expect("a tree");
    let mut entered = 0;
    for visit in tree.walk() {
        match visit {
            Visit::Enter(node) => {
                writer.enter(tree.nodes()[node].last_move).expect("one root");
                entered += 1;
                if cut.at_every_enter > 0 && entered % cut.at_every_enter == 0 {
                    writer.flush().expect("a block");
                }
            }
            Visit::Leave(number) => {
                let node = &tree.nodes()[number];
                let marks = Marks { unfinished: node.unfinished, left_out: node.left_out };
                let stored = writer.leave_marked(marks, |schema, row| {
                    for (attribute, value) in schema.attributes().iter().zip(&node.values) {
                        match value {
                            // What is unknown is missing in one log, and not a number in another.
                            None if attribute.kind == Kind::F64 && number % 2 == 0 => row.put(&f64::NAN),
                            value => put(row, attribute.kind, value.as_ref()),
                        }
                    }
                    Ok(())
                });
                stored.expect("the values fit");
            }
        }
    }
    writer.finish().expect("the tree is whole");
    log.into_memory().expect("the bytes")
}

/// Puts a value, or that it is missing.
pub(crate) fn put(row: &mut Row<'_>, kind: Kind, value: Option<&Value>) {
    let integer = match value {
        None => return row.put_missing(kind),
        Some(Value::Integer(value)) => *value,
        Some(_) => 0,
    };
    match (kind, value) {
        (Kind::I8, _) => row.put(&(integer as i8)),
        (Kind::I16, _) => row.put(&(integer as i16)),
        (Kind::I32, _) => row.put(&(integer as i32)),
        (Kind::I64, _) => row.put(&(integer as i64)),
        (Kind::U8, _) => row.put(&(integer as u8)),
        (Kind::U16, _) => row.put(&(integer as u16)),
        (Kind::U32, _) => row.put(&(integer as u32)),
        (Kind::U64, _) => row.put(&(integer as u64)),
        (Kind::F32, Some(Value::Float(value))) => row.put(&(*value as f32)),
        (Kind::F64, Some(Value::Float(value))) => row.put(value),
        (Kind::F32, _) => row.put(&f32::NAN),
        (Kind::F64, _) => row.put(&f64::NAN),
        (Kind::Bool, value) => row.put(&(value == Some(&Value::Boolean(true)))),
        (Kind::Text, Some(Value::Text(text))) => row.put(&&**text),
        (Kind::Text, _) => row.put(&""),
    }
}

/// The engine's answers for the first tree of a log; matches are read both at once and one by one.
pub(crate) fn answers(program: &Program, log: &Log, threads: usize) -> Vec<Result<Answer, RunError>> {
    let options = engine::Options { threads, ..engine::Options::default() };
    let tree = log.tree(0).expect("a tree");
    let answers = engine::run(program, tree, &options).expect("a sound log").answers;
    let findings = engine::find(program, tree, &options).expect("a sound log");
    for (found, answer) in findings.found.iter().zip(&answers) {
        if let (Ok(Finding::Matches(matches)), Ok(Answer::Nodes(nodes))) = (found, answer) {
            let one_by_one: Result<Vec<u64>, _> = matches.iter(&options).collect();
            assert_eq!(one_by_one.expect("a sound log"), *nodes);
        }
    }
    answers
}
