//! What is selective is selective as it says: quiescence and extensions against a plain recursion, null moves and
//! reductions by what an observer must see of them.

use crate::trees::recorder::{Recorder, Seen};
use crate::trees::{Leaves, RandomTree, two_player_trees};
use gt_search::{Ended, Evaluate, Game, Limits, NodeType, Options, Outcome, Searcher, WIN, WIN_MIN};
use proptest::prelude::*;

fn outcome_value(game: &RandomTree, ply: u16) -> Option<i32> {
    game.outcome().map(|outcome| match outcome {
        Outcome::Draw => 0,
        Outcome::Win(player) if player == game.to_move() => WIN - i32::from(ply),
        Outcome::Win(_) => i32::from(ply) - WIN,
    })
}

fn highest_after(
    game: &mut RandomTree,
    moves: Vec<u64>,
    mut value: impl FnMut(&mut RandomTree) -> i32,
) -> Option<i32> {
    let value_after = |mv| {
        game.make(mv);
        let value = -value(game);
        game.undo(mv, ());
        value
    };
    moves.into_iter().map(value_after).max()
}

/// Stand pat or follow noisy moves; in check follow every move.
fn quiet_value(game: &mut RandomTree, plies_left: u16, ply: u16) -> i32 {
    if let Some(value) = outcome_value(game, ply) {
        return value;
    }
    let mut moves = Vec::new();
    if game.in_check() && plies_left > 0 {
        game.moves(&mut moves);
        let value = highest_after(game, moves, |game| quiet_value(game, plies_left - 1, ply + 1));
        return value.expect("a game that is not over has moves");
    }
    let stand_pat = Leaves.evaluate(game);
    if plies_left == 0 {
        return stand_pat;
    }
    game.noisy_moves(&mut moves);
    let noisy = highest_after(game, moves, |game| quiet_value(game, plies_left - 1, ply + 1));
    noisy.map_or(stand_pat, |noisy| noisy.max(stand_pat))
}

