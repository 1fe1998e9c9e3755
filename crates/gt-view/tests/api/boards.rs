//! Boards of all games.

use gt_games::GameKind;
use serde_json::{Value, json};

use crate::client::Served;
use crate::logs::{extreme, game};

#[test]
fn every_game_shows_its_positions() {
    for kind in GameKind::ALL {
        let served = Served::of(&[("log.gtf", &game(kind))]);
        let start = served.get("/api/board?tree=1");
        assert_eq!((&start["game"], &start["last"]), (&json!(kind.name()), &json!(null)));
        let node = served.get("/api/node?tree=1&node=2");
        let board = served.get("/api/board?tree=1&node=2");
        assert_eq!(board["text"], node["position"], "{kind}");
        assert_eq!(board["last"]["text"], node["text"], "{kind}");
        assert_eq!(board["siblings_count"], node["siblings"], "{kind}");
        let cells = board["cells"].as_array().unwrap();
        let names: Vec<&Value> = cells.iter().map(|cell| &cell["place"]).collect();
        let arrows =
            board["siblings"].as_array().unwrap().iter().chain(start["children"].as_array().unwrap());
        for arrow in arrows {
            for place in arrow["places"].as_array().unwrap() {
                assert!(names.contains(&place), "{kind}: {place} of {arrow}");
            }
        }
        // What the last move has put down is there.
        let to = board["last"]["places"].as_array().unwrap();
        let on = |place: &Value| &cells.iter().find(|cell| cell["place"] == *place).unwrap()["piece"];
        let is_text = matches!(kind, GameKind::Thorns | GameKind::Tree);
        assert_eq!(to.is_empty(), is_text, "{kind}: only positions without a board have no places");
        if let Some(put) = to.get(to.len().min(2).wrapping_sub(1)) {
            assert!(!on(put).is_null(), "{kind}: {}", board["last"]);
        }
        let sizes: Vec<u64> = start["children"]
            .as_array()
            .unwrap()
            .iter()
            .map(|arrow| arrow["size"].as_u64().unwrap())
            .collect();
        assert!(sizes.is_sorted_by(|left, right| left >= right) && sizes.len() <= 40, "{kind}");
    }
}

#[test]
fn chess_has_its_squares() {
    let served = Served::of(&[("log.gtf", &game(GameKind::Chess))]);
    let board = served.get("/api/board");
    assert_eq!(board["shape"], json!({"kind": "squares", "columns": 8, "rows": 8}));
    assert_eq!(board["cells"].as_array().unwrap().len(), 64);
    assert_eq!(board["cells"][4], json!({"place": "e8", "x": 4, "y": 0, "piece": "k"}));
    assert_eq!((&board["to_move"], &board["over"]), (&json!(0), &json!(null)));
}

#[test]
fn a_log_of_no_game_has_no_board() {
    let served = Served::of(&[("log.gtf", &extreme(10))]);
    let (status, message) = served.refused("/api/board");
    assert_eq!(status, 404);
    assert!(message.starts_with("the log names no game, so there is no board"), "{message}");
}

#[test]
fn a_drawing_is_an_svg_file() {
    let served = Served::of(&[("log.gtf", &game(GameKind::Chess))]);
    let svg = served.ask("GET", "/api/drawing?view=sunburst&color=best&theme=dark", &[], "").text();
    assert!(svg.starts_with("<svg ") && svg.contains("chess, tree 0"), "{svg}");
    let drawn = |moves: &str| served.ask("GET", &format!("/api/drawing?tree=1{moves}"), &[], "").text();
    let (written, squares) = (drawn("&moves=san"), drawn(""));
    assert!(written.contains(">Nf3: ") && !written.contains("g1f3"), "{written}");
    assert!(squares.contains(">g1f3: ") && squares == drawn("&moves=text"), "{squares}");
    let refused = |call: &str| served.refused(call);
    assert_eq!(refused("/api/drawing?node=99999999").0, 404);
    assert_eq!(refused("/api/drawing?color=bets").0, 400);
    assert_eq!(refused("/api/drawing?view=cube").0, 400);
}
