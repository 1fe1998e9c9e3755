//! Logs with every checksum right whose heads, open paths and sizes were written to mislead: the engine answers or
//! refuses, a list is as long as its count says, and what `verify` calls sound is never refused.

use crate::engine_support::{Cut, bytes_of};
use gt_log::Log;
use gt_query::engine::{self, Failure, Finding, Options};
use gt_query::{Answer, Environment, Program, compile};
use proptest::prelude::*;

const QUERIES: &str = "
node: *

node: best = 1 or best is unknown

node: @bound = \"lower\" or @ply > 2

node: best >= 0; child: count([]type = type) > 0 or count(*) = 0; subtree: count(best = 1) >= 0

path: count(type = 1) >= 0 and count(@ply > 1) >= 0

subtree: max(best) > 1 or sum(type) >= 0

node: [^]best > best or [^]best is unknown

let below = subtree: count(type = 1)
node: * select node_id, @parent, @line, below, @children order by below desc limit 9

node: * select @line, [^]@line, [<]@line, @height

node: * group by @ply, best select @ply, best, count(*), avg(@children), max(@size)

node: [<]best = 1 or [^^]type = 2 or [0]best = [-1]best

let deep = path: max(best)
node: * select @index, @height, @total, deep, [^]@size
";

fn program(log: &Log) -> Program {
    compile(QUERIES, &Environment::new(log.schema())).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The CRC-32C of some bytes.
fn checksum(bytes: &[u8]) -> [u8; 4] {
    let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ (0x82f6_3b78 * (sum & 1)))
    });
    (!sum).to_le_bytes()
}

/// A part of a log: what is before its head, its head and its body.
#[derive(Clone)]
struct Frame {
    kind: u8,
    tree: [u8; 4],
    head: Vec<u8>,
    body: Vec<u8>,
}

