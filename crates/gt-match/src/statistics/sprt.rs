//! The sequential probability ratio test over pairs of games (GSPRT): play until one hypothesis is accepted.
//!
//! ```text
//!      ln β/(1-α)                       ln (1-β)/α
//! ────────┼────────────── LLR ──────────────┼────────
//!  elo0 holds          play on          elo1 holds
//! ```
//!
//! The ratio compares the maximum-likelihood distributions of pair scores with the mean of each hypothesis.

use std::str::FromStr;

use super::elo::score_of_elo;
use crate::fields::numbers;

/// The number of pairs of games with each score: 0, 1/2, 1, 3/2, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by its points, a multiple of one half up to 2.
    pub fn add(&mut self, points: f64) {
        let index = (2.0 * points).round().clamp(0.0, 4.0) as usize;
        self.0[index] += 1;
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// A test between two hypotheses on the difference in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference if the first hypothesis holds.
    pub elo0: f64,
    /// The difference if the second holds; larger.
    pub elo1: f64,
    /// The probability of accepting the second although the first holds.
    pub alpha: f64,
    /// The probability of accepting the first although the second holds.
    pub beta: f64,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Undecided.
    PlayOn,
    /// The first hypothesis holds.
    Elo0,
    /// The second holds.
    Elo1,
}

impl Sprt {
    /// Returns the log-likelihood ratios below which the first hypothesis, and above which the second is
    /// accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of the second hypothesis to the first.
    ///
    /// ```
    /// use gt_match::statistics::{Pentanomial, Sprt};
    ///
    /// let sprt = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };
    /// let ratio = sprt.log_likelihood_ratio(&Pentanomial([871, 26175, 55983, 26678, 821]));
    /// assert!((ratio + 4.98).abs() < 0.01);
    /// ```
    #[must_use]
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // A score that never occurred counts as rare, not as impossible.
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let first = likeliest(&shares, score_of_elo(self.elo0));
        let second = likeliest(&shares, score_of_elo(self.elo1));
        let gain = |index: usize| shares[index] * (second[index] / first[index]).ln();
        total * (0..5).map(gain).sum::<f64>()
    }

    /// Returns the decision from the pairs.
    #[must_use]
    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio <= low => Verdict::Elo0,
            ratio if ratio >= high => Verdict::Elo1,
            _ => Verdict::PlayOn,
        }
    }
}

/// The distribution with this mean score under which the observed shares are most likely.
/// Each share is divided by `1 + x (score - mean)`, with the `x` that gives the mean.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let distance = |index: usize| index as f64 / 4.0 - mean;
    let slope = |x: f64| -> f64 {
        (0..5).map(|index| shares[index] * distance(index) / (1.0 + x * distance(index))).sum()
    };
    // Between these ends every divisor is positive and the slope falls.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = 0.5 * (low + high);
    std::array::from_fn(|index| shares[index] / (1.0 + x * distance(index)))
}

impl FromStr for Sprt {
    type Err = String;

    /// Parses `elo0=0,elo1=10,alpha=0.05,beta=0.05`; the last two are optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let [elo0, elo1, alpha, beta] = numbers(text, ["elo0", "elo1", "alpha", "beta"])?;
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
            return Err("elo0 and elo1 are both needed".to_owned());
        };
        let sprt = Self { elo0, elo1, alpha: alpha.unwrap_or(0.05), beta: beta.unwrap_or(0.05) };
        sprt.check()?;
        Ok(sprt)
    }
}

impl Sprt {
    fn check(&self) -> Result<(), String> {
        let is_probability = |number: f64| number > 0.0 && number < 0.5;
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err("elo0 must be smaller than elo1".to_owned());
        }
        if !(is_probability(self.alpha) && is_probability(self.beta)) {
            return Err("alpha and beta lie between 0 and 0.5".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Test values of fastchess's logistic model.
    #[test]
    fn ratios_are_as_published() {
        let cases = [
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
        ];
        for (counts, elo0, elo1, expected) in cases {
            let found = sprt(elo0, elo1).log_likelihood_ratio(&Pentanomial(counts));
            assert!((found - expected).abs() < 0.01 * -expected, "{counts:?}: {found}");
        }
        let (low, high) = sprt(0.0, 5.0).bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
    }

    /// The maximum-likelihood distribution, verified by trial: no neighbour with the same mean makes the observations
    /// more likely.
    #[test]
    fn no_distribution_with_the_mean_is_likelier() {
        let shares = [0.1, 0.2, 0.3, 0.25, 0.15];
        let likelihood = |p: &[f64; 5]| -> f64 { (0..5).map(|i| shares[i] * p[i].ln()).sum() };
        for mean in [0.2, 0.5, 0.55, 0.9] {
            let best = likeliest(&shares, mean);
            assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let found: f64 = (0..5).map(|i| best[i] * i as f64 / 4.0).sum();
            assert!((found - mean).abs() < 1e-9, "{found}");
            // Steps that preserve sum and mean.
            for [i, j, k] in [[0, 1, 2], [0, 2, 4], [1, 2, 3], [1, 3, 4], [0, 1, 4]] {
                for size in [1e-4, -1e-4] {
                    let mut other = best;
                    let (near, far) = ((j - i) as f64, (k - j) as f64);
                    other[i] += size * far;
                    other[j] -= size * (near + far);
                    other[k] += size * near;
                    assert!(likelihood(&other) < likelihood(&best), "{mean}: {i} {j} {k}");
                }
            }
        }
    }

    /// Simulated matches: the wrong hypothesis is accepted about as rarely as alpha and beta say.
    #[test]
    fn errors_are_as_rare_as_they_should_be() {
        let test = sprt(0.0, 60.0);
        let mut random = crate::random::Random::new(3);
        for (elo, wrong) in [(0.0, Verdict::Elo1), (60.0, Verdict::Elo0)] {
            let score = score_of_elo(elo);
            let mut errors = 0;
            for _ in 0..400 {
                let mut pairs = Pentanomial::default();
                let verdict = loop {
                    let game =
                        |random: &mut crate::random::Random| f64::from(u8::from(random.unit() < score));
                    pairs.add(game(&mut random) + game(&mut random));
                    match test.verdict(&pairs) {
                        Verdict::PlayOn => (),
                        verdict => break verdict,
                    }
                };
                errors += u32::from(verdict == wrong);
            }
            assert!(errors <= 32, "{errors} of 400 at {elo}");
        }
    }

    #[test]
    fn a_test_is_read_from_its_text() {
        assert_eq!("elo0=0,elo1=10".parse(), Ok(sprt(0.0, 10.0)));
        assert_eq!("elo0=-3,elo1=1,alpha=0.05,beta=0.05".parse(), Ok(sprt(-3.0, 1.0)));
        for (text, part) in [
            ("elo0=0", "elo1"),
            ("elo0=5,elo1=5", "smaller"),
            ("elo0=0,elo1=x", "`x`"),
            ("elo=0", "no `elo`"),
            ("elo0", "`elo0` lacks"),
            ("elo0=0,elo1=5,alpha=0.5", "alpha"),
            ("elo0=nan,elo1=5", "elo0"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
