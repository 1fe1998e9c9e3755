//! Files that nobody would write by accident, with every checksum right: refused with a sentence, in bounded memory and time.

use crate::support::{Model, small};
use gt_log::{Error, Header, IndexState, Kind, Limits, Log, LogWriter, Metadata, Options, Schema, Value};

/// Where the frames of a log start.
fn frames(bytes: &[u8]) -> Vec<usize> {
    let mut offset = 32 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    let mut starts = Vec::new();
    while bytes[offset..].starts_with(b"GTfr") {
        starts.push(offset);
        offset += frame_bytes(bytes, offset);
    }
    starts
}

fn frame_bytes(bytes: &[u8], offset: usize) -> usize {
    let head = u32::from_le_bytes(bytes[offset + 12..offset + 16].try_into().unwrap()) as usize;
    let body = u64::from_le_bytes(bytes[offset + 16..offset + 24].try_into().unwrap()) as usize;
    32 + head + body
}

fn frame(kind: u8, tree: u32, head: &[u8], body: &[u8]) -> Vec<u8> {
    let mut bytes = b"GTfr".to_vec();
    bytes.extend_from_slice(&[kind, 0, 0, 0]);
    bytes.extend_from_slice(&tree.to_le_bytes());
    bytes.extend_from_slice(&(head.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(head).to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(&bytes).to_le_bytes());
    [&bytes, head, body].concat()
}

fn unsigned(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// Closes a log with an index of these frames, whatever stands in the file.
fn with_index(mut bytes: Vec<u8>, listed: &[usize]) -> Vec<u8> {
    let mut index = Vec::new();
    for &start in listed {
        let head = u32::from_le_bytes(bytes[start + 12..start + 16].try_into().unwrap()) as usize;
        let tree = u32::from_le_bytes(bytes[start + 8..start + 12].try_into().unwrap());
        index.push(bytes[start + 4]);
        let body = u64::from_le_bytes(bytes[start + 16..start + 24].try_into().unwrap());
        for number in [u64::from(tree), start as u64, body, head as u64] {
            index.extend(unsigned(number));
        }
        index.extend_from_slice(&bytes[start + 32..start + 32 + head]);
    }
    let offset = bytes.len() as u64;
    bytes.extend(frame(4, 0, &[], &index));
    let mut trailer = offset.to_le_bytes().to_vec();
    trailer.extend_from_slice(&crc32c::crc32c(&index).to_le_bytes());
    trailer.extend_from_slice(&crc32c::crc32c(&trailer).to_le_bytes());
    trailer.extend_from_slice(b"GTF end\n");
    bytes.extend(trailer);
    bytes
}

/// A log without its index, and its frames.
fn open_ended(bytes: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut starts = frames(bytes);
    let index = starts.pop().unwrap();
    (bytes[..index].to_vec(), starts)
}

fn two_trees() -> Vec<u8> {
    let log = LogWriter::to_memory(small().header()).unwrap();
    small().write_into(&log, 100);
    small().write_into(&log, 100);
    log.into_memory().unwrap()
}

#[test]
fn an_index_that_hides_a_tree_is_found() {
    let (bytes, starts) = open_ended(&two_trees());
    Log::from_bytes(with_index(bytes.clone(), &starts)).unwrap().verify(|_| {}).unwrap();
    let hidden: Vec<usize> = starts.iter().copied().filter(|&start| bytes[start + 8] == 0).collect();
    assert_eq!(hidden.len(), 3);
    let log = Log::from_bytes(with_index(bytes, &hidden)).unwrap();
    assert_eq!((log.tree_count(), log.condition().index), (1, IndexState::Present));
    let error = log.verify(|_| {}).unwrap_err().to_string();
    assert!(error.contains("do not agree"), "{error}");
}

/// An index can list the frame of another tree in a tree's place, or the same frames in another order.
#[test]
fn an_index_that_swaps_trees_is_found() {
    let log = LogWriter::to_memory(small().header()).unwrap();
    small().write_into(&log, 100);
    let mut other = small();
    other.nodes[3].last_move = 77;
    other.write_into(&log, 100);
    let (bytes, starts) = open_ended(&log.into_memory().unwrap());
    // Begin, block, end of each tree: the blocks change places.
    let mut index_bytes = bytes.clone();
    for (a, b) in [(1, 4), (4, 1)] {
        index_bytes[starts[a] + 8..starts[a] + 12].copy_from_slice(&(u32::from(b < a)).to_le_bytes());
    }
    let order = [starts[0], starts[4], starts[2], starts[3], starts[1], starts[5]];
    let mut index_only = with_index(index_bytes, &order);
    index_only[..bytes.len()].copy_from_slice(&bytes);
    let log = Log::from_bytes(index_only).unwrap();
    let verified = log.verify(|_| {});
    assert!(verified.is_err(), "tree 0 has node {:?}", Model::read(log.tree(0).unwrap()).unwrap().nodes[3]);
}

/// A part of a kind that this version does not know is passed over.
#[test]
fn parts_of_a_newer_version_are_passed_over() {
    let (bytes, starts) = open_ended(&small().to_bytes(3));
    let mut newer = bytes[..starts[1]].to_vec();
    newer.extend(frame(77, 0, b"what is to come", b"and its body"));
    newer.extend_from_slice(&bytes[starts[1]..]);
    newer[10] = 9; // A minor version of the future.
    let checksum = crc32c::crc32c(&newer[..28]);
    newer[28..32].copy_from_slice(&checksum.to_le_bytes());
    let listed = frames(&[&newer[..], &[0; 4]].concat());
    for bytes in [newer.clone(), with_index(newer, &listed)] {
        let log = Log::from_bytes(bytes).unwrap();
        assert_eq!(log.condition().parts_lost, 0);
        small().assert_same(&Model::read(log.tree(0).unwrap()).unwrap());
    }
}

/// The one block of a log with one text attribute, all of whose columns but that are constant.
fn block_head(rows: u64, text: (u64, Option<u64>, u32)) -> Vec<u8> {
    let mut head = Vec::new();
    for number in [0, rows, rows, 0, 0, 0, 0] {
        head.extend(unsigned(number));
    }
    for constant in [2_u8, 0, 0, 0] {
        head.extend([constant, 0, 0]); // least (folded), range, no stored bytes
    }
    let (stored, raw, checksum) = text;
    head.extend([0, 0]);
    head.extend(unsigned(stored << 1 | u64::from(raw.is_some())));
    raw.into_iter().for_each(|raw| head.extend(unsigned(raw)));
    head.extend(checksum.to_le_bytes());
    head
}

fn text_log(head: &[u8], body: &[u8]) -> Vec<u8> {
    let schema = Schema::new([("t", Kind::Text)]).unwrap();
    let log = LogWriter::to_memory(Header::new("bomb", schema)).unwrap().into_memory().unwrap();
    let (mut bytes, _) = open_ended(&log);
    bytes.extend(frame(1, 0, &[0], &[]));
    bytes.extend(frame(2, 0, head, body));
    bytes
}

/// Few bytes that decompress to a dictionary of a quarter of a billion empty texts.
#[test]
fn a_dictionary_is_no_larger_than_its_rows_allow() {
    for entries in [1_u64 << 24, 1 << 27] {
        let mut raw = unsigned(entries);
        raw.resize(raw.len() + entries as usize, 0);
        raw.extend([5, 0]);
        let body = zstd::bulk::compress(&raw, 3).unwrap();
        let text = (body.len() as u64, Some(raw.len() as u64), crc32c::crc32c(&body));
        let bytes = text_log(&block_head(1, text), &body);
        assert!(bytes.len() < 20_000);
        let log = Log::from_bytes(bytes).unwrap();
        let error = log.tree(0).unwrap().verify(|_| {}).unwrap_err();
        match entries {
            27.. if matches!(error, Error::TooLarge { .. }) => {}
            _ => assert!(matches!(error, Error::Damaged { .. } | Error::TooLarge { .. }), "{error}"),
        }
    }
}

/// A log of one node whose attributes have these runs.
fn log_of_runs(runs: &[Vec<u8>]) -> Log {
    let names: Vec<String> = (0..runs.len()).map(|number| format!("a{number}")).collect();
    let schema = Schema::new(names.iter().map(|name| (name.as_str(), Kind::I64))).unwrap();
    let log = LogWriter::to_memory(Header::new("runs", schema)).unwrap().into_memory().unwrap();
    let (mut bytes, _) = open_ended(&log);
    let mut head = Vec::new();
    for number in [0, 1, 1, 0, 0, 0, 0] {
        head.extend(unsigned(number));
    }
    for constant in [2_u8, 0, 0, 0] {
        head.extend([constant, 0, 0]);
    }
    for run in runs {
        head.extend([0, 0]);
        head.extend(unsigned((run.len() as u64) << 1));
        head.extend(crc32c::crc32c(run).to_le_bytes());
    }
    bytes.extend(frame(1, 0, &[0], &[]));
    bytes.extend(frame(2, 0, &head, &runs.concat()));
    Log::from_bytes(bytes).unwrap()
}

/// The run of one integer, 7, with this transform, grouped by the column of this number.
fn grouped_run(transform: &[u8], key: u64) -> Vec<u8> {
    [transform, &[5], &unsigned(key + 1), &[0, 0], &[2, 0, 0, 7]].concat()
}

/// Columns can need each other to be decoded: in a circle, or so that each doubles the work of the one before.
#[test]
fn columns_that_need_each_other_are_refused() {
    let plain: &[u8] = &[0];
    let sound = log_of_runs(&[grouped_run(plain, 5), vec![0, 2, 0, 0, 3]]);
    assert_eq!(sound.tree(0).unwrap().decode(0, gt_log::Column::Attribute(0)).unwrap().get(0), 7);
    let relative = |to: u64| [&[3][..], &unsigned(to)].concat();
    let doubling = (0..60).map(|number| grouped_run(&relative(3 + number), 3 + number)).collect();
    let cases: [Vec<Vec<u8>>; 5] = [
        vec![grouped_run(plain, 4)],
        vec![grouped_run(plain, 5), grouped_run(plain, 4)],
        vec![grouped_run(plain, 5), [&relative(4)[..], &[2, 0, 0, 7]].concat()],
        vec![grouped_run(plain, 99)],
        doubling,
    ];
    for (case, runs) in cases.into_iter().enumerate() {
        let log = log_of_runs(&runs);
        let error = log.tree(0).unwrap().decode(0, gt_log::Column::Attribute(runs.len() - 1)).err().unwrap();
        assert!(matches!(error, Error::Damaged { .. }), "case {case}: {error}");
    }
}

#[test]
fn a_limit_can_be_set_and_names_itself() {
    let model = crate::support::small();
    let limits = Limits { part_bytes_max: 8, ..Limits::default() };
    let error = Log::from_bytes_with(model.to_bytes(100), limits).err().unwrap();
    assert!(error.to_string().contains("raise its limit"), "{error}");
}

/// A sound trailer that claims everything between for an index: zeros are no entries, however many there are.
#[test]
fn an_index_takes_memory_for_what_it_lists() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse.gtf");
    let (bytes, _) = open_ended(&small().to_bytes(100));
    std::fs::write(&path, &bytes).unwrap();
    let length = 1_u64 << 28; // As long as a scan for frames is quick; a terabyte is refused at the same place.
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(length).unwrap();
    let mut trailer = (bytes.len() as u64).to_le_bytes().to_vec();
    trailer.extend_from_slice(&7_u32.to_le_bytes());
    trailer.extend_from_slice(&crc32c::crc32c(&trailer).to_le_bytes());
    trailer.extend_from_slice(b"GTF end\n");
    std::io::Write::write_all(&mut std::fs::OpenOptions::new().append(true).open(&path).unwrap(), &trailer)
        .unwrap();
    let log = Log::open(&path).unwrap();
    assert_eq!(log.condition().index, IndexState::Damaged);
    assert_eq!(log.tree(0).unwrap().nodes(), 9);
}

/// Sound frame headers every 32 bytes, each claiming the rest of the file for a head whose checksum is wrong.
#[test]
fn frames_that_claim_the_rest_of_the_file_do_not_add_up() {
    let (mut bytes, _) = open_ended(&small().to_bytes(100));
    let (start, count) = (bytes.len(), 60_000);
    let end = start + 32 * count;
    while bytes.len() < end {
        let mut header = b"GTfr".to_vec();
        header.extend_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0]);
        header.extend_from_slice(&((end - bytes.len() - 32) as u32).to_le_bytes());
        header.extend_from_slice(&0_u64.to_le_bytes());
        header.extend_from_slice(&0xdead_beef_u32.to_le_bytes());
        header.extend_from_slice(&crc32c::crc32c(&header).to_le_bytes());
        bytes.extend(header);
    }
    // Read whole for each of them, these would be 57 gigabytes.
    let log = Log::from_bytes(bytes).unwrap();
    assert_eq!(log.tree(0).unwrap().nodes(), 9);
    assert!(log.condition().bytes_lost > 0);
}

