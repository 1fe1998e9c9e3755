//! The searches for many players against their definitions, on trees of two to four players.

use crate::trees::recorder::Recorder;
use crate::trees::{Leaves, RandomTree, trees};
use gt_search::{
    EvaluateAll, EvaluationBounds, Game, Limits, ManyPlayers, Outcome, WIN, best_reply, max_n, negamax,
    paranoid,
};
use proptest::prelude::*;

/// Every player's value of a position without further search, if there is no further search.
fn leaf_values(game: &RandomTree, depth: u16, ply: i32) -> Option<Vec<i32>> {
    let players = game.players();
    match game.outcome() {
        Some(Outcome::Draw) => Some(vec![0; players]),
        Some(Outcome::Win(winner)) => {
            Some((0..players).map(|player| if player == winner { WIN - ply } else { ply - WIN }).collect())
        }
        None if depth == 0 => {
            let mut values = vec![0; players];
            Leaves.evaluate_all(game, &mut values);
            Some(values)
        }
        None => None,
    }
}

fn each_after<T>(game: &mut RandomTree, mut body: impl FnMut(&mut RandomTree) -> T) -> Vec<T> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let after = |mv| {
        game.make(mv);
        let result = body(game);
        game.undo(mv, ());
        result
    };
    moves.into_iter().map(after).collect()
}

/// Max^n by definition: the first of the vectors that are best for the mover.
fn vector_of(game: &mut RandomTree, depth: u16, ply: i32) -> Vec<i32> {
    if let Some(values) = leaf_values(game, depth, ply) {
        return values;
    }
    let mover = game.to_move();
    let vectors = each_after(game, |game| vector_of(game, depth - 1, ply + 1));
    let best = vectors.iter().map(|vector| vector[mover]).max();
    vectors.into_iter().find(|vector| Some(vector[mover]) == best).expect("a game that is not over has moves")
}

/// Paranoid by definition: the most for `root`, the least if anybody else moves.
fn feared_value(game: &mut RandomTree, root: usize, depth: u16, ply: i32) -> i32 {
    if let Some(values) = leaf_values(game, depth, ply) {
        return values[root];
    }
    let is_root = game.to_move() == root;
    let values = each_after(game, |game| feared_value(game, root, depth - 1, ply + 1));
    let best = if is_root { values.iter().max() } else { values.iter().min() };
    *best.expect("a game that is not over has moves")
}

/// Best-reply search by definition: the least over all replies of all opponents, of whom one moves.
fn replied_value(game: &mut RandomTree, root: usize, depth: u16, ply: i32, replied: bool) -> i32 {
    if let Some(values) = leaf_values(game, depth, ply) {
        return values[root];
    }
    if game.to_move() == root {
        let values = each_after(game, |game| replied_value(game, root, depth - 1, ply + 1, false));
        return values.into_iter().max().expect("a game that is not over has moves");
    }
    if replied {
        return value_standing_aside(game, root, depth, ply, true);
    }
    let mut values = each_after(game, |game| replied_value(game, root, depth - 1, ply + 1, true));
    if (game.to_move() + 1) % game.players() != root {
        values.push(value_standing_aside(game, root, depth, ply, false));
    }
    values.into_iter().min().expect("a game that is not over has moves")
}

