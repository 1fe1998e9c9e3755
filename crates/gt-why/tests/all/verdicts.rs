//! Every verdict, on trees made by hand.

use crate::tree_text::{log_of, log_of_trees};
use gt_log::Metadata;
use gt_why::{Bound, Reason, Score, TreeChoice, explain};

/// The root wants move 1; move 2 is refuted by 21 before 22 is searched, move 3 was reduced, 4 answered by the table, 5 cut
/// off by a null move, 6 is exact and worse.
const ROOT: &str = "
root depth=3 alpha=-99 beta=99 best=5 ended=Searched
  1 depth=2 alpha=-99 beta=99 best=-5 ended=Searched
    11 depth=1 alpha=-99 beta=99 best=5 ended=Searched
      111 depth=0 alpha=-99 beta=99 best=-5 ended=Horizon
    12 depth=1 alpha=4 beta=5 best=9 ended=Cutoff
      121 depth=0 alpha=-5 beta=-4 best=-9 ended=Horizon
  2 depth=2 alpha=-6 beta=-5 best=0 ended=Cutoff
    21 depth=1 alpha=5 beta=6 best=0 ended=Searched
      211 depth=0 alpha=-6 beta=-5 best=0 ended=Horizon
  3 depth=1 reduction=1 alpha=-6 beta=-5 best=-2 ended=Cutoff
    31 depth=0 alpha=5 beta=6 best=2 ended=Horizon
  4 depth=2 alpha=-6 beta=-5 best=-3 ended=TableHit
  5 depth=2 alpha=-6 beta=-5 best=7 ended=NullMoveCutoff
    65535 depth=0 type=NullMove alpha=4 beta=5 best=-7 ended=Horizon
  6 depth=2 alpha=-99 beta=99 best=-1 ended=Searched
    61 depth=1 alpha=-99 beta=99 best=1 ended=Searched
";

#[track_caller]
fn check(tree: &str, line: &[i64], reason: Reason, sentence: &str) {
    let why = explain(&log_of(tree), TreeChoice::LastComplete, line).unwrap();
    assert_eq!((why.verdict.reason, why.verdict.sentence.to_string().as_str()), (reason, sentence));
}

#[test]
fn the_move_that_is_played() {
    let sentence = "1 is played: it is worth 5, and no other of the 6 moves searched is worth more; \
                    its closest rival is 4 (at most 3).";
    check(ROOT, &[], Reason::Played, sentence);
    check(ROOT, &[1], Reason::Played, sentence);
    check(ROOT, &[1, 11], Reason::Played, "The search expects this line to be played; it is worth 5.");
    let why = explain(&log_of(ROOT), TreeChoice::LastComplete, &[]).unwrap();
    let rival = why.rival.unwrap();
    assert_eq!((rival.margin, rival.refutation.len()), (Some(Score::Whole(2)), 0), "the table has no line");
    assert_eq!(
        rival.doubt.to_string(),
        "For 4 to be played instead, its value would have to be wrong by more than 2."
    );
}

#[test]
fn moves_that_were_searched_and_not_chosen() {
    check(
        ROOT,
        &[2],
        Reason::Refuted,
        "2 is refuted by 21: it is worth at most 0; the search prefers 1 (5).",
    );
    check(
        ROOT,
        &[3],
        Reason::Reduced,
        "3 was reduced by 1 ply and never searched again, refuted by 31: it is worth at most 2; \
         the search prefers 1 (5).",
    );
    check(
        ROOT,
        &[4],
        Reason::TableHit,
        "4 was answered by the transposition table and not searched: it is worth at most 3; the search prefers 1 (5).",
    );
    check(
        ROOT,
        &[5],
        Reason::NullMove,
        "5 is refuted by a null move: even a pass is good enough against it, it is worth at most -7; \
         the search prefers 1 (5).",
    );
    check(ROOT, &[6], Reason::Worse, "6 is worth 1 after 61; the search prefers 1 (5).");
    // A reply that the other side would not choose: smaller is better for it.
    check(
        ROOT,
        &[1, 12, 121],
        Reason::Refuted,
        "After 1, 12 is refuted by 121: it is worth at least 9; the other side prefers 11 (5).",
    );
}

