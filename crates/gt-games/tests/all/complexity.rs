//! Measured and published complexities of games.

use gt_games::GameKind;
use gt_games::complexity::{measure, published};
use gt_games::registry::Setup;

#[test]
fn a_seed_measures_the_same_again() {
    for kind in [GameKind::TicTacToe, GameKind::ConnectFour, GameKind::Tree] {
        let measure = |seed| measure(kind, &Setup::default(), 50, seed).expect("a measure");
        assert_eq!(measure(3), measure(3));
        assert_eq!(measure(3).finished, 50);
    }
}

/// The small tree has two moves in each of its three positions, and every game has two plies.
#[test]
fn a_tree_that_can_be_counted_is_counted() {
    let measured = measure(GameKind::Tree, &Setup::default(), 10, 1).expect("a measure");
    assert_eq!(
        (measured.branching, measured.length, measured.length_min, measured.length_max),
        (2.0, 2.0, 2, 2)
    );
    assert!((measured.tree_log10 - 4f64.log10()).abs() < 1e-12);
}

/// The documents' own arithmetic: `length * log10(branching)` is the size that they state, rounded down.
#[test]
fn published_sizes_follow_from_published_branching_and_length() {
    for kind in GameKind::ALL {
        for published in published(kind) {
            if let (Some(branching), Some(length), Some(tree)) =
                (published.branching, published.length, published.tree_log10)
            {
                assert_eq!((length * branching.log10()).floor(), tree, "{kind}");
            }
        }
    }
}
