//! Any bytes, and any change of a real log with its checksums mended: opened, verified, walked, written anew.

use gt_log::{Column, Log, Walker};

pub(super) fn run(bytes: &[u8]) {
    let Ok(log) = Log::from_bytes(bytes.to_vec()) else { return };
    let _ = log.verify(|_| {});
    for tree in log.trees() {
        let _ = tree.left_out();
        let mut columns = vec![Column::LastMove, Column::Status];
        columns.extend((0..tree.schema().attributes().len()).map(Column::Attribute));
        let mut nodes = 0_u64;
        let walked = tree.preorder(&columns, |batch| {
            nodes += batch.len() as u64;
            Ok::<(), gt_log::Error>(())
        });
        if walked.is_ok() {
            assert_eq!(nodes, tree.nodes());
        }
        for block in 0..tree.block_count() {
            let _ = tree.plies(block);
        }
        let mut walker = Walker::new(tree);
        for node in [0, 1, tree.nodes() / 2, tree.nodes() - 1] {
            let _ = walker.find(node);
        }
    }
}
