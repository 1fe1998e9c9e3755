//! Logs whose checksums fit but whose bytes lie: the engine answers or refuses, and never panics, loops or leaves its
//! block.

use crate::engine_support::{Cut, log_of};
use gt_log::Log;
use gt_query::engine::{self, Failure, Finding, Options};
use gt_query::plain_tree::PlainTree;
use gt_query::{Environment, Program, Value, compile};
use proptest::prelude::*;

/// What uses sizes, plies, parents and extremes in every way that scans know, and some that they do not.
const QUERIES: &str = "
node: best = 1

node: count(@size > 3)

node: best = 0; child: count([]type = type) > 0; subtree: count(best = 1) > 1; path: count(type = 1) > 0

subtree: max(best) > 1 and sum(type) > 2

path: count(@ply > 1) > 1

let below = subtree: count(type = 1)
node: * select node_id, @parent, @line, below, @children order by below desc limit 4

node: * group by @ply select @ply, count(*), avg(@children), max(@size)

node: * group by type, best select type, best, count(*)

node: [<]best = 1 or [^]type = 2

node: @height > 2 select @index, @height
";

fn program(tree: &PlainTree) -> Program {
    let environment = Environment::new(tree.schema()).with_parameter("x", Value::Integer(2));
    compile(QUERIES, &environment).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The CRC-32C of some bytes.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ (0x82f6_3b78 * (sum & 1)))
    })
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Changes bytes of blocks, each given by a block, whether in its head, and a place; checksums fit afterwards.
fn lie(log: &[u8], lies: &[(usize, bool, usize, u8)]) -> Vec<u8> {
    let honest = Log::from_bytes(log.to_vec()).unwrap();
    let tree = honest.tree(0).unwrap();
    let mut bytes = log.to_vec();
    let frames: Vec<usize> = (0..bytes.len() - 32).filter(|&at| bytes[at..].starts_with(b"GTfr")).collect();
    let blocks: Vec<usize> = frames.iter().copied().filter(|&at| bytes[at + 4] == 2).collect();
    let index = frames.iter().copied().find(|&at| bytes[at + 4] == 4).unwrap_or(bytes.len());
    for &(block, in_head, place, with) in lies {
        let block = block % blocks.len();
        let frame = blocks[block];
        let (head_bytes, body_bytes) =
            (number(&bytes[frame + 12..frame + 16]), number(&bytes[frame + 16..frame + 24]));
        let (head, body) = (frame + 32, frame + 32 + head_bytes);
        if in_head {
            bytes[head + place % head_bytes] ^= with;
        } else if body_bytes > 0 {
            // Of two lies in one column only the last has a checksum that is found; that is a plain damage then.
            bytes[body + place % body_bytes] ^= with;
            let mut start = body;
            for column in &tree.block(block).columns {
                let end = start + column.stored_bytes as usize;
                let old = column.checksum.to_le_bytes();
                let found = bytes[head..body].windows(4).position(|window| window == old);
                if let (Some(at), true) = (found, end > start) {
                    let new = checksum(&bytes[start..end]).to_le_bytes();
                    bytes[head + at..head + at + 4].copy_from_slice(&new);
                }
                start = end;
            }
        }
        let of_head = checksum(&bytes[head..body]).to_le_bytes();
        bytes[frame + 24..frame + 28].copy_from_slice(&of_head);
        let of_frame = checksum(&bytes[frame..frame + 28]).to_le_bytes();
        bytes[frame + 28..frame + 32].copy_from_slice(&of_frame);
    }
    // The index repeats the heads; without it they are read from the blocks.
    bytes.truncate(index);
    bytes
}

proptest! {
    #![proptest_config(crate::support::cases(400))]

    #[test]
    fn lies_are_answered_or_refused(
        tree in crate::support::random::tree(120),
        rows in proptest::sample::select(vec![5_usize, 20, 64, 200]),
        lies in proptest::collection::vec((0..40_usize, proptest::bool::weighted(0.3), 0..3000_usize, 1..=255_u8), 1..4),
    ) {
        let tree = tree.0;
        let program = program(&tree);
        let writer = crate::engine_support::bytes_of(&tree, Cut::rows(rows));
        let Ok(log) = Log::from_bytes(lie(&writer, &lies)) else { return Ok(()) };
        for tree in log.trees() {
            for threads in [1, 2] {
                match engine::run(&program, tree, &Options { threads, ..Options::default() }) {
                    Ok(outcome) => prop_assert_eq!(outcome.answers.len(), program.queries.len()),
                    Err(Failure::Log(_)) => {}
                    Err(failure) => prop_assert!(false, "{failure}"),
                }
            }
            if let Ok(findings) = engine::find(&program, tree, &Options::default()) {
                for found in findings.found.into_iter().flatten() {
                    if let Finding::Matches(matches) = found {
                        prop_assert!(matches.iter(&Options::default()).count() as u64 <= 1 + 2 * tree.nodes());
                    }
                }
            }
        }
    }
}

#[test]
fn a_log_without_lies_is_what_it_was() {
    let mut tree = PlainTree::new(crate::support::random::schema());
    let root = tree.push(None, 0, vec![None; 10]).unwrap();
    (0..50).for_each(|number| {
        tree.push(Some(root), number, vec![None; 10]).unwrap();
    });
    let bytes = crate::engine_support::bytes_of(&tree, Cut::rows(20));
    // The same byte changed twice: all checksums are made anew.
    let log = Log::from_bytes(lie(&bytes, &[(0, true, 0, 1), (0, true, 0, 1)])).unwrap();
    let program = program(&tree);
    let whole = log_of(&tree, Cut::rows(20));
    let run = |log: &Log| engine::run(&program, log.tree(0).unwrap(), &Options::default()).unwrap().answers;
    assert_eq!(run(&log), run(&whole));
}
