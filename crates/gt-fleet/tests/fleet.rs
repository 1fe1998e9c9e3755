//! Answers of many logs, held against plain counting over their nodes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gt_fleet::{Fleet, Part, Question, Unanswered, expand};
use gt_log::{
    Artificial, Column, Header, Kind, Log, LogWriter, Metadata, Options, Schema, Shape, Value as Cell,
};
use gt_query::Value;

/// Logs of random trees, one with two trees.
fn logs(folder: &Path) -> Vec<PathBuf> {
    (0..5_u64)
        .map(|seed| {
            let path = folder.join(format!("{seed}.gtf"));
            let writer = LogWriter::create(&path, Artificial::header().unwrap()).unwrap();
            for tree in 0..=u64::from(seed == 2) {
                let tree =
                    Artificial { shape: Shape::Random, depth: 6, branching: 3, seed: 10 * seed + tree };
                tree.write(&writer, Options::default(), |_| {}).unwrap();
            }
            writer.finish().unwrap();
            path
        })
        .collect()
}

/// For each ply the values of `best`, read node by node.
fn by_ply(paths: &[PathBuf]) -> BTreeMap<i64, Vec<i64>> {
    let mut all: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for path in paths {
        let log = Log::open(path).unwrap();
        for tree in log.trees() {
            tree.preorder(&[Column::Attribute(0)], |batch| {
                for (ply, best) in batch.plies.iter().zip(&batch.cells[0].integers) {
                    all.entry(*ply).or_default().push(*best);
                }
                Ok::<(), gt_log::Error>(())
            })
            .unwrap();
        }
    }
    all
}

fn integer(value: i64) -> Option<Value> {
    Some(Value::Integer(value.into()))
}

fn joined(paths: &[PathBuf], text: &str) -> Vec<Vec<Option<Value>>> {
    let question = Question::new(text);
    Fleet { threads: 3, ..Fleet::new(paths, &question) }.join(&mut |_| ()).unwrap().unwrap().rows
}

#[test]
fn joined_groups_are_those_of_all_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    let all = by_ply(&paths);
    let rows = joined(
        &paths,
        "group by @ply select @ply, count(*), sum(best), min(best), max(best), any(best > 8), all(best < 9) order by @ply desc",
    );
    let expected = all.iter().rev().map(|(ply, values)| {
        vec![
            integer(*ply),
            integer(values.len() as i64),
            integer(values.iter().sum()),
            values.iter().min().and_then(|least| integer(*least)),
            values.iter().max().and_then(|most| integer(*most)),
            Some(Value::Boolean(values.iter().any(|best| *best > 8))),
            Some(Value::Boolean(values.iter().all(|best| *best < 9))),
        ]
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
    let limited = joined(&paths, "group by @ply select count(*) order by count(*) desc, @ply limit 2");
    let mut counts: Vec<i64> = all.values().map(|values| values.len() as i64).collect();
    counts.sort_unstable_by(|left, right| right.cmp(left));
    assert_eq!(limited, [vec![integer(counts[0])], vec![integer(counts[1])]]);
}

#[test]
fn joined_means_are_weighted() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    let values: Vec<i64> = by_ply(&paths).into_values().flatten().collect();
    let mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
    let rows = joined(&paths, "node: avg(best)");
    let found = rows[0][0].as_ref().and_then(Value::as_float).unwrap();
    assert!((found - mean).abs() < 1e-12, "{found} is not {mean}");
    let positive: Vec<i64> = values.iter().copied().filter(|best| *best > 3).collect();
    let rows = joined(&paths, "node: best > 3 select 2 * avg(best), count(*)");
    let twice = rows[0][0].as_ref().and_then(Value::as_float).unwrap();
    let expected = 2.0 * positive.iter().sum::<i64>() as f64 / positive.len() as f64;
    assert!((twice - expected).abs() < 1e-12, "{twice} is not {expected}");
    assert_eq!(rows[0][1], integer(positive.len() as i64));
    // Nothing matches anywhere: what a tree alone says of it.
    assert_eq!(joined(&paths, "node: avg(best where best > 99)"), [[None]]);
    assert_eq!(joined(&paths, "node: count(best > 99)"), [[integer(0)]]);
    assert!(joined(&paths, "node: best > 99 group by best select best, count(*)").is_empty());
}

