//! Trees that are very deep or very wide, and schemas that are not the same.

use gt_diff::{Diff, Error, Options, Side, Summary};
use gt_log::{Header, Kind, Log, LogWriter, Metadata, Schema, Value};

type Rows = Vec<(i64, Value)>;

/// A root whose children are these, or a chain of them.
fn log(kind: Kind, is_chain: bool, nodes: &Rows) -> Log {
    let schema = Schema::new([("best", kind)]).unwrap();
    let writer = LogWriter::to_memory(Header::new("a game", schema)).unwrap();
    let mut tree = writer.dynamic_tree(&Metadata::new(), gt_log::Options::default()).unwrap();
    tree.enter(0).unwrap();
    for (last_move, value) in nodes {
        tree.enter(*last_move).unwrap();
        if !is_chain {
            tree.leave_values(std::slice::from_ref(value)).unwrap();
        }
    }
    if is_chain {
        nodes.iter().rev().for_each(|(_, value)| tree.leave_values(std::slice::from_ref(value)).unwrap());
    }
    tree.leave_values(&[Value::Missing]).unwrap();
    tree.finish().unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

fn compared(a: &Log, b: &Log, options: &Options) -> gt_diff::Result<Summary> {
    Diff::of(Side::new(a, a.tree(0)?, "A"), Side::new(b, b.tree(0)?, "B"), options)?.summary()
}

fn numbers(numbers: impl Iterator<Item = i64>) -> Rows {
    numbers.map(|number| (number, Value::Int(0))).collect()
}

const MANY: i64 = 100_000;

#[test]
fn deep_trees_need_no_stack() {
    let a = numbers(0..MANY);
    let mut b = a.clone();
    b[MANY as usize - 1].1 = Value::Int(7);
    b.push((5, Value::Int(1)));
    let (a, b) = (log(Kind::I32, true, &a), log(Kind::I32, true, &b));
    let summary = compared(&a, &b, &Options::default()).unwrap();
    assert_eq!((summary.only_a, summary.only_b, summary.changed_nodes), (0, 1, 1));
    let first = summary.first.unwrap();
    assert_eq!((first.line.len(), first.node_a), (MANY as usize + 1, None));
    let diff = Diff::of(
        Side::new(&a, a.tree(0).unwrap(), "A"),
        Side::new(&b, b.tree(0).unwrap(), "B"),
        &Options::default(),
    );
    let diff = diff.unwrap();
    let writer = LogWriter::to_memory(diff.merged_header().unwrap()).unwrap();
    assert_eq!(diff.write_merged(&writer).unwrap().nodes, MANY as u64 + 2);
}

#[test]
fn children_in_reverse_are_all_found() {
    let (a, b) = (numbers(0..MANY), numbers((0..MANY).rev()));
    let summary =
        compared(&log(Kind::I32, false, &a), &log(Kind::I32, false, &b), &Options::default()).unwrap();
    assert_eq!((summary.matched, summary.only_a, summary.changed_nodes), (MANY as u64 + 1, 0, 0));
    assert!(!summary.same);
}

#[test]
fn moves_of_any_size_are_told_apart() {
    let moves = [i64::MIN, i64::MAX, 0, 1 << 40, -3];
    let a = numbers(moves.into_iter());
    let b = numbers(moves.into_iter().filter(|number| *number != 0));
    let summary =
        compared(&log(Kind::I32, false, &a), &log(Kind::I32, false, &b), &Options::default()).unwrap();
    assert_eq!((summary.matched, summary.only_a, summary.only_b), (5, 1, 0));
    assert_eq!(summary.first.unwrap().line, [0]);
}

#[test]
fn numbers_of_different_types_are_compared_by_value() {
    let check = |a: (Kind, Value), b: (Kind, Value), differs: bool| {
        let one = |(kind, value): &(Kind, Value)| log(*kind, false, &vec![(1, value.clone())]);
        let summary = compared(&one(&a), &one(&b), &Options::default()).unwrap();
        assert_eq!(summary.changed, [("best".to_owned(), u64::from(differs))], "{a:?} {b:?}");
    };
    check((Kind::I8, Value::Int(-5)), (Kind::I64, Value::Int(-5)), false);
    check((Kind::U64, Value::UInt(u64::MAX)), (Kind::I8, Value::Int(-1)), true);
    check((Kind::I8, Value::Int(-1)), (Kind::U64, Value::UInt(u64::MAX)), true);
    check((Kind::F32, Value::Float(0.5)), (Kind::F64, Value::Float(0.5)), false);
    check((Kind::F64, Value::Float(f64::NAN)), (Kind::F32, Value::Float(f64::NAN)), false);
    check((Kind::F64, Value::Float(0.1)), (Kind::F32, Value::Float(0.1)), true);
    check((Kind::Text, Value::Text("a".into())), (Kind::Text, Value::Text("b".into())), true);
    check((Kind::I8, Value::Int(0)), (Kind::I8, Value::Missing), true);
}

/// A root whose children have these moves and flags, in a log that has the flag `Excluded` or not.
fn flagged(has_flag: bool, nodes: &[(i64, u64)]) -> Log {
    let schema = Schema::new([("type", Kind::U8)]).unwrap();
    let schema = if has_flag { schema.with_aliases_of("type", [("Excluded", 128)]).unwrap() } else { schema };
    let writer = LogWriter::to_memory(Header::new("a game", schema)).unwrap();
    let mut tree = writer.dynamic_tree(&Metadata::new(), gt_log::Options::default()).unwrap();
    tree.enter(0).unwrap();
    for (last_move, flags) in nodes {
        tree.enter(*last_move).unwrap();
        tree.leave_values(&[Value::UInt(*flags)]).unwrap();
    }
    tree.leave_values(&[Value::UInt(1)]).unwrap();
    tree.finish().unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// The test of a singular extension enters moves before they are searched in earnest.
#[test]
fn a_node_of_a_test_matches_no_node_in_earnest() {
    let (tested, plain) = ([(7, 132), (8, 132), (9, 2), (7, 2), (8, 2)], [(9, 2), (7, 2), (8, 2)]);
    let moves_far_apart = tested.map(|(last_move, flags)| (last_move << 58, flags));
    for (tested, plain) in [
        (tested, plain),
        (
            tested.map(|(last_move, flags)| (last_move << 14, flags)),
            plain.map(|(mv, flags)| (mv << 14, flags)),
        ),
        (moves_far_apart, plain.map(|(last_move, flags)| (last_move << 58, flags))),
    ] {
        for has_flag in [true, false] {
            let (a, b) = (flagged(true, &tested), flagged(has_flag, &plain));
            for ignore in [vec![], vec!["type".to_owned()]] {
                let options = Options { ignore, ..Options::default() };
                let summary = compared(&a, &b, &options).unwrap();
                assert_eq!((summary.matched, summary.only_a, summary.only_b), (4, 2, 0), "{has_flag}");
                assert_eq!(summary.changed_nodes, 0, "{has_flag}");
            }
        }
    }
    // Without the flag in the schema, 128 is a number like others.
    let summary = compared(&flagged(false, &tested), &flagged(false, &plain), &Options::default()).unwrap();
    assert_eq!((summary.matched, summary.only_a, summary.changed_nodes), (4, 2, 2));
}

#[test]
fn values_that_cannot_be_compared_are_told() {
    let (a, b) = (log(Kind::I8, false, &Rows::new()), log(Kind::Text, false, &Rows::new()));
    let diff = Diff::of(
        Side::new(&a, a.tree(0).unwrap(), "A"),
        Side::new(&b, b.tree(0).unwrap(), "B"),
        &Options::default(),
    );
    let diff = diff.unwrap();
    assert_eq!(diff.attributes().unlike, [("best".to_owned(), Kind::I8, Kind::Text)]);
    assert!(diff.is_same(), "only the nodes are compared");
}

#[test]
fn attributes_can_be_left_out() {
    let (a, b) = (numbers(0..3), vec![(0, Value::Int(1)), (1, Value::Int(0)), (2, Value::Int(0))]);
    let (a, b) = (log(Kind::I8, false, &a), log(Kind::I8, false, &b));
    let ignoring = Options { ignore: vec!["best".into()], ..Options::default() };
    assert!(compared(&a, &b, &ignoring).unwrap().same);
    assert!(!compared(&a, &b, &Options::default()).unwrap().same);
    for options in [
        Options { ignore: vec!["bets".into()], ..Options::default() },
        Options { only: Some(vec!["bets".into()]), ..Options::default() },
        Options { key: Some("bets".into()), ..Options::default() },
    ] {
        let error = compared(&a, &b, &options).unwrap_err();
        assert!(matches!(&error, Error::UnknownAttribute { name, .. } if name == "bets"), "{error}");
    }
}

#[test]
fn keys_match_what_lines_do_not() {
    // The value is the key: 7 is in both under other moves, 8 twice in A and once in B.
    let a = [(1, 7), (2, 8), (3, 8), (4, 9)].map(|(number, key)| (number, Value::Int(key))).to_vec();
    let b = [(11, 8), (12, 7), (4, 9)].map(|(number, key)| (number, Value::Int(key))).to_vec();
    let (a, b) = (log(Kind::I64, false, &a), log(Kind::I64, false, &b));
    let options = Options { key: Some("best".into()), ..Options::default() };
    let summary = compared(&a, &b, &options).unwrap();
    assert_eq!((summary.only_a, summary.only_b, summary.transposed), (3, 2, Some(2)));
    assert_eq!(summary.transposed_other_value, Some(0));
    assert_eq!(compared(&a, &b, &Options::default()).unwrap().transposed, None);
    let texts = log(Kind::Text, false, &Rows::new());
    assert!(matches!(compared(&texts, &texts, &options), Err(Error::KeyKind { .. })));
}

#[test]
fn other_games_and_positions_are_refused() {
    let tree = |game: &str, position: &str| {
        let writer = LogWriter::to_memory(Header::new(game, Schema::default())).unwrap();
        let mut tree = writer
            .dynamic_tree(&Metadata::new().with("position", position), gt_log::Options::default())
            .unwrap();
        tree.enter(0).unwrap();
        tree.leave_values(&[]).unwrap();
        tree.finish().unwrap();
        Log::from_bytes(writer.into_memory().unwrap()).unwrap()
    };
    let base = tree("nim", "3 4 5");
    let refused = |other: &Log| compared(&base, other, &Options::default()).unwrap_err();
    assert!(matches!(refused(&tree("hex", "3 4 5")), Error::Games { .. }));
    assert!(matches!(refused(&tree("nim", "1 2")), Error::Positions { .. }));
    assert!(compared(&base, &tree("nim", "3 4 5"), &Options::default()).unwrap().same);
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let write = |value: i64| {
        let writer =
            LogWriter::to_memory(Header::new("a game", Schema::new([("best", Kind::I32)]).unwrap())).unwrap();
        let mut tree = writer.dynamic_tree(&Metadata::new(), gt_log::Options::default()).unwrap();
        tree.enter(0).unwrap();
        for child in 0..40 {
            tree.enter(child % 7).unwrap();
            tree.leave_values(&[Value::Int(child * value % 11)]).unwrap();
        }
        tree.leave_values(&[Value::Int(value)]).unwrap();
        tree.finish().unwrap();
        writer.into_memory().unwrap()
    };
    let bytes = write(3);
    let other = Log::from_bytes(write(4)).unwrap();
    let (mut compared_at_all, mut refused) = (0, 0);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x55;
        let Ok(damaged) = Log::from_bytes(damaged) else { continue };
        if damaged.tree_count() == 0 {
            continue;
        }
        match compared(&damaged, &other, &Options::default()) {
            Ok(_) => compared_at_all += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(compared_at_all > 0 && refused > 0, "{compared_at_all} compared, {refused} refused");
}
