//! What logging costs a search of ours: twelve attributes, seven of them known at entry.
//!
//! The search is a stream of events, and the cost is the CPU time of the thread that makes them, less what making them takes.

use std::hint::black_box;
use std::path::Path;

use gt_bench::{best_of, row};
use gt_log::{Existing, LogWriter, Metadata};
use gt_record::Recorder;
use gt_search::{Ended, EntryRecord, NodeType, Observer, Record};

use crate::{NODES, search};

pub(crate) fn run(folder: &Path) -> gt_log::Result<()> {
    let (idle, _) = best_of(3, || drive(&mut Nothing(0)));
    let nanoseconds = |seconds: f64| (seconds - idle) * 1e9 / NODES as f64;
    let path = folder.join("recorder.gtf");
    for (what, background, least) in
        [("in the background", true, "at most 25 ns"), ("by the searching thread", false, "at most 80 ns")]
    {
        let (seconds, logged) = best_of(3, || -> gt_log::Result<u64> {
            let log = LogWriter::create_with(&path, gt_record::header("bench")?, Existing::Replace)?;
            let mut recorder = Recorder::new(&log, Metadata::new()).background(background);
            drive(&mut recorder);
            recorder.finish()?;
            log.finish()
        });
        let bytes = logged? as f64 / NODES as f64;
        row(
            &format!("12 attributes, encoded {what}"),
            &format!("{:.1} ns/node", nanoseconds(seconds)),
            &format!("{least}; {bytes:.2} bytes/node"),
        );
    }
    Ok(())
}

/// Sees everything and keeps a sum, so that nothing is left out as unused.
struct Nothing(i64);

impl Observer<u16> for Nothing {
    fn enter(&mut self, last_move: Option<u16>) {
        self.0 += last_move.map_or(0, i64::from);
    }

    fn enter_known(
        &mut self,
        _: Option<u16>,
        known: impl FnOnce() -> EntryRecord,
        code: impl FnOnce() -> i64,
        _: impl FnOnce() -> u64,
    ) {
        self.0 += i64::from(known().alpha) + code();
    }

    fn leave(&mut self, record: &Record) {
        self.0 += i64::from(record.best);
    }
}

/// Makes the events of a search.
fn drive(observer: &mut impl Observer<u16>) {
    observer.begin(12);
    let mut open: Vec<EntryRecord> = Vec::new();
    search(
        &mut |entered, node| match entered {
            Some((code, _)) => {
                let ply = open.len() as u16;
                let known = EntryRecord {
                    ply,
                    depth: 12 - ply as i16,
                    alpha: code as i32,
                    beta: code as i32 + 1,
                    node_type: NodeType(1 << (code & 3)),
                    move_index: code as u16 & 31,
                    ..EntryRecord::default()
                };
                open.push(known);
                observer.enter_known(Some(code as u16), || known, || code, || 0);
            }
            None => {
                let Some(known) = open.pop() else { return };
                let record = Record {
                    ply: known.ply,
                    depth: known.depth,
                    alpha: known.alpha,
                    beta: known.beta,
                    node_type: known.node_type,
                    move_index: known.move_index,
                    best: node.best,
                    static_eval: (node.best & 1 == 0).then_some(node.best + 3),
                    ended: if node.best & 2 == 0 { Ended::Cutoff } else { Ended::Horizon },
                    ..Record::default()
                };
                observer.leave(black_box(&record));
            }
        },
        NODES,
    );
}
