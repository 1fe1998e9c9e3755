//! The numbers of queries on a tree: all queries of a tree in one run of the engine.
//!
//! ```text
//! each query alone ──compile──▶ errors told with its own text
//! those without ──joined──▶ one text ──compile──▶ one Program ──run──▶ a number each
//! ```
//!
//! Queries in one text share the names of their `let`s and parameters, but those of different checks must not: before
//! the texts are joined, a query's number is appended to its names.

use std::collections::HashSet;

use gt_log::{Log, Tree};
use gt_query::engine::{self, Finding, Options};
use gt_query::ir::Outcome;
use gt_query::tools::ast::Item;
use gt_query::tools::token::TokenKind;
use gt_query::tools::{lex, parse};
use gt_query::{
    Answer, Environment, Error, ErrorKind, MoveCodec, Program, Type, Value, compile, render_all, render_run,
};

/// A query whose answer is a number.
pub(crate) struct Question<'a> {
    pub(crate) text: &'a str,
    pub(crate) parameters: &'a [(String, String)],
    /// Its name in errors.
    pub(crate) name: String,
}

/// The result of a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    /// The number; `None` if the aggregate is empty.
    Known(Option<f64>),
    /// The log lacks names that the query uses: the names, and the errors in a form for people.
    Lacking { names: String, drawn: String },
    /// The query is wrong; the error in a form for people.
    Wrong(String),
}

/// A tree of a log, and the notation of its moves.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) log: &'a Log,
    pub(crate) tree: Tree<'a>,
    pub(crate) moves: Option<&'a dyn MoveCodec>,
}