/// The header of a log, and its parts.
fn frames(log: &[u8]) -> (Vec<u8>, Vec<Frame>) {
    let number = |at: usize, bytes: usize| {
        log[at..at + bytes].iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let start = 32 + number(16, 8);
    let (mut at, mut found) = (start, Vec::new());
    while log[at..].starts_with(b"GTfr") {
        let (head, body) = (at + 32, at + 32 + number(at + 12, 4));
        let end = body + number(at + 16, 8);
        let tree = log[at + 8..at + 12].try_into().expect("four bytes");
        found.push(Frame {
            kind: log[at + 4],
            tree,
            head: log[head..body].into(),
            body: log[body..end].into(),
        });
        at = end;
    }
    (log[..start].to_vec(), found)
}

/// The log of these parts, without an index: the heads are read from the parts.
fn joined((header, frames): &(Vec<u8>, Vec<Frame>)) -> Vec<u8> {
    let mut log = header.clone();
    for frame in frames.iter().filter(|frame| frame.kind != 4) {
        let start = log.len();
        log.extend_from_slice(b"GTfr");
        log.extend_from_slice(&[frame.kind, 0, 0, 0]);
        log.extend_from_slice(&frame.tree);
        log.extend_from_slice(&(frame.head.len() as u32).to_le_bytes());
        log.extend_from_slice(&(frame.body.len() as u64).to_le_bytes());
        log.extend_from_slice(&checksum(&frame.head));
        let of_frame = checksum(&log[start..]);
        log.extend_from_slice(&of_frame);
        log.extend_from_slice(&frame.head);
        log.extend_from_slice(&frame.body);
    }
    log
}

/// The head of a block, taken apart.
#[derive(Clone, Debug)]
struct Head {
    /// first_row, rows, leaves, ply_min, ply_max, path_kept.
    numbers: [u64; 6],
    /// Moves as they are stored, and how far each starts after the one before.
    path: Vec<(u64, u64)>,
    columns: Vec<ColumnHead>,
    sections: Vec<u8>,
}

#[derive(Clone, Debug)]
struct ColumnHead {
    /// The least value as it is stored, and the distance to the greatest.
    extremes: [u64; 2],
    /// Twice the bytes in the file, and one more where they are compressed.
    stored: u64,
    raw: Option<u64>,
    checksum: Vec<u8>,
}

fn take(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first().expect("a whole head");
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

impl Head {
    fn of(mut bytes: &[u8], columns: usize) -> Self {
        let bytes = &mut bytes;
        let numbers = [(); 6].map(|()| take(bytes));
        let path = (0..take(bytes)).map(|_| (take(bytes), take(bytes))).collect();
        let column = |bytes: &mut &[u8]| {
            let extremes = [take(bytes), take(bytes)];
            let stored = take(bytes);
            let raw = (stored & 1 == 1).then(|| take(bytes));
            let (sum, rest) = bytes.split_at(if stored > 1 { 4 } else { 0 });
            *bytes = rest;
            ColumnHead { extremes, stored, raw, checksum: sum.to_vec() }
        };
        let columns = (0..columns).map(|_| column(bytes)).collect();
        Self { numbers, path, columns, sections: bytes.to_vec() }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.numbers.iter().for_each(|number| put(&mut out, *number));
        put(&mut out, self.path.len() as u64);
        self.path
            .iter()
            .for_each(|(last_move, start)| [*last_move, *start].iter().for_each(|n| put(&mut out, *n)));
        for column in &self.columns {
            column
                .extremes
                .iter()
                .chain([&column.stored])
                .chain(&column.raw)
                .for_each(|number| put(&mut out, *number));
            out.extend_from_slice(&column.checksum);
        }
        out.extend_from_slice(&self.sections);
        out
    }
}

/// One thing that is wrong with a block.
#[derive(Clone, Debug)]
enum Lie {
    /// One of the numbers of its head.
    Number {
        which: usize,
        value: u64,
    },
    /// A node of its open path starts elsewhere.
    Start {
        place: usize,
        value: u64,
    },
    /// A node of its open path is left out, or there twice.
    Drop(usize),
    Double(usize),
    /// The extremes of a column.
    Extremes {
        column: usize,
        low: u64,
        span: u64,
    },
    /// The sizes of a block of another tree.
    Sizes,
}

fn lie() -> impl Strategy<Value = Lie> {
    let small = prop_oneof![4 => 0..12_u64, 1 => any::<u64>(), 1 => 100..300_u64];
    prop_oneof![
        // The first row and how many there are decide whether the block is read at all.
        3 => (2..6_usize, small.clone()).prop_map(|(which, value)| Lie::Number { which, value }),
        1 => (0..2_usize, small.clone()).prop_map(|(which, value)| Lie::Number { which, value }),
        4 => (0..9_usize, small.clone()).prop_map(|(place, value)| Lie::Start { place, value }),
        2 => (0..9_usize).prop_map(Lie::Drop),
        2 => (0..9_usize).prop_map(Lie::Double),
        2 => (0..14_usize, small.clone(), small).prop_map(|(column, low, span)| Lie::Extremes { column, low, span }),
        6 => Just(Lie::Sizes),
    ]
}

fn tell(frame: &mut Frame, other: &Frame, columns: usize, lie: &Lie) {
    let mut head = Head::of(&frame.head, columns);
    match *lie {
        Lie::Number { which, value } => head.numbers[which] = value,
        Lie::Start { place, value } if !head.path.is_empty() => {
            let places = head.path.len();
            head.path[place % places].1 = value;
        }
        Lie::Drop(place) if !head.path.is_empty() => drop(head.path.remove(place % head.path.len())),
        Lie::Double(place) if !head.path.is_empty() => {
            let place = place % head.path.len();
            head.path.insert(place, head.path[place]);
        }
        Lie::Extremes { column, low, span } => head.columns[column % columns].extremes = [low, span],
        Lie::Sizes => {
            let theirs = Head::of(&other.head, columns);
            if theirs.numbers[1] == head.numbers[1] {
                let own_bytes = (head.columns[0].stored / 2) as usize;
                let their_bytes = (theirs.columns[0].stored / 2) as usize;
                frame.body.splice(..own_bytes, other.body[..their_bytes].iter().copied());
                head.columns[0] = theirs.columns[0].clone();
            }
        }
        Lie::Start { .. } | Lie::Drop(_) | Lie::Double(_) => {}
    }
    frame.head = head.bytes();
}

/// The log with these lies told of its blocks.
fn told(log: &[u8], other: &[u8], columns: usize, lies: &[(usize, usize, Lie)]) -> Vec<u8> {
    let mut parts = frames(log);
    let others: Vec<Frame> = frames(other).1.into_iter().filter(|frame| frame.kind == 2).collect();
    let blocks: Vec<usize> = (0..parts.1.len()).filter(|&at| parts.1[at].kind == 2).collect();
    for (block, from, lie) in lies {
        let at = blocks[block % blocks.len()];
        tell(&mut parts.1[at], &others[from % others.len()], columns, lie);
    }
    joined(&parts)
}

fn check(log: &Log) -> Result<(), TestCaseError> {
    let program = program(log);
    let is_sound = log.verify(|_| {}).is_ok();
    for tree in log.trees() {
        for threads in [1, 2] {
            let options = Options { threads, ..Options::default() };
            let outcome = match engine::run(&program, tree, &options) {
                Ok(outcome) => outcome,
                Err(Failure::Log(error)) => {
                    prop_assert!(!is_sound, "{error}");
                    continue;
                }
                Err(failure) => return Err(TestCaseError::fail(failure.to_string())),
            };
            for (query, (answer, matches)) in outcome.answers.iter().zip(&outcome.stats.matches).enumerate() {
                if let Ok(Answer::Nodes(ids)) = answer {
                    prop_assert_eq!(ids.len() as u64, *matches, "query {}", query);
                    prop_assert!(ids.is_sorted_by(|left, right| left < right), "query {}", query);
                    prop_assert!(ids.last().is_none_or(|last| *last < tree.nodes()));
                }
            }
        }
        let options = Options::default();
        for found in
            engine::find(&program, tree, &options).into_iter().flat_map(|findings| findings.found).flatten()
        {
            if let Finding::Matches(matches) = found {
                let one_by_one: Result<Vec<u64>, Failure> = matches.iter(&options).collect();
                let at_once = matches.ids(&options);
                if let (Ok(one_by_one), Ok(at_once)) = (&one_by_one, &at_once) {
                    prop_assert_eq!(one_by_one.len() as u64, matches.count());
                    prop_assert_eq!(one_by_one, &at_once.iter().collect::<Vec<_>>());
                }
                prop_assert!(!is_sound || one_by_one.is_ok() && at_once.is_ok());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::support::cases(350))]

    #[test]
    fn heads_and_sizes_that_mislead_are_found_out(
        tree in crate::support::random::tree(120),
        other in crate::support::random::tree(120),
        rows in proptest::sample::select(vec![1_usize, 3, 5, 20, 64, 200]),
        lies in proptest::collection::vec((0..40_usize, 0..40_usize, lie()), 1..4),
    ) {
        let (own, other) = (bytes_of(&tree.0, Cut::rows(rows)), bytes_of(&other.0, Cut::rows(rows)));
        let columns = gt_log::Column::FIXED + tree.0.schema().attributes().len();
        if let Ok(log) = Log::from_bytes(told(&own, &other, columns, &lies)) {
            check(&log)?;
        }
    }
}

#[test]
fn without_a_lie_the_log_is_what_it_was() {
    let (tree, _) = gt_query::plain_tree::parse("0\n  1\n    2\n    3\n  4\n    5\n      6\n").unwrap();
    let log = bytes_of(&tree, Cut::rows(2));
    let again = joined(&frames(&log));
    let columns = gt_log::Column::FIXED;
    let (_, parts) = frames(&log);
    let heads = parts.iter().filter(|frame| frame.kind == 2).map(|frame| Head::of(&frame.head, columns));
    assert!(
        heads
            .into_iter()
            .zip(parts.iter().filter(|frame| frame.kind == 2))
            .all(|(head, frame)| head.bytes() == frame.head)
    );
    assert!(log.starts_with(&again), "only the index is left out");
}
