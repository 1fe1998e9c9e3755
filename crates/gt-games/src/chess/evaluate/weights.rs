//! The weights of the features, and their file format.
//!
//! ```text
//! # a comment
//! tempo 12 8                 a feature: its name, its weight in the opening and in the ending
//! connected[3] 14 20         the fourth of a row
//! ```
//!
//! The default weights are those of `weights.txt` beside this file, which says how they were made. They are parsed at
//! compile time.

use super::Score;
use super::features::{FEATURES, GROUPS};
use crate::error::{NotationError, Result};

/// A weight for every feature, in hundredths of a pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights([Score; FEATURES]);

/// The default weights.
pub static FITTED: Weights = Weights(read_in_order(include_str!("weights.txt").as_bytes()));

/// The largest weight allowed.
const WEIGHT_MAX: i32 = 5000;

impl Weights {
    /// The weight of a feature.
    #[inline(always)]
    pub fn of(&self, feature: usize) -> Score {
        self.0[feature]
    }

    /// Makes weights with a function of the feature.
    pub fn from_fn(weight: impl FnMut(usize) -> Score) -> Self {
        Self(std::array::from_fn(weight))
    }

    /// The name of a feature in files.
    pub fn name(feature: usize) -> String {
        let group = GROUPS.iter().rev().find(|group| group.first <= feature).unwrap_or(&GROUPS[0]);
        match group.len {
            1 => group.name.to_owned(),
            _ => format!("{}[{}]", group.name, feature - group.first),
        }
    }

    /// Returns the weights in the file's format, without comments.
    pub fn text(&self) -> String {
        let line = |(feature, score): (usize, &Score)| {
            format!("{} {} {}\n", Self::name(feature), score.opening(), score.ending())
        };
        self.0.iter().enumerate().map(line).collect()
    }

    /// Reads a file's text. Lines may be in any order, and every feature must have one.
    pub fn parse(text: &str) -> Result<Self> {
        let mut weights = [None; FEATURES];
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or("")));
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let refused = |why: String| {
                NotationError::syntax(line.trim(), format!("in line {number} of the weights {why}"))
            };
            let (feature, score) = read_line(line).map_err(refused)?;
            if weights[feature].replace(score).is_some() {
                return Err(refused(format!("`{}` comes a second time", Self::name(feature))));
            }
        }
        match weights.iter().position(Option::is_none) {
            Some(lacking) => {
                let name = Self::name(lacking);
                Err(NotationError::syntax(&name, "the weights lack a line for this feature"))
            }
            None => Ok(Self(weights.map(Option::unwrap_or_default))),
        }
    }
}

fn read_line(line: &str) -> std::result::Result<(usize, Score), String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[name, opening, ending] = fields.as_slice() else {
        return Err("a name and two numbers should stand".to_owned());
    };
    let feature = (0..FEATURES).find(|&feature| Weights::name(feature) == name);
    let feature = feature.ok_or_else(|| format!("there is no feature `{name}`"))?;
    let number = |text: &str| {
        let number = text.parse::<i32>().ok().filter(|number| number.abs() <= WEIGHT_MAX);
        number.ok_or_else(|| format!("a weight is a number from -{WEIGHT_MAX} to {WEIGHT_MAX}, not `{text}`"))
    };
    Ok((feature, Score::new(number(opening)?, number(ending)?)))
}

/// Reads lines in the order of the features, at compile time. A test compares it with [`Weights::parse`].
const fn read_in_order(text: &[u8]) -> [Score; FEATURES] {
    let mut weights = [Score::new(0, 0); FEATURES];
    let (mut at, mut feature) = (0, 0);
    while at < text.len() {
        if text[at] != b'#' && text[at] != b'\n' {
            while text[at] != b' ' {
                at += 1;
            }
            let (opening, end) = read_number(text, at + 1);
            let (ending, end) = read_number(text, end + 1);
            weights[feature] = Score::new(opening, ending);
            feature += 1;
            at = end;
        }
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    assert!(feature == FEATURES, "weights.txt must have a line for every feature");
    weights
}

const fn read_number(text: &[u8], mut at: usize) -> (i32, usize) {
    let is_negative = text[at] == b'-';
    if is_negative {
        at += 1;
    }
    let mut number = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        number = 10 * number + (text[at] - b'0') as i32;
        at += 1;
    }
    (if is_negative { -number } else { number }, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_in_use_are_read_alike_at_both_times() {
        assert_eq!(Weights::parse(include_str!("weights.txt")).as_ref(), Ok(&FITTED));
        assert_eq!(Weights::parse(&FITTED.text()).as_ref(), Ok(&FITTED));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_named() {
        let text = FITTED.text();
        let error = |text: &str| Weights::parse(text).expect_err("an error").to_string();
        assert!(error("tempo 1").contains("line 1"));
        assert!(error(&text.replace("tempo ", "tempi ")).contains("tempi"));
        assert!(error(&format!("{text}tempo 1 2\n")).contains("second time"));
        assert!(error(&text.replace("connected[3]", "#")).contains("connected[3]"));
        assert!(error("tempo 1 99999").contains("99999"));
        assert!(error("").contains("piece[0]"));
    }
}
