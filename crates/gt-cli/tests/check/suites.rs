//! What a suite can say, on logs that exist.

use crate::command::{gt, says};
use crate::folder::{Folder, about_log};

/// How many nodes of a tree match.
fn count(folder: &Folder, tree: usize, query: &str) -> u64 {
    says(folder.path(), &["query", "t.gtf", "--tree", &tree.to_string(), "--count", query])
        .trim()
        .parse()
        .unwrap()
}

#[test]
fn the_contract_holds_and_fails_by_its_exit_code() {
    let folder = Folder::with_log();
    let leaves = count(&folder, 3, "node: @children = 0");
    for (expect, code) in [
        (format!("= {leaves}"), 0),
        (format!("<= {leaves}"), 0),
        (format!("< {leaves}"), 1),
        (format!("between 0 and {}", leaves - 1), 1),
        ("!= 0".to_owned(), 0),
    ] {
        let check = format!("query = \"node: @children = 0\"\nexpect = \"{expect}\"");
        let (found, out, errors) = folder.check(&about_log("\"last\"", &check), &[]);
        assert_eq!(found, code, "{expect}: {out}{errors}");
        assert!(out.contains(if code == 0 { "ok    it" } else { "FAIL  it" }), "{out}");
        assert_eq!(errors, "", "{expect}");
    }
}

#[test]
fn a_query_is_counted_or_its_aggregate_taken() {
    let folder = Folder::with_log();
    let nodes = count(&folder, 3, "node: *");
    for query in ["node: *", "node: count(*)", "select best order by best", "select count(*)", "node: sum(1)"]
    {
        let check = format!("query = \"{query}\"\nexpect = \"= {nodes}\"");
        let (code, out, errors) = folder.check(&about_log("3", &check), &[]);
        assert_eq!(code, 0, "{query}: {out}{errors}");
    }
    let check = "query = 'let deep = @ply\nnode: max(deep)'\nexpect = '= 4'"
        .replace("'let", "'''let")
        .replace("deep)'", "deep)'''");
    assert_eq!(folder.check(&about_log("3", &check), &[]).0, 0);
}

#[test]
fn trees_are_chosen_and_put_together() {
    let folder = Folder::with_log();
    let nodes: Vec<u64> = (0..4).map(|tree| count(&folder, tree, "node: *")).collect();
    let (sum, most, least) = (nodes.iter().sum::<u64>(), nodes[3], nodes[0]);
    for (tree, over, expect) in [
        ("\"all\"", "each tree", format!("<= {most}")),
        ("\"all\"", "last iteration", format!("= {most}")),
        ("\"all\"", "sum", format!("= {sum}")),
        ("\"all\"", "worst", format!("<= {most}")),
        ("\"all\"", "worst", format!(">= {least}")),
        ("\"largest\"", "each tree", format!("= {most}")),
        ("0", "each tree", format!("= {least}")),
        ("\"2\"", "sum", format!("= {}", nodes[2])),
    ] {
        let check = format!("query = \"node: *\"\nover = \"{over}\"\nexpect = \"{expect}\"");
        let (code, out, errors) = folder.check(&about_log(tree, &check), &[]);
        assert_eq!(code, 0, "{tree}, {over}, {expect}: {out}{errors}");
        let number = expect.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
        let wrong = format!("query = \"node: *\"\nover = \"{over}\"\nexpect = \"= {}\"", number + 1);
        assert_eq!(folder.check(&about_log(tree, &wrong), &[]).0, 1, "{tree}, {over}");
    }
}

#[test]
fn percentages_are_of_nodes_or_of_a_second_query() {
    let folder = Folder::with_log();
    let share =
        |part: &str, whole: &str| 100.0 * count(&folder, 3, part) as f64 / count(&folder, 3, whole) as f64;
    let of_nodes = share("node: best >= beta", "node: *");
    let of_inner = share("node: best >= beta and @children > 0", "node: @children > 0");
    let check = |expect: String, of: &str| {
        let query = if of.is_empty() { "node: best >= beta" } else { "node: best >= beta and @children > 0" };
        let text = format!("query = \"{query}\"\n{of}\nexpect = \"{expect}\"");
        folder.check(&about_log("3", &text), &[]).0
    };
    assert_eq!(check(format!("between {}% and {}% of nodes", of_nodes - 0.1, of_nodes + 0.1), ""), 0);
    assert_eq!(check(format!("< {}% of nodes", of_nodes - 0.1), ""), 1);
    let of = "of = \"node: @children > 0\"";
    assert_eq!(check(format!(">= {}%", of_inner - 0.1), of), 0);
    assert_eq!(check(format!(">= {}%", of_inner + 0.1), of), 1);
    assert_eq!(
        check(format!("<= {}", of_inner / 100.0 + 0.001), of),
        0,
        "without a percent sign, the quotient"
    );
}

