//! The manual's programs: the C blocks of its chapter, put together, compiled as C and as C++, and its C++ blocks; run, their logs read.

use std::path::Path;
use std::process::Command;

use gt_log::Log;

use crate::toolchain::{C11, CPP, CPP17, Language, Library, compile, succeed};

const CHAPTER: &str = include_str!("../../../../docs/log-c.md");

#[test]
fn the_manuals_program_logs() {
    let source = blocks(CHAPTER, "c");
    assert!(source.contains("int main"), "the chapter holds a whole program");
    let printed: Vec<String> =
        [C11, CPP].into_iter().filter_map(|language| logs(language, &source)).collect();
    assert!(printed.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn the_manuals_program_with_guards_logs() {
    let source = blocks(CHAPTER, "cpp");
    assert!(source.contains("int main"), "the chapter holds a whole program");
    logs(CPP17, &source);
}

/// What the program prints, if there is a compiler for it; its log agrees.
fn logs(language: Language, source: &str) -> Option<String> {
    if !language.is_there() {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let (program, path) = (folder.path().join("toy"), folder.path().join("toy.c"));
    std::fs::write(&path, source).unwrap();
    compile(language, Library::Static, &path, &program);
    let output = Command::new(&program).current_dir(folder.path()).output().unwrap();
    succeed("toy", &output);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    check_log(&folder.path().join("toy.gtf"), &printed);
    Some(printed)
}

/// The log has a tree for each line that the program printed, with the value that it printed.
fn check_log(path: &Path, printed: &str) {
    let log = Log::open(path).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.tree_count(), 6);
    for (tree, line) in log.trees().zip(printed.lines()) {
        let depth = tree.number() + 1;
        assert_eq!(tree.metadata().get("nominal_depth"), Some(depth.to_string().as_str()));
        assert_eq!(tree.depth() as usize, depth);
        let mut values = Vec::new();
        let visited: gt_log::Result<()> = tree.preorder(&[gt_log::Column::Attribute(3)], |batch| {
            values.extend_from_slice(&batch.cells[0].integers[..batch.len()]);
            Ok(())
        });
        visited.unwrap();
        assert_eq!(line, format!("depth {depth}: {}", values[0]));
    }
}

fn blocks(chapter: &str, language: &str) -> String {
    chapter.split(&format!("```{language}\n")).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}
