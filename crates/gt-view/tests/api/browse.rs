//! Logs, nodes, children, lines.

use gt_games::GameKind;
use serde_json::json;

use crate::client::Served;
use crate::logs::{extreme, game};

#[test]
fn logs_are_listed_with_what_they_hold() {
    let served =
        Served::of(&[("chess.gtf", &game(GameKind::Chess)), ("ttt.gtf", &game(GameKind::TicTacToe))]);
    let listing = served.get("/api/logs");
    let logs = listing["logs"].as_array().unwrap();
    assert_eq!(logs.len(), 2);
    assert_eq!((&logs[0]["name"], &logs[1]["name"]), (&json!("chess.gtf"), &json!("ttt.gtf")));
    assert_eq!(logs[0]["game"], "chess");
    assert_eq!(
        (&logs[0]["growing"], &logs[0]["recovered"], &logs[0]["board"]),
        (&json!(false), &json!(null), &json!(true))
    );
    assert_eq!(
        logs[0]["trees"][1],
        json!({
            "tree": 1, "label": "depth 2", "nodes": 81, "leaves": 77, "depth": 2, "finished": true,
            "metadata": logs[0]["trees"][1]["metadata"],
        })
    );
    let labels = &logs[0]["attributes"][1]["labels"];
    assert_eq!(
        (&labels["kind"], &labels["of"][1]),
        (&json!("flags"), &json!({"name": "CutNode", "value": 2}))
    );
    assert!(logs[0]["derived"].as_array().unwrap().contains(&json!("@height")));
    assert_eq!(logs[0]["metadata"]["engine"], "a test");
}

#[test]
fn a_node_is_told_with_its_line_and_position() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let root = served.get("/api/node?tree=1");
    assert_eq!(
        (&root["parent"], &root["text"], &root["size"], &root["children"]),
        (&json!(null), &json!("root"), &json!(81), &json!(20))
    );
    let reply = served.get("/api/node?tree=1&node=2");
    assert_eq!(
        (&reply["ply"], &reply["parent"], &reply["index"], &reply["siblings"]),
        (&json!(2), &json!(1), &json!(0), &json!(20))
    );
    let line: Vec<&str> =
        reply["line"].as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect();
    assert_eq!(line.len(), 3);
    assert_eq!((line[0], line[2]), ("root", reply["text"].as_str().unwrap()));
    assert!(reply["position"].as_str().unwrap().contains(" w "), "{reply}");
    // An integer beyond what JavaScript holds is a text.
    assert_eq!(reply["attributes"]["hash"], (u64::MAX - 2).to_string());
    assert_eq!(reply["attributes"]["note"], "even");
}

#[test]
fn children_come_in_stretches() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let all = served.get("/api/children?tree=1&node=0&limit=1000");
    assert_eq!((&all["count"], all["children"].as_array().unwrap().len()), (&json!(20), 20));
    let some = served.get("/api/children?tree=1&node=0&offset=5&limit=3");
    assert_eq!(some["children"].as_array().unwrap()[..], all["children"].as_array().unwrap()[5..8]);
    assert_eq!(all["children"][0]["children"], 20);
    assert_eq!(all["children"][7]["children"], 0);
    let beyond = served.get("/api/children?tree=1&node=0&offset=18446744073709551615&limit=10");
    assert_eq!(beyond["children"], json!([]));
}

#[test]
fn lines_are_found_as_people_write_them() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let first = served.get("/api/node?tree=1&node=1")["text"].as_str().unwrap().to_owned();
    assert_eq!(served.get(&format!("/api/find?tree=1&line={first}%20e7e5"))["ply"], 2);
    assert_eq!(served.get(&format!("/api/find?tree=1&line={first}+Nf6"))["ply"], 2);
    assert_eq!(served.get("/api/find?tree=1&line=e7e5&from=1")["ply"], 2);
    assert_eq!(served.get("/api/find?tree=1&line=")["node"], 0);
    assert_eq!(served.get("/api/find?tree=1&node=80")["ply"], 1);
    let (status, message) = served.refused(&format!("/api/find?tree=1&line={first}+e2e4"));
    assert_eq!((status, message), (404, format!("after `{first}` the tree has no move `e2e4`")));
    let (status, message) = served.refused("/api/find?line=%3Cscript%3E");
    assert!(status == 404 && message.contains("no move `<script>`; a move of chess is written"), "{message}");
    assert_eq!(served.refused("/api/find?line=e2e4&node=1").0, 400);
    assert_eq!(served.refused("/api/find").0, 400);
}

#[test]
fn a_million_children_and_a_million_plies_are_answered() {
    const NODES: u64 = 1_000_000;
    let served = Served::of(&[("extreme.gtf", &extreme(NODES))]);
    let middle = served.get("/api/children?node=0&offset=500000&limit=2");
    assert_eq!(
        (&middle["count"], &middle["children"][1]["node"], &middle["children"][1]["text"]),
        (&json!(NODES), &json!(500_002), &json!("500001"))
    );
    assert_eq!(served.get("/api/node?node=1000000")["index"], NODES - 1);
    let deepest = served.get("/api/node?tree=1&node=999999");
    assert_eq!((&deepest["ply"], &deepest["line_omitted"]), (&json!(NODES - 1), &json!(NODES - 400)));
    let line = deepest["line"].as_array().unwrap();
    assert_eq!((line.len(), &line[199]["ply"], &line[200]["ply"]), (400, &json!(199), &json!(NODES - 200)));
    for path in [
        "/api/picture?color=best",
        "/api/picture?tree=1&plies=1000&color=@children",
        "/api/picture?view=treemap",
    ] {
        let drawn = served.get(path);
        let count = drawn["rectangles"]["node"].as_array().unwrap().len();
        assert!((900..=4000).contains(&count) || path.contains("treemap"), "{path}: {count} rectangles");
    }
}
