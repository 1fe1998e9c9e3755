//! The C calls in any order: every file they leave is readable.

use gt_log_c::events::{drive, events_of};

pub(super) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the logs");
    drive(folder.path(), &events_of(bytes));
    for entry in std::fs::read_dir(folder.path()).expect("it is there").flatten() {
        if let Ok(log) = gt_log::Log::open(entry.path()) {
            for tree in log.trees() {
                tree.verify(|_| {}).expect("a tree that the calls made is sound");
            }
        }
    }
}
