//! Every search for two players finds the value of the plain recursion, whatever it remembers and however it
//! orders.

use crate::trees::recorder::{Recorder, Seen, expectations};
use crate::trees::tic_tac_toe::{OpenLines, TicTacToe};
use crate::trees::{Leaves, RandomTree, Shape, trees_of_wins, two_player_trees};
use gt_search::{
    Ended, Evaluate, Game, Limits, Options, Outcome, Plain, SearchResult, Searcher, StoredTree, WIN,
    alpha_beta, negamax,
};
use proptest::prelude::*;

/// The definition of the value, and nothing else.
fn value_of<G: Game>(game: &mut G, evaluation: &impl Evaluate<G>, depth: u16, ply: i32) -> i32 {
    match game.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(player)) if player == game.to_move() => return WIN - ply,
        Some(Outcome::Win(_)) => return ply - WIN,
        None if depth == 0 => return evaluation.evaluate(game),
        None => (),
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let value_after = |mv: &G::Move| {
        let undo = game.make(*mv);
        let value = -value_of(game, evaluation, depth - 1, ply + 1);
        game.undo(*mv, undo);
        value
    };
    moves.iter().map(value_after).max().expect("a game that is not over has moves")
}

/// The line is legal, begins with the best move, and its end is worth the value.
fn assert_line<G: Game>(game: &G, evaluation: &impl Evaluate<G>, depth: u16, result: &SearchResult<G::Move>) {
    assert_eq!(result.pv.first().copied(), result.best_move);
    let mut game = game.clone();
    for &mv in &result.pv {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        assert!(moves.contains(&mv), "{mv:?} of the variation is not legal");
        game.make(mv);
    }
    let plies = result.pv.len() as u16;
    assert!(plies == depth || game.outcome().is_some(), "the line ends early");
    let sign = if plies.is_multiple_of(2) { 1 } else { -1 };
    assert_eq!(sign * value_of(&mut game, evaluation, 0, i32::from(plies)), result.value);
}

