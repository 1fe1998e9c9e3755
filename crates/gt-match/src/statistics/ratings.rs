//! Elo of many engines from the games between them, by maximum likelihood (Bradley and Terry).
//!
//! The expected score of `a` against `b` follows from the difference of their ratings; a draw is half a win. Newton's method
//! finds the ratings; their errors come from the pairings, each of which counts as one observation, as in
//! [`Rate`](super::Rate).

mod matrix;

use std::collections::BTreeSet;

use super::distributions::student_quantile;
use super::rate::UNSEEN_SQUARES;
use matrix::{inverted, times};

const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The games of one opening between two engines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The number of the first engine.
    pub first: usize,
    /// The number of the second engine.
    pub second: usize,
    /// The points of the first.
    pub points: f64,
    /// The number of games.
    pub games: u32,
}

/// An engine's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo; the mean of all engines is 0.
    pub elo: f64,
    /// Half of its 95% interval.
    pub error: f64,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// One for each engine.
    pub ratings: Vec<Rating>,
    /// Whether a drawn game was added to each pairing, because an engine won or lost everything.
    pub has_virtual_draws: bool,
}

/// Returns the maximum-likelihood ratings; `None` with fewer than two pairings, or if the games fall into groups that
/// never met.
#[must_use]
pub fn ratings(engines: usize, pairings: &[Pairing]) -> Option<Ratings> {
    if pairings.len() < 2 {
        return None;
    }
    let has_virtual_draws = !is_strongly_connected(engines, |a, b| has_points_against(pairings, a, b));
    let mut games = pairings.to_vec();
    if has_virtual_draws {
        games.extend(virtual_draws(engines, pairings));
        if !is_strongly_connected(engines, |a, b| has_points_against(&games, a, b)) {
            return None;
        }
    }
    let values = likeliest(engines, &games)?;
    let spread = covariance(&values, &games)?;
    let reach = student_quantile(0.025, pairings.len() as f64 - 1.0);
    let rating = |engine: usize| Rating {
        elo: ELO_PER_UNIT * values[engine],
        error: ELO_PER_UNIT * reach * spread[engine][engine].max(0.0).sqrt(),
    };
    Some(Ratings { ratings: (0..engines).map(rating).collect(), has_virtual_draws })
}

fn has_points_against(pairings: &[Pairing], a: usize, b: usize) -> bool {
    pairings.iter().any(|pairing| {
        let other = f64::from(pairing.games) - pairing.points;
        (pairing.first, pairing.second) == (a, b) && pairing.points > 0.0
            || (pairing.first, pairing.second) == (b, a) && other > 0.0
    })
}

fn virtual_draws(engines: usize, pairings: &[Pairing]) -> Vec<Pairing> {
    let met = |a: usize, b: usize| has_points_against(pairings, a, b) || has_points_against(pairings, b, a);
    let couples = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b)));
    let draw = |(first, second)| Pairing { first, second, points: 0.5, games: 1 };
    couples.filter(|&(a, b)| met(a, b)).map(draw).collect()
}

/// Whether every engine can be reached from every other: only then do the maximum-likelihood ratings exist.
fn is_strongly_connected(engines: usize, has_edge: impl Fn(usize, usize) -> bool) -> bool {
    let reaches_all = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; engines];
        let mut open = vec![0];
        reached[0] = true;
        while let Some(engine) = open.pop() {
            let found: Vec<usize> =
                (0..engines).filter(|&other| !reached[other] && edge(engine, other)).collect();
            found.iter().for_each(|&other| reached[other] = true);
            open.extend(found);
        }
        reached.into_iter().all(|is_reached| is_reached)
    };
    reaches_all(&has_edge) && reaches_all(&|a, b| has_edge(b, a))
}

fn expected(values: &[f64], pairing: &Pairing) -> f64 {
    1.0 / (1.0 + (values[pairing.second] - values[pairing.first]).exp())
}

fn likeliest(engines: usize, pairings: &[Pairing]) -> Option<Vec<f64>> {
    let mut values = vec![0.0; engines];
    for _ in 0..200 {
        let mut gradient = vec![0.0; engines];
        for pairing in pairings {
            let surplus = pairing.points - f64::from(pairing.games) * expected(&values, pairing);
            gradient[pairing.first] += surplus;
            gradient[pairing.second] -= surplus;
        }
        let inverse = inverted(information(&values, pairings))?;
        let step = times(&inverse, &gradient);
        let largest = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        // A step from far away may overshoot.
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        values.iter_mut().zip(&step).for_each(|(value, part)| *value += scale * part);
        if largest < 1e-12 {
            break;
        }
    }
    let mean = values.iter().sum::<f64>() / engines as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    Some(values)
}

/// The curvature of the likelihood. A common shift of all ratings changes nothing; one is added in that direction, so
/// that the matrix can be inverted.
fn information(values: &[f64], pairings: &[Pairing]) -> Vec<Vec<f64>> {
    let engines = values.len();
    let mut matrix = vec![vec![1.0 / engines as f64; engines]; engines];
    for pairing in pairings {
        let score = expected(values, pairing);
        let weight = f64::from(pairing.games) * score * (1.0 - score);
        let (a, b) = (pairing.first, pairing.second);
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    }
    matrix
}

/// The covariance of the ratings, from the residual of each pairing (the sandwich estimate). Two engines that met get
/// a little more, for unobserved variation.
fn covariance(values: &[f64], pairings: &[Pairing]) -> Option<Vec<Vec<f64>>> {
    let engines = values.len();
    let count = pairings.len() as f64;
    let mut spread = vec![vec![0.0; engines]; engines];
    let mut have_met = BTreeSet::new();
    for pairing in pairings {
        let games = f64::from(pairing.games);
        let surplus = pairing.points - games * expected(values, pairing);
        let is_first = have_met.insert((pairing.first, pairing.second));
        let unseen = if is_first { UNSEEN_SQUARES * games * games } else { 0.0 };
        let square = (surplus * surplus + unseen) * count / (count - 1.0);
        let (a, b) = (pairing.first, pairing.second);
        spread[a][a] += square;
        spread[b][b] += square;
        spread[a][b] -= square;
        spread[b][a] -= square;
    }
    let inverse = inverted(information(values, pairings))?;
    let product = |left: &[Vec<f64>], right: &[Vec<f64>]| -> Vec<Vec<f64>> {
        let columns: Vec<Vec<f64>> = (0..engines).map(|j| right.iter().map(|row| row[j]).collect()).collect();
        left.iter().map(|row| times(&columns, row)).collect()
    };
    Some(product(&product(&inverse, &spread), &inverse))
}

#[cfg(test)]
mod tests;
