//! Files that were cut off or had bits flipped, some with corrected checksums; disks that fill up.
//!
//! The parts of a file are found by `docs/format.md`, without any code of gt-log.

use std::io::Write;
use std::ops::Range;

use gt_log::{Error, Header, Log, LogWriter};
use gt_query::engine;
use gt_query::{Environment, compile};

use crate::check::{self, Asked, QUESTIONS, Thoroughness};
use crate::run::Shared;

/// A frame of a file.
#[derive(Clone, Debug)]
pub struct FrameAt {
    /// The start of its header.
    pub start: usize,
    /// Its kind.
    pub kind: u8,
    /// The range of its head.
    pub head: Range<usize>,
    /// The range of its body.
    pub body: Range<usize>,
}

/// Returns the frames of a complete log.
#[must_use]
pub fn frames(bytes: &[u8]) -> Vec<FrameAt> {
    let number = |range: Range<usize>| {
        let mut wide = [0; 8];
        wide[..range.len()].copy_from_slice(&bytes[range]);
        u64::from_le_bytes(wide) as usize
    };
    let mut start = 32 + number(16..24);
    let mut found = Vec::new();
    while bytes[start..].starts_with(b"GTfr") {
        let head = start + 32..start + 32 + number(start + 12..start + 16);
        let body = head.end..head.end + number(start + 16..start + 24);
        start = body.end;
        found.push(FrameAt { start: head.start - 32, kind: bytes[head.start - 28], head, body });
    }
    found
}

/// Changes one byte of a part and corrects every checksum above it, in the index too. `None` if the place is in no
/// part.
#[must_use]
pub fn mended(bytes: &[u8], place: usize, change: u8, columns: usize) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let frames = frames(&bytes);
    let (index, parts) = frames.split_last()?;
    let frame = parts.iter().find(|frame| frame.head.contains(&place) || frame.body.contains(&place))?;
    bytes[place] ^= change;
    if frame.body.contains(&place) {
        let checksum = checksum_place(&bytes[frame.head.clone()], columns, place - frame.body.start)?;
        let column = checksum.column.start + frame.body.start..checksum.column.end + frame.body.start;
        let sum = crc32c::crc32c(&bytes[column]).to_le_bytes();
        let at = frame.head.start + checksum.at;
        bytes[at..at + 4].copy_from_slice(&sum);
    }
    let sum = crc32c::crc32c(&bytes[frame.head.clone()]).to_le_bytes();
    bytes[frame.start + 24..frame.start + 28].copy_from_slice(&sum);
    let sum = crc32c::crc32c(&bytes[frame.start..frame.start + 28]).to_le_bytes();
    bytes[frame.start + 28..frame.start + 32].copy_from_slice(&sum);
    bytes.truncate(index.start);
    Some(with_index(bytes, parts))
}

/// Closes a log with an index of these frames.
fn with_index(mut bytes: Vec<u8>, parts: &[FrameAt]) -> Vec<u8> {
    let mut index = Vec::new();
    for part in parts {
        let tree = u32::from_le_bytes(bytes[part.start + 8..part.start + 12].try_into().unwrap_or_default());
        index.push(part.kind);
        for number in [tree as usize, part.start, part.body.len(), part.head.len()] {
            put_unsigned(&mut index, number as u64);
        }
        index.extend_from_slice(&bytes[part.head.clone()]);
    }
    let offset = bytes.len() as u64;
    let mut header = b"GTfr\x04\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    header.extend_from_slice(&(index.len() as u64).to_le_bytes());
    header.extend_from_slice(&crc32c::crc32c(&[]).to_le_bytes());
    header.extend_from_slice(&crc32c::crc32c(&header).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&index);
    let mut trailer = offset.to_le_bytes().to_vec();
    trailer.extend_from_slice(&crc32c::crc32c(&index).to_le_bytes());
    trailer.extend_from_slice(&crc32c::crc32c(&trailer).to_le_bytes());
    trailer.extend_from_slice(b"GTF end\n");
    bytes.extend_from_slice(&trailer);
    bytes
}

/// The place of a column's checksum in the head of a block, and the column's range in the body.
struct Checksum {
    at: usize,
    column: Range<usize>,
}

/// The checksum of the column that contains this byte of the body.
fn checksum_place(head: &[u8], columns: usize, byte: usize) -> Option<Checksum> {
    let mut at = 0;
    let numbers: Vec<u64> = (0..7).map(|_| unsigned(head, &mut at)).collect::<Option<_>>()?;
    for _ in 0..2 * numbers[6] {
        unsigned(head, &mut at)?;
    }
    let mut start = 0;
    for _ in 0..columns {
        unsigned(head, &mut at)?;
        unsigned(head, &mut at)?;
        let length = unsigned(head, &mut at)?;
        if length & 1 == 1 {
            unsigned(head, &mut at)?;
        }
        let stored = (length >> 1) as usize;
        if stored == 0 {
            continue;
        }
        if (start..start + stored).contains(&byte) {
            return Some(Checksum { at, column: start..start + stored });
        }
        start += stored;
        at += 4;
    }
    None
}