#[test]
fn paths_are_relative_to_the_suite_and_files_hold_queries() {
    let folder = Folder::with_log();
    std::fs::create_dir(folder.path().join("deeper")).unwrap();
    folder.write(
        "deeper/q.gtql",
        "let kids = @children\n[wide]\nnode: kids > 9\n\n[empty]\nnode: alpha >= beta\n",
    );
    folder.write(
        "deeper/s.toml",
        "[[log]]\nfile = '../t.gtf'\n[[check]]\nname = 'both'\nfile = 'q.gtql'\nexpect = '= 0'\n",
    );
    let (code, out, errors) = gt(folder.path(), &["check", "deeper/s.toml"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("ok    both: wide ") && out.contains("ok    both: empty "), "{out}");
    let (code, out, _) = gt(folder.path(), &["check", "deeper/s.toml", "--only", "wide"]);
    assert!(code == 0 && !out.contains("empty"), "{out}");
}

#[test]
fn a_pack_runs_on_logs_and_its_checks_can_be_changed() {
    let folder = Folder::with_log();
    let words = ["check", "--pack", "alpha-beta", "t.gtf", "--only", "windows", "--only", "shallow"];
    let (code, out, errors) = gt(folder.path(), &words);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("skip  shallow table answers"), "the log has no table_depth: {out}");
    assert!(out.contains("needs `table_depth`, which the log does not have"), "{out}");
    let printed = says(folder.path(), &["check", "--pack", "alpha-beta", "--print"]);
    assert!(printed.contains("name = \"empty windows\"") && printed.contains("why = "), "{printed}");

    let changed = "[[log]]\nfile = 't.gtf'\n[[check]]\npack = 'alpha-beta'\nexcept = ['first-move cut-offs']\n\
                   [[check]]\npack = 'alpha-beta'\ncheck = 'best-move changes'\nexpect = '< 0'\n";
    let (code, out, errors) = folder.check(changed, &[]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("FAIL  best-move changes") && !out.contains("first-move"), "{out}");
    assert_eq!(out.matches("FAIL").count(), 1, "{out}");
}

#[test]
fn parameters_come_from_the_check_then_from_the_log() {
    let folder = Folder::with_log();
    let check = "query = 'node: @ply > $nominal_depth'\nexpect = '= 0'";
    assert_eq!(folder.check(&about_log("\"all\"", check), &[]).0, 0);
    let check = "query = 'node: @ply > $nominal_depth'\nparam = { nominal_depth = 1 }\nexpect = '= 0'";
    assert_eq!(folder.check(&about_log("\"last\"", check), &[]).0, 1);
}

/// An engine with other names for what a check asks about.
#[test]
fn a_log_can_be_given_other_names() {
    let folder = Folder::new();
    folder.write("own.csv", "node_id,parent_id,last_move,lower,upper,value\n0,-1,0,-9,9,5\n1,0,7,3,3,-5\n");
    says(folder.path(), &["import", "own.csv", "-o", "own.gtf"]);
    folder.write(
        "s.toml",
        "[[log]]\nfile = \"own.gtf\"\n[[check]]\nname = \"it\"\nquery = \"node: alpha >= beta\"\nexpect = \"= 0\"\n",
    );
    let map = ["--map", "alpha=lower,beta=upper", "--map", "best=value"];
    let (code, out, errors) = gt(folder.path(), &[&["check", "s.toml"], &map[..]].concat());
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    assert!(out.contains("FAIL  it  1, expected = 0"), "{out}");
    // What it says to look at can be run as it stands.
    let command = out.lines().find(|line| line.contains("gt query")).unwrap();
    assert!(command.contains("--map alpha=lower,beta=upper --map best=value"), "{command}");
    let (code, _, errors) = gt(folder.path(), &["check", "s.toml"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("`alpha` is not an attribute"), "{errors}");
    let (code, _, errors) = gt(folder.path(), &["check", "s.toml", "--map", "alpha=low"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("own.gtf: the log has no attribute or alias `low`"), "{errors}");
}
