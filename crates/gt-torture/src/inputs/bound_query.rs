//! Any text as queries of a fixed tree: where they bind, the engine and the reference give the same answers.

use std::sync::OnceLock;

use gt_log::{Flush, Header, Kind, Log, LogWriter, Metadata, Options, Schema};
use gt_query::engine::Finding;
use gt_query::plain_tree::PlainTree;
use gt_query::{Answer, Environment, Value, compile, engine, reference};

/// A tree of 121 nodes with two attributes, as a log of small blocks and as a plain tree.
fn trees() -> &'static (Schema, Log, PlainTree) {
    static TREES: OnceLock<(Schema, Log, PlainTree)> = OnceLock::new();
    TREES.get_or_init(|| {
        let kinds = [("type", Kind::I32), ("best", Kind::I32)];
        let schema = Schema::new(kinds).and_then(|s| s.with_aliases([("PVNode", 1)])).expect("good names");
        let log = LogWriter::to_memory(Header::new("fuzz", schema.clone())).expect("memory");
        let flush = Flush { nodes_max: 7, time_ms_max: None };
        let options = Options { flush, ..Options::default() };
        let mut writer = log.dynamic_tree(&Metadata::new(), options).expect("memory");
        let mut plain = PlainTree::new(schema.clone());
        grow(&mut writer, &mut plain, None, 0, 4);
        writer.finish().expect("memory");
        let log = Log::from_bytes(log.into_memory().expect("memory")).expect("just written");
        (schema, log, plain)
    })
}

fn grow(writer: &mut gt_log::TreeWriter, plain: &mut PlainTree, parent: Option<usize>, mv: i64, depth: i64) {
    let values = [(mv + depth) % 4, depth * mv - 3];
    writer.enter(mv).expect("memory");
    let own = plain.push(parent, mv, values.map(|value| Some(Value::Integer(value.into()))).to_vec());
    if depth > 0 {
        (1..=3).for_each(|mv| grow(writer, plain, own, mv, depth - 1));
    }
    writer.leave_values(&values.map(gt_log::Value::Int)).expect("memory");
}

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (schema, log, plain) = trees();
    let Ok(program) = compile(text, &Environment::new(schema)) else { return };
    let tree = log.tree(0).expect("there is one");
    let options = engine::Options { threads: 1, ..engine::Options::default() };
    let outcome = engine::run(&program, tree, &options).expect("a sound log");
    let expected = reference::answer(&program, plain);
    assert_eq!(outcome.answers, expected);
    let findings = engine::find(&program, tree, &options).expect("a sound log");
    for (found, expected) in findings.found.iter().zip(&expected) {
        if let (Ok(Finding::Matches(matches)), Ok(Answer::Nodes(expected))) = (found, expected) {
            let one_by_one: Result<Vec<u64>, _> = matches.iter(&options).collect();
            assert_eq!(one_by_one.expect("a sound log"), *expected);
        }
    }
}
