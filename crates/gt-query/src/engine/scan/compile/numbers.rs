//! Numbers and texts of every row, with bounds that prove the absence of overflow.

use super::{Compiler, Place, joined};
use crate::engine::scan::graph::{
    Constant, Elementary, Errors, Lane, Number, NumberId, Quantity, Scalar, Test, TestId,
};
use crate::evaluate::{NoNode, evaluate};
use crate::ir::{Expr, Operation, Origin};
use crate::span::Span;
use crate::syntax::ast::{Arithmetic, Comparison};
use crate::value::{BoundKind, Value};

impl Compiler<'_> {
    pub(super) fn number(&mut self, expr: &Expr, place: Place) -> Quantity {
        let found = match expr {
            Expr::Constant(Some(value)) => return self.constant_quantity(value),
            Expr::Constant(None) | Expr::Key(_) => return self.unknown_number(),
            Expr::Read(operand) => self.read(*operand, place),
            Expr::Aggregate(id) => self.aggregate(*id),
            Expr::Apply(operation, arguments, origin) => {
                return self.operation(*operation, arguments, origin.0, place);
            }
        };
        match found {
            Scalar::Number(quantity) => quantity,
            Scalar::Truth(_) => self.unknown_number(),
        }
    }

    fn unknown_number(&mut self) -> Quantity {
        let (number, never) = (self.integer(0), self.always(false));
        Quantity { number, known: Some(never), errors: Errors::new() }
    }

    fn constant_quantity(&mut self, value: &Value) -> Quantity {
        let number = match value {
            Value::Integer(value) => match i64::try_from(*value) {
                Ok(value) => self.integer(value),
                Err(_) => self.put_number(Number::Constant(Constant::Wide(*value)), Lane::Wide),
            },
            Value::Float(value) => {
                self.put_number(Number::Constant(Constant::Float(value.to_bits())), Lane::Float)
            }
            Value::Text(text) => self.text(text),
            Value::Boolean(value) => self.integer(i64::from(*value)),
            // The binder does not compare or compute lines.
            Value::Line(_) => return self.unknown_number(),
        };
        Quantity { number, known: None, errors: Errors::new() }
    }

    pub(super) fn integer(&mut self, value: i64) -> NumberId {
        self.put_bounded(Number::Constant(Constant::Integer(value)), (value, value))
    }

    fn text(&mut self, text: &str) -> NumberId {
        self.put_number(Number::Constant(Constant::Text(text.into())), Lane::Text)
    }

    fn operation(&mut self, operation: Operation, arguments: &[Expr], span: Span, place: Place) -> Quantity {
        match operation {
            Operation::If => self.chosen(arguments, place),
            Operation::Bound => self.bound(arguments, place),
            Operation::Arithmetic(operator) => {
                let sides = [self.number(&arguments[0], place), self.number(&arguments[1], place)];
                self.arithmetic(operator, &sides, span)
            }
            Operation::Negate => {
                let zero = self.constant_quantity(&Value::Integer(0));
                let sides = [zero, self.number(&arguments[0], place)];
                self.arithmetic(Arithmetic::Subtract, &sides, span)
            }
            Operation::Least | Operation::Greatest => {
                let sides = [self.number(&arguments[0], place), self.number(&arguments[1], place)];
                self.extreme_of_two(operation == Operation::Greatest, &sides)
            }
            Operation::Abs => self.absolute(&arguments[0], span, place),
            Operation::Sqrt => self.of_float((operation, Elementary::Sqrt), &arguments[0], span, place),
            Operation::Log => self.of_float((operation, Elementary::Log), &arguments[0], span, place),
            Operation::Round => self.rounded(&arguments[0], span, place),
            Operation::Lower => {
                let Quantity { number, known, errors } = self.number(&arguments[0], place);
                let where_known = self.known_of(known);
                if let Some(folded) = self.folded(operation, &[number], span, where_known, &errors) {
                    return folded;
                }
                let number = self.put_number(Number::Function(Elementary::Lower, number), Lane::Text);
                Quantity { number, known, errors }
            }
            Operation::Compare(_)
            | Operation::StartsWith
            | Operation::Contains
            | Operation::In
            | Operation::NotZero
            | Operation::Known
            | Operation::Not
            | Operation::And
            | Operation::Or => self.unknown_number(),
        }
    }

    fn of_float(
        &mut self,
        (operation, function): (Operation, Elementary),
        argument: &Expr,
        span: Span,
        place: Place,
    ) -> Quantity {
        let Quantity { number, known, errors } = self.number(argument, place);
        let where_known = self.known_of(known);
        if let Some(folded) = self.folded(operation, &[number], span, where_known, &errors) {
            return folded;
        }
        let number = self.converted(number, Lane::Float);
        let number = self.put_number(Number::Function(function, number), Lane::Float);
        Quantity { number, known, errors }
    }

    fn absolute(&mut self, argument: &Expr, span: Span, place: Place) -> Quantity {
        let Quantity { number, known, errors } = self.number(argument, place);
        let where_known = self.known_of(known);
        if let Some(folded) = self.folded(Operation::Abs, &[number], span, where_known, &errors) {
            return folded;
        }
        let function = Number::Function(Elementary::Abs, number);
        match self.compiled.lanes[number] {
            Lane::Float => {
                let number = self.put_number(function, Lane::Float);
                Quantity { number, known, errors }
            }
            lane => {
                let (low, high) = self.bounds_of(number);
                let most = low.abs().max(high.abs());
                let least = if low > 0 {
                    low
                } else if high < 0 {
                    -high
                } else {
                    0
                };
                let fits = lane == Lane::Integer && i64::try_from(most).is_ok();
                let number = self.put_bounded(function, clamped(least, most));
                self.checked(number, fits, known, errors, span)
            }
        }
    }

    fn rounded(&mut self, argument: &Expr, span: Span, place: Place) -> Quantity {
        let quantity = self.number(argument, place);
        let where_known = self.known_of(quantity.known);
        let numbers = &[quantity.number];
        if let Some(folded) = self.folded(Operation::Round, numbers, span, where_known, &quantity.errors) {
            return folded;
        }
        match self.compiled.lanes[quantity.number] {
            Lane::Integer => quantity,
            // Rounding leaves an integer as it is, but the result must fit in 64 bits.
            Lane::Wide => {
                let zero = self.put_number(Number::Constant(Constant::Wide(0)), Lane::Wide);
                let number = Number::Arithmetic(Arithmetic::Add, quantity.number, zero);
                let number = self.put_bounded(number, (i64::MIN, i64::MAX));
                self.checked(number, false, quantity.known, quantity.errors, span)
            }
            Lane::Float | Lane::Text => {
                let function = Number::Function(Elementary::Round, quantity.number);
                let number = self.put_bounded(function, (i64::MIN, i64::MAX));
                // NaN and the infinities have no nearest whole number.
                let has_value = self.has_value(number);
                let known = self.known_of(quantity.known);
                let known = self.all(vec![known, has_value]);
                self.checked(number, false, Some(known), quantity.errors, span)
            }
        }
    }

    /// The result of an operation on integers, with its own overflow unless that is proved impossible.
    fn checked(
        &mut self,
        number: NumberId,
        fits: bool,
        known: Option<TestId>,
        mut errors: Errors,
        span: Span,
    ) -> Quantity {
        let known = self.known_of(known);
        if !fits {
            let overflows = self.put_test(Test::Overflows(number));
            let error = self.all(vec![known, overflows]);
            if self.compiled.tests[error] != Test::Always(false) {
                errors.push((span, error));
            }
        }
        self.quantity(number, known, errors)
    }

    /// Narrows a sum from 128 bits to 64, with its overflow.
    pub(super) fn narrowed(&mut self, number: NumberId, span: Span, errors: Errors) -> Quantity {
        let zero = self.put_number(Number::Constant(Constant::Wide(0)), Lane::Wide);
        let number = Number::Arithmetic(Arithmetic::Add, number, zero);
        let number = self.put_bounded(number, (i64::MIN, i64::MAX));
        self.checked(number, false, None, errors, span)
    }

    pub(super) fn arithmetic(&mut self, operator: Arithmetic, sides: &[Quantity; 2], span: Span) -> Quantity {
        let [left, right] = sides;
        let errors = joined(&[&left.errors, &right.errors]);
        let known = vec![self.known_of(left.known), self.known_of(right.known)];
        let known = self.all(known);
        let lane = self.common_lane(left.number, right.number);
        let (left, right) = (self.converted(left.number, lane), self.converted(right.number, lane));
        if let Some(folded) =
            self.folded(Operation::Arithmetic(operator), &[left, right], span, known, &errors)
        {
            return folded;
        }
        let number = Number::Arithmetic(operator, left, right);
        if lane == Lane::Float {
            let number = self.put_number(number, Lane::Float);
            return Quantity { number, known: self.unless_always(known), errors };
        }
        let is_bitwise = matches!(operator, Arithmetic::BitAnd | Arithmetic::BitOr);
        if lane == Lane::Wide && is_bitwise {
            let number = self.put_number(number, Lane::Wide);
            return self.quantity(number, known, errors);
        }
        let (low, high) = self.result_bounds(operator, left, right);
        let fits = lane == Lane::Integer && i64::try_from(low).is_ok() && i64::try_from(high).is_ok();
        let divides = matches!(operator, Arithmetic::Divide | Arithmetic::Remainder);
        let number = self.put_bounded(number, clamped(low, high));
        let known = if divides {
            let zero = if lane == Lane::Wide {
                self.put_number(Number::Constant(Constant::Wide(0)), Lane::Wide)
            } else {
                self.integer(0)
            };
            let by_something = self.compare_numbers(Comparison::NotEqual, right, zero);
            self.all(vec![known, by_something])
        } else {
            known
        };
        self.checked(number, fits || is_bitwise, Some(known), errors, span)
    }

    /// The result of an operation on constants.
    fn folded(
        &mut self,
        operation: Operation,
        numbers: &[NumberId],
        span: Span,
        known: TestId,
        errors: &Errors,
    ) -> Option<Quantity> {
        let constants = numbers
            .iter()
            .map(|number| self.constant_value(*number).map(|value| Expr::Constant(Some(value))));
        let constants: Vec<Expr> = constants.collect::<Option<_>>()?;
        let mut errors = errors.clone();
        match evaluate(&Expr::Apply(operation, constants, Origin(span)), &NoNode) {
            Ok(Some(value)) => {
                let number = self.constant_quantity(&value).number;
                Some(self.quantity(number, known, errors))
            }
            Ok(None) => {
                let unknown = self.unknown_number();
                Some(Quantity { errors, ..unknown })
            }
            Err(_) => {
                errors.push((span, known));
                let number = self.integer(0);
                Some(self.quantity(number, known, errors))
            }
        }
    }

    pub(super) fn constant_value(&self, number: NumberId) -> Option<Value> {
        match &self.compiled.numbers[number] {
            Number::Constant(constant) => constant.value(),
            _ => None,
        }
    }

    /// The bounds of the result of an operation on integers, if it does not overflow 128 bits.
    fn result_bounds(&self, operator: Arithmetic, left: NumberId, right: NumberId) -> (i128, i128) {
        let ((a, b), (c, d)) = (self.bounds_of(left), self.bounds_of(right));
        let (most_left, most_right) = (a.abs().max(b.abs()), c.abs().max(d.abs()));
        let least_of = |ends: [i128; 4]| {
            ends.iter().fold((ends[0], ends[0]), |(low, high), end| (low.min(*end), high.max(*end)))
        };
        match operator {
            Arithmetic::Add => (a + c, b + d),
            Arithmetic::Subtract => (a - d, b - c),
            Arithmetic::Multiply => {
                least_of([a.saturating_mul(c), a.saturating_mul(d), b.saturating_mul(c), b.saturating_mul(d)])
            }
            Arithmetic::Divide if c > 0 => least_of([a / c, a / d, b / c, b / d]),
            Arithmetic::Divide => (-most_left, most_left),
            Arithmetic::Remainder => {
                let most = most_left.min((most_right - 1).max(0));
                (if a >= 0 { 0 } else { -most }, if b <= 0 { 0 } else { most })
            }
            Arithmetic::BitAnd if c >= 0 => (0, d),
            Arithmetic::BitAnd if a >= 0 => (0, b),
            Arithmetic::BitOr if a >= 0 && c >= 0 => {
                let bits = 128 - (b | d).leading_zeros();
                (0, (1_i128 << bits) - 1)
            }
            Arithmetic::BitAnd | Arithmetic::BitOr => (i64::MIN.into(), i64::MAX.into()),
        }
    }

    fn bounds_of(&self, number: NumberId) -> (i128, i128) {
        match self.compiled.lanes[number] {
            Lane::Integer => {
                let (low, high) = self.compiled.bounds[number];
                (low.into(), high.into())
            }
            Lane::Wide | Lane::Float | Lane::Text => (i64::MIN.into(), u64::MAX.into()),
        }
    }

    fn extreme_of_two(&mut self, greatest: bool, sides: &[Quantity; 2]) -> Quantity {
        let [left, right] = sides;
        let errors = joined(&[&left.errors, &right.errors]);
        let known = vec![self.known_of(left.known), self.known_of(right.known)];
        let known = self.all(known);
        let lane = self.common_lane(left.number, right.number);
        let (a, b) = (self.converted(left.number, lane), self.converted(right.number, lane));
        let operation = if greatest { Operation::Greatest } else { Operation::Least };
        if let Some(folded) = self.folded(operation, &[a, b], Span::default(), known, &errors) {
            return folded;
        }
        let number = if greatest { Number::Greatest(a, b) } else { Number::Least(a, b) };
        let number = match lane {
            Lane::Integer => {
                let ((a, b), (c, d)) = (self.compiled.bounds[a], self.compiled.bounds[b]);
                let bounds = if greatest { (a.max(c), b.max(d)) } else { (a.min(c), b.min(d)) };
                self.put_bounded(number, bounds)
            }
            lane => self.put_number(number, lane),
        };
        self.quantity(number, known, errors)
    }

    /// `if(E, A, B)` of numbers or texts.
    fn chosen(&mut self, arguments: &[Expr], place: Place) -> Quantity {
        let condition = self.truth(&arguments[0], place);
        let (first, second) = (self.number(&arguments[1], place), self.number(&arguments[2], place));
        let mut errors = condition.errors.clone();
        for (branch, taken) in [(&first, condition.yes), (&second, condition.no)] {
            let more = self.errors_where(&branch.errors, taken);
            errors = joined(&[&errors, &more]);
        }
        let sides = [(condition.yes, first.known), (condition.no, second.known)].map(|(test, known)| {
            let known = self.known_of(known);
            self.all(vec![test, known])
        });
        let known = self.any(sides.to_vec());
        let lane = self.common_lane(first.number, second.number);
        let (first, second) = (self.converted(first.number, lane), self.converted(second.number, lane));
        let number = self.choose(condition.yes, first, second);
        self.quantity(number, known, errors)
    }

    pub(super) fn choose(&mut self, test: TestId, first: NumberId, second: NumberId) -> NumberId {
        match self.compiled.tests[test] {
            Test::Always(true) => return first,
            Test::Always(false) => return second,
            _ if first == second => return first,
            _ => {}
        }
        let number = Number::Choose(test, first, second);
        match self.compiled.lanes[first] {
            Lane::Integer => {
                let ((a, b), (c, d)) = (self.compiled.bounds[first], self.compiled.bounds[second]);
                self.put_bounded(number, (a.min(c), b.max(d)))
            }
            lane => self.put_number(number, lane),
        }
    }

    /// `@bound`.
    fn bound(&mut self, arguments: &[Expr], place: Place) -> Quantity {
        let [value, alpha, beta] = [0, 1, 2].map(|argument| self.number(&arguments[argument], place));
        let errors = joined(&[&value.errors, &alpha.errors, &beta.errors]);
        let lower = self.compare_quantities(Comparison::GreaterEqual, &value, &beta);
        let upper = self.compare_quantities(Comparison::LessEqual, &value, &alpha);
        let known = [&value, &alpha, &beta].map(|number| self.value_known(number));
        let known = self.all(known.to_vec());
        let [exact, lower_text, upper_text] = BoundKind::ALL.map(|kind| self.text(kind.text()));
        let otherwise = self.choose(upper.yes, upper_text, exact);
        let number = self.choose(lower.yes, lower_text, otherwise);
        self.quantity(number, known, errors)
    }

    fn common_lane(&self, left: NumberId, right: NumberId) -> Lane {
        match (self.compiled.lanes[left], self.compiled.lanes[right]) {
            (Lane::Text, _) | (_, Lane::Text) => Lane::Text,
            (Lane::Float, _) | (_, Lane::Float) => Lane::Float,
            (Lane::Wide, _) | (_, Lane::Wide) => Lane::Wide,
            (Lane::Integer, Lane::Integer) => Lane::Integer,
        }
    }

    /// Converts the number to another kind of lane.
    #[allow(clippy::cast_precision_loss)] // Rounds as every integer that meets a float.
    pub(super) fn converted(&mut self, number: NumberId, lane: Lane) -> NumberId {
        if self.compiled.lanes[number] == lane || lane == Lane::Text {
            return number;
        }
        if let (Some(value), Lane::Float) = (self.integer_constant(number), lane) {
            return self.put_number(Number::Constant(Constant::Float((value as f64).to_bits())), lane);
        }
        if let (Some(value), Lane::Wide) = (self.integer_constant(number), lane) {
            return self.put_number(Number::Constant(Constant::Wide(value.into())), lane);
        }
        self.put_number(Number::Convert(lane, number), lane)
    }

    pub(super) fn integer_constant(&self, number: NumberId) -> Option<i64> {
        match self.compiled.numbers[number] {
            Number::Constant(Constant::Integer(value)) => Some(value),
            _ => None,
        }
    }
}

/// The bounds, clamped to 64 bits.
fn clamped(low: i128, high: i128) -> (i64, i64) {
    let clamp = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    (clamp(low), clamp(high))
}
