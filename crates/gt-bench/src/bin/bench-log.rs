//! `make bench-log`: what logging costs, how fast it is read, how small it is.

#[path = "bench-log/from_c.rs"]
mod from_c;
#[path = "bench-log/recorder.rs"]
mod recorder;

use std::ffi::CString;
use std::hint::black_box;
use std::path::Path;

use gt_bench::{best_of, resident_bytes_max, row};
use gt_log::{Artificial, Column, Decoded, Header, Log, LogWriter, Metadata, Options, Schema, Shape};

gt_log::record! {
    /// Six integers, as an alpha-beta engine would log them.
    #[derive(Clone, Copy)]
    struct Node {
        ply: i32,
        depth: i32,
        alpha: i32,
        beta: i32,
        best: i32,
        kind: i32,
    }
}

const NODES: usize = 10_000_000;

/// A search as it looks from outside: a stream of enters and leaves with plausible values.
fn search(events: &mut impl FnMut(Option<(i64, bool)>, Node), nodes: usize) {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let mut depth = 0_i32;
    let mut entered = 0;
    let mut alpha = 0;
    while entered < nodes || depth > 0 {
        let random = random();
        if depth > 0 && (entered >= nodes || depth > 12 || random & 3 < 2 && depth > 1) {
            depth -= 1;
            let kind = 1 << (random >> 5 & 3);
            let node = Node {
                ply: depth,
                depth: 8 - depth,
                alpha,
                beta: alpha + 1,
                best: (random >> 8 & 1023) as i32,
                kind,
            };
            events(None, node);
        } else {
            if random & 0x3f00 == 0 {
                alpha = (random >> 20) as i32;
            }
            events(Some((i64::from(random >> 4 & 4095), true)), BLANK);
            depth += 1;
            entered += 1;
        }
    }
}

const BLANK: Node = Node { ply: 0, depth: 0, alpha: 0, beta: 0, best: 0, kind: 0 };

fn main() -> gt_log::Result<()> {
    let folder = tempfile::tempdir()?;
    println!("writing {NODES} nodes with 6 integers each, one core");
    writing(folder.path())?;
    println!("\nlogging {NODES} nodes of a search of ours, cost to the searching thread");
    recorder::run(folder.path())?;
    println!("\nlogging {NODES} nodes from C, cost to the searching thread");
    from_c::run(folder.path());
    println!("\nreading");
    reading(folder.path())?;
    println!("\ntrees of the engine Fruit 2.1, 7 attributes a node");
    fruit(folder.path())
}

/// The size of real trees against the Parquet files they come as; skipped where those are not there.
fn fruit(folder: &Path) -> gt_log::Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fruit");
    if !data.is_dir() {
        println!("  skipped: there is no {}", data.display());
        return Ok(());
    }
    let (mut parquet, mut light, mut small, mut nodes) = (0, 0, 0, 0);
    for name in ["pos15_d8", "pos16_d2", "pos17_d6", "pos19_d5"] {
        let source = data.join(name).with_extension("parquet");
        let (target, compacted) = (folder.join("fruit.gtf"), folder.join("small.gtf"));
        let options = gt_convert::ImportOptions { existing: gt_log::Existing::Replace, ..Default::default() };
        let report = gt_convert::import(&source, None, &options, &target, &mut gt_convert::unwatched)
            .map_err(|error| gt_log::Error::Io(std::io::Error::other(error.to_string())))?;
        gt_log::compact(
            &Log::open(&target)?,
            std::fs::File::create(&compacted)?,
            gt_log::COMPACT_LEVEL,
            |_| {},
        )?;
        nodes += report.nodes;
        parquet += std::fs::metadata(&source)?.len();
        light += std::fs::metadata(&target)?.len();
        small += std::fs::metadata(&compacted)?.len();
    }
    let per_node = |bytes: u64| format!("{:.2} bytes/node", bytes as f64 / nodes as f64);
    let share = |bytes: u64| format!("{:.0}% of Parquet", 100.0 * bytes as f64 / parquet as f64);
    row("Parquet, zstd level 9", &per_node(parquet), &format!("{nodes} nodes"));
    row("light encodings", &per_node(light), &format!("{}; at most 100%; at most 3.6", share(light)));
    row("after `gt compact`", &per_node(small), &format!("{}; at most 65%; at most 2.4", share(small)));
    Ok(())
}

fn writing(folder: &Path) -> gt_log::Result<()> {
    let (idle, _) = best_of(3, || {
        let mut sum = 0_i64;
        search(&mut |enter, node| sum += enter.map_or(i64::from(node.best), |e| e.0), NODES);
        black_box(sum)
    });
    let path = folder.join("search.gtf");
    let (logged, _) = best_of(3, || log_search(&path));
    let records = folder.join("records.bin");
    let (written, _) = best_of(3, || fwrite_search(&records));
    let nanoseconds = |seconds: f64| (seconds - idle) * 1e9 / NODES as f64;
    let bytes = std::fs::metadata(&path)?.len() as f64 / NODES as f64;
    row(
        "the log, encoding and file included",
        &format!("{:.1} ns/node", nanoseconds(logged)),
        "at most 60 ns",
    );
    row("fwrite of the same 36-byte records", &format!("{:.1} ns/node", nanoseconds(written)), "");
    row("ratio", &format!("{:.2}", nanoseconds(logged) / nanoseconds(written)), "at most 2");
    row("size", &format!("{bytes:.2} bytes/node"), "36 as records");
    Ok(())
}

