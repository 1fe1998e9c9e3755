//! What is printed of a failed check leads to the nodes, for people and for machines.

use std::process::Command;

use serde_json::Value;

use crate::command::{gt, says};
use crate::folder::{Folder, about_log};

const WIDE: &str = "query = 'node: @children > 3'\nwhy = 'Wide nodes cost.'\nexpect = '<= 2'";

#[test]
fn a_failure_shows_the_worst_nodes_and_how_to_see_them() {
    let folder = Folder::with_log();
    let (code, out, _) = folder.check(&about_log("\"last\"", WIDE), &[]);
    assert_eq!(code, 1);
    let select = "select node_id, @size, @line order by @size desc limit 3";
    let rows = says(
        folder.path(),
        &[
            "query",
            "t.gtf",
            "--tree",
            "3",
            &format!("node: @children > 3 {select}"),
            "--format",
            "csv",
            "--moves",
            "text",
        ],
    );
    let second = rows.lines().nth(2).unwrap();
    let (node, rest) = second.split_once(',').unwrap();
    let (size, line) = rest.split_once(',').unwrap();
    let size = gt_report::counted(size.parse().unwrap(), "node");
    let expected =
        format!("node {}, {size}: {}", gt_report::grouped(node.parse().unwrap()), line.trim_matches('"'));
    assert!(out.contains(&expected), "{expected} is not in:\n{out}");
    assert!(out.contains("Wide nodes cost.") && out.contains("t.gtf, depth 4"), "{out}");
    assert!(out.contains("gt view t.gtf  http://127.0.0.1:7373/?tree=3&node=0"), "{out}");

    let command = out.lines().find_map(|line| line.trim().strip_prefix("gt query ")).unwrap();
    let shell = format!("'{}' query {command}", env!("CARGO_BIN_EXE_gt"));
    let shown = Command::new("sh").args(["-c", &shell]).current_dir(folder.path()).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("node_id  @size  @line") && shown.lines().count() > 3, "{command}\n{shown}");
}

#[test]
fn aggregates_and_shares_show_their_own_worst_nodes() {
    let folder = Folder::with_log();
    let worst = |check: &str| -> Value {
        let (code, out, errors) = folder.check(&about_log("3", check), &["--format", "json"]);
        assert_eq!(code, 1, "{out}{errors}");
        serde_json::from_str::<Value>(&out).unwrap()["checks"][0]["examples"][0]["nodes"].clone()
    };
    let highest = worst("query = 'node: max(best where @ply = 2)'\nexpect = '< -1000'");
    let most = says(folder.path(), &["query", "t.gtf", "--tree", "3", "node: max(best where @ply = 2)"]);
    assert_eq!(highest[0]["value"].as_f64(), most.trim().parse().ok());
    assert_eq!(highest[0]["line"].as_array().unwrap().len(), 2);
    // Too few of the inner nodes: those that are not among them.
    let missing = worst("query = 'node: @ply = 1'\nof = 'node: @children > 0'\nexpect = '>= 99%'");
    assert_eq!(missing[0]["node"], 0, "the root is the largest inner node that is not at ply 1");
    let in_order = worst("query = 'node: @ply = 2 order by node_id'\nexpect = '= 0'");
    assert_eq!(in_order[0]["node"], 2);
}

#[test]
fn machines_read_json_and_junit() {
    let folder = Folder::with_log();
    let suite = about_log("\"last\"", WIDE)
        + "[[check]]\nname = 'fine <&>'\nquery = 'node: alpha >= beta'\nexpect = '= 0'\n\
           [[check]]\npack = 'alpha-beta'\ncheck = 'shallow table answers'\n";
    let (code, printed, errors) =
        folder.check(&suite, &["--json", "r.json", "--junit", "r.xml", "--format", "junit"]);
    assert_eq!((code, errors.as_str()), (1, ""));
    assert_eq!(folder.read("r.xml").lines().nth(3), printed.lines().nth(3));
    let report: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!((report["holds"].clone(), report["exit_code"].clone()), (false.into(), 1.into()));
    assert_eq!(report["suite"], "s.toml");
    assert_eq!(report["subjects"][0]["status"], "done");
    assert_eq!(report["engine"], Value::Null);
    let statuses: Vec<&Value> =
        report["checks"].as_array().unwrap().iter().map(|check| &check["status"]).collect();
    assert_eq!(statuses, ["fails", "holds", "skipped"]);
    let check = &report["checks"][0];
    assert_eq!(check["measured"][0]["holds"], false);
    assert_eq!(check["measured"][0]["name"], "t.gtf, depth 4");
    assert!(check["number"].as_f64().unwrap() > 2.0);
    assert_eq!(check["examples"][0]["tree"], 3);
    assert!(check["examples"][0]["command"].as_str().unwrap().starts_with("gt query t.gtf --tree 3 "));
    for part in [
        "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"",
        "name=\"fine &lt;&amp;&gt;\"/>",
        "<failure message=\"",
        "Wide nodes cost.&#10;",
        "<skipped message=\"needs `table_depth`, which the log does not have\"/>",
    ] {
        assert!(printed.contains(part), "{part} is not in:\n{printed}");
    }
}

#[test]
fn a_planted_fault_is_in_the_log_and_in_the_result() {
    let folder = Folder::new();
    let words = ["search", "chess", "--depth", "1", "--fault", "empty-window", "--log", "f.gtf"];
    let out = says(folder.path(), &words);
    assert!(out.starts_with("FAULT        empty-window is planted: null windows are empty"), "{out}");
    assert!(says(folder.path(), &["info", "f.gtf"]).contains("empty-window"));
    let (code, _, errors) =
        gt(folder.path(), &["search", "tic-tac-toe", "--algorithm", "negamax", "--fault", "empty-window"]);
    assert!(code == 2 && errors.contains("can be planted in pvs and strong, not in negamax"), "{errors}");
    let (code, _, errors) = gt(folder.path(), &["search", "chess", "--fault", "none"]);
    assert!(code == 2 && errors.contains("empty-window"), "{errors}");
}

/// Lines to the worst nodes can be written as players do, and a value that says who wins is told so.
#[test]
fn moves_are_written_as_asked_for() {
    let folder = Folder::with_log();
    let position = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
    says(folder.path(), &["search", "chess", "--position", position, "--depth", "3", "--log", "m.gtf"]);
    let suite = "[[log]]\nfile = 'm.gtf'\ntree = 'last'\n\
                 [[check]]\nname = 'no mates'\nquery = 'node: max(best where @ply = 2)'\nexpect = '< 1000'\n";
    let checked = |moves: &[&str]| folder.check(suite, moves);
    let (code, out, errors) = checked(&["--moves", "san"]);
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    assert!(out.contains("value mate in 1, ") && out.contains(": Ra7 Kg8"), "{out}");
    assert!(out.contains(" --moves san '"), "the command writes them so, too: {out}");
    let plain = checked(&[]).1;
    assert!(plain.contains(": a2a7 h8g8") && !plain.contains("--moves"), "{plain}");
    let (_, json, _) = checked(&["--moves", "san", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let node = &json["checks"][0]["examples"][0]["nodes"][0];
    assert_eq!((&node["value"], &node["line"][0]), (&999_997.into(), &"Ra7".into()), "{node}");
    let numbers = checked(&["--moves", "number"]).1;
    let line = numbers.lines().find_map(|line| line.split_once("value mate in 1, ")).unwrap().1;
    let moves = line.split_once(": ").unwrap().1;
    assert!(
        moves.split(' ').all(|mv| mv.parse::<i64>().is_ok()) && numbers.contains(" --moves number '"),
        "{numbers}"
    );
}
