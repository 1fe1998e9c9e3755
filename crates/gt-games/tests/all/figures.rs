//! The figures of the documents, searched by every algorithm: the values that they state, and the nodes that are looked at.

use gt_games::tree::Values;
use gt_games::{Notation, TicTacToe, Tree, tic_tac_toe};
use gt_search::{
    Ended, Game, Goal, Limits, ManyPlayers, Observer, Options, Plain, ProofSearch, Record, Searcher,
    StoredTree, Verdict, WIN, max_n, minimax, paranoid,
};

fn figure(name: &str) -> Tree {
    let path = format!("{}/../../../examples/figures/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Tree::parse_position(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The whole tree at once.
fn whole(tree: &Tree) -> Limits {
    Limits { depth_first: tree.height(), ..Limits::depth(tree.height()) }
}

/// The value and the best move of every algorithm for two players.
fn agree(tree: &Tree, value: i32, best: &str) {
    let check = |name: &str, result: gt_search::SearchResult<_>| {
        assert_eq!(result.value, value, "{name}");
        assert_eq!(result.best_move.map(|mv| tree.move_text(mv)).as_deref(), Some(best), "{name}");
    };
    for plain in Plain::ALL {
        check(&format!("{plain:?}"), plain.search(tree, &Values, &whole(tree), &mut (), |_| ()));
    }
    for many in [ManyPlayers::MaxN(None), ManyPlayers::Paranoid, ManyPlayers::BestReply] {
        check(&format!("{many:?}"), many.search(tree, &Values, &whole(tree), &mut (), |_| ()));
    }
    check("searcher", Searcher::new(Values, Options::default()).search(tree, &whole(tree)));
    let mut stored = StoredTree::new(tree.clone(), Values, 1_000);
    check("stored tree", stored.search_observed(&whole(tree), &mut (), |_| ()));
}

/// The moves of the nodes in the order of entering, and how many were cut off.
#[derive(Default)]
struct Visits {
    names: Vec<String>,
    path: Vec<Tree>,
    cutoffs: usize,
    researches: usize,
}

impl Observer<<Tree as Game>::Move> for Visits {
    fn enter(&mut self, last_move: Option<<Tree as Game>::Move>) {
        let mut game = self.path.last().expect("the root is set").clone();
        if let Some(mv) = last_move {
            self.names.push(game.move_text(mv));
            game.make(mv);
        }
        self.path.push(game);
    }

    fn leave(&mut self, record: &Record) {
        self.path.pop();
        self.cutoffs += usize::from(record.ended == Ended::Cutoff);
        self.researches += usize::from(record.node_type.has(gt_search::NodeType::RESEARCH));
    }
}

fn visits(tree: &Tree, plain: Plain) -> Visits {
    let mut visits = Visits { path: vec![tree.clone()], ..Visits::default() };
    plain.search(tree, &Values, &whole(tree), &mut visits, |_| ());
    visits
}

#[test]
fn article_figure_4_a_win_is_taken() {
    agree(&figure("article-4"), WIN - 1, "a");
}

#[test]
fn article_figure_5_a_horizon_hides_a_loss() {
    let tree = figure("article-5");
    let short = minimax(&tree, &Values, 1, &mut ());
    assert_eq!(
        (short.value, short.best_move.map(|mv| tree.move_text(mv)).as_deref()),
        (900_000, Some("left"))
    );
    agree(&tree, WIN - 2, "right");
}

#[test]
fn article_figure_7_minimax_and_negamax_agree() {
    let tree = figure("article-7");
    agree(&tree, 3, "b");
    assert_eq!(visits(&tree, Plain::Minimax).names.len(), 12);
    assert_eq!(visits(&tree, Plain::Negamax).names, visits(&tree, Plain::Minimax).names);
}

/// What the text says: the left branch is worth three, the right one's first leaf is one, and there it ends.
#[test]
fn article_figure_8_the_second_leaf_is_never_looked_at() {
    let tree = figure("article-8");
    agree(&tree, 3, "left");
    let seen = visits(&tree, Plain::AlphaBeta);
    assert_eq!((seen.names, seen.cutoffs), (["left", "right", "one"].map(str::to_owned).to_vec(), 1));
    assert_eq!(visits(&tree, Plain::Minimax).names, ["left", "right", "one", "X"]);
    // Whatever X is.
    for x in [-900_000, 2, 3, 4, 900_000] {
        let text = format!("(left:3 right:(one:1 X:{x}))");
        agree(&Tree::parse_position(&text).expect("a tree"), 3, "left");
    }
}

/// The tree in the file is that of the game from the report's board, and has its six leaves: two lost, two won, two drawn.
#[test]
fn report_figure_4_is_the_game_from_figure_1() {
    let tree = figure("report-4");
    let start = TicTacToe::parse_position("xxo/1o1/1ox x").expect("the board of figure 1");
    let mut leaves = Vec::new();
    same_tree(&tree, &start, &mut leaves);
    leaves.sort_unstable();
    assert_eq!(leaves, [-1, -1, 0, 0, 1, 1]);
    agree(&tree, 0, "a1");
    let played = minimax(&start, &tic_tac_toe::Distance, 9, &mut ());
    assert_eq!((played.value, played.best_move.map(|mv| start.move_text(mv)).as_deref()), (0, Some("a1")));
    let verdict = |goal| ProofSearch::new(&tree, goal, 1 << 16).search(&Limits::default()).verdict;
    assert_eq!((verdict(Goal::Win), verdict(Goal::Draw)), (Verdict::Disproven, Verdict::Proven));
}

fn same_tree(tree: &Tree, game: &TicTacToe, leaves: &mut Vec<i32>) {
    let names = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let written = names(tree.legal_moves().into_iter().map(|mv| tree.move_text(mv)).collect());
    assert_eq!(written, names(game.legal_moves().into_iter().map(|mv| game.move_text(mv)).collect()));
    assert_eq!(tree.outcome(), game.outcome());
    if let Some(outcome) = tree.outcome() {
        leaves.push(match outcome {
            gt_search::Outcome::Win(0) => 1,
            gt_search::Outcome::Win(_) => -1,
            gt_search::Outcome::Draw => 0,
        });
    }
    for name in written {
        let (mut tree, mut game) = (tree.clone(), *game);
        tree.make(tree.parse_move(&name).expect("a move"));
        game.make(game.parse_move(&name).expect("a move"));
        same_tree(&tree, &game, leaves);
    }
}

#[test]
fn report_figure_5_alpha_beta_agrees_with_minimax() {
    let tree = figure("report-5");
    agree(&tree, 5, "a");
    let (all, pruned) = (visits(&tree, Plain::Minimax), visits(&tree, Plain::AlphaBeta));
    assert_eq!((all.names.len(), pruned.names.len()), (21, 17));
    assert!(pruned.cutoffs >= 2);
}

/// One tree, two ideas of what the others want, two answers.
#[test]
fn report_figures_7_and_8_differ_by_what_the_others_want() {
    let tree = figure("report-7");
    let best = |result: &gt_search::SearchResult<_>| result.best_move.map(|mv| tree.move_text(mv));
    let alone = max_n(&tree, &Values, None, 3, &mut ());
    assert_eq!(alone.values, [5, 4, 5]);
    assert_eq!(best(&alone.search).as_deref(), Some("b"));
    let league = paranoid(&tree, &Values, 3, &mut ());
    assert_eq!((league.value, best(&league).as_deref()), (1, Some("a")));
}

/// Knuth and Moore's count: with two moves and four plies, 2^2 + 2^2 - 1 leaves.
#[test]
fn thesis_figure_2_1_is_minimal() {
    let tree = figure("thesis-2.1");
    agree(&tree, 8, "1");
    let mut counter = Leaves::default();
    Plain::AlphaBeta.search(&tree, &Values, &whole(&tree), &mut counter, |_| ());
    assert_eq!(counter.0, 7);
    let mut counter = Leaves::default();
    Plain::Minimax.search(&tree, &Values, &whole(&tree), &mut counter, |_| ());
    assert_eq!(counter.0, 16);
}

#[derive(Default)]
struct Leaves(usize);

impl<M> Observer<M> for Leaves {
    fn enter(&mut self, _: Option<M>) {}
    fn leave(&mut self, record: &Record) {
        self.0 += usize::from(record.ended == Ended::Terminal);
    }
}

/// As in the thesis's drawing: nodes are cut off after one child, others search all of theirs, and none is searched again.
#[test]
fn thesis_figure_2_2_needs_no_search_again() {
    let tree = figure("thesis-2.2");
    agree(&tree, 5, "a");
    let seen = visits(&tree, Plain::NegaScout);
    assert_eq!((seen.names.len(), seen.cutoffs, seen.researches), (14, 3, 0));
}
