//! A full disk turns logging off, never the engine, and what is on it can be read.

use gt_log::Log;

use crate::toolchain::{C, run, succeed};

#[test]
fn a_file_that_may_not_grow() {
    if !C.is_there() {
        return;
    }
    // Inside the first block, at several places of later ones, and just where only the end is missing.
    for limit in ["300", "30000", "131072", "200001"] {
        let (folder, output) = run("disk.c", &[limit]);
        succeed("disk", &output);
        let log = Log::open(folder.path().join("disk.gtf")).unwrap();
        assert!(log.condition().bytes <= limit.parse().unwrap());
        for tree in log.trees() {
            assert_eq!(tree.verify(|_| ()).unwrap().nodes, tree.nodes());
        }
        let is_empty = log.trees().all(|tree| tree.nodes() == 0);
        assert_eq!(is_empty, limit == "300", "{limit}");
        assert!(Log::open(folder.path().join("tree-1.gtf")).is_ok());
        for later in ["room.gtf", "tree-2.gtf"] {
            assert_eq!(Log::open(folder.path().join(later)).unwrap().tree(0).unwrap().nodes(), 21);
        }
    }
}

#[test]
fn a_device_that_is_full() {
    if !C.is_there() || !std::path::Path::new("/dev/full").exists() {
        return;
    }
    succeed("full", &run("full.c", &[]).1);
}
