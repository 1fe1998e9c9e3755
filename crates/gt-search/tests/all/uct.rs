//! UCT: a tree of counts that add up, the same from the same seed, and good moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::trees::recorder::Recorder;
use crate::trees::tic_tac_toe::TicTacToe;
use crate::trees::trees;
use gt_search::{CERTAIN_PER_MILLE, Game, Limits, Outcome, Row, Uct, UctOptions};
use proptest::prelude::*;

fn rows_of<G: Game>(game: G, seed: u64, simulations: u64) -> Vec<Row<G::Move>> {
    let mut uct = Uct::new(game, UctOptions { seed, playout_plies_max: 50, ..UctOptions::default() });
    uct.search(&Limits::nodes(simulations), |_| ());
    uct.rows().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn rows_add_up(tree in trees(2..5), seed in any::<u64>(), simulations in 1..300u64) {
        let rows = rows_of(tree.clone(), seed, simulations);
        prop_assert_eq!(rows[0].visits, simulations);
        prop_assert_eq!((rows[0].parent, rows[0].last_move), (None, None));
        let mut visits_below = vec![0; rows.len()];
        for (at, row) in rows.iter().enumerate().skip(1) {
            let parent = row.parent.expect("only the root has none");
            prop_assert!(parent < at && row.last_move.is_some());
            prop_assert!((0.0..=1.0).contains(&row.value) && row.visits > 0);
            visits_below[parent] += row.visits;
        }
        for (row, below) in rows.iter().zip(visits_below) {
            let own = row.visits - below;
            prop_assert!(own <= 1 || below == 0, "a node is played out once, unless the game ends there");
        }
        prop_assert_eq!(rows, rows_of(tree, seed, simulations), "the same seed makes the same tree");
    }

    #[test]
    fn the_tree_shown_is_the_tree_kept(tree in trees(2..5), simulations in 1..300u64) {
        let mut uct = Uct::new(tree, UctOptions { playout_plies_max: 50, ..UctOptions::default() });
        let result = uct.search(&Limits::nodes(simulations), |_| ());
        let mut recorder = Recorder::default();
        uct.show(&mut recorder);
        recorder.assert_closed();
        prop_assert_eq!(recorder.entered, uct.rows().len() as u64);
        prop_assert_eq!(result.nodes, recorder.entered);
        prop_assert_eq!(recorder.trees[0].record.best, result.value);
        prop_assert!(result.value.abs() <= CERTAIN_PER_MILLE);
        prop_assert_eq!(result.pv.first().copied(), result.best_move);
    }
}

#[test]
fn it_wins_when_it_can_and_defends_when_it_must() {
    // X X .  X to move wins with 2.    X X .  O to move must take 2.
    // O O .                            . O .
    // . . .                            . . .
    for (moves, expected) in [(vec![0, 3, 1, 4], 2), (vec![0, 4, 1], 2)] {
        let mut uct = Uct::new(TicTacToe::from_moves(&moves), UctOptions::default());
        let result = uct.search(&Limits::nodes(2000), |_| ());
        assert_eq!(result.best_move, Some(expected), "{moves:?}");
    }
}

#[test]
fn a_second_search_adds_to_the_tree() {
    let mut uct = Uct::new(TicTacToe::default(), UctOptions::default());
    let mut told = 0;
    uct.search(&Limits::nodes(4000), |_| told += 1);
    assert_eq!(told, 3, "after 1000, 2000 and 4000 simulations");
    let before: Vec<_> = uct.rows().map(|row| (row.parent, row.last_move)).collect();
    uct.search(&Limits::nodes(1000), |_| ());
    let after: Vec<_> = uct.rows().map(|row| (row.parent, row.last_move)).collect();
    assert!(after.len() > before.len() && after.starts_with(&before));
    assert_eq!(uct.rows().next().map(|root| root.visits), Some(5000));
}

