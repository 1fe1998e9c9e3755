//! The report as JUnit's XML, which continuous integration systems can display.
//!
//! ```text
//! testsuites ── testsuite (the suite) ──┬─ testcase (a check)        failure, error, skipped
//!                                       └─ testcase (a position)     where its search failed
//! ```

use std::fmt::Write as _;

use super::text::{query_command, view_command};
use super::{CheckReport, Report, SubjectStatus, shown};
use crate::verdict::Status;

impl Report {
    /// Returns the report for continuous integration: JUnit's XML.
    #[must_use]
    pub fn junit(&self) -> String {
        let mut cases: Vec<Case<'_>> = self.checks.iter().map(Case::of).collect();
        for subject in &self.subjects {
            let outcome = match &subject.status {
                SubjectStatus::Done => continue,
                SubjectStatus::Failed(sentence) => Outcome::Failure(sentence.clone(), String::new()),
                SubjectStatus::Wrong(sentence) => Outcome::Error(sentence.clone()),
                SubjectStatus::Stopped => Outcome::Skipped("the run was stopped".to_owned()),
            };
            cases.push(Case { name: &subject.name, outcome });
        }
        let count = |is: fn(&Outcome) -> bool| cases.iter().filter(|case| is(&case.outcome)).count();
        let suite = escaped(&self.suite.display().to_string());
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
            cases.len(),
            count(|outcome| matches!(outcome, Outcome::Failure(..))),
            count(|outcome| matches!(outcome, Outcome::Error(_)))
        );
        let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
        let seconds = self.seconds;
        let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(xml, "<testsuites name=\"gt check\" {counts} time=\"{seconds:.3}\">");
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{suite}\" {counts} skipped=\"{skipped}\" time=\"{seconds:.3}\">"
        );
        for case in &cases {
            case.write(&suite, &mut xml);
        }
        xml + "  </testsuite>\n</testsuites>\n"
    }
}

struct Case<'a> {
    name: &'a str,
    outcome: Outcome,
}

enum Outcome {
    Success,
    /// A sentence, and details that help to find the cause.
    Failure(String, String),
    Error(String),
    Skipped(String),
}

impl<'a> Case<'a> {
    fn of(check: &'a CheckReport) -> Self {
        let sentence = check.sentence.clone().unwrap_or_default();
        let outcome = match check.status {
            Status::Holds => Outcome::Success,
            Status::Skipped => Outcome::Skipped(sentence),
            Status::Wrong => Outcome::Error(sentence),
            Status::Fails => {
                let number = check.measured.first().map(|worst| shown(worst.number, check.is_percentage));
                let number = number.unwrap_or_default();
                Outcome::Failure(format!("{number}, expected {}", check.expect), details(check))
            }
        };
        Self { name: &check.name, outcome }
    }

    fn write(&self, suite: &str, xml: &mut String) {
        let name = escaped(self.name);
        let _ = write!(xml, "    <testcase classname=\"{suite}\" name=\"{name}\"");
        let _ = match &self.outcome {
            Outcome::Success => writeln!(xml, "/>"),
            Outcome::Failure(sentence, details) => {
                let (sentence, details) = (escaped(sentence), escaped(details));
                writeln!(xml, "><failure message=\"{sentence}\">{details}</failure></testcase>")
            }
            Outcome::Error(sentence) => {
                let message = escaped(sentence.lines().next().unwrap_or_default());
                writeln!(xml, "><error message=\"{message}\">{}</error></testcase>", escaped(sentence))
            }
            Outcome::Skipped(sentence) => {
                writeln!(xml, "><skipped message=\"{}\"/></testcase>", escaped(sentence))
            }
        };
    }
}

fn details(check: &CheckReport) -> String {
    let mut details = String::new();
    if let Some(why) = &check.why {
        let _ = writeln!(details, "{why}");
    }
    for measured in check.measured.iter().filter(|measured| !measured.holds) {
        let _ = writeln!(details, "{}: {}", measured.label, shown(measured.number, check.is_percentage));
    }
    for example in &check.examples {
        for node in &example.nodes {
            let _ = writeln!(details, "{}, node {}: {}", example.label, node.node, node.line.join(" "));
        }
        let _ = writeln!(details, "{}\n{}", query_command(example), view_command(example));
    }
    details
}

/// A text escaped for XML; characters that XML cannot contain become the replacement character.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' => escaped += "&#10;",
            '\t' => escaped += "&#9;",
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}')
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn xml_holds_what_it_can() {
        assert_eq!(escaped("a<b & \"c\"\n\u{1b}é"), "a&lt;b &amp; &quot;c&quot;&#10;\u{fffd}é");
    }
}
