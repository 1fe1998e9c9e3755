//! Scans in plain words.
//!
//! A fold that stands alone is described where it is used. If folds are nested, or one is used twice, each gets a
//! number and is described once: otherwise a chain of `let` would be described again for each of its links.

use std::cell::{Cell, RefCell};

use gt_log::{Column, Schema};

use super::graph::{Base, Compiled, Constant, Fold, Number, NumberId, Relative, Test, TestId, TextQuestion};
use crate::ir::{Scope, Step};

/// The rows that match a query, in plain words.
pub(in crate::engine) struct Description {
    /// The descriptions of the folds by number, from 1; empty if folds are described where they are used.
    pub(in crate::engine) folds: Vec<String>,
    pub(in crate::engine) test: String,
}

/// Describes the computation of scans.
struct Describe<'a> {
    compiled: &'a Compiled,
    schema: &'a Schema,
    /// The number of parts still to be written out: equal parts share a node of the graph, but written out each time
    /// they can become too long to read.
    left: Cell<u32>,
    /// The folds described so far, each once; a fold comes after those that it needs.
    folds: RefCell<Vec<(NumberId, String)>>,
    /// Whether the text refers to folds by number.
    numbers_folds: bool,
    /// The number of folds being described, each inside the one before.
    inside: Cell<u32>,
    /// Whether a fold is inside another, or is used twice.
    has_tangled_folds: Cell<bool>,
}

/// The maximum number of parts of a query that are written out.
const PARTS_MAX: u32 = 400;

/// Describes a test.
pub(super) fn describe(compiled: &Compiled, schema: &Schema, test: TestId) -> Description {
    let describe = |numbers_folds| {
        let describe = Describe {
            compiled,
            schema,
            left: PARTS_MAX.into(),
            folds: RefCell::default(),
            numbers_folds,
            inside: Cell::default(),
            has_tangled_folds: Cell::default(),
        };
        let test = describe.test(test);
        (describe, test)
    };
    let (numbered, test) = describe(true);
    if numbered.has_tangled_folds.get() {
        let folds = numbered.folds.into_inner().into_iter().map(|(_, text)| text).collect();
        return Description { folds, test };
    }
    Description { folds: Vec::new(), test: describe(false).1 }
}

