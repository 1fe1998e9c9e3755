//! Scales: values to lengths, and the ticks between.
//!
//! ```text
//! low ├────┬────┬────┬────┤ high        a value's place is in 0 ..= 1
//!     0   20   40   60   80             marks are 1, 2 or 5 times a power of ten apart
//! ```

use crate::chart::Scale;

/// The range of numbers that an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: f64,
    high: f64,
    scale: Scale,
}

/// The start of bars on a logarithmic axis relative to the smallest power of ten, so that the smallest bar is
/// visible.
const BELOW_LEAST: f64 = 0.6;

impl Range {
    /// A range for bars and lines that begin at zero (logarithmic: below the smallest value).
    pub(super) fn from_zero(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let (least, greatest) = extremes(values, scale);
        match scale {
            Scale::Linear => Self::linear(least.min(0.0), greatest.max(0.0)),
            Scale::Logarithmic => {
                let range = Self::logarithmic(least, greatest);
                Self { low: range.low * BELOW_LEAST, ..range }
            }
        }
    }

    /// Like [`Range::from_zero`], but ending exactly at the largest value, for a terminal's few columns.
    pub(super) fn tight(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let values: Vec<f64> = values.collect();
        let (_, greatest) = extremes(values.iter().copied(), scale);
        let range = Self::from_zero(values.into_iter(), scale);
        if greatest > range.low { Self { high: greatest, ..range } } else { range }
    }

    /// A range that contains the values and little more, for numbers along x.
    pub(super) fn around(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let (least, greatest) = extremes(values, scale);
        let room = (least.abs() / 10.0).max(1.0);
        let wide = if least == greatest { (least - room, greatest + room) } else { (least, greatest) };
        match scale {
            Scale::Linear => Self { low: wide.0, high: wide.1, scale },
            Scale::Logarithmic if least == greatest => Self::logarithmic(least, greatest),
            Scale::Logarithmic => Self { low: least, high: greatest, scale },
        }
    }

    fn linear(low: f64, high: f64) -> Self {
        let high = if low == high { low + 1.0 } else { high };
        let step = step(high - low, 5);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { low, high, scale: Scale::Linear }
    }

    fn logarithmic(least: f64, greatest: f64) -> Self {
        let low = power_of_ten(least.log10().floor());
        let high = power_of_ten(greatest.log10().ceil());
        let high = if high <= low { low * 10.0 } else { high };
        Self { low, high, scale: Scale::Logarithmic }
    }

    /// The position of a value, 0 at the beginning and 1 at the end; `None` if it cannot be shown.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let place = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic if value > 0.0 => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Logarithmic => return None,
        };
        place.is_finite().then(|| place.clamp(0.0, 1.0))
    }

    /// The position where bars begin.
    pub(super) fn zero(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.place(0.0).unwrap_or(0.0),
            Scale::Logarithmic => 0.0,
        }
    }

    /// About `count` ticks.
    pub(super) fn ticks(&self, count: usize) -> Vec<f64> {
        match self.scale {
            Scale::Linear => {
                let step = step(self.high - self.low, count);
                let (first, last) = ((self.low / step - 1e-9).ceil(), (self.high / step + 1e-9).floor());
                // Adding zero turns -0.0 into 0.0.
                (0..=(last - first) as usize).map(|k| (first + k as f64) * step + 0.0).collect()
            }
            Scale::Logarithmic => self.powers(count),
        }
    }

    /// Powers of ten, all or every few of them; also their halves and fifths if there would be hardly two.
    fn powers(&self, count: usize) -> Vec<f64> {
        let (first, last) = ((self.low.log10() - 1e-9).ceil(), (self.high.log10() + 1e-9).floor());
        let decades = (last - first).max(0.0) as usize;
        let every = (decades + 1).div_ceil(count.max(2)).max(1);
        let factors: &[f64] = if decades < 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (0..=decades + 1).step_by(every).map(|k| power_of_ten(first - 1.0 + k as f64));
        let powers: Vec<f64> =
            if decades < 2 { powers.collect() } else { powers.map(|power| power * 10.0).collect() };
        let all = powers.iter().flat_map(|power| factors.iter().map(move |factor| power * factor));
        all.filter(|tick| (self.low * 0.999_999..=self.high * 1.000_001).contains(tick)).collect()
    }
}

/// Exact for the powers that a double represents exactly, where `powf` may be off in the last digit.
fn power_of_ten(exponent: f64) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::MAX).min(1e300)
}

/// Numbers larger than this, or closer to 0 than its inverse, are not shown.
const GREATEST: f64 = 1e100;

/// The minimum and maximum of the values that can be shown; 0 and 1 (1 and 10) if there are none.
fn extremes(values: impl Iterator<Item = f64>, scale: Scale) -> (f64, f64) {
    let round = |value: f64| if value.abs() < 1.0 / GREATEST { 0.0 } else { value };
    let shown = values.map(round).filter(|value| match scale {
        Scale::Linear => value.abs() <= GREATEST,
        Scale::Logarithmic => (1.0 / GREATEST..=GREATEST).contains(value),
    });
    let found = shown.fold(None, |found: Option<(f64, f64)>, value| {
        Some(found.map_or((value, value), |(least, greatest)| (least.min(value), greatest.max(value))))
    });
    found.unwrap_or(if scale == Scale::Linear { (0.0, 1.0) } else { (1.0, 10.0) })
}

/// The smallest step of 1, 2 or 5 times a power of ten that takes at most `count` steps over `length`.
fn step(length: f64, count: usize) -> f64 {
    let least = length / count.max(1) as f64;
    let power = power_of_ten(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= least * 0.999_999)
        .unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_marks_are_round_and_hold_the_values() {
        let range = Range::from_zero([3.0, 87.0].into_iter(), Scale::Linear);
        assert_eq!(range.ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(range.place(50.0), Some(0.5));
        let below = Range::from_zero([-3.0, 1.0].into_iter(), Scale::Linear);
        assert_eq!(below.ticks(5), [-3.0, -2.0, -1.0, 0.0, 1.0]);
        assert_eq!(below.zero(), 0.75);
    }

    #[test]
    fn logarithmic_marks_are_powers_of_ten() {
        let range = Range::around([1.0, 1e6].into_iter(), Scale::Logarithmic);
        assert_eq!(range.ticks(8), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(range.ticks(4), [1.0, 100.0, 1e4, 1e6]);
        assert_eq!(range.place(1000.0).map(|place| (place * 100.0).round()), Some(50.0));
        assert_eq!(range.place(0.0), None);
        let narrow = Range::around([1.5, 40.0].into_iter(), Scale::Logarithmic);
        assert_eq!(narrow.ticks(5), [2.0, 5.0, 10.0, 20.0]);
    }

    #[test]
    fn nothing_and_one_value_have_a_range_too() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            for values in [vec![], vec![7.0], vec![0.0], vec![f64::INFINITY], vec![f64::MAX], vec![5e-324]] {
                for range in [
                    Range::from_zero(values.iter().copied(), scale),
                    Range::around(values.iter().copied(), scale),
                ] {
                    let ticks = range.ticks(5);
                    assert!(ticks.len() < 40, "{scale:?} {values:?} {ticks:?}");
                    assert!(range.place(7.0).is_some_and(|place| (0.0..=1.0).contains(&place)), "{range:?}");
                }
            }
        }
    }
}
