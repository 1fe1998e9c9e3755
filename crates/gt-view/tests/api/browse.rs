//! Logs, nodes, children, lines.

use gt_games::GameKind;
use serde_json::json;

use crate::client::Served;
use crate::logs::{extreme, game, named_by_nodes};

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

/// The texts of a list's entries.
fn texts(list: &serde_json::Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

/// Every call that names moves writes them as players do, if it is asked to; and a line so written is found again.
#[test]
fn moves_are_written_as_players_do() {
    let served =
        Served::of(&[("chess.gtf", &game(GameKind::Chess)), ("ttt.gtf", &game(GameKind::TicTacToe))]);
    let logs = served.get("/api/logs");
    assert_eq!((&logs["logs"][0]["san"], &logs["logs"][1]["san"]), (&json!(true), &json!(false)));
    let plain = served.get("/api/find?tree=1&line=Nf3")["node"].as_u64();
    let knight = served.get("/api/find?tree=0&line=g1f3")["node"].as_u64().unwrap();
    assert!(plain.is_some());

    let node = served.get(&format!("/api/node?tree=0&node={knight}&moves=san"));
    assert_eq!((&node["text"], texts(&node["line"])), (&json!("Nf3"), vec!["root".into(), "Nf3".into()]));
    let as_before = served.get(&format!("/api/node?tree=0&node={knight}&moves=text"));
    assert_eq!(
        (&as_before["text"], &as_before),
        (&json!("g1f3"), &served.get(&format!("/api/node?tree=0&node={knight}")))
    );

    let first = served.get("/api/node?tree=1&node=1&moves=san")["text"].as_str().unwrap().to_owned();
    let replies = texts(&served.get("/api/children?tree=1&node=1&limit=1000&moves=san")["children"]);
    assert!(
        ["e5", "e6", "Nf6", "Nc6"].iter().all(|reply| replies.contains(&(*reply).to_owned())),
        "{replies:?}"
    );
    for (place, reply) in replies.iter().enumerate() {
        let found = served.get(&format!("/api/find?tree=1&line={first}%20{reply}"))["node"].as_u64();
        assert_eq!(found, Some(2 + place as u64), "{first} {reply}");
    }

    let board = served.get("/api/board?tree=1&node=2&moves=san");
    assert_eq!((&board["last"]["text"], &board["ply"]), (&json!(replies[0]), &json!(2)));
    assert!(texts(&board["siblings"]).iter().all(|text| replies.contains(text)));

    let moment = served.get("/api/moment?tree=1&after=2&moves=san");
    assert_eq!(texts(&moment["open"]), ["root", first.as_str()]);
    let moves = texts(&served.get("/api/moment?tree=1&moves=san")["moves"]);
    assert!(moves.contains(&"Nf3".to_owned()) && !moves.contains(&"g1f3".to_owned()), "{moves:?}");
    // What was kept of the root's moves is not kept in one way of writing.
    assert!(texts(&served.get("/api/moment?tree=1")["moves"]).contains(&"g1f3".to_owned()));

    let named = |moves: &str| {
        let picture = served.get(&format!("/api/picture?tree=1&width=10000{moves}"));
        let rectangles = &picture["rectangles"];
        let pairs = rectangles["node"].as_array().unwrap().iter().zip(rectangles["move"].as_array().unwrap());
        pairs
            .map(|(node, text)| (node.as_u64().unwrap(), text.as_str().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    for (id, text) in named("&moves=san") {
        assert_eq!(
            json!(text),
            served.get(&format!("/api/node?tree=1&node={id}&moves=san"))["text"],
            "node {id}"
        );
    }
    assert!(named("").iter().any(|(_, text)| text == "g1f3"));

    // Other games have no other way, and a wrong wish is told.
    let square = |moves: &str| served.get(&format!("/api/node?log=1&tree=1&node=2{moves}"))["text"].clone();
    assert_eq!(square("&moves=san"), square(""));
    let (status, sentence) = served.refused("/api/node?moves=lan");
    assert_eq!((status, sentence.contains("`moves` is one of: text, san")), (400, true), "{sentence}");
}

#[test]
fn rows_of_queries_are_written_as_players_do() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let ask = |text: &str| served.run(&json!({"tree": 1, "text": text}).to_string()).0;
    let run =
        ask("node: @ply = 2 and last_move = \"g8f6\" select last_move, @line, best order by node_id limit 1");
    let first = served.get("/api/node?tree=1&node=1&moves=san")["text"].as_str().unwrap().to_owned();
    let result = &served.get(&format!("/api/runs/{run}?wait=9000&moves=san"))["results"][0];
    assert_eq!(result["rows"][0][0], "Nf6");
    assert_eq!(result["rows"][0][1], format!("{first} Nf6"));
    assert_eq!(result["plies"], json!([2]));
    let plain = &served.get(&format!("/api/runs/{run}?wait=9000"))["results"][0];
    assert_eq!(plain["rows"][0][0], "g8f6");
    let nodes = ask("node: last_move = \"g1f3\"");
    assert_eq!(
        served.get(&format!("/api/runs/{nodes}?wait=9000&moves=san"))["results"][0]["rows"][0][1],
        "Nf3"
    );
}

/// A node's own text names its move; then the log's name for the number; then the number.
#[test]
fn nodes_name_the_moves_of_an_unknown_game() {
    let served = Served::of(&[("tak.gtf", &named_by_nodes)]);
    let node = served.get("/api/node?node=2");
    assert_eq!(
        (&node["text"], texts(&node["line"])),
        (&json!("Cb2+"), ["root", "a1", "Cb2+"].map(String::from).into())
    );
    assert_eq!(texts(&served.get("/api/children")["children"]), ["a1", "two", "5"]);
    assert_eq!(texts(&served.get("/api/moment")["moves"]), ["a1", "two", "5"]);
    let moves = &served.get("/api/picture?width=10000")["rectangles"]["move"];
    let mut moves: Vec<&str> = moves.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["5", "Cb2+", "a1", "root", "two"]);
    let ask = |text: &str| served.run(&json!({"text": text}).to_string()).0;
    let run = ask("node: @ply = 2 select last_move, @line");
    let result = &served.get(&format!("/api/runs/{run}?wait=9000"))["results"][0];
    assert_eq!(result["rows"], json!([["Cb2+", "a1 Cb2+"]]));
    let run = ask("node: best = 1");
    let result = &served.get(&format!("/api/runs/{run}?wait=9000"))["results"][0];
    assert_eq!((&result["rows"][0][1], &result["rows"][1][1]), (&json!("a1"), &json!("Cb2+")));
}
