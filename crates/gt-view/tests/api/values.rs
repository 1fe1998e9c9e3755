//! What a value is: exact or a bound, known or missing, finite or not.

use std::path::Path;

use gt_games::registry::{GameKind, Setup};
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};
use serde_json::{Value as Json, json};

use crate::client::Served;

/// A root with a window of ±100 and four children: a value, a lower bound, an upper bound, and nothing known.
fn bounds(path: &Path) {
    let schema = Schema::new([("alpha", Kind::I16), ("beta", Kind::I16), ("best", Kind::I16)]).unwrap();
    let log = LogWriter::create(path, Header::new("chess", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let moves = GameKind::Chess.open(&Setup::default()).unwrap().moves();
    let record = |best: Value| [Value::Int(-100), Value::Int(100), best];
    tree.enter(0).unwrap();
    for (named, best) in moves.iter().zip([Value::Int(7), Value::Int(100), Value::Int(-250), Value::Missing])
    {
        tree.enter(named.code).unwrap();
        tree.leave_values(&record(best)).unwrap();
    }
    tree.leave_values(&record(Value::Int(99))).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

const BOUNDS: [Option<&str>; 5] = [Some("exact"), Some("exact"), Some("lower"), Some("upper"), None];

/// The fields of some objects.
fn each(objects: &Json, field: &str) -> Json {
    objects.as_array().unwrap().iter().map(|object| object[field].clone()).collect()
}

#[test]
fn a_value_says_whether_it_is_a_bound() {
    let served = Served::of(&[("bounds.gtf", &bounds)]);
    assert_eq!(served.get("/api/logs")["logs"][0]["value"], "best");
    for (node, bound) in BOUNDS.iter().enumerate() {
        assert_eq!(served.get(&format!("/api/node?node={node}"))["bound"], json!(bound), "node {node}");
    }
    assert_eq!(each(&served.get("/api/children")["children"], "bound"), json!(BOUNDS[1..]));
    let board = served.get("/api/board");
    assert_eq!(each(&board["children"], "bound"), json!(BOUNDS[1..]));
    assert_eq!(each(&board["children"], "value"), json!([7, 100, -250, null]));
}

#[test]
fn pictures_by_value_and_tables_of_nodes_have_bounds() {
    let served = Served::of(&[("bounds.gtf", &bounds)]);
    for color in ["best", "best*(1-2*(@ply%252))"] {
        let path = format!("/api/picture?width=2000&color={}", color.replace("%252", "%25%202"));
        assert_eq!(served.get(&path)["rectangles"]["bound"], json!(BOUNDS), "{color}");
    }
    for color in ["alpha", "@size", ""] {
        let drawn = served.get(&format!("/api/picture?color={color}"));
        assert!(drawn["rectangles"].get("bound").is_none(), "{color}");
    }
    let text = "node: *\n\nnode: * select best, node_id\n\nnode: * select alpha\n\nnode: count(*)";
    let (run, answer) = served.run(&json!({ "text": text }).to_string());
    let found = each(&answer["results"], "bounds");
    assert_eq!(found, json!([BOUNDS, BOUNDS, null, null]));
    let sorted = served.get(&format!("/api/runs/{run}?result=0&sort=node_id&descending=true&wait=30000"));
    let falling: Vec<_> = BOUNDS.iter().rev().collect();
    assert_eq!(sorted["results"][0]["bounds"], json!(falling));
}

#[test]
fn bounds_are_those_of_gtql() {
    let served = Served::of(&[("bounds.gtf", &bounds)]);
    let (_, answer) = served.run(r#"{"text": "node: * select @bound, best"}"#);
    let result = &answer["results"][0];
    let spoken: Json = result["rows"].as_array().unwrap().iter().map(|row| row[0].clone()).collect();
    assert_eq!(spoken, result["bounds"]);
}

#[test]
fn what_is_missing_is_null() {
    let served = Served::of(&[("bounds.gtf", &bounds)]);
    assert_eq!(served.get("/api/node?node=4")["attributes"]["best"], json!(null));
    assert_eq!(served.get("/api/children")["children"][3]["attributes"]["best"], json!(null));
    let drawn = served.get("/api/picture?width=2000&color=best");
    assert_eq!(drawn["rectangles"]["value"], json!([99, 7, 100, -250, null]));
    assert_eq!((&drawn["color"]["min"], &drawn["color"]["max"]), (&json!(-250), &json!(100)));
    let (run, answer) = served.run(r#"{"text": "node: node_id = 4"}"#);
    assert_eq!(answer["results"][0]["rows"][0][6], json!(null));
    let csv = served.ask("GET", &format!("/api/runs/{run}/export"), &[], "").text();
    assert!(csv.ends_with(",-100,100,\n"), "{csv}");
}

#[test]
fn an_unfinished_node_claims_nothing() {
    let served = Served::of(&[("cut.gtf", &|path| {
        let schema = Schema::new([("best", Kind::I32), ("ended", Kind::U8)]).unwrap();
        let schema = schema.with_aliases_of("ended", [("Searched", 0), ("Cutoff", 1)]).unwrap();
        let log = LogWriter::create(path, Header::new("", schema)).unwrap();
        let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        tree.enter(0).unwrap();
        tree.enter(1).unwrap();
        tree.enter(2).unwrap();
        tree.leave_values(&[Value::Int(3), Value::Int(1)]).unwrap();
        tree.flush().unwrap();
        let bytes = std::fs::read(path).unwrap();
        drop((tree, log));
        std::fs::write(path, bytes).unwrap();
    })]);
    for node in [0, 1] {
        let open = served.get(&format!("/api/node?node={node}"));
        assert_eq!(
            (&open["unfinished"], &open["attributes"]),
            (&json!(true), &json!({"best": null, "ended": null}))
        );
    }
    let child = &served.get("/api/children?node=0")["children"][0];
    assert_eq!((&child["unfinished"], &child["attributes"]["ended"]), (&json!(true), &json!(null)));
    let left = served.get("/api/node?node=2");
    assert_eq!((&left["unfinished"], &left["attributes"]), (&json!(false), &json!({"best": 3, "ended": 1})));
    let labels = &served.get("/api/logs")["logs"][0]["attributes"][1]["labels"];
    assert_eq!(labels["of"], json!([{"name": "Searched", "value": 0}, {"name": "Cutoff", "value": 1}]));
}

/// Floats that JSON has no numbers for, and a text that is longer than anybody reads.
fn odd(path: &Path) {
    let schema = Schema::new([("best", Kind::F64), ("note", Kind::Text)]).unwrap();
    let log = LogWriter::create(path, Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    for (index, value) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MAX].into_iter().enumerate()
    {
        tree.enter(index as i64).unwrap();
        tree.leave_values(&[Value::Float(value), Value::Text("<b>\u{1b}[31m".repeat(1000))]).unwrap();
    }
    tree.leave_values(&[Value::Float(1.5), Value::Missing]).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

#[test]
fn answers_are_json_whatever_the_floats() {
    let served = Served::of(&[("odd.gtf", &odd)]);
    let (run, _) =
        served.run(r#"{"text": "node: *\n\nnode: * select best\n\nnode: max(best)\n\nnode: avg(best)"}"#);
    let mut paths =
        vec![format!("/api/runs/{run}"), "/api/children".to_owned(), "/api/node?node=1".to_owned()];
    for chart in served.get("/api/charts")["charts"].as_array().unwrap() {
        paths.push(format!("/api/chart?name={}", chart["name"].as_str().unwrap()));
    }
    for color in ["best", "best%20*%202", "@size", "child:max([]best)"] {
        for view in ["icicle", "treemap"] {
            paths.push(format!("/api/picture?view={view}&color={color}"));
        }
    }
    for path in &paths {
        // `get` reads JSON as the standard has it: NaN and Infinity are errors.
        let answer = served.get(path);
        for column in ["x", "y", "width", "height", "size"] {
            let numbers = answer["rectangles"][column].as_array().into_iter().flatten();
            assert!(numbers.clone().all(Json::is_number), "{path}: {column}");
        }
    }
    assert_eq!(served.get("/api/picture?width=2000&color=best")["rectangles"]["value"][1], json!(null));
}

#[test]
fn long_texts_are_cut_where_they_are_shown_and_whole_in_exports() {
    let served = Served::of(&[("odd.gtf", &odd)]);
    let note = served.get("/api/node?node=1")["attributes"]["note"].as_str().unwrap().to_owned();
    assert!(note.chars().count() == 2001 && note.ends_with('…'), "{} characters", note.chars().count());
    let (run, answer) = served.run(r#"{"text": "node: node_id = 1 select note"}"#);
    assert_eq!(answer["results"][0]["rows"][0][0].as_str(), Some(note.as_str()));
    let whole = served.ask("GET", &format!("/api/runs/{run}/export?format=json"), &[], "").json();
    assert_eq!(whole["rows"][0][0].as_str().unwrap().chars().count(), 8000);
}

#[test]
fn an_export_tells_an_empty_text_from_a_missing_one() {
    let served = Served::of(&[("empty.gtf", &|path| {
        let schema = Schema::new([("note", Kind::Text)]).unwrap();
        let log = LogWriter::create(path, Header::new("", schema)).unwrap();
        let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        tree.enter(0).unwrap();
        tree.enter(1).unwrap();
        tree.leave_values(&[Value::Text(String::new())]).unwrap();
        tree.leave_values(&[Value::Missing]).unwrap();
        tree.finish().unwrap();
        log.finish().unwrap();
    })]);
    let (run, _) = served.run(r#"{"text": "node: * select node_id, note"}"#);
    let csv = served.ask("GET", &format!("/api/runs/{run}/export"), &[], "").text();
    assert_eq!(csv, "node_id,note\n0,\n1,\"\"\n");
}

/// A root with many children, each too narrow for a rectangle: of forty texts, one is that of every other child. The
/// last hundred have none.
fn labelled(path: &Path) {
    let schema = Schema::new([("label", Kind::Text)]).unwrap();
    let log = LogWriter::create(path, Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    for number in 0..4000 {
        tree.enter(number).unwrap();
        let text = if number % 2 == 0 { "often".to_owned() } else { format!("text {}", number / 100) };
        tree.leave_values(&[if number < 3900 { Value::Text(text) } else { Value::Missing }]).unwrap();
    }
    tree.leave_values(&[Value::Missing]).unwrap();
    tree.finish().unwrap();
    log.finish().unwrap();
}

#[test]
fn rare_texts_are_others_and_not_missing() {
    let served = Served::of(&[("labelled.gtf", &labelled)]);
    let density = &served.get("/api/picture?width=200&color=label")["density"];
    let values = density["values"].as_array().unwrap();
    assert!(values.contains(&json!("often")) && values.contains(&json!("other")), "{values:?}");
    // What a span shows, from left to right: only the last nodes have no value.
    let shown = |place: usize| -> Vec<&Json> {
        let mix = &density["mixes"][density["mix"][place].as_u64().unwrap() as usize];
        let parts = mix.as_array().unwrap().iter();
        parts.map(|part| &values[part[0].as_u64().unwrap() as usize]).collect()
    };
    let spans = density["mix"].as_array().unwrap().len();
    assert!(shown(spans - 1).contains(&&Json::Null), "{:?}", shown(spans - 1));
    let step = density["step"].as_u64().unwrap();
    let ends = |place: usize| {
        let of = |name: &str| density[name][place].as_u64().unwrap();
        (of("column") + of("columns")) * step
    };
    let early: Vec<usize> = (0..spans).filter(|&place| ends(place) < 3800).collect();
    assert!(early.len() > 2);
    for place in early {
        assert!(!shown(place).contains(&&Json::Null), "span {place}: {:?}", shown(place));
    }
    // What an expression makes of a text that stands for others is not known.
    let is_often =
        &served.get("/api/picture?width=200&color=label%20=%20%22text%2038%22")["density"]["values"];
    assert!(is_often.as_array().unwrap().contains(&json!(null)), "{is_often}");
}
