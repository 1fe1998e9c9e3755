//! What the integration tests share: trees and queries in text, answers as text.

pub(crate) mod callable;
#[allow(unreachable_pub)] // gt-torture has it too, as a part of its library.
pub(crate) mod random;

use std::sync::Arc;

use gt_query::live::{Live, Marks};
use gt_query::plain_tree::{self, Moves, PlainTree, Visit};
use gt_query::{
    Answer, Environment, MoveCodec, Program, RunError, Type, Value, compile, reference, render_all,
    render_note, render_run,
};
use proptest::test_runner::Config as ProptestConfig;

/// So many cases, or as many as the variable `PROPTEST_CASES` says.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), ..ProptestConfig::default() }
}

/// The answers of a program.
pub(crate) type Answers = Vec<Result<Answer, RunError>>;

/// Feeds a tree to the live evaluator.
pub(crate) fn live(program: &Program, tree: &PlainTree) -> Answers {
    feed(Live::new(Arc::new(program.clone())).expect("no twins"), tree).finish().expect("the walk is whole")
}

/// Feeds the whole walk of a tree.
pub(crate) fn feed(mut live: Live, tree: &PlainTree) -> Live {
    for visit in tree.walk() {
        match visit {
            Visit::Enter(node) => live.enter(tree.nodes()[node].last_move).expect("one root"),
            Visit::Leave(node) => {
                let node = &tree.nodes()[node];
                let marks = Marks { unfinished: node.unfinished, left_out: node.left_out };
                live.leave_lacking(&node.values, marks).expect("the node is open");
            }
        }
    }
    live
}

/// Answers the queries on the tree, by every evaluator, which must agree.
pub(crate) fn answers(tree_text: &str, query_text: &str) -> String {
    let (tree, moves) =
        plain_tree::parse(tree_text).unwrap_or_else(|error| panic!("{error} in\n{tree_text}"));
    let environment = Environment::new(tree.schema()).with_moves(&moves).with_metadata("x", "2");
    match compile(query_text, &environment) {
        Err(errors) => render_all(&errors, "query", query_text),
        Ok(program) => {
            let expected = reference::answer(&program, &tree);
            // Twins are for logs alone.
            if program.twins.is_empty() {
                assert_eq!(live(&program, &tree), expected, "the live evaluator on {query_text}");
            }
            describe(&program, &expected, &moves, query_text)
        }
    }
}

fn describe(program: &Program, answers: &Answers, moves: &Moves, query_text: &str) -> String {
    let texts = program.queries.iter().zip(answers).map(|(query, answer)| {
        let name = query.name.as_ref().map(|name| format!("[{name}]\n")).unwrap_or_default();
        let answer = match answer {
            Ok(answer) => answer_text(answer, moves),
            Err(error) => render_run(error, "query", query_text),
        };
        format!("{name}{answer}")
    });
    let notes = program.notes.iter().map(|note| render_note(note, "query", query_text));
    notes.chain(texts).collect::<Vec<_>>().join("\n")
}

/// An answer as text.
pub(crate) fn answer_text(answer: &Answer, moves: &Moves) -> String {
    match answer {
        Answer::Count(count) => format!("count {count}\n"),
        Answer::Nodes(nodes) => {
            let ids: String = nodes.iter().map(|id| format!(" {id}")).collect();
            format!("nodes{ids}\n")
        }
        Answer::Value(value) => format!("value {}\n", cell(value.as_ref(), Type::Integer, moves)),
        Answer::Rows { columns, rows } => {
            let heading: Vec<&str> = columns.iter().map(|(heading, _)| heading.as_str()).collect();
            let lines = rows.iter().map(|row| {
                let cells =
                    row.iter().zip(columns).map(|(value, (_, kind))| cell(value.as_ref(), *kind, moves));
                cells.collect::<Vec<_>>().join(" | ") + "\n"
            });
            heading.join(" | ") + "\n" + &lines.collect::<String>()
        }
    }
}

fn cell(value: Option<&Value>, kind: Type, moves: &Moves) -> String {
    match (value, kind) {
        (None, _) => "unknown".into(),
        (Some(Value::Integer(number)), Type::Move) => {
            i64::try_from(*number).ok().and_then(|number| moves.text(number)).unwrap_or_default()
        }
        (Some(Value::Line(line)), _) => {
            line.moves().iter().filter_map(|number| moves.text(*number)).collect::<Vec<_>>().join(" ")
        }
        (Some(value), _) => value.to_string(),
    }
}

/// A golden text (a tree, and then each time `====`, a query, `----` and its answer) with the answers as they are now.
pub(crate) fn renew(golden: &str) -> String {
    let mut sections = golden.split_inclusive('\n').fold(vec![String::new()], |mut sections, line| {
        match line.trim_end() {
            "====" => sections.push(String::new()),
            _ => sections.last_mut().expect("there is one").push_str(line),
        }
        sections
    });
    let tree = sections.remove(0);
    let cases = sections.iter().map(|section| {
        let query: String =
            section.split_inclusive('\n').take_while(|line| line.trim_end() != "----").collect();
        let answer = answers(&tree, query.trim_end_matches('\n'));
        format!("====\n{query}----\n{}\n", answer.trim_end_matches('\n'))
    });
    tree.clone() + &cases.collect::<String>()
}
