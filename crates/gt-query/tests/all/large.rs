//! A file larger than the memory it is queried with.

use gt_log::{Header, Log, LogWriter, Metadata, Schema};
use gt_query::engine::{self, Options};
use gt_query::{Answer, Environment, compile};

/// The most that the test may have had resident.
const RESIDENT_BYTES_MAX: u64 = 300 << 20;

/// Over 5 GiB of file, queried within 300 MB of memory. Takes a minute or two and the disk:
/// `cargo test --release -p gt-query-tests --test all large:: -- --ignored`.
#[test]
#[ignore = "writes 5 GB"]
fn a_file_larger_than_memory() {
    gt_log::record! { struct Noise { a: u64, b: u64, c: u64, d: u64, e: u32 } }
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
    // Groups of some leaves below the root, so that a subtree has something to count.
    let (mut nodes, mut zeros, mut groups) = (1_u64, 0_u64, 0_u64);
    tree.enter(0).unwrap();
    while log.bytes() < 5 << 30 {
        tree.enter(1).unwrap();
        let mut found = 0;
        for _ in 0..random() >> 58 {
            tree.enter(2).unwrap();
            let e = (random() >> 40) as u32 % 10;
            found += u64::from(e == 0);
            tree.leave(&Noise { a: random(), b: random(), c: random(), d: random(), e }).unwrap();
            nodes += 1;
        }
        tree.leave(&Noise { a: random(), b: random(), c: random(), d: random(), e: 1 }).unwrap();
        nodes += 1;
        zeros += found;
        groups += u64::from(found > 3);
    }
    tree.leave(&Noise { a: 0, b: 0, c: 0, d: 0, e: 1 }).unwrap();
    tree.finish().unwrap();
    let bytes = log.finish().unwrap();

    let log = Log::open(&path).unwrap();
    let queries =
        "node: count(e = 0)\n\nnode: count(*); subtree: count(e = 0) > 3\n\nnode: a & 1023 = 0 and e = 1";
    let program = compile(queries, &Environment::new(log.schema())).unwrap();
    let answers = engine::run(&program, log.tree(0).unwrap(), &Options::default()).unwrap().answers;
    // The root has more than three below it as well.
    assert_eq!(answers[..2], [Ok(Answer::Count(zeros)), Ok(Answer::Count(groups + 1))]);
    let resident = resident_bytes_max();
    println!("{bytes} bytes, {nodes} nodes, {} kB resident at most", resident / 1000);
    assert!(bytes > 5 << 30 && resident < RESIDENT_BYTES_MAX, "{resident} bytes were resident");
}

/// The most memory this process has had resident; 0 where the system does not tell.
fn resident_bytes_max() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}
