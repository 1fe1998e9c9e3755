//! A stored tree never changes a value, however it was grown, observed and cut back.

use crate::trees::recorder::Recorder;
use crate::trees::tic_tac_toe::{OpenLines, TicTacToe};
use crate::trees::{Leaves, two_player_trees};
use gt_search::{Ended, Game, Limits, StoredTree, negamax};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn values_are_negamax_s_through_a_game(
        tree in two_player_trees(),
        depths in proptest::collection::vec(0..5u16, 1..6),
        nodes_max in prop_oneof![Just(0usize), Just(20), Just(1_000_000)],
        choices in any::<[usize; 6]>(),
    ) {
        let mut game = tree.clone();
        let mut stored = StoredTree::new(tree, Leaves, nodes_max);
        for (&depth, &choice) in depths.iter().zip(&choices) {
            let mut recorder = Recorder::default();
            let result = stored.search_observed(&Limits::depth(depth), &mut recorder, |_| ());
            prop_assert_eq!(result.value, negamax(&game, &Leaves, depth, &mut ()).value, "depth {}", depth);
            prop_assert_eq!(result.nodes, recorder.entered);
            recorder.assert_consistent();
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let Some(&mv) = moves.get(choice % moves.len().max(1)) else { break };
            prop_assert!(stored.observe(mv));
            game.make(mv);
            prop_assert_eq!(stored.position(), &game);
        }
    }

    #[test]
    fn a_search_cut_short_does_no_harm(tree in two_player_trees(), nodes_max in 1..300u64) {
        let mut stored = StoredTree::new(tree.clone(), Leaves, 1_000_000);
        let mut recorder = Recorder::default();
        let limits = Limits { depth_max: 5, ..Limits::nodes(nodes_max) };
        let result = stored.search_observed(&limits, &mut recorder, |_| ());
        recorder.assert_consistent();
        prop_assert!(result.best_move.is_some() && result.nodes <= nodes_max);
        let result = stored.search(&Limits::depth(4));
        prop_assert_eq!(result.value, negamax(&tree, &Leaves, 4, &mut ()).value);
    }
}

#[test]
fn children_are_sorted_by_value() {
    let mut stored = StoredTree::new(TicTacToe::default(), OpenLines, 1_000_000);
    stored.search(&Limits::depth(1));
    let values: Vec<_> = stored.root_values().map(|(_, value)| value.expect("searched")).collect();
    assert!(values.is_sorted_by(|before, after| before >= after), "{values:?}");
    assert_eq!(stored.root_values().next().map(|(mv, _)| mv), Some(4), "the centre opens the most lines");
}

#[test]
fn what_was_searched_serves_the_next_move() {
    let mut stored = StoredTree::new(TicTacToe::default(), OpenLines, 1_000_000);
    let reply = stored.search(&Limits::depth(6)).pv[1];
    let first = stored.root_values().next().expect("a move").0;
    stored.observe(first);
    stored.observe(reply);
    let mut recorder = Recorder::default();
    let with_memory = stored.search_observed(&Limits::depth(4), &mut recorder, |_| ());
    let mut without = StoredTree::new(stored.position().clone(), OpenLines, 1_000_000);
    let without_memory = without.search(&Limits::depth(4));
    assert_eq!(with_memory.value, without_memory.value);
    assert!(with_memory.evaluations < without_memory.evaluations, "{with_memory:?} {without_memory:?}");
    assert!(recorder.count(|seen| seen.record.ended == Ended::TableHit) > 0);
}

#[test]
fn the_rest_of_the_tree_is_dropped() {
    let mut stored = StoredTree::new(TicTacToe::default(), OpenLines, 1_000_000);
    stored.search(&Limits::depth(5));
    let before = stored.nodes_stored();
    assert!(stored.observe(4));
    assert!(stored.nodes_stored() < before / 2, "{} of {before}", stored.nodes_stored());
    assert!(!stored.observe(4), "the square is taken");
    assert_eq!(stored.position(), &TicTacToe::from_moves(&[4]));
}

#[test]
fn the_limit_on_nodes_holds() {
    let mut stored = StoredTree::new(TicTacToe::default(), OpenLines, 500);
    stored.search(&Limits::depth(7));
    assert!(stored.nodes_stored() < 500 + 9, "{}", stored.nodes_stored());
}

/// Found by chance: a search that may enter the root alone must not look at its children.
#[test]
fn a_limit_of_one_node_is_the_root() {
    let mut stored = StoredTree::new(TicTacToe::default(), OpenLines, 1_000_000);
    let result = stored.search(&Limits::nodes(1));
    assert_eq!((result.nodes, result.best_move, result.depth), (1, Some(0), 0));
}