fn log_search(path: &Path) -> gt_log::Result<u64> {
    let log =
        LogWriter::create_with(path, Header::new("bench", Schema::of::<Node>()?), gt_log::Existing::Replace)?;
    let mut tree = log.tree::<Node>(&Metadata::new())?;
    let mut failures = 0;
    search(
        &mut |enter, node| match enter {
            Some((last_move, _)) => failures += u64::from(tree.enter(last_move).is_err()),
            None => failures += u64::from(tree.leave(&node).is_err()),
        },
        NODES,
    );
    tree.finish()?;
    log.finish()?;
    assert_eq!(failures, 0);
    Ok(failures)
}

/// The same through C's buffered output: a 36-byte record for each node (move, size and six attributes).
fn fwrite_search(path: &Path) {
    let name = CString::new(path.to_str().expect("a path of this program")).expect("no NUL in it");
    // SAFETY: both arguments are C strings that live during the call.
    let file = unsafe { libc::fopen(name.as_ptr(), c"wb".as_ptr()) };
    assert!(!file.is_null());
    let mut open: Vec<(i64, u32)> = Vec::new();
    let mut rows = 0_u32;
    search(
        &mut |enter, node| match enter {
            Some((last_move, _)) => open.push((last_move, rows)),
            None => {
                let (last_move, start) = open.pop().expect("nested");
                rows += 1;
                let record: [i32; 9] = [
                    last_move as i32,
                    (last_move >> 32) as i32,
                    (rows - start) as i32,
                    node.ply,
                    node.depth,
                    node.alpha,
                    node.beta,
                    node.best,
                    node.kind,
                ];
                // SAFETY: the record is 36 bytes long and the file is open.
                unsafe { libc::fwrite(record.as_ptr().cast(), 36, 1, file) };
            }
        },
        NODES,
    );
    // SAFETY: the file is open and not used after.
    unsafe { libc::fclose(file) };
}

fn reading(folder: &Path) -> gt_log::Result<()> {
    let path = folder.join("artificial.gtf");
    let artificial = Artificial { shape: Shape::Full, depth: 5, branching: 35, seed: 1 };
    let (seconds, nodes) = best_of(1, || -> gt_log::Result<u64> {
        let log = LogWriter::create_with(&path, Artificial::header()?, gt_log::Existing::Replace)?;
        let nodes = artificial.write(&log, Options::default(), |_| {})?.nodes;
        log.finish()?;
        Ok(nodes)
    });
    let nodes = nodes?;
    let bytes = std::fs::metadata(&path)?.len() as f64 / nodes as f64;
    row("artificial tree 5 x 35, written", &format!("{seconds:.1} s"), "under 60 s");
    row("its size", &format!("{bytes:.3} bytes/node"), "at most 1.6");
    row("peak memory so far", &format!("{:.1} MB", resident_bytes_max() as f64 / 1e6), "");

    let log = Log::open(&path)?;
    let tree = log.tree(0)?;
    let rows: u64 = tree.blocks().map(|head| u64::from(head.rows)).sum();
    for (name, column) in
        [("best", Column::Attribute(0)), ("last_move", Column::LastMove), ("size", Column::Size)]
    {
        let (seconds, bytes) = best_of(5, || decode_all(&log, column));
        let (copy, _) = best_of(5, || copy_bytes(bytes));
        let rate = rows as f64 / seconds;
        let ratio = seconds / copy;
        row(
            &format!("decoding `{name}`, {} bytes a value", bytes as u64 / rows),
            &format!("{:.2} G/s", rate / 1e9),
            &format!("at least 1 G/s; memcpy of the decoded bytes is {ratio:.1}x faster"),
        );
        let mut wide = Vec::new();
        let (seconds, _) = best_of(3, || -> gt_log::Result<i64> {
            let mut sum = 0_i64;
            for block in 0..tree.block_count() {
                tree.decode(block, column)?.widen_into(tree.block(block).rows as usize, &mut wide);
                sum = sum.wrapping_add(black_box(&wide)[0]);
            }
            Ok(sum)
        });
        row(
            &format!("decoding `{name}`, widened to i64"),
            &format!("{:.2} G/s", rows as f64 / seconds / 1e9),
            "",
        );
    }
    row("peak memory", &format!("{:.1} MB", resident_bytes_max() as f64 / 1e6), "O(depth + block)");
    Ok(())
}

/// Decodes a column of every block; gives the decoded bytes.
fn decode_all(log: &Log, column: Column) -> usize {
    let tree = log.tree(0).expect("there is one");
    let mut bytes = 0;
    for block in 0..tree.block_count() {
        let decoded = tree.decode(block, column).expect("the file was just written");
        bytes += match black_box(&decoded) {
            Decoded::Constant(_) => 0,
            Decoded::Offsets { lanes, .. } => lanes.len() * lanes.width(),
            Decoded::Dictionary { codes, .. } => codes.len() * codes.width(),
            Decoded::Wide(values) => values.len() * 8,
        };
    }
    bytes
}

/// Copies as many bytes, a block's worth at a time.
fn copy_bytes(bytes: usize) -> u8 {
    let source = vec![1_u8; 1 << 17];
    let mut target = vec![0_u8; 1 << 17];
    for _ in 0..bytes >> 17 {
        target.copy_from_slice(black_box(&source));
        black_box(&target);
    }
    target[0]
}
