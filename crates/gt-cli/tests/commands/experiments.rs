//! `gt experiments` as people type it.

use std::path::Path;
use std::process::{Command, Output};

fn gt(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gt")).args(arguments).current_dir(folder).output().unwrap()
}

fn refused(arguments: &[&str], folder: &Path, sentence: &str) {
    let output = gt(arguments, folder);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?} should be refused");
    assert!(error.contains(sentence), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
}

#[test]
fn a_quick_run_tells_what_it_found_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let output = gt(&["experiments", "--quick", "-o", "out"], folder.path());
    let (told, progress) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{progress}");
    assert!(progress.starts_with("Tree 1: depth 13, branching 2\n"), "{progress}");
    assert!(told.contains("  Tree 9       1,111 nodes  slowest query"), "{told}");
    assert!(told.contains(" of 9 positions solved:\n  15  "), "{told}");
    assert!(told.ends_with("wrote out/report.md\nwrote out/report.html\n"), "{told}");

    // What the report says of a log, the log says when it is asked.
    let asked =
        ["query", "out/pos17.gtf", "--tree", "0", "-f", "out/chess.gtql", "--param", "x=1", "--count"];
    let output = gt(&asked, folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // The same logs, given: the same numbers, the position told by the log and not by its name.
    std::fs::create_dir(folder.path().join("given")).unwrap();
    std::fs::rename(folder.path().join("out/pos17.gtf"), folder.path().join("given/a.gtf")).unwrap();
    let output = gt(&["experiments", "--logs", "given", "-o", "again"], folder.path());
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.starts_with("chess, 1 position in the logs:\n  17  depth "), "{told}");
    let report = std::fs::read_to_string(folder.path().join("again/report.md")).unwrap();
    for words in ["Two readings of Q24", "misprint", "Counting and collecting", "figure-5-5a.svg"] {
        assert!(report.contains(words), "{words}");
    }
}

/// An engine's own names and numbers of moves, no plies, and no flag for nodes that are searched again.
#[test]
fn a_log_of_another_engine_answers_what_it_has_names_for() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "node_id,parent_id,last_move,remaining,nodeType\n0,-1,0,1,1\n1,0,796,0,2\n2,0,797,0,16\n3,2,796,-1,8\n";
    std::fs::write(folder.path().join("rows.csv"), rows).unwrap();
    std::fs::create_dir(folder.path().join("logs")).unwrap();
    let import = |log: &str, more: &[&str]| {
        let aliases = ["PVNode=1", "CutNode=2", "AllNode=4", "QNode=8", "QRootNode=16"];
        let aliases = aliases.iter().flat_map(|alias| ["--alias", alias]);
        let arguments: Vec<&str> = ["import", "rows.csv", "-o", log]
            .into_iter()
            .chain(aliases)
            .chain(more.iter().copied())
            .collect();
        let output = gt(&arguments, folder.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    import("logs/pos17.gtf", &["--meta", "nominal_depth=1"]);
    import("logs/pos18.gtf", &[]);

    let map = "type=nodeType";
    let output = gt(&["experiments", "--logs", "logs", "--map", map, "-o", "out"], folder.path());
    let (told, progress) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{progress}");
    assert!(progress.contains("position 17: the log has no `ResearchNode`"), "{progress}");
    assert!(progress.contains("pos18.gtf: left out, no tree of position 18 says the depth"), "{progress}");
    assert!(told.starts_with("chess, 1 position in the logs:\n  17  depth 1, 4 nodes "), "{told}");
    let report = std::fs::read_to_string(folder.path().join("out/report.md")).unwrap();
    assert!(report.contains("Pos 17 has no `ResearchNode`."), "{report}");
    assert!(report.contains("| Pos 17 | 1 | ") && report.contains(" | 797 |"), "{report}");
    // One node is quiescence; of the others three are within the nominal depth, and none is beyond.
    for row in ["| Q5 | 1 |", "| Q6 | 3 |", "| Q7 | 0 |", "| Q24 | – |"] {
        assert!(report.contains(row), "{row}: {report}");
    }

    refused(&["experiments", "--map", map, "-o", "out"], folder.path(), "`--map` gives names to the logs");
    let wrong = ["experiments", "--logs", "logs", "--map", "type=nodetype"];
    refused(&wrong, folder.path(), "the log has no attribute or alias `nodetype`");
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("occupied"), "").unwrap();
    let folder = folder.path();
    refused(&["experiments", "--only", "checkers"], folder, "[possible values: efficiency, chess]");
    refused(&["experiments", "--time-per-position", "0"], folder, "a search needs some time");
    refused(&["experiments", "--time-per-position=-3"], folder, "a time cannot be negative or endless");
    refused(
        &["experiments", "--time-per-position", "soon"],
        folder,
        "a time is written 10, 10s, 500ms or 2m",
    );
    refused(&["experiments", "--quick", "-o", "occupied"], folder, "occupied: ");
    refused(&["experiments", "--logs", "."], folder, "is of positions 15 to 23 of the suite");
    refused(&["experiments", "--logs", "nowhere"], folder, "nowhere: ");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1, "nothing was written");
}
