//! The functions, aggregates, scopes and relatives of the language as the vocabulary lists them, with the types that the
//! binder lets them have: a new word is drawn by random queries without being named here.

use std::sync::OnceLock;

use gt_query::ir::Outcome;
use gt_query::tools::vocabulary::{Function, Part, Relative, operations};
use gt_query::{Environment, Type, compile};

/// What an argument or a result is. The number of a variant is its place in lists of one value for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    Truth,
    Text,
    /// A constant from 0 to 1.
    Share,
}

/// A value of each sort.
const SAMPLES: [(Sort, &str); 4] =
    [(Sort::Number, "best"), (Sort::Truth, "flag"), (Sort::Text, "label"), (Sort::Share, "0.5")];

/// A function or an aggregate, with arguments that it takes.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The call up to its first argument: `max(`, `count(distinct `.
    pub(crate) opening: String,
    pub(crate) is_aggregate: bool,
    pub(crate) arguments: Vec<Sort>,
    pub(crate) result: Sort,
}

/// Every call that can be bound.
pub(crate) fn calls() -> &'static [Call] {
    static CALLS: OnceLock<Vec<Call>> = OnceLock::new();
    CALLS.get_or_init(|| {
        let aggregates = Function::all().map(|(name, function)| {
            let opening =
                if function == Function::Distinct { "count(distinct ".into() } else { format!("{name}(") };
            (opening, true, function.arguments())
        });
        let functions =
            operations().map(|(name, operation)| (format!("{name}("), false, operation.arguments().0));
        let all: Vec<Call> = aggregates
            .chain(functions)
            .flat_map(|(opening, is_aggregate, count)| {
                let lists = (0..count).fold(vec![Vec::new()], |lists: Vec<Vec<Sort>>, _| {
                    lists
                        .iter()
                        .flat_map(|list| SAMPLES.map(|(sort, _)| [list.clone(), vec![sort]].concat()))
                        .collect()
                });
                lists
                    .into_iter()
                    .filter_map(move |arguments| bound(&opening, is_aggregate, arguments))
                    .collect::<Vec<_>>()
            })
            .collect();
        for (name, _) in
            Function::all().map(|(name, _)| (name, ())).chain(operations().map(|(name, _)| (name, ())))
        {
            assert!(
                all.iter().any(|call| call.opening.contains(name)),
                "no arguments were found for `{name}`"
            );
        }
        all
    })
}

fn bound(opening: &str, is_aggregate: bool, arguments: Vec<Sort>) -> Option<Call> {
    let samples: Vec<&str> = arguments.iter().map(|sort| SAMPLES[*sort as usize].1).collect();
    let schema = super::random::schema();
    let program =
        compile(&format!("select {opening}{})", samples.join(", ")), &Environment::new(&schema)).ok()?;
    let columns = match &program.queries[0].outcome {
        Outcome::Groups { columns, .. } if is_aggregate => columns,
        Outcome::Rows { columns, .. } if !is_aggregate => columns,
        _ => return None,
    };
    let result = match columns[0].value_type {
        Type::Boolean => Sort::Truth,
        Type::Text => Sort::Text,
        _ => Sort::Number,
    };
    Some(Call { opening: opening.to_owned(), is_aggregate, arguments, result })
}

/// Every scope of an aggregate, and whether `[]` has a meaning in it, in the order of the parts.
pub(crate) fn scopes() -> &'static [(String, bool)] {
    static SCOPES: OnceLock<Vec<(String, bool)>> = OnceLock::new();
    SCOPES.get_or_init(|| {
        let parts = Part::all().filter(|(_, part)| *part != Part::Node).flat_map(|(name, part)| match part {
            Part::Twin => {
                ["hash", "best % 2, flag", "label", "[^]best"].map(|keys| format!("{name}({keys})")).to_vec()
            }
            _ => vec![name.to_owned()],
        });
        let schema = super::random::schema();
        parts
            .map(|scope| {
                let sees_others =
                    compile(&format!("{scope}: any([]flag)"), &Environment::new(&schema)).is_ok();
                (scope, sees_others)
            })
            .collect()
    })
}

/// Every relative, near and far, that can stand where `[]` has a meaning, or where it has none.
pub(crate) fn relatives(sees_others: bool) -> Vec<String> {
    let far = [2, 3].into_iter().flat_map(|places| {
        [
            Relative::Sibling(-places),
            Relative::Sibling(places),
            Relative::Child(places - 1),
            Relative::Child(-places),
        ]
    });
    let all = Relative::all().map(|(_, relative)| relative).chain(far);
    all.filter(|relative| sees_others || *relative != Relative::Other)
        .map(|relative| relative.to_string())
        .collect()
}
