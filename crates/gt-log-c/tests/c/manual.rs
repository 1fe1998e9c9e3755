//! The manual's program: the C blocks of its chapter, put together, compiled as C and as C++, run, its log read.

use std::path::Path;
use std::process::Command;

use gt_log::Log;

use crate::toolchain::{C, CPP, Library, compile, succeed};

const CHAPTER: &str = include_str!("../../../../docs/log-c.md");

#[test]
fn the_manuals_program_logs() {
    let source = c_blocks(CHAPTER);
    assert!(source.contains("int main"), "the chapter holds a whole program");
    for language in [C, CPP] {
        if !language.is_there() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("toy");
        let path = folder.path().join("toy.c");
        std::fs::write(&path, &source).unwrap();
        compile(language, Library::Static, &path, &program);
        let output = Command::new(&program).current_dir(folder.path()).output().unwrap();
        succeed("toy", &output);
        check_log(&folder.path().join("toy.gtf"), &String::from_utf8_lossy(&output.stdout));
    }
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

fn c_blocks(chapter: &str) -> String {
    chapter.split("```c\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}
