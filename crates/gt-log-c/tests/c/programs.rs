//! C programs that use and abuse the library; they check the codes, the logs are checked here.

use gt_log::{Column, Kind, Log, Tree, Value, Walker};

use crate::toolchain::{C, run, succeed};

#[test]
fn wrong_calls_end_nothing_and_break_nothing() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("abuse.c", &[]);
    succeed("abuse", &output);
    assert!(!folder.path().join("never.gtf").exists(), "a descriptor is judged before a file is made");
    let log = Log::open(folder.path().join("order.gtf")).unwrap();
    assert!(log.condition().is_whole());
    let moves: Vec<Vec<i64>> = log.trees().map(moves).collect();
    assert_eq!(moves, [vec![10, 11], vec![20], vec![30, 31]]);
    let unfinished: Vec<u64> = log.trees().map(|tree| tree.verify(|_| ()).unwrap().unfinished).collect();
    assert_eq!(unfinished, [1, 1, 2]);
    assert_eq!(log.tree(1).unwrap().left_out().unwrap(), 1);
}

#[test]
fn every_type_of_attribute_comes_through() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("records.c", &[]);
    succeed("records", &output);
    let log = Log::open(folder.path().join("records.gtf")).unwrap();
    let schema = log.schema();
    assert_eq!((schema.alias("Most"), schema.alias("Least")), (Some(i64::MAX), Some(i64::MIN)));
    let kinds: Vec<Kind> = schema.attributes().iter().map(|attribute| attribute.kind).collect();
    let mut expected = vec![Kind::Text];
    expected.extend(&Kind::ALL[..11]);
    expected.push(Kind::Bool);
    assert_eq!(kinds, expected);

    let mut walker = Walker::new(log.tree(0).unwrap());
    let root = walker.root();
    assert_eq!(walker.last_move(root).unwrap(), i64::MIN);
    let rows: Vec<String> =
        walker.children(root).unwrap().into_iter().map(|row| show(&mut walker, row)).collect();
    assert_eq!(
        rows,
        [
            format!(
                r#""" -128 -32768 {} {} 0 0 0 0 {} {} false false"#,
                i32::MIN,
                i64::MIN,
                f64::from(f32::MIN),
                f64::MIN
            ),
            format!(
                r#""e2e4 ♔" 127 32767 {} {} 255 65535 {} {} {} {} true true"#,
                i32::MAX,
                i64::MAX,
                u32::MAX,
                u64::MAX,
                f64::from(f32::MAX),
                f64::MAX
            ),
            "\"\u{fffd}\" -1 -2 -3 -4 1 2 3 4 0.5 0.25 true true".to_owned(),
            r#""" 0 0 0 0 0 0 0 0 0 0 false false"#.to_owned(),
        ]
    );
}

fn show(walker: &mut Walker<'_>, row: u64) -> String {
    let values = (0..13).map(|attribute| walker.value(row, attribute).unwrap().to_string());
    values.collect::<Vec<_>>().join(" ")
}

#[test]
fn settings_hold_for_the_trees_that_follow() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("settings.c", &[]);
    succeed("settings", &output);
    let log = Log::open(folder.path().join("settings.gtf")).unwrap();
    assert!(log.condition().is_whole());
    assert_eq!(log.metadata().iter().collect::<Vec<_>>(), [("engine", "settings")]);
    // name, nodes logged, nodes left out: 31 together
    let expected = [
        ("all", 31, 0),
        ("line", 2 + 7, 22),  // the path of two nodes, and the subtree of depth 2
        ("callback", 20, 11), // below 2-2, 1-2-2, 1-1-2-2 and 2-1-2-2: 12 nodes, and 8 on the way
        ("once", 5, 26),      // the first that is met: 1-1-2-2, a leaf
        ("nodes", 10, 21),
        ("bytes", 1, 30), // the trees before have spent it: the root alone
    ];
    for (tree, (name, nodes, left_out)) in log.trees().zip(expected) {
        assert_eq!(tree.metadata().get("name"), Some(name));
        assert_eq!(tree.metadata().get("empty"), Some(""));
        assert_eq!(tree.metadata().get("value"), Some("-42"));
        assert_eq!((tree.nodes(), tree.left_out().unwrap()), (nodes, left_out), "{name}");
        tree.verify(|_| ()).unwrap();
    }
    let by_itself = log.tree(6).unwrap();
    assert_eq!((by_itself.nodes(), by_itself.metadata().get("note")), (31, Some("said before")));
    assert_eq!(log.tree(7).unwrap().verify(|_| ()).unwrap().unfinished, 1);
    assert_eq!(log.tree_count(), 8);

    assert!(!folder.path().join("unused.gtf").exists());
    assert_eq!(Log::open(folder.path().join("late.gtf")).unwrap().tree_count(), 1);
}

#[test]
fn files_that_are_there_are_replaced_only_when_asked() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("existing.c", &[]);
    succeed("existing", &output);
    for name in ["one.gtf", "own.gtf", "tree-1.gtf", "tree-3.gtf", "again-1.gtf"] {
        let log = Log::open(folder.path().join(name)).unwrap();
        assert!(log.condition().is_whole(), "{name}");
        assert_eq!(log.tree_count(), 1, "{name}");
        assert_eq!(log.metadata().get("engine"), (name == "own.gtf").then_some("existing"));
    }
    let added = Log::open(folder.path().join("added.gtf")).unwrap();
    assert!(added.condition().is_whole());
    assert_eq!(added.tree_count(), 6);
    for name in ["tree-2.gtf", "again-2.gtf"] {
        assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), b"precious");
    }
    let drafts = std::fs::read_dir(folder.path()).unwrap();
    let drafts =
        drafts.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|e| e == "part"));
    assert_eq!(drafts.count(), 0);
}

#[test]
fn each_thread_has_a_handle() {
    if !C.is_there() {
        return;
    }
    let (folder, output) = run("threads.c", &[]);
    succeed("threads", &output);
    for thread in 0..8_u64 {
        let log = Log::open(folder.path().join(format!("{thread}.gtf"))).unwrap();
        assert!(log.condition().is_whole());
        assert_eq!(log.tree_count(), 5);
        let branching = thread + 2;
        for tree in log.trees() {
            assert_eq!(tree.nodes(), (0..=4).map(|ply| branching.pow(ply)).sum::<u64>());
            tree.verify(|_| ()).unwrap();
            let mut walker = Walker::new(tree);
            assert_eq!(walker.value(walker.root(), 0).unwrap(), Value::Int(thread as i64));
        }
    }
}

fn moves(tree: Tree<'_>) -> Vec<i64> {
    let mut moves = Vec::new();
    let visited: gt_log::Result<()> = tree.preorder(&[Column::LastMove], |batch| {
        moves.extend(&batch.cells[0].integers);
        Ok(())
    });
    visited.unwrap();
    moves
}
