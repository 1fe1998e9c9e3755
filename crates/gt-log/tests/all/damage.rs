//! Logs that were cut off, flipped, or written by something else: an error or a correct reading, nothing else.

use crate::support::{Model, small};
use gt_log::{Error, IndexState, Log, TreeEnding};

/// Reads everything there is; whatever the bytes are, this returns.
fn read_all(log: &Log) {
    for tree in log.trees() {
        let _ = tree.verify(|_| {});
        let _ = Model::read(tree);
        let _ = tree.left_out();
        let mut walker = gt_log::Walker::new(tree);
        for node in 0..tree.nodes().min(40) {
            let _ = walker.find(node);
        }
    }
}

#[test]
fn cut_at_every_byte_it_opens_with_all_that_was_flushed() {
    let model = small();
    let bytes = model.to_bytes(2);
    let whole = Log::from_bytes(bytes.clone()).unwrap();
    // Where each block ends in the file: what lies before is there after any later cut.
    let ends: Vec<(usize, u64)> = block_ends(&bytes);
    assert_eq!(ends.last().unwrap().1, whole.tree(0).unwrap().nodes());

    let mut most = 0;
    for cut in 0..bytes.len() {
        match Log::from_bytes(bytes[..cut].to_vec()) {
            Err(Error::NotALog) => assert!(cut == 0),
            Err(error) => assert!(matches!(error, Error::HeaderCut), "cut at {cut}: {error}"),
            Ok(log) => {
                let flushed = ends.iter().rev().find(|(end, _)| *end <= cut).map_or(0, |(_, rows)| *rows);
                assert_eq!(log.condition().index, IndexState::Missing);
                if flushed == 0 {
                    continue;
                }
                let tree = log.tree(0).unwrap();
                let completed = match log.condition().trees[0] {
                    TreeEnding::CutOff { nodes_completed } => nodes_completed,
                    TreeEnding::Finished => 0,
                };
                assert_eq!(tree.nodes(), flushed + completed, "cut at {cut}");
                let verified = tree.verify(|_| {}).unwrap();
                assert_eq!(verified.unfinished, completed);
                assert_rows_kept(&whole, &log, flushed);
                most = most.max(flushed);
            }
        }
    }
    assert_eq!(most, model.nodes.len() as u64);
}

/// The first rows of two logs are the same.
fn assert_rows_kept(whole: &Log, cut: &Log, rows: u64) {
    let (mut a, mut b) =
        (gt_log::Walker::new(whole.tree(0).unwrap()), gt_log::Walker::new(cut.tree(0).unwrap()));
    for row in 0..rows {
        assert_eq!(a.size(row).unwrap(), b.size(row).unwrap());
        assert_eq!(a.last_move(row).unwrap(), b.last_move(row).unwrap());
        for attribute in 0..3 {
            assert_eq!(a.value(row, attribute).unwrap(), b.value(row, attribute).unwrap());
        }
    }
}

/// The byte after each frame that holds a block, and the rows up to there: found by the frames' magic.
fn block_ends(bytes: &[u8]) -> Vec<(usize, u64)> {
    let starts: Vec<usize> =
        (0..bytes.len() - 4).filter(|&i| &bytes[i..i + 4] == b"GTfr").chain([bytes.len()]).collect();
    let mut rows = 0;
    let mut ends = Vec::new();
    for pair in starts.windows(2) {
        if bytes[pair[0] + 4] == 2 {
            rows += u64::from(bytes[pair[0] + 33]); // A small block: its row count is the head's second byte.
            ends.push((pair[1], rows));
        }
    }
    ends
}

#[test]
fn the_open_path_is_completed_with_its_moves() {
    let model = small();
    let bytes = model.to_bytes(2);
    let (end, rows) = block_ends(&bytes)[0];
    let log = Log::from_bytes(bytes[..end].to_vec()).unwrap();
    assert_eq!(rows, 2);
    let read = Model::read(log.tree(0).unwrap()).unwrap();
    // Rows 0 and 1 are nodes 2 and 3; above them 1 and 0 were open.
    let moves: Vec<i64> = read.nodes.iter().map(|node| node.last_move).collect();
    assert_eq!(moves, [0, 3, 6, 9]);
    assert_eq!(read.nodes[2].values, model.nodes[2].values);
}

#[test]
fn every_flipped_bit_is_noticed() {
    let model = small();
    for block_rows in [3, 100] {
        let bytes = model.to_bytes(block_rows);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let Ok(log) = Log::from_bytes(flipped) else { continue };
            read_all(&log);
            assert!(log.verify(|_| {}).is_err(), "bit {bit} was flipped and nobody noticed");
        }
    }
}

#[test]
fn a_damaged_block_is_named_and_the_rest_saved() {
    let model = small();
    let mut bytes = model.to_bytes(2);
    let third = block_ends(&bytes)[2].0;
    bytes[third - 1] ^= 0xff; // The last byte of the third block's last column.
    let log = Log::from_bytes(bytes).unwrap();
    let error = log.tree(0).unwrap().verify(|_| {}).unwrap_err().to_string();
    assert!(error.contains("tree 0, block 2, column 6 is damaged: its checksum does not fit"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved.gtf");
    let report = gt_log::recover(&log, std::fs::File::create(&path).unwrap(), |_| {}).unwrap();
    let saved = report.trees[0];
    assert_eq!(saved.nodes - saved.nodes_completed, 4);
    assert_eq!(saved.nodes_lost, 5);
    let log = Log::open(&path).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.tree(0).unwrap().verify(|_| {}).unwrap().unfinished, saved.nodes_completed);
}

#[test]
fn other_files_are_refused_with_a_sentence() {
    let message = |bytes: &[u8]| Log::from_bytes(bytes.to_vec()).err().unwrap().to_string();
    assert!(message(b"").contains("not a game-tree log"));
    assert!(message(b"PAR1 and so on, a file of another kind").contains("not a game-tree log"));
    let mut newer = small().to_bytes(10);
    newer[8] = 9;
    assert!(message(&newer).contains("newer version of GT-Tools") && message(&newer).contains("version 9"));
    assert!(message(&small().to_bytes(10)[..20]).contains("breaks off inside its header"));
}

#[test]
fn trees_after_a_damaged_part_are_still_found() {
    let model = small();
    let log = gt_log::LogWriter::to_memory(model.header()).unwrap();
    model.write_into(&log, 100);
    model.write_into(&log, 100);
    let mut bytes = log.into_memory().unwrap();
    bytes.truncate(bytes.len() - 3); // No trailer: the frames are scanned.
    let (first_end, _) = block_ends(&bytes)[0];
    let begin = bytes.windows(4).position(|w| w == b"GTfr").unwrap();
    let block = begin + 1 + bytes[begin + 1..].windows(4).position(|w| w == b"GTfr").unwrap();
    bytes[block] = b'X'; // The first tree's only block is no longer to be found.
    assert!(block < first_end);
    let log = Log::from_bytes(bytes).unwrap();
    assert_eq!(log.tree_count(), 1);
    assert!(log.condition().bytes_lost > 0 && log.condition().parts_lost > 0);
    model.assert_same(&Model::read(log.tree(0).unwrap()).unwrap());
}
