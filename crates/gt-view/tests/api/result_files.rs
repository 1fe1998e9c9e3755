//! Result files: saved as `gt query` writes them, and shown as if their query had been run.

use gt_games::GameKind;
use gt_query::gti::{self, Content};
use serde_json::json;

use crate::client::Served;
use crate::logs::{extreme, game};

const HEAD: &str = "11:27 13.6.2007\nruns/chess.gtf, tree 1\nnode: best > 5\n0.250\n";

fn with_result(rest: &str) -> Result<Served, String> {
    Served::with_result(("chess.gtf", &game(GameKind::Chess)), &format!("{HEAD}{rest}"))
}

/// The sentence that a result file is refused with, without the file's name.
fn refused(text: &str) -> String {
    let write = game(GameKind::Chess);
    let Err(sentence) = Served::with_result(("chess.gtf", &write), text) else { panic!("{text:?} is taken") };
    let (path, sentence) = sentence.split_once(": ").unwrap();
    assert!(path.ends_with("result.gti"), "{path}");
    sentence.to_owned()
}

#[test]
fn a_result_is_shown_as_if_its_query_had_been_run() {
    let served = with_result("nodes:3\n2\n7\n40\n").unwrap();
    let file = &served.get("/api/logs")["file"];
    assert_eq!(*file, json!({"run": 0, "log": 0, "tree": 1, "name": "result.gti", "text": "node: best > 5"}));
    let answer = served.get("/api/runs/0?wait=1000");
    assert_eq!((&answer["state"], &answer["seconds"]), (&json!("done"), &json!(0.25)));
    let result = &answer["results"][0];
    assert_eq!(
        (&result["kind"], &result["matches"], &result["nodes"]),
        (&json!("nodes"), &json!(3), &json!([2, 7, 40]))
    );
    let node = served.get("/api/node?tree=1&node=7");
    assert_eq!((&result["rows"][1][0], &result["rows"][1][1]), (&json!(7), &node["text"]));
    // Marks and steps.
    assert_eq!(served.get("/api/children?tree=1&marks=0")["children"][1]["match"], false);
    assert_eq!(served.get("/api/picture?tree=1&marks=0")["rectangles"]["marks"][0], 3);
    assert_eq!(served.get("/api/runs/0/step?from=7")["node"], 40);
    // It is another tree's.
    assert_eq!(served.refused("/api/picture?tree=0&marks=0").0, 400);
}

