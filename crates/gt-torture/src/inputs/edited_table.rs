//! A sound export with bytes changed here and there, which gets further into the importer than any bytes do: what is
//! made of it is a sound log.
//!
//! Input: which format, then edits of three bytes each: how far from the file's end, and the new byte. Parquet says at
//! its end what is in it.

use std::sync::LazyLock;

use gt_convert::{Format, Selection, export_to, import_bytes, unwatched};
use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};

pub(super) static TABLES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let log = log().expect("a log in memory can be written");
    Format::ALL.map(|format| {
        let mut table = Vec::new();
        export_to(&log, &Selection::All, format, &mut table, &mut unwatched)
            .expect("a sound log can be exported");
        table
    })
});

/// Two small trees with attributes of several types, some missing.
fn log() -> gt_log::Result<Log> {
    let schema =
        Schema::new([("best", Kind::I16), ("note", Kind::Text), ("value", Kind::F64), ("won", Kind::Bool)])?;
    let log = LogWriter::to_memory(Header::new("nim", schema).with("engine", "e"))?;
    log.name_moves([(1, "left")])?;
    for _ in 0..2 {
        let mut tree = log.dynamic_tree(&Metadata::new(), Options::default())?;
        tree.enter(0)?;
        for node in 0..40 {
            tree.enter(node)?;
            let note =
                if node % 3 == 0 { Value::Missing } else { Value::Text(format!("a\n\"{}\"", node % 4)) };
            tree.leave_values(&[Value::Int(node * 9), note, Value::Float(0.1), Value::Bool(node == 3)])?;
        }
        tree.leave_unfinished()?;
        tree.finish()?;
    }
    Log::from_bytes(log.into_memory()?)
}

pub(super) fn run(bytes: &[u8]) {
    let Some((&choice, edits)) = bytes.split_first() else { return };
    let choice = usize::from(choice) % Format::ALL.len();
    let mut table = TABLES[choice].clone();
    for edit in edits.chunks_exact(3) {
        let from_end = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % table.len();
        let place = table.len() - 1 - from_end;
        table[place] = edit[2];
    }
    if let Ok(log) = import_bytes(&table, Format::ALL[choice]) {
        let log = Log::from_bytes(log).expect("an import makes a log");
        log.verify(|_| {}).expect("an import makes a sound log");
    }
}