/// What lies below two moves of the old tree is the new one: the same moves, visits and values in the same order.
#[test]
fn the_reached_subtree_is_kept() {
    let mut uct = Uct::new(TicTacToe::default(), UctOptions::default());
    uct.search(&Limits::nodes(4000), |_| ());
    let before: Vec<_> = uct.rows().collect();
    let moves = [4, 0];
    let below = |rows: &[Row<_>], root: usize| -> Vec<_> {
        let mut kept = vec![root];
        for (at, row) in rows.iter().enumerate() {
            if row.parent.is_some_and(|parent| kept.contains(&parent)) {
                kept.push(at);
            }
        }
        let place = |parent: usize| kept.iter().position(|&at| at == parent);
        kept[1..].iter().map(|&at| Row { parent: rows[at].parent.and_then(place), ..rows[at] }).collect()
    };
    let child = |parent: usize, mv| {
        before.iter().position(|row| (row.parent, row.last_move) == (Some(parent), Some(mv))).unwrap()
    };
    let reached = child(child(0, moves[0]), moves[1]);
    assert!(uct.advance(&moves, &TicTacToe::from_moves(&moves)));
    let after: Vec<_> = uct.rows().collect();
    assert_eq!(after[1..], below(&before, reached));
    assert_eq!((after[0].parent, after[0].last_move, after[0].visits), (None, None, before[reached].visits));
    // It grows on as any other tree.
    let result = uct.search(&Limits::nodes(1000), |_| ());
    assert_eq!(uct.rows().next().unwrap().visits, before[reached].visits + 1000);
    assert_eq!(result.nodes, (uct.rows().len() - after.len()) as u64, "those that were added");
    assert!(!uct.advance(&[moves[0]], &TicTacToe::from_moves(&[4, 0, 4])), "the square is taken");
}

#[test]
fn a_finished_game_is_not_simulated() {
    let mut uct = Uct::new(TicTacToe::from_moves(&[0, 3, 1, 4, 2]), UctOptions::default());
    let result = uct.search(&Limits::default(), |_| ());
    assert_eq!((result.best_move, result.nodes, result.evaluations), (None, 1, 0));
    assert_eq!(result.value, -CERTAIN_PER_MILLE, "the player to move has lost");
}

/// A game of a hundred thousand moves, in which somebody says stop at the thousandth look at its moves.
#[derive(Clone, Debug)]
struct Endless {
    ply: u32,
    looks: Arc<AtomicU64>,
    made: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Game for Endless {
    type Move = u8;
    type Undo = ();

    fn to_move(&self) -> usize {
        self.ply as usize % 2
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        if self.looks.fetch_add(1, Ordering::Relaxed) == 1000 {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.ply < 100_000 {
            moves.extend([0, 1]);
        }
    }
    fn make(&mut self, _: u8) {
        self.made.fetch_add(1, Ordering::Relaxed);
        self.ply += 1;
    }
    fn undo(&mut self, _: u8, (): ()) {
        self.ply -= 1;
    }
    fn hash(&self) -> u64 {
        self.ply.into()
    }
    fn encode(&self, mv: u8) -> i64 {
        mv.into()
    }
}

#[test]
fn a_playout_is_broken_off_when_the_search_is_stopped() {
    let (looks, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let game = Endless { ply: 0, looks: looks.clone(), made: Arc::default(), stop: stop.clone() };
    let options = UctOptions { playout_plies_max: u32::MAX, ..UctOptions::default() };
    let result = Uct::new(game, options).search(&Limits { stop: Some(stop), ..Limits::default() }, |_| ());
    assert!(result.stopped && result.best_move.is_some());
    let looks = looks.load(Ordering::Relaxed);
    assert!(looks < 20_000, "{looks} looks at moves, of a hundred thousand");
}

#[test]
fn a_tree_is_not_played_through_for_nobody() {
    let made = Arc::new(AtomicU64::new(0));
    let game = Endless { ply: 0, looks: Arc::default(), made: made.clone(), stop: Arc::default() };
    let mut uct = Uct::new(game, UctOptions { playout_plies_max: 9, ..UctOptions::default() });
    uct.search(&Limits::nodes(50), |_| ());
    let before = made.load(Ordering::Relaxed);
    uct.show(&mut ());
    assert_eq!(made.load(Ordering::Relaxed), before);
    uct.show(&mut Recorder::default());
    assert!(made.load(Ordering::Relaxed) >= before + 50, "somebody who looks sees it");
}