#[test]
fn a_result_stays_when_runs_come_and_go() {
    let served = with_result("nodes:1\n2\n").unwrap();
    for _ in 0..12 {
        served.run(r#"{"text": "node: count(*)"}"#);
    }
    assert_eq!(served.ask("DELETE", "/api/runs/0", &[], "").json()["state"], "done");
    assert_eq!(served.get("/api/runs/0")["results"][0]["nodes"], json!([2]));
}

#[test]
fn an_order_is_kept_and_rows_are_read() {
    let served = with_result("nodes:3\n7\n2\n40\n").unwrap();
    assert_eq!(served.get("/api/runs/0")["results"][0]["nodes"], json!([7, 2, 40]));
    let served =
        with_result("rows:3\nnode_id\tbest\tx\tnote\n7\t-3\t0.5\teven\n2\t\t1\t\n7\t12\t2\t5\n").unwrap();
    let result = &served.get("/api/runs/0")["results"][0];
    assert_eq!(
        (&result["kind"], &result["nodes"], &result["matches"]),
        (&json!("rows"), &json!([7, 2, 7]), &json!(2))
    );
    assert_eq!(result["rows"], json!([[7, -3, 0.5, "even"], [2, null, 1.0, null], [7, 12, 2.0, "5"]]));
    let sorted = served.get("/api/runs/0?result=0&sort=best");
    assert_eq!(sorted["results"][0]["nodes"], json!([7, 7, 2]));
    let served = with_result("stat\n4711\n").unwrap();
    let result = &served.get("/api/runs/0")["results"][0];
    assert_eq!((&result["rows"], &result["matches"]), (&json!([[4711]]), &json!(null)));
}

#[test]
fn nodes_of_a_file_are_put_in_order_among_themselves() {
    let served = with_result("nodes:4\n2\n7\n8\n40\n").unwrap();
    let answer = served.get("/api/runs/0?result=0&sort=@size&descending=true&wait=30000");
    let sizes: Vec<u64> =
        answer["results"][0]["rows"].as_array().unwrap().iter().map(|row| row[3].as_u64().unwrap()).collect();
    let mut sorted = sizes.clone();
    sorted.sort_by_key(|size| std::cmp::Reverse(*size));
    assert_eq!(sizes, sorted);
    let mut nodes: Vec<u64> =
        answer["results"][0]["nodes"].as_array().unwrap().iter().map(|node| node.as_u64().unwrap()).collect();
    nodes.sort_unstable();
    assert_eq!(nodes, [2, 7, 8, 40], "the query itself has other matches");
}

#[test]
fn a_result_of_another_log_is_refused() {
    let other = HEAD.replace("runs/chess.gtf", "runs/other.gtf");
    assert_eq!(
        refused(&format!("{other}nodes:0\n")),
        "it is a result of the log `runs/other.gtf`, and not of `chess.gtf`"
    );
    let tree = HEAD.replace("tree 1", "tree 9");
    assert_eq!(
        refused(&format!("{tree}nodes:0\n")),
        "it is a result of tree 9, and `chess.gtf` has 2, numbered from 0"
    );
    let no_tree = HEAD.replace(", tree 1", "");
    assert_eq!(
        refused(&format!("{no_tree}nodes:0\n")),
        "it does not say of which tree it is a result, and `chess.gtf` has 2"
    );
    assert_eq!(
        refused(&format!("{HEAD}nodes:2\n1\n99999\n")),
        "it names node 99999, and tree 1 has 81 nodes, numbered from 0: it is a result of another log"
    );
    assert_eq!(
        refused("rubbish"),
        "line 1 is not a time and date as in `10:48 12.6.2007`, so it is no result file"
    );
    let cut_off = refused(&format!("{HEAD}nodes:18446744073709551615\n1\n"));
    assert!(cut_off.starts_with("it ends before line 7"), "{cut_off}");
}

#[test]
fn results_are_saved_as_files_that_can_be_read() {
    let served = Served::of(&[("chess.gtf", &game(GameKind::Chess))]);
    let text = "node: best > 5\n\n[moves]\nnode: @ply = 1 select node_id, last_move, type, note order by best limit 3\n\n\
                node: count(best > 5)\n\nnode: * order by best limit 2";
    let (run, answer) = served.run(&json!({"tree": 1, "text": text}).to_string());
    let saved = |result: usize| {
        let reply = served.ask("GET", &format!("/api/runs/{run}/export?result={result}&format=gti"), &[], "");
        assert_eq!(reply.status, 200);
        (reply.head.clone(), gti::read(reply.body.as_slice()).unwrap())
    };
    let (head, nodes) = saved(0);
    assert!(head.contains("filename=\"chess-tree1-1.gti\""), "{head}");
    assert!(nodes.log_name.ends_with("chess.gtf, tree 1"), "{}", nodes.log_name);
    assert_eq!(nodes.query, "node: best > 5");
    let listed: Vec<u64> = serde_json::from_value(answer["results"][0]["nodes"].clone()).unwrap();
    assert_eq!(nodes.node_ids().unwrap(), listed);
    let (head, rows) = saved(1);
    assert!(head.contains("filename=\"chess-tree1-moves.gti\""), "{head}");
    let Content::Rows { headings, rows } = rows.content else { panic!("rows") };
    assert_eq!(headings, ["node_id", "last_move", "type", "note"]);
    assert_eq!((rows.len(), rows[0][1].len()), (3, 4), "moves are in the game's notation: {rows:?}");
    assert!(["PVNode", "CutNode", "1", "2"].contains(&rows[0][2].as_str()), "{rows:?}");
    assert_eq!(saved(2).1.content, Content::Stat(listed.len().to_string()));
    let ordered: Vec<u64> = serde_json::from_value(answer["results"][3]["nodes"].clone()).unwrap();
    assert_eq!(saved(3).1.content, Content::Nodes(ordered));
    // What was saved is shown again.
    let file = served.ask("GET", &format!("/api/runs/{run}/export?format=gti"), &[], "").text();
    let again = Served::with_result(("chess.gtf", &game(GameKind::Chess)), &file).unwrap();
    assert_eq!(again.get("/api/runs/0")["results"][0]["nodes"], answer["results"][0]["nodes"]);
    let copied = again.ask("GET", "/api/runs/0/export?format=gti", &[], "").text();
    assert_eq!(copied, file, "a file that is saved again is the same");
}

#[test]
fn a_part_of_a_result_is_not_saved_as_the_whole() {
    let served = Served::of(&[("extreme.gtf", &extreme(60_000))]);
    let (run, answer) = served.run(r#"{"text": "node: * select best"}"#);
    assert_eq!(answer["results"][0]["truncated"], true);
    let (status, sentence) = served.refused(&format!("/api/runs/{run}/export?format=gti"));
    assert_eq!(status, 409);
    assert!(sentence.starts_with("only the first 50000 rows of this result are kept"), "{sentence}");
    let (status, sentence) = served.refused(&format!("/api/runs/{run}/export?format=xml"));
    assert_eq!((status, sentence.as_str()), (400, "`format` is one of: csv, json, gti"));
}
