//! Student's t-distribution, through the incomplete beta function.

/// The probability that a t-distributed variable with this many degrees of freedom is at most `t`.
pub(super) fn student_cdf(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The value that a t-distributed variable exceeds with probability `tail`, for a tail of at most one half.
pub(super) fn student_quantile(tail: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while 1.0 - student_cdf(high, freedom) > tail {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if 1.0 - student_cdf(middle, freedom) > tail { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let log_front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (1.0 - x).ln();
    // The fraction converges quickly on this side of the mean; the other side is its mirror image.
    if x < (a + 1.0) / (a + b + 2.0) {
        log_front.exp() * beta_fraction(a, b, x) / a
    } else {
        1.0 - log_front.exp() * beta_fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut product = d;
    for step in 1..500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            product *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook table of the t-distribution.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let cases = [
            (0.025, 1.0, 12.706),
            (0.025, 2.0, 4.303),
            (0.025, 5.0, 2.571),
            (0.025, 10.0, 2.228),
            (0.05, 30.0, 1.697),
            (0.005, 20.0, 2.845),
            (0.025, 1e6, 1.960),
        ];
        for (tail, freedom, expected) in cases {
            let found = student_quantile(tail, freedom);
            assert!((found - expected).abs() < 5e-4, "{tail} {freedom}: {found}");
        }
    }

    /// With one degree of freedom it is Cauchy's distribution, whose integral is known; with two it also has a closed
    /// form.
    #[test]
    fn small_degrees_of_freedom_have_closed_forms() {
        for t in [-7.5f64, -1.0, -0.1, 0.0, 0.3, 2.0, 40.0] {
            let cauchy = 0.5 + t.atan() / std::f64::consts::PI;
            assert!((student_cdf(t, 1.0) - cauchy).abs() < 1e-12, "{t}");
            let two = 0.5 + t / (2.0 * (2.0 + t * t).sqrt());
            assert!((student_cdf(t, 2.0) - two).abs() < 1e-12, "{t}");
        }
    }
}
