//! With the feature `off`, logging is compiled out: `cargo test --workspace --features gt-log-tests/off --test off`.
#![cfg(feature = "off")]

use gt_log::{Header, LogWriter, Metadata, Schema};

gt_log::record! { struct Node { best: i32 } }

#[test]
fn nothing_is_recorded_and_no_file_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("off.gtf");
    let log = LogWriter::create(&path, Header::new("test", Schema::of::<Node>().unwrap())).unwrap();
    let mut tree = log.tree::<Node>(&Metadata::new()).unwrap();
    assert!(!tree.is_on());
    tree.enter(0).unwrap();
    tree.leave(&Node { best: 1 }).unwrap();
    tree.leave(&Node { best: 1 }).unwrap(); // Not even the nesting is looked at.
    tree.finish().unwrap();
    assert_eq!(log.finish().unwrap(), 0);
    assert!(!path.exists());
}
