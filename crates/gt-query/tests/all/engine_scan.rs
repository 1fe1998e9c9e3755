//! Queries that are answered by scans of whole columns: that they are, and that they agree with the reference.

use crate::engine_support::{Cut, log_of};
use gt_query::engine::{self, Finding, Options};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Program, Value, compile, reference};
use proptest::prelude::*;
use proptest::sample::select;

fn program(tree: &PlainTree, text: &str) -> Program {
    let environment = Environment::new(tree.schema()).with_parameter("x", Value::Integer(2));
    compile(text, &environment).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// A test of small integers and what they are in their window, in a part of a query.
fn test(part: &str) -> BoxedStrategy<String> {
    let prefix = match part {
        "child" => vec!["[]", "[]", ""],
        // Ancestors tell nothing of their own parents to a scan.
        "path" => vec![""],
        _ => vec!["", "", "", "[^]"],
    };
    let field = select(vec!["best", "type", "limit", "last_move", "@size", "@ply"]);
    let operator = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let constant = (-6..7_i32).prop_map(|value| value.to_string());
    let known = || select(vec!["is known", "is unknown"]);
    let bound = (
        select(prefix.clone()),
        select(vec!["=", "!=", "<=", ">"]),
        select(vec!["exact", "lower", "upper", "m"]),
    );
    let any = (select(prefix.clone()), select(vec!["flag", "label", "@bound", "best", "limit"]));
    let number = (select(prefix), field).prop_map(|(prefix, field)| format!("{prefix}{field}"));
    let atom = prop_oneof![
        1 => bound.prop_map(|(prefix, operator, kind)| format!("{prefix}@bound {operator} \"{kind}\"")),
        1 => (any, known()).prop_map(|((prefix, field), known)| format!("{prefix}{field} {known}")),
        1 => (number.clone(), number.clone(), known()).prop_map(|(a, b, known)| format!("({a} - {b}) {known}")),
        4 => (number.clone(), operator.clone(), constant).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
        2 => (number.clone(), operator.clone(), number.clone()).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
        1 => (number.clone(), number.clone(), operator).prop_map(|(a, b, o)| format!("({a} + 2 * {b}) {o} 5")),
        1 => number.clone().prop_map(|a| format!("{a} & PVNode")),
        1 => number.clone().prop_map(|a| format!("{a} & 6 = 0")),
        1 => number.prop_map(|a| format!("{a} in (1, 3)")),
        1 => Just("*".to_owned()),
    ];
    let joins = select(vec!["", " and ", " or ", "not", "nor", "known"]);
    (atom.clone(), joins, atom)
        .prop_map(|(a, join, b)| match join {
            "" => a,
            "not" => format!("not ({a})"),
            "nor" => format!("not (({a}) or not ({b}))"),
            "known" => format!("(({a}) and ({b})) is unknown"),
            join => format!("({a}){join}({b})"),
        })
        .boxed()
}

fn part(scope: &'static str) -> BoxedStrategy<String> {
    let child = scope == "child";
    let filter =
        prop_oneof![2 => Just(String::new()), 1 => test(scope).prop_map(|test| format!(" where {test}"))];
    let operator = select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let extremes = (select(vec!["min", "max"]), select(vec!["best", "type"]), filter.clone());
    let own = if child { "[]" } else { "" };
    prop_oneof![
        4 => (test(scope), filter.clone(), operator.clone(), -1..6_i32)
            .prop_map(|(test, filter, operator, value)| format!("count({test}{filter}) {operator} {value}")),
        1 => (operator.clone(), 0..6_i32).prop_map(|(operator, value)| format!("count(*) {operator} {value}")),
        2 => (extremes, operator.clone(), -6..7_i32).prop_map(move |((function, field, filter), operator, value)| {
            format!("{function}({own}{field}{filter}) {operator} {value}")
        }),
        1 => (select(vec!["any", "all"]), test(scope), filter)
            .prop_map(|(function, test, filter)| format!("{function}({test}{filter})")),
        1 => (test(scope), operator, test(scope)).prop_map(|(a, o, b)| format!("count({a}) {o} count({b}) + 1")),
    ]
    .boxed()
}

fn query() -> impl Strategy<Value = String> {
    let optional = |scope: &'static str| prop_oneof![1 => Just(String::new()), 1 => part(scope).prop_map(move |part| format!("{scope}: {part}; "))];
    let node = prop_oneof![
        2 => test("node").prop_map(|test| format!("node: count({test}); ")),
        1 => test("node").prop_map(|test| format!("node: {test}; ")),
    ];
    (node, optional("child"), optional("subtree"), optional("path"))
        .prop_map(|(node, child, subtree, path)| format!("{node}{child}{subtree}{path}"))
}

/// Rows and groups of what scans can compute.
fn shown() -> impl Strategy<Value = String> {
    let number = || {
        let own = vec!["best", "type + 1", "@ply", "@size - 1", "@children", "below", "-last_move"];
        prop_oneof![4 => select(own), 1 => select(vec!["[^]best", "limit - [^]type"])]
    };
    let cell = || prop_oneof![4 => number(), 1 => select(vec!["@line", "@parent", "label", "ratio", "flag", "busy", "@bound"])];
    let limit =
        prop_oneof![1 => Just(String::new()), 2 => (0..6_u32).prop_map(|limit| format!(" limit {limit}"))];
    let direction = || select(vec!["", " desc"]);
    let order = prop_oneof![
        1 => Just(String::new()),
        2 => (number(), direction()).prop_map(|(key, direction)| format!(" order by {key}{direction}")),
        1 => (number(), direction(), select(vec!["label", "ratio", "flag", "@parent", "best"])).prop_map(|(a, direction, b)| format!(" order by {a}{direction}, {b}")),
    ];
    let filter =
        prop_oneof![2 => Just(String::new()), 1 => test("node").prop_map(|test| format!(" where {test}"))];
    let fold = (select(vec!["sum", "min", "max", "avg"]), number(), filter.clone())
        .prop_map(|(function, number, filter)| format!("{function}({number}{filter})"));
    let truth = || {
        (select(vec!["count", "any", "all"]), test("node"), filter.clone())
            .prop_map(|(function, test, filter)| format!("{function}({test}{filter})"))
    };
    let key = || prop_oneof![4 => number(), 1 => select(vec!["flag", "best > 2", "busy", "@bound", "[^]best > best"])];
    let rows = (cell(), cell(), order, limit.clone())
        .prop_map(|(a, b, order, limit)| format!(" select node_id, {a}, {b}{order}{limit}"));
    let groups = (key(), key(), fold.clone(), truth(), limit).prop_map(|(a, b, fold, truth, limit)| {
        format!(" group by {a}, {b} select {a}, count(*), {fold}, {truth} order by {fold} desc{limit}")
    });
    let one_key =
        (key(), truth()).prop_map(|(key, truth)| format!(" group by {key} select {key}, {truth}, count(*)"));
    let all = fold.prop_map(|fold| format!(" select {fold}, count(*)"));
    (test("node"), part("subtree"), prop_oneof![3 => rows, 2 => groups, 1 => one_key, 1 => all]).prop_map(|(test, part, shown)| {
        format!("let below = subtree: count(type = 1)\nlet busy = subtree: count(*) > 2\nnode: {test}; subtree: {part}{shown}")
    })
}

proptest! {
    #![proptest_config(crate::support::cases(1000))]

    #[test]
    fn scans_agree_with_the_reference(
        queries in proptest::collection::vec(query(), 1..4),
        tree in crate::support::random::tree(150),
        rows in select(vec![1_usize, 2, 3, 5, 7, 20, 63, 64, 65, 200]),
        at_every_enter in select(vec![0, 0, 0, 3]),
        threads in 1..4_usize,
    ) {
        let tree = tree.0;
        let program = program(&tree, &queries.join("\n\n"));
        let log = log_of(&tree, Cut { rows, at_every_enter, compact: false });
        let expected = reference::answer(&program, &tree);
        let options = Options { threads, ..Options::default() };
        let found = engine::run(&program, log.tree(0).unwrap(), &options).unwrap();
        for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found.answers) {
            prop_assert_eq!(found, expected, "{}", query.text);
        }
    }

    #[test]
    fn rows_and_groups_agree_with_the_reference(
        text in shown(),
        tree in crate::support::random::tree(150),
        rows in select(vec![1_usize, 3, 7, 20, 64, 200]),
        threads in 1..4_usize,
    ) {
        let tree = tree.0;
        let program = program(&tree, &text);
        let log = log_of(&tree, Cut::rows(rows));
        let options = Options { threads, ..Options::default() };
        let found = engine::run(&program, log.tree(0).unwrap(), &options).unwrap();
        prop_assert_eq!(&found.answers, &reference::answer(&program, &tree), "{}", text);
    }
}

