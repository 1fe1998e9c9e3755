//! `--expect`: what the number of an answer must be, for scripts.
//!
//! ```text
//! = 0   != 3   < 5   <= 5   > 2.5   >= 1   1..10      both ends of `..` belong to it
//! ```

use gt_query::ir::{Comparison, Outcome};
use gt_query::{Program, Value};

use crate::failure::Failure;

/// What a number must be.
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    /// As it was given.
    written: String,
    tests: Vec<(Comparison, Value)>,
}

impl Expectation {
    /// Reads what was given on the command line.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let written = text.trim().to_owned();
        let tests = match written.split_once("..") {
            Some((least, most)) => between(least, most)?,
            None => vec![comparison(&written)?],
        };
        Ok(Self { written, tests })
    }

    /// Refuses queries whose answer is no number, nor nodes or rows that can be counted.
    pub(super) fn check(program: &Program) -> Result<(), Failure> {
        for (place, query) in program.queries.iter().enumerate() {
            let Outcome::Aggregate(id) = &query.outcome else { continue };
            let value_type = program.aggregates[id.0].value_type;
            if !value_type.is_number() {
                let name = query.name.clone().unwrap_or_else(|| (place + 1).to_string());
                return Err(Failure::new(format!(
                    "query {name} gives {value_type}, and `--expect` compares numbers"
                )));
            }
        }
        Ok(())
    }

    /// What is wrong with the number of an answer, if it is not as expected; `None` is a value that is unknown.
    pub(super) fn complaint(&self, number: Option<&Value>) -> Option<String> {
        let Some(number) = number else {
            return Some(format!("expected {}, and the value is unknown", self.written));
        };
        let holds = self.tests.iter().all(|(comparison, bound)| comparison.holds(number.order(bound)));
        (!holds).then(|| format!("expected {}, found {number}", self.written))
    }
}

fn between(least: &str, most: &str) -> Result<Vec<(Comparison, Value)>, String> {
    let (low, high) = (number(least)?, number(most)?);
    if low.order(&high).is_gt() {
        return Err(format!(
            "nothing lies in {}..{}; the lesser number stands first",
            least.trim(),
            most.trim()
        ));
    }
    Ok(vec![(Comparison::GreaterEqual, low), (Comparison::LessEqual, high)])
}

fn comparison(text: &str) -> Result<(Comparison, Value), String> {
    // Those of two characters before those that they begin with.
    let spellings = [
        ("<=", Comparison::LessEqual),
        (">=", Comparison::GreaterEqual),
        ("!=", Comparison::NotEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ];
    let found = spellings
        .into_iter()
        .find_map(|(spelling, comparison)| text.strip_prefix(spelling).map(|rest| (comparison, rest)));
    let (comparison, rest) =
        found.ok_or("write a comparison and a number, as in `< 5`, or two numbers, as in `1..10`")?;
    Ok((comparison, number(rest)?))
}

fn number(text: &str) -> Result<Value, String> {
    let text = text.trim();
    let begins = text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit());
    let integer = || text.parse::<i128>().ok().map(Value::Integer);
    let float = || text.parse::<f64>().ok().filter(|float| float.is_finite()).and_then(Value::float);
    let value = begins.then(|| integer().or_else(float)).flatten();
    value.ok_or_else(|| format!("`{text}` is no number"))
}

#[test]
fn numbers_are_held_against_what_is_expected() {
    let float = |number: f64| Value::float(number).unwrap();
    for (text, holding, failing) in [
        ("= 0", vec![Value::Integer(0), float(0.0)], vec![Value::Integer(1), float(-0.5)]),
        (" !=3 ", vec![Value::Integer(2)], vec![Value::Integer(3)]),
        ("< 5", vec![Value::Integer(4), float(4.9)], vec![Value::Integer(5), Value::Integer(6)]),
        ("<= -5", vec![Value::Integer(-5)], vec![Value::Integer(-4)]),
        ("> 2.5", vec![Value::Integer(3)], vec![Value::Integer(2), float(2.5)]),
        (">= 1", vec![Value::Integer(1)], vec![Value::Integer(0)]),
        ("-1 .. 2.5", vec![Value::Integer(-1), float(2.5)], vec![Value::Integer(-2), Value::Integer(3)]),
        (
            "= 18446744073709551615",
            vec![Value::Integer(u64::MAX.into())],
            vec![Value::Integer(i128::from(u64::MAX) - 1)],
        ),
    ] {
        let expectation = Expectation::read(text).unwrap();
        for number in &holding {
            assert_eq!(expectation.complaint(Some(number)), None, "{text}: {number}");
        }
        for number in &failing {
            let expected = format!("expected {}, found {number}", text.trim());
            assert_eq!(expectation.complaint(Some(number)), Some(expected));
        }
        assert!(expectation.complaint(None).unwrap().ends_with("the value is unknown"));
    }
}

#[test]
fn what_is_no_expectation_is_refused() {
    for (text, error) in [
        ("5", "write a comparison and a number"),
        ("", "write a comparison"),
        ("== 5", "`= 5` is no number"),
        ("=> 5", "`> 5` is no number"),
        ("< x", "`x` is no number"),
        ("< inf", "`inf` is no number"),
        ("1..", "`` is no number"),
        ("1...2", "`.2` is no number"),
        ("5..1", "nothing lies in 5..1"),
    ] {
        let found = Expectation::read(text).unwrap_err();
        assert!(found.starts_with(error), "{text:?}: {found}");
    }
}
