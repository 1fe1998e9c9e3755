//! The searches on real games: values that are known, boards that are solved, and agreement everywhere.

use std::fmt::Debug;

use crate::trees::recorder::Recorder;
use gt_games::amazons::{Amazons, Mobility, Size, TerritoryMobility};
use gt_games::{Chess, ChineseCheckers, ConnectFour, Notation, TicTacToe};
use gt_games::{chess, chinese_checkers, connect_four, tic_tac_toe};
use gt_search::{
    Evaluate, EvaluateAll, Game, Limits, Options, ParallelSearcher, Plain, Searcher, StoredTree, WIN,
    best_reply, max_n, negamax, paranoid, win_distance_plies,
};
use proptest::prelude::*;

fn amazons(width: usize, height: usize) -> Amazons {
    Amazons::start(Size::new(width, height).expect("a size that the game has"))
}

/// The game after random moves, or where it ends.
fn after_random_moves<G: Game>(mut game: G, choices: &[u32]) -> G {
    for &choice in choices {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        game.make(moves[choice as usize % moves.len()]);
    }
    game
}

/// Every search for two players finds negamax's value at the depth.
fn agree<G: Game + Debug, E: Evaluate<G> + Copy + Send + Sync>(game: &G, evaluation: E, depth: u16) {
    let expected = negamax(game, &evaluation, depth, &mut ()).value;
    for plain in [Plain::Minimax, Plain::AlphaBeta, Plain::NegaScout] {
        let result = plain.search(game, &evaluation, &Limits::depth(depth), &mut (), |_| ());
        assert_eq!(result.value, expected, "{plain:?} at {game:?}");
    }
    for options in
        [Options::bare(), Options { table_bytes: 1 << 16, aspiration: Some(8), ..Options::default() }]
    {
        let mut recorder = Recorder::default();
        let mut searcher = Searcher::new(evaluation, options.clone());
        let result = searcher.search_observed(game, &Limits::depth(depth), &mut recorder, |_| ());
        assert_eq!(result.value, expected, "{options:?} at {game:?}");
        recorder.assert_consistent();
        assert_eq!(searcher.search(game, &Limits::depth(depth)).value, expected, "with the table kept");
    }
    let mut parallel =
        ParallelSearcher::new(evaluation, &Options { table_bytes: 1 << 16, ..Options::default() }, 2);
    assert_eq!(parallel.search(game, &Limits::depth(depth)).value, expected, "two threads at {game:?}");
    let mut stored = StoredTree::new(game.clone(), evaluation, 100_000);
    assert_eq!(stored.search(&Limits::depth(depth)).value, expected, "stored tree at {game:?}");
    if let Some(mv) = game.first_move() {
        stored.observe(mv);
        let value = stored.search(&Limits::depth(depth - 1)).value;
        assert_eq!(value, negamax(stored.position(), &evaluation, depth - 1, &mut ()).value, "reused");
    }
}

fn choices(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), count)
}

/// Threats, without a word on mirror images.
#[derive(Clone, Copy)]
struct Sided;

impl Evaluate<ConnectFour> for Sided {
    fn evaluate(&self, game: &ConnectFour) -> i32 {
        connect_four::Threats.evaluate(game)
    }
}

