//! Logs of many trees: which of them are one search, and what is told of it.

use std::sync::atomic::AtomicBool;

use gt_log::{
    Budget, Header, Kind, Log, LogWriter, Metadata, Options as LogOptions, Schema, TreeBuilder, Value,
};
use gt_query::engine::{Failure, Options};
use gt_report::document;
use gt_report::plot::Style;
use gt_report::profile::{Error, Profile, figures_of, main_tree, searches};
use serde_json::{Value as Json, json};

/// A node: its ply, the move that leads to it, and `depth alpha beta best`.
type Node = (usize, i64, [i64; 4]);

fn schema() -> Schema {
    Schema::new(["depth", "alpha", "beta", "best"].map(|name| (name, Kind::I32))).unwrap()
}

fn log_of_trees(trees: &[(Metadata, Vec<Node>)]) -> Log {
    let schema = schema();
    let writer = LogWriter::to_memory(Header::new("test", schema.clone())).unwrap();
    for (metadata, nodes) in trees {
        let mut tree = TreeBuilder::new(&schema);
        let mut open: Vec<u64> = Vec::new();
        for (ply, last_move, values) in nodes {
            open.truncate(*ply);
            open.push(tree.add(open.last().copied(), *last_move, &values.map(Value::Int)).unwrap());
        }
        tree.finish(&writer, metadata, LogOptions::default()).unwrap();
    }
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

/// The profile as JSON and as text.
fn told(log: &Log, tree: Option<usize>) -> (Json, String) {
    let selection = figures_of(log).unwrap();
    let tree = tree.map_or_else(|| main_tree(log).unwrap(), |tree| log.tree(tree).unwrap());
    let profile = Profile::of(log, tree, &selection, &Options::default()).unwrap();
    let style = Style { width: 100, ..Style::default() };
    (profile.to_json("t.gtf", None), document::text(&profile.document("t.gtf", None), style))
}

fn depth(depth: i64) -> Metadata {
    Metadata::new().with("nominal_depth", depth)
}

/// A root with a window that searched one move, which is worth `best`.
fn iteration(nominal_depth: i64, last_move: i64, [alpha, beta, best]: [i64; 3]) -> (Metadata, Vec<Node>) {
    let nodes = vec![
        (0, 0, [nominal_depth, alpha, beta, best]),
        (1, last_move, [nominal_depth - 1, -beta, -alpha, -best]),
    ];
    (depth(nominal_depth), nodes)
}

#[test]
fn all_trees_of_a_search_are_read() {
    let mut trees: Vec<_> = (1..=99).map(|depth| iteration(depth, 7, [-50, 50, 3])).collect();
    trees.push(iteration(100, 9, [-50, 50, 4]));
    let (json, text) = told(&log_of_trees(&trees), None);
    assert_eq!(json["trees"].as_array().unwrap().len(), 100);
    assert_eq!(json["iterations"][99]["move"], "9", "{text}");
    assert!(text.contains("9  the move that the search chose, at depth 100, value 4"), "{text}");
    assert!(text.contains("From depth 100 on the move is 9; until depth 99 it was 7."), "{text}");
    assert!(text.contains("(The last 64 of 100 iterations.)"), "{text}");
}

/// Depth 2 fails low, then high, then is exact. Its three windows are one iteration.
#[test]
fn windows_of_a_depth_are_one_iteration() {
    let high = vec![
        (0, 0, [1, -9, 2, 4]),
        (1, 5, [0, -2, 9, 8]),
        (1, 6, [0, -2, 9, -3]), // The engine returned 4 for it: values of roots that are cut off may be anything.
    ];
    let trees = [
        iteration(1, 5, [-50, 50, 3]),
        iteration(2, 5, [2, 9, 2]),
        (depth(2), high),
        iteration(2, 8, [-9, 9, 5]),
        iteration(3, 8, [6, 9, 10]),
    ];
    let (json, text) = told(&log_of_trees(&trees), None);
    let moves: Vec<&Json> = json["trees"].as_array().unwrap().iter().map(|tree| &tree["move"]).collect();
    assert_eq!(
        moves,
        [&json!("5"), &Json::Null, &json!("6"), &json!("8"), &json!("8")],
        "a root that fails low has no move"
    );
    let bounds: Vec<&Json> = json["trees"].as_array().unwrap().iter().map(|tree| &tree["bound"]).collect();
    assert_eq!(bounds, ["exact", "upper", "lower", "exact", "lower"]);
    let iterations = json["iterations"].as_array().unwrap();
    let of_each = |name: &str| iterations.iter().map(|one| one[name].clone()).collect::<Vec<_>>();
    assert_eq!(of_each("trees"), [json!([0]), json!([1, 2, 3]), json!([4])]);
    assert_eq!(of_each("nodes"), [2, 7, 2]);
    assert_eq!(of_each("value"), [3, 5, 10]);
    assert_eq!(of_each("completed"), [true, true, false]);
    assert_eq!(
        of_each("growth"),
        [Json::Null, json!(3.5), Json::Null],
        "only completed iterations are compared"
    );
    assert!(text.contains("Of the search's 5 windows 2 failed high and 1 low"), "{text}");
    assert!(text.contains("≥ 10") && text.contains("3.5×"), "{text}");
}

#[test]
fn positions_depths_and_threads_part_searches() {
    let tree = |nominal_depth: i64, position: &str, thread: &str| {
        let metadata = depth(nominal_depth).with("position", position).with("thread", thread);
        (metadata, vec![(0, 0, [nominal_depth, -9, 9, 1])])
    };
    let log = log_of_trees(&[
        tree(1, "a", "0"),
        tree(1, "a", "1"),
        tree(2, "a", "0"),
        tree(2, "a", "0"),
        tree(2, "a", "1"),
        tree(3, "b", "0"),
        tree(4, "b", "0"),
        tree(1, "b", "0"),
    ]);
    let trees: Vec<_> = searches(&log).unwrap().into_iter().map(|search| search.trees).collect();
    assert_eq!(trees, [vec![0, 2, 3], vec![1, 4], vec![5, 6], vec![7]]);
    let (json, text) = told(&log, Some(6));
    assert_eq!((&json["search"], json["trees"].as_array().unwrap().len()), (&json!(2), 2), "{text}");
    assert!(text.contains("This profile is that of search 2; `--search` chooses another."), "{text}");
}

/// Without metadata the depth at the root tells; without that each tree stands alone.
#[test]
fn the_roots_depth_parts_searches_too() {
    let tree = |depth: i64| (Metadata::new(), vec![(0, 0, [depth, -9, 9, 1])]);
    let log = log_of_trees(&[tree(1), tree(2), tree(1), tree(1), tree(3)]);
    let trees: Vec<_> = searches(&log).unwrap().into_iter().map(|search| search.trees).collect();
    assert_eq!(trees, [vec![0, 1], vec![2, 3, 4]]);

    let writer = LogWriter::to_memory(Header::new("test", Schema::default())).unwrap();
    for _ in 0..2 {
        let mut tree = TreeBuilder::new(&Schema::default());
        tree.add(None, 0, &[]).unwrap();
        tree.finish(&writer, &Metadata::new(), LogOptions::default()).unwrap();
    }
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    assert_eq!(searches(&log).unwrap().len(), 2);
}

/// 4 is exact. The null window of 5 promised more, but its re-search did not keep it; 6 is worth at most as much as 4.
#[test]
fn bounds_are_shown_as_bounds_and_chosen_for_nothing() {
    let nodes = vec![
        (0, 0, [2, -100, 100, 20]),
        (1, 5, [1, -16, -15, -20]),
        (1, 5, [1, -100, 100, 30]),
        (1, 4, [1, -100, 100, -20]),
        (2, 1, [0, -9, 9, 12]),
        (1, 6, [1, -21, -20, -20]),
        (1, 7, [1, -21, -20, 900]),
    ];
    let (json, text) = told(&log_of_trees(&[(depth(2), nodes)]), None);
    assert!(text.contains("4  the move that the search chose, at depth 2, value 20"), "{text}");
    let table =
        json["tables"].as_array().unwrap().iter().find(|table| table["name"] == "heaviest-moves").unwrap();
    assert_eq!(table["columns"], json!(["node_id", "last_move", "@size", "-best", "bound"]));
    let bounds: Vec<_> =
        table["rows"].as_array().unwrap().iter().map(|row| json!([row[1], row[3], row[4]])).collect();
    let expected = [
        json!(["4", 20, "exact"]),
        json!(["5", 20, "lower"]),
        json!(["5", -30, "exact"]),
        json!(["6", 20, "upper"]),
        json!(["7", -900, "upper"]),
    ];
    assert_eq!(bounds, expected);
    assert!(text.contains("≤ -900") && text.contains("≥ 20") && text.contains("≤ 20"), "{text}");
    let ascii = Style { unicode: false, ..Style::default() };
    let log = log_of_trees(&[iteration(1, 3, [5, 9, 9])]);
    let selection = figures_of(&log).unwrap();
    let profile = Profile::of(&log, log.tree(0).unwrap(), &selection, &Options::default()).unwrap();
    let plain = document::text(&profile.document("t.gtf", None), ascii);
    assert!(plain.contains(">= 9") && plain.is_ascii(), "{plain}");
}

/// A full tree of depth 3 and branching 4 of which the log takes 30 nodes.
#[test]
fn what_was_left_out_is_not_taken_for_nothing() {
    fn search(tree: &mut gt_log::TreeWriter<gt_log::Dynamic>, depth: i64) {
        for last_move in 0..if depth == 0 { 0 } else { 4 } {
            tree.enter(last_move).unwrap();
            search(tree, depth - 1);
            tree.leave_values(&[depth - 1, -9, 9, 1].map(Value::Int)).unwrap();
        }
    }
    let writer = LogWriter::to_memory(Header::new("test", schema())).unwrap();
    let budget = Budget { nodes_max: Some(30), bytes_max: None };
    let mut tree = writer.dynamic_tree(&depth(3), LogOptions { budget, ..LogOptions::default() }).unwrap();
    tree.enter(0).unwrap();
    search(&mut tree, 3);
    tree.leave_values(&[3, -9, 9, -1].map(Value::Int)).unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(writer.into_memory().unwrap()).unwrap();
    let logged = log.tree(0).unwrap().nodes();
    assert!(logged < 85 && logged + log.tree(0).unwrap().left_out().unwrap() == 85);

    let (json, text) = told(&log, None);
    assert_eq!((&json["derived"]["nodes_searched"], &json["numbers"]["nodes"]), (&json!(85), &json!(logged)));
    assert!(json["derived"]["minimal_tree"].is_null());
    assert_eq!(json["trees"][0]["left_out"], 85 - logged);
    let expected = format!("The search had 85 nodes here, of which the log holds {logged}");
    assert!(text.contains(&expected), "{text}");
    // A subtree that is in the log in part is as large as the search made it, and its moves are not counted.
    let table =
        json["tables"].as_array().unwrap().iter().find(|table| table["name"] == "heaviest-moves").unwrap();
    assert_eq!(table["rows"][0][2], 21, "{table}");
    let branching =
        json["charts"].as_array().unwrap().iter().find(|chart| chart["name"] == "branching").unwrap();
    let children: Vec<f64> =
        branching["series"][0]["values"].as_array().unwrap().iter().filter_map(Json::as_f64).collect();
    assert!(!children.is_empty() && children.iter().all(|mean| *mean == 4.0), "{branching}");
}

/// More plies than anyone reads: the plots end early and say so, lines are cut, and nothing is worked out ply by ply for
/// every ply.
#[test]
fn a_deep_chain_is_told_in_a_few_pages() {
    const DEPTH: usize = 50_000;
    let nodes: Vec<Node> = (0..=DEPTH)
        .flat_map(|ply| [(ply, 1, [(DEPTH - ply) as i64, -9, 9, 1]), (ply + 1, 2, [0, -9, 9, 2])])
        .collect();
    let (json, text) = told(&log_of_trees(&[(Metadata::new(), nodes)]), None);
    assert!(text.contains("(The first 128 of 50,002; JSON has all.)"), "{}", &text[..2000]);
    assert!(text.lines().count() < 1_000 && text.len() < 200_000, "{}", text.len());
    let nodes =
        json["charts"].as_array().unwrap().iter().find(|chart| chart["name"] == "nodes-per-ply").unwrap();
    assert_eq!(nodes["x"]["values"].as_array().unwrap().len(), DEPTH + 2);
}

#[test]
fn a_profile_can_be_cancelled() {
    let log = log_of_trees(&[iteration(1, 5, [-50, 50, 3]), iteration(2, 5, [-50, 50, 3])]);
    let selection = figures_of(&log).unwrap();
    let cancel = AtomicBool::new(true);
    let options = Options { cancel: Some(&cancel), ..Options::default() };
    let profile = Profile::of(&log, log.tree(1).unwrap(), &selection, &options);
    assert!(matches!(profile, Err(Error::Engine(Failure::Cancelled))));
}
