//! What moves and values are called: a move is named where it is made, a mate by its distance from the root.

use std::cell::RefCell;

use gt_games::Notation;
use gt_games::chess::{Chess, Material};
use gt_games::registry::{GameKind, Scribe, Setup};
use gt_log::{Log, LogWriter, Metadata, Tree, Walker};
use gt_search::{Limits, Options, Searcher};
use gt_why::{Explanation, TreeChoice, explain};
use serde_json::Value as Json;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// A queen that can take a protected pawn.
const QUEEN: &str = "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1";

fn searched(position: &str, depth: u16) -> Log {
    let log = LogWriter::to_memory(gt_record::header("chess").unwrap()).unwrap();
    let mut recorder = gt_record::Recorder::new(&log, Metadata::new().with("win", "1000000"));
    let game = Chess::parse_position(position).unwrap();
    let mut searcher = Searcher::new(Material, Options::default());
    searcher.search_observed(&game, &Limits::depth(depth), &mut recorder, |_| ());
    recorder.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn codes(position: &str, line: &str) -> Vec<i64> {
    let mut game = GameKind::Chess.open(&Setup::position(position)).unwrap();
    line.split_whitespace()
        .map(|word| game.encode(word).inspect(|_| game.play(word).unwrap()).unwrap())
        .collect()
}

/// The explanation, its moves written down as players do. A move that is not legal where it is made fails.
fn written(position: &str, why: &Explanation) -> (Json, String) {
    let scribe = RefCell::new(Scribe::new(GameKind::Chess.open(&Setup::position(position)).unwrap()));
    let names = |before: &[i64], number: i64| {
        let written = scribe.borrow_mut().after(before, number);
        assert!(written.is_some(), "{number} is no move after {before:?}");
        written
    };
    (serde_json::to_value(why.clone().with_names(&names)).unwrap(), why.text(&names))
}

#[test]
fn moves_are_written_as_players_do() {
    let log = searched(QUEEN, 3);
    let why =
        |line: &str| written(QUEEN, &explain(&log, TreeChoice::LastComplete, &codes(QUEEN, line)).unwrap());
    let (json, text) = why("Qxd5 exd5");
    assert!(json["verdict"].as_str().unwrap().starts_with("Qxd5 is refuted by exd5: "), "{json}");
    assert_eq!(
        (&json["line"][0]["reply"]["move"], &json["line"][1]["move"]),
        (&"exd5".into(), &"exd5".into())
    );
    assert_eq!(json["asked"], serde_json::json!(["Qxd5", "exd5"]));
    assert!(text.contains("Qxd5 is refuted by exd5") && !text.contains("d1d5"), "{text}");

    let (json, _) = why("Qxd5 Ke7");
    let words = json["verdict"].as_str().unwrap();
    assert!(words.contains("here, after Qxd5, exd5 cut the node off (at most -"), "{words}");
    assert!(words.ends_with("before Ke7 was searched."), "{words}");
    assert_eq!(
        (&json["leaves"]["move"], &json["leaves"]["instead"][0]["move"]),
        (&"Ke7".into(), &"exd5".into())
    );
}

/// The lines to nodes of a tree, one for each node_id that is a multiple of `step`.
fn lines(tree: Tree<'_>, step: usize) -> Vec<Vec<i64>> {
    let mut walker = Walker::new(tree);
    (0..tree.nodes()).step_by(step).map(|node| walker.find(node).unwrap().line).collect()
}

/// The moves of an explanation are not all on the line: rivals, refutations and replies are beside it. Null moves and
/// searches without a move (`Excluded`) are on some of the lines.
#[test]
fn every_move_is_legal_where_it_is_named() {
    for (position, depth, step) in [(QUEEN, 4, 29), (START, 4, 211)] {
        let log = searched(position, depth);
        let mut refuted = 0;
        for tree in log.trees() {
            for line in lines(tree, step) {
                let why = explain(&log, TreeChoice::Number(tree.number()), &line).unwrap();
                written(position, &why);
                refuted += why.rival.map_or(0, |rival| rival.refutation.len());
            }
        }
        assert!(refuted > 5, "there are moves beside the lines");
    }
}

/// Two rooks that mate in two moves.
const ROOKS: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

#[test]
fn mates_are_told_by_their_distance_and_stay_numbers_in_json() {
    let log = searched(ROOKS, 4);
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    let (json, text) = written(ROOKS, &why);
    assert_eq!((&json["played"]["value"], &json["line"][0]["value"]), (&999_997.into(), &999_997.into()));
    let verdict = json["verdict"].as_str().unwrap();
    assert!(verdict.contains(" is played: it is worth a mate in 2, and no other of the "), "{verdict}");
    let title = text.lines().next().unwrap();
    assert!(title.ends_with(" is played, value mate in 2"), "{text}");
    assert!(text.contains(" Mates and wins are counted from the root."), "{text}");
    assert!(!verdict.contains("9999") && !text.contains("999997"), "{text}");
    // How much a mate is better than a score is no number that says anything.
    let doubt = json["rival"]["doubt"].as_str().unwrap();
    assert!(doubt.ends_with("would have to be wrong.") && json["rival"]["margin"].is_i64(), "{json}");

    // The other side: what it does, it is mated.
    let line = codes(ROOKS, text.split_whitespace().find(|word| word.starts_with('R')).unwrap());
    let reply = why.line[0].reply.clone().unwrap().mv.number;
    let why = explain(&log, TreeChoice::LastComplete, &[line[0], reply]).unwrap();
    let (_, text) = written(ROOKS, &why);
    assert!(text.contains("it is worth a mate in 2."), "the same along the line: {text}");
}