#[test]
fn a_search_that_remembers_mirror_images_searches_less_and_finds_the_same() {
    let options = Options { table_bytes: 1 << 20, ..Options::default() };
    let mut with_mirrors = Searcher::new(connect_four::Threats, options.clone());
    let mut without = Searcher::new(Sided, options);
    for moves in ["", "d", "dd", "c", "e", "cd", "ed", "bc", "fe"] {
        let mut game = ConnectFour::new();
        for column in moves.chars() {
            let mv = game.parse_move(&column.to_string()).expect("a column");
            game.make(mv);
        }
        let expected = negamax(&game, &Sided, 7, &mut ()).value;
        let [less, more] =
            [with_mirrors.search(&game, &Limits::depth(7)), without.search(&game, &Limits::depth(7))];
        assert_eq!((less.value, more.value), (expected, expected), "after `{moves}`");
        if moves.is_empty() {
            assert!(less.nodes < more.nodes, "{} {}", less.nodes, more.nodes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn searches_agree_on_tic_tac_toe(choices in choices(0..8), depth in 1..6u16) {
        agree(&after_random_moves(TicTacToe::new(), &choices), tic_tac_toe::Distance, depth);
    }

    #[test]
    fn searches_agree_on_connect_four(choices in choices(0..30), depth in 1..6u16) {
        agree(&after_random_moves(ConnectFour::new(), &choices), connect_four::Threats, depth);
    }

    #[test]
    fn searches_agree_on_amazons(choices in choices(4..14), size in (4..6usize, 4..6usize)) {
        let game = after_random_moves(amazons(size.0, size.1), &choices);
        agree(&game, Mobility, 2);
        agree(&game, TerritoryMobility, 2);
    }

    // In so few plies no position is repeated, so that its value does not depend on the way to it.
    #[test]
    fn searches_agree_on_chess(choices in choices(0..60), depth in 1..3u16) {
        let game = after_random_moves(Chess::new(), &choices);
        agree(&Chess::from_board(game.board().clone()), chess::SixTerms, depth);
    }

    #[test]
    fn searches_agree_on_chinese_checkers_for_two(choices in choices(0..30)) {
        let game = ChineseCheckers::start(2).expect("a number of players that the game has");
        agree(&after_random_moves(game, &choices), chinese_checkers::Distance, 2);
    }

    #[test]
    fn many_players_stay_consistent_on_chinese_checkers(choices in choices(0..30), players in 0..2usize) {
        let game = ChineseCheckers::start([3, 4][players]).expect("a number of players that the game has");
        let game = after_random_moves(game, &choices);
        let evaluation = chinese_checkers::Distance;
        let mut recorders: [Recorder<_>; 3] = std::array::from_fn(|_| Recorder::default());
        let vector = max_n(&game, &evaluation, None, 2, &mut recorders[0]);
        prop_assert_eq!(vector.search.value, best_for_mover(&game, &evaluation), "two plies by hand");
        paranoid(&game, &evaluation, 2, &mut recorders[1]);
        best_reply(&game, &evaluation, 2, &mut recorders[2]);
        recorders.iter().for_each(Recorder::assert_nodes_consistent);
    }
}

/// The second opponent's reply hurts more than any of the first one's.
#[test]
fn every_opponent_may_be_the_one_who_replies() {
    let text = "1/2/3/4/B5C1BC2C/1B2B1B1C1C1/3B3A3/4C5/6B1A/4A5/2B5C2/9A1B/1C2B1CC1A3/A3/2A/AA/A A 3 102";
    let game = ChineseCheckers::parse_position(text).expect("a position");
    assert_eq!(best_reply(&game, &chinese_checkers::Distance, 3, &mut ()).value, -21);
}

/// Max^n two plies deep, written out.
fn best_for_mover<G: Game>(game: &G, evaluation: &impl EvaluateAll<G>) -> i32 {
    let vector_of = |game: &G| {
        let mut values = vec![0; game.players()];
        evaluation.evaluate_all(game, &mut values);
        values
    };
    let children = |game: &G| -> Vec<G> {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        moves.into_iter().map(|mv| game.clone().with(mv)).collect()
    };
    let reply = |child: &G| {
        let mut best: Option<Vec<i32>> = None;
        for vector in children(child).iter().map(vector_of) {
            if best.as_ref().is_none_or(|best| vector[child.to_move()] > best[child.to_move()]) {
                best = Some(vector);
            }
        }
        best.expect("a reply")
    };
    children(game).iter().map(|child| reply(child)[game.to_move()]).max().expect("a move")
}

trait With: Game {
    fn with(mut self, mv: Self::Move) -> Self {
        self.make(mv);
        self
    }
}
impl<G: Game> With for G {}

fn searched<G: Game, E: Evaluate<G>>(game: &G, evaluation: E, depth: u16) -> i32 {
    Searcher::new(evaluation, Options::default()).search(game, &Limits::depth(depth)).value
}

#[test]
fn amazons_values_are_those_of_two_other_programs() {
    for (depth, expected) in [(1, 20), (2, 0), (3, 12)] {
        assert_eq!(searched(&amazons(6, 6), Mobility, depth), expected, "6x6, depth {depth}");
    }
    for (depth, expected) in [(1, 31), (2, 0)] {
        assert_eq!(searched(&amazons(10, 10), Mobility, depth), expected, "10x10, depth {depth}");
    }
}

#[test]
fn depth_three_of_amazons_takes_less_than_eight_million_evaluations() {
    let result = Searcher::new(Mobility, Options::default()).search(&Amazons::default(), &Limits::depth(3));
    assert_eq!(result.value, 21);
    assert!(result.evaluations <= 8_000_000, "{}", result.evaluations);
}

#[test]
fn depth_four_of_amazons_on_6x6() {
    assert_eq!(searched(&amazons(6, 6), Mobility, 4), -2);
}

#[test]
fn a_stored_tree_finds_the_values_of_amazons() {
    let mut tree = StoredTree::new(amazons(6, 6), Mobility, 2_000_000);
    for (depth, expected) in [(1, 20), (2, 0), (3, 12)] {
        assert_eq!(tree.search(&Limits::depth(depth)).value, expected, "depth {depth}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_eq!(searched(&TicTacToe::new(), tic_tac_toe::Distance, 9), 0);
}

#[test]
fn amazons_on_4x4_is_won_by_the_second_player() {
    let value = searched(&amazons(4, 4), Mobility, 16);
    assert!(value < 0 && win_distance_plies(value).is_some(), "{value}");
}

/// Takes the better part of a minute: `cargo test -p gt-search --test all games:: -- --ignored`.
#[test]
#[ignore = "takes the better part of a minute"]
fn amazons_on_5x4_is_won_by_the_first_player() {
    let value = searched(&amazons(5, 4), Mobility, 16);
    assert!(value > 0 && win_distance_plies(value).is_some(), "{value}");
}

#[test]
fn a_mate_in_two_is_found_with_its_distance() {
    // 1 Ra1 Kc8 (there is no other move) 2 Ra8 mate.
    let game =
        <Chess as gt_games::Notation>::parse_position("1k6/8/2K5/8/8/8/8/7R w - - 0 1").expect("a position");
    for options in [Options::default(), Options::selective()] {
        let result = Searcher::new(chess::SixTerms, options).search(&game, &Limits::depth(6));
        assert_eq!(result.value, WIN - 3, "{:?}", result.pv);
    }
}