/// Metadata at the end of a tree replaces that of its start: also where there is much of both.
#[test]
fn much_metadata_is_merged_in_one_go() {
    let schema = Schema::new([("a", Kind::I8)]).unwrap();
    let log = LogWriter::to_memory(Header::new("test", schema)).unwrap();
    let pairs =
        |step: usize| (0..6_000).map(move |key| (format!("{}", key * step), key)).collect::<Metadata>();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    tree.leave_values(&[Value::Int(1)]).unwrap();
    drop(tree);
    let (bytes, starts) = open_ended(&log.into_memory().unwrap());
    let text = |metadata: &Metadata| {
        let mut out = unsigned(metadata.iter().count() as u64);
        for (key, value) in metadata.iter() {
            for text in [key, value] {
                out.extend(unsigned(text.len() as u64));
                out.extend_from_slice(text.as_bytes());
            }
        }
        out
    };
    let many = |step| text(&pairs(step));
    let mut crafted = bytes[..starts[0]].to_vec();
    crafted.extend(frame(1, 0, &many(1), &[]));
    crafted.extend_from_slice(&bytes[starts[1]..starts[2]]);
    crafted.extend(frame(3, 0, &[unsigned(1), many(2)].concat(), &[]));
    let log = Log::from_bytes(crafted).unwrap();
    assert_eq!(log.tree(0).unwrap().metadata().get("2"), Some("1"));
    assert_eq!(log.tree(0).unwrap().metadata().get("3"), Some("3"));
}
