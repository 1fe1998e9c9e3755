//! A whole profile of a tiny tree, as a person reads it.

use std::path::Path;

use gt_log::{
    Flush, Header, Kind, Log, LogWriter, Metadata, Options as LogOptions, Schema, TreeBuilder, Value,
};
use gt_query::engine::Options;
use gt_report::document;
use gt_report::plot::Style;
use gt_report::profile::{Profile, figures_for, main_tree};

use crate::tiny::{TINY, log_of, window_log, window_schema};

/// A move named by its letter: 1 is `b`.
fn letter(_: &[i64], number: i64) -> Option<String> {
    u8::try_from(number).ok().map(|number| char::from(b'a' + number).to_string())
}

fn profile<T>(log: &Log, tell: impl FnOnce(&Profile<'_>) -> T) -> T {
    let selection = figures_for(log.schema());
    let tree = main_tree(log).unwrap();
    tell(&Profile::of(log, tree, &selection, &Options::default()).unwrap())
}

#[test]
fn as_text() {
    let log = window_log(&TINY);
    let style = Style { width: 80, ..Style::default() };
    let text = profile(&log, |profile| document::text(&profile.document("tiny.gtf", Some(&letter)), style));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/profile.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "if that is meant: UPDATE_GOLDENS=1");
}

#[test]
fn sentences_are_made_of_the_answers() {
    let log = window_log(&TINY);
    let told = profile(&log, |profile| profile.sentences(Some(&letter))).join("\n");
    for sentence in [
        "The tree has 11 nodes, 7 of them leaves; it is 3 plies deep, from a search to depth 2.",
        "Quiescence search took 27.3% of the nodes with its roots, 18.2% without them, in 1 search of 3 nodes on average; the largest of them, 3 nodes, hangs below b c.",
        "No move of the root took more than b: 4 nodes, 36.4% of all.",
        "The first move made 50.0% of the main search's 2 cut-offs.",
        "1 node was searched again with an open window (9.1%).",
        "Down to ply 1 the main search entered 5 nodes; the minimal tree of Knuth and Moore, with the same numbers of moves, has 4: 20.0% of them are above the minimal tree.",
    ] {
        assert!(told.contains(sentence), "{sentence}\nis not in\n{told}");
    }
    assert!(!told.contains("transposition table"), "the log says nothing of it:\n{told}");
}

#[test]
fn a_single_node_says_so() {
    let log = log_of(&window_schema(), &[(0, [0, 1, 0, 0].map(gt_log::Value::Int).to_vec())]);
    let told = profile(&log, |profile| profile.sentences(None));
    assert_eq!(told[0], "The tree is a single node.");
    let json = profile(&log, |profile| profile.to_json("one.gtf", None));
    assert_eq!(json["numbers"]["nodes"], 1);
    assert!(json["derived"]["effective_branching"].is_null() && json["derived"]["minimal_tree"].is_null());
}

/// What open nodes carry is not known: nothing is said of it.
#[test]
fn a_tree_that_was_cut_off_says_so() {
    let writer = LogWriter::to_memory(Header::new("test", window_schema())).unwrap();
    let flush = Flush { nodes_max: 1, time_ms_max: None };
    let mut tree =
        writer.dynamic_tree(&Metadata::new(), LogOptions { flush, ..LogOptions::default() }).unwrap();
    tree.enter(0).unwrap();
    for number in 1..4 {
        tree.enter(number).unwrap();
        tree.leave_values(&[1, 5, 0, 1].map(gt_log::Value::Int)).unwrap();
    }
    drop(tree);
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    let told = profile(&log, |profile| profile.sentences(None));
    assert!(told[0].starts_with("The log broke off in this tree: 1 node on the path"), "{told:?}");
    let told = told.join("\n");
    assert!(!told.contains("from a search to depth") && !told.contains("minimal tree of Knuth"), "{told}");
    let json = profile(&log, |profile| profile.to_json("cut.gtf", None));
    assert_eq!(json["numbers"]["unfinished"], 1);
    let plies =
        json["charts"].as_array().unwrap().iter().find(|chart| chart["name"] == "nodes-per-ply").unwrap();
    let unknown =
        plies["series"].as_array().unwrap().iter().find(|series| series["name"] == "unknown").unwrap();
    assert_eq!(unknown["values"], serde_json::json!([1, 0]), "nobody knows what the root was: {plies}");
    assert!(json["derived"]["effective_branching"].is_null(), "{json}");
}

/// A win in three plies for the root, by its first move; another move is at most a win in nine. The first reply is worth
/// as much for the side to move there as the two moves below it.
fn won_log(attributes: &[&str]) -> Log {
    let schema = Schema::new(attributes.iter().map(|name| (*name, Kind::I32))).unwrap();
    let nodes = [
        (0, -2_000_000, 2_000_000, 999_997),
        (1, -2_000_000, 2_000_000, -999_997),
        (2, -2_000_000, 2_000_000, 999_997),
        (3, -2_000_000, 2_000_000, -999_997),
        (3, -999_998, -999_997, 0),
        (1, -999_998, -999_997, -999_991),
    ];
    let mut tree = TreeBuilder::new(&schema);
    let mut open: Vec<u64> = Vec::new();
    for (number, (ply, alpha, beta, best)) in (0..).zip(nodes) {
        let value = |name: &&str| {
            Value::Int(match *name {
                "alpha" => alpha,
                "beta" => beta,
                _ => best,
            })
        };
        open.truncate(ply);
        open.push(
            tree.add(open.last().copied(), number, &attributes.iter().map(value).collect::<Vec<_>>())
                .unwrap(),
        );
    }
    let writer = LogWriter::to_memory(Header::new("test", schema.clone()).with("win", "1000000")).unwrap();
    tree.finish(&writer, &Metadata::new(), LogOptions::default()).unwrap();
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// Mates are written out for people, counted from the player whose view the value is from, and stay numbers in JSON.
#[test]
fn decided_values_in_tables() {
    let values = |log: &Log, name: &str, place: usize| -> Vec<String> {
        let rows = profile(log, |profile| profile.table(name, Some(&letter)).unwrap().rows);
        rows.iter().map(|row| row[place].clone()).collect()
    };
    let log = won_log(&["alpha", "beta", "best"]);
    assert_eq!(values(&log, "heaviest-moves", 3), ["won in 3 plies", "≤ won in 9 plies"], "from the root");
    assert_eq!(values(&log, "heaviest-subtrees", 2), ["won in 1 ply"], "from the node, after two plies");
    let json = profile(&log, |profile| profile.to_json("t.gtf", None));
    let table =
        json["tables"].as_array().unwrap().iter().find(|one| one["name"] == "heaviest-moves").unwrap();
    assert_eq!((&table["rows"][0][3], &table["rows"][0][4]), (&999_997.into(), &"exact".into()), "{table}");

    // Without windows a value is shown as it was logged, for the player to move after the move.
    let log = won_log(&["best"]);
    assert_eq!(values(&log, "heaviest-moves", 3), ["lost in 2 plies", "lost in 8 plies"]);
}
