//! Trees that stress the engine: a long chain, a wide star, a single node; and many queries at once.

use crate::engine_support::answers;
use gt_log::{Header, Kind, Log, LogWriter, Metadata, Options, Schema, Value};
use gt_query::{Answer, Environment, compile};

const NODES: u64 = 1_000_000;

fn log(walk: impl FnOnce(&mut dyn FnMut(), &mut dyn FnMut())) -> Log {
    let schema = Schema::new([("best", Kind::I32)]).unwrap();
    let log = LogWriter::to_memory(Header::new("", schema)).unwrap();
    let writer = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    let writer = std::cell::RefCell::new(writer);
    let left = std::cell::Cell::new(0);
    walk(&mut || writer.borrow_mut().enter(0).unwrap(), &mut || {
        writer.borrow_mut().leave_values(&[Value::Int(left.get() % 10)]).unwrap();
        left.set(left.get() + 1);
    });
    writer.into_inner().finish().unwrap();
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn counts(log: &Log, text: &str) -> Vec<u64> {
    let program = compile(text, &Environment::new(log.schema())).unwrap();
    let count = |answer| match answer {
        Ok(Answer::Count(count)) => count,
        other => panic!("{other:?} is not a count"),
    };
    answers(&program, log, 2).into_iter().map(count).collect()
}

#[test]
fn a_chain_of_a_million() {
    let log = log(|enter, leave| {
        (0..NODES).for_each(|_| enter());
        (0..NODES).for_each(|_| leave());
    });
    let found = counts(
        &log,
        "node:count(*); subtree:count(best=0)>30\n\nnode:count(*); path:count(best=0)>2\n\n\
         node:count(*); child:count([]best<best)=1\n\nnode:count(@ply = 999999)",
    );
    // Row r has r nodes below; best is r % 10, and zero ones are every tenth.
    let below = (0..NODES).filter(|row| row.div_ceil(10) > 30).count() as u64;
    let above = (0..NODES).filter(|row| (NODES - 1) / 10 - row / 10 > 2).count() as u64;
    assert_eq!(found, [below, above, NODES - NODES / 10, 1]);
}

#[test]
fn a_star_of_a_million() {
    let log = log(|enter, leave| {
        enter();
        for _ in 1..NODES {
            enter();
            leave();
        }
        leave();
    });
    let found = counts(
        &log,
        "node:count(*); child:count([]best=0)>99999\n\nnode:count(*); path:count(best=9)=1\n\n\
         node:count(*); child:count([]best=best)>0; subtree:count(best=9)=99999\n\nnode:count(@ply = 1)",
    );
    assert_eq!(found, [1, NODES - 1, 1, NODES - 1]);
}

#[test]
fn a_single_node() {
    let log = log(|enter, leave| {
        enter();
        leave();
    });
    let found = counts(
        &log,
        "node:count(*); child:count(*)=0; subtree:count(*)=0; path:count(*)=0\n\nnode:count([^]best=0)",
    );
    assert_eq!(found, [1, 0]);
}

#[test]
fn ten_thousand_queries() {
    let log = log(|enter, leave| {
        enter();
        for _ in 1..1000 {
            enter();
            leave();
        }
        leave();
    });
    let queries: Vec<String> = (0..10_000)
        .map(|number| {
            format!("node:count(best={}); subtree:count(best={})>=0", number % 10, number / 10 % 10)
        })
        .collect();
    let found = counts(&log, &queries.join("\n\n"));
    assert_eq!(found, [100; 10_000]);
}
