//! `GTL_OFF`: the machine code is that of an engine that never heard of logging.

use std::path::Path;
use std::process::Command;

use crate::toolchain::{C, CPP, Language, is_there, program_source, succeed};

fn code(language: Language, folder: &Path, define: &str) -> Vec<u8> {
    let (object, code) = (folder.join("off.o"), folder.join("off.bin"));
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let compile = Command::new(language.compiler)
        .args(language.flags)
        .args(["-O2", "-Wall", "-Wextra", "-Werror", "-c", define, "-I"])
        .arg(include)
        .arg(program_source("off.c"))
        .arg("-o")
        .arg(&object)
        .output();
    succeed("compiling off.c", &compile.unwrap());
    let copy = Command::new("objcopy")
        .args(["-O", "binary", "-j", ".text", "-j", ".data", "-j", ".bss"])
        .args([&object, &code])
        .output();
    succeed("objcopy", &copy.unwrap());
    std::fs::read(code).unwrap()
}

#[test]
fn calls_that_are_off_leave_no_trace() {
    for language in [C, CPP] {
        if !language.is_there() || !is_there("objcopy") {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let off = code(language, folder.path(), "-DWITH_CALLS");
        let never_there = code(language, folder.path(), "-DNEVER_THERE");
        assert!(off.len() > 50, "there is code");
        assert!(off == never_there, "{} bytes of code with calls, {} without", off.len(), never_there.len());
    }
}

#[test]
fn the_examples_need_no_library_then() {
    for example in ["tictactoe", "live"] {
        check_example(example);
    }
}

fn check_example(name: &str) {
    if !C.is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
    let compile = Command::new("gcc")
        .args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-DGTL_OFF", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(examples.join(name).with_extension("c"))
        .arg("-o")
        .arg(&program)
        .output();
    succeed("compiling", &compile.unwrap());
    succeed(name, &Command::new(&program).current_dir(folder.path()).output().unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is logged");
}