/// The statistics of all nodes, from their definitions.
#[test]
fn joined_statistics_are_those_of_all_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    let rows = joined(
        &paths,
        "group by @ply select @ply, stddev(best), median(best), quantile(best, 0.9), count(distinct best), \
         arg_max(best, -best), corr(best, 3 - 2 * best)",
    );
    let all = by_ply(&paths);
    assert_eq!(rows.len(), all.len());
    for (row, (ply, values)) in rows.iter().zip(&all) {
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let rank = |share: f64| sorted[(share * sorted.len() as f64).ceil() as usize - 1];
        let distinct = sorted.chunk_by(|left, right| left == right).count();
        assert_eq!(row[0], integer(*ply));
        assert_eq!([&row[2], &row[3]], [&integer(rank(0.5)), &integer(rank(0.9))], "ply {ply}");
        assert_eq!(row[4], integer(distinct as i64), "ply {ply}");
        assert_eq!(row[5], integer(-sorted[sorted.len() - 1]), "ply {ply}");
        let count = values.len() as f64;
        let mean = values.iter().sum::<i64>() as f64 / count;
        let variance = values.iter().map(|best| (*best as f64 - mean).powi(2)).sum::<f64>() / count;
        let deviation = row[1].as_ref().and_then(Value::as_float).unwrap();
        assert!((deviation - variance.sqrt()).abs() < 1e-9, "ply {ply}: {deviation}");
        let correlation = row[6].as_ref().and_then(Value::as_float);
        assert_eq!(correlation, (distinct > 1).then_some(-1.0), "ply {ply}");
    }
}

/// Queries of every kind whose answers can be joined.
const JOINABLE: [&str; 7] = [
    "node: count(best = 0)",
    "group by @ply select @ply, count(*), max(best), avg(best), min(best * 0.5), sum(best / 3.0)",
    "node: sum(best)",
    "node: median(best)",
    "group by best % 3, @ply > 2 select best % 3, stddev(best), corr(best, @ply), any(best > 8), all(best < 9)",
    "group by @ply select quantile(best, 0.25), count(distinct best), arg_min(best, node_id) order by @ply desc limit 3",
    "select avg(best) - avg(@ply), count(*)",
];

#[test]
fn partial_answers_add_up_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    for text in JOINABLE {
        let question = Question::new(text);
        let partial = |path: &PathBuf| {
            Fleet::new(std::slice::from_ref(path), &question).partials(&mut |_| ()).unwrap().unwrap()
        };
        let partials: Vec<Vec<u8>> = paths.iter().rev().map(partial).collect();
        let fleet = Fleet::new(&paths, &question);
        let total = |partials: &[Vec<u8>]| fleet.total(partials.iter().map(Vec::as_slice));
        assert_eq!(total(&partials).unwrap().unwrap().rows, joined(&paths, text), "{text}");
        // Other bytes are refused: a part of them, more than them, those of another query, and changed ones never panic.
        for length in 0..partials[0].len() {
            assert!(fleet.total([&partials[0][..length]]).is_err(), "{text}: {length} bytes");
        }
        assert!(fleet.total([&[&partials[0][..], &[0]].concat()[..]]).is_err(), "{text}");
        for other in JOINABLE.iter().filter(|other| **other != text) {
            let question = Question::new(*other);
            let fleet = Fleet::new(&paths, &question);
            assert!(fleet.total([&partials[0][..]]).is_err(), "{text} for {other}");
        }
        for at in 0..partials[0].len() {
            for flip in [1, 0x80, 0xFF] {
                let mut changed = partials.clone();
                changed[0][at] ^= flip;
                let _ = total(&changed);
            }
        }
    }
}

