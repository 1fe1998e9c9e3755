//! Result files, completion, colours.

use std::time::Duration;

use gt_log::{Kind, Schema};
use gt_query::gti::{Heading, Stamp, write};
use gt_query::tools::complete;
use gt_query::tools::{TokenClass, tokens};
use gt_query::{Answer, Environment, Type, Value, compile, reference};

fn result_file(query: &str, answer: &Answer) -> String {
    let heading = Heading {
        stamp: Stamp { year: 2007, month: 6, day: 12, hour: 10, minute: 5 },
        log_name: "tree12.gtf",
        query,
        time: Duration::from_micros(18_016_400),
    };
    let mut out = Vec::new();
    write(&mut out, &heading, answer).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn result_files_of_both_kinds() {
    let stat = "10:05 12.6.2007\ntree12.gtf\nnode:count(type>0)\n18.016\nstat\n1014195\n";
    assert_eq!(result_file("node:count(type>0)", &Answer::Count(1_014_195)), stat);
    let nodes =
        "10:05 12.6.2007\ntree12.gtf\nnode:type|1; child:count([]type|1)>2\n18.016\nnodes:3\n0\n17\n4711\n";
    assert_eq!(
        result_file("node:type|1;\nchild:count([]type|1)>2", &Answer::Nodes(vec![0, 17, 4711])),
        nodes
    );
}

#[test]
fn result_files_of_what_the_thesis_has_not() {
    let value = result_file("node:avg(best)", &Answer::Value(Value::float(2.5)));
    assert!(value.ends_with("18.016\nstat\n2.5\n"), "{value}");
    let answer = Answer::Rows {
        columns: vec![("@ply".into(), Type::Integer), ("label".into(), Type::Text)],
        rows: vec![
            vec![Some(Value::Integer(1)), None],
            vec![Some(Value::Integer(2)), Some(Value::text("a\tb"))],
        ],
    };
    let rows = result_file("select @ply, label", &answer);
    assert!(rows.ends_with("18.016\nrows:2\n@ply\tlabel\n1\t\n2\ta b\n"), "{rows}");
}

#[test]
fn stamps_of_seconds() {
    let day = |seconds| {
        let stamp = Stamp::of_unix_seconds(seconds);
        (stamp.year, stamp.month, stamp.day, stamp.hour, stamp.minute)
    };
    assert_eq!(day(0), (1970, 1, 1, 0, 0));
    assert_eq!(day(951_782_400), (2000, 2, 29, 0, 0));
    assert_eq!(day(1_709_251_199), (2024, 2, 29, 23, 59));
    assert_eq!(day(-1), (1969, 12, 31, 23, 59));
}

/// Completes at the `|` of a text.
fn completed(text: &str) -> Vec<String> {
    let schema = Schema::new([("type", Kind::U8), ("best", Kind::I32)])
        .and_then(|schema| schema.with_aliases([("PVNode", 1)]))
        .expect("a legal schema");
    let cursor = text.find('|').expect("a cursor");
    let found = complete(&text.replacen('|', "", 1), cursor, &schema);
    found.candidates.into_iter().map(|candidate| candidate.text).collect()
}

#[test]
fn completion_offers_what_fits() {
    let starts = |text: &str, expected: &[&str]| {
        let found = completed(text);
        assert_eq!(
            found.iter().map(String::as_str).take(expected.len()).collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    };
    starts("|", &["node:", "child:", "before:", "after:", "subtree:", "path:", "tree:", "twin(", "let"]);
    starts("no|", &["node:"]);
    starts("node: |", &["type", "best", "PVNode"]);
    starts("node: PV|", &["PVNode"]);
    starts("node: type & PVNode |", &["and", "or", "in"]);
    starts("node: type & PVNode an|", &["and"]);
    starts("node: type & PVNode; su|", &["subtree:"]);
    starts("subtree: co|", &["count(", "corr(", "contains("]);
    starts("subtree: count(d|", &["distinct"]);
    starts("node: * select best a|", &["and", "asc", "as", "after:"]);
    starts("node: i|", &["if("]);
    starts("node: @s|", &["@size"]);
    starts("node: @b|", &["@bound"]);
    starts("node: [^]@b|", &["@bound"]);
    starts("node: best i|", &["in", "is"]);
    starts("node: best is |", &["known", "unknown"]);
    starts("node: best is u|", &["unknown"]);
    starts("child: count([|", &["[]", "[<]", "[>]", "[^]", "[^^]", "[0]", "[-1]"]);
    starts("child: count([^|", &["[^]", "[^^]"]);
    starts("child: count([]b|", &["best"]);
    starts("let qsize = subtree:count(*)\nnode: q|", &["qsize"]);
    starts("node: * order |", &["by"]);
    starts("node: *\n\n|", &["node:"]);
    starts("node: count(*|", &["and"]);
    starts("node: count(*) |", &["and"]);
    assert!(completed("node: type = 1 # no|").is_empty());
    assert!(completed("node: label = \"no|").is_empty());
    assert!(completed("node: zz|").is_empty());
}

#[test]
fn colours() {
    use TokenClass as C;
    let check = |text: &str, expected: &[TokenClass]| {
        let found: Vec<TokenClass> = tokens(text).into_iter().map(|(_, class)| class).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(
        "[name]\nnode: count(type & 1)",
        &[
            C::QueryName,
            C::Keyword,
            C::Operator,
            C::Function,
            C::Operator,
            C::Name,
            C::Operator,
            C::Number,
            C::Operator,
        ],
    );
    check("max > 3", &[C::Name, C::Operator, C::Number]);
    check("@bound is known", &[C::Structure, C::Keyword, C::Keyword]);
    // A log may have an attribute of this name.
    check("known is unknown", &[C::Name, C::Keyword, C::Keyword]);
    check(
        "max(best where [<]@ply = $x)",
        &[
            C::Function,
            C::Operator,
            C::Name,
            C::Keyword,
            C::Relative,
            C::Structure,
            C::Operator,
            C::Parameter,
            C::Operator,
        ],
    );
    check("order by x desc", &[C::Keyword, C::Keyword, C::Name, C::Keyword]);
    check("label = \"a\" # c", &[C::Name, C::Operator, C::Text, C::Comment]);
    check("a && 3x ~ \"open", &[C::Name, C::Error, C::Error, C::Error, C::Error]);
}

#[test]
fn a_parameter_is_what_it_is_compared_with() {
    let (tree, _) = gt_query::plain_tree::parse(
        "attributes label:text best:i32\n0 label=\"12\" best=12\n  1 label=\"true\" best=1\n",
    )
    .expect("a tree in text");
    let environment =
        Environment::new(tree.schema()).with_parameter_text("x", "12").with_parameter_text("y", "true");
    let ask = |text: &str| {
        let program = compile(text, &environment).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        reference::answer(&program, &tree).remove(0).expect("no overflow")
    };
    assert_eq!(ask("node: label = $x"), Answer::Nodes(vec![0]));
    assert_eq!(ask("node: best = $x"), Answer::Nodes(vec![0]));
    assert_eq!(ask("node: $y = label"), Answer::Nodes(vec![1]));
    assert_eq!(ask("node: label in ($x, \"b\", $y)"), Answer::Nodes(vec![0, 1]));
    assert_eq!(ask("node: $x in (\"12\", label)"), Answer::Nodes(vec![0, 1]));
    assert_eq!(ask("node: $x in (label, $y)"), Answer::Nodes(vec![0]));
    assert_eq!(ask("node: $x in (best, 1)"), Answer::Nodes(vec![0]));
    assert_eq!(ask("node: $y and best < $x"), Answer::Nodes(vec![1]));
}
