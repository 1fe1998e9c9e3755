//! A query that is stopped leaves the session as it was.

use std::sync::atomic::Ordering;

use gt_log::{Artificial, LogWriter, Shape};

use super::*;

fn piece(text: &str) -> Piece {
    Piece { text: text.to_owned(), line_first: 1 }
}

#[test]
fn a_query_is_stopped_and_the_next_one_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.gtf");
    let log = LogWriter::create(&path, Artificial::header().unwrap()).unwrap();
    let tree = Artificial { shape: Shape::Full, depth: 6, branching: 6, seed: 1 };
    tree.write(&log, gt_log::Options::default(), |_| ()).unwrap();
    log.finish().unwrap();

    let source = Source::open(&path).unwrap();
    let mut session = Session::new(&source, None, Format::Table).unwrap();
    let stop = AtomicBool::new(true);
    for query in ["node: best = 0", "let a = subtree: max(best) node: a > 3 select @line"] {
        let told = session.take(&piece(query), &stop);
        assert_eq!((told.err.as_str(), told.out.as_str()), ("gt: the query was stopped\n", ""));
        assert!(told.failed && told.next == Next::Go);
    }
    stop.store(false, Ordering::Relaxed);
    let told = session.take(&piece("node: count(*)"), &stop);
    assert_eq!((told.out.as_str(), told.err.as_str()), ("55987\n", ""));
}
