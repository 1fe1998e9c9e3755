//! `gt profile`, as a user runs it; its numbers are those of the queries that it prints.

use std::path::Path;

use crate::command::{gt, says};
use serde_json::Value;

/// Runs the queries that the profile prints with `gt query -f`, and holds their answers against the profile's.
fn numbers_are_those_of_the_queries(folder: &Path, log: &str, tree: &str) -> Value {
    let profile: Value =
        serde_json::from_str(&says(folder, &["profile", log, "--tree", tree, "--format", "json"])).unwrap();
    std::fs::write(folder.join("q.gtql"), says(folder, &["profile", log, "--queries"])).unwrap();
    let answers = says(folder, &["query", log, "--tree", tree, "-f", "q.gtql", "--format", "json"]);
    let mut compared = 0;
    for line in answers.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let name = answer["name"].as_str().unwrap();
        let same_name = |one: &&Value| one["name"] == name;
        if let Some(number) = profile["numbers"].get(name) {
            let asked = answer.get("value").unwrap_or(&answer["count"]);
            assert_eq!(number.as_f64(), asked.as_f64(), "{log}: {name}");
        } else if let Some(chart) = profile["charts"].as_array().unwrap().iter().find(same_name) {
            assert_eq!(chart["query"].as_str().unwrap().lines().last(), last_line(folder, name), "{name}");
            chart_is(chart, &answer);
        } else {
            let table = profile["tables"].as_array().unwrap().iter().find(same_name).unwrap();
            let first =
                |rows: &Value| rows.as_array().unwrap().iter().map(|row| row[0].clone()).collect::<Vec<_>>();
            assert_eq!(first(&table["rows"]), first(&answer["rows"]), "{log}: {name}");
        }
        compared += 1;
    }
    let told = ["charts", "tables"].map(|part| profile[part].as_array().unwrap().len()).iter().sum::<usize>();
    assert_eq!(
        compared,
        told + profile["numbers"].as_object().unwrap().len(),
        "{log}: every figure is a query"
    );
    profile
}

/// The last line of a query in the printed file.
fn last_line<'a>(folder: &Path, name: &str) -> Option<&'a str> {
    let text = std::fs::read_to_string(folder.join("q.gtql")).unwrap();
    let (_, after) = text.split_once(&format!("[{name}]\n"))?;
    let query = after.split("\n\n").next()?.trim_end().to_owned();
    query.lines().last().map(|line| &*Box::leak(line.to_owned().into_boxed_str()))
}

/// A chart's values are the columns of its answer, unless they were gathered from them.
fn chart_is(chart: &Value, answer: &Value) {
    let name = chart["name"].as_str().unwrap();
    let rows = answer["rows"].as_array().unwrap();
    let series = chart["series"].as_array().unwrap();
    if name == "node-types" {
        assert_eq!(series[0]["values"], rows[0], "{name}");
        return;
    }
    if matches!(name, "nodes-per-ply" | "cutoff-ranks") {
        let sum = |values: &mut dyn Iterator<Item = &Value>| values.filter_map(Value::as_f64).sum::<f64>();
        let drawn = sum(&mut series.iter().flat_map(|one| one["values"].as_array().unwrap()));
        let asked = sum(&mut rows.iter().flat_map(|row| row.as_array().unwrap().iter().skip(1)));
        assert_eq!(drawn, asked, "{name}");
        return;
    }
    // The first series is the first column after x; the chart of the minimal tree ends at the depth.
    for (row, value) in rows.iter().zip(series[0]["values"].as_array().unwrap()) {
        let column = if series[0]["name"] == "quiescence" && name == "branching" { 2 } else { 1 };
        assert_eq!(row[column].as_f64(), value.as_f64(), "{name}");
    }
}

#[test]
fn of_our_own_searches() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let position = "4r1k1/3b1p2/5qp1/1BPpn2p/7n/r3P1N1/2Q1RPPP/1R3NK1 b - -";
    says(folder, &["search", "chess", "--position", position, "--depth", "4", "--log", "chess.gtf"]);
    let profile = numbers_are_those_of_the_queries(folder, "chess.gtf", "3");
    assert_eq!(profile["left_out"].as_array().unwrap().len(), 0, "our own logs have everything: {profile:#}");
    let trees = profile["trees"].as_array().unwrap().len();
    assert_eq!(trees, 6, "four depths, some of them with a second window");
    let nodes: u64 =
        profile["trees"].as_array().unwrap().iter().map(|tree| tree["nodes"].as_u64().unwrap()).sum();
    let searched =
        says(folder, &["search", "chess", "--position", position, "--depth", "4", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&searched).unwrap()["nodes"], nodes);

    for (game, log) in [("amazons", "a.gtf"), ("tic-tac-toe", "t.gtf"), ("connect-four", "c.gtf")] {
        says(folder, &["search", game, "--depth", "2", "--log", log]);
        numbers_are_those_of_the_queries(folder, log, "1");
    }
    let text = says(folder, &["profile", "chess.gtf"]);
    for part in [
        "Profile of chess.gtf, tree 5",
        "Nodes per ply",
        "Why nodes ended",
        "d7b5",
        "Nodes against the minimal tree",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn of_searches_with_other_algorithms_and_more_players() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, &["search", "tic-tac-toe", "--algorithm", "uct", "--nodes", "2000", "--log", "uct.gtf"]);
    numbers_are_those_of_the_queries(folder, "uct.gtf", "0");
    says(folder, &["search", "chinese-checkers", "--players", "3", "--depth", "2", "--log", "three.gtf"]);
    numbers_are_those_of_the_queries(folder, "three.gtf", "1");
}

