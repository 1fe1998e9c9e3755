//! Any bytes as a table of endgames, their head's checksum mended so that more than the checksum is tried: opened or refused, and asked
//! without a panic.

use gt_endgame::{Table, Tables};
use gt_games::registry::{GameKind, Setup};

/// The bytes with the checksum that their head should have, where it lies inside of them.
fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let length =
        bytes.get(12..16).and_then(|length| length.try_into().ok()).map_or(0, u32::from_le_bytes) as usize;
    if (44..=bytes.len()).contains(&length) {
        let checksum = crc32c::crc32c(&bytes[..length - 4]);
        bytes[length - 4..length].copy_from_slice(&checksum.to_le_bytes());
    }
    bytes
}

pub(super) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.gte");
    for bytes in [bytes.to_vec(), mended(bytes)] {
        std::fs::write(&path, bytes).expect("a file");
        let Ok(table) = Table::open(&path) else { continue };
        let _ = table.check_blocks();
        let _ = table.verify(Tables::default(), 10);
        let Ok(tables) = Tables::open(&path) else { continue };
        for (kind, position) in [
            (GameKind::Chess, "8/8/8/8/8/2k5/2r5/K7 w - - 0 1"),
            (GameKind::Amazons, "w1x1/2x1/xxxx/1b1b w"),
            (GameKind::ConnectFour, "7/7/7/7/7/7 x"),
        ] {
            let game = kind.open(&Setup::position(position)).expect("a position");
            let _ = tables.probe(&*game);
        }
    }
}