impl Describe<'_> {
    fn test(&self, id: TestId) -> String {
        if !self.has_room() {
            return "…".to_owned();
        }
        match &self.compiled.tests[id] {
            Test::Always(true) => "always".to_owned(),
            Test::Always(false) => "never".to_owned(),
            Test::Within(number, low, high) => {
                let number = self.number(*number);
                if low == high {
                    format!("{number} is {low}")
                } else {
                    format!("{number} is in {low} to {high}")
                }
            }
            Test::Masked(column, mask) => format!("{} & {mask}", self.column(*column)),
            Test::InSet(column, _, words) => {
                let count: u32 = words.iter().map(|word| word.count_ones()).sum();
                format!("{} is one of {count} values", self.column(*column))
            }
            Test::Known(attribute) => format!("{} is known", self.column(Column::Attribute(*attribute))),
            Test::HasValue(number) => format!("{} is known", self.number(*number)),
            Test::Compare(operator, left, right) => {
                format!("{} {} {}", self.number(*left), operator.spelling(), self.number(*right))
            }
            Test::Text(TextQuestion::StartsWith, text, part) => {
                format!("{} starts with {}", self.number(*text), self.number(*part))
            }
            Test::Text(TextQuestion::Contains, text, part) => {
                format!("{} contains {}", self.number(*text), self.number(*part))
            }
            Test::Overflows(number) => format!("{} overflows", self.number(*number)),
            Test::Of(relative, test, ..) => format!("{} [{}]", self.relative(*relative), self.test(*test)),
            Test::Exists(relative) => format!("there is {} node", self.relative(*relative)),
            Test::Gathered(..) => "what was gathered before holds".to_owned(),
            Test::Chosen => "the node is one of those asked within".to_owned(),
            Test::Not(inner) => format!("not ({})", self.test(*inner)),
            Test::All(tests) => self.joined(tests, " and "),
            Test::Any(tests) => self.joined(tests, " or "),
        }
    }

    fn joined(&self, tests: &[TestId], between: &str) -> String {
        let texts: Vec<String> = tests.iter().map(|test| format!("({})", self.test(*test))).collect();
        texts.join(between)
    }

    fn has_room(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    fn number(&self, id: NumberId) -> String {
        if !self.has_room() {
            return "…".to_owned();
        }
        let pair =
            |left, operator, right| format!("({} {operator} {})", self.number(left), self.number(right));
        match &self.compiled.numbers[id] {
            Number::Constant(Constant::Integer(value)) => value.to_string(),
            Number::Constant(Constant::Wide(value)) => value.to_string(),
            Number::Constant(Constant::Float(bits)) => format!("{:?}", f64::from_bits(*bits)),
            Number::Constant(Constant::Text(text)) => format!("{text:?}"),
            Number::Column(column) => self.column(*column),
            Number::Ply => "the ply, a running sum over the sizes".to_owned(),
            Number::NodeId => "node_id".to_owned(),
            Number::ParentId => "the parent's node_id".to_owned(),
            Number::Index => "the index, counted along the siblings".to_owned(),
            Number::Height => "the height, folded upward".to_owned(),
            Number::Convert(_, number) => self.number(*number),
            Number::Arithmetic(operator, a, b) => pair(*a, operator.spelling(), *b),
            Number::Function(function, number) => {
                format!("{}({})", format!("{function:?}").to_lowercase(), self.number(*number))
            }
            Number::Truth(test) => format!("[{}]", self.test(*test)),
            Number::Choose(test, a, b) => {
                format!("({} where {}, else {})", self.number(*a), self.test(*test), self.number(*b))
            }
            Number::Least(a, b) => pair(*a, "or, if smaller,", *b),
            Number::Greatest(a, b) => pair(*a, "or, if larger,", *b),
            Number::Of(relative, number, _) => {
                format!("{} {}", self.relative(*relative), self.number(*number))
            }
            Number::Fold(fold) if self.numbers_folds => self.number_of_fold(id, fold),
            Number::Fold(fold) => self.fold(fold),
            Number::Gathered(..) => "what an earlier pass gathered".to_owned(),
        }
    }

    /// The number of a fold, which is described when it is met first.
    fn number_of_fold(&self, id: NumberId, fold: &Fold) -> String {
        if self.inside.get() > 0 {
            self.has_tangled_folds.set(true);
        }
        let place_of = || self.folds.borrow().iter().position(|(told, _)| *told == id);
        let place = match place_of() {
            Some(place) => {
                self.has_tangled_folds.set(true);
                place
            }
            None => {
                self.inside.set(self.inside.get() + 1);
                let text = self.fold(fold);
                self.inside.set(self.inside.get() - 1);
                let mut folds = self.folds.borrow_mut();
                folds.push((id, text));
                folds.len() - 1
            }
        };
        format!("#{}", place + 1)
    }

    fn fold(&self, fold: &Fold) -> String {
        let take = self.test(fold.take);
        let Some(argument) = fold.argument else {
            return match fold.scope {
                Scope::Subtree => format!("the difference of two ranks of the bitmap [{take}]"),
                Scope::Child => format!("the number of children with [{take}]"),
                Scope::Path => format!("the number of ancestors with [{take}], a running sum from above"),
                _ => format!("the number of siblings with [{take}], a running sum along them"),
            };
        };
        let over = match fold.scope {
            Scope::Child => "of the children, folded at each node",
            Scope::Before => "of the siblings before, folded along them",
            Scope::After => "of the siblings after, folded along them",
            Scope::Path => "of the ancestors, folded downward",
            _ => "of the descendants, folded upward",
        };
        let name = fold.function.spelling();
        let argument = self.number(argument);
        match self.compiled.tests[fold.take] {
            Test::Always(true) => format!("the {name} of {argument} {over}"),
            _ => format!("the {name} of {argument} where {take}, {over}"),
        }
    }

    fn relative(&self, relative: Relative) -> String {
        let of = match relative.base {
            Base::Row => "",
            Base::Parent if relative.step == Step::Here => return "the parent's".to_owned(),
            Base::Parent => "the parent's ",
            Base::First => "the node's ",
            Base::Second => "the sibling's ",
        };
        match relative.step {
            Step::Here => of.trim_end().to_owned(),
            Step::Parent => format!("{of}the parent's"),
            Step::Grandparent => format!("{of}the grandparent's"),
            Step::Sibling(places) => format!("{of}the sibling's at {places:+}"),
            Step::Child(place) => format!("{of}the child's at {place}"),
        }
    }

    fn column(&self, column: Column) -> String {
        match column {
            Column::Size => "size".to_owned(),
            Column::LastMove => "last_move".to_owned(),
            Column::Status => "status".to_owned(),
            Column::LeftOut => "left_out".to_owned(),
            Column::Attribute(attribute) => {
                let attribute = self.schema.attributes().get(attribute);
                attribute.map_or_else(String::new, |attribute| attribute.name.clone())
            }
        }
    }
}