impl<'a> Place<'a> {
    pub(crate) fn environment(&self, parameters: &[(String, String)]) -> Environment<'a> {
        let mut environment = Environment::new(self.log.schema());
        for (name, value) in parameters {
            environment = environment.with_metadata(name, value);
        }
        for (name, value) in self.tree.metadata().iter().chain(self.log.metadata().iter()) {
            environment = environment.with_metadata(name, value);
        }
        match self.moves {
            Some(moves) => environment.with_moves(moves),
            None => environment,
        }
    }

    /// The number of each question.
    pub(crate) fn measure(
        &self,
        questions: &[Question<'_>],
        options: &Options<'_>,
    ) -> Result<Vec<Number>, engine::Failure> {
        let mut numbers: Vec<Option<Number>> = Vec::new();
        let mut asked: Vec<(usize, &Question<'_>)> = Vec::new();
        for (place, question) in questions.iter().enumerate() {
            match self.bind(question) {
                Ok(_) => {
                    numbers.push(None);
                    asked.push((place, question));
                }
                Err(refused) => numbers.push(Some(refused)),
            }
        }
        for ((place, _), number) in asked.iter().zip(self.answer(&asked, options)?) {
            numbers[*place] = Some(number);
        }
        Ok(numbers.into_iter().map(|number| number.unwrap_or(Number::Known(None))).collect())
    }

    /// Answers questions that can be bound: together, or one by one if their texts cannot be joined.
    fn answer(
        &self,
        asked: &[(usize, &Question<'_>)],
        options: &Options<'_>,
    ) -> Result<Vec<Number>, engine::Failure> {
        let Joined { text, parameters } = Joined::of(asked.iter().map(|(_, question)| *question));
        match compile(&text, &self.environment(&parameters)) {
            Ok(program) if program.queries.len() == asked.len() => self.run(&program, &text, options),
            _ => asked
                .iter()
                .map(|(_, question)| match self.bind(question) {
                    Ok(program) => Ok(self.run(&program, question.text, options)?.remove(0)),
                    Err(refused) => Ok(refused),
                })
                .collect(),
        }
    }

    /// Binds a question by itself, or returns what is wrong with it.
    pub(crate) fn bind(&self, question: &Question<'_>) -> Result<Program, Number> {
        let program = compile(question.text, &self.environment(question.parameters)).map_err(|errors| {
            let lacking: Option<Vec<String>> = errors.iter().map(lacked).collect();
            match lacking {
                Some(mut names) => {
                    let mut named = HashSet::new();
                    names.retain(|name| named.insert(name.clone()));
                    let drawn = render_all(&errors, &question.name, question.text);
                    Number::Lacking { names: names.join(", "), drawn }
                }
                None => Number::Wrong(render_all(&errors, &question.name, question.text)),
            }
        })?;
        match examine(&program) {
            None => Ok(program),
            Some(sentence) => Err(Number::Wrong(format!("{}: {sentence}\n", question.name))),
        }
    }

    fn run(
        &self,
        program: &Program,
        text: &str,
        options: &Options<'_>,
    ) -> Result<Vec<Number>, engine::Failure> {
        let options = Options { count_only: true, ..*options };
        let findings = engine::find(program, self.tree, &options)?;
        let matches = findings.stats.matches;
        let number = |(place, found): (usize, Result<Finding<'_>, gt_query::RunError>)| {
            let matched = || Some(matches.get(place).copied().unwrap_or(0) as f64);
            match (found, &program.queries[place].outcome) {
                (Err(error), _) => Number::Wrong(render_run(&error, "query", text)),
                (Ok(_), Outcome::Nodes(_) | Outcome::Rows { .. } | Outcome::Count) => {
                    Number::Known(matched())
                }
                (Ok(Finding::Answer(Answer::Value(value))), _) => {
                    Number::Known(value.as_ref().and_then(float))
                }
                (Ok(Finding::Answer(Answer::Rows { rows, .. })), _) => {
                    let cell = rows.first().and_then(|row| row.first()).and_then(Option::as_ref);
                    Number::Known(cell.and_then(float))
                }
                (Ok(Finding::Answer(Answer::Count(_) | Answer::Nodes(_)) | Finding::Matches(_)), _) => {
                    Number::Known(matched())
                }
            }
        };
        Ok(findings.found.into_iter().enumerate().map(number).collect())
    }
}

/// The name that the log lacks according to an error; `None` if the query itself is wrong.
fn lacked(error: &Error) -> Option<String> {
    match &error.kind {
        ErrorKind::UnknownName { name, .. } => Some(format!("`{name}`")),
        ErrorKind::UnknownParameter { name, .. } => Some(format!("`${name}`")),
        ErrorKind::NoBound { lacking, .. } => Some(format!("`{lacking}`")),
        _ => None,
    }
}

/// The reason why a program has no number.
fn examine(program: &Program) -> Option<String> {
    let [query] = program.queries.as_slice() else {
        return Some(format!("a check has one query, not {}", program.queries.len()));
    };
    let value_type = match &query.outcome {
        Outcome::Count | Outcome::Nodes(_) | Outcome::Rows { .. } => return None,
        Outcome::Aggregate(id) => program.aggregates[id.0].value_type,
        Outcome::Groups { keys, columns, .. } => match (keys.as_slice(), columns.as_slice()) {
            ([], [column]) => column.value_type,
            _ => {
                return Some(
                    "it gives rows of groups, and a check needs one number: ask for a count or another aggregate \
                     without `group by`"
                        .to_owned(),
                );
            }
        },
    };
    match value_type {
        Type::Integer | Type::Bits | Type::Float => None,
        other @ (Type::Boolean | Type::Text | Type::Move | Type::Line) => {
            Some(format!("it gives {other}, and a check needs a number"))
        }
    }
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The texts of several queries joined into one, with distinct names.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Joined {
    pub(crate) text: String,
    pub(crate) parameters: Vec<(String, String)>,
}

impl Joined {
    pub(crate) fn of<'q>(questions: impl Iterator<Item = &'q Question<'q>>) -> Self {
        let mut joined = Self::default();
        for (place, question) in questions.enumerate() {
            if place > 0 {
                joined.text += "\n\n";
            }
            joined.text += &with_own_names(question, place);
            let own = question.parameters.iter().map(|(name, value)| (own_name(name, place), value.clone()));
            joined.parameters.extend(own);
        }
        joined
    }
}

fn own_name(name: &str, place: usize) -> String {
    format!("{name}_{place}")
}

fn with_own_names(question: &Question<'_>, place: usize) -> String {
    let text = question.text;
    let parsed = parse(text);
    let names: Vec<&str> = parsed
        .file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Let(item) => Some(item.name.text.as_str()),
            Item::Query(_) => None,
        })
        .collect();
    let is_given = |name: &str| question.parameters.iter().any(|(given, _)| given == name);
    let mut renamed = String::with_capacity(text.len());
    let mut copied = 0;
    for token in lex(text).tokens {
        let (start, end) = (token.span.start, token.span.end);
        let replacement = match &token.kind {
            TokenKind::Name if names.contains(&&text[start..end]) => own_name(&text[start..end], place),
            TokenKind::Parameter(name) if is_given(name) => format!("${}", own_name(name, place)),
            // Two queries in one text must not share a name; none needs one here.
            TokenKind::QueryName(_) => String::new(),
            _ => continue,
        };
        renamed += &text[copied..start];
        renamed += &replacement;
        copied = end;
    }
    renamed + &text[copied..]
}

#[cfg(test)]
mod tests;
