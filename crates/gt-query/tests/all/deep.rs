//! Trees as deep as they get: lines of moves, their memory, and stopping.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};
use gt_query::engine::{self, Failure, Finding};
use gt_query::live::Live;
use gt_query::{Answer, Environment, Line, Program, compile};

const DEPTH: i64 = 80_000;

/// A chain whose moves are the plies they lead to; below every tenth node there is a leaf beside, with move -1.
fn chain() -> Log {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
    let mut writer = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    for ply in 0..DEPTH {
        writer.enter(ply).unwrap();
        if ply % 10 == 9 {
            writer.enter(-1).unwrap();
            writer.leave_values(&[Value::Int(7)]).unwrap();
        }
    }
    (0..DEPTH).for_each(|ply| writer.leave_values(&[Value::Int(ply % 5)]).unwrap());
    writer.finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn program(log: &Log, text: &str) -> Program {
    compile(text, &Environment::new(log.schema())).unwrap()
}

fn lines(answer: Result<Answer, gt_query::RunError>) -> Vec<Line> {
    let Ok(Answer::Rows { rows, .. }) = answer else { panic!("{answer:?} has no rows") };
    let line = |row: Vec<Option<gt_query::Value>>| match row.into_iter().last() {
        Some(Some(gt_query::Value::Line(line))) => line,
        other => panic!("{other:?} is no line"),
    };
    rows.into_iter().map(line).collect()
}

/// The moves to a node of the chain, or to the leaf beside it.
fn expected(length: usize, beside: bool) -> Vec<i64> {
    let mut moves: Vec<i64> = (1..=length as i64).collect();
    if let (Some(last), true) = (moves.last_mut(), beside) {
        *last = -1;
    }
    moves
}

/// A line for each node of a line of 80,000: as many moves as 25 GB hold, were they not shared.
#[test]
fn lines_of_all_nodes_share_their_moves() {
    let log = chain();
    for text in
        ["node: best < 7 select @line", "node: best < 7 and [0]best is known or @ply = 79999 select @line"]
    {
        let program = program(&log, text);
        let found = engine::run(&program, log.tree(0).unwrap(), &engine::Options::default()).unwrap();
        let lines = lines(found.answers.into_iter().next().unwrap());
        assert_eq!(lines.len(), DEPTH as usize, "{text}");
        assert!(lines.iter().enumerate().all(|(ply, line)| line.len() == ply), "{text}");
        for length in [0, 1, 9, 10, 40_000, 79_999] {
            assert_eq!(lines[length].moves(), expected(length, false), "{text}");
        }
    }
}

#[test]
fn a_few_lines_of_many_matches() {
    let log = chain();
    for text in [
        "node: best = 7 select @line order by @ply desc limit 5",
        "node: best = 7 select @line order by node_id desc limit 5",
        "node: best = 7 select [^]best, [<]best, @line order by @ply desc limit 5",
    ] {
        let program = program(&log, text);
        let found = engine::run(&program, log.tree(0).unwrap(), &engine::Options::default()).unwrap();
        let lines = lines(found.answers.into_iter().next().unwrap());
        assert_eq!(lines.len(), 5);
        for (place, line) in lines.iter().enumerate() {
            assert_eq!(line.moves(), expected(DEPTH as usize - 10 * place, true), "{text}");
        }
    }
}

#[test]
fn live_lines_share_their_moves() {
    let log = chain();
    let program = program(&log, "node: best < 7 select @line");
    let mut live = Live::new(Arc::new(program)).unwrap();
    let best = |value: i64| [gt_query::Value::Integer(value.into())];
    (0..DEPTH).for_each(|ply| live.enter(ply).unwrap());
    (0..DEPTH).for_each(|ply| live.leave(&best(ply % 5)).unwrap());
    let lines = lines(live.finish().unwrap().remove(0));
    assert_eq!(lines.len(), DEPTH as usize);
    assert_eq!(lines[79_999].moves(), expected(79_999, false));
}

/// What comes after the pass over the blocks can be stopped too.
#[test]
fn ids_can_be_stopped() {
    let log = chain();
    let cancel = AtomicBool::new(true);
    let stopped = engine::Options { cancel: Some(&cancel), ..engine::Options::default() };
    let program = program(&log, "node: best < 3");
    let mut findings = engine::find(&program, log.tree(0).unwrap(), &engine::Options::default()).unwrap();
    let Ok(Finding::Matches(matches)) = findings.found.remove(0) else { panic!("it asks for nodes") };
    assert!(matches!(matches.first(3, &stopped), Err(Failure::Cancelled)));
    assert!(matches!(matches.iter(&stopped).next(), Some(Err(Failure::Cancelled))));
    assert_eq!(matches.iter(&stopped).count(), 1, "nothing comes after the error");
    assert!(matches!(matches.ids(&stopped), Err(Failure::Cancelled)));
    assert!(matches!(matches.clone().into_ids(&stopped), Err(Failure::Cancelled)));
    assert!(matches!(Finding::Matches(matches).into_answer(&stopped), Err(Failure::Cancelled)));
}
