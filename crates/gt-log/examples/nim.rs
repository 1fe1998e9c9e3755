//! An alpha-beta search of Nim that logs its tree, iteration by iteration.
//!
//! ```text
//! cargo run --package gt-log --example nim -- nim.gtf
//! gt view nim.gtf
//! ```

use gt_log::{Header, LogWriter, Metadata, Schema, TreeWriter};

/// Three heaps. The players take any number of matches from one heap in turn; the one who takes the last match wins.
type Heaps = [u8; 3];

gt_log::record! {
    /// The attributes of a node.
    struct Node { depth: i8, alpha: i32, beta: i32, best: i32, cut: bool }
}

fn main() -> gt_log::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "nim.gtf".to_owned());
    let log = LogWriter::create(&path, Header::new("nim", Schema::of::<Node>()?))?;
    // The viewer and the queries show moves by these names.
    let moves = (0..3_u8).flat_map(|heap| (1..=4_u8).map(move |taken| (heap, taken)));
    let names: Vec<(i64, String)> =
        moves.map(|(heap, taken)| (code(heap, taken), format!("{taken} of heap {}", heap + 1))).collect();
    log.name_moves(names.iter().map(|(code, name)| (*code, name.as_str())))?;
    for depth in 1..=9 {
        let mut tree = log.tree::<Node>(&Metadata::new().with("nominal_depth", depth))?;
        let value = search([2, 3, 4], 0, depth, -1, 1, &mut tree)?;
        tree.finish()?;
        println!("depth {depth}: {value:+}");
    }
    log.finish()?;
    println!("{path} is written");
    Ok(())
}

/// The number of a move in the log.
fn code(heap: u8, taken: u8) -> i64 {
    i64::from(heap) * 8 + i64::from(taken)
}

/// Returns 1 if the player to move wins within the depth, -1 if the other one does, and 0 if that stays open.
fn search(
    heaps: Heaps,
    last_move: i64,
    depth: i8,
    alpha: i32,
    beta: i32,
    tree: &mut TreeWriter<Node>,
) -> gt_log::Result<i32> {
    tree.enter(last_move)?;
    let best = search_moves(heaps, depth, alpha, beta, tree)?;
    tree.leave(&Node { depth, alpha, beta, best, cut: best >= beta })?;
    Ok(best)
}

fn search_moves(
    heaps: Heaps,
    depth: i8,
    mut alpha: i32,
    beta: i32,
    tree: &mut TreeWriter<Node>,
) -> gt_log::Result<i32> {
    if heaps == [0; 3] {
        return Ok(-1);
    }
    if depth == 0 {
        return Ok(0);
    }
    let mut best = -1;
    for heap in 0..3_u8 {
        for taken in 1..=heaps[usize::from(heap)] {
            let mut after = heaps;
            after[usize::from(heap)] -= taken;
            best = best.max(-search(after, code(heap, taken), depth - 1, -beta, -alpha, tree)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                return Ok(best);
            }
        }
    }
    Ok(best)
}