#[test]
fn lines_that_leave_the_tree() {
    check(ROOT, &[2, 22], Reason::Cutoff, "After 2, 21 cut the node off (at most 0) before 22 was searched.");
    check(
        ROOT,
        &[4, 41],
        Reason::TableHit,
        "After 4, the transposition table answered with at most 3, so that 41 was not searched.",
    );
    check(
        ROOT,
        &[5, 51],
        Reason::NullMove,
        "After 5, a null move cut the node off, so that 51 was never searched.",
    );
    check(
        ROOT,
        &[1, 11, 111, 9],
        Reason::Horizon,
        "After 1 11 111, the depth was used up, so that 9 was never searched.",
    );
    check(ROOT, &[7], Reason::Pruned, "7 was pruned: the search tried 6 other moves there and left it out.");
    let why = explain(&log_of(ROOT), TreeChoice::LastComplete, &[7]).unwrap();
    let leaves = why.leaves.unwrap();
    let instead: Vec<i64> = leaves.instead.iter().map(|one| one.mv.number).collect();
    assert_eq!((leaves.node, leaves.siblings, instead), (0, 6, vec![1, 4, 3, 6, 2, 5]), "best first");
}

#[test]
fn other_ends_of_nodes() {
    let ended = |ended: &str| format!("root best=1 ended=Searched\n  1 best=-1 {ended}\n");
    check(
        &ended("ended=Terminal"),
        &[1, 2],
        Reason::GameOver,
        "After 1, the game is over, so that 2 was never searched.",
    );
    check(
        &ended("ended=DrawByRule"),
        &[1, 2],
        Reason::GameOver,
        "After 1, the game is a draw by rule, so that 2 was never searched.",
    );
    check(
        &ended("ended=StandPat"),
        &[1, 2],
        Reason::StandPat,
        "After 1, standing pat was enough, so that 2 was never searched.",
    );
    check(
        &ended(""),
        &[1, 2],
        Reason::Unknown,
        "After 1, no move was searched, and the log does not say why; 2 is not in the tree.",
    );
    check(
        &ended("left_out=4"),
        &[1, 2],
        Reason::LeftOut,
        "After 1, the log leaves out nodes (4), and 2 is none of those that it has.",
    );
    check(
        "root ended=Terminal",
        &[],
        Reason::GameOver,
        "The game is over at the root, there is no move to play.",
    );
    check("root ended=Terminal", &[3], Reason::GameOver, "The game is over, so that 3 was never searched.");
}

#[test]
fn a_search_that_a_limit_stopped() {
    let tree = "
root depth=2 alpha=-9 beta=9 open
  1 depth=1 alpha=-9 beta=9 best=-2 ended=Searched
  2 depth=1 alpha=-3 beta=-2 open
    21 depth=0 alpha=2 beta=3 best=0 ended=Horizon
";
    check(tree, &[2], Reason::Stopped, "A limit stopped the search while it searched 2.");
    check(tree, &[3], Reason::Stopped, "A limit stopped the search before it came to 3.");
    check(tree, &[2, 22], Reason::Stopped, "After 2, a limit stopped the search before it came to 22.");
    check(
        "root open",
        &[],
        Reason::Stopped,
        "A limit stopped the search before any move at the root had a value.",
    );
}

#[test]
fn quiescence_stands_pat_or_leaves_moves_out() {
    let tree = "
root depth=1 alpha=-9 beta=9 best=1 ended=Searched
  1 depth=0 type=QRootNode alpha=-9 beta=9 best=-1 ended=Searched
    11 depth=-1 type=QNode alpha=-9 beta=1 best=3 ended=StandPat
";
    check(tree, &[1, 11], Reason::StandPat, "After 1, standing pat is better than 11.");
    check(
        tree,
        &[1, 12],
        Reason::Pruned,
        "After 1, 12 was pruned: quiescence search tried one other move there and left it out.",
    );
}

#[test]
fn all_visits_are_told_and_the_last_one_counts() {
    let tree = "
root depth=2 alpha=-9 beta=9 best=4 ended=Searched
  1 depth=1 alpha=-9 beta=9 best=-1 ended=Searched
  2 depth=0 reduction=1 alpha=-2 beta=-1 best=-4 ended=Searched
    21 depth=0 alpha=1 beta=2 best=4 ended=Horizon
  2 depth=1 alpha=-2 beta=-1 best=-5 ended=Searched
  2 depth=1 type=ResearchNode alpha=-9 beta=-1 best=-4 ended=Searched
    22 depth=0 alpha=1 beta=9 best=4 ended=Horizon
  3 depth=1 alpha=-5 beta=-4 best=-2 ended=Searched
";
    let why = explain(&log_of(tree), TreeChoice::LastComplete, &[2, 21]).unwrap();
    let step = &why.line[0];
    assert_eq!((step.rank, step.siblings, step.nodes, step.node), (1, 3, 5, 5));
    assert_eq!((step.value, step.bound), (Some(Score::Whole(4)), Some(Bound::Exact)));
    let told: Vec<_> =
        step.visits.iter().map(|visit| (visit.node, visit.nodes, visit.reduction, visit.research)).collect();
    assert_eq!(told, [(2, 2, Some(1), false), (4, 1, None, false), (5, 2, None, true)]);
    assert_eq!(step.visits[1].window, Some([Score::Whole(1), Score::Whole(2)]));
    assert_eq!(why.line[1].node, 3, "the first visit alone has 21");
    assert_eq!(explain(&log_of(tree), TreeChoice::LastComplete, &[3]).unwrap().line[0].rank, 2);
}

