//! Long chains of derived columns, each of which reads the one before it twice: what takes twice as long with every
//! link never ends, so that these tests end is what they show.

use crate::engine_support::{Cut, answers, log_of};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, compile, engine, reference};

const LINKS: usize = 60;

fn tree() -> PlainTree {
    let text = "attributes best:i32 type:u8\n\
                0 best=5 type=1\n  1 best=3 type=0\n    1 best=-3 type=1\n    2 best=-1 type=0\n  2 best=4 type=1\n";
    gt_query::plain_tree::parse(text).expect("a tree in text").0
}

/// A chain: its first link, and every other as a function of the one before.
fn chain(first: &str, link: impl Fn(&str, usize) -> String, query: &str) -> String {
    let mut text = format!("let v0 = {first}\n");
    for number in 1..LINKS {
        text += &format!("let v{number} = {}\n", link(&format!("v{}", number - 1), number));
    }
    text + &query.replace("LAST", &format!("v{}", LINKS - 1))
}

fn chains() -> Vec<String> {
    let both = |before: &str, number: usize| format!("{before} and ({before} or type > {number})");
    let either = |before: &str, number: usize| format!("(not {before} or type > {number}) and {before}");
    vec![
        chain("best", |before, _| format!("{before} - {before} + {before} % 7"), "node: LAST > 3"),
        chain("best & 1", |before, _| format!("{before} | {before} & 1"), "node: LAST > 0"),
        chain("best - best", |before, _| format!("{before} + {before}"), "node: LAST = 0 select LAST"),
        chain(
            "best & 1",
            |before, _| format!("-({before} - 2 * {before})"),
            "group by type select type, sum(LAST)",
        ),
        chain("best & 1", |before, _| format!("abs({before}) * {before}"), "node: LAST = 1 order by LAST"),
        chain("best > 0", both, "select count(LAST)"),
        chain("best > 0", both, "node: LAST and LAST"),
        chain("best > 0", either, "child: count([]LAST) > 0"),
        chain("best > 0", either, "subtree: any(LAST)"),
        chain("best > 0", |before, _| format!("{before} or not {before}"), "path: count(LAST) = 1"),
        chain(
            "best & 1",
            |before, _| format!("subtree: max({before}) + min({before}) & 1"),
            "node: count(LAST = 1)",
        ),
        chain(
            "best > 0",
            |before, _| format!("subtree: any({before}) or all({before})"),
            "node: count(LAST)",
        ),
        chain(
            "best & 1",
            |before, _| format!("child: sum({before}) & 1 + max({before}) & 1"),
            "node: LAST = 1",
        ),
        chain("best & 1", |before, _| format!("[^]{before} + [<]{before} & 1"), "node: LAST >= 0"),
        chain(
            "best & 1",
            |before, _| format!("path: count({before} = 1) + count({before} = 0)"),
            "node: LAST > 1",
        ),
    ]
}

#[test]
fn chains_are_answered_alike() {
    let tree = tree();
    for text in chains() {
        let program = compile(&text, &Environment::new(tree.schema()))
            .unwrap_or_else(|errors| panic!("{}", gt_query::render_all(&errors, "chain", &text)));
        let expected = reference::answer(&program, &tree);
        for rows in [1, 2, 100] {
            let log = log_of(&tree, Cut::rows(rows));
            assert_eq!(answers(&program, &log, 2), expected, "{text}");
            assert!(!engine::explain(&program, log.tree(0).expect("a tree")).is_empty());
        }
        assert_eq!(crate::support::live(&program, &tree), expected, "{text}");
    }
}
