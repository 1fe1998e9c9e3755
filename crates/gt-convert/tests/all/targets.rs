//! What becomes of the file that a conversion writes: one that is there, one whose conversion fails or is stopped.

use std::ops::ControlFlow;
use std::path::Path;

use gt_convert::{ErrorKind, Format, ImportOptions, Selection, Stage, export, import, unwatched};
use gt_log::{Existing, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};

/// A chain of nodes.
fn chain(nodes: i64) -> Log {
    let log = LogWriter::to_memory(Header::new("", Schema::new([("best", Kind::I64)]).unwrap())).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    (0..nodes).for_each(|node| tree.enter(node).unwrap());
    (0..nodes).for_each(|node| tree.leave_values(&[Value::Int(node * node)]).unwrap());
    tree.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

/// The rows of a tree with `nodes` nodes, the root last.
fn backwards(nodes: u64) -> String {
    use std::fmt::Write;
    let mut table = String::from("node_id,parent_id\n");
    for node in (1..nodes).rev() {
        writeln!(table, "{node},{}", (node - 1) / 2).unwrap();
    }
    table + "0,-1\n"
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn an_existing_log_stays_unless_it_is_to_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    std::fs::write(&source, "node_id,parent_id\n0,-1\n").unwrap();
    std::fs::write(&target, "precious").unwrap();
    let error = import(&source, None, &ImportOptions::default(), &target, &mut unwatched).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{} is there already and was left as it is", target.display()),
        "{error:?}"
    );
    assert_eq!(std::fs::read(&target).unwrap(), b"precious");
    let options = ImportOptions { existing: Existing::Replace, ..ImportOptions::default() };
    import(&source, None, &options, &target, &mut unwatched).unwrap();
    assert_eq!(Log::open(&target).unwrap().tree(0).unwrap().nodes(), 1);
}

#[test]
fn a_failing_conversion_leaves_the_target_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    std::fs::write(&target, "precious").unwrap();
    let options = ImportOptions { existing: Existing::Replace, ..ImportOptions::default() };
    for table in ["", "node_id,parent_id\n0,-1\n1,7\n", "node_id\n0\n"] {
        std::fs::write(&source, table).unwrap();
        import(&source, None, &options, &target, &mut unwatched).unwrap_err();
    }
    import(&folder.path().join("none.csv"), None, &options, &target, &mut unwatched).unwrap_err();
    let trees = Selection::Trees(vec![5]);
    let csv = Some(Format::Csv);
    export(&chain(3), &trees, csv, &target, Existing::Replace, &mut unwatched).unwrap_err();
    export(&chain(3), &Selection::All, csv, &target, Existing::Keep, &mut unwatched).unwrap_err();
    assert_eq!(std::fs::read(&target).unwrap(), b"precious");
    assert_eq!(names_in(folder.path()), ["a.csv", "a.gtf"]);
}

/// Stops an import at its first report in this stage.
#[track_caller]
fn import_stops(table: &[u8], name: &str, stage: Stage) {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join(name), folder.path().join("a.gtf"));
    std::fs::write(&source, table).unwrap();
    let mut reports_after = 0;
    let mut stopped = false;
    let error = import(&source, None, &ImportOptions::default(), &target, &mut |progress| {
        reports_after += u32::from(stopped);
        stopped |= progress.stage == stage;
        if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::Stopped), "{error}");
    assert_eq!(reports_after, 0, "an import goes on after it was stopped");
    assert_eq!(names_in(folder.path()), [name]);
}

#[test]
fn every_stage_of_an_import_can_be_stopped() {
    let log = chain(20_000);
    for (format, name, stages) in [
        (Format::Csv, "a.csv", &[Stage::Reading][..]),
        (Format::JsonLines, "a.jsonl", &[Stage::Looking, Stage::Reading]),
        (Format::Parquet, "a.parquet", &[Stage::Reading]),
    ] {
        let mut bytes = Vec::new();
        gt_convert::export_to(&log, &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
        stages.iter().for_each(|stage| import_stops(&bytes, name, *stage));
    }
    let typed = backwards(20_000).replace('\n', ",5\n").replace("parent_id,5", "parent_id,x");
    import_stops(typed.as_bytes(), "a.csv", Stage::Looking);
}

/// One large tree is written in many steps, not in one.
#[test]
fn the_writing_of_sorted_rows_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("a.csv"), folder.path().join("a.gtf"));
    const ROWS: u64 = 50_000;
    std::fs::write(&source, backwards(ROWS)).unwrap();
    let mut written = Vec::new();
    let error = import(&source, None, &ImportOptions::default(), &target, &mut |progress| {
        // Bytes are counted while rows are read, rows while they are written.
        if progress.total == ROWS {
            written.push(progress.done);
        }
        if written.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::Stopped), "{error}");
    assert_eq!(written, [8192, 16384]);
    assert_eq!(names_in(folder.path()), ["a.csv"]);
}

#[test]
fn an_export_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let log = chain(200_000);
    for name in ["a.csv", "a.jsonl", "a.parquet"] {
        let target = folder.path().join(name);
        let mut reports = 0;
        let error = export(&log, &Selection::All, None, &target, Existing::Keep, &mut |_| {
            reports += 1;
            ControlFlow::Break(())
        })
        .unwrap_err();
        assert!(matches!(*error.kind, ErrorKind::Stopped) && reports == 1, "{error}");
    }
    assert!(names_in(folder.path()).is_empty());
}
