//! Queries: checked, completed, run, stepped through, exported, cancelled; library and charts.

use gt_games::GameKind;
use gt_log::{Header, Kind, LogWriter, Metadata, Options, Schema};
use serde_json::{Value, json};

use crate::client::Served;
use crate::logs::{extreme, game};

fn served() -> Served {
    Served::of(&[("chess.gtf", &game(GameKind::Chess))])
}

#[test]
fn errors_come_in_the_command_lines_words() {
    let served = served();
    let checked = served.post("/api/check", r#"{"text": "node: \"€\" = typ & PVNode"}"#).json();
    let error = &checked["errors"][0];
    assert_eq!((&error["start"], &error["end"]), (&json!(12), &json!(15)), "{checked}");
    assert_eq!(error["message"], "`typ` is not an attribute or alias of this log");
    assert_eq!(error["help"], "did you mean `type`?");
    assert_eq!(checked["queries"], json!([]));
    let fine = served.post("/api/check", r#"{"text": "[few]\nnode: last_move = \"e2e4\""}"#).json();
    assert_eq!(fine["errors"], json!([]));
    assert_eq!(
        (&fine["queries"][0]["name"], &fine["queries"][0]["result"]),
        (&json!("few"), &json!("nodes"))
    );
    assert_eq!(fine["tokens"][1], json!({"start": 6, "end": 10, "kind": "keyword"}));
    let moves = served.post("/api/check", r#"{"text": "node: last_move = \"Nf3\""}"#).json();
    assert!(
        moves["errors"][0]["note"].as_str().unwrap().contains("written from square to square"),
        "{moves}"
    );
}

#[test]
fn completion_knows_the_log() {
    let served = served();
    let found = served.post("/api/complete", r#"{"text": "node: be", "position": 8}"#).json();
    assert_eq!(
        (&found["start"], &found["end"], &found["proposals"][0]["text"]),
        (&json!(6), &json!(8), &json!("best"))
    );
    assert_eq!(found["proposals"][0]["kind"], "attribute");
    let parameter = served.post("/api/complete", r#"{"text": "node: best > $n", "position": 15}"#).json();
    assert_eq!(parameter["proposals"][0]["text"], "$nominal_depth");
    let far = served.post("/api/complete", r#"{"text": "", "position": 9007199254740991}"#).json();
    assert_eq!(far["end"], 0);
}

#[test]
fn all_kinds_of_results_are_told() {
    let served = served();
    let text = "node: best > 0\n\n[largest]\nnode: * select best, @line order by best desc limit 2\n\n\
                node: count(type & PVNode)\n\ngroup by @ply select @ply, count(*)\n\nnode: max(best)\n\nnode: * order by best limit 3";
    let (run, answer) = served.run(&json!({"tree": 1, "text": text}).to_string());
    assert_eq!((&answer["state"], &answer["error"]), (&json!("done"), &json!(null)));
    let results = answer["results"].as_array().unwrap();
    let kinds: Vec<&Value> = results.iter().map(|result| &result["kind"]).collect();
    assert_eq!(kinds, ["nodes", "rows", "count", "groups", "value", "nodes"]);
    // A row of a collection is what the node is.
    let first = results[0]["nodes"][0].as_u64().unwrap();
    let node = served.get(&format!("/api/node?tree=1&node={first}"));
    let row = &results[0]["rows"][0];
    assert_eq!(
        (&row[1], &row[2], &row[3], &row[4]),
        (&node["text"], &node["ply"], &node["size"], &node["attributes"]["best"])
    );
    // Selected rows know their nodes, and the node is no column of theirs.
    assert_eq!(results[1]["name"], "largest");
    assert_eq!(
        results[1]["columns"],
        json!([{"name": "best", "type": "integer", "names": null}, {"name": "@line", "type": "line", "names": null}])
    );
    assert_eq!(
        (&results[1]["count"], &results[1]["rows"][0][0], &results[1]["matches"]),
        (&json!(2), &json!(10), &json!(2))
    );
    let best = served.get(&format!("/api/node?tree=1&node={}", results[1]["nodes"][0]));
    assert_eq!(best["attributes"]["best"], 10);
    // A count has the nodes that were counted behind it.
    assert_eq!(results[2]["rows"][0][0], results[2]["matches"]);
    assert_eq!(
        (&results[3]["rows"], &results[3]["nodes"]),
        (&json!([[0, 1], [1, 20], [2, 60]]), &json!(null))
    );
    assert_eq!((&results[4]["rows"], &results[4]["matches"]), (&json!([[10]]), &json!(null)));
    assert_eq!((&results[5]["count"], &results[5]["rows"][0][4]), (&json!(3), &json!(-10)));
    let one = served.get(&format!("/api/runs/{run}?result=3&offset=1&limit=1"));
    assert_eq!(
        (one["results"].as_array().unwrap().len(), &one["results"][0]["rows"]),
        (1, &json!([[1, 20]]))
    );
}

#[test]
fn results_are_sorted() {
    let served = served();
    let (run, answer) =
        served.run(r#"{"tree": 1, "text": "node: @ply = 1\n\nnode: @ply = 1 select @size, last_move"}"#);
    assert_eq!(answer["results"][0]["count"], 20);
    let sizes = |result: u64, column: usize| -> Vec<u64> {
        let path = format!("/api/runs/{run}?result={result}&sort=@size&descending=true&wait=30000");
        let page = served.get(&path);
        assert_eq!(page["state"], "done");
        page["results"][0]["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[column].as_u64().unwrap())
            .collect()
    };
    let by_query = sizes(0, 3);
    assert_eq!(by_query, sizes(1, 0));
    assert!(by_query.is_sorted_by(|left, right| left >= right) && by_query[0] > by_query[19]);
    let (status, message) = served.refused(&format!("/api/runs/{run}?sort=nothing"));
    assert!(
        status == 400 && message.starts_with("there is no column `nothing`; there are: node_id, move"),
        "{message}"
    );
}

#[test]
fn matches_are_stepped_through() {
    let served = served();
    let (run, answer) = served.run(r#"{"tree": 1, "text": "node: best > 0"}"#);
    let nodes: Vec<u64> =
        answer["results"][0]["nodes"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    let step = |query: &str| served.get(&format!("/api/runs/{run}/step?{query}"));
    let mut from = String::new();
    for (index, node) in nodes.iter().enumerate() {
        let found = step(&format!("direction=next{from}"));
        assert_eq!(found, json!({"node": node, "index": index, "count": nodes.len()}));
        from = format!("&from={node}");
    }
    assert_eq!(step(&format!("direction=next{from}"))["node"], json!(null));
    assert_eq!(step("direction=previous")["index"], nodes.len() - 1);
    assert_eq!(step(&format!("direction=previous&from={}", nodes[1]))["node"], nodes[0]);
    assert_eq!(step(&format!("direction=previous&from={}", nodes[0]))["node"], json!(null));
    assert_eq!(served.refused(&format!("/api/runs/{run}/step?result=4")).0, 404);
    assert_eq!(served.refused(&format!("/api/runs/{run}/step?direction=up")).0, 400);
}

#[test]
fn results_are_exported_whole() {
    let served = served();
    let (run, answer) =
        served.run(r#"{"tree": 1, "text": "node: best > 0\n\nnode: @ply = 0 select note, hash"}"#);
    let count = answer["results"][0]["count"].as_u64().unwrap() as usize;
    let csv = served.ask("GET", &format!("/api/runs/{run}/export?format=csv"), &[], "");
    assert!(csv.head.contains("attachment; filename=\"run-0-0.csv\""), "{}", csv.head);
    let text = csv.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (count + 1, "node_id,move,@ply,@size,best,type,hash,note"));
    assert!(text.contains("\"odd, \"\"quoted\"\"\""), "{text}");
    let object = served.ask("GET", &format!("/api/runs/{run}/export?format=json"), &[], "").json();
    assert_eq!(object["rows"].as_array().unwrap().len(), count);
    let rows = served.ask("GET", &format!("/api/runs/{run}/export?result=1"), &[], "").text();
    assert_eq!(rows, format!("note,hash\neven,{}\n", u64::MAX));
}

#[test]
fn parameters_come_from_the_body_or_the_metadata() {
    let served = served();
    let count = |body: Value| served.run(&body.to_string()).1["results"][0]["rows"][0][0].clone();
    assert_eq!(count(json!({"tree": 1, "text": "node: count(@ply = $nominal_depth)"})), 60);
    assert_eq!(
        count(
            json!({"tree": 1, "text": "node: count(@ply = $nominal_depth)", "parameters": {"nominal_depth": 1}})
        ),
        20
    );
}

#[test]
fn a_run_is_cancelled_and_dropped() {
    let served = Served::of(&[("extreme.gtf", &extreme(300_000))]);
    // Twice over the chain, node by node.
    let text =
        "let a = path: sum(best)\nlet b = subtree: sum(a)\nnode: b > 5 and [^]b > 6 order by b limit 1000";
    let run = served.post("/api/runs", &json!({"tree": 1, "text": text}).to_string()).json()["run"]
        .as_u64()
        .unwrap();
    let ended = served.ask("DELETE", &format!("/api/runs/{run}"), &[], "");
    assert_eq!(ended.status, 200);
    let state = served.ask("GET", &format!("/api/runs/{run}?wait=30000"), &[], "");
    // It may have been done before it was cancelled; then it is forgotten.
    assert!(
        state.status == 410 || ["cancelled", "done"].contains(&state.json()["state"].as_str().unwrap()),
        "{}",
        state.text()
    );
    for _ in 0..12 {
        served.run(r#"{"text": "node: count(*)"}"#);
    }
    let (status, message) = served.refused(&format!("/api/runs/{run}"));
    assert!(status == 410 && message.contains("was dropped"), "{message}");
}

#[test]
fn notes_and_names_come_in_the_command_lines_words() {
    let served = served();
    let text = "child: count(type & CutNode) > 0";
    let checked = served.post("/api/check", &json!({ "text": text }).to_string()).json();
    assert_eq!(checked["errors"], json!([]));
    assert_eq!(
        checked["notes"],
        json!([{
            "start": 7, "end": 28, "message": "`count(type & CutNode)` reads nothing of the child",
            "help": "`type` is the node's own, `[]type` is the child's", "note": null,
        }])
    );
    let right = served.post("/api/check", r#"{"text": "child: count([]type & CutNode) > 0"}"#).json();
    assert_eq!(right["notes"], json!([]));
    let columns = |served: &Served, text: &str| {
        let (_, answer) = served.run(&json!({ "text": text }).to_string());
        answer["results"][0]["columns"].as_array().unwrap().clone()
    };
    // Aliases that belong to no attribute name nothing.
    assert_eq!(columns(&served, "select type as kind limit 1")[0]["names"], json!(null));
    let owned = Served::of(&[("owned.gtf", &|path| {
        let schema = Schema::new([("ended", Kind::U8), ("best", Kind::I16)]).unwrap();
        let schema = schema.with_aliases_of("ended", [("Searched", 0), ("Cutoff", 1)]).unwrap();
        let log = LogWriter::create(path, Header::new("", schema)).unwrap();
        let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
        tree.enter(0).unwrap();
        tree.leave_values(&[gt_log::Value::UInt(1), gt_log::Value::Int(7)]).unwrap();
        tree.finish().unwrap();
        log.finish().unwrap();
    })]);
    for text in ["select ended as why, best", "group by ended select max(ended) as why, count(*)"] {
        let columns = columns(&owned, text);
        assert_eq!((&columns[0]["name"], &columns[0]["names"]), (&json!("why"), &json!("ended")), "{text}");
        assert_eq!(columns[1]["names"], json!(null), "{text}");
    }
}

/// The share that is done rises while a run is under way, and is told no more when it has ended.
#[test]
fn a_run_tells_how_far_it_has_come() {
    let served = Served::of(&[("extreme.gtf", &extreme(300_000))]);
    let query = |k: usize| {
        format!(
            "let a{k} = path: sum(best + {k})\nlet b{k} = subtree: sum(a{k})\nnode: b{k} > 5 order by b{k} limit 9\n\n"
        )
    };
    // However fast the machine is, some number of queries takes long enough to be looked at.
    let mut shares: Vec<f64> = Vec::new();
    for queries in [1, 4, 16, 64] {
        let text: String = (0..queries).map(query).collect();
        let started = served.post("/api/runs", &json!({"tree": 1, "text": text}).to_string());
        let run = started.json()["run"].as_u64().unwrap();
        let ended = loop {
            let answer = served.get(&format!("/api/runs/{run}?limit=0"));
            if answer["state"] != "running" {
                break answer;
            }
            shares.extend(answer["progress"].as_f64());
        };
        assert_eq!((&ended["state"], &ended["progress"]), (&json!("done"), &json!(null)));
        if shares.last() > shares.first() {
            break;
        }
        shares.clear();
    }
    assert!(shares.len() > 1 && shares.is_sorted(), "{shares:?}");
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
}

#[test]
fn an_overflow_is_a_sentence() {
    let served = served();
    let (_, answer) = served.run(r#"{"text": "node: best * 9223372036854775807 > 0\n\nnode: count(*)"}"#);
    let results = &answer["results"];
    assert!(results[0]["error"].as_str().unwrap().contains("outside the 64-bit integers"), "{results}");
    assert_eq!((&results[1]["error"], &results[1]["rows"][0][0]), (&json!(null), &json!(21)));
}

#[test]
fn the_library_binds() {
    let served = served();
    let library = served.get("/api/library?tree=1");
    let queries = library["queries"].as_array().unwrap();
    assert!(queries.len() > 15, "{}", queries.len());
    for query in queries {
        let checked =
            served.post("/api/check", &json!({"tree": 1, "text": query["text"]}).to_string()).json();
        assert_eq!(checked["errors"], json!([]), "{query}");
    }
}

#[test]
fn charts_are_drawn_from_queries() {
    let served = served();
    let charts = served.get("/api/charts?tree=1");
    for chart in charts["charts"].as_array().unwrap() {
        let drawn = served.get(&format!("/api/chart?tree=1&name={}", chart["name"].as_str().unwrap()));
        assert_eq!(
            (&drawn["title"], &drawn["query"], &drawn["kind"]),
            (&chart["title"], &chart["query"], &chart["kind"])
        );
        let places = drawn["x"]["values"].as_array().unwrap().len();
        for series in drawn["series"].as_array().unwrap() {
            assert_eq!(series["values"].as_array().unwrap().len(), places, "{drawn}");
        }
    }
    for attribute in charts["attributes"].as_array().unwrap() {
        let drawn = served
            .get(&format!("/api/chart?tree=1&name=distribution&attribute={}", attribute.as_str().unwrap()));
        let values = drawn["series"][0]["values"].as_array().unwrap();
        assert_eq!(values.iter().filter_map(Value::as_u64).sum::<u64>(), 81, "{drawn}");
    }
    assert_eq!(served.refused("/api/chart?name=distribution&attribute=nothing").0, 404);
    assert_eq!(served.refused("/api/chart?name=distribution").0, 400);
    assert_eq!(served.refused("/api/chart?name=../../etc/passwd").0, 404);
    assert_eq!(served.refused("/api/chart").0, 400);
}
