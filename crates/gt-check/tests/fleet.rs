//! Checks of a suite on logs that it does not name.

use gt_check::{Checks, Moves, PlainCheck};
use gt_log::{Artificial, Log, LogWriter, Options, Shape};
use gt_query::{MoveCodec, engine};

/// Moves are numbers.
struct Numbers;

impl Moves for Numbers {
    fn codec<'a>(&self, _: &'a Log) -> Option<Box<dyn MoveCodec + 'a>> {
        None
    }
}

/// Two full trees of 1 + 3 + 9 nodes.
fn log() -> Log {
    let writer = LogWriter::to_memory(Artificial::header().unwrap()).unwrap();
    for seed in 0..2 {
        let tree = Artificial { shape: Shape::Full, depth: 2, branching: 3, seed };
        tree.write(&writer, Options::default(), |_| {}).unwrap();
    }
    Log::from_bytes(writer.into_memory().unwrap()).unwrap()
}

fn check(name: &str, query: &str, of: Option<&str>, expect: &str, over: &str) -> PlainCheck {
    PlainCheck {
        name: name.to_owned(),
        query: query.to_owned(),
        of: of.map(str::to_owned),
        expect: expect.to_owned(),
        over: over.to_owned(),
        ..PlainCheck::default()
    }
}

#[test]
fn numbers_are_judged_tree_by_tree_and_together() {
    let checks = Checks::of_plain(vec![
        check("leaves", "node: @children = 0", None, ">= 69% of nodes", ""),
        check("quotient", "node: @children = 0", Some("node: @ply = 1"), "= 3", "worst"),
        check("all", "node: count(*)", None, "= 26", "sum"),
        check("wrong", "node: beast", None, "= 0", ""),
    ]);
    let checks = checks.unwrap();
    let found = checks.on_log(&log(), &Numbers, &engine::Options::default()).unwrap();
    assert_eq!(found.len(), 8);
    for number in &found {
        match number.check {
            0 => {
                let (compared, holds) = number.judged.unwrap();
                assert!((compared - 900.0 / 13.0).abs() < 1e-9 && holds, "{number:?}");
            }
            1 => {
                assert_eq!(
                    (number.number, number.of, number.judged),
                    (Some(9.0), Some(3.0), Some((3.0, true)))
                )
            }
            2 => assert_eq!((number.number, number.judged, number.nodes), (Some(13.0), None, 13)),
            _ => assert!(number.judged.is_none() && number.sentence.as_ref().unwrap().contains("beast")),
        }
    }
    assert_eq!(checks.sum(2, 26.0, None, 26), Some((26.0, true)));
    assert_eq!(checks.sum(2, 27.0, None, 26), Some((27.0, false)));
    assert_eq!(checks.sum(1, 1.0, Some(0.0), 26), None);
}

#[test]
fn a_suite_is_read_without_its_logs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.toml");
    let text = "[[log]]\nfile = \"not here.gtf\"\n[[check]]\nname = \"a\"\nquery = \"node: best > $x\"\n\
                param = { x = 3 }\nexpect = \"= 0\"\n";
    std::fs::write(&path, text).unwrap();
    let checks: Vec<PlainCheck> = Checks::read(&path).unwrap().plain().collect();
    let expected = PlainCheck {
        parameters: vec![("x".to_owned(), "3".to_owned())],
        ..check("a", "node: best > $x", None, "= 0", "each tree")
    };
    assert_eq!(checks, [expected]);
    std::fs::write(&path, text.replace("\"= 0\"", "\"same as baseline\"")).unwrap();
    assert!(Checks::read(&path).unwrap_err().to_string().contains("no baseline"));
    std::fs::write(&path, "").unwrap();
    assert!(Checks::read(&path).unwrap_err().to_string().contains("no `[[check]]`"));
}

#[test]
fn what_is_no_check_is_refused() {
    for (wrong, sentence) in [
        (check("a", "node: count(*)", None, "about 3", ""), "begins with no comparison"),
        (check("a", "node: count(*)", None, "= 3", "some"), "`over` is"),
        (check("a", "node: count(*)", None, ">= 3%", ""), "a percentage of what"),
        (check("a", "node: count(*)", None, "within 3 of baseline", ""), "no baseline"),
    ] {
        assert!(Checks::of_plain(vec![wrong]).unwrap_err().contains(sentence), "{sentence}");
    }
}
