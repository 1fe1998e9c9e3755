//! Gradient descent on the logistic loss.
//!
//! ```text
//! value    = counts · weights, opening and ending mixed        in hundredths of a pawn
//! expected = 1 / (1 + 10^(-scale · value / 400))               the points that the value promises
//! points   = result, or (1 - share) · result + share · the points that the player's score promises
//! loss     = -(points · ln expected + (1 - points) · ln (1 - expected)), on average
//! ```
//!
//! `scale` is fitted first, to the initial weights, and then fixed: otherwise weights and scale would diverge
//! together. The players' scores have a scale of their own, fitted to the results. The steps are Adam's. A pull towards
//! the initial weights keeps those in place about which the games say little.

use std::f64::consts::LN_10;

use gt_games::chess::evaluate::{FEATURES, Score, Weights};

use crate::samples::Sample;

/// The settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of steps over all positions.
    pub steps: u32,
    /// The initial step size of a weight, in hundredths of a pawn.
    pub rate: f64,
    /// The strength of the pull towards the initial weights: the loss that a pawn's worth of change would cost, on
    /// average.
    pub pull: f64,
    /// The share of the player's score in the points that a position is worth, from 0 to 1; the rest is the result's.
    /// Positions without a score have their result alone.
    pub score_share: f64,
    /// One in this many games is held out.
    pub held_out_one_in: u32,
    /// The seed that selects them.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { steps: 400, rate: 1.0, pull: 0.001, score_share: 0.0, held_out_one_in: 10, seed: 1 }
    }
}

/// The loss on the games that were learnt from, and on those held out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// On the positions that the weights were fitted to.
    pub learnt: f64,
    /// On the others; `None` if there are none.
    pub held_out: Option<f64>,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights.
    pub weights: Weights,
    /// The steepness of points as a function of values.
    pub scale: f64,
    /// The loss with the initial weights.
    pub before: Loss,
    /// The loss with the fitted weights, rounded as they are stored.
    pub after: Loss,
}

/// The fitted numbers: those of the opening, then those of the ending.
type Numbers = Vec<f64>;

/// Fits weights to positions; `None` without positions.
#[must_use]
pub fn fit(samples: &[Sample], start: &Weights, settings: &Settings) -> Option<Fit> {
    let (learnt, held_out) = split(lessons(samples, settings.score_share), settings);
    if learnt.is_empty() {
        return None;
    }
    let first = numbers(start);
    let scale = best_scale(|scale| average_loss(&learnt, &first, scale));
    let loss = |numbers: &Numbers| Loss {
        learnt: average_loss(&learnt, numbers, scale),
        held_out: (!held_out.is_empty()).then(|| average_loss(&held_out, numbers, scale)),
    };
    let fitted = descend(&learnt, &first, scale, settings);
    let weights = Weights::from_fn(|feature| {
        let rounded = |number: f64| number.round().clamp(-WEIGHT_MAX, WEIGHT_MAX) as i32;
        Score::new(rounded(fitted[feature]), rounded(fitted[FEATURES + feature]))
    });
    let after = loss(&numbers(&weights));
    Some(Fit { before: loss(&first), after, scale, weights })
}

/// The largest weight that a file allows.
const WEIGHT_MAX: f64 = 5000.0;

/// A position, and the points that its value is to promise.
struct Lesson<'a> {
    sample: &'a Sample,
    points: f64,
}

fn lessons(samples: &[Sample], score_share: f64) -> Vec<Lesson<'_>> {
    let scored: Vec<(f64, f64)> = samples
        .iter()
        .filter(|_| score_share > 0.0)
        .filter_map(|sample| Some((f64::from(sample.score?), f64::from(sample.result))))
        .collect();
    let scale = best_scale(|scale| {
        scored.iter().map(|&(score, result)| loss(result, expected(score, scale))).sum::<f64>()
    });
    let points = |sample: &Sample| {
        let result = f64::from(sample.result);
        let share = if sample.score.is_some() { score_share } else { 0.0 };
        (1.0 - share) * result + share * expected(f64::from(sample.score.unwrap_or(0.0)), scale)
    };
    samples.iter().map(|sample| Lesson { sample, points: points(sample) }).collect()
}

