//! A search that is told endings finds the whole game's value at a small depth, and says which nodes it was told.

use std::sync::Arc;

use crate::trees::recorder::Recorder;
use crate::trees::tic_tac_toe::{OpenLines, TicTacToe};
use crate::trees::{Leaves, RandomTree, Shape};
use gt_search::{
    Ended, Ending, Endings, Game, KnownEnding, Limits, Options, ParallelSearcher, Searcher, is_decided,
    is_unmeasured, negamax, tells_winner, win_distance_plies,
};

/// Knows every position with few empty squares, by searching it to the end.
struct Late {
    moves_max: usize,
}

impl Endings<TicTacToe> for Late {
    fn known(&self, game: &TicTacToe) -> Option<KnownEnding> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        if moves.is_empty() || moves.len() > self.moves_max {
            return None;
        }
        let value = negamax(game, &OpenLines, 9, &mut ()).value;
        let plies = win_distance_plies(value).unwrap_or_default() as u16;
        let ending = match value {
            0 => Ending::Draw,
            1.. => Ending::Win { plies },
            _ => Ending::Loss { plies },
        };
        Some(ending.into())
    }
}

/// Knows the same, but not the distance, and names the root's moves that win soonest.
struct Unmeasured(Late);

impl Endings<TicTacToe> for Unmeasured {
    fn known(&self, game: &TicTacToe) -> Option<KnownEnding> {
        Some(match self.0.known(game)? {
            KnownEnding::Measured(Ending::Win { .. }) => KnownEnding::Win,
            KnownEnding::Measured(Ending::Loss { .. }) => KnownEnding::Loss,
            known => known,
        })
    }

    fn progress(&self, game: &TicTacToe) -> Option<Vec<<TicTacToe as Game>::Move>> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let value = |mv: &<TicTacToe as Game>::Move| {
            let mut game = game.clone();
            game.make(*mv);
            -negamax(&game, &OpenLines, 9, &mut ()).value
        };
        let best = moves.iter().map(value).max()?;
        moves.retain(|mv| value(mv) == best);
        Some(moves)
    }
}

fn options() -> [Options; 3] {
    let quiet = Options { quiescence_plies_max: Some(4), ..Options::bare() };
    [Options::bare(), Options { table_bytes: 1 << 16, ..Options::default() }, quiet]
}

/// Every position after three moves, once for each way to it.
fn positions() -> Vec<TicTacToe> {
    let mut positions = vec![TicTacToe::default()];
    for _ in 0..3 {
        positions = positions.iter().flat_map(followers).collect();
    }
    positions
}

fn followers(game: &TicTacToe) -> Vec<TicTacToe> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let after = |&mv: &_| {
        let mut game = game.clone();
        game.make(mv);
        game
    };
    moves.iter().map(after).collect()
}

#[test]
fn a_shallow_search_has_the_value_of_the_whole_game() {
    for options in options() {
        for game in positions() {
            let mut searcher = Searcher::new(OpenLines, options.clone());
            searcher.set_endings(Some(Arc::new(Late { moves_max: 5 })));
            let mut recorder = Recorder::default();
            let result = searcher.search_observed(&game, &Limits::depth(1), &mut recorder, |_| ());
            assert_eq!(result.value, negamax(&game, &OpenLines, 9, &mut ()).value, "{game:?}");
            recorder.assert_consistent();
            assert_eq!(result.endings, recorder.count(|seen| seen.record.ended == Ended::Endgame));
            assert!(result.endings > 0);
        }
    }
}

#[test]
fn the_move_of_the_root_is_one_that_keeps_its_value() {
    for game in positions() {
        let mut searcher = Searcher::new(OpenLines, Options::bare());
        searcher.set_endings(Some(Arc::new(Late { moves_max: 5 })));
        let result = searcher.search(&game, &Limits::depth(4));
        let mut after = game.clone();
        after.make(result.best_move.unwrap());
        let kept = -negamax(&after, &OpenLines, 9, &mut ()).value;
        let value = negamax(&game, &OpenLines, 9, &mut ()).value;
        // A win counted from the move after is a ply nearer.
        let distance = if is_decided(kept) { kept.signum() } else { 0 };
        assert_eq!(kept - distance, value, "{game:?}");
    }
}

#[test]
fn several_threads_count_what_they_were_told_together() {
    let mut searcher = ParallelSearcher::new(OpenLines, &Options::default(), 2);
    let endings: Arc<dyn Endings<TicTacToe>> = Arc::new(Late { moves_max: 5 });
    searcher.set_endings(Some(&endings));
    let mut recorders = [Recorder::default(), Recorder::default()];
    let result = searcher.search_observed(&TicTacToe::default(), &Limits::depth(5), &mut recorders, |_| ());
    let told = recorders.iter().map(|recorder| recorder.count(|seen| seen.record.ended == Ended::Endgame));
    assert_eq!(result.endings, told.sum::<u64>());
    assert!(result.endings > 0);
    searcher.set_endings(None);
    assert_eq!(searcher.search(&TicTacToe::default(), &Limits::depth(5)).endings, 0);
}

