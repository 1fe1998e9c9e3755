//! What was made for a game with two thousand moves: breadth, refutations, foresight, simulations with an evaluation, small
//! stored boards, endings by counting.

use std::sync::Arc;

use crate::trees::recorder::Recorder;
use gt_games::Notation;
use gt_games::amazons::{Amazons, Filling, Mobility, Move, Phased, Size, TerritoryMobility};
use gt_search::{
    Breadth, Ended, Evaluate, Foresight, Game, Limits, Options, Outcome, Searcher, StoredTree, Uct,
    UctOptions, WIN_MIN, is_decided, is_unmeasured,
};

fn start(side: usize) -> Amazons {
    Amazons::start(Size::new(side, side).expect("a size"))
}

/// Some turns on, the first of every position.
fn later(side: usize, plies: usize) -> Amazons {
    let mut game = start(side);
    for ply in 0..plies {
        let moves = game.legal_moves();
        let Some(&mv) = moves.get((ply * 7 + 3) % moves.len().max(1)) else { break };
        game.make(mv);
    }
    game
}

/// An evaluation that foresees nothing: what its moves lead to is found by making them.
#[derive(Clone, Copy)]
struct Blind<E>(E);

impl<E: Evaluate<Amazons>> Evaluate<Amazons> for Blind<E> {
    fn evaluate(&self, game: &Amazons) -> i32 {
        self.0.evaluate(game)
    }
}

#[test]
fn foresight_changes_no_value_at_any_depth() {
    for (side, plies) in [(6, 0), (6, 4), (6, 9), (5, 7), (8, 3)] {
        let game = later(side, plies);
        for depth in 1..=2 {
            let value_by = |result: gt_search::SearchResult<Move>| result.value;
            let seen = Searcher::new(Mobility, Options::default()).search(&game, &Limits::depth(depth));
            let blind =
                Searcher::new(Blind(Mobility), Options::default()).search(&game, &Limits::depth(depth));
            assert_eq!(
                value_by(seen),
                value_by(blind),
                "mobility on {side}x{side} after {plies} plies, depth {depth}"
            );
            let seen = Searcher::new(Phased, Options::default()).search(&game, &Limits::depth(depth));
            let blind = Searcher::new(Blind(Phased), Options::default()).search(&game, &Limits::depth(depth));
            assert_eq!(
                value_by(seen),
                value_by(blind),
                "phased on {side}x{side} after {plies} plies, depth {depth}"
            );
        }
    }
}

#[test]
fn an_observer_of_foreseen_leaves_sees_a_whole_tree() {
    let mut recorder = Recorder::default();
    let result = Searcher::new(Mobility, Options::default()).search_observed(
        &start(6),
        &Limits::depth(2),
        &mut recorder,
        |_| (),
    );
    recorder.assert_consistent();
    assert_eq!(result.nodes, recorder.entered);
    let unseen = Searcher::new(Mobility, Options::default()).search(&start(6), &Limits::depth(2));
    assert_eq!((result.nodes, result.value), (unseen.nodes, unseen.value), "observing changes nothing");
}

#[test]
fn refutations_change_no_value() {
    let options = Options { refutations: true, ..Options::default() };
    let mut nodes = [0, 0];
    for (plies, depth) in [(0, 3), (5, 3), (8, 4)] {
        let game = later(5, plies);
        let with = Searcher::new(TerritoryMobility, options.clone()).search(&game, &Limits::depth(depth));
        let without =
            Searcher::new(TerritoryMobility, Options::default()).search(&game, &Limits::depth(depth));
        assert_eq!(with.value, without.value, "after {plies} plies, depth {depth}");
        nodes = [nodes[0] + with.nodes, nodes[1] + without.nodes];
    }
    assert_ne!(nodes[0], nodes[1], "they change the order");
}

#[test]
fn breadth_bounds_the_children_of_every_node() {
    let breadth = Breadth { base: 5, per_ply: 3 };
    let options = Options {
        breadth: Some(breadth),
        iterative: true,
        killers: false,
        table_bytes: 0,
        ..Options::default()
    };
    let mut recorder = Recorder::default();
    Searcher::new(Phased, options).search_observed(&start(6), &Limits::depth(3), &mut recorder, |_| ());
    recorder.assert_consistent();
    let widest = |depth: i16| {
        let mut widest = 0;
        recorder.for_each_node(|seen| {
            if seen.record.depth == depth - 1 && seen.record.ply > 1 {
                widest = widest.max(usize::from(seen.record.move_index) + 1);
            }
        });
        widest
    };
    assert_eq!((widest(1), widest(2)), (breadth.at(1), breadth.at(2)));
}

