//! Where tests find Syzygy's files, which are not ours: `make test` fetches those that come with python-chess.

use std::path::{Path, PathBuf};

/// The folder with the files; `None`, after saying so, where they are missing. With `GT_SYZYGY_REQUIRED` that fails.
pub(crate) fn folder() -> Option<PathBuf> {
    // Packages that have this module are not equally deep.
    let mut folders =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("target/syzygy"));
    let found = folders.find(|folder| folder.join("KRvK.rtbw").exists());
    if found.is_some() {
        return found;
    }
    assert!(
        std::env::var_os("GT_SYZYGY_REQUIRED").is_none(),
        "GT_SYZYGY_REQUIRED is set, and there are no Syzygy files in target/syzygy"
    );
    eprintln!("skipped: there are no Syzygy files in target/syzygy; `make test` fetches them");
    None
}
