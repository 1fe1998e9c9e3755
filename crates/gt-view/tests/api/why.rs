//! Why the line to a node was played or not.

use gt_games::GameKind;
use serde_json::json;

use crate::client::Served;
use crate::logs::{extreme, game, merged, named_by_nodes};

#[test]
fn a_line_is_explained_ply_by_ply() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let node = served.get("/api/node?tree=1&node=3");
    let why = served.get("/api/why?tree=1&node=3");
    assert_eq!((&why["node"], &why["generation"]), (&json!(3), &json!(1)));
    let line = why["explanation"]["line"].as_array().unwrap();
    let moves: Vec<&str> = line.iter().map(|step| step["move"].as_str().unwrap()).collect();
    let shown: Vec<&str> = node["line"]
        .as_array()
        .unwrap()
        .iter()
        .skip(1)
        .map(|entry| entry["text"].as_str().unwrap())
        .collect();
    assert_eq!(moves, shown, "in the game's notation");
    assert_eq!(line.last().unwrap()["node"], 3);
    // The same in words, with the same sentence.
    let verdict = why["explanation"]["verdict"].as_str().unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(why["text"].as_str().unwrap()).contains(&words(verdict)), "{why}");
    // The root's line is the move that was played.
    assert_eq!(served.get("/api/why?tree=1")["explanation"]["tree"], 1);
}

#[test]
fn a_line_is_written_as_players_do() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let knight = served.get("/api/find?tree=1&line=Nf3")["node"].as_u64().unwrap();
    let why = |node: u64, moves: &str| served.get(&format!("/api/why?tree=1&node={node}{moves}"));
    let (written, squares) = (why(knight, "&moves=san"), why(knight, ""));
    let first = |why: &serde_json::Value| why["explanation"]["line"][0]["move"].clone();
    assert_eq!((first(&written), first(&squares)), (json!("Nf3"), json!("g1f3")));
    assert_eq!(squares, why(knight, "&moves=text"));
    let text = written["text"].as_str().unwrap();
    assert!(text.contains("Nf3") && !text.contains("g1f3"), "{text}");
    // The second move is written after the first.
    let reply = why(2, "&moves=san")["explanation"]["line"][1]["move"].clone();
    assert_eq!(reply, served.get("/api/node?tree=1&node=2&moves=san")["text"]);
    assert_ne!(reply, served.get("/api/node?tree=1&node=2")["text"]);
    assert_eq!(served.refused("/api/why?moves=lan").0, 400);
}

#[test]
fn numbers_that_javascript_cannot_hold_are_texts() {
    let served = Served::of(&[("merged.gtf", &merged)]);
    let why = served.get("/api/why?node=2").to_string();
    let digits = why.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
    assert!(digits < Some(17), "{why}");
}

#[test]
fn what_is_too_long_to_explain_is_refused() {
    let served = Served::of(&[("extreme.gtf", &extreme(1_040_000)), ("chess.gtf", &game(GameKind::Chess))]);
    assert_eq!(
        served.refused("/api/why?tree=1&node=401"),
        (400, "the line to this node has 401 moves; lines of at most 400 are explained".to_owned())
    );
    assert_eq!(served.get("/api/why?tree=1&node=400")["node"], 400);
    let (status, sentence) = served.refused("/api/why?tree=0&node=7");
    assert_eq!(status, 400);
    assert!(sentence.starts_with("more than 1000000 moves were searched along the line"), "{sentence}");
    for path in ["node=99999", "tree=9", "log=9"] {
        assert_eq!(
            served.refused(&format!("/api/why?log=1&{path}").replace("log=1&log", "log")).0,
            404,
            "{path}"
        );
    }
    assert_eq!(served.refused("/api/why?log=1&node=x").0, 400);
    assert_eq!(served.refused("/api/why?log=1&line=e2e4").0, 400);
}

/// In a game that nobody knows a line has the names that its nodes give their moves, each in its place.
#[test]
fn a_line_has_the_names_of_its_nodes() {
    let served = Served::of(&[("tak.gtf", &named_by_nodes)]);
    let why = served.get("/api/why?node=2");
    assert_eq!(why["explanation"]["asked"], json!(["a1", "Cb2+"]));
    assert!(why["text"].as_str().unwrap().contains("Cb2+"), "{why}");
    assert_eq!(served.get("/api/why?node=3")["explanation"]["asked"], json!(["two"]));
}
