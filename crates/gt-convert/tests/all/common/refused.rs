//! Files that are refused, and the sentences they get.

use gt_convert::{ImportOptions, import, unwatched};

/// Imports a file of this name and content, and checks the sentence with which it is refused.
#[track_caller]
pub(crate) fn check_with(name: &str, content: &[u8], options: &ImportOptions, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join(name), folder.path().join("tree.gtf"));
    std::fs::write(&source, content).unwrap();
    let error = import(&source, None, options, &target, &mut unwatched).expect_err("it is bad");
    let said = error.to_string().replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(said, expected);
    assert!(!target.exists(), "no log is left");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "no draft is left");
}

#[track_caller]
pub(crate) fn check(name: &str, content: &str, expected: &str) {
    check_with(name, content.as_bytes(), &ImportOptions::default(), expected);
}
