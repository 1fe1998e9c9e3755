//! Shapes at their extremes, and a file larger than the memory it is read with.

use gt_log::{Artificial, Column, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Shape, Walker};

#[test]
fn a_chain_of_a_million_nodes() {
    let log = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
    let chain = Artificial { shape: Shape::Chain, depth: 999_999, branching: 1, seed: 1 };
    assert_eq!(chain.write(&log, Options::default(), |_| {}).unwrap().nodes, 1_000_000);
    let bytes = log.into_memory().unwrap();
    // Cut off in the middle of the way back up, it is as long as before.
    let cut = Log::from_bytes(bytes[..bytes.len() / 2].to_vec()).unwrap();
    assert_eq!(cut.tree(0).unwrap().nodes(), 1_000_000);
    cut.tree(0).unwrap().verify(|_| {}).unwrap();
    let log = Log::from_bytes(bytes).unwrap();
    log.verify(|_| {}).unwrap();
    let mut walker = Walker::new(log.tree(0).unwrap());
    assert_eq!(walker.find(999_999).unwrap().line.len(), 999_999);
    assert_eq!(count_preorder(&log), 1_000_000);
}

#[test]
fn a_node_with_a_million_children() {
    let schema = Schema::new([("number", Kind::U32)]).unwrap();
    let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    for child in 0..1_000_000 {
        tree.enter(child).unwrap();
        tree.leave_values(&[gt_log::Value::Int(child)]).unwrap();
    }
    tree.leave_values(&[gt_log::Value::Int(0)]).unwrap();
    tree.finish().unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    log.verify(|_| {}).unwrap();
    let mut walker = Walker::new(log.tree(0).unwrap());
    let root = walker.root();
    assert_eq!(walker.children(root).unwrap().len(), 1_000_000);
    assert_eq!(walker.find(500_001).unwrap().line, [500_000]);
    assert_eq!(count_preorder(&log), 1_000_001);
}

fn count_preorder(log: &Log) -> u64 {
    let mut nodes = 0;
    log.tree(0)
        .unwrap()
        .preorder(&[Column::LastMove], |batch| {
            assert_eq!(batch.first_node, nodes);
            nodes += batch.len() as u64;
            Ok::<(), gt_log::Error>(())
        })
        .unwrap();
    nodes
}

/// Over 4 GiB of file, written and verified in 100 MB of memory. Takes a minute or two and the disk:
/// `cargo test --release -p gt-log-tests --test all large:: -- --ignored`.
#[test]
#[ignore = "writes 5 GB"]
fn a_file_larger_than_4_gib() {
    gt_log::record! { struct Noise { a: u64, b: u64, c: u64, d: u64, e: u64 } }
    let folder = tempfile::tempdir_in(
        std::env::var("GT_LARGE_DIR").unwrap_or_else(|_| env!("CARGO_TARGET_TMPDIR").into()),
    )
    .unwrap();
    let path = folder.path().join("large.gtf");
    let log = LogWriter::create(&path, Header::new("noise", Schema::of::<Noise>().unwrap())).unwrap();
    let mut tree = log.tree::<Noise>(&Metadata::new()).unwrap();
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    tree.enter(0).unwrap();
    let mut nodes = 1_u64;
    while log.bytes() < 5 << 30 {
        tree.enter((random() >> 52) as i64).unwrap();
        let noise = Noise { a: random(), b: random(), c: random(), d: random(), e: random() };
        tree.leave(&noise).unwrap();
        nodes += 1;
    }
    tree.leave(&Noise { a: 0, b: 0, c: 0, d: 0, e: 0 }).unwrap();
    tree.finish().unwrap();
    let bytes = log.finish().unwrap();
    let log = Log::open(&path).unwrap();
    let verified = log.verify(|_| {}).unwrap();
    assert_eq!(verified[0].nodes, nodes);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("peak not known").to_owned();
    println!("{bytes} bytes, {nodes} nodes, {peak}");
}
