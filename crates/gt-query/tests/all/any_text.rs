//! Whatever the text: no panic, no hang, every error in its place, and all tools work on it.

use gt_query::tools::ast::{
    Arithmetic, Comparison, Expr, ExprKind, Item, Operation, Query, QueryFile, Scope, Selected,
};
use gt_query::tools::complete;
use gt_query::tools::parse;
use gt_query::tools::tokens;
use gt_query::tools::vocabulary::{Function, Part, Relative, WORDS, operations};
use gt_query::{Environment, Span, compile, render};
use proptest::prelude::*;
use proptest::sample::select;

/// Everything that can be done with a text.
fn survive(text: &str) {
    let schema = crate::support::random::schema();
    if let Err(errors) = compile(text, &Environment::new(&schema)) {
        assert!(!errors.is_empty());
        for error in &errors {
            assert!(
                error.span.start <= error.span.end && error.span.end <= text.len(),
                "{error:?} in {text:?}"
            );
            assert!(render(error, "text", text).starts_with("error: "));
        }
    }
    let pieces = tokens(text);
    assert!(pieces.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start), "{pieces:?} in {text:?}");
    for cursor in 0..=text.len() {
        let found = complete(text, cursor, &schema);
        assert!(found.start <= cursor && text.is_char_boundary(found.start), "{found:?} in {text:?}");
    }
}

/// Pieces that queries are made of, and some that they are not.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<&str> = WORDS.iter().map(|word| word.spelling).collect();
    let signs = vec![
        ":",
        ";",
        ",",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "'",
        "#",
        "$x",
        "@",
        "$",
        "\n",
        "\n\n",
        "\t",
        "\r\n",
        "[name]\n",
        "1",
        "2.5",
        "1e999",
        "9223372036854775808",
        "99999999999999999999",
        "=>",
        "&&",
        "é",
        "\u{0}",
        "\\",
        "let q = ",
        "type",
        "best",
        "node:",
    ];
    prop_oneof![
        3 => select(words).prop_map(|word| format!("{word} ")),
        3 => select(signs).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(crate::support::cases(1000))]

    #[test]
    fn random_characters(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_pieces(pieces in proptest::collection::vec(piece(), 0..30)) {
        survive(&pieces.concat());
    }

    #[test]
    fn queries_with_a_slip(
        text in crate::support::random::query_file(),
        at in any::<prop::sample::Index>(),
        length in 0..6_usize,
        inserted in piece(),
    ) {
        let characters: Vec<char> = text.chars().collect();
        let start = at.index(characters.len());
        let end = (start + length).min(characters.len());
        let slipped: String =
            characters[..start].iter().copied().chain(inserted.chars()).chain(characters[end..].iter().copied()).collect();
        // Completion at every byte of a long text is left to the other tests.
        let schema = crate::support::random::schema();
        if let Err(errors) = compile(&slipped, &Environment::new(&schema)) {
            errors.iter().for_each(|error| drop(render(error, "text", &slipped)));
        }
    }

    #[test]
    fn any_tree_prints_to_itself(expr in expression()) {
        let scope = |part| Scope { part, keys: if part == Part::Twin { vec![expr.clone()] } else { Vec::new() } };
        let parts = Part::all().map(|(_, part)| (scope(part), expr.clone())).collect();
        let select = vec![Selected { expr: expr.clone(), name: None }];
        let file = QueryFile { items: vec![Item::Query(Box::new(Query { parts, select, ..Query::default() }))] };
        let printed = file.to_string();
        let parsed = parse(&printed);
        prop_assert!(parsed.errors.is_empty(), "{}", printed);
        prop_assert_eq!(parsed.file, file, "{}", printed);
    }
}

/// Syntax trees of every shape, sensible or not.
fn expression() -> impl Strategy<Value = Expr> {
    let at = |kind| Expr::new(kind, Span::default());
    let relative = || proptest::option::of(select(Relative::all().map(|(_, it)| it).collect::<Vec<_>>()));
    let name = || {
        select(vec![
            "a", "best", "max", "limit", "select", "let", "in", "true", "where", "path", "desc", "distinct",
        ])
    };
    let leaf = prop_oneof![
        Just(ExprKind::Wildcard),
        (i64::MIN..=i64::MAX).prop_map(|value| ExprKind::Integer(value.into())),
        any::<u64>().prop_map(|value| ExprKind::Integer(value.into())),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(ExprKind::Float),
        any::<String>().prop_map(ExprKind::Text),
        name().prop_map(|name| ExprKind::Parameter(name.into())),
        (relative(), name()).prop_map(|(relative, name)| ExprKind::Name(relative, name.into())),
        (relative(), name()).prop_map(|(relative, name)| ExprKind::Structure(relative, name.into())),
    ]
    .prop_map(at);
    leaf.prop_recursive(6, 40, 3, move |inner| {
        let functions = select(Function::all().map(|(_, it)| it).collect::<Vec<_>>());
        let arguments = proptest::collection::vec(inner.clone(), 4);
        let filter = proptest::option::of(inner.clone().prop_map(Box::new));
        prop_oneof![
            (functions, arguments.clone(), filter).prop_map(|(function, mut arguments, filter)| {
                arguments.truncate(function.arguments());
                ExprKind::Aggregate { scope: None, function, arguments, filter }
            }),
            (select(written_operations()), arguments, 2..4_usize).prop_map(
                |(operation, mut arguments, some)| {
                    let (least, most) = operation.arguments();
                    arguments.truncate(some.clamp(least, most));
                    ExprKind::Apply(operation, arguments)
                }
            ),
        ]
        .prop_map(at)
    })
}