#[test]
fn rows_come_in_the_order_of_the_paths() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    let question = Question::new("select node_id, best");
    for threads in [1, 2, 7] {
        let mut seen = Vec::new();
        let fleet = Fleet { threads, ..Fleet::new(&paths, &question) };
        fleet
            .ask(&mut |part| {
                let answers = part.answers.unwrap();
                let log = Log::open(&part.path).unwrap();
                assert_eq!(answers.trees.len(), log.tree_count());
                for ((number, _, rows), tree) in answers.trees.iter().zip(log.trees()) {
                    assert_eq!((*number, rows.len() as u64), (tree.number(), tree.nodes()));
                }
                seen.push(part.path);
                true
            })
            .unwrap();
        assert_eq!(seen, paths);
    }
}

#[test]
fn logs_without_an_answer_cost_the_others_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = logs(folder.path());
    let bytes = std::fs::read(&paths[0]).unwrap();
    let broken = folder.path().join("broken.gtf");
    std::fs::write(&broken, &bytes[..30]).unwrap();
    let other = folder.path().join("other.gtf");
    let header = Header::new("", Schema::new([("worth", Kind::I8)]).unwrap());
    let writer = LogWriter::create(&other, header).unwrap();
    let mut tree = writer.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    tree.leave_values(&[Cell::Int(1)]).unwrap();
    tree.finish().unwrap();
    writer.finish().unwrap();
    paths.insert(0, broken.clone());
    paths.insert(3, other.clone());
    paths.push(folder.path().join("missing.gtf"));
    let question = Question::new("node: count(best = 0)");
    let mut wrong = Vec::new();
    let mut sound = 0;
    Fleet::new(&paths, &question)
        .ask(&mut |Part { path, answers }| {
            match answers {
                Ok(_) => sound += 1,
                Err(Unanswered::Log(_)) => wrong.push((path, "log")),
                Err(Unanswered::Query(_)) => wrong.push((path, "query")),
                Err(other) => panic!("{other}"),
            }
            true
        })
        .unwrap();
    assert_eq!(sound, 5);
    let missing = paths[paths.len() - 1].clone();
    assert_eq!(wrong, [(broken.clone(), "log"), (other, "query"), (missing, "log")]);
    // A query that fits no log at all is an error of its own.
    let unknown = Question::new("node: count(beast)");
    assert!(
        matches!(Fleet::new(&paths, &unknown).columns(), Err(Unanswered::Query(text)) if text.contains("beast"))
    );
    let only = [broken];
    assert!(
        matches!(Fleet::new(&only, &question).columns(), Err(Unanswered::Log(text)) if text.contains("broken.gtf"))
    );
}

#[test]
fn a_log_that_was_cut_off_has_an_answer_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = logs(folder.path());
    let bytes = std::fs::read(&paths[1]).unwrap();
    let cut = folder.path().join("cut.gtf");
    std::fs::write(&cut, &bytes[..bytes.len() - 60]).unwrap();
    paths.push(cut.clone());
    let question = Question::new("node: count(*)");
    let asked = |takes_cut_logs| {
        let fleet = Fleet { takes_cut_logs, ..Fleet::new(&paths, &question) };
        let mut wrong = Vec::new();
        let totals =
            fleet.join(&mut |part| wrong.extend(part.answers.as_ref().err().map(ToString::to_string)));
        (totals.unwrap().unwrap().rows, wrong)
    };
    let all: i64 = by_ply(&paths[..5]).values().map(|values| values.len() as i64).sum();
    let (rows, wrong) = asked(false);
    assert_eq!(rows, [[integer(all)]]);
    assert!(
        matches!(wrong.as_slice(), [one] if one.contains("not closed") && one.contains("gt recover")),
        "{wrong:?}"
    );
    let more = Log::open(&cut).unwrap().tree(0).unwrap().nodes();
    assert_eq!(asked(true), (vec![vec![integer(all + more as i64)]], Vec::new()));
}

