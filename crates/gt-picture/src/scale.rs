//! A scale: the colour, pattern and text of a value.
//!
//! Numbers get a ramp between the ends of the range of most of them, so that mates among scores do not stretch it. On
//! a ramp with two sides the square root of the distance from 0 counts: small advantages are frequent, and must be
//! distinguishable. Each kind gets its own tone; flags get the tone of their lowest bit and the pattern of the next
//! one.

use gt_query::Value;
use gt_report::{Labels, Mates, plain, signed};

use crate::colors::{Rgb, Theme};

/// The distribution of a subtree's values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Range {
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// All but two percent at each end lie between these.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Sixty percent of the values are no further from 0.
    pub(crate) usual: f64,
}

/// The look of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Paint {
    pub(crate) fill: Rgb,
    /// 0 for none, otherwise one of the four patterns.
    pub(crate) pattern: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The column's name.
    pub(crate) name: String,
    /// The expression evaluated at every node; empty if nodes are not distinguished.
    pub(crate) expression: String,
    /// The number for no value.
    pub(crate) unknown: Option<i64>,
    /// Whether scores were converted to one player's view.
    pub(crate) one_side: bool,
    /// How scores express a win; `None` if the values are not scores.
    pub(crate) mates: Option<Mates>,
    pub(crate) theme: Theme,
    pub(crate) form: Form,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    Plain,
    Ramp(Ramp),
    Labelled(Labels),
    /// Texts, truth values: one tone each.
    Values,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ramp {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) range: Range,
    diverging: bool,
    /// Whether a few values are much larger than most: then the ramp is logarithmic.
    steep: bool,
}

/// The multiple of the usual value beyond which values are of another kind: mates among scores, the root among sizes.
const STEEP: f64 = 100.0;
const FAR: f64 = 25.0;
const USUAL_TIMES: f64 = 6.0;

impl Ramp {
    pub(crate) fn of(range: Range) -> Self {
        let diverging = range.min < 0.0 && range.max > 0.0;
        let (mut low, mut high) = (range.low, range.high);
        if diverging {
            let reach = low.abs().max(high.abs());
            let is_far = range.usual > 0.0 && reach > FAR * range.usual;
            high = if is_far { two_digits(USUAL_TIMES * range.usual) } else { reach };
            low = -high;
        }
        let steep = !diverging && high - low > STEEP * (range.usual - low).max(1.0);
        Self { low, high, range, diverging, steep }
    }

    pub(crate) fn share(&self, value: f64) -> f64 {
        let width = self.high - self.low;
        if width <= 0.0 {
            0.5
        } else if self.diverging {
            let part = value / self.high;
            0.5 + part.signum() * part.abs().sqrt() / 2.0
        } else if self.steep {
            (value - self.low).max(0.0).ln_1p() / width.ln_1p()
        } else {
            (value - self.low) / width
        }
    }

