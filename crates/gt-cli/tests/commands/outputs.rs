//! What commands write never costs a file that was there: every command, every way to fail.

use std::collections::BTreeMap;
use std::path::Path;

use crate::command::{gt, says};

/// The commands that write a log, at `OUT`.
const LOG_WRITERS: [&str; 6] = [
    "gen --depth 3 -o OUT",
    "compact a.gtf -o OUT",
    "recover cut.gtf -o OUT",
    "import nodes.csv -o OUT",
    "search tic-tac-toe --depth 2 --log OUT",
    "search tic-tac-toe --algorithm uct --nodes 100 --log OUT",
];

/// The commands that write other files, and the name that `OUT` must have.
const OTHER_WRITERS: [(&str, &str); 9] = [
    ("export a.gtf -o OUT", "out.csv"),
    ("export a.gtf -o OUT", "out.jsonl"),
    ("export a.gtf -o OUT", "out.parquet"),
    ("export a.gtf -o OUT", "out.dot"),
    ("profile a.gtf -o OUT", "out.txt"),
    ("profile a.gtf --format html -o OUT", "out.html"),
    ("profile a.gtf --queries -o OUT", "out.gtql"),
    ("query a.gtf node:* --format gti -o .", "a-1.gti"),
    ("man -o .", "gt-info.1"),
];

/// A folder with inputs of every kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    says(folder.path(), &["gen", "--depth", "10", "--branching", "3", "-o", "a.gtf"]);
    says(folder.path(), &["export", "a.gtf", "-o", "nodes.csv"]);
    let bytes = std::fs::read(path("a.gtf")).unwrap();
    std::fs::write(path("cut.gtf"), &bytes[..bytes.len() / 2]).unwrap();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 0xff;
    std::fs::write(path("damaged.gtf"), damaged).unwrap();
    std::fs::write(path("text.gtf"), "not a log").unwrap();
    std::fs::write(path("broken.csv"), "node_id,parent_id\n0,-1\n1,7\n").unwrap();
    folder
}

fn run(folder: &Path, command: &str, out: &str) -> (i32, String) {
    let words: Vec<&str> = command.split(' ').map(|word| if word == "OUT" { out } else { word }).collect();
    let (code, _, errors) = gt(folder, &words);
    (code, errors)
}

/// Every file below the folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect()
}

#[track_caller]
fn leaves_all_as_it_was(folder: &Path, command: &str, out: &str, sentence: &str) {
    let before = files(folder);
    let (code, errors) = run(folder, command, out);
    assert_eq!(code, 2, "gt {command}: {errors}");
    assert!(errors.contains(sentence), "gt {command}: {errors}");
    assert!(!errors.contains("panicked"), "gt {command}: {errors}");
    let after = files(folder);
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "gt {command}");
    assert!(before == after, "gt {command} changed a file");
}

#[test]
fn a_log_is_replaced_with_force_only() {
    let folder = folder();
    for writer in LOG_WRITERS {
        std::fs::write(folder.path().join("out.gtf"), "precious").unwrap();
        leaves_all_as_it_was(folder.path(), writer, "out.gtf", "out.gtf is there already");
        leaves_all_as_it_was(folder.path(), writer, "out.gtf", "`--force` replaces it");
        let before = files(folder.path()).len();
        let (code, errors) = run(folder.path(), &format!("{writer} --force"), "out.gtf");
        assert_eq!(code, 0, "gt {writer} --force: {errors}");
        assert!(says(folder.path(), &["verify", "out.gtf"]).contains("sound"), "gt {writer} --force");
        assert_eq!(files(folder.path()).len(), before, "gt {writer} --force left something");
    }
}

#[test]
fn logs_of_an_earlier_run_are_kept_before_any_work_is_done() {
    for (command, name) in [("demo --dir .", "amazons.gtf"), ("experiments --quick -o .", "pos23.gtf")] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), "precious").unwrap();
        leaves_all_as_it_was(folder.path(), command, "", "`--force` replaces it");
    }
}

/// An artificial tree is a draft and no log of its own: a file that has its name is nobody's to remove.
#[test]
fn experiments_keep_a_log_that_has_the_name_of_an_artificial_tree() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tree1.gtf"), "precious").unwrap();
    says(folder.path(), &["experiments", "--quick", "--only", "efficiency", "-o", "."]);
    assert_eq!(std::fs::read(folder.path().join("tree1.gtf")).unwrap(), b"precious");
}

#[test]
fn other_files_are_replaced_when_the_new_one_is_whole() {
    let folder = folder();
    for (writer, name) in OTHER_WRITERS {
        std::fs::write(folder.path().join(name), "old").unwrap();
        let (code, errors) = run(folder.path(), writer, name);
        assert_eq!(code, 0, "gt {writer}: {errors}");
        assert_ne!(std::fs::read(folder.path().join(name)).unwrap(), b"old", "gt {writer}");
    }
    let rests: Vec<String> = files(folder.path()).into_keys().filter(|name| name.contains("part")).collect();
    assert!(rests.is_empty(), "{rests:?}");
}

#[test]
fn a_write_protected_file_is_never_replaced() {
    let folder = folder();
    let protect = |name: &str| {
        let path = folder.path().join(name);
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, "precious").unwrap();
        let mut permissions = std::fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
    };
    for writer in LOG_WRITERS {
        protect("out.gtf");
        leaves_all_as_it_was(folder.path(), &format!("{writer} --force"), "out.gtf", "write-protected");
    }
    for (writer, name) in OTHER_WRITERS.into_iter().filter(|(writer, _)| !writer.starts_with("man")) {
        protect(name);
        leaves_all_as_it_was(folder.path(), writer, name, "write-protected");
    }
}