#[test]
fn parts_of_trees_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks.gtf");
    let writer = LogWriter::create(&path, Artificial::header().unwrap()).unwrap();
    let flush = gt_log::Flush { nodes_max: 100, time_ms_max: None };
    let tree = Artificial { shape: Shape::Random, depth: 7, branching: 3, seed: 3 };
    tree.write(&writer, Options { flush, ..Options::default() }, |_| {}).unwrap();
    writer.finish().unwrap();
    let blocks = Log::open(&path).unwrap().tree(0).unwrap().block_count();
    assert!(blocks > 5, "{blocks} blocks");
    let paths = [path];
    for text in
        ["group by @ply select @ply, count(*), avg(best)", "node: count(best > 3); child: count(*) > 1"]
    {
        let question = Question::new(text);
        let mut partials = Vec::new();
        for start in (0..blocks).step_by(2) {
            let fleet = Fleet { blocks: Some((start, start + 2)), ..Fleet::new(&paths, &question) };
            partials.push(fleet.partials(&mut |_| ()).unwrap().unwrap());
        }
        let fleet = Fleet::new(&paths, &question);
        let total = fleet.total(partials.iter().map(Vec::as_slice)).unwrap().unwrap();
        assert_eq!(total.rows, joined(&paths, text), "{text}");
    }
    let lists = |text: &str| Fleet::new(&paths, &Question::new(text)).is_divisible().unwrap();
    assert!(lists("node: best = 3") && lists("select best"));
    assert!(!lists("select best limit 3") && !lists("node: count(best = 3)"));
}

#[test]
fn a_log_that_fails_in_the_middle_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    // The third log has two trees; the query asks for a tree that the others lack.
    let question = Question { trees: vec![0, 1], ..Question::new("node: count(*)") };
    let mut wrong = 0;
    let totals = Fleet::new(&paths, &question).join(&mut |part| wrong += usize::from(part.answers.is_err()));
    let log = Log::open(&paths[2]).unwrap();
    let expected: u64 = log.trees().map(|tree| tree.nodes()).sum();
    assert_eq!((totals.unwrap().unwrap().rows, wrong), (vec![vec![integer(expected as i64)]], 4));
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    for (text, word) in [
        ("node: best = 0", "lists nodes"),
        ("select best", "lists nodes"),
        ("node: first(best)", "`first`"),
        ("group by @ply select last(best)", "`last`"),
    ] {
        let question = Question::new(text);
        let refused = Fleet::new(&paths, &question).join(&mut |_| ()).unwrap().unwrap_err();
        assert!(refused.0.contains(word), "{text}: {refused}");
    }
}

/// A log of one node with two attributes.
fn log_of(path: &Path, kind: Kind, cells: [Cell; 2]) -> PathBuf {
    let header = Header::new("", Schema::new([("best", Kind::I64), ("worth", kind)]).unwrap());
    let writer = LogWriter::create(path, header).unwrap();
    let mut tree = writer.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    tree.leave_values(&cells).unwrap();
    tree.finish().unwrap();
    writer.finish().unwrap();
    path.to_owned()
}

#[test]
fn an_overflow_in_a_log_costs_the_others_nothing_and_one_of_all_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let log =
        |name: &str, best: i64| log_of(&folder.path().join(name), Kind::I64, [Cell::Int(best), Cell::Int(0)]);
    let paths = [log("a.gtf", 7), log("b.gtf", i64::MAX), log("c.gtf", 8)];
    for text in ["node: sum(best * 2)", "group by worth select sum(best * 2)"] {
        let question = Question::new(text);
        let mut wrong = Vec::new();
        let totals = Fleet::new(&paths, &question).join(&mut |part| {
            if let Err(Unanswered::Overflow(sentence)) = &part.answers {
                wrong.push((part.path.clone(), sentence.clone()));
            }
        });
        assert_eq!(totals.unwrap().unwrap().rows, [[integer(30)]], "{text}");
        assert!(matches!(wrong.as_slice(), [(path, _)] if *path == paths[1]), "{text}: {wrong:?}");
        // Each of these sums fits, and their total does not.
        let text = text.replace(" * 2", "");
        let question = Question::new(text.as_str());
        let totals = Fleet::new(&paths, &question).join(&mut |part| assert!(part.answers.is_ok()));
        assert!(matches!(totals, Err(Unanswered::Overflow(_))), "{text}");
    }
}