fn unsigned(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn put_unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Checks that everything flushed before a cut is present, in sound trees, answered correctly and recovered.
///
/// # Errors
/// Returns what is violated.
pub fn check_cut(whole: &[u8], cut: usize) -> Result<Asked, String> {
    let mut asked = Asked::default();
    match Log::from_bytes(whole[..cut].to_vec()) {
        Err(Error::NotALog | Error::HeaderCut) => {}
        Err(error) => return Err(format!("cut at {cut}: {error}")),
        Ok(log) => check_consistent(&log, &mut asked)?,
    }
    Ok(asked)
}

/// Checks that `verify` detects a flipped bit, and that it changes no answer of a log that claims to be
/// whole.
///
/// # Errors
/// Returns what is violated.
pub fn check_flip(whole: &[u8], bit: usize) -> Result<(), String> {
    let mut flipped = whole.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    let Ok(log) = Log::from_bytes(flipped) else { return Ok(()) };
    if log.verify(|_| {}).is_ok() {
        return Err(format!("bit {bit} was flipped and nobody noticed"));
    }
    let sound = Log::from_bytes(whole.to_vec()).map_err(|error| error.to_string())?;
    if !log.condition().is_whole() || log.tree_count() != sound.tree_count() {
        return Ok(());
    }
    // A flipped header is detected by its checksum: the remaining headers must be equal.
    if log.header() != sound.header() {
        return Ok(());
    }
    let options = engine::Options::default();
    for (tree, sound) in log.trees().zip(sound.trees()) {
        // One question at a time: each reads other columns, and damage in one must not hide another's answer.
        for question in QUESTIONS.split("\n\n").filter(|question| !question.trim().is_empty()) {
            let Ok(program) = compile(question, &Environment::new(sound.schema())) else {
                return Err(format!("the question is for another schema: {question}"));
            };
            let Ok(found) = engine::run(&program, tree, &options) else { continue };
            let expected = engine::run(&program, sound, &options).map_err(|error| error.to_string())?;
            let what = format!("{question} with bit {bit} flipped");
            check::same(&what, found.answers, expected.answers)?;
        }
    }
    Ok(())
}

/// Checks a log whose checksums are right: if it verifies, all readers agree about it; in any case no reader crashes,
/// and a recovered log verifies.
///
/// # Errors
/// Returns what is violated.
pub fn check_mended(bytes: Vec<u8>) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let Ok(log) = Log::from_bytes(bytes) else { return Ok(asked) };
    if log.verify(|_| {}).is_ok() {
        check_consistent(&log, &mut asked)?;
        return Ok(asked);
    }
    for tree in log.trees() {
        let _ = check::read_nodes(tree);
        let Ok(program) = compile(QUESTIONS, &Environment::new(tree.schema())) else { continue };
        let _ = engine::run(&program, tree, &engine::Options::default());
    }
    check_recovery(&log)?;
    Ok(asked)
}

/// Checks that all readers agree about the trees of a log, and that recovery makes a whole log of them.
///
/// # Errors
/// Returns an error if they do not.
pub fn check_consistent(log: &Log, asked: &mut Asked) -> Result<(), String> {
    for tree in log.trees() {
        let nodes = check::read_nodes(tree)?;
        check::one_tree(tree, &nodes, &[], Thoroughness::Quick, asked)
            .map_err(|what| format!("tree {}: {what}", tree.number()))?;
    }
    check_recovery(log)
}

fn check_recovery(log: &Log) -> Result<(), String> {
    let file = Shared::default();
    match gt_log::recover(log, file.clone(), |_| {}) {
        Ok(_) => {}
        Err(Error::NewerPart { .. } | Error::TooLarge { .. }) => return Ok(()),
        Err(error) => return Err(format!("recovery: {error}")),
    }
    let saved = Log::from_bytes(file.bytes()).map_err(|error| format!("what was recovered: {error}"))?;
    saved.verify(|_| {}).map_err(|error| format!("what was recovered does not verify: {error}"))?;
    Ok(())
}

/// A disk that accepts this many bytes and no more.
pub struct SmallDisk {
    file: Shared,
    left: usize,
}

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(self.left);
        if count == 0 && !bytes.is_empty() {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        self.left -= count;
        self.file.write(&bytes[..count])
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Logs a tree to a disk that fills up, and checks that the engine gets an error and what was written is
/// readable.
///
/// # Errors
/// Returns what is violated.
pub fn check_full_disk(disk_bytes: usize, nodes: usize, background: bool) -> Result<Asked, String> {
    let file = Shared::default();
    let header = Header::new("small disk", crate::session::schema());
    let told = fill(SmallDisk { file: file.clone(), left: disk_bytes }, header, nodes, background);
    let bytes = file.bytes();
    let mut asked = Asked::default();
    match Log::from_bytes(bytes.clone()) {
        Err(Error::NotALog | Error::HeaderCut) => {}
        Err(error) => return Err(error.to_string()),
        Ok(log) => {
            if !told && !log.condition().is_whole() {
                return Err(format!("after {disk_bytes} bytes the disk was full and nobody was told"));
            }
            check_consistent(&log, &mut asked)?;
        }
    }
    Ok(asked)
}

/// Logs a bush of this many nodes, and returns whether an error was reported.
fn fill(disk: SmallDisk, header: Header, nodes: usize, background: bool) -> bool {
    let values = vec![gt_log::Value::Missing; header.schema.attributes().len()];
    let Ok(log) = LogWriter::to_writer(disk, header) else { return true };
    let flush = gt_log::Flush { nodes_max: 50, time_ms_max: None };
    let options = gt_log::Options { flush, ..gt_log::Options::default() };
    let Ok(tree) = log.dynamic_tree(&gt_log::Metadata::new(), options) else { return true };
    let mut tree = tree.background(background);
    let mut told = false;
    let mut open = 0;
    for node in 0..nodes {
        told |= tree.enter(node as i64 * 7919).is_err();
        open += 1;
        while open > 1 + node % 6 {
            told |= tree.leave_values(&values).is_err();
            open -= 1;
        }
    }
    while open > 0 {
        told |= tree.leave_values(&values).is_err();
        open -= 1;
    }
    told |= tree.finish().is_err();
    told | log.finish().is_err()
}
