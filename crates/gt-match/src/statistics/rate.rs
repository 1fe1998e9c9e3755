//! The share of the points that an engine takes, with its uncertainty.
//!
//! A block's points are one observation, however correlated the games inside are. The rate is the ratio of all points
//! to all seats, its error that of a ratio estimate over the blocks, and the interval is Student's with one degree of
//! freedom less than there are blocks.

use super::distributions::{student_cdf, student_quantile};
use super::elo::elo_of_score;

/// Half of the probability outside a 95% interval.
const TAIL: f64 = 0.025;
/// Added to the sum of squared deviations, as if differing blocks had been observed: a tenth of one for each of five
/// equally spaced results. Without it a handful of equal results would look certain.
pub(super) const UNSEEN_SQUARES: f64 = 0.0625;

/// The games of one opening, from the view of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The engine's points: 1 for a game won, shares of 1 for games that several won.
    pub points: f64,
    /// The number of seats in which it played.
    pub seats: u32,
}

/// A share of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Points per seat.
    pub share: f64,
    /// The ends of its 95% interval; the whole range with fewer than two blocks.
    pub interval: (f64, f64),
    /// The probability of a share at least as far from `expected` if that were true; `None` with fewer than two
    /// blocks.
    pub p_value: Option<f64>,
    /// The probability that the true share is above `expected` (likelihood of superiority).
    pub superiority: Option<f64>,
}

impl Rate {
    /// Returns the rate from blocks, compared with an expected one; `None` without a game.
    #[must_use]
    pub fn of(blocks: &[Block], expected: f64) -> Option<Self> {
        let seats: f64 = blocks.iter().map(|block| f64::from(block.seats)).sum();
        if seats == 0.0 {
            return None;
        }
        let share = blocks.iter().map(|block| block.points).sum::<f64>() / seats;
        if blocks.len() < 2 {
            return Some(Self { share, interval: (0.0, 1.0), p_value: None, superiority: None });
        }
        let error = standard_error(blocks, share, seats);
        let freedom = blocks.len() as f64 - 1.0;
        let superiority = student_cdf((share - expected) / error, freedom);
        Some(Self {
            share,
            interval: interval(share, error, blocks.len()),
            p_value: Some((2.0 * superiority.min(1.0 - superiority)).min(1.0)),
            superiority: Some(superiority),
        })
    }

    /// Returns the difference in Elo to the opponents, for two players.
    #[must_use]
    pub fn elo(&self) -> f64 {
        elo_of_score(self.share)
    }

    /// Returns the ends of its 95% interval.
    #[must_use]
    pub fn elo_interval(&self) -> (f64, f64) {
        (elo_of_score(self.interval.0), elo_of_score(self.interval.1))
    }
}

fn standard_error(blocks: &[Block], share: f64, seats: f64) -> f64 {
    let count = blocks.len() as f64;
    let mean_seats = seats / count;
    let deviation = |block: &Block| (block.points - share * f64::from(block.seats)) / mean_seats;
    let squares: f64 = blocks.iter().map(|block| deviation(block).powi(2)).sum();
    ((squares + UNSEEN_SQUARES) / (count - 1.0) / count).sqrt()
}

/// If everything was won or lost, the exact interval of a proportion.
fn interval(share: f64, error: f64, blocks: usize) -> (f64, f64) {
    let extreme = TAIL.powf(1.0 / blocks as f64);
    if share >= 1.0 {
        return (extreme, 1.0);
    }
    if share <= 0.0 {
        return (0.0, 1.0 - extreme);
    }
    let reach = student_quantile(TAIL, blocks as f64 - 1.0) * error;
    ((share - reach).max(0.0), (share + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of games by their score: 0, 1/2, 1, 3/2, 2.
    fn pairs(counts: [usize; 5]) -> Vec<Block> {
        let pair = |score: usize| Block { points: score as f64 / 2.0, seats: 2 };
        (0..5).flat_map(|score| std::iter::repeat_n(pair(score), counts[score])).collect()
    }

    /// Numbers that fastchess prints and tests: pairs, Elo, half of the interval, likelihood of superiority in per
    /// cent. Its intervals use the normal distribution, so ours are a little wider.
    #[test]
    fn elo_is_as_published() {
        let cases = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 100.00),
            ([332, 433, 498, 333, 334], -8.64, 10.33, 5.05),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, 0.0),
            ([73, 79, 296, 91, 118], 27.02, 15.81, 99.96),
            ([40, 67, 295, 123, 54], 25.25, 13.92, 99.98),
            ([19, 23, 269, 81, 108], 83.57, 16.15, 100.0),
            ([66, 79, 5, 0, 0], -303.61, 30.73, 0.0),
            ([578, 1352, 1985, 1283, 564], -2.92, 5.02, 12.65),
        ];
        for (counts, elo, half, superiority) in cases {
            let rate = Rate::of(&pairs(counts), 0.5).unwrap();
            assert!((rate.elo() - elo).abs() < 0.006, "{counts:?}: {}", rate.elo());
            let (low, high) = rate.elo_interval();
            let found = (high - low) / 2.0;
            assert!(found > half - 0.006 && found < half * 1.03, "{counts:?}: {found}");
            let found = 100.0 * rate.superiority.unwrap();
            assert!((found - superiority).abs() < 0.03, "{counts:?}: {found}");
        }
    }

    #[test]
    fn little_is_not_certain() {
        assert_eq!(Rate::of(&[], 0.5), None);
        let one = Rate::of(&pairs([0, 0, 0, 0, 1]), 0.5).unwrap();
        assert_eq!((one.share, one.interval, one.p_value), (1.0, (0.0, 1.0), None));
        let all = Rate::of(&pairs([0, 0, 0, 0, 5]), 0.5).unwrap();
        assert!(all.elo() == f64::INFINITY && all.elo_interval().0 < 0.0, "{:?}", all.elo_interval());
        let even = Rate::of(&pairs([0, 0, 5, 0, 0]), 0.5).unwrap();
        assert!(even.interval.0 < 0.45 && even.p_value == Some(1.0), "{even:?}");
    }

    /// About 95% of intervals around simulated shares contain the truth: games of three players whose six seatings
    /// are correlated.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = crate::random::Random::new(7);
        let (mut held, trials) = (0, 2000);
        for _ in 0..trials {
            let blocks: Vec<Block> = (0..40)
                .map(|_| {
                    let luck = [0.1, 0.7][random.below(2)];
                    let points = (0..6).filter(|_| random.unit() < luck).count();
                    Block { points: points as f64, seats: 6 }
                })
                .collect();
            let (low, high) = Rate::of(&blocks, 1.0 / 3.0).unwrap().interval;
            held += u32::from(low <= 0.4 && 0.4 <= high);
        }
        let share = f64::from(held) / f64::from(trials);
        assert!((0.93..0.975).contains(&share), "{share}");
    }
}
