//! The expected value of a number.
//!
//! ```text
//! = 0    != 0    < 100    <= 2% of nodes    >= 80%           a comparison
//! between 10 and 20    between 5% and 10% of nodes           a range, its ends included
//! <= baseline    <= 110% of baseline                         a comparison with what was blessed
//! within 10% of baseline    within 3 of baseline             at most so far from it
//! same as baseline
//! ```
//!
//! A bare percentage refers to the check's `of` query.

use std::fmt;
use std::str::FromStr;

/// The condition on a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    rule: Rule,
    scale: Scale,
    written: String,
}

/// The divisor of the measured number before it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// None; with an `of` query, the quotient of both numbers.
    Plain,
    /// A percentage of the `of` query's number.
    Percent,
    /// A percentage of the tree's nodes.
    PercentOfNodes,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Compare(Comparison, Limit),
    Between(f64, f64),
    Within(Limit),
}

/// The number on the right-hand side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Number(f64),
    /// A multiple of the baseline.
    OfBaseline(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

const COMPARISONS: [(&str, Comparison); 6] = [
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("=", Comparison::Equal),
];

/// Rounding of quotients must not decide: numbers within this relative distance are equal.
const EPSILON: f64 = 1e-9;

impl Expectation {
    /// Returns the divisor of the number.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns the number to compare, from that of the check's query, that of its `of` and the nodes of the tree;
    /// `None` if the divisor is zero.
    #[must_use]
    pub fn scaled(&self, number: f64, of: Option<f64>, nodes: u64) -> Option<f64> {
        let share = |whole: f64| (whole != 0.0).then(|| number / whole);
        match (self.scale, of) {
            (Scale::Plain, None) => Some(number),
            (Scale::Plain, Some(of)) => share(of),
            (Scale::Percent, Some(of)) => share(of).map(|share| 100.0 * share),
            (Scale::Percent, None) => None,
            (Scale::PercentOfNodes, _) => share(nodes as f64).map(|share| 100.0 * share),
        }
    }

    /// Whether it can only be judged with a baseline.
    #[must_use]
    pub const fn needs_baseline(&self) -> bool {
        matches!(self.rule, Rule::Compare(_, Limit::OfBaseline(_)) | Rule::Within(_))
    }

    /// Whether the number is as expected; `false` if a required baseline is missing.
    #[must_use]
    pub fn holds(&self, number: f64, baseline: Option<f64>) -> bool {
        self.excess(number, baseline) <= 0.0
    }

    /// The distance of the number from the expectation; 0 or less if it holds.
    pub(crate) fn excess(&self, number: f64, baseline: Option<f64>) -> f64 {
        let resolve = |limit: Limit| match limit {
            Limit::Number(number) => Some(number),
            Limit::OfBaseline(factor) => baseline.map(|baseline| baseline * factor),
        };
        let tolerant =
            |excess: f64, size: f64| if excess.abs() <= EPSILON * size.abs() { 0.0 } else { excess };
        match &self.rule {
            Rule::Between(low, high) => (low - number).max(number - high),
            Rule::Within(limit) => {
                let Some(baseline) = baseline else { return f64::INFINITY };
                let most = match limit {
                    Limit::Number(most) => *most,
                    Limit::OfBaseline(factor) => factor * baseline.abs(),
                };
                tolerant((number - baseline).abs() - most, baseline)
            }
            Rule::Compare(comparison, limit) => {
                let Some(limit) = resolve(*limit) else { return f64::INFINITY };
                let difference = tolerant(number - limit, limit);
                // A strict comparison fails at its limit, by the smallest possible amount.
                let strict = |difference: f64| if difference == 0.0 { f64::MIN_POSITIVE } else { difference };
                match comparison {
                    Comparison::Equal => difference.abs(),
                    Comparison::NotEqual => f64::from(difference == 0.0),
                    Comparison::Less => strict(difference),
                    Comparison::AtMost => difference,
                    Comparison::Greater => strict(-difference),
                    Comparison::AtLeast => -difference,
                }
            }
        }
    }

    /// Whether larger numbers are better.
    pub(crate) const fn wants_high(&self) -> bool {
        matches!(self.rule, Rule::Compare(Comparison::Greater | Comparison::AtLeast, _))
    }

    /// Whether a larger number is worse than a smaller one that also fails.
    pub(crate) fn fails_high(&self, number: f64, baseline: Option<f64>) -> bool {
        match &self.rule {
            Rule::Compare(Comparison::Greater | Comparison::AtLeast, _) => false,
            Rule::Compare(Comparison::Less | Comparison::AtMost | Comparison::NotEqual, _) => true,
            Rule::Compare(Comparison::Equal, limit) => match limit {
                Limit::Number(limit) => number > *limit,
                Limit::OfBaseline(factor) => baseline.is_some_and(|baseline| number > baseline * factor),
            },
            Rule::Between(_, high) => number > *high,
            Rule::Within(_) => baseline.is_some_and(|baseline| number > baseline),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// The accepted forms, for errors.
const FORMS: &str = "an expectation is written `= 0`, `< 100`, `<= 2% of nodes`, `>= 80%`, `between 1 and 5`, \
                     `<= 110% of baseline`, `within 10% of baseline` or `same as baseline`";

impl FromStr for Expectation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let written = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let refused = |why: String| format!("`{written}`: {why}; {FORMS}");
        let (rule, scale) = rule(&written).map_err(refused)?;
        Ok(Self { rule, scale, written })
    }
}

fn rule(text: &str) -> Result<(Rule, Scale), String> {
    if text == "same as baseline" {
        return Ok((Rule::Compare(Comparison::Equal, Limit::OfBaseline(1.0)), Scale::Plain));
    }
    if let Some(rest) = text.strip_prefix("within ") {
        let amount = rest.strip_suffix(" of baseline").ok_or("`within` ends with `of baseline`")?;
        let limit = match amount.strip_suffix('%') {
            Some(percent) => Limit::OfBaseline(number(percent)? / 100.0),
            None => Limit::Number(number(amount)?),
        };
        return Ok((Rule::Within(limit), Scale::Plain));
    }
    if let Some(rest) = text.strip_prefix("between ") {
        let (low, high) =
            rest.split_once(" and ").ok_or("`between` is followed by two numbers with `and`")?;
        let (high, scale) = scaled(high)?;
        let low = number(low.strip_suffix('%').filter(|_| scale != Scale::Plain).unwrap_or(low))?;
        return Ok((Rule::Between(low, high), scale));
    }
    let found =
        COMPARISONS.iter().find_map(|(sign, comparison)| Some((comparison, text.strip_prefix(sign)?)));
    let (comparison, rest) = found.ok_or("it begins with no comparison")?;
    let rest = rest.trim_start();
    if let Some(factor) = of_baseline(rest)? {
        return Ok((Rule::Compare(*comparison, Limit::OfBaseline(factor)), Scale::Plain));
    }
    let (limit, scale) = scaled(rest)?;
    Ok((Rule::Compare(*comparison, Limit::Number(limit)), scale))
}

/// Reads `baseline`, `110% of baseline`.
fn of_baseline(text: &str) -> Result<Option<f64>, String> {
    if text == "baseline" {
        return Ok(Some(1.0));
    }
    let Some(amount) = text.strip_suffix(" of baseline") else { return Ok(None) };
    let percent = amount.strip_suffix('%').ok_or("a part of the baseline is a percentage")?;
    number(percent).map(|percent| Some(percent / 100.0))
}

/// Reads a number and its scale.
fn scaled(text: &str) -> Result<(f64, Scale), String> {
    if let Some(percent) = text.strip_suffix("% of nodes") {
        return Ok((number(percent)?, Scale::PercentOfNodes));
    }
    match text.strip_suffix('%') {
        Some(percent) => Ok((number(percent)?, Scale::Percent)),
        None => Ok((number(text)?, Scale::Plain)),
    }
}

fn number(text: &str) -> Result<f64, String> {
    let digits: String = text.trim().chars().filter(|letter| *letter != '_').collect();
    let number = digits.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{}` is no number", text.trim()))
}

#[cfg(test)]
mod tests;
