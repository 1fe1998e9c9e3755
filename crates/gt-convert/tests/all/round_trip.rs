//! Log → file → log, to the bit.

use gt_convert::{Format, ImportOptions, Selection, export, export_to, import, import_bytes, unwatched};
use gt_log::{Existing, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};
use proptest::prelude::*;

fn exported(log: &Log, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    export_to(log, &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_log_comes_back_as_it_was(plan in crate::common::log_plan()) {
        let log = plan.write();
        let expected = crate::common::contents(&log);
        for format in Format::ALL {
            let bytes = exported(&log, format);
            let back = import_bytes(&bytes, format)
                .map_err(|error| TestCaseError::fail(format!("{format:?}: {error}\n{}", String::from_utf8_lossy(&bytes))))?;
            let back = crate::common::contents(&Log::from_bytes(back).unwrap());
            prop_assert_eq!(&back, &expected, "{:?}:\n{}", format, String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn one_tree_of_several_comes_back(plan in crate::common::log_plan(), choice in any::<prop::sample::Index>()) {
        let log = plan.write();
        let tree = choice.index(plan.trees.len());
        let mut alone = plan.clone();
        alone.trees = vec![plan.trees[tree].clone()];
        let expected = crate::common::contents(&alone.write());
        for format in Format::ALL {
            let mut bytes = Vec::new();
            export_to(&log, &Selection::Trees(vec![tree]), format, &mut bytes, &mut unwatched).unwrap();
            let back = Log::from_bytes(import_bytes(&bytes, format).unwrap()).unwrap();
            prop_assert_eq!(crate::common::contents(&back), expected.clone());
        }
    }

    #[test]
    fn lines_in_any_order_make_the_same_log(plan in crate::common::log_plan(), seed in any::<u64>()) {
        let log = plan.write();
        let bytes = exported(&log, Format::JsonLines);
        let text = String::from_utf8(bytes).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        shuffle(&mut lines[1..], seed);
        let back = import_bytes(lines.join("\n").as_bytes(), Format::JsonLines).unwrap();
        prop_assert_eq!(crate::common::contents(&Log::from_bytes(back).unwrap()), crate::common::contents(&log));
    }
}

/// What a search knew when it entered nodes that it never left: some values, no others.
#[test]
fn values_given_at_entry_come_back() {
    let schema = Schema::new([("alpha", Kind::I16), ("best", Kind::I16), ("note", Kind::Text)]).unwrap();
    let schema = schema.with_aliases_of("alpha", [("Never", -32_768)]).unwrap();
    let log = LogWriter::to_memory(Header::new("mine", schema)).unwrap();
    log.name_moves([(1, "left"), (-2, "right, or \"up\"")]).unwrap();
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let at_entry = |alpha| [Value::Int(alpha), Value::Missing, Value::Missing];
    tree.enter_values(0, &at_entry(0)).unwrap();
    tree.enter_values(1, &at_entry(5)).unwrap();
    tree.leave_values(&[Value::Missing, Value::Int(7), Value::Text(String::new())]).unwrap();
    tree.enter_values(-2, &at_entry(-5)).unwrap();
    tree.abandon(&Metadata::new()).unwrap();
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let expected = crate::common::contents(&log);
    assert!(
        expected.contains("0x0 0x1 0x0 0x0 ? ?\n"),
        "the root is unfinished, with its alpha:\n{expected}"
    );
    for format in Format::ALL {
        let back = Log::from_bytes(import_bytes(&exported(&log, format), format).unwrap()).unwrap();
        assert_eq!(crate::common::contents(&back), expected, "{format:?}");
        assert_eq!(back.move_name(-2), Some("right, or \"up\""));
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed | 1;
    for place in (1..items.len()).rev() {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        items.swap(place, (state >> 33) as usize % (place + 1));
    }
}

#[test]
fn files_say_what_they_hold_by_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    let plan =
        proptest::strategy::Strategy::new_tree(&crate::common::log_plan(), &mut Default::default()).unwrap();
    let log = proptest::strategy::ValueTree::current(&plan).write();
    for name in ["a.parquet", "a.csv", "a.jsonl", "a.NDJSON"] {
        let (file, target) = (folder.path().join(name), folder.path().join("back.gtf"));
        let mut last = None;
        let written = export(&log, &Selection::All, None, &file, Existing::Keep, &mut |progress| {
            last = Some(progress);
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(last.unwrap().done, last.unwrap().total);
        let options = ImportOptions { existing: Existing::Replace, ..ImportOptions::default() };
        let read = import(&file, None, &options, &target, &mut unwatched).unwrap();
        assert_eq!((read.nodes, read.trees), (written.nodes, written.trees as u64));
        assert!(!read.renumbered && !read.sorted);
        assert_eq!(crate::common::contents(&Log::open(&target).unwrap()), crate::common::contents(&log));
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "no draft is left behind: {left:?}");
}
