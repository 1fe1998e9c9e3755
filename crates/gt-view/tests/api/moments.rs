//! The search as it stood at a moment.

use std::path::Path;

use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, TreeBuilder, Value};
use serde_json::{Value as Json, json};

use crate::client::Served;
use crate::logs::extreme;

/// An alpha-beta search, node by node: its parent, alpha, beta and value, each as its own player sees it.
const SEARCH: [(Option<u64>, i64, i64, i64); 8] = [
    (None, -100, 100, 7),
    // The first move is worth 3; its reply gives it that.
    (Some(0), -100, 100, -3),
    (Some(1), -100, 100, 3),
    (Some(1), -100, -3, 9),
    // The second raises the window.
    (Some(0), -100, -3, -7),
    (Some(4), 3, 100, 7),
    // The third is refuted.
    (Some(0), -100, -7, -2),
    (Some(6), 7, 100, 2),
];

/// The same, and the third move searched twice: less deeply it is better than the second, and then it is not.
const SEARCHED_AGAIN: [(Option<u64>, i64, i64, i64); 4] =
    [(None, -100, 100, 7), (Some(0), -100, 100, -7), (Some(0), -8, -7, -9), (Some(0), -100, -7, -2)];

fn search(path: &Path) {
    write(path, &SEARCH, |number| 10 + number);
}

fn searched_again(path: &Path) {
    write(path, &SEARCHED_AGAIN, |number| number.min(2));
}

fn without_moves(path: &Path) {
    write(path, &SEARCHED_AGAIN, |_| 0);
}

fn write(path: &Path, search: &[(Option<u64>, i64, i64, i64)], move_of: fn(i64) -> i64) {
    let schema = Schema::new([("alpha", Kind::I32), ("beta", Kind::I32), ("best", Kind::I32)]).unwrap();
    let log = LogWriter::create(path, Header::new("", schema.clone())).unwrap();
    let mut tree = TreeBuilder::new(&schema);
    for (number, (parent, alpha, beta, best)) in search.iter().copied().enumerate() {
        let values = [Value::Int(alpha), Value::Int(beta), Value::Int(best)];
        tree.add(parent, move_of(number as i64), &values).unwrap();
    }
    tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
    log.finish().unwrap();
}

fn column(list: &Json, name: &str) -> Vec<Json> {
    list.as_array().unwrap().iter().map(|entry| entry[name].clone()).collect()
}

#[test]
fn a_moment_tells_what_was_open_and_what_the_root_had() {
    let served = Served::of(&[("search.gtf", &search)]);
    let first = served.get("/api/moment?after=3");
    assert_eq!(column(&first["open"], "node"), [json!(0), json!(1), json!(2)]);
    assert_eq!((&first["node"], &first["ply"], &first["nodes"]), (&json!(2), &json!(2), &json!(8)));
    assert_eq!(
        first["root"],
        json!({"best": null, "value": null, "bound": null, "alpha": -100, "beta": 100})
    );
    assert_eq!(column(&first["moves"], "nodes"), [json!(2)]);
    assert_eq!(first["moves"][0]["value"], json!(null), "it is still open");

    // The first move has been left: it is the best, and the second is searched with its value as alpha.
    let second = served.get("/api/moment?after=5");
    assert_eq!(second["root"], json!({"best": 1, "value": 3, "bound": "exact", "alpha": 3, "beta": 100}));
    assert_eq!(second["moves"][0]["line"], json!(["11", "12"]));
    assert_eq!(column(&second["moves"], "open"), [json!(false), json!(true)]);

    // The second was better, the third only at most its value.
    let third = served.get("/api/moment?after=7");
    assert_eq!((&third["root"]["best"], &third["root"]["alpha"]), (&json!(4), &json!(7)));

    let end = served.get("/api/moment");
    assert_eq!(
        (&end["open"], &end["root"]["value"], &end["root"]["best"]),
        (&json!([]), &json!(7), &json!(4))
    );
    assert_eq!(column(&end["moves"], "value"), [json!(3), json!(7), json!(2)]);
    assert_eq!(column(&end["moves"], "bound"), [json!("exact"), json!("exact"), json!("upper")]);
    assert_eq!(end, served.get("/api/moment?after=8"));
}

#[test]
fn the_best_move_is_that_of_the_last_search_of_each() {
    let served = Served::of(&[("again.gtf", &searched_again), ("without.gtf", &without_moves)]);
    let then = |after: u64| served.get(&format!("/api/moment?after={after}"))["root"].clone();
    assert_eq!((&then(3)["best"], &then(3)["value"]), (&json!(1), &json!(7)));
    assert_eq!((&then(4)["best"], &then(4)["value"]), (&json!(1), &json!(7)));
    // Where all moves have the same number, none is another's second search.
    assert_eq!(served.get("/api/moment?log=1")["root"]["best"], json!(2));
}

#[test]
fn there_is_no_moment_before_the_root_and_none_after_the_end() {
    let served = Served::of(&[("search.gtf", &search)]);
    for after in [0, 9] {
        let (status, sentence) = served.refused(&format!("/api/moment?after={after}"));
        assert_eq!(
            (status, sentence.as_str()),
            (400, format!("`after` is from 1 to 8, not {after}").as_str())
        );
    }
}

#[test]
fn very_wide_and_very_deep_trees_have_moments_too() {
    let served = Served::of(&[("extreme.gtf", &extreme(30_000))]);
    let wide = served.get("/api/moment?tree=0&after=20000");
    assert_eq!((wide["moves"].as_array().unwrap().len(), &wide["moves_count"]), (256, &json!(30_000)));
    let deep = served.get("/api/moment?tree=1&after=20000");
    assert_eq!((deep["open"].as_array().unwrap().len(), &deep["open_omitted"]), (100, &json!(19_900)));
}
