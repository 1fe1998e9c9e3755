//! The scale of Elo: 400 points are ten to one.

/// Returns the difference in Elo for a score from 0 to 1; infinite at its ends.
///
/// ```
/// use gt_match::statistics::elo_of_score;
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let elo = 400.0 * (score / (1.0 - score)).log10();
    // Avoid a negative zero.
    if elo == 0.0 { 0.0 } else { elo }
}

/// Returns the expected score for a difference in Elo.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
