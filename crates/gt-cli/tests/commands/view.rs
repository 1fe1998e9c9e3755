//! `gt view`: it serves at once, on the loopback address, and stops on Ctrl-C.

use std::path::Path;

use gt_log::{Artificial, LogWriter, Options, Shape};

use crate::served::{Served, gt, refusal};

/// A log with a tree of 40 nodes.
fn small_log(path: &Path) {
    let log = LogWriter::create(path, Artificial::header().unwrap()).unwrap();
    let tree = Artificial { shape: Shape::Full, depth: 3, branching: 3, seed: 1 };
    tree.write(&log, Options::default(), |_| {}).unwrap();
    log.finish().unwrap();
}

#[test]
fn it_serves_until_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.gtf");
    small_log(&path);
    let view = Served::run(gt().arg("view").args([path.as_os_str()]));
    let answer = view.get("/api/node");
    assert!(answer.contains("\"size\":40"), "{answer}");
    view.interrupt();
}

#[test]
fn it_begins_with_a_result_that_gt_query_wrote_and_saves_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.gtf");
    small_log(&path);
    let results = folder.path().join("results");
    let query = "node: @ply = 2 and best > 0";
    let asked =
        gt().arg("query").arg(&path).arg(query).args(["--format", "gti", "-o"]).arg(&results).status();
    assert!(asked.unwrap().success());
    let result = results.join("tree-1.gti");
    let view =
        Served::run(gt().arg("view").args([path.as_os_str(), "--result".as_ref(), result.as_os_str()]));
    assert!(view.get("/api/logs").contains("\"name\":\"tree-1.gti\""));
    assert!(view.get("/api/runs/0").contains("\"state\":\"done\""));
    let written = std::fs::read_to_string(&result).unwrap();
    assert_eq!(view.get("/api/runs/0/export?format=gti"), written);
    view.interrupt();

    let other = folder.path().join("other.gtf");
    small_log(&other);
    let said = refusal(gt().arg("view").arg(&other).arg("--result").arg(&result));
    assert!(
        said.contains("tree-1.gti: it is a result of the log `") && said.ends_with("and not of `other.gtf`"),
        "{said}"
    );
}

/// The page tells bounds from values by the names that it knows.
#[test]
fn a_log_can_be_given_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let (table, log) = (folder.path().join("own.csv"), folder.path().join("own.gtf"));
    std::fs::write(&table, "node_id,parent_id,last_move,lower,upper,result\n0,-1,0,-9,9,5\n1,0,7,3,4,-5\n")
        .unwrap();
    assert!(gt().arg("import").args([&table]).arg("-o").arg(&log).status().unwrap().success());
    let view = Served::run(gt().arg("view").arg(&log));
    assert!(!view.get("/api/node?node=1").contains("\"bound\":\"upper\""), "it cannot know");
    view.interrupt();
    let names = ["--map", "alpha=lower,beta=upper", "--map", "best=result"];
    let view = Served::run(gt().arg("view").arg(&log).args(names));
    let node = view.get("/api/node?node=1");
    assert!(node.contains("\"bound\":\"upper\""), "{node}");
    view.interrupt();
    let said = refusal(gt().arg("view").arg(&log).args(["--map", "best=score"]));
    assert!(said.contains("own.gtf: the log has no attribute or alias `score`"), "{said}");
    let said = refusal(gt().arg("view").arg(&log).arg("--diff").args(names));
    assert!(said.contains("`--diff`"), "{said}");
}

#[test]
fn what_is_no_log_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.gtf");
    std::fs::write(&path, "rubbish").unwrap();
    let said = refusal(gt().arg("view").arg(&path));
    assert!(said.contains("this is not a game-tree log"), "{said}");
}

/// A log of a search of chess.
fn searched(path: &Path, options: &[&str]) {
    let found = gt().args(["search", "chess", "--depth", "3"]).args(options).arg("--log").arg(path).output();
    assert!(found.unwrap().status.success());
}

#[test]
fn two_trees_are_merged_for_as_long_as_they_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.gtf"), folder.path().join("new.gtf"));
    searched(&old, &[]);
    searched(&new, &["--eval", "material"]);
    let view = Served::run(gt().arg("view").args([&old, &new]).args(["--diff", "--tree-a", "1"]));
    let logs: serde_json::Value = serde_json::from_str(&view.get("/api/logs")).unwrap();
    let shown = &logs["logs"][0];
    assert_eq!(
        (&shown["diff"]["a"], &shown["diff"]["b"]),
        (&"old.gtf tree 1".into(), &"new.gtf tree 2".into())
    );
    let totals: serde_json::Value = serde_json::from_str(&view.get("/api/diff")).unwrap();
    let number = |name: &str| totals[name].as_u64().unwrap();
    assert!(number("only_a") > 0 && number("only_b") > 0 && number("changed") > 0, "{totals}");
    assert_eq!(
        shown["trees"][0]["nodes"],
        number("same") + number("changed") + number("only_a") + number("only_b")
    );
    let merged = Path::new(shown["path"].as_str().unwrap()).to_owned();
    assert!(merged.exists());
    view.interrupt();
    assert!(!merged.exists() && !merged.parent().unwrap().exists(), "nothing is left of it");
}

#[test]
fn what_cannot_be_merged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one.gtf"), folder.path().join("other.gtf"));
    searched(&one, &[]);
    small_log(&other);
    let alone = refusal(gt().arg("view").arg(&one).arg("--diff"));
    assert!(
        alone.ends_with("name a second log, or two trees of this one with `--tree-a` and `--tree-b`"),
        "{alone}"
    );
    let games = refusal(gt().arg("view").arg(&one).arg(&other).arg("--diff"));
    assert!(games.contains("one.gtf and ") && games.contains("other.gtf: "), "{games}");
    let three = refusal(gt().arg("view").args([&one, &one, &one]).arg("--diff"));
    assert_eq!(three, "gt: `--diff` shows two logs as one, and 3 are given");
    let alone = gt().arg("view").arg(&one).args(["--tree-a", "1"]).output().unwrap();
    assert_eq!(alone.status.code(), Some(2), "without `--diff`");
}