#[test]
fn a_log_whose_aggregates_have_other_types_adds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let whole = log_of(&folder.path().join("a.gtf"), Kind::I64, [Cell::Int(1), Cell::Int(4)]);
    let float = log_of(&folder.path().join("b.gtf"), Kind::F64, [Cell::Int(1), Cell::Float(0.5)]);
    let paths = [whole, float];
    // An integer and a float that are equal would be two groups, and two values.
    for (text, expected) in [
        ("group by best select best, sum(worth)", vec![integer(1), integer(4)]),
        ("group by worth select count(*)", vec![integer(1)]),
        ("group by worth select max(best), worth", vec![integer(1), integer(4)]),
        ("node: count(distinct worth)", vec![integer(1)]),
    ] {
        let question = Question::new(text);
        let mut wrong = Vec::new();
        let totals = Fleet::new(&paths, &question)
            .join(&mut |part| wrong.extend(part.answers.as_ref().err().map(ToString::to_string)));
        assert_eq!(totals.unwrap().unwrap().rows, [expected], "{text}");
        assert!(matches!(wrong.as_slice(), [sentence] if sentence.contains("another form")), "{wrong:?}");
    }
    assert_eq!(joined(&paths, "select avg(worth), count(worth > 1)"), [[Value::float(2.25), integer(1)]]);
}

/// `$x` is what each tree's metadata says: where it makes two aggregates equal, they are still two.
#[test]
fn trees_with_other_parameters_have_the_same_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gtf");
    let header = Header::new("", Schema::new([("best", Kind::I64)]).unwrap());
    let writer = LogWriter::create(&path, header).unwrap();
    for depth in 1..4 {
        let metadata = Metadata::new().with("depth", depth.to_string());
        let mut tree = writer.dynamic_tree(&metadata, Options::default()).unwrap();
        tree.enter(0).unwrap();
        tree.leave_values(&[Cell::Int(depth)]).unwrap();
        tree.finish().unwrap();
    }
    writer.finish().unwrap();
    let text = "select count(best = $depth), count(best = 2), count(best = 2)";
    assert_eq!(joined(&[path], text), [[integer(3), integer(1), integer(1)]]);
}

#[test]
fn joined_groups_stay_within_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let paths = logs(folder.path());
    // Nearly every node has a group of its own. Those of the largest log fit, and those of all do not.
    let question = Question::new("group by 100000 * best + node_id select count(*)");
    let nodes = |path: &PathBuf| Log::open(path).unwrap().trees().map(|tree| tree.nodes()).sum::<u64>();
    let memory = 50 * paths.iter().map(nodes).max().unwrap() as usize;
    let fleet = Fleet { threads: 1, memory, ..Fleet::new(&paths, &question) };
    let mut failed = 0;
    let joined = fleet.join(&mut |part| failed += usize::from(part.answers.is_err()));
    assert_eq!(failed, 0);
    assert!(matches!(&joined, Err(Unanswered::Query(text)) if text.contains("memory")), "{joined:?}");
}

#[test]
fn patterns_are_expanded() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
    for name in ["2.gtf", "1.gtf", "a/3.gtf", "a/b/4.gtf", "a/b/note.txt"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let names = |pattern: &str| {
        let expanded = expand(&[folder.path().join(pattern)]).unwrap();
        let short = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned();
        (expanded.paths.iter().map(short).collect::<Vec<_>>(), expanded.had_pattern)
    };
    assert_eq!(names("*.gtf"), (vec!["1.gtf".to_owned(), "2.gtf".to_owned()], true));
    assert_eq!(names("**/*.gtf").0, ["1.gtf", "2.gtf", "a/3.gtf", "a/b/4.gtf"]);
    assert_eq!(names("a/b/[0-9].gtf").0, ["a/b/4.gtf"]);
    assert_eq!(names("missing.gtf"), (vec!["missing.gtf".to_owned()], false));
    let twice = expand(&[folder.path().join("*.gtf"), folder.path().join("1.gtf")]).unwrap();
    assert_eq!(twice.paths.len(), 2);
    assert!(
        expand(&[folder.path().join("*.nothing")]).unwrap_err().contains("no file has a name of this form")
    );
    // A file of that very name is itself, and no pattern.
    std::fs::write(folder.path().join("x[1].gtf"), "").unwrap();
    assert_eq!(names("x[1].gtf"), (vec!["x[1].gtf".to_owned()], false));
}