    /// The value at a share.
    pub(crate) fn value(&self, share: f64) -> f64 {
        if self.diverging {
            let side = 2.0 * share - 1.0;
            self.high * side * side.abs()
        } else if self.steep {
            self.low + (share * (self.high - self.low).ln_1p()).exp_m1()
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    pub(crate) fn color(&self, theme: Theme, share: f64) -> Rgb {
        theme.ramp(self.diverging, share)
    }
}

impl Scale {
    pub(crate) fn plain(theme: Theme) -> Self {
        Self {
            name: String::new(),
            expression: String::new(),
            unknown: None,
            one_side: false,
            mates: None,
            theme,
            form: Form::Plain,
        }
    }

    pub(crate) fn of_labels(&mut self, labels: Labels) {
        self.form = Form::Labelled(labels);
    }

    pub(crate) fn of_range(&mut self, range: Range) {
        self.form = Form::Ramp(Ramp::of(range));
    }

    pub(crate) fn of_values(&mut self) {
        self.form = Form::Values;
    }

    pub(crate) fn paint(&self, value: Option<&Value>) -> Paint {
        let solid = |fill| Paint { fill, pattern: 0 };
        let unknown = solid(self.theme.unknown());
        let value = value.filter(|value| !self.is_unknown(value));
        match (&self.form, value) {
            (Form::Plain, _) => solid(self.theme.plain()),
            (_, None) => unknown,
            (Form::Ramp(ramp), value) => {
                number(value).map_or(unknown, |number| solid(ramp.color(self.theme, ramp.share(number))))
            }
            (Form::Labelled(labels), Some(Value::Integer(number))) => self.labelled(labels, *number),
            (Form::Labelled(_), Some(_)) => unknown,
            (Form::Values, Some(value)) => solid(self.theme.category(spread(&value.to_string()))),
        }
    }

    fn labelled(&self, labels: &Labels, number: i128) -> Paint {
        let number = i64::try_from(number).unwrap_or(-1);
        let (first, second) = if labels.flags {
            let mut set = labels.of.iter().enumerate().filter(|(_, (_, bit))| number & bit != 0);
            (set.next(), set.next())
        } else {
            (labels.of.iter().enumerate().find(|(_, (_, value))| *value == number), None)
        };
        Paint {
            fill: first.map_or(self.theme.unknown(), |(place, _)| self.theme.category(place)),
            pattern: second.map_or(0, |(place, _)| 1 + (place % 4) as u8),
        }
    }

    /// The value of a node in words: a mate by its distance.
    pub(crate) fn words_at(&self, value: Option<&Value>, ply: u64) -> String {
        let mate = match value {
            Some(Value::Integer(number)) => self.mates.and_then(|mates| mates.text(*number, ply)),
            _ => None,
        };
        mate.unwrap_or_else(|| self.words(value))
    }

    /// The value in words.
    pub(crate) fn words(&self, value: Option<&Value>) -> String {
        match (&self.form, value.filter(|value| !self.is_unknown(value))) {
            (_, None) => "missing".to_owned(),
            (Form::Labelled(labels), Some(Value::Integer(number))) => {
                i64::try_from(*number).map_or_else(|_| number.to_string(), |number| labels.words(number))
            }
            (_, Some(Value::Integer(number))) => signed(*number),
            (_, Some(Value::Float(number))) => plain(*number),
            (_, Some(value)) => value.to_string(),
        }
    }

    fn is_unknown(&self, value: &Value) -> bool {
        matches!((value, self.unknown), (Value::Integer(number), Some(unknown)) if number.unsigned_abs() == u128::from(unknown.unsigned_abs()))
    }
}

/// A value as a number.
pub(crate) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Boolean(_) | Value::Text(_) | Value::Line(_) => None,
    }
}

/// A tone for a text, always the same one.
fn spread(text: &str) -> usize {
    text.chars().fold(0, |sum: usize, letter| (sum * 31 + letter as usize) % 8191)
}

fn two_digits(value: f64) -> f64 {
    let unit = 10_f64.powf(value.abs().log10().floor() - 1.0);
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_do_not_stretch_the_ramp() {
        let ramp =
            Ramp::of(Range { min: -30_000.0, max: 30_000.0, low: -29_990.0, high: 29_990.0, usual: 40.0 });
        assert_eq!((ramp.low, ramp.high), (-240.0, 240.0));
        assert!(ramp.share(60.0) > 0.7 && ramp.share(-60.0) < 0.3, "small advantages are told apart");
        assert!((ramp.value(ramp.share(60.0)) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn flags_have_the_tone_of_the_first_and_the_pattern_of_the_second() {
        let mut scale = Scale::plain(Theme::Light);
        scale.of_labels(Labels {
            flags: true,
            of: vec![("PVNode".into(), 1), ("CutNode".into(), 2), ("QNode".into(), 8)],
        });
        let paint = |number: i128| scale.paint(Some(&Value::Integer(number)));
        assert_eq!(paint(2).fill, paint(10).fill);
        assert_ne!(paint(2).pattern, paint(10).pattern);
        assert_eq!(paint(4), scale.paint(None), "no name, no colour");
        assert_eq!(scale.words(Some(&Value::Integer(10))), "CutNode·QNode");
    }
}
