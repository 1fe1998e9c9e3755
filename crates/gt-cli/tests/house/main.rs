//! ARCHITECTURE.md's invariants, held against the workspace.

mod circles;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which crates of the house a crate may be built on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("gt-log", &[]),
    ("gt-log-c", &["gt-log", "gt-query"]),
    ("gt-convert", &["gt-log"]),
    ("gt-diff", &["gt-log"]),
    ("gt-query", &["gt-log"]),
    ("gt-search", &[]),
    ("gt-games", &["gt-search"]),
    ("gt-record", &["gt-log", "gt-query", "gt-search"]),
    ("gt-book", &["gt-search", "gt-games"]),
    ("gt-endgame", &["gt-search", "gt-games"]),
    ("gt-play", &["gt-log", "gt-search", "gt-games", "gt-record", "gt-book", "gt-endgame"]),
    ("gt-match", &["gt-search", "gt-games", "gt-book", "gt-play"]),
    ("gt-tune", &["gt-search", "gt-games"]),
    ("gt-report", &["gt-log", "gt-query"]),
    ("gt-picture", &["gt-log", "gt-query", "gt-games", "gt-report"]),
    ("gt-why", &["gt-log", "gt-report"]),
    ("gt-check", &["gt-log", "gt-query", "gt-report"]),
    (
        "gt-view",
        &["gt-log", "gt-query", "gt-search", "gt-games", "gt-picture", "gt-play", "gt-report", "gt-why"],
    ),
    ("gt-fleet", &["gt-log", "gt-query", "gt-games", "gt-report"]),
    (
        "gt-python",
        &[
            "gt-log",
            "gt-check",
            "gt-convert",
            "gt-fleet",
            "gt-query",
            "gt-search",
            "gt-games",
            "gt-play",
            "gt-record",
            "gt-report",
            "gt-view",
        ],
    ),
    (
        "gt-experiments",
        &["gt-log", "gt-picture", "gt-query", "gt-search", "gt-games", "gt-record", "gt-report"],
    ),
    (
        "gt-cli",
        &[
            "gt-log",
            "gt-book",
            "gt-check",
            "gt-convert",
            "gt-diff",
            "gt-endgame",
            "gt-fleet",
            "gt-query",
            "gt-search",
            "gt-games",
            "gt-record",
            "gt-picture",
            "gt-play",
            "gt-match",
            "gt-tune",
            "gt-report",
            "gt-experiments",
            "gt-view",
            "gt-why",
        ],
    ),
    (
        "gt-bench",
        &[
            "gt-log",
            "gt-check",
            "gt-why",
            "gt-convert",
            "gt-diff",
            "gt-endgame",
            "gt-query",
            "gt-search",
            "gt-games",
            "gt-play",
            "gt-record",
            "gt-report",
            "gt-view",
        ],
    ),
    ("gt-manual", &["gt-log", "gt-query", "gt-search", "gt-games", "gt-record"]),
    (
        "gt-torture",
        &[
            "gt-log",
            "gt-log-c",
            "gt-convert",
            "gt-query",
            "gt-report",
            "gt-view",
            "gt-games",
            "gt-book",
            "gt-endgame",
            "gt-search",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn crates_build_on_those_below_them_only() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        // The tests of a crate, in a package of their own, may use whatever they hold it against.
        if name.ends_with("-tests") {
            continue;
        }
        let own = allowed.get(name).unwrap_or_else(|| panic!("{name} is not in the house's plan"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let built_on = dependency["kind"].is_null(); // Not for tests or builds only.
            if built_on && allowed.contains_key(other) {
                assert!(own.contains(&other), "{name} must not be built on {other}");
            }
        }
    }
}

/// Places that may say `unsafe`; everywhere else the compiler alone is trusted.
const UNSAFE_ALLOWED: [&str; 9] = [
    "crates/gt-games/src/chess/evaluate/mod.rs",
    "crates/gt-games/src/chess/network/value.rs",
    "crates/gt-tune/src/",
    "crates/gt-search/src/table/memory.rs",
    "crates/gt-log/src/columns/",
    "crates/gt-log-c/",
    "crates/gt-query/src/engine/",
    "crates/gt-bench/",
    "crates/gt-torture/",
];

#[test]
fn unsafe_stands_where_the_plan_says() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    assert!(files.len() > 100, "the sources were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let path = file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        let is_allowed = UNSAFE_ALLOWED.iter().any(|place| path.starts_with(place))
            || path.contains("/tests/")
            || path.contains("/benches/");
        let says = text.lines().any(|line| {
            let code = line.split("//").next().unwrap_or("");
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        });
        assert!(!says || is_allowed, "{path} says `unsafe`; ARCHITECTURE.md names the places that may");
    }
}

/// What `gt` must not do on its own: printing that panics where nobody reads, and files that are replaced before they
/// are whole. `tell` says things, and `commands::files` writes files.
const FORBIDDEN: [(&str, &[&str]); 2] = [
    ("`tell` says it without a panic", &["eprintln!", "eprint!", "println!", "print!", "dbg!"]),
    (
        "`commands::files` writes it without a loss",
        &["fs::write(", "File::create(", "File::create_new(", "fs::rename(", "fs::copy(", ".truncate(true)"],
    ),
];

#[test]
fn gt_prints_and_writes_in_one_way() {
    let mut files = Vec::new();
    sources(&root().join("crates/gt-cli/src"), &mut files);
    assert!(files.len() > 30, "the sources were not found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for (instead, words) in FORBIDDEN {
                for word in words {
                    let place = || format!("{}:{}: `{word}`: {instead}", file.display(), number + 1);
                    assert!(!has_word(code, word), "{}", place());
                }
            }
        }
    }
}

/// Whether the word is there, and not as the end of another: `writeln!` is no `println!`.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Crates whose modules use each other in circles still, and how many modules stand in one at most: the number may only
/// become smaller. Most of them are a module and those below it, which take its types and are called by it; such types
/// belong in a module of their own, below both.
const TIED: [(&str, usize); 4] = [("gt-games", 27), ("gt-match", 7), ("gt-play", 12), ("gt-search", 23)];

#[test]
fn modules_use_each_other_in_no_circle() {
    let tied: BTreeMap<&str, usize> = TIED.into_iter().collect();
    let mut crates: Vec<PathBuf> =
        std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    crates.push(root().join("python"));
    for folder in crates {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let roots = ["src/lib.rs", "src/main.rs"].map(|root| folder.join(root));
        let found: Vec<(usize, String)> = roots
            .iter()
            .filter(|root| root.exists())
            .flat_map(|root| circles::Modules::read(root).circles())
            .collect();
        let (modules, most) =
            (found.iter().map(|(modules, _)| modules).sum::<usize>(), tied.get(&*name).copied().unwrap_or(0));
        let told: Vec<&str> = found.iter().map(|(_, lines)| lines.as_str()).collect();
        assert!(
            modules <= most,
            "{name}: {modules} modules use each other in circles, and {most} may; move what both need to a module below \
             them:\n{}",
            told.join("\n")
        );
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
