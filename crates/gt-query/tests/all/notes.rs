//! Notes that take more than a query and a schema: ranges of a log's columns, parameters that were given.

use gt_log::{Kind, Schema};
use gt_query::{Environment, Value, compile};

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