/// The tree of the thesis's 5.1 in small, with a type that varies.
fn varied() -> PlainTree {
    let mut tree = PlainTree::new(crate::support::random::schema());
    let values = |number: usize| {
        let integer = |value: usize| Some(Value::Integer(value as i128));
        let float = Value::float(0.5);
        let (alpha, beta) = (integer(number % 4), integer(number % 7));
        let first = [integer(number % 3), integer(number % 10), integer(1), integer(2), float, None, None];
        first.into_iter().chain([integer(0), alpha, beta]).collect()
    };
    let mut path: Vec<usize> = Vec::new();
    for number in 0..5000 {
        path.truncate((number * 7919) % 12);
        path.push(tree.push(path.last().copied().or((number > 0).then_some(0)), 1, values(number)).unwrap());
    }
    tree
}

#[test]
fn the_plan_says_how() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(512));
    let explained = |text: &str| engine::explain(&program(&tree, text), log.tree(0).unwrap());
    for (text, expected) in [
        ("subtree: count(*) > 300", "size is in 302 to"),
        ("child: count(*) > 0", "size is in 2 to"),
        ("child: count(*) > 0; subtree: count(*) > 300", "matches where size is in 302 to"),
        ("node: best = 2 select node_id limit 5", "ends with the first blocks"),
        ("node: best > 2 and best < 7", "matches where best is in 3 to 6\n"),
        ("node: best < 3 or best = 4 or best = 3", "matches where best is in 0 to 4\n"),
        ("child: count([]type = type) > 1", "the number of children with [type = the parent's type]"),
        ("subtree: max(best) > 8", "ranks of the bitmap [best is 9]"),
        ("path: count(best = 0) > 2", "a running sum from above"),
        ("subtree: sum(best) > 10", "the sum of best of the descendants"),
        ("node: [<]best = 2", "the sibling's at -1 best"),
        ("child: avg([]ratio) > 1", "folded at each node"),
        ("let a = subtree:count(best = 1)\npath: max(a) > 1", "max over the ancestors, folded downward"),
    ] {
        let plan = explained(text);
        assert!(plan.contains(expected), "{text}:\n{plan}");
    }
}

