//! Two trees merged into one: recognised, both records at a node, the totals, the steps.

use gt_games::GameKind;
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, TreeBuilder, Value as Cell};
use serde_json::json;

use crate::client::Served;
use crate::logs::{game, merged};

#[test]
fn a_merged_log_says_what_was_merged() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess)), ("merged.gtf", &merged)]);
    let logs = served.get("/api/logs");
    assert_eq!(logs["logs"][0]["diff"], json!(null));
    let diff = &logs["logs"][1]["diff"];
    assert_eq!((&diff["a"], &diff["b"]), (&json!("a.gtf, tree 3"), &json!("b.gtf")));
    assert_eq!(
        diff["attributes"],
        json!([
            {"name": "alpha", "a": "alpha", "b": "other_alpha"},
            {"name": "beta", "a": "beta", "b": "other_beta"},
            {"name": "best", "a": "best", "b": "other_best"},
        ])
    );
}

#[test]
fn a_node_has_both_records() {
    let served = Served::of(&[("merged.gtf", &merged)]);
    let changed = &served.get("/api/node?node=5")["sides"];
    assert_eq!(
        changed["a"],
        json!({"node": 3, "size": 1, "bound": "exact", "attributes": {"alpha": -15, "beta": 15, "best": 0}})
    );
    // B's bound is of B's own window.
    assert_eq!(
        changed["b"],
        json!({"node": 4, "size": 1, "bound": "upper", "attributes": {"alpha": -15, "beta": 15, "best": -20}})
    );
    assert_eq!(changed["differ"], json!(["best"]));
    let same = &served.get("/api/node?node=1")["sides"];
    assert_eq!((&same["differ"], &same["b"]["attributes"]["best"]), (&json!([]), &json!(-10)));
    let only_a = &served.get("/api/node?node=2")["sides"];
    assert_eq!((&only_a["b"], &only_a["a"]["attributes"]["best"]), (&json!(null), &json!(10)));
    let only_b = &served.get("/api/node?node=4")["sides"];
    assert_eq!((&only_b["a"], &only_b["differ"]), (&json!(null), &json!([])));
}

#[test]
fn the_totals_are_counted() {
    let served = Served::of(&[("merged.gtf", &merged)]);
    let mut totals = served.get("/api/diff");
    totals.as_object_mut().unwrap().remove("generation");
    assert_eq!(
        totals,
        json!({
            "a": {"label": "a.gtf, tree 3", "nodes": 4}, "b": {"label": "b.gtf", "nodes": 5},
            "same": 1, "changed": 2, "only_a": 1, "only_b": 2,
            "attributes": [{"name": "best", "nodes": 2}],
            "causes": [
                {"name": "TableHit", "value": 1, "nodes": 3},
                {"name": "Evaluation", "value": 2, "nodes": 2},
            ],
        })
    );
}

#[test]
fn the_library_has_queries_of_differences_that_run() {
    let served = Served::of(&[("merged.gtf", &merged), ("chess.gtf", &game(GameKind::Chess))]);
    let ready = |log: u32| {
        let library = served.get(&format!("/api/library?log={log}"));
        let queries = library["queries"].as_array().unwrap().clone();
        let is_of_differences = |query: &serde_json::Value| query["group"] == "Differences";
        queries.into_iter().filter(is_of_differences).collect::<Vec<_>>()
    };
    assert_eq!(ready(1), Vec::<serde_json::Value>::new());
    let first_nodes: Vec<serde_json::Value> = ready(0)
        .iter()
        .map(|query| {
            served.run(&json!({"text": query["text"]}).to_string()).1["results"][0]["nodes"][0].clone()
        })
        .collect();
    // No subtree grew; e7e5 is only in A, c7c5 only in B, and d2d4 changed by twenty.
    assert_eq!(first_nodes, [json!(null), json!(2), json!(3), json!(5)]);
}

/// A log that claims to be a merged tree, and is none.
fn claimed(kind: Kind, value: Cell) -> impl Fn(&std::path::Path) {
    move |path| {
        let schema = Schema::new([("difference", kind), ("other_cause", Kind::Text)]).unwrap();
        let header = Header::new("", schema.clone()).with("diff_a", "<b>").with("diff_b", "");
        let log = LogWriter::create(path, header).unwrap();
        let mut tree = TreeBuilder::new(&schema);
        tree.add(None, 0, &[value.clone(), Cell::Text("x".to_owned())]).unwrap();
        tree.finish(&log, &Metadata::new(), Options::default()).unwrap();
        log.finish().unwrap();
    }
}

#[test]
fn what_is_no_merged_tree_has_no_differences() {
    let text = claimed(Kind::Text, Cell::Text("Same".to_owned()));
    // A difference that there is no name for.
    let odd = claimed(Kind::U8, Cell::UInt(250));
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess)), ("text.gtf", &text), ("odd.gtf", &odd)]);
    let sentence =
        "this log is not two trees merged into one: make one with `gt diff`, or view two logs with `--diff`";
    for log in [0, 1] {
        assert_eq!(served.refused(&format!("/api/diff?log={log}")), (404, sentence.to_owned()));
        assert_eq!(served.get(&format!("/api/node?log={log}"))["sides"], json!(null));
    }
    let totals = served.get("/api/diff?log=2");
    assert_eq!((&totals["same"], &totals["changed"], &totals["causes"]), (&json!(0), &json!(0), &json!([])));
    assert_eq!(served.get("/api/node?log=2")["sides"]["b"]["attributes"], json!({"cause": "x"}));
    assert_eq!(served.refused("/api/diff?log=2&tree=1").0, 404);
    assert_eq!(served.refused("/api/diff?log=2&node=1").0, 400);
}
