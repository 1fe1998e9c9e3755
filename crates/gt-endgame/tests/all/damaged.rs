//! Tables that were cut, changed or made for something else: refused with a sentence, never read as another value.

use gt_endgame::chess::{Solved, build};
use gt_endgame::{Table, Tables};
use gt_games::chess::Board;
use gt_search::Ending;
use std::path::Path;
use std::sync::{Arc, OnceLock};

fn solved() -> &'static Solved {
    static SOLVED: OnceLock<Arc<Solved>> = OnceLock::new();
    SOLVED.get_or_init(|| build("KQK".parse().unwrap(), |_| ()).unwrap())
}

fn bytes() -> Vec<u8> {
    let mut bytes = Vec::new();
    solved().write(&mut bytes).unwrap();
    bytes
}

/// Where the head ends, as it says itself.
fn head_length(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
}

fn open(path: &Path, bytes: &[u8]) -> Result<Tables, String> {
    std::fs::write(path, bytes).unwrap();
    Tables::open(path).map_err(|error| error.to_string())
}

/// Some positions, with their values.
fn samples() -> Vec<(Board, Ending)> {
    [
        ("8/8/8/8/8/1k6/1q6/K7 w - - 0 1", Ending::Loss { plies: 0 }),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", Ending::Win { plies: 1 }),
        ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", Ending::Draw),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", Ending::Loss { plies: 18 }),
    ]
    .map(|(fen, ending)| (fen.parse().unwrap(), ending))
    .to_vec()
}

#[test]
fn samples_have_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let tables = open(&folder.path().join("kqk.gte"), &bytes()).unwrap();
    for (board, ending) in samples() {
        assert_eq!(tables.chess.probe(&board).unwrap(), Some(ending), "{board}");
    }
}

#[test]
fn every_byte_of_the_head_matters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kqk.gte");
    let whole = bytes();
    for at in 0..head_length(&whole) {
        for flip in [0x01, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= flip;
            let error = open(&path, &changed).err();
            assert!(error.is_some_and(|error| error.contains("kqk.gte: ")), "byte {at} with {flip:#x}");
        }
    }
}

#[test]
fn a_changed_block_is_refused_and_gives_no_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kqk.gte");
    let whole = bytes();
    let start = head_length(&whole);
    let mut refused = 0;
    for at in (start..whole.len()).step_by(61) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        let tables = open(&path, &changed).unwrap();
        for (board, ending) in samples() {
            match tables.chess.probe(&board) {
                Ok(found) => assert_eq!(found, Some(ending), "byte {at}, {board}"),
                Err(error) => {
                    let error = error.to_string();
                    let begins = format!("{}: block ", path.display());
                    assert!(error.starts_with(&begins) && error.contains("is damaged"), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(Table::open(&path).unwrap().check_blocks().is_err(), "byte {at}");
    }
    assert!(refused > 0, "no sample lies in a block that was changed");
}

#[test]
fn a_table_that_is_cut_or_goes_on_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kqk.gte");
    let whole = bytes();
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        assert!(open(&path, &whole[..length]).is_err(), "{length} bytes of {}", whole.len());
    }
    let more = [whole.as_slice(), b"x"].concat();
    assert!(open(&path, &more).unwrap_err().ends_with("1 bytes follow the end of this table"));
}

/// Changes the head as somebody would who knows how to mend its checksum.
fn with_head(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = bytes();
    let length = head_length(&bytes);
    let blocks = bytes.split_off(length);
    bytes.truncate(length - 4);
    change(&mut bytes);
    bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
    bytes.extend(blocks);
    bytes
}

fn replaced(from: &str, to: &str) -> Vec<u8> {
    with_head(|head| {
        let at = head.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        head.splice(at..at + from.len(), to.bytes());
    })
}

#[test]
fn other_versions_materials_and_games_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.gte");
    let refuse = |bytes: &[u8], sentence: &str| {
        let error = open(&path, bytes).err().unwrap_or_default();
        assert!(error.contains(sentence), "{error}: {sentence}");
    };
    refuse(&with_head(|head| head[8] = 2), "this table is of version 2.0; this GT-Tools reads version 1");
    refuse(&replaced("material=KQK", "material=KPK"), "this table of KPK is of the wrong size");
    refuse(&replaced("material=KQK", "material=QQQ"), "`QQQ`, which is no ending");
    refuse(&replaced("game=chess", "game=chase"), "this table is of `chase`");
    refuse(b"1. e4 e5\n", "this is no table of endgames");
    refuse(b"", "this is no table of endgames");
    assert!(Tables::open(&folder.path().join("none.gte")).unwrap_err().to_string().contains("none.gte: "));
    std::fs::remove_file(&path).unwrap();
    assert!(Tables::open(folder.path()).unwrap_err().to_string().contains("the folder has no table"));
}
