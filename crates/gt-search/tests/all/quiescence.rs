//! Quiescence in games whose noisy moves are wins and what stops them, held against searches that look at everything.

use gt_games::connect_four::{ConnectFour, Threats};
use gt_games::tic_tac_toe::{Distance, TicTacToe};
use gt_games::{Notation, Symmetric};
use gt_search::{
    Evaluate, Game, Limits, NodeType, Observer, Options, Record, SearchResult, Searcher, alpha_beta,
    is_decided, win_distance_plies,
};

fn quiet_options() -> Options {
    Options { quiescence_plies_max: Some(64), table_bytes: 1 << 18, ..Options::default() }
}

fn quiet_search<G: Game, E: Evaluate<G>>(game: &G, evaluation: E, depth: u16) -> SearchResult<G::Move> {
    Searcher::new(evaluation, quiet_options()).search(game, &Limits::depth(depth))
}

/// Positions of random games, seeded.
fn random_positions<G: Symmetric>(start: &G, games: u64) -> Vec<G> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut game = start.clone();
        while game.outcome().is_none() {
            positions.push(game.clone());
            let moves = game.legal_moves();
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            game.make(moves[(random >> 20) as usize % moves.len()]);
        }
    }
    positions
}

/// Holds the quiescence search at this depth against whole searches; how many wins and losses it saw beyond the depth.
fn check<G: Symmetric, E: Evaluate<G> + Copy>(
    positions: &[G],
    evaluation: E,
    depth: u16,
    proof_max: i32,
) -> u32 {
    let mut seen_beyond = 0;
    for game in positions {
        let text = game.position_text();
        let found = quiet_search(game, evaluation, depth).value;
        // What is decided one ply beyond the depth is seen.
        let deeper = alpha_beta(game, &evaluation, depth + 1, &mut ()).value;
        if deeper > 0 && is_decided(deeper) {
            assert_eq!(found, deeper, "{text} at depth {depth}");
        }
        // What is claimed is true: a whole search as deep as the claim says the same.
        if let Some(plies) = win_distance_plies(found).filter(|&plies| plies <= proof_max) {
            let whole = alpha_beta(game, &evaluation, plies as u16, &mut ()).value;
            assert_eq!(whole.signum(), found.signum(), "{text} at depth {depth}: {found} is claimed");
            assert!(is_decided(whole), "{text} at depth {depth}: {found} is claimed, {whole} found");
            seen_beyond += u32::from(plies > i32::from(depth));
        }
    }
    seen_beyond
}

#[test]
fn connect_four_sees_a_win_beyond_its_depth_and_claims_no_false_one() {
    let positions = random_positions(&ConnectFour::new(), 12);
    for depth in 1..=3 {
        let seen = check(&positions, Threats, depth, 8);
        assert!(seen > 10, "depth {depth}: only {seen} wins and losses beyond it");
    }
}

#[test]
fn tic_tac_toe_sees_a_win_beyond_its_depth_and_claims_no_false_one() {
    let positions = random_positions(&TicTacToe::new(), 40);
    for depth in 1..=3 {
        assert!(check(&positions, Distance, depth, 9) > 10, "depth {depth}");
    }
}

/// How many nodes had each flag of quiescence.
#[derive(Default)]
struct Flags {
    roots: u32,
    below: u32,
}

impl<M> Observer<M> for Flags {
    fn enter(&mut self, _: Option<M>) {}
    fn leave(&mut self, record: &Record) {
        self.roots += u32::from(record.node_type.has(NodeType::QUIESCENCE_ROOT));
        self.below += u32::from(record.node_type.has(NodeType::QUIESCENCE));
        assert!(!record.node_type.has(NodeType::QUIESCENCE) || record.depth < 0);
    }
}

#[test]
fn nodes_beyond_the_depth_have_the_types_of_quiescence() {
    let game = ConnectFour::parse_position("7/7/7/x6/xo5/xo5 o").expect("a position");
    let mut flags = Flags::default();
    let mut searcher = Searcher::new(Threats, quiet_options());
    searcher.search_observed(&game, &Limits::depth(1), &mut flags, |_| ());
    assert!(flags.roots >= 7, "the seven nodes at the depth, and those that were searched again");
    assert!(flags.below > 0, "x completes the line wherever o did not stop it");
}

#[test]
fn noisy_moves_are_wins_or_else_what_stops_one() {
    let noisy = |text: &str| {
        let game = ConnectFour::parse_position(text).expect(text);
        let mut moves = Vec::new();
        game.noisy_moves(&mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
        (names.join(" "), game.in_check())
    };
    assert_eq!(noisy("7/7/7/7/7/7 x"), (String::new(), false));
    assert_eq!(noisy("7/7/7/7/oo5/xxx4 o"), ("d".to_owned(), true), "o must stop the line");
    assert_eq!(noisy("7/7/7/7/ooo4/xxx4 x"), ("d".to_owned(), false), "x completes it");
    assert_eq!(noisy("7/7/7/7/1oo4/1xxx3 o"), ("a e".to_owned(), true), "two threats, one move");
}
