//! What a search takes a position to be worth before it searches on: its evaluation, corrected by what was learnt, or the table's value.

use crate::trees::recorder::{Recorder, Seen};
use gt_games::chess::{Move, SixTerms};
use gt_games::{Chess, Notation};
use gt_search::{Ended, Evaluate, Game, Idea, Limits, Options, Searcher};

/// Four entries of at most 1024, of which 64 are worth a hundredth of a pawn.
const CORRECTION_MAX: i32 = 4 * 1024 / 64;

struct Counts {
    evaluated: u64,
    corrected: u64,
    /// Nodes that ended with something other than their evaluation, without a search.
    replaced: u64,
}

fn counts(without: &[Idea]) -> Counts {
    let options = without.iter().fold(Options::selective(), |options, &idea| options.without(idea));
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let mut game = Chess::parse_position(text).unwrap();
    let mut recorder = Recorder::default();
    Searcher::new(SixTerms, options).search_observed(&game, &Limits::nodes(40_000), &mut recorder, |_| ());
    let mut counts = Counts { evaluated: 0, corrected: 0, replaced: 0 };
    recorder.trees.iter().for_each(|tree| count(&mut game, tree, &mut counts));
    counts
}

fn count(game: &mut Chess, seen: &Seen<Move>, counts: &mut Counts) {
    let record = &seen.record;
    if let Some(static_eval) = record.static_eval {
        let correction = static_eval - SixTerms.evaluate(game);
        assert!(correction.abs() <= CORRECTION_MAX, "{correction}");
        counts.evaluated += 1;
        counts.corrected += u64::from(correction != 0);
        if record.ended == Ended::StandPat && record.best != static_eval {
            assert!(record.table_depth.is_some(), "only the table can say something else: {record:?}");
            counts.replaced += 1;
        }
    }
    for child in &seen.children {
        match child.last_move {
            Some(mv) => {
                let before = game.make(mv);
                count(game, child, counts);
                game.undo(mv, before);
            }
            None => {
                let before = game.make_null().unwrap();
                count(game, child, counts);
                game.undo_null(before);
            }
        }
    }
}

#[test]
fn an_evaluation_is_corrected_and_gives_way_to_the_table_only_where_the_ideas_are_used() {
    let with_neither = counts(&[Idea::Corrections, Idea::TableEstimates]);
    assert!(with_neither.evaluated > 10_000, "{}", with_neither.evaluated);
    assert_eq!((with_neither.corrected, with_neither.replaced), (0, 0));
    let corrected = counts(&[Idea::TableEstimates]);
    assert!(
        corrected.corrected > corrected.evaluated / 4,
        "{} of {}",
        corrected.corrected,
        corrected.evaluated
    );
    assert_eq!(corrected.replaced, 0);
    let estimated = counts(&[Idea::Corrections]);
    assert_eq!(estimated.corrected, 0);
    assert!(estimated.replaced > 0);
}
