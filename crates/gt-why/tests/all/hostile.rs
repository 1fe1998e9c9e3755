//! Lines and logs that nobody would write by hand.

use crate::tree_text::{log_of, log_with};
use gt_log::{
    Artificial, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Shape, TreeBuilder, Value,
};
use gt_why::{Error, Reason, TreeChoice, explain};

fn artificial(shape: Shape, depth: usize, branching: u64) -> Log {
    let log = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
    let tree = Artificial { shape, depth, branching, seed: 1 };
    tree.write(&log, Options::default(), |_| ()).unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

#[test]
fn a_line_of_a_hundred_thousand_moves_is_followed() {
    let log = artificial(Shape::Chain, 100_000, 1);
    let line = vec![0; 100_000];
    let why = explain(&log, TreeChoice::LastComplete, &line).unwrap();
    assert_eq!((why.line.len(), why.line[99_999].node, why.line[0].nodes), (100_000, 100_000, 100_000));
    let text = why.text(&|_: &[i64], _| None);
    assert!(text.lines().count() < 100 && text.contains("99,940 moves"), "{text}");
    let longer = vec![0; 200_000];
    let why = explain(&log, TreeChoice::LastComplete, &longer).unwrap();
    assert_eq!((why.line.len(), why.verdict.reason), (100_000, Reason::Unknown));
}

#[test]
fn a_node_with_a_hundred_thousand_children_is_read_once() {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let mut tree = TreeBuilder::new(&schema);
    let root = tree.add(None, 0, &[Value::Int(99_999)]).unwrap();
    for number in 0..100_000 {
        tree.add(Some(root), number, &[Value::Int(-(number % 100_000))]).unwrap();
    }
    let log = LogWriter::to_memory(Header::new("wide", schema)).unwrap();
    tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let why = explain(&log, TreeChoice::LastComplete, &[70_000]).unwrap();
    assert_eq!((why.line[0].rank, why.line[0].siblings), (70_000, 100_000));
    assert_eq!(why.played.unwrap().mv.number, 99_999);
    let why = explain(&log, TreeChoice::LastComplete, &[-1]).unwrap();
    assert_eq!(why.leaves.unwrap().instead.len(), 10);
}

#[test]
fn a_log_with_nothing_but_moves_says_what_it_lacks() {
    let log =
        log_with(Schema::new([("note", Kind::I32)]).unwrap(), &[(Metadata::new(), "root\n  5\n  6\n    7")]);
    let why = explain(&log, TreeChoice::LastComplete, &[6, 7]).unwrap();
    assert_eq!((why.line[0].rank, why.line[0].nodes, why.line[1].node), (1, 2, 3));
    assert_eq!(why.verdict.reason, Reason::Unknown);
    let lacks: Vec<&str> = why.missing.iter().map(|one| one.attribute).collect();
    assert_eq!(lacks, ["best", "alpha", "depth", "reduction", "extension", "ended", "type"]);
    assert!(why.text(&|_: &[i64], _| None).contains("Without `reduction` the log does not say"));
}

#[test]
fn what_ended_a_node_is_inferred_where_the_log_does_not_say() {
    let names = ["depth", "alpha", "beta", "best", "type"].map(|name| (name, Kind::I32));
    let schema = Schema::new(names).unwrap().with_aliases([("NullMove", 64)]).unwrap();
    let tree = "
root alpha=-9 beta=9 best=2 type=1
  1 alpha=-9 beta=9 best=-2 type=1
  2 alpha=-3 beta=-2 best=0 type=1
    21 alpha=2 beta=3 best=0 type=1
  3 alpha=-3 beta=-2 best=0 type=1
    0 alpha=2 beta=3 best=0 type=64
";
    let log = log_with(schema, &[(Metadata::new(), tree)]);
    let reason = |line: &[i64]| explain(&log, TreeChoice::LastComplete, line).unwrap().verdict.reason;
    assert_eq!(
        [reason(&[1]), reason(&[2]), reason(&[3])],
        [Reason::Played, Reason::Refuted, Reason::NullMove]
    );
    assert_eq!([reason(&[2, 9]), reason(&[3, 9])], [Reason::Cutoff, Reason::NullMove]);
}

#[test]
fn extreme_numbers_are_numbers() {
    let tree = format!(
        "root alpha={low} beta={high} best=1 ended=Searched\n  {move_} alpha={low} beta={high} best={low} ended=Searched",
        low = i32::MIN,
        high = i32::MAX,
        move_ = i64::MIN,
    );
    let log = log_of(&tree);
    let why = explain(&log, TreeChoice::LastComplete, &[i64::MIN, i64::MAX]).unwrap();
    assert_eq!((why.line.len(), why.leaves.is_some()), (1, true));
    assert!(why.text(&|_: &[i64], _| None).contains(&i64::MAX.to_string()));
}

#[test]
fn a_log_without_nodes_is_refused_with_a_sentence() {
    let log = log_with(Schema::default(), &[]);
    let error = explain(&log, TreeChoice::LastComplete, &[]).unwrap_err();
    assert!(matches!(error, Error::NoTree));
    let log = log_of("root");
    assert!(explain(&log, TreeChoice::Number(7), &[]).unwrap_err().to_string().contains('7'));
}

#[test]
fn json_has_the_contract_s_keys() {
    let log = log_of("root alpha=-9 beta=9 best=2 ended=Searched\n  4 alpha=-9 beta=9 best=-2 ended=Horizon");
    let why = explain(&log, TreeChoice::LastComplete, &[4]).unwrap();
    let numbers = serde_json::to_value(&why).unwrap();
    let named =
        serde_json::to_value(why.with_names(&|_: &[i64], number| Some(format!("m{number}")))).unwrap();
    assert_eq!((&numbers["line"][0]["move"], &named["line"][0]["move"]), (&4.into(), &"m4".into()));
    let step = &named["line"][0];
    for (key, value) in [("node", 1), ("rank", 0), ("nodes", 1), ("value", 2)] {
        assert_eq!(step[key], value, "{key}");
    }
    assert_eq!((&step["bound"], &named["reason"]), (&"exact".into(), &"played".into()));
    assert_eq!(named["verdict"], "m4 is played: it is the only move that was searched.");
}