#[test]
fn a_command_that_fails_touches_nothing() {
    let folder = folder();
    for name in ["keep.txt", "keep.gtf", "keep.csv", "keep.dot", "keep.parquet"] {
        std::fs::write(folder.path().join(name), "precious").unwrap();
    }
    for (command, sentence) in [
        ("export a.gtf -o keep.txt", "keep.txt"),
        ("export a.gtf --tree 7 -o keep.csv", "no tree 7"),
        ("export damaged.gtf -o keep.csv", "damaged"),
        ("export damaged.gtf -o keep.parquet", "damaged"),
        ("export a.gtf --node 999999 -o keep.dot", "no node 999999"),
        ("export a.gtf --attribute nothing -o keep.dot", "nothing"),
        ("export text.gtf -o keep.csv", "not a game-tree log"),
        ("import nosuch.csv -o keep.gtf --force", "nosuch.csv"),
        ("import broken.csv -o keep.gtf --force", "broken.csv"),
        ("import text.gtf -o keep.gtf --force", "text.gtf"),
        ("compact damaged.gtf -o keep.gtf --force", "damaged.gtf: "),
        ("compact nosuch.gtf -o keep.gtf --force", "nosuch.gtf"),
        ("recover text.gtf -o keep.gtf --force", "not a game-tree log"),
        ("gen --depth 99 --branching 99 -o keep.gtf --force", "more nodes"),
        ("search chess --position nonsense --log keep.gtf --force", "nonsense"),
        ("search tic-tac-toe --threads 2 --algorithm minimax --log keep.gtf --force", "one thread"),
        ("profile a.gtf --tree 7 -o keep.txt", "no tree 7"),
        ("profile damaged.gtf -o keep.txt", "damaged"),
    ] {
        leaves_all_as_it_was(folder.path(), command, "", sentence);
    }
}

#[cfg(unix)]
#[test]
fn an_input_is_recognised_under_any_name() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    for input in ["a.gtf", "cut.gtf", "nodes.csv"] {
        std::fs::hard_link(path(input), path(&format!("hard-{input}"))).unwrap();
        std::os::unix::fs::symlink(input, path(&format!("soft-{input}"))).unwrap();
    }
    std::fs::hard_link(path("a.gtf"), path("a-1.gti")).unwrap();
    std::fs::hard_link(path("a.gtf"), path("hard.csv")).unwrap();
    std::os::unix::fs::symlink("a.gtf", path("soft.dot")).unwrap();
    for (command, input) in [
        ("compact a.gtf -o OUT --force", "a.gtf"),
        ("recover cut.gtf -o OUT --force", "cut.gtf"),
        ("import nodes.csv -o OUT --force", "nodes.csv"),
        ("profile a.gtf -o OUT", "a.gtf"),
    ] {
        for name in [input.to_owned(), format!("./{input}"), format!("hard-{input}"), format!("soft-{input}")]
        {
            leaves_all_as_it_was(folder.path(), command, &name, "the output would replace the input");
        }
    }
    for command in
        ["export a.gtf -o hard.csv", "export a.gtf -o soft.dot", "query a.gtf node:* --format gti -o ."]
    {
        leaves_all_as_it_was(folder.path(), command, "", "the output would replace the input");
    }
}

/// A limit of the file size stands for a full disk: the system refuses to write in the middle of a file.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_what_was_there() {
    let folder = folder();
    for (command, name) in [
        ("gen --depth 14 --branching 3 -o OUT --force", "keep.gtf"),
        ("import nodes.csv -o OUT --force", "keep.gtf"),
        ("compact a.gtf --level 1 -o OUT --force", "keep.gtf"),
        ("recover a.gtf -o OUT --force", "keep.gtf"),
        ("export a.gtf -o OUT", "keep.csv"),
        ("export a.gtf -o OUT", "keep.parquet"),
        ("export a.gtf --limit 80000 -o OUT", "keep.dot"),
        ("query a.gtf node:* --format gti -o .", "a-1.gti"),
    ] {
        std::fs::write(folder.path().join(name), "precious").unwrap();
        let before = files(folder.path());
        let command = command.replace("OUT", name).replace("node:*", "'node:*'");
        let shell = format!("ulimit -f 16; exec {} {command}", env!("CARGO_BIN_EXE_gt"));
        let output = std::process::Command::new("sh")
            .args(["-c", &shell])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "gt {command}: {errors}");
        assert!(errors.contains(&format!("{name}: ")), "gt {command}: {errors}");
        assert!(before == files(folder.path()), "gt {command} changed a file");
    }
}

/// A log that a search is writing is not taken from under it.
#[cfg(unix)]
#[test]
fn a_log_that_is_being_written_is_refused() {
    let folder = folder();
    std::fs::copy(folder.path().join("a.gtf"), folder.path().join("out.gtf")).unwrap();
    let held = std::fs::OpenOptions::new().write(true).open(folder.path().join("out.gtf")).unwrap();
    held.lock().unwrap();
    for writer in LOG_WRITERS {
        leaves_all_as_it_was(
            folder.path(),
            &format!("{writer} --force"),
            "out.gtf",
            "out.gtf is being written",
        );
    }
}
