//! Threads that share a table find what one thread finds, and each has its own observer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::trees::recorder::Recorder;
use crate::trees::tic_tac_toe::{OpenLines, TicTacToe};
use crate::trees::{Leaves, two_player_trees};
use gt_search::{Limits, Options, ParallelSearcher, negamax};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn threads_change_no_value(tree in two_player_trees(), depth in 1..6u16, threads in 1..5usize) {
        let options = Options { table_bytes: 1 << 12, ..Options::default() };
        let mut searcher = ParallelSearcher::new(Leaves, &options, threads);
        let mut recorders: Vec<_> = (0..threads).map(|_| Recorder::default()).collect();
        let result = searcher.search_observed(&tree, &Limits::depth(depth), &mut recorders, |_| ());
        prop_assert_eq!(result.value, negamax(&tree, &Leaves, depth, &mut ()).value);
        recorders.iter().for_each(Recorder::assert_consistent);
        prop_assert_eq!(result.nodes, recorders.iter().map(|recorder| recorder.entered).sum::<u64>());
    }

    #[test]
    fn a_limit_on_nodes_is_for_all_threads_together(tree in two_player_trees(), nodes_max in 8..2000u64) {
        let mut searcher = ParallelSearcher::new(Leaves, &Options { table_bytes: 1 << 12, ..Options::default() }, 3);
        let result = searcher.search(&tree, &Limits { depth_max: 6, ..Limits::nodes(nodes_max) });
        prop_assert!(result.nodes <= nodes_max && result.best_move.is_some());
    }
}

#[test]
fn a_draw_is_a_draw_for_four_threads() {
    let mut searcher = ParallelSearcher::new(OpenLines, &Options::default(), 4);
    assert_eq!(searcher.search(&TicTacToe::default(), &Limits::depth(9)).value, 0);
}

#[test]
fn a_stop_flag_stops_all() {
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let mut searcher = ParallelSearcher::new(OpenLines, &Options::default(), 2);
    let result = searcher.search(&TicTacToe::default(), &Limits { stop, ..Limits::default() });
    assert!(result.stopped && result.best_move.is_some());
}
