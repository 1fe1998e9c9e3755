//! The commands that make, show, check and turn logs, as a user runs them.

use std::path::Path;
use std::process::{Command, Output};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn gt(&self, arguments: &str) -> Output {
        let words = arguments.split_whitespace();
        Command::new(env!("CARGO_BIN_EXE_gt")).args(words).current_dir(self.path()).output().unwrap()
    }

    /// What the command prints; it must succeed.
    fn prints(&self, arguments: &str) -> String {
        let output = self.gt(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "gt {arguments}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The sentence with which the command gives up, and its exit code.
    fn fails(&self, arguments: &str) -> (i32, String) {
        let output = self.gt(arguments);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn generated_trees_are_shown_and_sound() {
    let folder = Folder::new();
    let made = folder.prints("gen --depth 3 --branching 3 --seed 1 -o t.gtf");
    let bytes = std::fs::metadata(folder.path().join("t.gtf")).unwrap().len();
    assert_eq!(made, format!("t.gtf: 40 nodes, {:.2} bytes/node\n", bytes as f64 / 40.0));
    assert_eq!(folder.prints("verify t.gtf"), "t.gtf: sound: 1 tree, 40 nodes, 1 block, 6 columns\n");
    assert_eq!(
        folder.prints("info t.gtf").replace(&format!("{bytes} bytes"), "BYTES bytes"),
        concat!(
            "\
t.gtf: artificial, 1 tree, 40 nodes, BYTES bytes
  attributes  best i32, type i32
  aliases     PVNode=1
  written by  GT-Tools ",
            env!("CARGO_PKG_VERSION"),
            ", format 1.2

tree 0: 40 nodes, depth 3, 27 leaves, branching 3.00, 1 block, 1.75 bytes/node
  metadata    shape = full
              depth = 3
              branching = 3
              seed = 1
  column      type  bytes/node                 least .. greatest              encodings
  (size)      u64        0.625                     1 .. 40                    sparse+packed
  last_move   i64        0.450                     0 .. 2                     sparse+packed
  (status)    u8         0.000                     0 .. 0                     constant
  (left_out)  u64        0.000                     0 .. 0                     constant
  best        i32        0.675                     0 .. 9                     packed
  type        i32        0.000                     1 .. 1                     constant
"
        )
    );
    assert_eq!(
        folder.prints("dump t.gtf --node 14 --depth 1"),
        "\
line: 1
14 1 size=13 best=0 type=1
  15 0 size=4 best=6 type=1
  19 1 size=4 best=0 type=1
  23 2 size=4 best=2 type=1
"
    );
    let limited = folder.prints("dump t.gtf --limit 2");
    assert!(limited.ends_with("… 2 nodes printed; there are more nodes: raise `--limit` (0 prints all), or start lower with `--node`\n"));
    let json: serde_json::Value = serde_json::from_str(&folder.prints("info --format json t.gtf")).unwrap();
    assert_eq!(json[0]["trees"][0]["nodes"], 40);
    assert_eq!(json[0]["aliases"]["PVNode"], 1);
}

#[test]
fn the_same_seed_makes_the_same_tree() {
    let folder = Folder::new();
    let make = |seed, name| {
        folder.prints(&format!("gen --shape random --depth 9 --branching 2 --seed {seed} -o {name}"))
    };
    make(5, "a.gtf");
    make(5, "b.gtf");
    make(6, "c.gtf");
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.gtf") == read("b.gtf") && read("a.gtf") != read("c.gtf"));
}

/// Far deeper than any stack. gt-log's own tests have a chain of a million.
#[test]
fn a_long_chain_works_everywhere() {
    let folder = Folder::new();
    folder.prints("gen --shape chain --depth 249999 -o chain.gtf");
    assert!(folder.prints("info chain.gtf").contains("250,000 nodes, depth 249999"));
    assert!(folder.prints("verify chain.gtf").contains("sound"));
    let end = folder.prints("dump chain.gtf --node 249998");
    assert!(end.contains("… 249938 moves …") && end.contains("\n  249999 0 size=1 "), "{end}");
    folder.prints("export chain.gtf -o chain.parquet");
    folder.prints("import chain.parquet -o again.gtf");
    assert!(folder.prints("verify again.gtf").contains("250,000 nodes"));
    let all = folder.gt("dump chain.gtf --limit 0");
    assert_eq!(all.stdout.iter().filter(|&&byte| byte == b'\n').count(), 250_000);
}

#[test]
fn a_broken_log_is_named_and_recovered() {
    let folder = Folder::new();
    folder.prints("gen --depth 10 --branching 3 -o t.gtf");
    let bytes = std::fs::read(folder.path().join("t.gtf")).unwrap();
    std::fs::write(folder.path().join("cut.gtf"), &bytes[..bytes.len() / 2]).unwrap();

    let output = folder.gt("verify t.gtf cut.gtf");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("t.gtf: sound") && text.contains("cut.gtf: this log was not closed"), "{text}");
    assert!(folder.prints("info cut.gtf").contains("condition   this log was not closed"));

    let report = folder.prints("recover cut.gtf -o good.gtf");
    assert!(report.contains("open at the end and marked unfinished"), "{report}");
    assert!(folder.prints("verify good.gtf").contains("marked unfinished"));
    let (code, sentence) = folder.fails("recover cut.gtf -o cut.gtf");
    assert_eq!(
        (code, sentence.as_str()),
        (2, "gt: cut.gtf: the output would replace the input; choose another name for `-o`\n")
    );
}

#[test]
fn compact_logs_are_smaller_and_the_same() {
    let folder = Folder::new();
    folder.prints("gen --depth 8 --branching 4 -o t.gtf");
    folder.prints("compact t.gtf -o small.gtf");
    let size = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().len();
    assert!(size("small.gtf") < size("t.gtf"));
    assert_eq!(folder.prints("dump t.gtf --limit 0"), folder.prints("dump small.gtf --limit 0"));
    assert!(folder.prints("verify small.gtf").contains("sound"));
}

#[test]
fn tables_go_out_and_come_back() {
    let folder = Folder::new();
    folder.prints("gen --shape random --depth 9 --branching 2 --seed 3 -o t.gtf");
    for extension in ["parquet", "csv", "jsonl"] {
        folder.prints(&format!("export t.gtf -o nodes.{extension}"));
        folder.prints(&format!("import nodes.{extension} -o back.gtf --force"));
        assert_eq!(folder.prints("dump t.gtf --limit 0"), folder.prints("dump back.gtf --limit 0"));
        let schema = |name: &str| {
            folder.prints(&format!("info {name}")).lines().skip(1).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(schema("t.gtf"), schema("back.gtf"));
    }
    let graph = folder.prints("export t.gtf -o top.dot --depth 1");
    assert!(graph.starts_with("top.dot: "));
    assert!(std::fs::read_to_string(folder.path().join("top.dot")).unwrap().starts_with("digraph"));
}

#[test]
fn tables_of_others_are_imported() {
    let folder = Folder::new();
    let table = "node_id,parent_id,last_move,count,best\n10,-1,0,3,0.5\n12,10,8,1,\n11,10,7,1,-0.25\n";
    std::fs::write(folder.path().join("nodes.csv"), table).unwrap();
    let (code, sentence) = folder.fails("import nodes.csv -o t.gtf");
    assert!(code == 2 && sentence.contains("count") && sentence.contains("--rename"), "{sentence}");
    assert!(!folder.path().join("t.gtf").exists());
    let report = folder
        .prints("import nodes.csv -o t.gtf --rename count=visits --alias Win=1 --meta engine=Mine --game go");
    assert!(report.contains("renumbered"), "{report}");
    let info = folder.prints("info t.gtf");
    assert!(
        info.contains("go, 1 tree") && info.contains("Win=1") && info.contains("engine = Mine"),
        "{info}"
    );
    assert_eq!(
        folder.prints("dump t.gtf"),
        "0 root size=3 visits=3 best=0.5\n  1 7 size=1 visits=1 best=-0.25\n  2 8 size=1 visits=1 best=?\n"
    );
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("text.gtf"), "not a log").unwrap();
    folder.prints("gen --depth 2 -o t.gtf");
    let cases = [
        ("info nowhere.gtf", "nowhere.gtf: No such file"),
        ("info text.gtf", "text.gtf: this is not a game-tree log"),
        ("dump t.gtf --node 99", "there is no node 99 in this tree: it has 7, numbered from 0"),
        ("dump t.gtf --tree 3", "there is no tree 3: the log holds 1 tree, counted from 0"),
        (
            "gen --depth 99 --branching 99 -o x.gtf",
            "makes more nodes than the 1,099,511,627,776 a tree can have",
        ),
        ("gen --shape chain --depth 2000000 -o x.gtf", "is too deep: the greatest is 1048575"),
        ("gen --depth 2 -o nowhere/x.gtf", "nowhere/x.gtf: No such file"),
        ("import t.gtf -o x.gtf", "t.gtf"),
        ("import nodes.csv -o x.gtf --alias PV", "it is not of the form NAME=INT"),
        ("import nodes.csv -o x.gtf --alias PV=one", "`one` is not a whole number"),
        ("export t.gtf -o nodes.xyz", "nodes.xyz"),
        ("export t.gtf -o x.dot --attribute nothing", "nothing"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'"),
    ];
    for (arguments, expected) in cases {
        let (code, sentence) = folder.fails(arguments);
        assert_eq!(code, 2, "gt {arguments}: {sentence}");
        assert!(sentence.contains(expected), "gt {arguments}: {sentence}");
        assert!(!folder.path().join("x.gtf").exists(), "gt {arguments} left a file");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.prints("gen --depth 12 -o t.gtf");
    let shell = format!("{} dump t.gtf --limit 0 | head -1", env!("CARGO_BIN_EXE_gt"));
    let output = Command::new("sh").args(["-c", &shell]).current_dir(folder.path()).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.starts_with(b"0 root size=8191 "));
}

#[test]
fn one_tree_of_several_is_shown() {
    let folder = Folder::new();
    folder.prints("search tic-tac-toe --algorithm minimax --depth 3 --log t.gtf");
    let shown = folder.prints("info t.gtf --tree 1");
    assert!(shown.contains("3 trees") && shown.contains("\ntree 1: 82 nodes"), "{shown}");
    assert!(!shown.contains("\ntree 0") && !shown.contains("\ntree 2"), "{shown}");
    let json = folder.prints("info t.gtf --tree 1 --format json");
    assert!(json.contains("\"tree\": 1") && !json.contains("\"tree\": 0"), "{json}");
    let (code, error) = folder.fails("info t.gtf --tree 3");
    assert_eq!(code, 2);
    assert!(error.starts_with("gt: t.gtf: ") && error.contains('3'), "{error}");
}

#[test]
fn manual_pages_are_made_and_the_version_names_the_commit() {
    let folder = Folder::new();
    assert!(folder.prints("man").contains(".TH gt 1"));
    folder.prints("man -o pages");
    for page in ["gt.1", "gt-query.1", "gt-search.1"] {
        let text = std::fs::read_to_string(folder.path().join("pages").join(page)).unwrap();
        assert!(text.contains("SYNOPSIS") && text.contains("gt"), "{page}");
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (code, error) = folder.fails("man -o file/pages");
    assert!(code == 2 && error.starts_with("gt: file/pages: "), "{error}");
    let version = folder.prints("--version");
    assert!(version.starts_with(concat!("gt ", env!("CARGO_PKG_VERSION"))), "{version}");
    let git =
        Command::new("git").args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    if let Ok(output) = git
        && output.status.success()
    {
        let commit = String::from_utf8(output.stdout).unwrap();
        assert!(version.contains(&commit[..10]), "{version} should name {commit}");
    }
}

#[test]
fn completions_and_help_are_there() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(folder.prints(&format!("completions {shell}")).contains("verify"));
    }
    let commands = [
        "info",
        "dump",
        "verify",
        "recover",
        "compact",
        "gen",
        "import",
        "export",
        "query",
        "repl",
        "search",
        "perft",
        "games",
        "demo",
        "profile",
        "completions",
    ];
    for command in commands {
        let help = folder.prints(&format!("{command} --help"));
        assert!(help.contains("Example"), "gt {command} --help has no example");
    }
}
