//! `gt search --query`: what is answered while a search runs is what its log answers afterwards.

use std::collections::BTreeMap;
use std::path::Path;

use crate::command::{gt, says};
use serde_json::{Value, json};

/// Queries of every kind of answer, and of every moment at which a match can become known.
const QUERIES: &str = "\
[leaves]
node: @children = 0 and best > 0

[cells]
node: best >= beta; child: count([]best <= -beta) = 1 select best, beta - alpha as width, ended, last_move

[later]
node: best > [^]best and [>]best > best

[whole]
let mean = tree: avg(best)
node: best > mean and @ply <= 2

[number]
node: count(depth < $nominal_depth and type & CutNode)

[value]
node: max(@ply where best >= beta)

[groups]
group by ended select ended, count(*), sum(@size)

[best]
node: @ply > 0 select best, @line order by best desc limit 4

[unfinished]
node: @unfinished select depth
";

fn events(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// By query and tree, what was told: the node_ids of matches with their cells, and the end.
type Answers = BTreeMap<(String, u64), (Vec<(u64, Value)>, Value)>;

fn told(events: &[Value]) -> Answers {
    let mut told = Answers::new();
    for event in events {
        let key =
            |event: &Value| (event["query"].as_str().unwrap().to_owned(), event["tree"].as_u64().unwrap());
        match event["event"].as_str() {
            Some("match") => {
                let found = (event["node_id"].as_u64().unwrap(), event["cells"].clone());
                told.entry(key(event)).or_default().0.push(found);
            }
            Some("end") => told.entry(key(event)).or_default().1 = event.clone(),
            other => assert!(other.is_none(), "{event}"),
        }
    }
    told
}

/// Holds what was told against what `gt query` says of the log; how many matches there were.
fn agree(folder: &Path, told: &Answers) -> usize {
    let asked = says(folder, &["query", "t.gtf", "-f", "q.gtql", "--format", "json", "--moves", "text"]);
    let mut matches = 0;
    let answers = events(&asked);
    assert_eq!(answers.len(), told.len(), "an end for each query and tree");
    for answer in answers {
        let key = (answer["name"].as_str().unwrap().to_owned(), answer["tree"].as_u64().unwrap());
        let (found, end) = &told[&key];
        matches += found.len();
        if let Some(nodes) = answer["nodes"].as_array() {
            let mut ids: Vec<u64> = found.iter().map(|(node, _)| *node).collect();
            ids.sort_unstable();
            assert_eq!(json!(ids), json!(nodes), "{key:?}");
            assert_eq!(end["matches"], answer["count"], "{key:?}");
        } else if key.0 == "groups" {
            assert_eq!(end["rows"], answer["rows"], "{key:?}");
        } else if answer["rows"].is_array() {
            let mut found = found.clone();
            if key.0 != "best" {
                found.sort_by_key(|(node, _)| *node);
            }
            let cells: Vec<&Value> = found.iter().map(|(_, cells)| cells).collect();
            assert_eq!(json!(cells), answer["rows"], "{key:?}");
        } else if key.0 == "number" {
            assert_eq!(end["count"], answer["count"], "{key:?}");
        } else {
            assert_eq!(end["value"], answer["value"], "{key:?}");
        }
    }
    matches
}

#[test]
fn what_is_told_is_what_the_log_answers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("q.gtql"), QUERIES).unwrap();
    let fork = "r1bqr1k1/pp1n1pbp/3p1np1/2pP4/P3P3/2N2N2/1P1BBPPP/R2Q1RK1 w - - 0 1";
    let searches: [&[&str]; 6] = [
        &["tic-tac-toe", "--depth", "5", "--algorithm", "alpha-beta"],
        &["connect-four", "--depth", "6", "--multi-pv", "2"],
        &["chess", "--position", fork, "--depth", "5"],
        &["chess", "--depth", "9", "--nodes", "6000"],
        &["chinese-checkers", "--players", "3", "--algorithm", "max-n", "--depth", "2"],
        &["connect-four", "--depth", "5", "--algorithm", "stored-tree"],
    ];
    for search in searches {
        let asked = ["--query", "q.gtql", "--query-limit", "0", "--format", "json"];
        let arguments = [&["search"], search, &asked[..]].concat();
        let logged = says(folder.path(), &[&arguments[..], &["--log", "t.gtf", "--force"]].concat());
        let mut logged = events(&logged);
        assert!(logged.pop().unwrap()["best_move"].is_string(), "the last line is the search's result");
        assert!(agree(folder.path(), &told(&logged)) > 20, "{search:?}");
        // No log is needed. A search that a limit stops is the same again.
        let mut unlogged = events(&says(folder.path(), &arguments));
        unlogged.pop();
        assert_eq!(unlogged, logged, "{search:?}");
    }
}