/// Written out in their places, the folds of a chain double with each link.
#[test]
fn the_plan_tells_each_fold_of_a_chain_once() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(512));
    let links = (1..32).fold("let a0 = child: max([]best)\n".to_owned(), |text, link| {
        format!("{text}let a{link} = child: max([]a{})\n", link - 1)
    });
    // The tree has too few plies for a link that is known.
    let text = format!("{links}node: a2 > 3 or a31 is unknown");
    let plan = engine::explain(&program(&tree, &text), log.tree(0).unwrap());
    assert!(plan.contains("  #1 is the max of best of the children, folded at each node\n"), "{plan}");
    assert!(
        plan.contains("  #2 is the max of #1 where #1 is known, of the children, folded at each node\n"),
        "{plan}"
    );
    assert!(plan.lines().skip(1).all(|line| line.len() < 200), "{plan}");
    let alone = engine::explain(&program(&tree, "subtree: sum(best) > 10"), log.tree(0).unwrap());
    assert!(!alone.contains('#'), "a fold that stands alone is told in its place:\n{alone}");
}

#[test]
fn a_survey_comes_first_only_where_values_flow_down() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(100));
    for (text, is_first) in [
        ("let a = tree: avg(best) node: best > a", false),
        ("twin(best): count([]type = type) > 1", false),
        ("let a = tree: avg(best) node: [^]best > a", true),
        ("path: max(best) > 3", true),
        // All nodes have the same `big`, so this asks for children.
        ("child: count([]big = big) > 0", false),
    ] {
        let program = program(&tree, text);
        let plan = engine::explain(&program, log.tree(0).unwrap());
        assert_eq!(plan.contains("after a survey"), is_first, "{text}:\n{plan}");
        let stats = engine::run(&program, log.tree(0).unwrap(), &Options::default()).unwrap().stats;
        assert_eq!(stats.seconds.iter().any(|(part, _)| part == "survey"), is_first, "{text}");
    }
}

