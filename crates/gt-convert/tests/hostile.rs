//! Files with every bit flipped and cut at every byte: an error or a log, never a panic, never much memory.

#[path = "all/common/mod.rs"]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use gt_convert::{Format, Selection, export_to, import_bytes, unwatched};
use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};

/// Counts what each thread holds, to see the peak of an import.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// A thread that is ending counts no more.
fn count(bytes: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator as it is; the counts are beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promises are handed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn small_log() -> Log {
    let schema =
        Schema::new([("best", Kind::I16), ("note", Kind::Text), ("value", Kind::F64), ("won", Kind::Bool)])
            .unwrap();
    let log = LogWriter::to_memory(Header::new("nim", schema).with("engine", "e")).unwrap();
    for trees in 0..2 {
        let mut tree = log.dynamic_tree(&Metadata::new().with("depth", trees), Options::default()).unwrap();
        let leave = |tree: &mut gt_log::TreeWriter, node: i64| {
            let text = Value::Text(["cut", "all", "a\n\"b\""][node as usize % 3].to_owned());
            let values =
                [Value::Int(node * 100), text, Value::Float(node as f64 / 3.0), Value::Bool(node == 3)];
            tree.leave_values(&values).unwrap();
        };
        tree.enter(0).unwrap();
        for node in 1..5 {
            tree.enter(node).unwrap();
            tree.enter(9).unwrap();
            if node == 4 {
                tree.leave_unfinished().unwrap();
            } else {
                leave(&mut tree, node);
            }
            leave(&mut tree, node + 7);
        }
        leave(&mut tree, 0);
        tree.finish().unwrap();
    }
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

/// Imports damaged bytes; whatever comes out must be readable. Panics that the importer catches are counted.
fn survives(bytes: &[u8], format: Format, what: &str) {
    let before = HELD.get();
    PEAK.set(before);
    if let Ok(log) = import_bytes(bytes, format) {
        common::contents(&Log::from_bytes(log).expect("what was made is a log"));
    }
    let peak = PEAK.get() - before;
    assert!(peak < 700 << 20, "{what} of {format:?} took {peak} bytes");
}

#[test]
fn no_damage_does_harm() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        if std::env::var_os("GT_SHOW_PANICS").is_some()
            || !info.location().is_some_and(|l| l.file().contains("parquet"))
        {
            hook(info);
        }
    }));
    let log = small_log();
    for format in Format::ALL {
        let mut bytes = Vec::new();
        export_to(&log, &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
        for length in 0..bytes.len() {
            survives(&bytes[..length], format, &format!("the first {length} bytes"));
        }
        // Half of the bits by each of two threads: it is the longest of the tests.
        std::thread::scope(|threads| {
            for first in 0..2 {
                let mut flipped = bytes.clone();
                threads.spawn(move || {
                    for bit in (first..flipped.len() * 8).step_by(2) {
                        flipped[bit / 8] ^= 1 << (bit % 8);
                        survives(&flipped, format, &format!("bit {bit} flipped"));
                        flipped[bit / 8] ^= 1 << (bit % 8);
                    }
                });
            }
        });
        println!("{format:?}: {} bytes, {} panics", bytes.len(), PANICS.load(Ordering::Relaxed));
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "panics inside the Parquet library, caught");
}
