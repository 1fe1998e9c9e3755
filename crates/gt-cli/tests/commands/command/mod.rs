//! `gt`, run in a folder.

use std::path::Path;
use std::process::Command;

/// The exit code, what is printed, and what is said on standard error.
pub(crate) fn gt(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gt")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// What is printed; the command must succeed.
pub(crate) fn says(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, errors) = gt(folder, arguments);
    assert_eq!(code, 0, "{arguments:?}: {errors}");
    out
}
