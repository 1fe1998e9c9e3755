//! One walk for all that goes over the graph of a scan: what is made of what.

use gt_log::Column;

use super::graph::{Cell, Compiled, Gathered, GatheredFold, MatchOutput, Number, Part, Scalar, Test, TestId};

impl Number {
    /// Calls `visit` with each part that it is directly made of.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match *self {
            Self::Constant(_) | Self::Column(_) | Self::Ply => {}
            Self::Add(a, b)
            | Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::And(a, b)
            | Self::Or(a, b) => {
                [a, b].map(Part::Number).into_iter().for_each(visit);
            }
            Self::Where(test, number) => [Part::Test(test), Part::Number(number)].into_iter().for_each(visit),
            Self::OfParent(number) | Self::SubtreeSum(number) => visit(Part::Number(number)),
            Self::Truth(test) | Self::SubtreeCount(test) | Self::ChildCount(test) | Self::PathCount(test) => {
                visit(Part::Test(test));
            }
        }
    }
}

impl Test {
    /// Calls `visit` with each part that it is directly made of.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Always(_) | Self::Masked(..) | Self::Known(_) => {}
            Self::Within(number, ..) => visit(Part::Number(*number)),
            Self::Compare(_, a, b) => [*a, *b].map(Part::Number).into_iter().for_each(visit),
            Self::Not(test) => visit(Part::Test(*test)),
            Self::All(tests) | Self::Any(tests) => tests.iter().for_each(|test| visit(Part::Test(*test))),
        }
    }
}

impl Scalar {
    /// Where it is known; none where that is everywhere.
    pub(super) fn known(&self) -> Option<TestId> {
        match self {
            Self::Number(quantity) => quantity.known,
            Self::Truth { known, .. } | Self::Bound { known, .. } => *known,
        }
    }

    /// Calls `visit` with each part that it is directly made of.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        let (parts, known) = match *self {
            Self::Number(quantity) => ([Some(Part::Number(quantity.number)), None], quantity.known),
            Self::Truth { yes, known } => ([Some(Part::Test(yes)), None], known),
            Self::Bound { lower, upper, known } => {
                ([Some(Part::Test(lower)), Some(Part::Test(upper))], known)
            }
        };
        parts.into_iter().flatten().chain(known.map(Part::Test)).for_each(visit);
    }
}

impl Gathered {
    /// Calls `visit` with each part that it is directly made of.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self.what {
            GatheredFold::Count(test) | GatheredFold::Truth(test, _) => visit(Part::Test(test)),
            GatheredFold::Sum(number) => visit(Part::Number(number)),
            GatheredFold::Extreme { filter, number, .. } => {
                [Part::Test(filter), Part::Number(number)].into_iter().for_each(visit);
            }
        }
    }
}

impl MatchOutput {
    /// Calls `visit` with each part that it is directly made of.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Plain => {}
            Self::Rows { cells, order, .. } => {
                for cell in cells {
                    match cell {
                        Cell::Scalar(scalar) => scalar.each(visit),
                        Cell::Attribute(_) | Cell::NodeId | Cell::Parent => {}
                    }
                }
                order.iter().flatten().for_each(|(quantity, _)| Scalar::Number(*quantity).each(visit));
            }
            Self::Groups { keys, folds } => {
                keys.iter().for_each(|key| key.each(visit));
                folds.iter().for_each(|fold| {
                    [Part::Test(fold.filter), fold.argument].into_iter().for_each(&mut *visit)
                });
            }
        }
    }

    /// Whether it shows an attribute as it is stored.
    fn shows(&self, attribute: usize) -> bool {
        matches!(self, Self::Rows { cells, .. } if cells.contains(&Cell::Attribute(attribute)))
    }
}