fn orders() -> impl Strategy<Value = Options> {
    let parts = (
        prop_oneof![Just(0), Just(64), Just(256), Just(1 << 20)],
        any::<bool>(),
        proptest::option::of(0..9i32),
        any::<[bool; 2]>(),
        prop_oneof![Just(0), Just(-64), Just(64)],
        proptest::option::of(0..4usize),
    );
    parts.prop_map(|(table_bytes, iterative, aspiration, [killers, history], hint_weight, evaluated)| {
        Options {
            table_bytes,
            iterative,
            aspiration,
            killers,
            history,
            hint_weight,
            evaluate_to_order_moves_min: evaluated,
            ..Options::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn plain_searches_find_the_value(tree in two_player_trees(), depth in 0..6u16) {
        let expected = value_of(&mut tree.clone(), &Leaves, depth, 0);
        let best_move = negamax(&tree, &Leaves, depth, &mut ()).best_move;
        for plain in Plain::ALL {
            let mut recorder = Recorder::default();
            let result = plain.search(&tree, &Leaves, &Limits::depth(depth), &mut recorder, |_| ());
            prop_assert_eq!(result.value, expected, "{:?}", plain);
            prop_assert_eq!(result.nodes, recorder.entered);
            if result.depth == depth {
                assert_line(&tree, &Leaves, depth, &result);
                prop_assert_eq!(result.best_move, best_move, "the first of the best moves: {:?}", plain);
            }
            recorder.assert_consistent();
        }
    }

    #[test]
    fn the_driver_finds_the_value(tree in two_player_trees(), depth in 0..6u16, options in orders()) {
        let expected = value_of(&mut tree.clone(), &Leaves, depth, 0);
        let mut searcher = Searcher::new(Leaves, options);
        let mut recorder = Recorder::default();
        let result = searcher.search_observed(&tree, &Limits::depth(depth), &mut recorder, |_| ());
        prop_assert_eq!(result.value, expected);
        prop_assert_eq!(result.nodes, recorder.entered);
        prop_assert_eq!(result.evaluations >= recorder.count(|seen| seen.record.ended == Ended::Horizon), true);
        assert_line(&tree, &Leaves, result.depth, &result);
        recorder.assert_consistent();
        prop_assert_eq!(searcher.search(&tree, &Limits::depth(depth)).value, expected, "with the table kept");
    }

    #[test]
    fn a_table_kept_through_a_game_changes_nothing(tree in two_player_trees(), options in orders()) {
        let mut searcher = Searcher::new(Leaves, options);
        let mut game = tree;
        for _ in 0..4 {
            let result = searcher.search(&game, &Limits::depth(4));
            prop_assert_eq!(result.value, value_of(&mut game, &Leaves, 4, 0));
            let Some(mv) = result.best_move else { break };
            game.make(mv);
        }
    }

    #[test]
    fn distances_of_wins_survive_the_table(tree in trees_of_wins(), options in orders(), depth in 3..8u16) {
        let mut searcher = Searcher::new(Leaves, options);
        let mut game = tree;
        for depth in (1..=depth).rev() {
            let result = searcher.search(&game, &Limits::depth(depth));
            prop_assert_eq!(result.value, negamax(&game, &Leaves, depth, &mut ()).value);
            let Some(mv) = result.best_move else { break };
            game.make(mv);
        }
    }

    #[test]
    fn a_limit_leaves_every_node_and_answers_with_a_move(
        tree in two_player_trees(),
        nodes_max in 1..400u64,
        options in orders(),
    ) {
        let limits = Limits { depth_max: 5, ..Limits::nodes(nodes_max) };
        let mut recorder = Recorder::default();
        let mut completed = None;
        let result = Searcher::new(Leaves, options).search_observed(&tree, &limits, &mut recorder, |iteration| {
            completed = Some((iteration.depth, iteration.value, iteration.pv.first().copied()));
        });
        recorder.assert_consistent();
        prop_assert_eq!(result.nodes, recorder.entered);
        prop_assert!(result.nodes <= nodes_max);
        prop_assert!(result.best_move.is_some());
        let last = recorder.trees.last().expect("a tree");
        prop_assert!(!result.stopped || last.record.ended == Ended::Stopped);
        match completed {
            Some(completed) if (result.depth, result.value, result.best_move) == completed => (),
            None => prop_assert_eq!(result.depth, 0),
            // What the iteration that was stopped has found already.
            Some((depth, ..)) => {
                prop_assert!(result.stopped && result.depth == depth);
                let found = |child: &Seen<_>| child.last_move == result.best_move && -child.record.best == result.value;
                prop_assert!(last.children.iter().any(found), "{:?} in {:?}", result, last);
            }
        }
        for plain in Plain::ALL {
            let mut recorder = Recorder::default();
            let result = plain.search(&tree, &Leaves, &limits, &mut recorder, |_| ());
            recorder.assert_consistent();
            prop_assert!(result.nodes <= nodes_max && result.best_move.is_some());
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for plain in [Plain::AlphaBeta, Plain::NegaScout] {
        let result = plain.search(&TicTacToe::default(), &OpenLines, &Limits::depth(9), &mut (), |_| ());
        assert_eq!((result.value, result.pv.len()), (0, 9), "{plain:?}");
    }
    let mut searcher = Searcher::new(OpenLines, Options::default());
    let result = searcher.search(&TicTacToe::default(), &Limits::depth(9));
    assert_eq!((result.value, result.pv.len()), (0, 9));
}

#[test]
fn every_depth_of_tic_tac_toe_has_negamax_s_value() {
    let mut searcher = Searcher::new(OpenLines, Options::default());
    let mut game = TicTacToe::default();
    for opening in [4, 1, 0] {
        for depth in 0..=7 {
            let expected = negamax(&game, &OpenLines, depth, &mut ()).value;
            assert_eq!(alpha_beta(&game, &OpenLines, depth, &mut ()).value, expected);
            assert_eq!(searcher.search(&game, &Limits::depth(depth)).value, expected, "depth {depth}");
        }
        game.make(opening);
    }
}

#[test]
fn a_win_tells_its_distance_and_ends_the_deepening() {
    // X X .      X to move wins at once.
    // O O .
    // . . .
    let game = TicTacToe::from_moves(&[0, 3, 1, 4]);
    let result = Searcher::new(OpenLines, Options::default()).search(&game, &Limits::depth(5));
    assert_eq!((result.value, result.best_move, result.depth), (WIN - 1, Some(2), 1));
}

#[test]
fn a_finished_game_has_a_value_and_no_move() {
    let game = TicTacToe::from_moves(&[0, 3, 1, 4, 2]);
    let mut recorder = Recorder::default();
    let result = Searcher::new(OpenLines, Options::default()).search_observed(
        &game,
        &Limits::depth(5),
        &mut recorder,
        |_| (),
    );
    assert_eq!((result.value, result.best_move, result.nodes), (-WIN, None, 1));
    assert_eq!(recorder.trees[0].record.ended, Ended::Terminal);
}

#[test]
fn each_iteration_is_told_and_begins_a_tree() {
    let mut recorder = Recorder::default();
    let mut told = Vec::new();
    let mut searcher = Searcher::new(OpenLines, Options::default());
    searcher.search_observed(&TicTacToe::default(), &Limits::depth(4), &mut recorder, |iteration| {
        told.push(iteration.depth);
    });
    assert_eq!((told, recorder.begun), (vec![1, 2, 3, 4], vec![1, 2, 3, 4]));
    assert_eq!(recorder.trees.len(), 4);
}

#[test]
fn without_time_there_is_still_a_move() {
    let limits = Limits::time(std::time::Duration::ZERO);
    let mut recorder = Recorder::default();
    let mut searcher = Searcher::new(OpenLines, Options::default());
    let result = searcher.search_observed(&TicTacToe::default(), &limits, &mut recorder, |_| ());
    assert_eq!((result.best_move, result.depth, result.stopped), (Some(0), 0, true));
    recorder.assert_consistent();
}

/// Found by chance: a window without room inside would let every node fail high.
#[test]
fn an_aspiration_window_has_room() {
    let tree = RandomTree::new(Shape { branching_max: 1, values_max: 0, ..Shape::default() });
    let mut recorder = Recorder::default();
    let mut searcher = Searcher::new(Leaves, Options { aspiration: Some(0), ..Options::default() });
    assert_eq!(searcher.search_observed(&tree, &Limits::depth(4), &mut recorder, |_| ()).value, 0);
    recorder.assert_consistent();
}

/// Nine plies end every game of tic-tac-toe: no search begins a tenth.
#[test]
fn an_exhausted_tree_ends_the_deepening() {
    let limits = Limits::depth(60);
    for plain in [Plain::AlphaBeta, Plain::NegaScout] {
        assert_eq!(
            plain.search(&TicTacToe::from_moves(&[]), &OpenLines, &limits, &mut (), |_| ()).depth,
            9,
            "{plain:?}"
        );
    }
    let result = Searcher::new(OpenLines, Options::default()).search(&TicTacToe::from_moves(&[]), &limits);
    assert_eq!((result.depth, result.value, result.stopped), (9, 0, false));
    let mut stored = StoredTree::new(TicTacToe::from_moves(&[]), OpenLines, 1_000_000);
    assert_eq!(stored.search(&limits).depth, 9);
}

/// What looks at every move expects nothing of it.
#[test]
fn searches_without_cut_offs_have_no_types() {
    for plain in Plain::ALL {
        let mut recorder = Recorder::default();
        plain.search(&TicTacToe::from_moves(&[]), &OpenLines, &Limits::depth(3), &mut recorder, |_| ());
        let expected = usize::from(matches!(plain, Plain::AlphaBeta | Plain::NegaScout));
        recorder.for_each_node(|seen| assert_eq!(expectations(&seen.record), expected, "{plain:?}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Each line is the best of the moves that have none before it.
    #[test]
    fn lines_are_the_best_moves_in_turn(tree in two_player_trees(), lines in 1..5usize, depth in 1..5u16) {
        let options = Options { lines, table_bytes: 1 << 16, ..Options::default() };
        let result = Searcher::new(Leaves, options).search(&tree, &Limits::depth(depth));
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let value_after = |mv: &u64| {
            let mut game = tree.clone();
            game.make(*mv);
            -value_of(&mut game, &Leaves, result.depth - 1, 1)
        };
        let mut values: Vec<i32> = moves.iter().map(value_after).collect();
        values.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
        if lines.min(moves.len()) > 1 {
            let found: Vec<i32> = result.lines.iter().map(|line| line.value).collect();
            prop_assert_eq!(&found, &values[..lines.min(moves.len())]);
            for line in &result.lines {
                prop_assert_eq!(value_after(&line.pv[0]), line.value);
            }
        } else {
            prop_assert!(result.lines.is_empty());
        }
        prop_assert_eq!(result.value, values[0]);
    }

    /// Only the moves that were named are searched at the root, and the value is theirs.
    #[test]
    fn the_moves_of_the_root_can_be_named(tree in two_player_trees(), chosen in 0..8u64, depth in 1..5u16) {
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let chosen = chosen % moves.len() as u64;
        let mut searcher = Searcher::new(Leaves, Options { table_bytes: 1 << 16, ..Options::default() });
        searcher.set_root_moves(vec![chosen, u64::MAX]);
        let result = searcher.search(&tree, &Limits::depth(depth));
        let mut game = tree.clone();
        game.make(chosen);
        prop_assert_eq!(result.best_move, Some(chosen));
        prop_assert_eq!(result.value, -value_of(&mut game, &Leaves, result.depth - 1, 1));
        searcher.set_root_moves(Vec::new());
        let whole = searcher.search(&tree, &Limits::depth(depth));
        prop_assert_eq!(whole.value, value_of(&mut tree.clone(), &Leaves, whole.depth, 0));
    }
}
