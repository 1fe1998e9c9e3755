//! What [`RootValues`] tells of the root's moves, held against plain searches of the positions after them.

use gt_games::chinese_checkers::ChineseCheckers;
use gt_games::connect_four::{ConnectFour, Threats};
use gt_games::{Notation, chinese_checkers, tic_tac_toe};
use gt_search::{
    Bound, Evaluate, Game, Limits, ManyPlayers, Observer, Options, Plain, RootValue, RootValues, Searcher,
    View, max_n, negamax,
};

/// The value of each move of the root at this depth, by searching the position after it.
fn true_value<G: Game, E: Evaluate<G>>(game: &G, evaluation: &E, mv: G::Move, depth: u16) -> i32 {
    let mut after = game.clone();
    after.make(mv);
    let value = -negamax(&after, evaluation, depth - 1, &mut ()).value;
    // Wins are a ply further away from the root than from the position after the move.
    match gt_search::win_distance_plies(value) {
        Some(_) => value - value.signum(),
        None => value,
    }
}

fn check<G: Game, E: Evaluate<G>>(game: &G, evaluation: &E, depth: u16, found: &[RootValue<G::Move>]) {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    assert_eq!(found.len(), moves.len(), "every move of the root has a value");
    for root_move in found {
        assert_eq!(root_move.depth, depth as i16);
        assert_eq!(root_move.line.first(), Some(&root_move.mv));
        let truth = true_value(game, evaluation, root_move.mv, depth);
        match root_move.bound {
            Bound::Exact => assert_eq!(root_move.value, truth, "{root_move:?}"),
            Bound::Upper => assert!(root_move.value >= truth, "{root_move:?} is above {truth}"),
            Bound::Lower => assert!(root_move.value <= truth, "{root_move:?} is below {truth}"),
        }
    }
}

const POSITIONS: [&str; 3] = ["7/7/7/7/7/7 x", "7/7/7/2o4/2x4/1xox3 o", "7/3o3/3x3/2xo3/2ox3/1xoxo2 x"];

#[test]
fn exact_values_are_exact_and_bounds_hold() {
    for position in POSITIONS {
        let game = ConnectFour::parse_position(position).expect(position);
        let limits = Limits::depth(4);
        for plain in [Plain::Minimax, Plain::Negamax, Plain::AlphaBeta, Plain::NegaScout] {
            let mut values = RootValues::new(View::Opposite, ());
            let result = plain.search(&game, &Threats, &limits, &mut values, |_| ());
            let found = values.sorted();
            check(&game, &Threats, 4, &found);
            assert_eq!((found[0].value, found[0].bound), (result.value, Bound::Exact), "{plain:?}");
            assert_eq!(found[0].line, result.pv, "{plain:?}");
        }
        let mut values = RootValues::new(View::Opposite, ());
        let options = Options { table_bytes: 1 << 16, ..Options::default() };
        let result = Searcher::new(Threats, options).search_observed(&game, &limits, &mut values, |_| ());
        check(&game, &Threats, 4, &values.sorted());
        assert_eq!(values.sorted()[0].value, result.value);
    }
}

#[test]
fn as_many_lines_as_moves_make_every_value_exact() {
    let game = ConnectFour::parse_position(POSITIONS[1]).expect("a position");
    let mut values = RootValues::new(View::Opposite, ());
    let options = Options { lines: 7, table_bytes: 0, ..Options::default() };
    let result =
        Searcher::new(Threats, options).search_observed(&game, &Limits::depth(4), &mut values, |_| ());
    let found = values.sorted();
    check(&game, &Threats, 4, &found);
    assert!(found.iter().all(|root_move| root_move.bound == Bound::Exact));
    let of_lines: Vec<i32> = result.lines.iter().map(|line| line.value).collect();
    assert_eq!(found.iter().map(|root_move| root_move.value).collect::<Vec<_>>(), of_lines);
}

/// Counts the nodes of the last tree.
#[derive(Default)]
struct Counted(u64);

impl<M> Observer<M> for Counted {
    fn begin(&mut self, _: i16) {
        self.0 = 0;
    }
    fn enter(&mut self, _: Option<M>) {
        self.0 += 1;
    }
    fn leave(&mut self, _: &gt_search::Record) {}
}

#[test]
fn nodes_add_up_to_the_tree_and_the_observer_behind_sees_all() {
    let game = gt_games::TicTacToe::new();
    let mut values = RootValues::new(View::Opposite, Counted::default());
    Plain::AlphaBeta.search(&game, &tic_tac_toe::Distance, &Limits::depth(5), &mut values, |_| ());
    let below: u64 = values.sorted().iter().map(|root_move| root_move.nodes).sum();
    assert_eq!(below + 1, values.into_inner().0, "the root is nobody's");
}

#[test]
fn max_n_has_a_vector_for_every_move() {
    let game = ChineseCheckers::start(3).expect("a start");
    let mut values = RootValues::new(View::EachForSelf { players: 3, root: 0 }, ());
    let many = ManyPlayers::MaxN(None);
    let result =
        many.search_valued(&game, &chinese_checkers::Distance, &Limits::depth(3), &mut values, |_| ());
    let found = values.sorted();
    assert_eq!(found.len(), 14);
    assert_eq!(found[0].value, result.search.value);
    for root_move in &found {
        let mut after = game;
        after.make(root_move.mv);
        let alone = max_n(&after, &chinese_checkers::Distance, None, 2, &mut ());
        assert_eq!((&root_move.values, root_move.bound), (&alone.values, Bound::Exact));
    }
    assert!(found.iter().any(|root_move| root_move.values == result.values));
}

#[test]
fn the_values_of_paranoid_and_best_reply_are_those_where_their_line_ends() {
    for many in [ManyPlayers::Paranoid, ManyPlayers::BestReply] {
        let game = ChineseCheckers::start(3).expect("a start");
        let mut values = RootValues::new(View::AgainstRoot { players: 3 }, ());
        let result =
            many.search_valued(&game, &chinese_checkers::Distance, &Limits::depth(3), &mut values, |_| ());
        assert_eq!(
            result.values[0], result.search.value,
            "{many:?}: the root's player has the search's value"
        );
        let best = &values.sorted()[0];
        assert_eq!((best.value, &best.values), (result.search.value, &result.values), "{many:?}");
    }
}
