//! Result files: what was written is read again, and no text breaks the reader.

use std::time::Duration;

use gt_query::gti::{self, Content, Heading, NoNodes, ResultFile, Stamp};
use gt_query::{Answer, Type, Value};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        Just(None),
        any::<i64>().prop_map(|number| Some(Value::Integer(number.into()))),
        any::<f64>().prop_map(Value::float),
        any::<bool>().prop_map(|truth| Some(Value::Boolean(truth))),
        "\\PC{0,6}|a\tb\nc\r".prop_map(|text: String| Some(Value::Text(text.into()))),
    ]
}

fn answers() -> impl Strategy<Value = Answer> {
    let rows = (1..4_usize).prop_flat_map(|width| {
        let heading = "[a-z@\t]{1,5}".prop_map(|heading| (heading, Type::Integer));
        let headings = proptest::collection::vec(heading, width);
        (headings, proptest::collection::vec(proptest::collection::vec(values(), width), 0..5))
    });
    prop_oneof![
        any::<u64>().prop_map(Answer::Count),
        values().prop_map(Answer::Value),
        proptest::collection::vec(any::<u64>(), 0..20).prop_map(Answer::Nodes),
        rows.prop_map(|(columns, rows)| Answer::Rows { columns, rows }),
    ]
}

/// As the file has it: on one line, without tabs.
fn line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

fn expected(answer: &Answer) -> Content {
    let cell =
        |value: &Option<Value>| value.as_ref().map_or_else(String::new, |value| line(&value.to_string()));
    match answer {
        Answer::Count(count) => Content::Stat(count.to_string()),
        Answer::Value(value) => Content::Stat(cell(value)),
        Answer::Nodes(ids) => Content::Nodes(ids.clone()),
        Answer::Rows { columns, rows } => Content::Rows {
            headings: columns.iter().map(|(heading, _)| line(heading)).collect(),
            rows: rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
        },
    }
}

fn read(text: &str) -> Result<ResultFile, String> {
    gti::read(text.as_bytes()).map_err(|error| error.to_string())
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        answer in answers(),
        seconds in 0..3_000_000_000_i64,
        log_name in "\\PC{0,8}",
        query in "node: [a-z\n\t]{0,8}",
        millis in 0..100_000_u64,
        crlf in any::<bool>(),
    ) {
        let heading = Heading {
            stamp: Stamp::of_unix_seconds(seconds),
            log_name: &log_name,
            query: &query,
            time: Duration::from_millis(millis),
        };
        let mut bytes = Vec::new();
        gti::write(&mut bytes, &heading, &answer).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let file = read(&text).unwrap();
        prop_assert_eq!(file.content, expected(&answer));
        prop_assert_eq!((file.stamp, file.time), (heading.stamp, heading.time));
        prop_assert_eq!((file.log_name, file.query), (line(&log_name), line(&query)));
    }

    /// Any text is a result file or refused; one that is cut off in the middle of its lines is refused.
    #[test]
    fn no_text_breaks_the_reader(head in 0..6_usize, rest in "(\\PC{0,9}|[0-9]{1,9})(\n[0-9]{0,3}){0,4}") {
        let lines = ["1:02 3.4.2005", "x.gtf", "node: *", "0.001", "nodes:7"];
        let text = lines[..head.min(5)].iter().map(|line| format!("{line}\n")).collect::<String>() + &rest;
        if let Ok(file) = read(&text) {
            prop_assert!(head >= 4, "{text:?} is read as {file:?}");
            let _ = file.node_ids();
        }
    }
}

#[test]
fn the_files_of_the_thesis_are_read() {
    let stat = read("10:48 12.6.2007\ntree12.gtf\nnode:count(type>0)\n18.016\nstat\n1014195\n").unwrap();
    assert_eq!(stat.stamp, Stamp { year: 2007, month: 6, day: 12, hour: 10, minute: 48 });
    assert_eq!(stat.time, Duration::from_millis(18_016));
    assert_eq!(stat.content, Content::Stat("1014195".to_owned()));
    assert_eq!(stat.node_ids(), Err(NoNodes::Stat));
    let with_colon = read("10:48 12.6.2007\nt.gtf\nq\n1\nstat:\n5").unwrap();
    assert_eq!(with_colon.content, Content::Stat("5".to_owned()));
    let nodes = read("11:27 13.6.2007\ntree12.gtf\nnode:type|1\n15.157\nnodes:2\n17\n4711\n\n").unwrap();
    assert_eq!(nodes.node_ids(), Ok(vec![17, 4711]));
}

#[test]
fn rows_name_nodes_by_their_column() {
    let file = |rest: &str| read(&format!("1:02 3.4.2005\nx.gtf\nq\n0.1\n{rest}")).unwrap();
    assert_eq!(file("rows:2\nbest\tnode_id\n7\t3\n\t9\n").node_ids(), Ok(vec![3, 9]));
    assert_eq!(file("rows:1\nbest\n7\n").node_ids(), Err(NoNodes::NoColumn));
    assert_eq!(file("rows:2\nbest\tnode_id\n7\t3\n\tx\n").node_ids(), Err(NoNodes::Cell(2)));
    // Where one cell is all there is, an unknown value is an empty line.
    let Content::Rows { rows, .. } = file("rows:2\nbest\n\n7\n").content else { panic!("rows") };
    assert_eq!(rows, [[""], ["7"]]);
}

#[test]
fn errors_name_the_line() {
    let head = "1:02 3.4.2005\nx.gtf\nq\n0.1\n";
    for (text, error) in [
        ("", "it ends before line 1, which should be a time and date as in `10:48 12.6.2007`"),
        ("25:00 1.1.2000\n", "line 1 is not a time and date"),
        ("1:02 3.4.2005\nx.gtf\nq\n-1\n", "line 4 is not the seconds that the query took"),
        (&format!("{head}node:1\n"), "line 5 is not `stat`, `nodes:N` or `rows:N`"),
        (&format!("{head}nodes:-1\n"), "line 5 is not `stat`, `nodes:N` or `rows:N`"),
        (&format!("{head}nodes:2\n5\n"), "it ends before line 7, which should be a node_id"),
        (&format!("{head}nodes:99999999999999999\n5\n"), "it ends before line 7"),
        (&format!("{head}nodes:1\n5\n6\n"), "line 7 is not blank"),
        (&format!("{head}nodes:1\nx\n"), "line 6 is not a node_id"),
        (&format!("{head}rows:1\na\tb\n1\n"), "line 7 is not a row with a cell for each heading"),
    ] {
        let found = read(text).unwrap_err();
        assert!(found.starts_with(error), "{text:?}: {found}");
    }
    let error = gti::read(&b"\xff\xfe\n"[..]).unwrap_err().to_string();
    assert_eq!(error, "it is not text in UTF-8, so it is no result file");
}