#[test]
fn keys_can_be_asked_without_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let search = ["search", "connect-four", "--depth", "3", "--with", "key", "--query"];
    let query = "node: @ply = 1 select key";
    let out = says(folder.path(), &[&search[..], &[query, "--format", "json", "--log", "t.gtf"]].concat());
    let asked = says(folder.path(), &["query", "t.gtf", "--tree", "last", query, "--format", "json"]);
    let last: Vec<Value> =
        events(&out).into_iter().filter(|event| event["tree"] == 2 && event["event"] == "match").collect();
    let keys: Vec<&Value> = last.iter().map(|event| &event["cells"]).collect();
    assert_eq!(keys.len(), 7);
    assert_eq!(json!(keys), events(&asked)[0]["rows"]);
}

#[test]
fn text_is_for_people_and_ends_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let search = ["search", "tic-tac-toe", "--algorithm", "alpha-beta", "--depth", "2", "--first-depth", "2"];
    let out = says(
        folder.path(),
        &[&search[..], &["--query", "node: @ply > 0 select ended", "--query-limit", "2"]].concat(),
    );
    let (answers, report) = out.split_once("\n\n").unwrap();
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert_eq!(lines[0], "depth  2  node         2  ply  2  a1 b1  ended=Horizon");
    assert!(lines[2].starts_with("depth  2  ") && lines[2].ends_with("not printed"), "{out}");
    assert!(report.starts_with("best move    "), "{out}");
}

#[test]
fn several_queries_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let queries = "[cut]\nnode: count(ended = Cutoff)\n\n[by end]\ngroup by ended select ended, count(*)\n";
    let search = ["search", "tic-tac-toe", "--depth", "1", "--query", queries];
    let out = says(folder.path(), &search);
    let (answers, _) = out.split_once("\n\n").unwrap();
    assert_eq!(
        answers,
        "depth  1  cut     0 in 10 nodes\ndepth  1  by end  2 groups\n          ended     count(*)\n          Searched         1\n          Horizon          9"
    );
}

#[test]
fn what_cannot_be_asked_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], part: &str| {
        let arguments = [&["search", "connect-four", "--depth", "3", "--log", "t.gtf"], arguments].concat();
        let (code, out, errors) = gt(folder.path(), &arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(!folder.path().join("t.gtf").exists(), "{arguments:?}");
    };
    refused(&["--with", "key", "--query", "twin(key): count(*) > 0"], "`twin` looks at nodes anywhere");
    refused(&["--query", "node: count(best > 0)", "--threads", "2"], "one thread");
    refused(&["--query", "node: count(best > 0)", "--algorithm", "uct"], "gt query");
    refused(&["--query", "node: bset > 0"], "did you mean `best`");
    refused(&["--query", "nothing.gtql"], "there is no such file");
    refused(&["--query", "# no query"], "there is no query");
    refused(&["--query-limit", "3"], "--query");
}

/// Values that say who wins are told as `gt query` tells them on the log of the search; JSON keeps the numbers.
#[test]
fn mates_are_told_while_they_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let position = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    let search = ["search", "chess", "--position", position, "--depth", "3"];
    let asked =
        |query: &str, more: &[&str]| says(folder.path(), &[&search[..], &["--query", query], more].concat());
    let out = asked("node: @ply = 2 and best > 10000 select best, [^]best", &[]);
    assert!(out.contains("  a2a7 h8g8  best=mate in 1  [^]best=mated in 1\n"), "{out}");
    assert!(out.contains("\nvalue        mate in 2\n"), "the result too: {out}");
    let san = asked("node: @ply = 2 and best > 10000 select last_move", &["--query-moves", "san"]);
    assert!(san.contains("  Ra7 Kg8  last_move=Kg8\n"), "{san}");
    let san = asked("node: @ply = 2 and best > 10000", &["--query-moves", "san", "--format", "json"]);
    assert!(san.contains("\"line\":[\"Ra7\",\"Kg8\"]"), "{san}");
    let numbers = asked("node: @ply = 1 and best < -10000 select last_move", &["--query-moves", "number"]);
    assert!(!numbers.contains("last_move=a2a7") && numbers.contains("last_move="), "{numbers}");
    let groups = asked("group by @ply select @ply, max(best)", &[]);
    assert!(groups.contains("   0  mate in 2\n"), "{groups}");
    let json = asked("node: @ply = 2 and best > 10000 select best", &["--format", "json"]);
    assert!(json.contains("\"cells\":[999997]"), "{json}");
}
