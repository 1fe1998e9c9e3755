//! `key` and `table_depth` are what the search had, and are in the log only where they are asked for.

use gt_games::chess::{Chess, SixTerms};
use gt_games::chinese_checkers::{ChineseCheckers, Distance};
use gt_games::connect_four::{ConnectFour, Threats};
use gt_log::{Log, LogWriter, Metadata, Value, Walker};
use gt_record::{Extras, NULL_MOVE, Recorder};
use gt_search::{Game, Limits, ManyPlayers, Options, Plain, Searcher, StoredTree};

const BOTH: Extras = Extras { key: true, table_depth: true, players: 0 };

fn logged(extras: Extras, search: impl FnOnce(&mut Recorder<'_>)) -> Log {
    let log = LogWriter::to_memory(gt_record::header_with("any", extras).unwrap()).unwrap();
    let mut recorder = Recorder::new(&log, Metadata::new()).with(extras);
    search(&mut recorder);
    recorder.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn value(walker: &mut Walker<'_>, row: u64, name: &str) -> Value {
    let place = walker.tree().schema().position(name).unwrap();
    walker.value(row, place).unwrap()
}

/// The position after a line of a log, by the rules alone.
fn after<G: Game>(root: &G, line: &[i64]) -> G {
    let mut game = root.clone();
    for &code in line {
        if code == NULL_MOVE {
            assert!(game.make_null().is_some());
            continue;
        }
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let mv = moves.into_iter().find(|&mv| game.encode(mv) == code).unwrap();
        game.make(mv);
    }
    game
}

/// Whether every node has the hash of its position; how many nodes have a table's entry.
#[track_caller]
fn check<G: Game>(root: &G, log: &Log, what: &str) -> usize {
    let mut entries = 0;
    for tree in log.trees() {
        let mut walker = Walker::new(tree);
        for node in 0..tree.nodes() {
            let found = walker.find(node).unwrap();
            let key = value(&mut walker, found.row, "key");
            assert_eq!(key, Value::UInt(after(root, &found.line).hash()), "{what}, {:?}", found.line);
            let hit = value(&mut walker, found.row, "table_hit");
            let depth = value(&mut walker, found.row, "table_depth");
            assert_eq!(hit == Value::Bool(true), depth != Value::Missing, "{what}, {:?}", found.line);
            entries += usize::from(depth != Value::Missing);
        }
    }
    entries
}

#[test]
fn every_search_logs_the_hash_of_every_position() {
    let game = ConnectFour::new();
    let limits = Limits::depth(4);
    for plain in Plain::ALL {
        let log = logged(BOTH, |recorder| {
            plain.search(&game, &Threats, &Limits::depth(3), recorder, |_| ());
        });
        assert_eq!(check(&game, &log, &format!("{plain:?}")), 0, "there is no table");
    }
    let log = logged(BOTH, |recorder| {
        Searcher::new(Threats, Options::default()).search_observed(&game, &limits, recorder, |_| ());
    });
    assert!(check(&game, &log, "pvs") > 0);
    let log = logged(BOTH, |recorder| {
        StoredTree::new(game, Threats, 100_000).search_observed(&limits, recorder, |_| ());
    });
    check(&game, &log, "stored tree");
}

#[test]
fn null_moves_and_passes_have_positions_too() {
    let chess = Chess::new();
    let log = logged(BOTH, |recorder| {
        Searcher::new(SixTerms, Options::selective()).search_observed(
            &chess,
            &Limits::depth(4),
            recorder,
            |_| (),
        );
    });
    assert!(check(&chess, &log, "strong") > 0);
    let checkers = ChineseCheckers::start(3).unwrap();
    for many in [ManyPlayers::MaxN(None), ManyPlayers::Paranoid, ManyPlayers::BestReply] {
        let log = logged(BOTH, |recorder| {
            many.search(&checkers, &Distance, &Limits::depth(2), recorder, |_| ());
        });
        assert_eq!(check(&checkers, &log, &format!("{many:?}")), 0);
    }
}

#[test]
fn a_node_that_was_answered_has_the_depth_of_the_answer() {
    let game = ConnectFour::new();
    let log = logged(BOTH, |recorder| {
        Searcher::new(Threats, Options::default()).search_observed(
            &game,
            &Limits::depth(6),
            recorder,
            |_| (),
        );
    });
    let answered = Value::Int(log.schema().alias("TableHit").unwrap());
    let mut answers = 0;
    for tree in log.trees() {
        let mut walker = Walker::new(tree);
        for row in 0..tree.nodes() {
            if value(&mut walker, row, "ended") == answered {
                let depth = value(&mut walker, row, "depth");
                assert_eq!(value(&mut walker, row, "table_depth"), depth, "pvs takes no other depth");
                answers += 1;
            }
        }
    }
    assert!(answers > 10);
}

#[test]
fn what_nobody_asked_for_is_not_in_the_schema() {
    let names = |extras| {
        let header = gt_record::header_with("any", extras).unwrap();
        let names = header.schema.attributes().iter().map(|attribute| attribute.name.clone());
        names.skip_while(|name| name != "ended").skip(1).collect::<Vec<_>>()
    };
    assert_eq!(names(Extras::default()), [""; 0]);
    assert_eq!(names(Extras { key: true, ..Extras::default() }), ["key"]);
    assert_eq!(names(Extras { table_depth: true, ..Extras::default() }), ["table_depth"]);
    assert_eq!(names(BOTH), ["key", "table_depth"]);
}

/// The values of all players at every node of a log.
fn player_values(log: &Log, players: usize) -> Vec<Vec<Value>> {
    let names: Vec<String> = (0..players).map(|player| format!("value_{player}")).collect();
    let tree = log.trees().last().unwrap();
    let mut walker = Walker::new(tree);
    let mut at = |row: u64| names.iter().map(|name| value(&mut walker, row, name)).collect();
    (0..tree.nodes()).map(&mut at).collect()
}

#[test]
fn every_node_of_max_n_has_a_value_for_every_player() {
    let game = ChineseCheckers::start(3).unwrap();
    let extras = Extras { players: 3, ..Extras::default() };
    let mut found = Vec::new();
    let log = logged(extras, |recorder| {
        let limits = Limits::depth(2);
        found = ManyPlayers::MaxN(None).search_valued(&game, &Distance, &limits, recorder, |_| ()).values;
    });
    let values = player_values(&log, 3);
    assert!(values.iter().flatten().all(|value| matches!(value, Value::Int(_))));
    // The root is left last.
    let root: Vec<Value> = found.iter().map(|&value| Value::Int(i64::from(value))).collect();
    assert_eq!(values.last(), Some(&root));
}

#[test]
fn a_search_with_one_value_leaves_those_of_the_players_out() {
    let extras = Extras { players: 2, ..Extras::default() };
    let log = logged(extras, |recorder| {
        Plain::AlphaBeta.search(&ConnectFour::new(), &Threats, &Limits::depth(2), recorder, |_| ());
    });
    assert!(player_values(&log, 2).iter().flatten().all(|value| *value == Value::Missing));
}

#[test]
fn trees_say_which_line_of_the_root_they_are_for() {
    let line = |log: &Log| -> Vec<Option<String>> {
        log.trees().map(|tree| tree.metadata().get("line").map(str::to_owned)).collect()
    };
    let search = |lines: usize| {
        logged(Extras::default(), |recorder| {
            let options = Options { lines, ..Options::default() };
            let limits = Limits::depth(2);
            Searcher::new(Threats, options).search_observed(&ConnectFour::new(), &limits, recorder, |_| ());
        })
    };
    assert_eq!(line(&search(1)), [None, None], "a tree for each depth");
    let two = ["1", "2", "1", "2"].map(|line| Some(line.to_owned()));
    assert_eq!(line(&search(2)), two, "a tree for each depth and line");
}