/// With one move a node all kept moves may lose where others hold: no loss may be told, while wins are wins.
#[test]
fn a_loss_is_told_only_where_every_move_was_tried() {
    let narrow = Options { breadth: Some(Breadth { base: 1, per_ply: 0 }), ..Options::default() };
    let mut decided = 0;
    for plies in 2..10 {
        let game = later(4, plies);
        if game.outcome().is_some() {
            continue;
        }
        let mut recorder = Recorder::default();
        let found = Searcher::new(Phased, narrow.clone()).search_observed(
            &game,
            &Limits::depth(12),
            &mut recorder,
            |_| (),
        );
        let unmeasured = recorder.count(|seen| is_unmeasured(seen.record.best));
        assert_eq!(unmeasured, 0, "no ending is known here without its distance: after {plies} plies");
        let truth = Searcher::new(Phased, Options::default()).search(&game, &Limits::depth(20));
        assert!(is_decided(truth.value), "the whole game is in reach after {plies} plies");
        if is_decided(found.value) {
            decided += 1;
            assert_eq!(found.value >= WIN_MIN, truth.value >= WIN_MIN, "after {plies} plies");
        }
    }
    assert!(decided > 0, "some games are decided even so");
}

#[test]
fn endings_by_counting_are_the_search_s_own_values() {
    let (mut asked, mut known) = (0, 0);
    for plies in 4..10 {
        let game = later(4, plies);
        let plain = Searcher::new(Phased, Options::default()).search(&game, &Limits::depth(20));
        let mut counting = Searcher::new(Phased, Options::default());
        counting.set_endings(Some(Arc::new(Filling)));
        let mut recorder = Recorder::default();
        let result = counting.search_observed(&game, &Limits::depth(20), &mut recorder, |_| ());
        assert_eq!(result.value, plain.value, "after {plies} plies");
        asked += 1;
        known += usize::from(recorder.count(|seen| seen.record.ended == Ended::Endgame) > 0);
    }
    assert!(known > 0, "counted in none of {asked} searches");
}

#[test]
fn a_stored_tree_keeps_packed_boards() {
    let mut tree = StoredTree::new(start(10), Mobility, 3_000_000);
    tree.search(&Limits { depth_max: 2, ..Limits::nodes(100_000) });
    let a_node = tree.bytes_stored() as f64 / tree.nodes_stored() as f64;
    // A move, what is known of it and a place for the stem; the boards of the few stems hardly count.
    assert!(a_node < 25.0, "{a_node} bytes a node");
    let mv = tree.root_values().next().expect("a move").0;
    let mut expected = start(10);
    expected.make(mv);
    assert!(tree.observe(mv));
    assert_eq!(tree.position(), &expected);
}

fn evaluating(game: Amazons, options: UctOptions) -> Uct<Amazons> {
    Uct::new(game, options).evaluating(Arc::new(Phased))
}

#[test]
fn simulations_with_an_evaluation_try_the_best_moves_first() {
    let game = later(6, 6);
    let mut uct = evaluating(game, UctOptions::default());
    uct.search(&Limits::nodes(400), |_| ());
    let tried: Vec<Move> =
        uct.rows().filter(|row| row.parent == Some(0)).filter_map(|row| row.last_move).collect();
    let mut foreseen = Vec::new();
    let moves = game.legal_moves();
    Phased.foresee(&game, &moves, &mut foreseen);
    let mut ranked: Vec<usize> = (0..moves.len()).collect();
    ranked.sort_by_key(|&place| (-foreseen[place], place));
    let best: Vec<Move> = ranked.into_iter().take(tried.len()).map(|place| moves[place]).collect();
    assert_eq!(tried, best);
    assert!(tried.len() < moves.len() / 2, "{} of {} moves", tried.len(), moves.len());
    let visits: u64 = uct.rows().filter(|row| row.parent == Some(0)).map(|row| row.visits).sum();
    assert_eq!(visits, 400);
}

#[test]
fn a_tree_that_is_full_goes_on_counting() {
    for with_evaluation in [false, true] {
        let options = UctOptions { memory_max: 20_000, playout_plies_max: 30, ..UctOptions::default() };
        let uct = Uct::new(later(5, 6), options);
        let mut uct = if with_evaluation { uct.evaluating(Arc::new(Phased)) } else { uct };
        uct.search(&Limits::nodes(3000), |_| ());
        assert!(uct.memory() <= 20_000, "{} bytes", uct.memory());
        assert!(uct.memory() > 19_000, "{} bytes", uct.memory());
        assert_eq!(uct.rows().next().map(|root| root.visits), Some(3000));
        let result = uct.search(&Limits::nodes(100), |_| ());
        assert_eq!((result.nodes, result.best_move.is_some()), (0, true));
    }
}

#[test]
fn simulations_with_an_evaluation_see_a_win_at_once() {
    // White takes black's last square: a3-a2/a3 leaves d1 shut in.
    let game = Amazons::parse_position("xxxx/wxxx/1xxx/xxxb w").expect("a position");
    let mut uct = evaluating(game, UctOptions::default());
    let result = uct.search(&Limits::nodes(200), |_| ());
    assert_eq!(result.value, gt_search::CERTAIN_PER_MILLE);
    let mut after = game;
    after.make(result.best_move.expect("a move"));
    assert_eq!(after.outcome(), Some(Outcome::Win(0)));
}

#[test]
fn the_evaluations_say_what_they_foresee() {
    assert_eq!(Mobility.foresight(), Foresight::Exact);
    assert_eq!(Phased.foresight(), Foresight::Rough);
    assert_eq!(TerritoryMobility.foresight(), Foresight::None);
}
