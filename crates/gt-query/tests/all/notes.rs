//! Notes that take more than a query and a schema: ranges of a log's columns, parameters that were given.

use gt_log::{Kind, Schema};
use gt_query::{Environment, MoveCodec, Value, compile};

fn schema() -> Schema {
    Schema::new([("best", Kind::I32), ("type", Kind::U8), ("hash", Kind::U64), ("ratio", Kind::F64)]).unwrap()
}

fn notes(text: &str, environment: &Environment<'_>) -> Vec<String> {
    let program = compile(text, environment).unwrap_or_else(|errors| panic!("{errors:?} in {text}"));
    program.notes.into_iter().map(|note| note.text).collect()
}

#[test]
fn comparisons_that_no_value_of_the_log_satisfies() {
    let schema = schema();
    let ranges = vec![Some((-2, 5)), Some((1, 2)), None, None];
    let environment = Environment::new(&schema).with_ranges(ranges);
    let never = [
        "best > 5",
        "best >= 6",
        "best < -2",
        "best = 6",
        "best = -2.5 - 1",
        "5 < best",
        "[^]best > 100",
        "type & 4",
        "type & 12",
        "type = 9.5",
        "not best > 5",
    ];
    for text in never {
        let found = notes(&format!("node: {text}"), &environment);
        let name = if text.contains("type") {
            "`type` lies between 1 and 2"
        } else {
            "`best` lies between -2 and 5"
        };
        assert_eq!(found, [format!("this is never true: {name} in this log")], "{text}");
    }
    let sometimes = [
        "best > 4",
        "best >= 5",
        "best < -1",
        "best = 5",
        "best != 7",
        "5 <= best",
        "best + 1 > 100",
        "type & 2",
        "type & 6",
        "hash < 0",
        "ratio > 1e9",
        "best > ratio",
    ];
    for text in sometimes {
        assert!(notes(&format!("node: {text}"), &environment).is_empty(), "{text}");
    }
    let constant = Environment::new(&schema).with_ranges(vec![Some((3, 3))]);
    assert_eq!(notes("node: best != 3", &constant).len(), 1);
    assert_eq!(notes("child: count([]best > 3) > 0", &constant).len(), 1);
}

#[test]
fn a_flag_compared_where_values_have_several() {
    let schema = schema().with_aliases_of("type", [("PVNode", 1), ("QNode", 8)]).unwrap();
    let with = |most| Environment::new(&schema).with_ranges(vec![None, Some((1, most))]);
    for text in ["type = QNode", "type != PVNode", "PVNode = type", "type = PVNode or best > 3"] {
        let found = notes(&format!("node: {text}"), &with(9));
        assert_eq!(
            found,
            ["values of `type` have several flags in this log, and this compares all of them"],
            "{text}"
        );
        // Each node has one flag here, so `=` asks what it seems to.
        assert!(notes(&format!("node: {text}"), &with(8)).is_empty(), "{text}");
    }
    for text in ["type & QNode", "type = 8", "type = type", "best = QNode", "type > PVNode"] {
        let found = notes(&format!("node: {text}"), &with(9));
        assert!(found.iter().all(|note| !note.contains("flags")), "{text}: {found:?}");
    }
    // Numbers that are no flags: `=` is how these are asked for.
    let codes = schema_of_codes();
    let ranges = vec![None, Some((1, 9))];
    assert!(notes("node: type = Second", &Environment::new(&codes).with_ranges(ranges)).is_empty());
}

#[test]
fn a_value_is_no_condition() {
    let mend = |schema: &Schema, text: &str| {
        let errors = compile(text, &Environment::new(schema)).expect_err(text);
        errors.iter().map(|error| error.label().unwrap_or_default()).collect::<Vec<_>>()
    };
    let flags = schema().with_aliases_of("type", [("PVNode", 1), ("QNode", 8)]).unwrap();
    assert_eq!(mend(&flags, "node: PVNode"), ["write `type & PVNode`"]);
    assert_eq!(mend(&flags, "child: count(not QNode) > 1"), ["write `type & QNode`"]);
    assert_eq!(mend(&schema_of_codes(), "node: best > 3 and Third"), ["write `type = Third`"]);
    // An alias of no attribute in particular.
    let free = schema().with_aliases([("Mate", 32000)]).unwrap();
    assert_eq!(mend(&free, "node: Mate"), ["compare it with something, as in `… > 0`"]);
}

#[test]
fn a_move_without_quotes() {
    struct OneMove;
    impl MoveCodec for OneMove {
        fn number(&self, text: &str) -> Option<i64> {
            (text == "e2e4").then_some(796)
        }

        fn text(&self, number: i64) -> Option<String> {
            (number == 796).then(|| "e2e4".to_owned())
        }
    }
    let schema = schema();
    let environment = Environment::new(&schema).with_moves(&OneMove);
    let labels = |text: &str| {
        let errors = compile(text, &environment).expect_err(text);
        errors.iter().map(|error| error.label().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(labels("node: last_move = e2e4"), ["did you mean `\"e2e4\"`?"]);
    assert_eq!(labels("node: last_move = e2e9"), [""]);
}

fn schema_of_codes() -> Schema {
    schema().with_aliases_of("type", [("First", 1), ("Second", 2), ("Third", 3)]).unwrap()
}

#[test]
fn parameters_that_no_query_uses() {
    let schema = schema();
    let environment = Environment::new(&schema)
        .with_parameter("x", Value::Integer(2))
        .with_parameter_text("depth", "7")
        .with_metadata("engine", "Fruit");
    assert!(notes("node: best > $x and best < $depth", &environment).is_empty());
    assert_eq!(
        notes("let a = $x\nnode: best > a", &environment),
        ["`$depth` was given, but no query uses it"]
    );
    // What was given by hand stays asked for, whatever the log says.
    let both = Environment::new(&schema).with_parameter_text("x", "1").with_metadata("x", "2");
    assert_eq!(notes("node: best > 1", &both), ["`$x` was given, but no query uses it"]);
}
