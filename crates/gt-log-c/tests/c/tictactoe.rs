//! Tic-tac-toe searched once more, written differently from the example: a board of nine cells, and nodes in
//! the order of entering.

/// A node as the example logs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) ply: i64,
    pub(crate) last_move: i64,
    /// depth, best, type, reply, moves
    pub(crate) values: [i64; 5],
}

/// All nodes of a search to this depth.
pub(crate) fn search(depth: i64) -> Vec<Node> {
    let mut nodes = Vec::new();
    visit(&mut [' '; 9], 'x', 0, depth, -1, &mut nodes);
    nodes
}

fn visit(
    board: &mut [char; 9],
    player: char,
    ply: i64,
    depth: i64,
    last_move: i64,
    nodes: &mut Vec<Node>,
) -> i64 {
    let place = nodes.len();
    nodes.push(Node { ply, last_move, values: [0; 5] });
    let other = if player == 'x' { 'o' } else { 'x' };
    let is_lost = has_three(board, other);
    let free: Vec<usize> =
        if is_lost { Vec::new() } else { (0..9).filter(|&cell| board[cell] == ' ').collect() };
    let (mut best, mut reply) = (None, -1);
    if depth > 0 {
        for &cell in &free {
            board[cell] = player;
            let value = -visit(board, other, ply + 1, depth - 1, cell as i64, nodes);
            board[cell] = ' ';
            if best.is_none_or(|best| value > best) {
                (best, reply) = (Some(value), cell as i64);
            }
        }
    }
    let kind = match (is_lost, free.is_empty(), depth) {
        (true, _, _) => 2,
        (false, true, _) => 4,
        (false, false, 0) => 8,
        _ => 1,
    };
    let best = best.unwrap_or(if is_lost { -1 } else { 0 });
    nodes[place].values = [depth, best, kind, reply, free.len() as i64];
    best
}

fn has_three(board: &[char; 9], player: char) -> bool {
    let three = |start: usize, step: usize| (0..3).all(|i| board[start + i * step] == player);
    (0..3).any(|i| three(3 * i, 1) || three(i, 3)) || three(0, 4) || three(2, 2)
}