/// The positions to learn from, and those held out. Whole games are held out, because positions of one game are
/// alike.
fn split<'a>(lessons: Vec<Lesson<'a>>, settings: &Settings) -> (Vec<Lesson<'a>>, Vec<Lesson<'a>>) {
    let is_held_out = |lesson: &Lesson<'_>| {
        settings.held_out_one_in > 0
            && fastrand::Rng::with_seed(settings.seed << 32 | u64::from(lesson.sample.game))
                .u32(..settings.held_out_one_in)
                == 0
    };
    lessons.into_iter().partition(|lesson| !is_held_out(lesson))
}

fn numbers(weights: &Weights) -> Numbers {
    let openings = (0..FEATURES).map(|feature| weights.of(feature).opening());
    let endings = (0..FEATURES).map(|feature| weights.of(feature).ending());
    openings.chain(endings).map(f64::from).collect()
}

fn value(sample: &Sample, numbers: &[f64]) -> f64 {
    let (openings, endings) = numbers.split_at(FEATURES);
    let [mut opening, mut ending] = [0.0; 2];
    for &(feature, count) in &sample.counts {
        opening += f64::from(count) * openings[usize::from(feature)];
        ending += f64::from(count) * endings[usize::from(feature)];
    }
    f64::from(sample.shares[0]) * opening + f64::from(sample.shares[1]) * ending + f64::from(sample.fixed)
}

fn expected(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * value * LN_10 / 400.0).exp())
}

fn loss(points: f64, expected: f64) -> f64 {
    const LEAST: f64 = 1e-12;
    let expected = expected.clamp(LEAST, 1.0 - LEAST);
    -(points * expected.ln() + (1.0 - points) * (1.0 - expected).ln())
}

fn average_loss(lessons: &[Lesson<'_>], numbers: &[f64], scale: f64) -> f64 {
    let losses = lessons
        .iter()
        .map(|Lesson { sample, points }| loss(*points, expected(value(sample, numbers), scale)));
    losses.sum::<f64>() / lessons.len().max(1) as f64
}

/// The scale with the smallest loss, by ternary search: the loss has one minimum in it.
fn best_scale(loss: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.05, 4.0);
    for _ in 0..40 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

fn descend(lessons: &[Lesson<'_>], first: &Numbers, scale: f64, settings: &Settings) -> Numbers {
    const DECAYS: [f64; 2] = [0.9, 0.999];
    let mut numbers = first.clone();
    let mut moments = [vec![0.0; numbers.len()], vec![0.0; numbers.len()]];
    for step in 1..=settings.steps {
        let slopes = slopes(lessons, &numbers, first, scale, settings.pull);
        // The steps become shorter towards the end, so that the weights converge.
        let left = 1.0 - f64::from(step - 1) / f64::from(settings.steps);
        for (place, slope) in slopes.into_iter().enumerate() {
            let [mean, spread] = &mut moments;
            mean[place] = DECAYS[0] * mean[place] + (1.0 - DECAYS[0]) * slope;
            spread[place] = DECAYS[1] * spread[place] + (1.0 - DECAYS[1]) * slope * slope;
            let mean = mean[place] / (1.0 - DECAYS[0].powi(step as i32));
            let spread = spread[place] / (1.0 - DECAYS[1].powi(step as i32));
            if spread > 0.0 {
                numbers[place] -= settings.rate * left * mean / (spread.sqrt() + 1e-10);
            }
        }
    }
    numbers
}

/// The gradient of the loss.
fn slopes(lessons: &[Lesson<'_>], numbers: &Numbers, first: &Numbers, scale: f64, pull: f64) -> Numbers {
    let mut slopes = vec![0.0; numbers.len()];
    for Lesson { sample, points } in lessons {
        let error = expected(value(sample, numbers), scale) - points;
        for &(feature, count) in &sample.counts {
            let slope = error * f64::from(count);
            slopes[usize::from(feature)] += slope * f64::from(sample.shares[0]);
            slopes[FEATURES + usize::from(feature)] += slope * f64::from(sample.shares[1]);
        }
    }
    let per_value = scale * LN_10 / 400.0 / lessons.len() as f64;
    for (place, slope) in slopes.iter_mut().enumerate() {
        let away = (numbers[place] - first[place]) / 100.0;
        *slope = *slope * per_value + 2.0 * pull * away / 100.0;
    }
    slopes
}
