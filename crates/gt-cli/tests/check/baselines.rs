//! `--bless`, and what is compared with it.

use crate::folder::Folder;

/// Our engine on two positions, its nodes compared with a baseline.
fn suite(expect: &str, depth: u32, over: &str) -> String {
    format!(
        "[engine]\nsearch = 'connect-four'\n[limits]\ndepth = {depth}\n\
         [[position]]\nname = 'start'\n[[position]]\nname = 'middle'\nmoves = 'd d'\n\
         [[check]]\nname = 'nodes'\nquery = 'node: *'\nover = '{over}'\nexpect = '{expect}'\n"
    )
}

#[test]
fn a_baseline_is_written_compared_with_and_told_apart() {
    let folder = Folder::new();
    let same = suite("same as baseline", 4, "each tree");
    let (code, _, errors) = folder.check(&same, &[]);
    assert!(
        code == 2 && errors.contains("there is no baseline yet") && errors.contains("--bless"),
        "{errors}"
    );

    let (code, out, errors) = folder.check(&same, &["--bless"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("the baseline is written: s.baseline.toml"), "{out}");
    let baseline = folder.read("s.baseline.toml");
    for line in [
        "engine = \"gt\"",
        "command = \"connect-four\"",
        "\"middle\" = \"the start, moves d d, depth 4\"",
        "[check.\"nodes\"]",
        "\"start, depth 1\" = ",
    ] {
        assert!(baseline.contains(line), "{line} is not in:\n{baseline}");
    }
    assert!(baseline.contains("version = \"gt "), "{baseline}");
    assert_eq!(folder.check(&same, &[]).0, 0, "the search does the same again");

    let number = baseline.lines().find(|line| line.starts_with("\"start, depth 4\"")).unwrap();
    let nodes: f64 = number.rsplit(' ').next().unwrap().parse().unwrap();
    folder.write(
        "s.baseline.toml",
        &baseline.replace(number, &format!("\"start, depth 4\" = {}", nodes * 1.05)),
    );
    let (code, out, _) = folder.check(&same, &[]);
    assert!(code == 1 && out.contains("start, depth 4"), "{out}");
    assert_eq!(folder.check(&suite("within 10% of baseline", 4, "each tree"), &[]).0, 0);
    assert_eq!(folder.check(&suite("within 3% of baseline", 4, "each tree"), &[]).0, 1);
    assert_eq!(folder.check(&suite("<= 90% of baseline", 4, "each tree"), &[]).0, 1);

    folder.write("s.baseline.toml", &(baseline.clone() + "\"start, depth 9\" = 7\n"));
    let (code, out, _) = folder.check(&same, &[]);
    assert!(code == 1 && out.contains("the baseline also has start, depth 9"), "{out}");
}

#[test]
fn a_baseline_that_does_not_fit_is_refused() {
    let folder = Folder::new();
    let same = suite("same as baseline", 3, "sum");
    assert_eq!(folder.check(&same, &["--bless"]).0, 0);
    assert!(folder.read("s.baseline.toml").contains("\"sum\" = "));
    for (other, sentence) in [
        (
            same.replace("search = 'connect-four'", "search = 'connect-four'\nname = 'mine'"),
            "another engine: `gt`",
        ),
        (
            same.replace("search = 'connect-four'", "search = 'connect-four --algorithm pvs'"),
            "another command",
        ),
        (suite("same as baseline", 4, "sum"), "another position `middle`"),
        (same.replace("'start'", "'begin'"), "no position `begin`"),
        (same.replace("'nodes'", "'all nodes'"), "no numbers of the check `all nodes`; `--bless` adds them"),
    ] {
        let (code, out, errors) = folder.check(&other, &[]);
        assert_eq!(code, 2, "{out}{errors}");
        assert!(errors.contains(sentence), "{sentence}: {errors}");
        assert_eq!(folder.check(&other, &["--bless"]).0, 0, "{sentence}");
        assert_eq!(folder.check(&other, &[]).0, 0, "{sentence}");
        assert_eq!(folder.check(&same, &["--bless"]).0, 0);
    }
}

#[test]
fn blessing_some_keeps_the_others() {
    let folder = Folder::new();
    let same = suite("same as baseline", 3, "each tree");
    assert_eq!(folder.check(&same, &["--bless"]).0, 0);
    let before = folder.read("s.baseline.toml");
    assert_eq!(folder.check(&same, &["--bless", "--only", "middle"]).0, 0);
    assert_eq!(folder.read("s.baseline.toml"), before);
    folder.write("s.baseline.toml", "this is no baseline");
    let (code, _, errors) = folder.check(&same, &[]);
    assert!(code == 2 && errors.contains("s.baseline.toml:1: "), "{errors}");
    assert_eq!(folder.check(&same, &["--bless"]).0, 0);
    assert_eq!(folder.read("s.baseline.toml"), before);
}

#[test]
fn a_sum_is_compared_only_as_a_whole() {
    let folder = Folder::new();
    let same = suite("same as baseline", 3, "sum");
    assert_eq!(folder.check(&same, &["--bless"]).0, 0);
    let before = folder.read("s.baseline.toml");
    for more in [&["--only", "middle"][..], &["--only", "middle", "--bless"]] {
        let (code, out, _) = folder.check(&same, more);
        assert!(code == 0 && out.contains("skip  nodes") && out.contains("some are left out"), "{out}");
        assert_eq!(folder.read("s.baseline.toml"), before);
    }
    let broken = same.replace("'d d'", "'z'");
    let (_, out, _) = folder.check(&broken, &["--bless"]);
    assert!(out.contains("the baseline is NOT written: 1 of 2 logs are missing"), "{out}");
    assert_eq!(folder.read("s.baseline.toml"), before);
}

#[test]
fn there_must_be_something_to_bless() {
    let folder = Folder::new();
    let (code, _, errors) = folder.check(&suite("> 0", 3, "sum"), &["--bless"]);
    assert!(code == 2 && errors.contains("nothing to bless"), "{errors}");
    let (code, out, errors) =
        folder.check(&suite("same as baseline", 3, "sum").replace("node: *", "node: typ"), &["--bless"]);
    assert_eq!(code, 2, "{out}{errors}");
    assert!(out.contains("NOT written") && errors.contains("did you mean `type`?"), "{out}{errors}");
    assert!(!folder.path().join("s.baseline.toml").exists());
}
