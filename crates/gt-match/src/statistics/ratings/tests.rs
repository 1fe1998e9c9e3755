use super::super::{Block, Rate, elo_of_score, score_of_elo};
use super::*;
use crate::random::Random;

fn pairing(first: usize, second: usize, points: f64) -> Pairing {
    Pairing { first, second, points, games: 2 }
}

/// With two engines there is nothing to solve: the difference is the Elo of the score, and the interval that of the
/// pairs.
#[test]
fn two_engines_differ_by_the_elo_of_their_score() {
    let points = [2.0, 1.5, 1.0, 0.5, 2.0, 1.0, 1.5, 0.0, 2.0, 1.0].repeat(20);
    let pairings: Vec<Pairing> = points.iter().map(|&points| pairing(0, 1, points)).collect();
    let found = ratings(2, &pairings).unwrap();
    let blocks: Vec<Block> = points.iter().map(|&points| Block { points, seats: 2 }).collect();
    let rate = Rate::of(&blocks, 0.5).unwrap();
    let [first, second] = found.ratings[..] else { panic!() };
    assert!((first.elo - second.elo - rate.elo()).abs() < 1e-9);
    // Each engine has half of the difference, and half of its error; `Rate` adds a little for unobserved variation.
    let (low, high) = rate.elo_interval();
    assert!((2.0 * first.error / ((high - low) / 2.0) - 1.0).abs() < 0.02, "{first:?} {low} {high}");
    assert!(!found.has_virtual_draws);
}

/// Results exactly as the ratings predict give these ratings back.
#[test]
fn exact_results_give_the_ratings_back() {
    let truth = [120.0, 10.0, -30.0, -100.0];
    let mut pairings = Vec::new();
    for first in 0..4 {
        for second in first + 1..4 {
            let points = 2.0 * score_of_elo(truth[first] - truth[second]);
            pairings.extend([pairing(first, second, points); 3]);
        }
    }
    for (rating, elo) in ratings(4, &pairings).unwrap().ratings.iter().zip(truth) {
        assert!((rating.elo - elo).abs() < 1e-6 && rating.error > 0.0, "{rating:?} {elo}");
    }
}

/// About 95% of the intervals around simulated ratings contain the truth.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let truth = [60.0, 0.0, -60.0];
    let mut random = Random::new(11);
    let (mut held, mut all) = (0, 0);
    for _ in 0..300 {
        let mut pairings = Vec::new();
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let score = score_of_elo(truth[first] - truth[second]);
            for _ in 0..40 {
                let points = (0..2).filter(|_| random.unit() < score).count() as f64;
                pairings.push(pairing(first, second, points));
            }
        }
        for (rating, elo) in ratings(3, &pairings).unwrap().ratings.iter().zip(truth) {
            held += u32::from((rating.elo - elo).abs() <= rating.error);
            all += 1;
        }
    }
    let share = f64::from(held) / f64::from(all);
    assert!((0.92..0.98).contains(&share), "{share}");
}

#[test]
fn who_wins_everything_is_rated_with_a_drawn_game() {
    let found = ratings(2, &[pairing(0, 1, 2.0), pairing(0, 1, 2.0)]).unwrap();
    assert!(found.has_virtual_draws);
    let difference = found.ratings[0].elo - found.ratings[1].elo;
    assert!((difference - elo_of_score(4.5 / 5.0)).abs() < 1e-6, "{difference}");
    assert_eq!(ratings(3, &[pairing(0, 1, 1.0), pairing(0, 1, 1.0)]), None);
}