#[test]
fn an_ending_without_a_distance_tells_who_wins_and_the_root_makes_progress() {
    for options in options() {
        for game in positions() {
            let mut searcher = Searcher::new(OpenLines, options.clone());
            searcher.set_endings(Some(Arc::new(Unmeasured(Late { moves_max: 5 }))));
            let result = searcher.search(&game, &Limits::depth(3));
            let value = negamax(&game, &OpenLines, 9, &mut ()).value;
            assert_eq!(result.value.signum(), value.signum(), "{game:?}");
            assert!(
                value == 0 || is_unmeasured(result.value) || is_decided(result.value),
                "{}",
                result.value
            );
            let mut after = game.clone();
            after.make(result.best_move.unwrap());
            let distance = |value: i32| win_distance_plies(value).unwrap_or_default();
            let kept = negamax(&after, &OpenLines, 9, &mut ()).value;
            let moved = i32::from(is_decided(value));
            assert_eq!(
                distance(kept) + moved,
                distance(value),
                "the nearest win, the furthest loss: {game:?}"
            );
        }
    }
}

/// Knows every position at this ply, without distances, and so who wins the whole game.
struct AtPly(u64);

impl Endings<RandomTree> for AtPly {
    fn known(&self, game: &RandomTree) -> Option<KnownEnding> {
        (game.ply() >= self.0).then(|| match game.random(40) % 8 {
            0 => Ending::Draw.into(),
            1..4 => KnownEnding::Win,
            _ => KnownEnding::Loss,
        })
    }
}

impl AtPly {
    /// 1 if the player to move wins, -1 if he loses, 0 for a draw.
    fn result(&self, game: &mut RandomTree) -> i32 {
        if let Some(known) = self.known(game) {
            return known.value(0).signum();
        }
        let mut moves = Vec::new();
        game.moves(&mut moves);
        let result_after = |mv| {
            game.make(mv);
            let result = -self.result(game);
            game.undo(mv, ());
            result
        };
        moves.into_iter().map(result_after).max().expect("a game that is not over has moves")
    }
}

#[test]
fn a_selective_search_calls_nothing_won_or_lost_that_is_not() {
    let mut claims = [0, 0];
    for seed in 0..400 {
        let shape = Shape { seed, branching_max: 5, values_max: 800, ..Shape::default() };
        for plies in 4..=7 {
            let game = RandomTree::new(shape);
            let truth = AtPly(plies).result(&mut game.clone());
            let options =
                Options { quiescence_plies_max: Some(2), table_bytes: 1 << 16, ..Options::selective() };
            let mut searcher = Searcher::new(Leaves, options);
            searcher.set_endings(Some(Arc::new(AtPly(plies))));
            let mut recorder = Recorder::default();
            let found = searcher.search_observed(&game, &Limits::depth(8), &mut recorder, |_| ());
            recorder.assert_consistent();
            if tells_winner(found.value) {
                assert_eq!(found.value.signum(), truth, "seed {seed}, known at ply {plies}: {}", found.value);
                claims[usize::from(truth > 0)] += 1;
            }
        }
    }
    assert!(claims.into_iter().all(|count| count > 50), "{claims:?} losses and wins");
}

/// The value of a node comes from the search of its moves in earnest. A node that ends with its test stays open, so not
/// every search finds out that it knows everything.
#[test]
fn a_search_that_has_seen_everything_ends_whatever_its_tests_saw() {
    let ended_early = (0..60).filter(|&seed| {
        let game = RandomTree::new(Shape { seed, branching_max: 3, values_max: 40, ..Shape::default() });
        let options = Options { singular_extensions: true, ..Options::default() };
        let mut searcher = Searcher::new(Leaves, options);
        searcher.set_endings(Some(Arc::new(AtPly(11))));
        searcher.search(&game, &Limits::depth(60)).depth < 30
    });
    let ended_early = ended_early.count();
    assert!(ended_early > 50, "{ended_early} of 60");
}

#[test]
fn a_root_that_keeps_all_of_its_moves_is_remembered() {
    let nodes_again = |game: &RandomTree, names_all: bool| {
        let mut searcher = Searcher::new(Leaves, Options::default());
        let mut moves = Vec::new();
        game.moves(&mut moves);
        searcher.set_root_moves(if names_all { moves } else { Vec::new() });
        searcher.search(game, &Limits::depth(4));
        searcher.set_root_moves(Vec::new());
        searcher.search(game, &Limits::depth(4)).nodes
    };
    for seed in 0..20 {
        let game = RandomTree::new(Shape { seed, branching_max: 9, values_max: 1000, ..Shape::default() });
        assert_eq!(nodes_again(&game, true), nodes_again(&game, false), "seed {seed}");
    }
}
