//! Operators and functions, shared by the syntax and the bound queries.

/// An operator or a function. Each has a fixed number of arguments, except `And` and `Or` (two or more) and `In` (the
/// item, then the list).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// The negated number.
    Negate,
    /// The absolute value.
    Abs,
    /// The square root, a float; unknown for a negative number.
    Sqrt,
    /// The natural logarithm, a float; unknown unless the number is positive.
    Log,
    /// The nearest integer, halves away from zero; unknown for an infinity.
    Round,
    /// The text in lower case.
    Lower,
    /// An arithmetic operator.
    Arithmetic(Arithmetic),
    /// A comparison of two numbers, two texts or two truth values.
    Compare(Comparison),
    /// Whether the first text begins with the second.
    StartsWith,
    /// Whether the second text is somewhere in the first.
    Contains,
    /// Whether the first value equals one of the others: like comparisons joined by `or`.
    In,
    /// Whether an integer is not 0; never written in a query.
    NotZero,
    /// Whether the value is known; the result itself always is.
    Known,
    /// `@bound`: the bound of a value (the first argument) in its window (from the second to the third).
    Bound,
    /// Three-valued negation.
    Not,
    /// Three-valued conjunction.
    And,
    /// Three-valued disjunction.
    Or,
    /// The second argument if the first is true, the third if it is false; both have the same type.
    If,
    /// The smaller of two values of the same type; unknown if either is.
    Least,
    /// The larger of two values of the same type; unknown if either is.
    Greatest,
}

/// An operator with a numeric result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    BitAnd,
    BitOr,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator with a truth value as its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Operation {
    /// Returns the minimum and maximum number of arguments.
    #[must_use]
    pub const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Negate | Self::Abs | Self::Sqrt | Self::Log | Self::Round | Self::Lower => (1, 1),
            Self::NotZero | Self::Known | Self::Not => (1, 1),
            Self::Arithmetic(_) | Self::Compare(_) | Self::StartsWith | Self::Contains => (2, 2),
            Self::Least | Self::Greatest => (2, 2),
            Self::Bound | Self::If => (3, 3),
            Self::In | Self::And | Self::Or => (2, usize::MAX),
        }
    }

    /// Returns the spelling; empty if it is never written in a query.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Abs => "abs",
            Self::Sqrt => "sqrt",
            Self::Log => "log",
            Self::Round => "round",
            Self::Lower => "lower",
            Self::Arithmetic(operator) => operator.spelling(),
            Self::Compare(operator) => operator.spelling(),
            Self::StartsWith => "starts_with",
            Self::Contains => "contains",
            Self::In => "in",
            Self::NotZero => "",
            Self::Known => "is known",
            Self::Bound => "@bound",
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
            Self::If => "if",
            Self::Least => "min",
            Self::Greatest => "max",
        }
    }
}

impl Arithmetic {
    /// Returns the spelling.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
        }
    }
}

impl Comparison {
    /// All of them, for tests.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Less, Self::LessEqual, Self::Greater, Self::GreaterEqual];

    /// Returns the spelling.
    #[must_use]
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        }
    }
}