#[test]
fn heads_alone_can_decide() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(100));
    let run = |text: &str| {
        engine::run(&program(&tree, text), log.tree(0).unwrap(), &Options::default()).unwrap().stats
    };
    let stats = run("node: count(best > 100)");
    assert_eq!((stats.blocks_read, stats.bytes_read), (0, 0), "no block can have such a node");
    assert_eq!(run("node: count(*)").bytes_read, 0);
    let stats = run("node: count(best = 3)");
    assert_eq!(stats.columns_decoded, stats.blocks, "one column of each block");
    // All queries of a file share what is decoded.
    let alone = run("node: count(*); subtree: count(best = 0) > 3").bytes_read;
    let together = run(
        "node: count(*); subtree: count(best = 0) > 3\n\nnode: count(best = 0); subtree: count(best > 3) > 3",
    );
    assert_eq!(together.bytes_read, alone);
}

#[test]
fn matches_are_counted_and_read_in_order() {
    let tree = varied();
    for text in [
        "node: *",
        "node: best = 0",
        "node: best = 0 and @ply < 3",
        "node: best = 0 and [<]best = 9",
        "node: best > 4; child: count(*) > 0",
        "subtree: count(best = 0) > 2",
        "node: best > 99",
    ] {
        let program = program(&tree, text);
        let Ok(gt_query::Answer::Nodes(expected)) = reference::answer(&program, &tree).remove(0) else {
            panic!("{text} collects")
        };
        for (rows, threads) in [(1, 1), (7, 2), (300, 3), (100_000, 1)] {
            let log = log_of(&tree, Cut::rows(rows));
            let options = Options { threads, ..Options::default() };
            let mut findings = engine::find(&program, log.tree(0).unwrap(), &options).unwrap();
            let Ok(Finding::Matches(matches)) = findings.found.remove(0) else { panic!("{text} collects") };
            assert_eq!(findings.stats.matches, [expected.len() as u64]);
            assert_eq!(matches.count(), expected.len() as u64, "{text}");
            assert_eq!(matches.iter(&options).map(Result::unwrap).collect::<Vec<_>>(), expected, "{text}");
            for count in [0, 1, 5] {
                let first = &expected[..count.min(expected.len())];
                assert_eq!(matches.first(count, &options).unwrap(), first, "{text}");
            }
            let ids = matches.ids(&options).unwrap();
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{text}");
            assert_eq!(ids.into_vec(threads), expected, "{text}");
        }
        let log = log_of(&tree, Cut::rows(300));
        let options = Options { count_only: true, ..Options::default() };
        let outcome = engine::run(&program, log.tree(0).unwrap(), &options).unwrap();
        assert_eq!(outcome.answers, [Ok(gt_query::Answer::Count(expected.len() as u64))]);
    }
}

/// To know how many match, and which come first, takes no more of the log than that.
#[test]
fn node_ids_are_made_when_they_are_read() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(50));
    let tree_of_log = log.tree(0).unwrap();
    let run = |text: &str| {
        engine::find(&program(&tree, text), tree_of_log, &Options::default()).unwrap().stats.columns_decoded
    };
    assert!(tree_of_log.block_count() > 10);
    assert_eq!(run("node: best = 0"), run("node: count(best = 0)"));
    assert_eq!(run("node: *"), 0);
}

#[test]
fn a_run_can_be_stopped() {
    let tree = varied();
    let log = log_of(&tree, Cut::rows(64));
    let cancel = std::sync::atomic::AtomicBool::new(true);
    for text in ["node: best = 0", "node: [<]best = 0"] {
        for threads in [1, 2] {
            let options = Options { threads, cancel: Some(&cancel), ..Options::default() };
            let stopped = engine::run(&program(&tree, text), log.tree(0).unwrap(), &options);
            assert!(matches!(stopped, Err(engine::Failure::Cancelled)));
        }
    }
}

#[test]
fn another_schema_is_refused() {
    let tree = varied();
    let (other, _) = gt_query::plain_tree::parse("root x=1\n").unwrap();
    let log = log_of(&other, Cut::rows(64));
    let refused = engine::run(&program(&tree, "node: limit = 0"), log.tree(0).unwrap(), &Options::default());
    assert!(matches!(refused, Err(engine::Failure::OtherSchema)));
}

