//! Suggestions for fixing an error, shown beside its place and below it.

use super::{Error, ErrorKind};
use crate::value::Type;
use crate::vocabulary::{Meaning, Part, WORDS, called, marked};

impl Error {
    /// Returns the label for the underlined place: the fix, if there is one.
    #[must_use]
    pub fn label(&self) -> Option<String> {
        use ErrorKind as K;
        let text = match &self.kind {
            K::ForeignOperator { meant, .. } | K::WordSpelling { meant, .. } => format!("write `{meant}`"),
            K::UnknownEscape(_) => "`\\\"`, `\\\\`, `\\n` and `\\t` are".into(),
            K::SingleQuotes(text) => format!("write `\"{text}\"`"),
            K::NumberTooLarge => "integers have 64 bits".into(),
            K::FloatTooLarge => "floats go up to 1.8e308".into(),
            K::BarePoint(meant) => format!("write `{meant}`"),
            K::NotDecimal(Some(meant)) => format!("write `{meant}`"),
            K::NameLetter(_) => "names have the letters A to Z, digits and `_`".into(),
            K::ForeignWord { mend, .. } => (*mend).into(),
            K::EmptyList => "write the values with commas between".into(),
            K::NotOrdered { operator: "max", found: Type::Boolean } => {
                "`any` tells whether it is true somewhere".into()
            }
            K::NotOrdered { found: Type::Boolean, .. } => "`all` tells whether it is true everywhere".into(),
            K::ConstantOrder => "name what to order by, as in `order by best desc`".into(),
            K::NoPart => "write `node:` in front?".into(),
            K::NoCondition { part: Part::Node, .. } => "write `node: *` for all nodes".into(),
            K::PartInCondition { is_conjunct: true, .. } => {
                "`;` separates parts, and all of them must hold".into()
            }
            K::PartInCondition { part, .. } => {
                format!(
                    "`let x = {} …` above the query gives it a name that conditions can use",
                    part.heading()
                )
            }
            K::UnknownPart { nearest, .. }
            | K::UnknownFunction { nearest, .. }
            | K::UnknownStructure { nearest, .. }
            | K::UnknownParameter { nearest, .. }
                if !nearest.is_empty() =>
            {
                did_you_mean(nearest)
            }
            K::UnknownName { defined_below: true, .. } => "its `let` must stand above".into(),
            K::UnknownName { name, .. } if name == "distinct" => {
                "write what follows it in parentheses, as in `count(distinct (-x))`".into()
            }
            K::UnknownName { nearest, .. } if !nearest.is_empty() => did_you_mean(nearest),
            K::EmptyAggregate(name) if name == "count" => "write `count(*)` for all nodes".into(),
            K::PartWithoutAggregate(_) => "what is about the node itself goes into `node:`".into(),
            K::NodeComparesAggregate => format!("{} compare aggregates", parts_with_aggregates()),
            K::AggregateInAggregate => "give it a name with `let` first".into(),
            K::AggregateWithoutScope => format!("write one of {} in front of it", parts_with_aggregates()),
            K::AggregateInClause(_) => "give it a name with `let` first".into(),
            K::NotBoolean { found: Type::Integer | Type::Float | Type::Move } => {
                "compare it with something, as in `… > 0`".into()
            }
            K::ValueAlone { value, attribute, operator } => format!("write `{attribute} {operator} {value}`"),
            K::NotBoolean { .. } => "compare it with something".into(),
            K::ComparisonsChained => "write `a < b and b < c`".into(),
            K::NoNotation => "compare `last_move` with a number".into(),
            K::NoBound { lacking: "best", .. } => "`value` or `score` would do instead of `best`".into(),
            K::LineNotSelected => "write it after `select`".into(),
            K::NotGrouped(text) if text != "*" => {
                format!("add it to `group by`, or show an aggregate of it, such as `first({text})`")
            }
            K::GroupWithoutSelect => "as in `select @ply, count(*)`".into(),
            _ => return None,
        };
        Some(text)
    }

    /// Returns further help: the available choices.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        use ErrorKind as K;
        let spellings = |words: Vec<&str>| words.join(" ");
        match &self.kind {
            K::UnknownName { known, .. } => Some(format!("this log has: {}", known.join(", "))),
            K::NoBound { known, .. } => Some(format!("this log has: {}", known.join(", "))),
            K::UnknownParameter { known, .. } if known.is_empty() => Some("no parameter was given".into()),
            K::UnknownParameter { known, .. } => Some(format!("there are values for: {}", known.join(", "))),
            K::UnknownStructure { .. } => Some(format!("there are: {}", spellings(marked().collect()))),
            K::UnknownRelative(_) => {
                let words = WORDS.iter().filter(|word| matches!(word.meaning, Meaning::Relative(_)));
                let forms = words.map(|word| word.form.replace(['x', ','], "")).collect::<Vec<_>>();
                Some(format!("there are: {}", forms.join(" ")))
            }
            K::UnknownFunction { .. } => Some(format!("there are: {}", spellings(called().collect()))),
            K::UnknownPart { .. } | K::NoPart => {
                let parts: Vec<String> = Part::all().map(|(_, part)| part.heading()).collect();
                Some(format!("the parts are: {}", parts.join(" ")))
            }
            _ => None,
        }
    }
}

/// The parts that compare aggregates, as a list in words.
fn parts_with_aggregates() -> String {
    Part::all().skip(1).map(|(_, part)| format!("`{}`", part.heading())).collect::<Vec<_>>().join(", ")
}

fn did_you_mean(nearest: &[String]) -> String {
    let quoted: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    format!("did you mean {}?", quoted.join(" or "))
}
