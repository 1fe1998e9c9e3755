//! The C calls in any order: every file they leave is readable.

use gt_log_c::events::{drive, events_of};

pub(super) fn run(bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("gt-fuzz-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the logs");
    drive(&folder, &events_of(bytes));
    for entry in std::fs::read_dir(&folder).expect("it is there").flatten() {
        if let Ok(log) = gt_log::Log::open(entry.path()) {
            for tree in log.trees() {
                tree.verify(|_| {}).expect("a tree that the calls made is sound");
            }
        }
    }
}