/// Every node above the last level has two children, as in the thesis's Tree 1.
fn binary(depth: usize) -> PlainTree {
    let mut tree = PlainTree::new(crate::support::random::schema());
    let mut random = 7_u64;
    let mut open: Vec<(usize, usize)> = Vec::new();
    loop {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let integer = |value: u64| Some(Value::Integer(value.into()));
        let (best, kind) = (integer((random >> 33) % 10), integer(1 + (random >> 40) % 2));
        let window = [integer((random >> 45) % 8), integer((random >> 50) % 12)];
        let first = [kind, best, integer(1), integer(2), Value::float(0.5), None, None, integer(0)];
        let values = first.into_iter().chain(window).collect();
        let number = tree.push(open.last().map(|&(node, _)| node), 1, values).unwrap();
        open.push((number, 2));
        while open.len() > depth || open.last().is_some_and(|&(_, left)| left == 0) {
            open.pop();
        }
        match open.last_mut() {
            Some((_, left)) => *left -= 1,
            None => return tree,
        }
    }
}

#[test]
fn blocks_of_ordinary_size_agree() {
    let queries = [
        "node:count(*); child:count(type=[]type)>0",
        "node:count(best=0); child:count(type=[]type)=1; subtree:count(*)>30",
        "subtree:count(best=0)>3",
        "subtree:count(best=0)=0",
        "subtree:count(best=0)<2",
        "subtree:count(best=0)!=1",
        "subtree:max(best)>8",
        "subtree:min(best)=2",
        "subtree:max(best)<=5",
        "subtree:all(best>0)",
        "subtree:any(best=3 where type=1)",
        "subtree:sum(best)>40",
        "path:count(best=0)>1",
        "path:max(best)=9",
        "node:best=0",
        "node:@ply=7 and type=2",
        "node:@bound=\"exact\" or not @bound=\"lower\" and [^]best is unknown",
        "child:count([]@bound>\"exact\")>1; subtree:count([^]@bound=\"exact\")>3 or max(best where @bound=\"upper\")=9",
        "node:best>[^]best",
        "node:@unfinished or not @unfinished and best=0; subtree:count(not @unfinished)>2; path:count(@unfinished)=0",
        "node:[^]best=0 and [^]@size>20 or best+[^]type in (3,4)",
        "subtree:count(best>[^]best)>3",
        "child:count([]best=0)>0; subtree:max(best where [^]type & 1)>8",
        "child:max([]best)>best",
        "child:count([]best=best)>=1; path:count(type=1)<5",
        "let small = subtree:count(best=0)\nnode: small * 2 > @size - 40; child: count([]small = 0) = 1",
    ];
    for tree in [varied(), binary(11)] {
        let program = program(&tree, &queries.join("\n\n"));
        let expected = reference::answer(&program, &tree);
        for (rows, compact) in [(100, false), (1000, false), (1024, true), (8192, false)] {
            let log = log_of(&tree, Cut { rows, at_every_enter: 0, compact });
            let options = Options { threads: 2, ..Options::default() };
            let found = engine::run(&program, log.tree(0).unwrap(), &options).unwrap();
            // An extreme against a number of the node goes node by node.
            for ((query, expected), found) in program.queries.iter().zip(&expected).zip(&found.answers) {
                assert!(found == expected, "{} with blocks of {rows}", query.text);
            }
        }
    }
}

/// Conditions on several columns, each asked by itself: the later ones only of the rows that the earlier ones leave.
#[test]
fn conditions_on_several_columns_agree() {
    let queries = [
        "node: best = 0 and @size > 300",
        "node: @size > 60 and type = 2",
        "node: best in (3, 5) and @size <= 3",
        "node: @size > 1 and best & 1 and type & 2",
        "node: type = 1 and best > 5 and @size = 7",
        "node: best > 2 and best < 5 and @size >= 15",
        "node: best = 4 and @size > 100000",
        "node: not best = 0 and @size > 1000",
        "node: @size < 1000 and best != 0",
        "node: count(best = 0); subtree: count(*) > 300",
    ];
    for tree in [varied(), binary(14)] {
        for query in queries {
            let program = program(&tree, query);
            let expected = reference::answer(&program, &tree);
            for (rows, compact) in [(1000, false), (1024, true), (4096, false), (20_000, true)] {
                let log = log_of(&tree, Cut { rows, at_every_enter: 0, compact });
                let found = engine::run(&program, log.tree(0).unwrap(), &Options::default()).unwrap();
                assert!(found.answers == expected, "{query} with blocks of {rows}");
            }
        }
    }
}
