//! One traversal of a scan's graph: the parts of each number and test.

use gt_log::Column;

use super::graph::{Base, Compiled, Gathered, MatchOutput, Number, Part, Relative, Scalar, Test, TestId};

impl Number {
    /// Calls `visit` with each direct part.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Constant(_)
            | Self::Column(_)
            | Self::Ply
            | Self::NodeId
            | Self::ParentId
            | Self::Index
            | Self::Height
            | Self::Gathered(..) => {}
            Self::Arithmetic(_, a, b) | Self::Least(a, b) | Self::Greatest(a, b) => {
                [*a, *b].map(Part::Number).into_iter().for_each(visit);
            }
            Self::Convert(_, number) | Self::Function(_, number) | Self::Of(_, number, _) => {
                visit(Part::Number(*number));
            }
            Self::Truth(test) => visit(Part::Test(*test)),
            Self::Choose(test, a, b) => {
                [Part::Test(*test), Part::Number(*a), Part::Number(*b)].into_iter().for_each(visit);
            }
            Self::Fold(fold) => {
                let tests = [Some(fold.take), fold.second_known].into_iter().flatten().map(Part::Test);
                let numbers = [fold.argument, fold.second].into_iter().flatten().map(Part::Number);
                tests.chain(numbers).for_each(visit);
            }
        }
    }
}

impl Test {
    /// Calls `visit` with each direct part.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Always(_)
            | Self::Masked(..)
            | Self::InSet(..)
            | Self::Known(_)
            | Self::Exists(_)
            | Self::Gathered(..)
            | Self::Chosen => {}
            Self::Within(number, ..) | Self::HasValue(number) | Self::Overflows(number) => {
                visit(Part::Number(*number));
            }
            Self::Compare(_, a, b) | Self::Text(_, a, b) => {
                [*a, *b].map(Part::Number).into_iter().for_each(visit)
            }
            Self::Not(test) | Self::Of(_, test, ..) => visit(Part::Test(*test)),
            Self::All(tests) | Self::Any(tests) => tests.iter().for_each(|test| visit(Part::Test(*test))),
        }
    }
}

impl Scalar {
    /// Calls `visit` with each direct part.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Number(quantity) => {
                visit(Part::Number(quantity.number));
                quantity.known.map(Part::Test).into_iter().for_each(&mut *visit);
            }
            Self::Truth(truth) => [truth.yes, truth.no].map(Part::Test).into_iter().for_each(&mut *visit),
        }
        self.errors().iter().for_each(|(_, test)| visit(Part::Test(*test)));
    }
}

impl Gathered {
    /// Calls `visit` with each direct part.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        visit(Part::Test(self.take));
        [&self.argument, &self.second].into_iter().flatten().for_each(|scalar| scalar.each(visit));
        self.errors.iter().for_each(|(_, test)| visit(Part::Test(*test)));
    }
}

impl MatchOutput {
    /// Calls `visit` with each direct part.
    pub(super) fn each(&self, visit: &mut dyn FnMut(Part)) {
        match self {
            Self::Plain => {}
            Self::Rows { cells, order, .. } => {
                cells.iter().chain(order.iter().map(|(key, _)| key)).for_each(|scalar| scalar.each(visit));
            }
            Self::Groups { keys, folds, .. } => {
                keys.iter().for_each(|key| key.each(visit));
                folds.iter().for_each(|fold| fold.each(visit));
            }
        }
    }
}

impl Compiled {
    pub(super) fn each_of(&self, part: Part, visit: &mut dyn FnMut(Part)) {
        match part {
            Part::Number(number) => self.numbers[number].each(visit),
            Part::Test(test) => self.tests[test].each(visit),
        }
    }

    /// Calls `visit` with each part that is used from outside the graph.
    fn each_root(&self, visit: &mut dyn FnMut(Part)) {
        for query in &self.queries {
            visit(Part::Test(query.test));
            query.errors.iter().for_each(|(_, test)| visit(Part::Test(*test)));
            query.output.each(visit);
        }
        self.gathered.iter().flatten().for_each(|gathered| gathered.each(visit));
        self.columns.iter().flatten().for_each(|column| column.each(visit));
        for twins in self.twin_columns.iter().flatten() {
            let keys = twins.keys.iter().map(|(number, _)| *number);
            keys.chain(twins.numbers.iter().map(|(number, ..)| *number))
                .map(Part::Number)
                .for_each(&mut *visit);
            [twins.keyed, twins.is_twin, twins.is_node].map(Part::Test).into_iter().for_each(&mut *visit);
        }
    }

    /// Records which columns and tests are used only once: such a column need not be decoded, and such a test may skip
    /// the rows that other tests have ruled out. Only uses by parts that are needed count.
    pub(super) fn note_used_once(&mut self, columns: impl Iterator<Item = Column>) {
        let mut uses = vec![0_u32; self.tests.len()];
        let mut needed = Vec::new();
        let mut count = |part| {
            if let Part::Test(test) = part {
                uses[test] += 1;
            }
        };
        self.each_root(&mut count);
        self.each_below(|visit| self.each_root(visit), &mut |part| {
            self.each_of(part, &mut count);
            needed.push(part);
        });
        self.used_once = uses.into_iter().map(|uses| uses == 1).collect();
        self.asked_once = columns.map(|column| self.is_asked_once(column, &needed)).collect();
    }

