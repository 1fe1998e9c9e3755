//! Lines of 80,000 moves: every call about them is answered, and its answer stays small.

use std::path::Path;

use gt_games::registry::{GameKind, Setup};
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema, Value};

use crate::client::Served;

const PLIES: u64 = 80_000;

/// One long game: the knights go out and back.
fn knights(path: &Path) {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let log = LogWriter::create(path, Header::new("chess", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let mut game = GameKind::Chess.open(&Setup::default()).unwrap();
    let mut codes = Vec::new();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        codes.push(game.encode(text).unwrap());
        game.play(text).unwrap();
    }
    tree.enter(0).unwrap();
    (0..PLIES).for_each(|ply| tree.enter(codes[(ply % 4) as usize]).unwrap());
    (0..=PLIES).for_each(|ply| tree.leave_values(&[Value::Int((ply % 100) as i64)]).unwrap());
    tree.finish().unwrap();
    log.finish().unwrap();
}

#[test]
fn a_line_of_80000_moves_has_a_board() {
    let served = Served::of(&[("knights.gtf", &knights)]);
    let board = served.get(&format!("/api/board?node={}", PLIES - 1));
    assert_eq!(board["last"]["text"], "f3g1");
    assert!(
        board["text"].as_str().unwrap().starts_with("rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b"),
        "{board}"
    );
    let node = served.get(&format!("/api/node?node={}", PLIES - 1));
    assert_eq!((&node["ply"], &node["position"]), (&(PLIES - 1).into(), &board["text"]));
    assert_eq!(node["line"].as_array().unwrap().len(), 400);
}

#[test]
fn a_line_is_found_from_deep_inside() {
    let served = Served::of(&[("knights.gtf", &knights)]);
    let line = "g1f3+g8f6+f3g1+f6g8+".repeat(2000);
    assert_eq!(served.get(&format!("/api/find?line={line}"))["ply"], 8000);
    let from = format!("/api/find?from={}&line=g1f3+g8f6", PLIES - 4);
    assert_eq!(served.get(&from)["ply"], PLIES - 2);
}

#[test]
fn long_lines_are_cut_in_tables() {
    let served = Served::of(&[("knights.gtf", &knights)]);
    let (_, answer) = served.run(&format!(r#"{{"text": "node: node_id = {PLIES} select @line"}}"#));
    let line = answer["results"][0]["rows"][0][0].as_str().unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!((words.len(), words[0], words[200], words[400]), (401, "g1f3", "…", "f6g8"), "{line}");
}

#[test]
fn pages_of_deep_nodes_in_any_order_are_read() {
    let served = Served::of(&[("knights.gtf", &knights)]);
    let (run, _) = served.run(r#"{"text": "node: *"}"#);
    let page = served.get(&format!("/api/runs/{run}?sort=best&limit=1000&wait=30000"));
    let result = &page["results"][0];
    for (row, node) in result["rows"].as_array().unwrap().iter().zip(result["nodes"].as_array().unwrap()) {
        assert_eq!((&row[0], &row[2]), (node, node), "a chain's plies are its node_ids");
    }
    assert_eq!(result["rows"].as_array().unwrap().len(), 1000);
}
