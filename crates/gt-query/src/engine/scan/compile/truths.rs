//! Conditions: where they are true, where they are false, and where an overflow decides.

use super::{Compiler, Place, joined};
use crate::engine::scan::graph::{
    Constant, Errors, Lane, Number, NumberId, Quantity, Scalar, Test, TestId, TextQuestion, Truth,
};
use crate::ir::{Expr, Operation};
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::Value;
use crate::vocabulary::Function;

/// The largest integer up to which a float represents every integer exactly.
const EXACT_FLOAT: i64 = 1 << 53;

impl Compiler<'_> {
    pub(super) fn truth(&mut self, expr: &Expr, place: Place) -> Truth {
        match expr {
            Expr::Constant(value) => {
                let is = |truth| *value == Some(Value::Boolean(truth));
                Truth { yes: self.always(is(true)), no: self.always(is(false)), errors: Errors::new() }
            }
            Expr::Read(operand) => match self.read(*operand, place) {
                Scalar::Truth(truth) => truth,
                Scalar::Number(_) => self.unknown_truth(),
            },
            Expr::Aggregate(id) => match self.aggregate(*id) {
                Scalar::Truth(truth) => truth,
                Scalar::Number(_) => self.unknown_truth(),
            },
            Expr::Key(_) => self.unknown_truth(),
            Expr::Apply(operation, arguments, _) => self.operation_truth(*operation, arguments, place),
        }
    }

    fn operation_truth(&mut self, operation: Operation, arguments: &[Expr], place: Place) -> Truth {
        let truths = |compiler: &mut Self| -> Vec<Truth> {
            arguments.iter().map(|argument| compiler.truth(argument, place)).collect()
        };
        match operation {
            Operation::And => {
                let terms = truths(self);
                self.conjunction(&terms)
            }
            Operation::Or => {
                let terms = truths(self);
                self.disjunction(&terms)
            }
            Operation::Not => {
                let Truth { yes, no, errors } = self.truth(&arguments[0], place);
                Truth { yes: no, no: yes, errors }
            }
            Operation::Known => self.is_known(&arguments[0], place),
            Operation::NotZero => {
                let zero = Expr::Constant(Some(Value::Integer(0)));
                self.comparison(Comparison::NotEqual, &arguments[0], &zero, place)
            }
            Operation::Compare(operator) => self.comparison(operator, &arguments[0], &arguments[1], place),
            Operation::In => self.membership(&arguments[0], &arguments[1..], place),
            Operation::StartsWith => self.text_test(TextQuestion::StartsWith, arguments, place),
            Operation::Contains => self.text_test(TextQuestion::Contains, arguments, place),
            Operation::If => {
                let [condition, yes, no] = [0, 1, 2].map(|place_of| self.truth(&arguments[place_of], place));
                self.choice(&condition, &yes, &no)
            }
            Operation::Negate
            | Operation::Abs
            | Operation::Sqrt
            | Operation::Log
            | Operation::Round
            | Operation::Lower
            | Operation::Arithmetic(_)
            | Operation::Bound
            | Operation::Least
            | Operation::Greatest => self.unknown_truth(),
        }
    }

    pub(super) fn unknown_truth(&mut self) -> Truth {
        let never = self.always(false);
        Truth { yes: never, no: never, errors: Errors::new() }
    }

    pub(super) fn conjunction(&mut self, terms: &[Truth]) -> Truth {
        let yes = self.all(terms.iter().map(|term| term.yes).collect());
        let no = self.any(terms.iter().map(|term| term.no).collect());
        // An overflow yields to a deciding term, and wins over unknown.
        let undecided = self.not(no);
        let errors = self.joined_errors(terms, undecided);
        Truth { yes, no, errors }
    }

    fn disjunction(&mut self, terms: &[Truth]) -> Truth {
        let opposites: Vec<Truth> = terms.iter().map(|term| opposite_of(term.clone())).collect();
        opposite_of(self.conjunction(&opposites))
    }

    fn joined_errors(&mut self, terms: &[Truth], undecided: TestId) -> Errors {
        let errors: Vec<&Errors> = terms.iter().map(|term| &term.errors).collect();
        let errors = joined(&errors);
        self.errors_where(&errors, undecided)
    }

    fn is_known(&mut self, expr: &Expr, place: Place) -> Truth {
        let (known, errors) = match self.scalar(expr, place) {
            Scalar::Number(quantity) => (self.value_known(&quantity), quantity.errors),
            Scalar::Truth(truth) => (self.any(vec![truth.yes, truth.no]), truth.errors),
        };
        self.decided(known, errors)
    }

    /// A test that is never unknown, except for errors.
    pub(super) fn decided(&mut self, test: TestId, errors: Errors) -> Truth {
        let (no_error, not) = (self.no_error(&errors), self.not(test));
        Truth { yes: self.all(vec![test, no_error]), no: self.all(vec![not, no_error]), errors }
    }

    fn choice(&mut self, condition: &Truth, yes: &Truth, no: &Truth) -> Truth {
        let mut errors = condition.errors.clone();
        for (branch, taken) in [(yes, condition.yes), (no, condition.no)] {
            let more = self.errors_where(&branch.errors, taken);
            errors = joined(&[&errors, &more]);
        }
        let mut either = |first: TestId, second: TestId| {
            let sides = vec![self.all(vec![condition.yes, first]), self.all(vec![condition.no, second])];
            self.any(sides)
        };
        Truth { yes: either(yes.yes, no.yes), no: either(yes.no, no.no), errors }
    }

    fn membership(&mut self, item: &Expr, list: &[Expr], place: Place) -> Truth {
        // An overflow of the item itself decides; one in the list yields to an equal value.
        let own = self.scalar(item, place).errors().clone();
        let terms: Vec<Truth> = list
            .iter()
            .map(|value| {
                let mut equal = self.comparison(Comparison::Equal, item, value, place);
                equal.errors.retain(|error| !own.contains(error));
                equal
            })
            .collect();
        let mut joined = self.disjunction(&terms);
        joined.errors = super::joined(&[&own, &joined.errors]);
        let no_error = self.no_error(&joined.errors);
        joined.no = self.all(vec![joined.no, no_error]);
        joined
    }

    fn comparison(&mut self, operator: Comparison, left: &Expr, right: &Expr, place: Place) -> Truth {
        if self.is_truth(left) || self.is_truth(right) {
            let (left, right) = (self.truth(left, place), self.truth(right, place));
            return self.compare_truths(operator, &left, &right);
        }
        if place == Place::Node {
            if let Some(truth) = self.compare_extreme(operator, left, right) {
                return truth;
            }
            if let Some(truth) = self.compare_extreme(operator.mirrored(), right, left) {
                return truth;
            }
        }
        if let Some(truth) = self.compare_masked(operator, left, right, place) {
            return truth;
        }
        let (left, right) = (self.number(left, place), self.number(right, place));
        self.compare_quantities(operator, &left, &right)
    }

    fn compare_truths(&mut self, operator: Comparison, left: &Truth, right: &Truth) -> Truth {
        let mut both = |a: TestId, b: TestId, c: TestId, d: TestId| {
            let sides = vec![self.all(vec![a, b]), self.all(vec![c, d])];
            self.any(sides)
        };
        let equal = both(left.yes, right.yes, left.no, right.no);
        let unequal = both(left.yes, right.no, left.no, right.yes);
        let errors = joined(&[&left.errors, &right.errors]);
        match operator {
            Comparison::NotEqual => Truth { yes: unequal, no: equal, errors },
            // Truth values have no order; the binder allows only `=` and `!=`.
            _ => Truth { yes: equal, no: unequal, errors },
        }
    }

    pub(super) fn compare_quantities(
        &mut self,
        operator: Comparison,
        left: &Quantity,
        right: &Quantity,
    ) -> Truth {
        let errors = joined(&[&left.errors, &right.errors]);
        let known = vec![self.known_of(left.known), self.known_of(right.known)];
        let known = self.all(known);
        let yes = self.compare_numbers(operator, left.number, right.number);
        let is_float = [left, right].iter().any(|side| self.compiled.lanes[side.number] == Lane::Float);
        // NaN makes every comparison false, so the opposite is a comparison of its own.
        let no = if is_float {
            self.compare_numbers(opposite(operator), left.number, right.number)
        } else {
            self.not(yes)
        };
        Truth { yes: self.all(vec![yes, known]), no: self.all(vec![no, known]), errors }
    }

    /// The rows for which a comparison of numbers holds.
    pub(super) fn compare_numbers(
        &mut self,
        operator: Comparison,
        left: NumberId,
        right: NumberId,
    ) -> TestId {
        if let (Some(left), Some(right)) = (self.constant_value(left), self.constant_value(right)) {
            return self.always(operator.holds(left.order(&right)));
        }
        if let (Lane::Text, Lane::Text) = (self.compiled.lanes[left], self.compiled.lanes[right]) {
            return self.compare_texts(operator, left, right);
        }
        if left == right && self.compiled.lanes[left] != Lane::Float {
            return self.always(operator.holds(std::cmp::Ordering::Equal));
        }
        let (left, right, operator) = match (self.compiled.lanes[left], self.compiled.lanes[right]) {
            (Lane::Float, Lane::Integer | Lane::Wide) => (right, left, operator.mirrored()),
            _ => (left, right, operator),
        };
        match (self.compiled.lanes[left], self.compiled.lanes[right]) {
            (Lane::Integer, Lane::Integer) => {
                if let Some(constant) = self.integer_constant(right) {
                    return self.compare_constant(operator, left, constant);
                }
                if let Some(constant) = self.integer_constant(left) {
                    return self.compare_constant(operator.mirrored(), right, constant);
                }
                self.put_compare(operator, left, right)
            }
            (Lane::Integer, Lane::Float) => {
                let (low, high) = self.compiled.bounds[left];
                let exact = low >= -EXACT_FLOAT && high <= EXACT_FLOAT;
                let left = if exact { self.converted(left, Lane::Float) } else { left };
                self.put_compare(operator, left, right)
            }
            (Lane::Integer, Lane::Wide) | (Lane::Wide, Lane::Integer) => {
                let (left, right) = (self.converted(left, Lane::Wide), self.converted(right, Lane::Wide));
                self.put_compare(operator, left, right)
            }
            _ => self.put_compare(operator, left, right),
        }
    }

    fn put_compare(&mut self, operator: Comparison, left: NumberId, right: NumberId) -> TestId {
        let test = Test::Compare(operator, left, right);
        if let Some(ranges) = self.over_domain(&test) {
            return ranges;
        }
        // A conditional value that is only compared with a constant need not be computed: its branches are compared.
        if let Number::Choose(condition, first, second) = self.compiled.numbers[left]
            && self.compiled.one_column_of(&test).is_none()
            && self.constant_value(right).is_some()
            && [first, second].iter().all(|branch| self.is_plain(*branch))
        {
            let [first, second] = [first, second].map(|side| self.compare_numbers(operator, side, right));
            return self.either(condition, first, second);
        }
        self.put_test(test)
    }

    pub(super) fn compare_constant(
        &mut self,
        operator: Comparison,
        number: NumberId,
        constant: i64,
    ) -> TestId {
        match operator {
            Comparison::Equal => self.within(number, constant, constant),
            Comparison::LessEqual => self.within(number, i64::MIN, constant),
            Comparison::GreaterEqual => self.within(number, constant, i64::MAX),
            Comparison::NotEqual | Comparison::Less | Comparison::Greater => {
                let opposite = self.compare_constant(opposite(operator), number, constant);
                self.not(opposite)
            }
        }
    }

    /// `column & mask = 0`, from the stored form of the column.
    fn compare_masked(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
        place: Place,
    ) -> Option<Truth> {
        let is_zero = *right == Expr::Constant(Some(Value::Integer(0)));
        let Expr::Apply(Operation::Arithmetic(Arithmetic::BitAnd), sides, _) = left else { return None };
        let is_equal = match operator {
            Comparison::Equal if is_zero => true,
            Comparison::NotEqual if is_zero => false,
            _ => return None,
        };
        let (Expr::Read(operand), Expr::Constant(Some(Value::Integer(mask)))) = (&sides[0], &sides[1]) else {
            return None;
        };
        let mask = i64::try_from(*mask).ok()?;
        let Scalar::Number(quantity) = self.read(*operand, place) else { return None };
        let Number::Column(column) = self.compiled.numbers[quantity.number] else { return None };
        if self.compiled.lanes[quantity.number] != Lane::Integer {
            return None;
        }
        let masked = self.put_test(Test::Masked(column, mask));
        let not = self.not(masked);
        let (yes, no) = if is_equal { (not, masked) } else { (masked, not) };
        let known = self.known_of(quantity.known);
        Some(Truth {
            yes: self.all(vec![yes, known]),
            no: self.all(vec![no, known]),
            errors: quantity.errors,
        })
    }

    fn text_test(&mut self, question: TextQuestion, arguments: &[Expr], place: Place) -> Truth {
        let (text, part) = (self.number(&arguments[0], place), self.number(&arguments[1], place));
        let known = vec![self.known_of(text.known), self.known_of(part.known)];
        let known = self.all(known);
        let test = self.ask_text(text.number, &mut |compiler, number| match (
            compiler.text_constant(number),
            compiler.text_constant(part.number),
        ) {
            (Some(text), Some(part)) => compiler.always(match question {
                TextQuestion::StartsWith => text.starts_with(&*part),
                TextQuestion::Contains => text.contains(&*part),
            }),
            _ => compiler.put_test(Test::Text(question, number, part.number)),
        });
        let not = self.not(test);
        let errors = joined(&[&text.errors, &part.errors]);
        Truth { yes: self.all(vec![test, known]), no: self.all(vec![not, known]), errors }
    }

    fn compare_texts(&mut self, operator: Comparison, left: NumberId, right: NumberId) -> TestId {
        if left == right {
            return self.always(operator.holds(std::cmp::Ordering::Equal));
        }
        if self.text_constant(left).is_some() && self.text_constant(right).is_none() {
            return self.compare_texts(operator.mirrored(), right, left);
        }
        self.ask_text(left, &mut |compiler, number| match (
            compiler.text_constant(number),
            compiler.text_constant(right),
        ) {
            (Some(left), Some(right)) => compiler.always(operator.holds(left.cmp(&right))),
            _ => compiler.put_test(Test::Compare(operator, number, right)),
        })
    }

    /// Tests a text; if a condition chooses between two texts, tests both.
    fn ask_text(&mut self, text: NumberId, ask: &mut dyn FnMut(&mut Self, NumberId) -> TestId) -> TestId {
        let Number::Choose(condition, first, second) = self.compiled.numbers[text] else {
            return ask(self, text);
        };
        let (first, second) = (self.ask_text(first, ask), self.ask_text(second, ask));
        self.either(condition, first, second)
    }

    /// Holds where `first` does if a condition holds, and elsewhere where `second` does.
    fn either(&mut self, condition: TestId, first: TestId, second: TestId) -> TestId {
        let otherwise = self.not(condition);
        let sides = vec![self.all(vec![condition, first]), self.all(vec![otherwise, second])];
        self.any(sides)
    }

    /// Whether a number is a known constant, or at least not conditional itself: nested conditions would multiply the
    /// comparisons.
    fn is_plain(&self, number: NumberId) -> bool {
        match &self.compiled.numbers[number] {
            Number::Constant(constant) => constant.value().is_some(),
            other => !matches!(other, Number::Choose(..)),
        }
    }

    fn text_constant(&self, number: NumberId) -> Option<std::sync::Arc<str>> {
        match &self.compiled.numbers[number] {
            Number::Constant(Constant::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// `min` or `max` over children or descendants against an integer, by counts of the values beyond it.
    fn compare_extreme(&mut self, operator: Comparison, left: &Expr, right: &Expr) -> Option<Truth> {
        let (Expr::Aggregate(id), Expr::Constant(Some(Value::Integer(constant)))) = (left, right) else {
            return None;
        };
        let constant = i64::try_from(*constant).ok()?;
        let largest = match self.program.aggregates[id.0].function {
            Function::Max => true,
            Function::Min => false,
            _ => return None,
        };
        let yes = self.extreme_beyond(*id, largest, operator, constant)?;
        let no = self.extreme_beyond(*id, largest, opposite(operator), constant)?;
        Some(Truth { yes, no, errors: Errors::new() })
    }
}

fn opposite_of(Truth { yes, no, errors }: Truth) -> Truth {
    Truth { yes: no, no: yes, errors }
}

pub(super) const fn opposite(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}
