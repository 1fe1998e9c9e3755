//! Numbers in a form for people.

use serde::Serialize;

/// The unit of the numbers on an axis, for formatting them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AxisUnit"))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Things: `54,849`.
    #[default]
    Count,
    /// Hundredths, 0 to 100: `61.2%`.
    Percent,
    /// Any number: `2.35`.
    Number,
    /// Seconds: `1.3 ms`.
    Seconds,
}

/// Returns 1234567 as `1,234,567`.
///
/// ```
/// assert_eq!(gt_report::grouped(54_066_636), "54,066,636");
/// ```
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns `1 node`, `2 nodes`; also `1 search`, `2 searches`.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    let ending = match number {
        1 => "",
        _ if thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {thing}{ending}", grouped(number))
}

/// A value in the unit of its axis.
pub(crate) fn in_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Count if value.fract() == 0.0 => whole(value),
        Unit::Count | Unit::Number => plain(value),
        Unit::Percent => format!("{}%", percent_digits(value)),
        Unit::Seconds => seconds(value),
    }
}

/// A short label for an axis: `20k`, `1.5M`.
pub(crate) fn tick(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Percent => format!("{}%", plain(value)),
        Unit::Seconds => seconds(value),
        Unit::Count | Unit::Number => short(value),
    }
}

/// Returns an integer of either sign: `-1,234`.
#[must_use]
pub fn signed(number: i128) -> String {
    let sign = if number < 0 { "-" } else { "" };
    u64::try_from(number.unsigned_abs())
        .map_or_else(|_| number.to_string(), |size| sign.to_owned() + &grouped(size))
}

/// A ratio: `0.5×`, `2.3×`, `12×`.
pub(crate) fn factor(value: f64) -> String {
    let text = match value {
        value if value < 0.005 => "<0.01".to_owned(),
        value if value < 0.995 => format!("{value:.2}"),
        value if value < 9.95 => format!("{value:.1}"),
        value => whole(value),
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}×")
}

/// Returns a number without unnecessary digits: whole, or with three significant digits.
#[must_use]
pub fn plain(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 1000.0 {
        return whole(value);
    }
    let decimals = match value.abs() {
        size if size >= 100.0 => 1,
        size if size >= 0.1 => 2,
        _ => return format!("{value:.2e}"),
    };
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn whole(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e18 {
        return format!("{value:e}");
    }
    let sign = if value < -0.5 { "-" } else { "" };
    format!("{sign}{}", grouped(value.abs().round() as u64))
}

fn percent_digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 0.1 => {
            let decimals = (1.0 - size.log10().floor()).clamp(2.0, 9.0) as usize;
            format!("{value:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        size if size > 99.9 && size < 100.0 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => whole(value),
    }
}

/// Returns a number in few characters: `20k`, `1.5M`.
#[must_use]
pub fn short(value: f64) -> String {
    for (size, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value.abs() >= size && (size > 1e3 || value.abs() >= 1e4) {
            return format!("{}{letter}", plain(value / size));
        }
    }
    plain(value)
}

fn seconds(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        0.0 => return "0 s".to_owned(),
        size if size >= 1.0 => (value, "s"),
        size if size >= 1e-3 => (value * 1e3, "ms"),
        size if size >= 1e-6 => (value * 1e6, "µs"),
        _ => (value * 1e9, "ns"),
    };
    format!("{} {unit}", plain(scaled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_and_things_counted() {
        assert_eq!([0, 12, 999, 1000, 54_066_636].map(grouped), ["0", "12", "999", "1,000", "54,066,636"]);
        assert_eq!(
            [counted(1, "search"), counted(2, "search"), counted(2, "node")],
            ["1 search", "2 searches", "2 nodes"]
        );
    }

    #[test]
    fn values_are_written_in_their_unit() {
        let cases = [
            (54_849.0, Unit::Count, "54,849"),
            (-3.0, Unit::Count, "-3"),
            (2.346, Unit::Number, "2.35"),
            (10.5, Unit::Number, "10.5"),
            (0.004, Unit::Number, "4.00e-3"),
            (61.23, Unit::Percent, "61.2%"),
            (99.97, Unit::Percent, "99.97%"),
            (100.0, Unit::Percent, "100%"),
            (0.0396, Unit::Percent, "0.04%"),
            (0.00041, Unit::Percent, "0.00041%"),
            (0.0, Unit::Percent, "0%"),
            (0.0013, Unit::Seconds, "1.3 ms"),
            (2.0e-7, Unit::Seconds, "200 ns"),
            (f64::INFINITY, Unit::Number, "inf"),
        ];
        for (value, unit, text) in cases {
            assert_eq!(in_unit(value, unit), text);
        }
    }

    #[test]
    fn factors_have_no_exponents_and_few_digits() {
        let factors = [0.5, 12.04, 2.0, 0.0567, 2.48e-4, 11_990.0, 1.04, 0.997, 9.96, 8.44].map(factor);
        assert_eq!(factors, ["0.5×", "12×", "2×", "0.06×", "<0.01×", "11,990×", "1×", "1×", "10×", "8.4×"]);
        assert_eq!([signed(-1234), signed(7), signed(0)], ["-1,234", "7", "0"]);
    }

    #[test]
    fn marks_on_an_axis_are_short() {
        let marks = [0.0, 5_000.0, 20_000.0, 1_500_000.0, 2e9].map(|value| tick(value, Unit::Count));
        assert_eq!(marks, ["0", "5,000", "20k", "1.5M", "2G"]);
    }
}