#[test]
fn other_iterations_have_the_line() {
    let depth = |depth: i64| Metadata::new().with("nominal_depth", depth);
    let shallow = "root depth=1 alpha=-9 beta=9 best=1 ended=Searched\n  1 best=-1 ended=Searched\n    2 best=1 ended=Horizon";
    let deep = "root depth=2 alpha=-9 beta=9 best=1 ended=Searched\n  1 best=-1 ended=TableHit";
    let log = log_of_trees(&[(depth(1), shallow), (depth(2), shallow), (depth(3), deep)]);
    let why = explain(&log, TreeChoice::LastComplete, &[1, 2]).unwrap();
    assert_eq!((why.tree, why.depth, why.verdict.reason), (2, Some(3), Reason::OtherIteration));
    assert_eq!(
        why.verdict.sentence.to_string(),
        "Only the iterations of depth 1 to 2 searched the line to its end; here, after 1, the transposition table \
         answered with 1, so that 2 was not searched."
    );
    let has_line: Vec<bool> = why.iterations.iter().map(|one| one.line.is_some()).collect();
    assert_eq!(has_line, [true, true, false]);
    assert!(why.iterations.iter().all(|one| one.first.is_some()));
}

#[test]
fn windows_of_one_iteration_are_one_row() {
    let depth = |depth: i64| Metadata::new().with("nominal_depth", depth);
    let exact =
        "root depth=1 alpha=-9 beta=9 best=1 ended=Searched\n  1 alpha=-9 beta=9 best=-1 ended=Searched";
    let low = "root depth=2 alpha=2 beta=9 best=1 ended=Searched\n  1 alpha=-9 beta=-2 best=-1 ended=Searched\n    7 best=1";
    let log = log_of_trees(&[(depth(1), exact), (depth(2), low), (depth(2), exact), (depth(3), low)]);
    let why = explain(&log, TreeChoice::LastComplete, &[1]).unwrap();
    assert_eq!(why.tree, 2, "the last tree failed low");
    let trees: Vec<_> = why.iterations.iter().map(|one| one.trees.clone()).collect();
    assert_eq!(trees, [vec![0], vec![1, 2], vec![3]]);
    assert_eq!(why.iterations[1].first.as_ref().unwrap().nodes, 3);
    assert_eq!(why.iterations[2].best, None, "a root that failed low has no move");
    let why = explain(&log, TreeChoice::Number(3), &[1]).unwrap();
    assert_eq!(why.verdict.sentence.to_string(), "Every move failed low, 1 too, so that none was chosen.");
}

#[test]
fn values_of_other_games_are_won_or_lost() {
    let tree = "
root depth=2 alpha=-2000000 beta=2000000 best=999997 ended=Searched
  1 depth=1 alpha=-2000000 beta=2000000 best=-999997 ended=Searched
  2 depth=1 alpha=-999998 beta=-999997 best=999990 ended=Cutoff
    3 depth=0 alpha=-999998 beta=-999997 best=-999990 ended=Horizon
";
    let log = log_of_trees(&[(Metadata::new().with("win", "1000000"), tree)]);
    let told = |line: &[i64]| {
        let why = explain(&log, TreeChoice::LastComplete, line).unwrap();
        (why.verdict.sentence.to_string(), why.text(&|_: &[i64], _| None))
    };
    let (verdict, text) = told(&[2]);
    assert_eq!(
        verdict,
        "2 is refuted by 3: it is worth at most a loss in 10 plies; the search prefers 1 (a win in 3 plies)."
    );
    assert!(text.contains("≤ lost in 10 plies"), "{text}");
    assert!(text.contains("999997 .. 999998"), "a window of mates is not an open one: {text}");
    assert!(told(&[1]).1.contains("-∞ .. ∞"), "{text}");
}
