//! Proof-number search, held against exhaustive minimax.

use gt_games::connect_four::{self, ConnectFour, Threats};
use gt_games::tic_tac_toe::{Distance, TicTacToe};
use gt_games::{Chess, Notation, Tree};
use gt_search::{Game, Goal, Limits, Options, Outcome, ProofSearch, Searcher, Verdict, WIN_MIN, minimax};
use std::collections::HashMap;

const TABLE_BYTES: usize = 4 << 20;
/// Enough for a board of nine squares, and soon cleared.
const SMALL_TABLE_BYTES: usize = 64 << 10;

/// A small generator, so that a failing run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn verdicts<G: Game>(game: &G, table_bytes: usize) -> (Verdict, Verdict) {
    let prove = |goal| ProofSearch::new(game, goal, table_bytes).search(&Limits::default()).verdict;
    (prove(Goal::Win), prove(Goal::Draw))
}

/// What a value means for both goals.
fn expected(value: i32) -> (Verdict, Verdict) {
    let verdict = |is_proven| if is_proven { Verdict::Proven } else { Verdict::Disproven };
    (verdict(value >= WIN_MIN), verdict(value > -WIN_MIN))
}

#[test]
fn every_position_of_tic_tac_toe_is_judged_as_by_minimax() {
    let mut seen = HashMap::new();
    let mut open = vec![TicTacToe::new()];
    while let Some(game) = open.pop() {
        if seen.contains_key(&game.hash()) {
            continue;
        }
        let value = minimax(&game, &Distance, 9, &mut ()).value;
        assert_eq!(verdicts(&game, SMALL_TABLE_BYTES), expected(value), "{}", game.position_text());
        seen.insert(game.hash(), value);
        for mv in game.legal_moves() {
            let mut next = game;
            next.make(mv);
            open.push(next);
        }
    }
    assert_eq!(seen.len(), 5_478);
}

/// The value of a position by plain minimax over a map of positions: 1, 0 or -1 for the mover.
fn solved(game: &mut ConnectFour, known: &mut HashMap<u64, i8>) -> i8 {
    if let Some(outcome) = game.outcome() {
        return match outcome {
            Outcome::Draw => 0,
            Outcome::Win(player) if player == game.to_move() => 1,
            Outcome::Win(_) => -1,
        };
    }
    if let Some(&value) = known.get(&game.hash()) {
        return value;
    }
    let mut best = -1;
    for mv in game.legal_moves() {
        let undo = game.make(mv);
        best = best.max(-solved(game, known));
        game.undo(mv, undo);
    }
    known.insert(game.hash(), best);
    best
}

fn board(columns: usize, rows: usize) -> ConnectFour {
    ConnectFour::start(connect_four::Size::new(columns, rows).expect("a size"))
}

#[test]
fn small_boards_of_connect_four_are_solved() {
    for (columns, rows) in [(4, 4), (4, 5)] {
        let mut game = board(columns, rows);
        let value = solved(&mut game, &mut HashMap::new());
        assert_eq!(value, 0, "{columns}x{rows} is drawn");
        assert_eq!(verdicts(&game, TABLE_BYTES), expected(i32::from(value)), "{columns}x{rows}");
        let mut searcher = Searcher::new(Threats, Options::default());
        assert_eq!(searcher.search(&game, &Limits::depth(20)).value, 0, "{columns}x{rows}");
    }
}

#[test]
fn random_positions_of_a_small_board_are_judged_as_by_minimax() {
    let mut known = HashMap::new();
    let mut random = Random(7);
    for _ in 0..150 {
        let mut game = board(4, 4);
        for _ in 0..random.below(12) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.make(moves[random.below(moves.len())]);
        }
        let value = i32::from(solved(&mut game, &mut known)) * WIN_MIN;
        assert_eq!(verdicts(&game, TABLE_BYTES), expected(value), "{}", game.position_text());
    }
}

