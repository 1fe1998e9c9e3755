//! `gt eval` as a user runs it.

use std::process::Command;

use gt_games::registry::GameKind;

fn gt(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gt")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let (code, out, errors) = gt(&[arguments, &["--format", "json"]].concat());
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    serde_json::from_str(&out).unwrap()
}

/// Games that begin without a file, with something to tell them apart.
fn games() -> impl Iterator<Item = &'static str> {
    let names = ["tic-tac-toe", "connect-four", "amazons", "chess", "chinese-checkers"];
    names.into_iter().filter(|name| name.parse::<GameKind>().is_ok())
}

#[test]
fn the_value_is_what_a_search_of_depth_0_finds() {
    for (game, moves) in [
        ("tic-tac-toe", "b2 a1 c3"),
        ("connect-four", "d d c e"),
        ("amazons", "d1-d7/g7"),
        ("chess", "e4 c5 Nf3 d6"),
        ("chinese-checkers", "d1-e5"),
    ] {
        let all = json(&["eval", game, "--moves", moves, "--evaluation", "all"]);
        let evaluations = all["evaluations"].as_array().unwrap();
        assert!(!evaluations.is_empty());
        for evaluation in evaluations {
            let name = evaluation["evaluation"].as_str().unwrap();
            let algorithm = ["--algorithm", "pvs", "--depth", "0"];
            let searched =
                json(&[&["search", game, "--moves", moves, "--eval", name], &algorithm[..]].concat());
            assert_eq!(searched["value"], evaluation["mover_value"], "{game} by {name}");
            assert_eq!((&searched["nodes"], &searched["best_move"]), (&1.into(), &serde_json::Value::Null));
        }
    }
}

#[test]
fn the_terms_of_a_player_add_up_to_his_sum() {
    for game in games() {
        let all = json(&["eval", game, "--evaluation", "all"]);
        let players = all["players"].as_array().unwrap().len();
        for evaluation in all["evaluations"].as_array().unwrap() {
            for player in 0..players {
                let terms = evaluation["terms"].as_array().unwrap().iter();
                let sum: f64 = terms.map(|term| term["shares"][player]["value"].as_f64().unwrap()).sum();
                let told = evaluation["sums"][player].as_f64().unwrap();
                assert!((sum - told).abs() < 1e-6, "{game}: {sum} is not {told}");
            }
        }
    }
}

#[test]
fn every_map_is_drawn_and_can_be_left_out() {
    for game in games() {
        let names: Vec<String> = json(&["eval", game])["evaluations"][0]["maps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|map| map["name"].as_str().unwrap().to_owned())
            .collect();
        let (_, all, _) = gt(&["eval", game]);
        let (_, none, _) = gt(&["eval", game, "--map", "none"]);
        for name in &names {
            assert!(all.lines().any(|line| line.starts_with(&format!("{name}: "))), "{game}: {name}\n{all}");
            assert!(!none.contains(&format!("{name}: ")), "{game}: {name}\n{none}");
        }
        assert!(!all.contains('\x1b'), "a pipe gets no colours");
        assert!(all.starts_with(&none[..none.len() - 1]), "maps come last");
    }
}

#[test]
fn moves_are_listed_from_the_best_for_the_mover() {
    let listed = json(&["eval", "connect-four", "--moves", "d d c c e e", "--moves-table"]);
    let moves = listed["evaluations"][0]["moves"].as_array().unwrap();
    let of = |mv: &serde_json::Value| (mv["move"].as_str().unwrap().to_owned(), mv["outcome"].clone());
    assert_eq!(of(&moves[0]), ("b".to_owned(), "x".into()), "it wins");
    assert_eq!(of(&moves[1]), ("f".to_owned(), "x".into()), "it wins too");
    let values: Vec<i64> = moves[2..].iter().map(|mv| mv["values"][0].as_i64().unwrap()).collect();
    assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
    assert_eq!(moves.len(), 7);
}

#[test]
fn a_position_differs_from_itself_by_nothing() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let same = json(&["eval", "chess", "--against", start]);
    let terms = same["evaluations"][0]["terms"].as_array().unwrap();
    assert!(terms.iter().all(|term| term["differences"] == serde_json::json!([0.0, 0.0])), "{same}");
    let moved = json(&["eval", "chess", "--moves", "e4", "--against", start]);
    let terms = moved["evaluations"][0]["terms"].as_array().unwrap();
    assert!(terms.iter().any(|term| term["differences"][0] != 0.0), "{moved}");
}

#[test]
fn what_is_not_there_is_named() {
    let refused = |arguments: &[&str], sentence: &str| {
        let (code, out, errors) = gt(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(sentence), "{arguments:?}: {errors}");
    };
    refused(&["eval", "amazons", "--map", "beauty"], "no map is called `beauty`; there are territory,");
    refused(&["eval", "amazons", "--evaluation", "beauty"], "`beauty`: no such evaluation; amazons has ");
    refused(&["eval", "chess", "--moves", "e5"], "`e5`");
    refused(&["eval", "chess", "--against", "8/8 w"], "8/8 w");
    refused(&["eval", "chess", "--against", "x", "--map", "attacks"], "cannot be used with");
    refused(
        &["eval", "chinese-checkers", "--players", "3", "--against", &two_players()],
        "the positions have 3 and 2 players",
    );
}

fn two_players() -> String {
    json(&["eval", "chinese-checkers"])["position"].as_str().unwrap().to_owned()
}