/// An opponent who does not reply passes, or plays what the hints like best where passing is not allowed.
fn value_standing_aside(game: &mut RandomTree, root: usize, depth: u16, ply: i32, replied: bool) -> i32 {
    if game.make_null().is_some() {
        let value = replied_value(game, root, depth, ply + 1, replied);
        game.undo_null(());
        return value;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let most_liked = moves.iter().map(|&mv| game.order_hint(mv)).max();
    let mv = moves.into_iter().find(|&mv| Some(game.order_hint(mv)) == most_liked).expect("a move");
    game.make(mv);
    let value = replied_value(game, root, depth, ply + 1, replied);
    game.undo(mv, ());
    value
}

fn bounds(tree: &RandomTree) -> EvaluationBounds {
    let debt = tree.shape.debt_max;
    EvaluationBounds { lowest: -debt, sum_max: tree.shape.values_max - debt * tree.players() as i32 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn max_n_finds_the_vector_pruned_or_not(tree in trees(2..5), depth in 0..6u16) {
        let expected = vector_of(&mut tree.clone(), depth, 0);
        let mut whole = Recorder::default();
        let mut pruned = Recorder::default();
        let result = max_n(&tree, &Leaves, None, depth, &mut whole);
        prop_assert_eq!(&result.values, &expected);
        prop_assert_eq!(result.search.value, expected[tree.to_move()]);
        let with_bounds = max_n(&tree, &Leaves, Some(bounds(&tree)), depth, &mut pruned);
        prop_assert_eq!(&with_bounds.values, &expected);
        prop_assert_eq!(with_bounds.search.best_move, result.search.best_move);
        prop_assert_eq!(with_bounds.search.pv, result.search.pv);
        prop_assert!(pruned.entered <= whole.entered);
        whole.assert_nodes_consistent();
        pruned.assert_nodes_consistent();
    }

    #[test]
    fn paranoid_finds_what_is_feared(tree in trees(2..5), depth in 0..6u16) {
        let mut recorder = Recorder::default();
        let result = paranoid(&tree, &Leaves, depth, &mut recorder);
        prop_assert_eq!(result.value, feared_value(&mut tree.clone(), tree.to_move(), depth, 0));
        prop_assert_eq!(result.nodes, recorder.entered);
        recorder.assert_nodes_consistent();
    }

    #[test]
    fn best_reply_finds_the_least_over_all_replies(tree in trees(2..5), depth in 0..5u16) {
        let mut recorder = Recorder::default();
        let result = best_reply(&tree, &Leaves, depth, &mut recorder);
        prop_assert_eq!(result.value, replied_value(&mut tree.clone(), tree.to_move(), depth, 0, false));
        prop_assert_eq!(result.nodes, recorder.entered);
        recorder.assert_nodes_consistent();
    }

    #[test]
    fn limits_leave_every_node_and_answer_with_a_move(tree in trees(3..5), nodes_max in 1..300u64) {
        for search in [ManyPlayers::MaxN(Some(bounds(&tree))), ManyPlayers::Paranoid, ManyPlayers::BestReply] {
            let mut recorder = Recorder::default();
            let limits = Limits { depth_max: 5, ..Limits::nodes(nodes_max) };
            let result = search.search(&tree, &Leaves, &limits, &mut recorder, |_| ());
            recorder.assert_nodes_consistent();
            prop_assert!(result.best_move.is_some() && result.nodes <= nodes_max);
            prop_assert_eq!(result.nodes, recorder.entered);
        }
    }

    #[test]
    fn two_players_with_opposite_values_are_negamax(tree in trees(2..3), depth in 0..5u16) {
        struct Opposite;
        impl EvaluateAll<RandomTree> for Opposite {
            fn evaluate_all(&self, game: &RandomTree, values: &mut [i32]) {
                let value = gt_search::Evaluate::evaluate(&Leaves, game);
                values[game.to_move()] = value;
                values[1 - game.to_move()] = -value;
            }
        }
        let expected = negamax(&tree, &Leaves, depth, &mut ());
        let zero_sum = Some(EvaluationBounds { lowest: -tree.shape.values_max, sum_max: 0 });
        for found in [
            max_n(&tree, &Opposite, None, depth, &mut ()).search,
            max_n(&tree, &Opposite, zero_sum, depth, &mut ()).search,
            paranoid(&tree, &Opposite, depth, &mut ()),
            best_reply(&tree, &Opposite, depth, &mut ()),
        ] {
            prop_assert_eq!(found.value, expected.value);
            prop_assert_eq!(found.best_move, expected.best_move);
        }
    }
}

/// The first of equal moves: two children that are the same to the mover and different to the others.
#[test]
fn ties_go_to_the_first_move() {
    let shape =
        crate::trees::Shape { players: 3, branching_max: 4, values_max: 1, ..crate::trees::Shape::default() };
    let tie = (0..200).map(|seed| RandomTree::new(crate::trees::Shape { seed, ..shape })).find(|tree| {
        let vectors = each_after(&mut tree.clone(), |game| vector_of(game, 0, 1));
        vectors.len() > 1
            && vectors.iter().all(|vector| vector[0] == vectors[0][0])
            && vectors[0] != vectors[1]
    });
    let tie = tie.expect("a tie among two hundred trees");
    let first = vector_of(
        &mut {
            let mut game = tie.clone();
            game.make(0);
            game
        },
        0,
        1,
    );
    let result = max_n(&tie, &Leaves, None, 1, &mut ());
    assert_eq!((result.search.best_move, result.values), (Some(0), first));
}

#[test]
fn pruning_does_prune() {
    let shape = crate::trees::Shape {
        players: 3,
        branching_max: 6,
        values_max: 30,
        ..crate::trees::Shape::default()
    };
    let tree = RandomTree::new(shape);
    let whole = max_n(&tree, &Leaves, None, 6, &mut ()).search.nodes;
    let pruned = max_n(&tree, &Leaves, Some(bounds(&tree)), 6, &mut ()).search.nodes;
    assert!(pruned < whole, "{pruned} of {whole}");
}
