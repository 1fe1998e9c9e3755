//! What an evaluation sees at a node.

use gt_games::GameKind;
use gt_games::registry::Setup;
use serde_json::json;

use crate::client::Served;
use crate::logs::{extreme, game};

#[test]
fn a_node_s_position_is_explained_as_the_game_explains_it() {
    for kind in [GameKind::Chess, GameKind::Amazons, GameKind::ChineseCheckers] {
        let served = Served::of(&[("a.gtf", &game(kind))]);
        let board = served.get("/api/board?tree=1&node=3");
        let position = board["text"].as_str().unwrap();
        let explained = kind.open(&Setup::position(position)).unwrap().explain(None).unwrap();
        let answer = served.get("/api/evaluation?tree=1&node=3");
        assert_eq!(answer["position"], position, "{kind}");
        assert_eq!(answer["values"], json!(explained.values), "{kind}");
        assert_eq!(answer["mover_value"], explained.mover_value, "{kind}");
        let maps = answer["maps"].as_array().unwrap();
        assert_eq!(maps.len(), explained.breakdown.maps.len(), "{kind}");
        let cells = board["cells"].as_array().unwrap().len();
        assert!(maps.iter().all(|map| map["cells"].as_array().unwrap().len() == cells), "{kind}");
    }
}

#[test]
fn another_evaluation_can_be_named() {
    let served = Served::of(&[("a.gtf", &game(GameKind::Amazons))]);
    let answer = served.get("/api/evaluation?node=1&evaluation=mobility");
    assert_eq!(
        (&answer["evaluation"], &answer["terms"][0]["name"]),
        (&json!("mobility"), &json!("mobility"))
    );
    let (status, sentence) = served.refused("/api/evaluation?node=1&evaluation=beauty");
    assert_eq!(status, 400);
    assert!(sentence.starts_with("`beauty`: no such evaluation"), "{sentence}");
}

#[test]
fn what_has_no_position_has_no_evaluation() {
    let served = Served::of(&[("extreme.gtf", &extreme(10)), ("chess.gtf", &game(GameKind::Chess))]);
    assert_eq!(served.refused("/api/evaluation?node=1").0, 404);
    assert_eq!(served.refused("/api/evaluation?log=1&node=99999").0, 404);
    assert_eq!(served.refused("/api/evaluation?log=1&nod=1").0, 400);
}