/// Full-width down to the horizon, a ply deeper wherever a move gives check and loses nothing.
fn extended_value(game: &mut RandomTree, depth: u16, ply: u16, nominal: u16) -> i32 {
    if let Some(value) = outcome_value(game, ply) {
        return value;
    }
    if depth == 0 {
        return Leaves.evaluate(game);
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let value_after = |mv| {
        let is_sound = game.wins_at_least(mv, 0);
        game.make(mv);
        let extension = u16::from(ply < 2 * nominal && game.in_check() && is_sound);
        let value = -extended_value(game, depth - 1 + extension, ply + 1, nominal);
        game.undo(mv, ());
        value
    };
    moves.into_iter().map(value_after).max().expect("a game that is not over has moves")
}

fn full_width(game: &mut RandomTree, depth: u16, ply: u16, plies_max: u16) -> i32 {
    if depth == 0 {
        return quiet_value(game, plies_max, ply);
    }
    if let Some(value) = outcome_value(game, ply) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let value = highest_after(game, moves, |game| full_width(game, depth - 1, ply + 1, plies_max));
    value.expect("a game that is not over has moves")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn quiescence_finds_the_quiet_value(
        tree in two_player_trees(),
        depth in 0..4u16,
        plies_max in 0..5u16,
        table_bytes in prop_oneof![Just(0), Just(1 << 16)],
    ) {
        let options =
            Options { quiescence_plies_max: Some(plies_max), iterative: false, table_bytes, ..Options::default() };
        let mut recorder = Recorder::default();
        let result = Searcher::new(Leaves, options)
            .search_observed(&tree, &Limits::depth(depth), &mut recorder, |_| ());
        prop_assert_eq!(result.value, full_width(&mut tree.clone(), depth, 0, plies_max));
        recorder.assert_consistent();
        recorder.for_each_node(|seen| {
            let is_root = seen.record.node_type.has(NodeType::QUIESCENCE_ROOT);
            assert_eq!(is_root, seen.record.depth == 0, "{:?}", seen.record);
        });
    }

    #[test]
    fn checks_extend_by_a_ply(tree in two_player_trees(), depth in 0..4u16) {
        let options =
            Options { check_extensions: true, iterative: false, table_bytes: 0, ..Options::default() };
        let result = Searcher::new(Leaves, options).search(&tree, &Limits::depth(depth));
        prop_assert_eq!(result.value, extended_value(&mut tree.clone(), depth, 0, depth));
    }

    #[test]
    fn all_together_stay_consistent(tree in two_player_trees(), depth in 1..7u16, nodes_max in 1..20_000u64) {
        let options = Options { quiescence_plies_max: Some(3), table_bytes: 1 << 14, ..Options::selective() };
        let mut recorder = Recorder::default();
        let limits = Limits { depth_max: depth, ..Limits::nodes(nodes_max) };
        let mut searcher = Searcher::new(Leaves, options);
        searcher.set_played(vec![1, 2, 3]);
        let result = searcher.search_observed(&tree, &limits, &mut recorder, |_| ());
        recorder.assert_consistent();
        prop_assert_eq!(result.nodes, recorder.entered);
        prop_assert!(result.best_move.is_some());
    }
}

/// Random trees are small on purpose; this one is wide enough that reductions and null moves do happen.
#[test]
fn null_moves_reductions_and_searches_again_are_seen() {
    let shape = crate::trees::Shape {
        seed: 5,
        branching_max: 30,
        values_max: 100,
        transposes: true,
        ..crate::trees::Shape::default()
    };
    let options = Options { quiescence_plies_max: Some(2), ..Options::selective() };
    let mut recorder = Recorder::default();
    let limits = Limits { depth_max: 6, ..Limits::nodes(200_000) };
    Searcher::new(Leaves, options).search_observed(&RandomTree::new(shape), &limits, &mut recorder, |_| ());
    recorder.assert_consistent();
    let flagged = |flag| recorder.count(|seen| seen.record.node_type.has(flag));
    assert!(flagged(NodeType::NULL_MOVE) > 0);
    assert!(flagged(NodeType::RESEARCH) > 0);
    assert!(flagged(NodeType::QUIESCENCE) > 0);
    assert!(recorder.count(|seen| seen.record.reduction > 0) > 0);
    assert!(recorder.count(|seen| seen.record.extension > 0) > 0);
    for ended in [Ended::NullMove, Ended::TableHit, Ended::StandPat, Ended::Cutoff, Ended::Searched] {
        assert!(recorder.count(|seen| seen.record.ended == ended) > 0, "{ended:?}");
    }
}

/// Every node that compares the table's move with the others does with it what the comparison says.
#[test]
fn a_move_that_is_alone_is_searched_a_ply_deeper() {
    let (mut alone, mut refuted_twice) = (0, 0);
    for seed in 0..20 {
        let shape = crate::trees::Shape {
            seed,
            branching_max: 8,
            values_max: 60,
            transposes: true,
            ..crate::trees::Shape::default()
        };
        let options = Options {
            quiescence_plies_max: Some(2),
            check_extensions: false,
            threat_extensions: false,
            ..Options::selective()
        };
        let mut recorder = Recorder::default();
        let limits = Limits { depth_max: 10, ..Limits::nodes(60_000) };
        Searcher::new(Leaves, options).search_observed(
            &RandomTree::new(shape),
            &limits,
            &mut recorder,
            |_| (),
        );
        recorder.assert_consistent();
        recorder.for_each_node(|seen| {
            let is_test = |child: &&Seen<_>| child.record.node_type.has(NodeType::EXCLUDED);
            let is_move =
                |child: &&Seen<_>| !is_test(child) && !child.record.node_type.has(NodeType::NULL_MOVE);
            let Some(first) = seen.children.iter().find(is_test) else { return };
            if seen.record.ended == Ended::Stopped {
                return;
            }
            let target = -first.record.alpha;
            // A reduced move that is entered again counts by its last value.
            let mut tested: Vec<&Seen<_>> = seen.children.iter().filter(is_test).collect();
            tested.reverse();
            tested.dedup_by_key(|child| child.last_move);
            let is_alone = tested.iter().all(|child| -child.record.best < target);
            match seen.children.iter().find(is_move) {
                Some(best) => {
                    assert!(
                        best.last_move != first.last_move,
                        "the table's move is left out: {:?}",
                        seen.record
                    );
                    assert_eq!(best.record.extension > 0, is_alone, "{:?} {:?}", seen.record, best.record);
                    alone += u64::from(is_alone);
                }
                None => {
                    assert!(!is_alone && target >= seen.record.beta, "{:?}", seen.record);
                    assert_eq!((seen.record.best, seen.record.ended), (target, Ended::Cutoff));
                    refuted_twice += 1;
                }
            }
        });
    }
    assert!(alone > 0 && refuted_twice > 0, "{alone} alone, {refuted_twice} refuted twice");
}

/// The table's entry may be of another position with the same hash and more moves: then no move is the table's, and
/// none is tested without the others.
#[test]
fn the_table_s_move_is_one_of_the_node_s() {
    let mut tested = 0;
    for seed in 0..40 {
        let shape = crate::trees::Shape {
            seed,
            branching_max: 12,
            values_max: 60,
            hashes_max: 500,
            ..crate::trees::Shape::default()
        };
        let options = Options { singular_extensions: true, table_deeper: true, ..Options::default() };
        let mut recorder = Recorder::default();
        let limits = Limits { depth_max: 10, ..Limits::nodes(60_000) };
        let tree = RandomTree::new(shape);
        Searcher::new(Leaves, options).search_observed(&tree, &limits, &mut recorder, |_| ());
        recorder.assert_consistent();
        recorder.for_each_node(|seen| {
            let is_test = |child: &&Seen<_>| child.record.node_type.has(NodeType::EXCLUDED);
            let Some(first) = seen.children.iter().find(|child| !is_test(child)) else { return };
            let mut tests = seen.children.iter().filter(is_test).peekable();
            tested += u64::from(tests.peek().is_some());
            assert!(tests.all(|test| test.last_move != first.last_move), "{:?}", seen.record);
        });
    }
    assert!(tested > 0);
}

/// Shown by a query on a log: a pass that lost the game was taken for one that reached beta, and so a threat of mate
/// looked like a refutation. Losing passes are common in trees of wins; the recorder checks each cut-off.
#[test]
fn a_pass_that_loses_cuts_off_nothing() {
    let (mut cutoffs, mut losing_passes) = (0, 0);
    for seed in 0..300 {
        let shape =
            crate::trees::Shape { seed, values_max: 3, ends_one_in: 4, ..crate::trees::Shape::default() };
        let options = Options { null_move_reduction: Some(1), table_bytes: 0, ..Options::default() };
        let mut recorder = Recorder::default();
        let tree = RandomTree::new(shape);
        Searcher::new(Leaves, options).search_observed(&tree, &Limits::depth(6), &mut recorder, |_| ());
        recorder.assert_consistent();
        cutoffs += recorder.count(|seen| seen.record.ended == Ended::NullMove);
        losing_passes += recorder
            .count(|seen| seen.record.node_type.has(NodeType::NULL_MOVE) && seen.record.best >= WIN_MIN);
    }
    assert!(cutoffs > 0 && losing_passes > 0, "{cutoffs} cut-offs, {losing_passes} losing passes");
}

/// Found by chance: where the game is over nobody passes, and nothing is evaluated.
#[test]
fn no_null_move_after_the_end() {
    let shape = crate::trees::Shape { values_max: 3, ends_one_in: 4, ..crate::trees::Shape::default() };
    for seed in 0..200 {
        let tree = RandomTree::new(crate::trees::Shape { seed, ..shape });
        let options = Options { null_move_reduction: Some(2), table_bytes: 0, ..Options::default() };
        let mut recorder = Recorder::default();
        Searcher::new(Leaves, options).search_observed(&tree, &Limits::depth(5), &mut recorder, |_| ());
        recorder.assert_consistent();
        let evaluated_end =
            recorder.count(|seen| seen.record.ended == Ended::Terminal && seen.record.static_eval.is_some());
        assert_eq!(evaluated_end, 0, "seed {seed}");
    }
}

#[test]
fn a_repeated_position_is_a_draw() {
    /// Two squares to walk between, for both players alike: no line but repeats itself.
    #[derive(Clone)]
    struct Corridor(u64);
    impl Game for Corridor {
        type Move = u8;
        type Undo = ();
        fn to_move(&self) -> usize {
            (self.0 % 2) as usize
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn moves(&self, moves: &mut Vec<u8>) {
            moves.push(0);
        }
        fn make(&mut self, _: u8) {
            self.0 += 1;
        }
        fn undo(&mut self, _: u8, (): ()) {
            self.0 -= 1;
        }
        fn hash(&self) -> u64 {
            self.0 % 4
        }
        fn encode(&self, _: u8) -> i64 {
            0
        }
    }
    struct Seven;
    impl Evaluate<Corridor> for Seven {
        fn evaluate(&self, _: &Corridor) -> i32 {
            7
        }
    }
    let options = Options { repetition_draws: true, ..Options::default() };
    let mut searcher = Searcher::new(Seven, options);
    assert_eq!(searcher.search(&Corridor(0), &Limits::depth(3)).value, -7);
    searcher.clear();
    let mut recorder = Recorder::default();
    let result = searcher.search_observed(&Corridor(0), &Limits::depth(4), &mut recorder, |_| ());
    assert_eq!(result.value, 0);
    assert_eq!(recorder.count(|seen| seen.record.ended == Ended::Draw), 1);
    searcher.clear();
    searcher.set_played(vec![1]);
    assert_eq!(searcher.search(&Corridor(0), &Limits::depth(1)).value, 0, "it was there before the search");
}