impl Compiled {
    /// How large something is when it is written out. Equal parts share a place in the graph, so a walk that goes from
    /// part to part visits them more than once.
    pub(super) fn size_of(&self, each: impl FnOnce(&mut dyn FnMut(Part))) -> u64 {
        let mut size: u64 = 1;
        each(&mut |part| size = size.saturating_add(self.size_of_part(part)));
        size
    }

    fn size_of_part(&self, part: Part) -> u64 {
        match part {
            Part::Number(number) => self.number_sizes[number],
            Part::Test(test) => self.test_sizes[test],
        }
    }

    /// The size of the largest part of something.
    pub(super) fn largest_part(&self, each: impl FnOnce(&mut dyn FnMut(Part))) -> u64 {
        let mut largest = 0;
        each(&mut |part| largest = largest.max(self.size_of_part(part)));
        largest
    }

    /// Whether a column is asked about once only, so that it need not be decoded.
    pub(super) fn is_asked_once(&self, column: Column) -> bool {
        let is_it = |part: Part| matches!(part, Part::Number(number) if self.numbers[number] == Number::Column(column));
        let asked = self.tests.iter().filter(|test| match test {
            Test::Within(number, ..) => is_it(Part::Number(*number)),
            Test::Masked(masked, _) => *masked == column,
            _ => false,
        });
        if asked.count() != 1 {
            return false;
        }
        let mut read = false;
        let mut note = |part| read |= is_it(part);
        self.tests
            .iter()
            .filter(|test| !matches!(test, Test::Within(..)))
            .for_each(|test| test.each(&mut note));
        self.numbers.iter().for_each(|number| number.each(&mut note));
        self.gathered.iter().for_each(|gathered| gathered.each(&mut note));
        self.queries.iter().for_each(|query| query.output.each(&mut note));
        let shown = |attribute| self.queries.iter().any(|query| query.output.shows(attribute));
        !read && !matches!(column, Column::Attribute(attribute) if shown(attribute))
    }

    /// Whether blocks need values of crossing nodes.
    pub(super) fn reads_crossing_nodes(&self) -> bool {
        let mut found = false;
        let mut note = |part| found = found || self.part_reads(part);
        self.gathered.iter().for_each(|gathered| gathered.each(&mut note));
        for query in &self.queries {
            note(Part::Test(query.test));
            query.output.each(&mut note);
        }
        found
    }

    fn part_reads(&self, part: Part) -> bool {
        let mut found = false;
        let mut note = |part| found = found || self.part_reads(part);
        match part {
            Part::Number(number) => match &self.numbers[number] {
                Number::OfParent(_) | Number::PathCount(_) => return true,
                number => number.each(&mut note),
            },
            Part::Test(test) => self.tests[test].each(&mut note),
        }
        found
    }

    /// Whether a row's columns alone tell all that is made of it.
    pub(super) fn output_is_local(&self, output: &MatchOutput) -> bool {
        let mut all = !matches!(output, MatchOutput::Rows { .. });
        output.each(&mut |part| all = all && self.has_only(part, false));
        all
    }

    /// Whether a row's columns alone tell the test.
    pub(super) fn test_is_local(&self, test: usize) -> bool {
        self.has_only(Part::Test(test), false)
    }

    /// Whether the columns and the ply of a row tell the test.
    pub(super) fn test_is_told_alone(&self, test: usize) -> bool {
        self.has_only(Part::Test(test), true)
    }

    /// Whether a part is made of nothing but a row's columns, and of its ply where that is allowed.
    fn has_only(&self, part: Part, with_ply: bool) -> bool {
        let mut all = true;
        let mut note = |part| all = all && self.has_only(part, with_ply);
        match part {
            Part::Number(number) => match &self.numbers[number] {
                Number::Ply => return with_ply,
                Number::OfParent(_)
                | Number::SubtreeCount(_)
                | Number::ChildCount(_)
                | Number::PathCount(_)
                | Number::SubtreeSum(_) => return false,
                number => number.each(&mut note),
            },
            Part::Test(test) => self.tests[test].each(&mut note),
        }
        all
    }
}