#[test]
fn of_artificial_trees() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, &["gen", "--depth", "4", "--branching", "6", "-o", "full.gtf"]);
    let profile = numbers_are_those_of_the_queries(folder, "full.gtf", "0");
    // 1 + 6 + 11 + 41 + 71 nodes in the minimal tree, 1,555 in this one.
    let minimal = &profile["derived"]["minimal_tree"];
    assert_eq!(
        (minimal["nodes"].as_u64(), minimal["minimal"].as_u64()),
        (Some(1555), Some(130)),
        "{minimal}"
    );
    assert!(says(folder, &["profile", "full.gtf"]).contains("the log has no `beta`: Cut-offs"));
    for (shape, depth) in [("chain", "500"), ("random", "7"), ("full", "0")] {
        says(folder, &["gen", "--shape", shape, "--depth", depth, "-o", "t.gtf", "--force"]);
        numbers_are_those_of_the_queries(folder, "t.gtf", "0");
    }
    assert!(says(folder, &["profile", "t.gtf"]).contains("The tree is a single node."));
}

#[test]
fn of_fruits_trees() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fruit/pos17_d4.parquet");
    if !data.exists() {
        eprintln!("skipped: {} is not there", data.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut import = vec!["import", data.to_str().unwrap(), "-o", "fruit.gtf", "--game", "chess"];
    for alias in
        ["PVNode=1", "CutNode=2", "AllNode=4", "QNode=8", "QRootNode=16", "ResearchNode=32", "NullMove=64"]
    {
        import.extend(["--alias", alias]);
    }
    says(folder, &import);
    let profile = numbers_are_those_of_the_queries(folder, "fruit.gtf", "0");
    assert!(profile["numbers"]["cutoffs"].as_u64().unwrap() > 0);
    let left_out: Vec<_> = profile["left_out"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(left_out.contains(&&Value::from("ended")), "{left_out:?}");
}

/// A search of 116 windows by another engine, which counts its moves from 1.
#[test]
fn of_stockfishs_trees() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/stockfish/pos17_d20.gtf");
    if !data.exists() {
        eprintln!("skipped: {} is not there", data.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let told = says(folder.path(), &["profile", data.to_str().unwrap(), "--format", "json"]);
    let profile: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(profile["trees"].as_array().unwrap().len(), 116);
    let iterations = profile["iterations"].as_array().unwrap();
    assert_eq!(iterations.len(), 20);
    assert_eq!(
        (&iterations[19]["move"], &iterations[19]["value"]),
        (&Value::from("e5f3"), &Value::from(823))
    );
    assert!(iterations.iter().all(|one| one["completed"] == true), "the last window of each depth is exact");
    let first_moves = profile["derived"]["first_move_cutoff_percent"].as_f64().unwrap();
    assert!((75.0..95.0).contains(&first_moves), "{first_moves}");
    assert_eq!(profile["numbers"]["quiescence-below-roots"], 5241, "QNode alone, as in the thesis's Q5");
}

#[test]
fn searches_of_one_log_are_chosen_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, &["search", "connect-four", "--depth", "3", "--log", "c.gtf"]);
    assert!(says(folder, &["profile", "c.gtf", "--search", "0"]).contains("in the log's search."));
    let (code, out, errors) = gt(folder, &["profile", "c.gtf", "--search", "4"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(errors, "gt: c.gtf: there is no search 4: the log holds 1 search, counted from 0\n");
}

#[test]
fn pages_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, &["gen", "--depth", "3", "-o", "t.gtf"]);
    assert_eq!(says(folder, &["profile", "t.gtf", "--format", "html", "-o", "p.html"]), "");
    let page = std::fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<svg"), "{page}");
    assert_eq!(says(folder, &["profile", "t.gtf", "-o", "p.txt"]), "");
    assert_eq!(std::fs::read_to_string(folder.join("p.txt")).unwrap(), says(folder, &["profile", "t.gtf"]));
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    says(folder, &["gen", "--depth", "12", "-o", "t.gtf"]);
    std::fs::write(folder.join("no.gtf"), "this is no log").unwrap();
    let refused: [(&[&str], &str); 6] = [
        (&["profile", "none.gtf"], "gt: none.gtf: "),
        (&["profile", "no.gtf"], "gt: no.gtf: "),
        (&["profile", "t.gtf", "--tree", "7"], "gt: t.gtf: "),
        (&["profile", "t.gtf", "-o", "t.gtf"], "gt: t.gtf: the output would replace the input"),
        (&["profile", "t.gtf", "-o", "no/where.html"], "gt: no/where.html: "),
        (&["profile", "t.gtf", "--format", "pdf"], "error: invalid value 'pdf'"),
    ];
    for (arguments, sentence) in refused {
        let (code, out, errors) = gt(folder, arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.starts_with(sentence), "{arguments:?}: {errors}");
    }
    // What is left of a log that was cut off is profiled, and it is said that it was.
    let bytes = std::fs::read(folder.join("t.gtf")).unwrap();
    std::fs::write(folder.join("cut.gtf"), &bytes[..bytes.len() * 2 / 3]).unwrap();
    let (code, out, errors) = gt(folder, &["profile", "cut.gtf"]);
    if code == 0 {
        assert!(errors.contains("was not closed") && out.contains("Nodes per ply"), "{errors}{out}");
    } else {
        assert_eq!(
            errors.lines().filter(|line| line.starts_with("gt: cut.gtf: ")).count(),
            errors.lines().count()
        );
    }
}

/// What our own searches and two other engines log is as it should be.
#[test]
fn right_logs_raise_no_doubts() {
    let folder = tempfile::tempdir().unwrap();
    let doubts = |log: &str| {
        let profile = says(folder.path(), &["profile", log, "--format", "json"]);
        serde_json::from_str::<Value>(&profile).unwrap()["doubts"].clone()
    };
    let searches: [&[&str]; 10] = [
        &["tic-tac-toe", "--depth", "7", "--algorithm", "minimax"],
        &["tic-tac-toe", "--depth", "9"],
        &["connect-four", "--depth", "7", "--algorithm", "alpha-beta"],
        &["connect-four", "--depth", "7", "--algorithm", "negascout"],
        &["connect-four", "--depth", "7", "--algorithm", "stored-tree"],
        &["connect-four", "--depth", "10"],
        &["amazons", "--board", "6x6", "--depth", "2", "--algorithm", "alpha-beta"],
        &["chess", "--depth", "7"],
        &["chinese-checkers", "--depth", "3"],
        &["chinese-checkers", "--players", "3", "--depth", "3", "--algorithm", "paranoid"],
    ];
    for search in searches {
        says(folder.path(), &[&["search"], search, &["--log", "t.gtf", "--force"]].concat());
        assert_eq!(doubts("t.gtf"), serde_json::json!([]), "{search:?}");
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if !data.is_dir() {
        return;
    }
    assert_eq!(doubts(data.join("stockfish/pos17_d20.gtf").to_str().unwrap()), serde_json::json!([]));
    let flags = "PVNode=1 CutNode=2 AllNode=4 QNode=8 QRootNode=16 ResearchNode=32 NullMove=64";
    let aliases: Vec<&str> = flags.split(' ').flat_map(|flag| ["--alias", flag]).collect();
    for name in ["pos15_d7", "pos16_d2", "pos17_d6", "pos19_d5"] {
        let tree = data.join(format!("fruit/{name}.parquet"));
        let import = ["import", tree.to_str().unwrap(), "-o", "f.gtf", "--force"];
        says(folder.path(), &[&import[..], &aliases].concat());
        assert_eq!(doubts("f.gtf"), serde_json::json!([]), "{name}");
    }
}

#[test]
fn chess_moves_are_written_as_players_do_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let search = ["search", "chess", "--depth", "4", "--log", "start.gtf"];
    assert_eq!(gt(folder.path(), &search).0, 0);
    let profile = |more: &[&str]| says(folder.path(), &[&["profile", "start.gtf"], more].concat());
    let json = |moves: &str| -> Value {
        serde_json::from_str(&profile(&["--format", "json", "--moves", moves])).unwrap()
    };
    let (san, text) = (json("san"), json("text"));
    let rows = |profile: &Value, name: &str| -> Vec<Value> {
        let tables = profile["tables"].as_array().unwrap();
        tables.iter().find(|table| table["name"] == name).unwrap()["rows"].as_array().unwrap().clone()
    };
    // Every line of a table is the one that `gt query` writes for its node.
    let lines = rows(&san, "heaviest-subtrees");
    assert!(lines.len() > 2);
    for row in &lines {
        let query = format!("node: node_id = {} select @line", row[0]);
        let tree = san["tree"].to_string();
        let asked = ["query", "start.gtf", "--tree", &tree, &query, "--moves", "san", "--format", "csv"];
        let line = row.as_array().unwrap().last().unwrap().as_str().unwrap();
        assert_eq!(says(folder.path(), &asked), format!("@line\n{line}\n"));
    }
    let widest = lines[0].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(san["sentences"].to_string().contains(&format!("most below {widest}: ")), "{widest}");
    let moves = |profile: &Value| -> Vec<String> {
        let all = rows(profile, "heaviest-moves");
        all.iter().map(|row| row[1].as_str().unwrap().to_owned()).collect()
    };
    assert!(moves(&text).contains(&"d2d4".to_owned()) && moves(&san).contains(&"d4".to_owned()));
    assert_eq!(text, serde_json::from_str::<Value>(&profile(&["--format", "json"])).unwrap());
    assert!(!profile(&["--moves", "san"]).contains("d2d4"));
}