#[test]
fn a_tiny_table_forgets_and_still_proves() {
    let game =
        TicTacToe::parse_position("x1o/1x1/o1x o").or_else(|_| TicTacToe::parse_position("xo1/1x1/2o x"));
    let game = game.expect("a position");
    let wide = ProofSearch::new(&game, Goal::Win, TABLE_BYTES).search(&Limits::default());
    let tiny = ProofSearch::new(&game, Goal::Win, 1).search(&Limits::default());
    assert_eq!(tiny.verdict, wide.verdict);
    assert_ne!(wide.verdict, Verdict::Unknown);
}

#[test]
fn mates_are_found_in_chess() {
    for (fen, plies) in [
        // A back-rank mate, Philidor's smothered mate in three moves, and a rook ending.
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1),
        ("5rk1/5Npp/8/3Q4/8/8/6PP/6K1 w - - 0 1", 7),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 5),
    ] {
        let game = Chess::parse_position(fen).expect(fen).into_search_root();
        let limits = Limits { depth_max: plies, ..Limits::nodes(3_000_000) };
        let proof = ProofSearch::new(&game, Goal::Win, TABLE_BYTES).search(&limits);
        assert_eq!(proof.verdict, Verdict::Proven, "{fen}: {proof:?}");
        assert_eq!(proof.proof_number, Some(0));
        let mut end = game;
        for mv in &proof.line {
            assert!(end.legal_moves().contains(mv), "{fen}: the line is legal");
            end.make(*mv);
        }
        assert_eq!(end.outcome(), Some(Outcome::Win(0)), "{fen}: the line ends in mate");
        assert!(proof.line.len() <= usize::from(plies));
    }
}

#[test]
fn what_is_not_mate_within_the_horizon_is_unknown() {
    let game = Chess::parse_position("7k/8/8/8/8/8/8/KR6 w - - 0 1").expect("a position").into_search_root();
    let limits = Limits { depth_max: 3, ..Limits::nodes(200_000) };
    let proof = ProofSearch::new(&game, Goal::Win, TABLE_BYTES).search(&limits);
    assert_eq!(proof.verdict, Verdict::Unknown);
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let proof = ProofSearch::new(&ConnectFour::new(), Goal::Win, TABLE_BYTES).search(&Limits::nodes(5_000));
    assert_eq!((proof.verdict, proof.stopped, proof.nodes), (Verdict::Unknown, true, 5_000));
    assert!(proof.proof_number > Some(0) && proof.disproof_number > Some(0));
}

/// A tree of AND and OR with a number at every leaf: the root's numbers can be counted by hand.
#[test]
fn the_rows_are_the_proof() {
    // The first player wins by b, whatever follows; a loses.
    let game = Tree::parse_position("(a:(inf -inf) b:(inf (x:-inf y:inf)))").expect("a tree");
    let mut search = ProofSearch::new(&game, Goal::Win, TABLE_BYTES);
    let proof = search.search(&Limits::default());
    assert_eq!(proof.verdict, Verdict::Proven);
    let names = |moves: &[_]| {
        let mut game = game.clone();
        let mut names = Vec::new();
        for &mv in moves {
            names.push(game.move_text(mv));
            game.make(mv);
        }
        names
    };
    assert_eq!(names(&proof.line), ["b", "2", "y"]);
    let rows = search.rows(&Limits::default(), 100);
    let moves: Vec<_> =
        rows.iter().skip(1).filter_map(|row| row.last_move).map(|mv| game.encode(mv)).collect();
    // b, its two replies, and y: what is needed, and nothing else.
    assert_eq!(moves, [4, 5, 6, 8]);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Proven && row.proof_number == Some(0)));
    assert_eq!(rows.iter().map(|row| row.is_or).collect::<Vec<_>>(), [true, false, true, true, false]);
}

#[test]
fn a_finished_game_needs_no_search() {
    let over = Tree::parse_position("inf").expect("a leaf");
    let proof = ProofSearch::new(&over, Goal::Win, TABLE_BYTES).search(&Limits::default());
    assert_eq!((proof.verdict, proof.line.len(), proof.nodes), (Verdict::Proven, 0, 0));
}