/// Every operation that can be written.
fn written_operations() -> Vec<Operation> {
    use Operation as O;
    let mut all: Vec<O> = operations().map(|(_, operation)| operation).collect();
    all.extend([O::Negate, O::Not, O::And, O::Or, O::In, O::Known]);
    all.extend(
        [Arithmetic::BitAnd, Arithmetic::BitOr, Arithmetic::Add, Arithmetic::Subtract].map(O::Arithmetic),
    );
    all.extend([Arithmetic::Multiply, Arithmetic::Divide, Arithmetic::Remainder].map(O::Arithmetic));
    all.extend(
        [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::GreaterEqual].map(O::Compare),
    );
    all
}

#[test]
fn long_chains_and_deep_nests_are_refused_not_crashed_on() {
    let deep = [
        format!("node: {}best = 1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("node: {} best", "not ".repeat(100_000)),
        format!("node: {}best = 1", "-".repeat(100_000)),
        format!("node: best{} = 1", " + best".repeat(100_000)),
        format!("node: best{}", " = best".repeat(100_000)),
        format!("node: {}", "abs(".repeat(100_000)),
        format!("node: best{}", " in (1".repeat(100_000)),
        format!("node: {}", "count(* where ".repeat(100_000)),
    ];
    for text in &deep {
        let schema = crate::support::random::schema();
        let errors = compile(text, &Environment::new(&schema)).unwrap_err();
        assert!(errors.len() < 10, "{} errors", errors.len());
    }
    // Here each `child:` is a query with an error of its own.
    let many = format!("let q = {}count(*)", "child:".repeat(10_000));
    assert!(
        compile(&many, &Environment::new(&crate::support::random::schema())).unwrap_err().len() >= 10_000
    );
    // A long chain of `and` is not deep.
    let long = format!("node: best = 1{}", " and best != 2".repeat(100_000));
    let schema = crate::support::random::schema();
    assert_eq!(compile(&long, &Environment::new(&schema)).unwrap().queries.len(), 1);
}

#[test]
fn a_long_text_of_anything_is_read_in_linear_time() {
    let schema = crate::support::random::schema();
    for piece in [
        "[", "[<]", "'", "~", "\"", "(", "[x", "@", "1", ".", "node:", "[a]\n", "#", "\\", "let x=", "é",
        "1e", "child:", "twin(", "twin(x):", "[5]\n", "[5]\n#\n", "if(",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let errors = compile(&text, &Environment::new(&schema)).err().unwrap_or_default();
        assert!(gt_query::render_all(&errors, "text", &text).len() < 1_000_000);
        assert!(tokens(&text).len() <= text.len());
    }
}

#[test]
fn a_long_chain_of_derived_columns() {
    let mut text = String::from("let q0 = best\n");
    (1..20_000).for_each(|n| text += &format!("let q{n} = q{} + 1\n", n - 1));
    text += "node: q19999 > 3";
    let schema = crate::support::random::schema();
    let program = compile(&text, &Environment::new(&schema)).unwrap();
    assert_eq!(program.columns.len(), 20_000);
    assert!(program.queries[0].text.starts_with("let q0 = best let q1 = q0 + 1 let q2"));
}

#[test]
fn ten_thousand_queries_in_one_file() {
    let queries = (0..10_000)
        .map(|n| format!("[q{n}]\nnode: count(best > {n}); subtree: count(type & {}) > 1\n\n", n % 7));
    let text: String = queries.collect();
    let schema = crate::support::random::schema();
    let program = compile(&text, &Environment::new(&schema)).unwrap();
    assert_eq!((program.queries.len(), program.aggregates.len()), (10_000, 7));
}

#[test]
fn parts_of_a_let_keep_their_scope() {
    let parsed = parse("let a = subtree: count(*) + child:max([]best where type & 1) * sum([]best)");
    let Item::Let(item) = &parsed.file.items[0] else { panic!("{parsed:?}") };
    assert_eq!(
        item.to_string(),
        "let a = subtree:count(*) + child:max([]best where type & 1) * child:sum([]best)"
    );
    assert_eq!(item.value.aggregate().map(ToString::to_string).as_deref(), Some("subtree:count(*)"));
    assert_eq!(Part::find("child"), Some(Part::Child));
}