    /// Whether exactly one needed test asks something of a column, and nothing reads the column's values.
    fn is_asked_once(&self, column: Column, needed: &[Part]) -> bool {
        let is_it = |part: Part| matches!(part, Part::Number(number) if self.numbers[number] == Number::Column(column));
        let (mut asked, mut is_read) = (0, false);
        self.each_root(&mut |part| is_read |= is_it(part));
        for &part in needed {
            match part {
                Part::Test(test) => match &self.tests[test] {
                    Test::Within(number, ..) => asked += u32::from(is_it(Part::Number(*number))),
                    Test::Masked(of, _) | Test::InSet(of, ..) => asked += u32::from(*of == column),
                    test => test.each(&mut |part| is_read |= is_it(part)),
                },
                Part::Number(number) => self.numbers[number].each(&mut |part| is_read |= is_it(part)),
            }
        }
        asked == 1 && !is_read
    }

    /// Records which numbers and comparisons read only one column. Other tests are left to their parts.
    pub(super) fn note_one_column(&mut self) {
        let numbers = 0..self.numbers.len();
        self.number_of_one = numbers.map(|number| self.one_column(Part::Number(number))).collect();
        let of_test = |test: &Test| match test {
            Test::Compare(..) => self.one_column_of(test),
            _ => None,
        };
        self.test_of_one = self.tests.iter().map(of_test).collect();
    }

    /// Records which numbers and tests have a lane for each pair of siblings instead of each row.
    pub(super) fn note_pairs(&mut self) {
        let of_pairs = |relative: &Relative| matches!(relative.base, Base::First | Base::Second);
        self.number_of_pairs = vec![false; self.numbers.len()];
        self.test_of_pairs = vec![false; self.tests.len()];
        // Parts come before their users, but numbers and tests are in two lists.
        loop {
            let before = (self.number_of_pairs.clone(), self.test_of_pairs.clone());
            let is_of_pairs = |part: Part| match part {
                Part::Number(number) => before.0[number],
                Part::Test(test) => before.1[test],
            };
            for (id, number) in self.numbers.iter().enumerate() {
                let mut found = matches!(number, Number::Of(relative, ..) if of_pairs(relative));
                if !matches!(number, Number::Fold(_)) {
                    number.each(&mut |part| found |= is_of_pairs(part));
                }
                self.number_of_pairs[id] = found;
            }
            for (id, test) in self.tests.iter().enumerate() {
                let mut found =
                    matches!(test, Test::Of(relative, ..) | Test::Exists(relative) if of_pairs(relative));
                test.each(&mut |part| found |= is_of_pairs(part));
                self.test_of_pairs[id] = found;
            }
            if before == (self.number_of_pairs.clone(), self.test_of_pairs.clone()) {
                return;
            }
        }
    }

    /// Whether a row's columns alone determine the output.
    pub(super) fn output_is_local(&self, output: &MatchOutput) -> bool {
        !matches!(output, MatchOutput::Rows { .. }) && self.are_local(|visit| output.each(visit))
    }

    /// Whether a row's columns alone determine the test.
    pub(super) fn test_is_local(&self, test: TestId) -> bool {
        self.are_local(|visit| visit(Part::Test(test)))
    }

    fn are_local(&self, roots: impl Fn(&mut dyn FnMut(Part))) -> bool {
        let mut all = true;
        self.each_below(roots, &mut |part| {
            all &= match part {
                Part::Number(number) => !matches!(
                    self.numbers[number],
                    Number::Ply
                        | Number::NodeId
                        | Number::ParentId
                        | Number::Index
                        | Number::Height
                        | Number::Of(..)
                        | Number::Fold(_)
                        | Number::Gathered(..)
                ),
                Part::Test(test) => !matches!(
                    self.tests[test],
                    Test::Of(..) | Test::Exists(_) | Test::Gathered(..) | Test::Chosen
                ),
            }
        });
        all
    }

    /// Calls `visit` once with each part of some roots, including these.
    pub(super) fn each_below(&self, roots: impl Fn(&mut dyn FnMut(Part)), visit: &mut dyn FnMut(Part)) {
        let mut seen = (vec![false; self.numbers.len()], vec![false; self.tests.len()]);
        let mut open = Vec::new();
        roots(&mut |part| open.push(part));
        while let Some(part) = open.pop() {
            let seen = match part {
                Part::Number(number) => &mut seen.0[number],
                Part::Test(test) => &mut seen.1[test],
            };
            if !std::mem::replace(seen, true) {
                visit(part);
                self.each_of(part, &mut |part| open.push(part));
            }
        }
    }
}
