//! The manual's commands are run: every `console` block of the README and of the chapters in `docs`.
//!
//! ```text
//! ```console                        the commands of a page run in their order, in one folder with `examples/`
//! $ gt gen --depth 2 -o a.gtf       a line with `$` is a command, for `sh`
//! wrote …                           `…` stands for any text
//! …                                 a line of its own for any lines
//! ```                               what follows `$` must be what it prints, errors included
//! ```
//!
//! `console,fails` marks a block whose last command must fail. `console,ignore` is shown and not run: it would open a
//! browser, install something, or take minutes. `UPDATE_MANUAL=1 cargo test -p gt-cli --test manual` writes what commands
//! print now into the pages; look at the difference before you commit it.
#![cfg(unix)]

mod page;
mod printed;

use std::path::{Path, PathBuf};
use std::process::Command;

use page::{Page, Step};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_readme_prints_what_it_says() {
    check(&repository().join("README.md"));
}

#[test]
fn the_chapters_print_what_they_say() {
    let mut chapters: Vec<PathBuf> = std::fs::read_dir(repository().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    chapters.sort();
    assert!(chapters.len() > 5, "the manual has chapters");
    for chapter in chapters {
        check(&chapter);
    }
}

/// Every chapter is in the table of contents, and the other way round.
#[test]
fn the_table_of_contents_is_whole() {
    let docs = repository().join("docs");
    let contents = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    for entry in std::fs::read_dir(&docs).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(contents.contains(&format!("({name})")), "docs/SUMMARY.md lacks {name}");
        }
    }
    for link in contents.split("](").skip(1) {
        let name = link.split(')').next().unwrap();
        assert!(docs.join(name).exists(), "docs/SUMMARY.md names {name}, which is not there");
    }
}

/// Runs a page's commands in a new folder and holds what they print against the page.
fn check(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut page = Page::read(&text);
    let folder = tempfile::tempdir().unwrap();
    // The repository's examples are there, as for who reads the manual in it.
    std::os::unix::fs::symlink(repository().join("examples"), folder.path().join("examples")).unwrap();
    let mut faults = Vec::new();
    for step in page.steps_mut() {
        let output = run(&step.command, folder.path());
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let name = path.file_name().unwrap().to_string_lossy();
        if output.status.success() == step.fails {
            let ended = if step.fails { "should have failed" } else { "failed" };
            faults.push(format!("{name}: `{}` {ended}:\n{printed}", step.command));
        }
        if !printed::fits(&step.expected, &printed) {
            faults.push(format!(
                "{name}: `{}` should print\n{}\nand prints\n{printed}",
                step.command, step.expected
            ));
            step.expected = printed::shortened(&printed);
        }
    }
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        std::fs::write(path, page.text()).unwrap();
        return;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Runs one command, its errors printed among its output as on a terminal.
fn run(command: &str, folder: &Path) -> std::process::Output {
    let gt = Path::new(env!("CARGO_BIN_EXE_gt")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .arg("-c")
        .arg(format!("exec 2>&1\n{command}"))
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", gt.display()))
        .env_remove("COLUMNS")
        .output()
        .unwrap()
}

/// A step that the page shows and the test runs.
#[test]
fn a_page_falls_into_commands_and_what_they_print() {
    let text = "a\n```console\n$ echo 1; \\\n  echo 2\n1\n2\n$ true\n```\n```console,ignore\n$ false\n```\n\
                ```console,fails\n$ echo x; false\n…\n```\nb\n";
    let mut page = Page::read(text);
    let steps: Vec<Step> = page.steps_mut().map(|step| step.clone()).collect();
    let seen: Vec<(&str, &str, bool)> =
        steps.iter().map(|step| (step.command.as_str(), step.expected.as_str(), step.fails)).collect();
    assert_eq!(
        seen,
        [("echo 1; \\\n  echo 2", "1\n2\n", false), ("true", "", false), ("echo x; false", "…\n", true)]
    );
    assert_eq!(page.text(), text);
}
